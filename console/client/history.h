#pragma once

#include "console/client/known.h"

#include <QList>
#include <QPointF>
#include <QString>

#include <deque>
#include <limits>
#include <map>
#include <span>
#include <vector>

namespace fremis::console {

/// What is kept over time. Percent 0..100, counts, milliseconds.
enum class Metric { Cpu, Ram, Gpu, GpuMemory, Vectors, Queue, PollLatency, FanOutLatency, Disk, ClockSkew };
inline constexpr int kMetricCount = 10;

inline constexpr float kNoSample = std::numeric_limits<float>::quiet_NaN();

/// Samples of all nodes and metrics. Fine: the last 7,200 ticks. Coarse: minimum, mean and maximum of each minute for
/// seven days. What was not measured is NaN and stays a gap. Memory is bounded by nodes times metrics, about 400 KiB
/// for each node with all metrics once seven days have passed. Thread: GUI.
class History {
public:
    static constexpr std::size_t kTicks = 7200;
    static constexpr std::size_t kMinutes = 7 * 24 * 60;

    /// Begins a new tick; every series has no sample in it until add() brings one. Ticks at or before the last are
    /// ignored (false), as when the clock was set back.
    bool beginTick(Instant time);
    /// Into the present tick. Not finite values are no samples.
    void add(const QString& node, Metric metric, float value);

    struct Band {
        Instant minute{0};
        float least = kNoSample;
        float mean = kNoSample;
        float most = kNoSample;
    };

    [[nodiscard]] std::optional<Instant> firstTick() const;
    [[nodiscard]] std::optional<Instant> lastTick() const;
    [[nodiscard]] QList<QString> nodes() const;
    [[nodiscard]] float last(const QString& node, Metric metric) const; ///< of the present tick
    /// x = milliseconds since 1970, y = value or NaN; ticks from..to, both included. More than `mostPoints` are thinned
    /// to the least and the greatest of each stretch; a gap stays a gap.
    [[nodiscard]] QList<QPointF> series(const QString& node, Metric metric, Instant from, Instant to,
                                        int mostPoints = 600) const;
    [[nodiscard]] std::vector<Band> minutes(const QString& node, Metric metric, Instant from, Instant to) const;
    void clear();

private:
    struct Minute {
        Instant minute{0};
        float least = kNoSample;
        float most = kNoSample;
        double sum = 0;
        int count = 0;
    };
    struct Series {
        std::vector<float> ring; ///< by tick number mod kTicks, grown as ticks come
        std::deque<Band> minutes;
        Minute open;
    };
    using Key = std::pair<QString, Metric>;

    [[nodiscard]] Instant timeAt(std::size_t tick) const { return m_times[tick % kTicks]; }
    [[nodiscard]] float valueAt(const Series& series, std::size_t tick) const;
    [[nodiscard]] std::pair<std::size_t, std::size_t> ticksBetween(Instant from, Instant to) const;
    static void close(Series& series);

    std::vector<Instant> m_times; ///< ring
    std::size_t m_ticks = 0;      ///< since the start; the present one is m_ticks - 1
    std::map<Key, Series> m_series;
};

/// Least and greatest of each stretch, at most `mostPoints` points; a stretch with a gap in it gives one NaN.
[[nodiscard]] QList<QPointF> thinned(const QList<QPointF>& points, int mostPoints);

} // namespace fremis::console

#pragma once

#include "shared/base/clock.h"
#include "shared/metrics/window_timer.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fremis::metrics {

/// A number that only rises. Thread: any.
class Counter {
public:
    void add(std::uint64_t n = 1) { m_value.fetch_add(n, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t value() const { return m_value.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> m_value{0};
};

/// A number that goes up and down. Thread: any.
class Gauge {
public:
    void set(double value) { m_value.store(value, std::memory_order_relaxed); }
    void add(double change) { m_value.fetch_add(change, std::memory_order_relaxed); }
    [[nodiscard]] double value() const { return m_value.load(std::memory_order_relaxed); }

private:
    std::atomic<double> m_value{0};
};

/// Label names and values in the order they are written. Values never hold face ids, nor by default keyspace names.
using Labels = std::vector<std::pair<std::string, std::string>>;

/// Most series of one labelled metric. Further label values share one series in which each value is "other", so a
/// client cannot make the process or the scraper grow.
inline constexpr std::size_t kMaxSeries = 1024;

/// All metrics of a process. References it hands out live as long as the registry. Thread: any.
class Registry {
public:
    explicit Registry(const base::Clock& clock) : m_clock(clock) {}
    Registry(const Registry&) = delete;
    Registry& operator=(const Registry&) = delete;

    /// The series of `name` with `labels`, made at the first call. `help` of the first call stays. One name has one
    /// kind: asking for another kind is a programming error and ends the process.
    [[nodiscard]] Counter& counter(std::string_view name, std::string_view help, const Labels& labels = {});
    [[nodiscard]] Gauge& gauge(std::string_view name, std::string_view help, const Labels& labels = {});
    [[nodiscard]] WindowTimer& timer(std::string_view name, std::string_view help);
    /// A gauge whose value is asked for at each scrape. `read` runs on the scraping thread with no lock held, and must
    /// stay callable as long as the registry lives.
    void gaugeFunction(std::string_view name, std::string_view help, std::function<double()> read);
    /// Makes the name known (HELP and TYPE lines) before it has a series.
    void declareCounter(std::string_view name, std::string_view help);
    void declareGauge(std::string_view name, std::string_view help);
    /// Forgets one series of a labelled gauge, for instance of a node that left. References to it must be gone.
    void removeGauge(std::string_view name, const Labels& labels);

    /// Prometheus text exposition format 0.0.4, names in byte order.
    [[nodiscard]] std::string prometheusText() const;

    static constexpr std::string_view kContentType = "text/plain; version=0.0.4; charset=utf-8";

private:
    enum class Kind { Counter, Gauge, GaugeFunction, Timer };
    struct Family {
        Kind kind;
        std::string help;
        std::map<Labels, std::unique_ptr<Counter>> counters;
        std::map<Labels, std::unique_ptr<Gauge>> gauges;
        std::unique_ptr<WindowTimer> timer;
        std::shared_ptr<const std::function<double()>> read;
    };
    Family& family(std::string_view name, std::string_view help, Kind kind);
    template<class T> static T& seriesOf(std::map<Labels, std::unique_ptr<T>>& series, const Labels& labels);
    static void writeFamily(std::string& out, const std::string& name, const Family& family);

    const base::Clock& m_clock;
    mutable std::mutex m_mutex;
    std::map<std::string, Family, std::less<>> m_families;
};

} // namespace fremis::metrics

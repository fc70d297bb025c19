#include "console/client/history.h"

#include <algorithm>
#include <cmath>

namespace fremis::console {

namespace {

constexpr Milliseconds kMinute{60'000};

Instant minuteOf(Instant time) {
    return time - time % kMinute;
}

} // namespace

bool History::beginTick(Instant time) {
    if (m_ticks > 0 && time <= timeAt(m_ticks - 1))
        return false;
    if (m_times.size() < kTicks)
        m_times.push_back(time);
    else
        m_times[m_ticks % kTicks] = time;
    ++m_ticks;
    for (auto& [key, series] : m_series) {
        if (series.ring.size() < m_times.size())
            series.ring.resize(m_times.size(), kNoSample);
        series.ring[(m_ticks - 1) % kTicks] = kNoSample;
        if (series.open.count > 0 && series.open.minute != minuteOf(time))
            close(series);
    }
    return true;
}

void History::add(const QString& node, Metric metric, float value) {
    if (m_ticks == 0 || !std::isfinite(value))
        return;
    auto& series = m_series[{node, metric}];
    series.ring.resize(m_times.size(), kNoSample);
    series.ring[(m_ticks - 1) % kTicks] = value;
    auto& open = series.open;
    if (open.count == 0)
        open = {minuteOf(timeAt(m_ticks - 1)), value, value, 0, 0};
    open.least = std::min(open.least, value);
    open.most = std::max(open.most, value);
    open.sum += static_cast<double>(value);
    ++open.count;
}

void History::close(Series& series) {
    const auto& open = series.open;
    series.minutes.push_back({open.minute, open.least, static_cast<float>(open.sum / open.count), open.most});
    if (series.minutes.size() > kMinutes)
        series.minutes.pop_front();
    series.open = {};
}

std::optional<Instant> History::firstTick() const {
    return m_ticks == 0 ? std::nullopt : std::optional(timeAt(m_ticks - m_times.size()));
}

std::optional<Instant> History::lastTick() const {
    return m_ticks == 0 ? std::nullopt : std::optional(timeAt(m_ticks - 1));
}

QList<QString> History::nodes() const {
    QList<QString> names;
    for (const auto& [key, series] : m_series)
        if (names.isEmpty() || names.last() != key.first)
            names.append(key.first);
    return names;
}

float History::valueAt(const Series& series, std::size_t tick) const {
    const auto slot = tick % kTicks;
    return slot < series.ring.size() ? series.ring[slot] : kNoSample;
}

float History::last(const QString& node, Metric metric) const {
    const auto found = m_series.find({node, metric});
    return found == m_series.end() || m_ticks == 0 ? kNoSample : valueAt(found->second, m_ticks - 1);
}

std::pair<std::size_t, std::size_t> History::ticksBetween(Instant from, Instant to) const {
    std::size_t first = m_ticks - m_times.size();
    std::size_t end = m_ticks;
    const auto bound = [this](std::size_t low, std::size_t high, auto isBefore) {
        while (low < high) {
            const auto middle = low + (high - low) / 2;
            isBefore(timeAt(middle)) ? low = middle + 1 : high = middle;
        }
        return low;
    };
    first = bound(first, end, [from](Instant time) { return time < from; });
    end = bound(first, end, [to](Instant time) { return time <= to; });
    return {first, end};
}

QList<QPointF> History::series(const QString& node, Metric metric, Instant from, Instant to, int mostPoints) const {
    const auto found = m_series.find({node, metric});
    QList<QPointF> points;
    if (found == m_series.end())
        return points;
    const auto [first, end] = ticksBetween(from, to);
    points.reserve(static_cast<qsizetype>(end - first));
    for (auto tick = first; tick < end; ++tick)
        points.append({static_cast<double>(timeAt(tick).count()), static_cast<double>(valueAt(found->second, tick))});
    return thinned(points, mostPoints);
}

std::vector<History::Band> History::minutes(const QString& node, Metric metric, Instant from, Instant to) const {
    const auto found = m_series.find({node, metric});
    if (found == m_series.end())
        return {};
    const auto& minutes = found->second.minutes;
    const auto first = std::lower_bound(minutes.begin(), minutes.end(), from,
                                        [](const Band& band, Instant time) { return band.minute < time; });
    const auto end =
        std::upper_bound(first, minutes.end(), to, [](Instant time, const Band& band) { return time < band.minute; });
    return {first, end};
}

void History::clear() {
    m_times.clear();
    m_ticks = 0;
    m_series.clear();
}

QList<QPointF> thinned(const QList<QPointF>& points, int mostPoints) {
    // A stretch gives two points, or one for a gap.
    const auto stretches = std::max<qsizetype>(1, mostPoints / 2);
    if (points.size() <= mostPoints)
        return points;
    QList<QPointF> thin;
    thin.reserve(2 * stretches);
    for (qsizetype stretch = 0; stretch < stretches; ++stretch) {
        const auto begin = points.begin() + stretch * points.size() / stretches;
        const auto end = points.begin() + (stretch + 1) * points.size() / stretches;
        const auto gap = std::find_if(begin, end, [](const QPointF& point) { return std::isnan(point.y()); });
        if (gap != end) {
            thin.append(*gap);
            continue;
        }
        const auto [least, most] =
            std::minmax_element(begin, end, [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); });
        thin.append(std::min(*least, *most, [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); }));
        if (least != most)
            thin.append(std::max(*least, *most, [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); }));
    }
    return thin;
}

} // namespace fremis::console

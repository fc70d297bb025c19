#include "console/client/trend.h"

#include <cmath>

namespace fremis::console {

namespace {

constexpr Milliseconds kLookedAt{24 * 3'600'000};
constexpr Milliseconds kLeastData{3'600'000};
constexpr Milliseconds kMinute{60'000};
constexpr double kLeastR2 = 0.8;
constexpr double kFull = 100;     // percent
constexpr double kFarthest = 365; // days
constexpr double kMsPerDay = 86'400'000;

} // namespace

std::optional<LinearFit> fitLine(const QList<QPointF>& points) {
    double count = 0;
    double meanX = 0;
    double meanY = 0;
    double xx = 0;
    double xy = 0;
    double yy = 0;
    // Welford's way: x are milliseconds since 1970, their squares would eat the digits.
    for (const auto& point : points) {
        if (std::isnan(point.y()))
            continue;
        ++count;
        const double dx = point.x() - meanX;
        const double dy = point.y() - meanY;
        meanX += dx / count;
        meanY += dy / count;
        xx += dx * (point.x() - meanX);
        xy += dx * (point.y() - meanY);
        yy += dy * (point.y() - meanY);
    }
    if (count < 2 || xx <= 0)
        return std::nullopt;
    const double slope = xy / xx;
    return LinearFit{slope, meanY - slope * meanX, yy > 0 ? xy * xy / (xx * yy) : 0};
}

std::optional<double> daysUntilFull(const History& history, const QString& node, Instant now) {
    const auto bands = history.minutes(node, Metric::Ram, now - kLookedAt, now);
    if (bands.empty() || bands.back().minute + kMinute - bands.front().minute < kLeastData)
        return std::nullopt;
    QList<QPointF> points;
    const auto origin = bands.front().minute;
    for (const auto& band : bands)
        points.append({static_cast<double>((band.minute - origin).count()), static_cast<double>(band.mean)});
    const auto fit = fitLine(points);
    if (!fit || fit->r2 <= kLeastR2 || fit->slope <= 0)
        return std::nullopt;
    const double reached = fit->offset + fit->slope * static_cast<double>((now - origin).count());
    const double days = std::max(0.0, (kFull - reached) / fit->slope / kMsPerDay);
    return days <= kFarthest ? std::optional(days) : std::nullopt;
}

QHash<QString, double> fullInDays(const Snapshot& snapshot, const History& history) {
    QHash<QString, double> days;
    for (const auto& node : snapshot.nodes)
        if (const auto left = daysUntilFull(history, node.address, snapshot.takenAt))
            days.insert(node.address, *left);
    return days;
}

} // namespace fremis::console

#pragma once

#include "console/client/history.h"
#include "console/client/snapshot.h"

#include <optional>

namespace fremis::console {

/// A straight line through points, by least squares.
struct LinearFit {
    double slope = 0;
    double offset = 0;
    double r2 = 0; ///< 1: all points lie on it; 0: it explains nothing
};
/// Nothing for fewer than two points, or all at one x. Points with NaN are left out.
[[nodiscard]] std::optional<LinearFit> fitLine(const QList<QPointF>& points);

/// In how many days a node's memory is full when it goes on as in the last day. Nothing with less than an hour of data,
/// when the line fits badly (R² up to 0.8), when it does not grow, or when that is more than a year away.
[[nodiscard]] std::optional<double> daysUntilFull(const History& history, const QString& node, Instant now);
/// The same of all nodes, by address; those without such a forecast are left out.
[[nodiscard]] QHash<QString, double> fullInDays(const Snapshot& snapshot, const History& history);

} // namespace fremis::console

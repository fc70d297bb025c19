#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <vector>

namespace fremis::console {

/// One row of a side-by-side diff. Line numbers count from 1; 0: there is no such line on that side.
struct DiffLine {
    enum class Kind { Same, Removed, Added };
    Kind kind = Kind::Same;
    int before = 0;
    int after = 0;
    QString text; ///< without its line end
    bool operator==(const DiffLine&) const = default;
};

/// The fewest removed and added lines that make `after` of `before`. Texts of more than 20,000 differing lines are
/// shown as removed and added whole.
[[nodiscard]] std::vector<DiffLine> diffLines(const QByteArray& before, const QByteArray& after);

} // namespace fremis::console

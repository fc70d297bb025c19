#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fremis::app::ring {

/// Charts as SVG 1.1 text: no script, no font to fetch, readable on light and dark pages, a title and a description for
/// screen readers. Text is escaped.
struct BarChart {
    std::string title;
    std::string description;
    std::string valueTitle;
    struct Bar {
        std::string label;
        double value;
    };
    std::vector<Bar> bars;           ///< one or more, values not negative; above 40 bars labels thin out
    std::optional<double> reference; ///< a dashed line, e.g. the ideal
    std::string referenceName;
    int decimals = 2;
};
[[nodiscard]] std::string svgOf(const BarChart& chart);

/// Lines over two logarithmic axes. Values are above 0.
struct LogChart {
    std::string title;
    std::string description;
    std::string xTitle;
    std::string yTitle;
    struct Line {
        std::string name;
        std::vector<std::pair<double, double>> points;
        bool dashed = false;
    };
    std::vector<Line> lines; ///< at most six
};
[[nodiscard]] std::string svgOf(const LogChart& chart);

/// A circle of arcs, for rings that fit a page.
struct RingChart {
    std::string title;
    std::string description;
    struct Slice {
        std::string owner;
        double begin; ///< 0..1 of the circle, clockwise from the top
        double end;   ///< above begin
        std::string label;
    };
    std::vector<Slice> slices;
};
[[nodiscard]] std::string svgOf(const RingChart& chart);

} // namespace fremis::app::ring

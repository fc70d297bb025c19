#include "server/app/ring_svg.h"

#include "server/app/ring_output.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

namespace fremis::app::ring {

namespace {

// Okabe and Ito's palette: told apart with any colour vision.
constexpr std::array<const char*, 6> kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};
constexpr double kWidth = 760;
constexpr double kHeight = 400;
constexpr double kLeft = 70;
constexpr double kRight = 20;
constexpr double kTop = 50;
constexpr double kBottom = 70;

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        switch (c) {
        case '<':
            safe += "&lt;";
            break;
        case '>':
            safe += "&gt;";
            break;
        case '&':
            safe += "&amp;";
            break;
        case '"':
            safe += "&quot;";
            break;
        default:
            safe += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return safe;
}

std::string at(double value) {
    return decimalText(value, 1);
}

class Svg {
public:
    Svg(const std::string& title, const std::string& description) {
        m_text = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + at(kWidth) + " " + at(kHeight) +
                 "\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n<title>" + escaped(title) +
                 "</title>\n<desc>" + escaped(description) +
                 "</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
        text(kWidth / 2, 24, title, "middle", 16);
    }
    void text(double x, double y, const std::string& words, const char* anchor, int size = 12, double turn = 0) {
        m_text += "<text x=\"" + at(x) + "\" y=\"" + at(y) + "\" text-anchor=\"" + anchor + "\" font-size=\"" +
                  std::to_string(size) + "\" fill=\"#222222\"";
        if (turn != 0)
            m_text += " transform=\"rotate(" + at(turn) + " " + at(x) + " " + at(y) + ")\"";
        m_text += ">" + escaped(words) + "</text>\n";
    }
    void line(double x1, double y1, double x2, double y2, const char* colour, bool dashed = false, double width = 1) {
        m_text += "<line x1=\"" + at(x1) + "\" y1=\"" + at(y1) + "\" x2=\"" + at(x2) + "\" y2=\"" + at(y2) +
                  "\" stroke=\"" + colour + "\" stroke-width=\"" + at(width) + "\"" +
                  (dashed ? " stroke-dasharray=\"6 4\"" : "") + "/>\n";
    }
    void bar(double x, double y, double width, double height, const char* colour, const std::string& tip) {
        m_text += "<rect x=\"" + at(x) + "\" y=\"" + at(y) + "\" width=\"" + at(width) + "\" height=\"" + at(height) +
                  "\" fill=\"" + colour + "\"><title>" + escaped(tip) + "</title></rect>\n";
    }
    void path(const std::string& steps, const char* stroke, const char* fill, bool dashed = false) {
        m_text += "<path d=\"" + steps + "\" stroke=\"" + stroke + "\" fill=\"" + fill + "\" stroke-width=\"2\"" +
                  (dashed ? " stroke-dasharray=\"6 4\"" : "") + "/>\n";
    }
    void dot(double x, double y, const char* colour) {
        m_text += "<circle cx=\"" + at(x) + "\" cy=\"" + at(y) + "\" r=\"3\" fill=\"" + colour + "\"/>\n";
    }
    [[nodiscard]] std::string finish() { return std::move(m_text += "</svg>\n"); }

private:
    std::string m_text;
};

// 1, 2 or 5 times a power of ten, so that an axis has 4 to 10 ticks.
double tickStep(double most) {
    const double rough = most / 5;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    const double times = rough / power;
    return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
}

void valueAxis(Svg& svg, double most, double scale, const std::string& title) {
    const double step = tickStep(most);
    const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step))));
    for (double value = 0; value <= most * 1.0001; value += step) {
        const double y = kHeight - kBottom - value * scale;
        svg.line(kLeft, y, kWidth - kRight, y, "#dddddd");
        svg.text(kLeft - 6, y + 4, decimalText(value, decimals), "end");
    }
    svg.text(18, kHeight / 2, title, "middle", 12, -90);
}

struct LogAxis {
    double low;
    double high;
    double from;
    double to;
    [[nodiscard]] double operator()(double value) const {
        return from + (std::log10(value) - low) / (high - low) * (to - from);
    }
};

template<class Pick> LogAxis logAxis(const LogChart& chart, double from, double to, const Pick& pick) {
    double least = HUGE_VAL;
    double most = 0;
    for (const auto& line : chart.lines)
        for (const auto& point : line.points) {
            least = std::min(least, pick(point));
            most = std::max(most, pick(point));
        }
    const double low = std::floor(std::log10(least) + 1e-9);
    return {low, std::max(std::ceil(std::log10(most) - 1e-9), low + 1), from, to};
}

std::string powerText(double power) {
    return decimalText(std::pow(10.0, power), power < 0 ? static_cast<int>(-power) : 0);
}

void logGrid(Svg& svg, const LogAxis& x, const LogAxis& y, const LogChart& chart) {
    for (double power = y.low; power <= y.high; power += 1) {
        const double place = y(std::pow(10.0, power));
        svg.line(kLeft, place, kWidth - kRight, place, "#dddddd");
        svg.text(kLeft - 6, place + 4, powerText(power), "end");
    }
    for (double power = x.low; power <= x.high; power += 1) {
        const double place = x(std::pow(10.0, power));
        svg.line(place, kTop, place, kHeight - kBottom, "#dddddd");
        svg.text(place, kHeight - kBottom + 18, powerText(power), "middle");
    }
    svg.text(kWidth / 2, kHeight - 24, chart.xTitle, "middle");
    svg.text(18, kHeight / 2, chart.yTitle, "middle", 12, -90);
}

std::string point(double turn, double radius) {
    const double angle = turn * 2 * std::numbers::pi;
    return at(kWidth / 2 + radius * std::sin(angle)) + " " + at(kHeight / 2 + 10 - radius * std::cos(angle));
}

void slicePath(Svg& svg, const RingChart::Slice& slice, const char* colour) {
    const char* large = slice.end - slice.begin > 0.5 ? "1" : "0";
    svg.path("M" + point(slice.begin, 130) + " A130.0 130.0 0 " + large + " 1 " + point(slice.end, 130) + " L" +
                 point(slice.end, 95) + " A95.0 95.0 0 " + large + " 0 " + point(slice.begin, 95) + " Z",
             "#ffffff", colour);
}

} // namespace

std::string svgOf(const BarChart& chart) {
    Svg svg(chart.title, chart.description);
    double most = chart.reference.value_or(0);
    for (const auto& bar : chart.bars)
        most = std::max(most, bar.value);
    most = most > 0 ? most : 1;
    const double scale = (kHeight - kTop - kBottom) / most;
    valueAxis(svg, most, scale, chart.valueTitle);
    const double slot = (kWidth - kLeft - kRight) / static_cast<double>(chart.bars.size());
    const std::size_t every = chart.bars.size() / 40 + 1;
    const bool turned = chart.bars.size() > 12;
    for (std::size_t i = 0; i < chart.bars.size(); ++i) {
        const auto& bar = chart.bars[i];
        const double x = kLeft + slot * static_cast<double>(i);
        const double height = bar.value * scale;
        svg.bar(x + slot * 0.1, kHeight - kBottom - height, slot * 0.8, height, kColours[0],
                bar.label + ": " + decimalText(bar.value, chart.decimals));
        if (i % every == 0)
            svg.text(x + slot / 2, kHeight - kBottom + 16, bar.label, turned ? "end" : "middle", turned ? 10 : 12,
                     turned ? -50 : 0);
    }
    if (chart.reference) {
        const double y = kHeight - kBottom - *chart.reference * scale;
        svg.line(kLeft, y, kWidth - kRight, y, kColours[1], true, 2);
        svg.line(kWidth - 120, kTop - 14, kWidth - 95, kTop - 14, kColours[1], true, 2);
        svg.text(kWidth - 90, kTop - 10, chart.referenceName, "start");
    }
    return svg.finish();
}

std::string svgOf(const LogChart& chart) {
    Svg svg(chart.title, chart.description);
    const LogAxis x = logAxis(chart, kLeft, kWidth - kRight, [](const auto& p) { return p.first; });
    const LogAxis y = logAxis(chart, kHeight - kBottom, kTop, [](const auto& p) { return p.second; });
    logGrid(svg, x, y, chart);
    for (std::size_t i = 0; i < chart.lines.size(); ++i) {
        const auto& line = chart.lines[i];
        const char* colour = kColours[i % kColours.size()];
        std::string steps;
        for (const auto& [px, py] : line.points)
            steps += (steps.empty() ? "M" : " L") + at(x(px)) + " " + at(y(py));
        svg.path(steps, colour, "none", line.dashed);
        for (const auto& [px, py] : line.points)
            svg.dot(x(px), y(py), colour);
        const double place = kTop + 8 + 16 * static_cast<double>(i);
        svg.line(kWidth - 190, place, kWidth - 165, place, colour, line.dashed, 2);
        svg.text(kWidth - 160, place + 4, line.name, "start");
    }
    return svg.finish();
}

std::string svgOf(const RingChart& chart) {
    Svg svg(chart.title, chart.description);
    std::map<std::string, const char*> colours;
    for (const auto& slice : chart.slices)
        colours.try_emplace(slice.owner, kColours[colours.size() % kColours.size()]);
    for (const auto& slice : chart.slices) {
        slicePath(svg, slice, colours.at(slice.owner));
        const double angle = slice.end * 2 * std::numbers::pi;
        const double x = kWidth / 2 + 142 * std::sin(angle);
        const double y = kHeight / 2 + 14 - 142 * std::cos(angle);
        svg.text(x, y, slice.label, std::sin(angle) < -0.2 ? "end" : std::sin(angle) > 0.2 ? "start" : "middle");
    }
    double place = kTop + 10;
    for (const auto& [owner, colour] : colours) {
        svg.bar(kWidth - 120, place - 10, 12, 12, colour, owner);
        svg.text(kWidth - 102, place, owner, "start");
        place += 18;
    }
    return svg.finish();
}

} // namespace fremis::app::ring

#include "console/ui/shell/theme.h"

#include "console/ui/shell/console_style.h"

#include <QApplication>
#include <QFont>
#include <QFontDatabase>
#include <QFontInfo>
#include <QToolTip>
#include <QWidget>

#include <array>
#include <cmath>

namespace fremis::console::ui {
namespace {

const ThemeColors kLight = {.window = "#F3F4F6",
                            .surface = "#FFFFFF",
                            .raised = "#F6F7F9",
                            .line = "#DFE2E7",
                            .outline = "#7D848E",
                            .text = "#1B1D21",
                            .muted = "#565C65",
                            .accent = "#0B57D0",
                            .accentInk = "#FFFFFF",
                            .accentSoft = "#E3ECFB",
                            .ok = "#1B7F3B",
                            .info = "#0B57D0",
                            .warning = "#8A5A00",
                            .critical = "#B3261E",
                            .unknown = "#5F6368",
                            .rampLow = "#E8F1FB",
                            .rampHigh = "#0A3F86"};

const ThemeColors kDark = {.window = "#17181A",
                           .surface = "#1E1F22",
                           .raised = "#26282C",
                           .line = "#35383D",
                           .outline = "#7F8690",
                           .text = "#E6E7EA",
                           .muted = "#A8ADB3",
                           .accent = "#8AB4F8",
                           .accentInk = "#10213D",
                           .accentSoft = "#283650",
                           .ok = "#57D27C",
                           .info = "#8AB4F8",
                           .warning = "#F2B84B",
                           .critical = "#FF8A80",
                           .unknown = "#A8ADB3",
                           .rampLow = "#22344C",
                           .rampHigh = "#B5D4FF"};

struct Fill {
    const char* fill;
    bool whiteInk;
};
constexpr std::array<Fill, Theme::kNodeFills> kFills = {{{"#0072B2", true},
                                                         {"#E69F00", false},
                                                         {"#009E73", false},
                                                         {"#D55E00", false},
                                                         {"#56B4E9", false},
                                                         {"#CC79A7", false},
                                                         {"#F0E442", false},
                                                         {"#8C564B", true},
                                                         {"#2F3B69", true},
                                                         {"#17BECF", false}}};

constexpr std::array<const char*, 8> kProfileColors = {"#0B57D0", "#1B7F3B", "#8A5A00", "#B3261E",
                                                       "#7B3FB5", "#00727A", "#A23B72", "#5F6368"};

double linear(double channel) {
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// The desktop's own font, unless there is none and DejaVu stands in: a narrower family then fits more on a line.
QFont baseFont() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    const QString actual = QFontInfo(font).family();
    if (actual.startsWith(QLatin1String("DejaVu"))) {
        for (const auto* family : {"Noto Sans", "Roboto", "Inter"}) {
            if (QFontDatabase::hasFamily(QLatin1String(family))) {
                font.setFamily(QLatin1String(family));
                break;
            }
        }
    }
    if (font.pointSizeF() < 10)
        font.setPointSizeF(10);
    return font;
}

} // namespace

double textScale(const QFont& font) {
    constexpr double kDesignedPx = 13; // 10 points at 96 dpi
    return std::max(1.0, QFontInfo(font).pixelSize() / kDesignedPx);
}

int withText(const QFont& font, int pixels) {
    return int(std::lround(textScale(font) * pixels));
}

double contrastRatio(const QColor& first, const QColor& second) {
    const double a = luminance(first);
    const double b = luminance(second);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

QColor mixed(const QColor& top, const QColor& bottom, double share) {
    const auto blend = [share](double t, double b) { return float(t * share + b * (1 - share)); };
    return QColor::fromRgbF(blend(top.redF(), bottom.redF()), blend(top.greenF(), bottom.greenF()),
                            blend(top.blueF(), bottom.blueF()));
}

void setInk(QWidget& widget, const QColor& ink) {
    QPalette palette = widget.palette();
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(role, ink);
    widget.setPalette(palette);
}

QColor inkOn(const QColor& background) {
    return contrastRatio(background, Qt::white) >= contrastRatio(background, Qt::black) ? Qt::white : Qt::black;
}

Theme::Theme(QObject* parent) : QObject(parent) {}

void Theme::setMode(Mode mode) {
    const bool wasDark = isDark();
    m_mode = mode;
    if (isDark() != wasDark)
        update();
}

void Theme::setSystemDark(bool dark) {
    const bool wasDark = isDark();
    m_systemDark = dark;
    if (isDark() != wasDark)
        update();
}

bool Theme::isDark() const {
    return m_mode == Mode::Dark || (m_mode == Mode::System && m_systemDark);
}

const ThemeColors& Theme::colorsOf(bool dark) {
    return dark ? kDark : kLight;
}

const ThemeColors& Theme::colors() const {
    return colorsOf(isDark());
}

QPalette Theme::palette() const {
    const ThemeColors& c = colors();
    QPalette palette(c.surface, c.window);
    palette.setColor(QPalette::Window, c.window);
    palette.setColor(QPalette::WindowText, c.text);
    palette.setColor(QPalette::Base, c.surface);
    palette.setColor(QPalette::AlternateBase, c.raised);
    palette.setColor(QPalette::Text, c.text);
    palette.setColor(QPalette::Button, c.surface);
    palette.setColor(QPalette::ButtonText, c.text);
    palette.setColor(QPalette::BrightText, c.critical);
    palette.setColor(QPalette::PlaceholderText, c.muted);
    palette.setColor(QPalette::ToolTipBase, c.text);
    palette.setColor(QPalette::ToolTipText, c.surface);
    palette.setColor(QPalette::Highlight, c.accent);
    palette.setColor(QPalette::HighlightedText, c.accentInk);
    palette.setColor(QPalette::Link, c.accent);
    palette.setColor(QPalette::LinkVisited, c.accent);
    palette.setColor(QPalette::Mid, c.line);
    palette.setColor(QPalette::Midlight, c.raised);
    palette.setColor(QPalette::Light, c.surface);
    palette.setColor(QPalette::Dark, c.outline);
    palette.setColor(QPalette::Shadow, mixed(Qt::black, c.window, 0.4));
    const QColor disabled = mixed(c.muted, c.surface, 0.65);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, disabled);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, c.line);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, disabled);
    return palette;
}

QColor Theme::severity(Severity severity) const {
    const ThemeColors& c = colors();
    switch (severity) {
    case Severity::Ok:
        return c.ok;
    case Severity::Info:
        return c.info;
    case Severity::Warning:
        return c.warning;
    case Severity::Critical:
        return c.critical;
    case Severity::Unknown:
        break;
    }
    return c.unknown;
}

QColor Theme::tint(Severity level) const {
    return mixed(severity(level), colors().surface, isDark() ? 0.14 : 0.08);
}

NodeFill Theme::nodeFill(int index) {
    const Fill& fill = kFills[std::size_t(index % kNodeFills)];
    return {QColor(fill.fill), fill.whiteInk ? QColor(Qt::white) : QColor(Qt::black), index >= kNodeFills};
}

QColor Theme::ramp(double share) const {
    return mixed(colors().rampHigh, colors().rampLow, std::clamp(share, 0.0, 1.0));
}

QColor Theme::profileColor(int index) {
    return QColor(kProfileColors[std::size_t(index) % kProfileColors.size()]);
}

void Theme::install() {
    m_installed = true;
    QApplication::setStyle(new ConsoleStyle(*this));
    QApplication::setFont(baseFont());
    QApplication::setPalette(palette());
    QToolTip::setPalette(palette());
}

void Theme::update() {
    if (m_installed) {
        QApplication::setPalette(palette());
        QToolTip::setPalette(palette());
    }
    Q_EMIT changed();
}

} // namespace fremis::console::ui

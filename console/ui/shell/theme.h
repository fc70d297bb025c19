#pragma once

#include <QColor>
#include <QObject>
#include <QPalette>

class QWidget;

namespace fremis::console::ui {

/// What a state means to the operator. Word, icon and colour always go together; a warning is never red.
enum class Severity { Ok, Info, Warning, Critical, Unknown };

/// Colour of a node: fill, the ink that is readable on it, and a hatch from the 11th node on.
struct NodeFill {
    QColor fill;
    QColor ink;
    bool hatched = false;
};

struct ThemeColors {
    QColor window;     ///< behind everything
    QColor surface;    ///< pages, tables, cards
    QColor raised;     ///< headers, hovered rows, chips
    QColor line;       ///< decoration between areas
    QColor outline;    ///< edges that carry meaning, >= 3:1 on surface
    QColor text;       ///< >= 7:1
    QColor muted;      ///< secondary text, >= 4.5:1
    QColor accent;     ///< selection, links, focus ring
    QColor accentInk;  ///< text on accent
    QColor accentSoft; ///< selected rows and the current page in the rail
    QColor ok, info, warning, critical, unknown;
    QColor rampLow, rampHigh; ///< Load lens, single hue
};

/// Colours, spacing and motion of everything the console paints. Thread: GUI.
class Theme : public QObject {
    Q_OBJECT

public:
    enum class Mode { System, Light, Dark };
    Q_ENUM(Mode)

    explicit Theme(QObject* parent = nullptr);

    void setMode(Mode mode);
    [[nodiscard]] Mode mode() const { return m_mode; }
    /// What the desktop prefers; counts while the mode is System.
    void setSystemDark(bool dark);
    [[nodiscard]] bool isDark() const;
    void setAnimated(bool animated) { m_animated = animated; }
    [[nodiscard]] bool isAnimated() const { return m_animated; }

    [[nodiscard]] const ThemeColors& colors() const;
    [[nodiscard]] static const ThemeColors& colorsOf(bool dark);
    [[nodiscard]] QPalette palette() const;
    [[nodiscard]] QColor severity(Severity severity) const;
    /// A quiet background for text of that severity: the surface with a trace of the colour.
    [[nodiscard]] QColor tint(Severity severity) const;
    [[nodiscard]] static NodeFill nodeFill(int index);
    static constexpr int kNodeFills = 10;
    /// Load lens: `share` 0..1 of the largest value.
    [[nodiscard]] QColor ramp(double share) const;
    /// Eight profile colours.
    [[nodiscard]] static QColor profileColor(int index);

    /// Sets style, palette and font of the application and follows later changes.
    void install();

Q_SIGNALS:
    void changed();

private:
    void update();

    Mode m_mode = Mode::System;
    bool m_systemDark = false;
    bool m_animated = true;
    bool m_installed = false;
};

/// Distances in device-independent pixels; everything sits on this grid.
namespace space {
inline constexpr int kTiny = 4;
inline constexpr int kSmall = 8;
inline constexpr int kMedium = 12;
inline constexpr int kLarge = 16;
inline constexpr int kRadius = 4;
inline constexpr int kRowHeight = 28;
} // namespace space

/// How much larger texts are than those the distances are made for; never less than 1.
[[nodiscard]] double textScale(const QFont& font);
/// Pixels that grow with the text in them or beside them.
[[nodiscard]] int withText(const QFont& font, int pixels);

/// WCAG 2.1 contrast of two opaque colours, 1..21.
[[nodiscard]] double contrastRatio(const QColor& first, const QColor& second);
/// `share` of `top` over `bottom`, opaque.
[[nodiscard]] QColor mixed(const QColor& top, const QColor& bottom, double share);
/// Gives a widget's text this colour, whichever role its background makes it use.
void setInk(QWidget& widget, const QColor& ink);
/// Black or white, whichever reads better.
[[nodiscard]] QColor inkOn(const QColor& background);

} // namespace fremis::console::ui

#pragma once

#include <QProxyStyle>

namespace fremis::console::ui {

class Theme;

/// Fusion, flattened: hairlines, flat headers and tabs, slim scroll bars, a focus ring of 2 px. Style sheets would
/// break the palette and the rings. Reads the theme on each paint, so a change of theme needs a repaint only.
class ConsoleStyle final : public QProxyStyle {
    Q_OBJECT

public:
    explicit ConsoleStyle(const Theme& theme);

    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returned) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;

private:
    void drawButton(const QStyleOption* option, QPainter* painter) const;
    void drawFocusRing(const QRectF& rect, QPainter* painter) const;
    void drawHeaderSection(const QStyleOption* option, QPainter* painter) const;
    void drawTab(const QStyleOption* option, QPainter* painter) const;
    void drawComboBox(const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const;
    void drawScrollBar(const QStyleOptionComplex* option, QPainter* painter) const;

    const Theme& m_theme;
};

} // namespace fremis::console::ui

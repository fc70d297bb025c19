#include "console/ui/shell/console_style.h"

#include "console/ui/shell/theme.h"

#include <QApplication>
#include <QPainter>
#include <QStyleOption>
#include <QWidget>

namespace fremis::console::ui {
namespace {

constexpr int kScrollBar = 12;
constexpr int kShortestThumb = 28;

void hairline(QPainter* painter, const QColor& color, const QPoint& from, const QPoint& to) {
    QPen pen(color, 1);
    pen.setCosmetic(true);
    painter->setPen(pen);
    painter->drawLine(from, to);
}

void roundedBox(QPainter* painter, const QRectF& rect, const QColor& fill, const QColor& edge) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(fill);
    painter->setPen(edge.alpha() == 0 ? QPen(Qt::NoPen) : QPen(edge, 1));
    painter->drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), space::kRadius, space::kRadius);
    painter->restore();
}

} // namespace

ConsoleStyle::ConsoleStyle(const Theme& theme) : QProxyStyle(QStringLiteral("Fusion")), m_theme(theme) {}

int ConsoleStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
    case PM_ScrollBarExtent:
        return kScrollBar;
    case PM_ScrollView_ScrollBarSpacing:
        return 0;
    case PM_SplitterWidth:
        return 5;
    case PM_TabBarTabHSpace:
        return 24;
    case PM_TabBarTabVSpace:
        return 10;
    case PM_TabBarBaseOverlap:
    case PM_TabBarBaseHeight:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
        return 0;
    case PM_HeaderMargin:
        return 7;
    case PM_FocusFrameHMargin:
        return 6;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return space::kSmall;
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_TabBarIconSize:
    case PM_ListViewIconSize:
        return withText(widget ? widget->font() : QApplication::font(), 16);
    case PM_MenuHMargin:
    case PM_MenuVMargin:
        return space::kTiny;
    case PM_ToolTipLabelFrameWidth:
        return 5;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int ConsoleStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                            QStyleHintReturn* returned) const {
    switch (hint) {
    case SH_Table_GridLineColor:
        return int(m_theme.colors().line.rgb());
    case SH_ItemView_ShowDecorationSelected:
        return 1;
    case SH_TabBar_Alignment:
        return Qt::AlignLeft;
    case SH_Widget_Animation_Duration:
        return m_theme.isAnimated() ? QProxyStyle::styleHint(hint, option, widget, returned) : 0;
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ScrollBar_Transient:
    case SH_ComboBox_Popup:
        return 0;
    case SH_ToolTipLabel_Opacity:
        return 255;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returned);
    }
}

void ConsoleStyle::drawFocusRing(const QRectF& rect, QPainter* painter) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(m_theme.colors().accent, 2));
    painter->drawRoundedRect(rect.adjusted(1, 1, -1, -1), space::kRadius, space::kRadius);
    painter->restore();
}

void ConsoleStyle::drawButton(const QStyleOption* option, QPainter* painter) const {
    const ThemeColors& c = m_theme.colors();
    const bool enabled = option->state & State_Enabled;
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    const bool isDefault = button && (button->features & QStyleOptionButton::DefaultButton);
    QColor fill = isDefault && enabled ? c.accent : c.surface;
    QColor edge = isDefault && enabled ? c.accent : mixed(c.outline, c.surface, enabled ? 0.6 : 0.3);
    if (option->state & (State_Sunken | State_On))
        fill = isDefault ? mixed(Qt::black, c.accent, 0.2) : c.accentSoft;
    else if (enabled && (option->state & State_MouseOver))
        fill = isDefault ? mixed(c.text, c.accent, 0.12) : c.raised;
    roundedBox(painter, option->rect, fill, edge);
}

void ConsoleStyle::drawHeaderSection(const QStyleOption* option, QPainter* painter) const {
    const ThemeColors& c = m_theme.colors();
    painter->fillRect(option->rect,
                      option->state & State_MouseOver && option->state & State_Enabled ? c.line : c.raised);
    hairline(painter, c.line, option->rect.bottomLeft(), option->rect.bottomRight());
}

void ConsoleStyle::drawTab(const QStyleOption* option, QPainter* painter) const {
    const ThemeColors& c = m_theme.colors();
    const bool current = option->state & State_Selected;
    if (!current && option->state & State_MouseOver)
        painter->fillRect(option->rect.adjusted(2, 4, -2, -4), c.raised);
    if (current)
        painter->fillRect(QRect(option->rect.left() + 8, option->rect.bottom() - 1, option->rect.width() - 16, 2),
                          c.accent);
}

void ConsoleStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                 const QWidget* widget) const {
    const ThemeColors& c = m_theme.colors();
    switch (element) {
    case PE_FrameFocusRect:
        drawFocusRing(option->rect, painter);
        return;
    case PE_PanelButtonCommand:
        drawButton(option, painter);
        if (option->state & State_HasFocus && option->state & State_KeyboardFocusChange)
            drawFocusRing(option->rect, painter);
        return;
    case PE_PanelButtonTool:
        if (option->state & (State_Sunken | State_On))
            roundedBox(painter, option->rect, c.accentSoft, Qt::transparent);
        else if (option->state & State_Enabled && option->state & State_MouseOver)
            roundedBox(painter, option->rect, c.raised, c.line);
        if (option->state & State_HasFocus)
            drawFocusRing(option->rect, painter);
        return;
    case PE_Frame:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option); frame && frame->lineWidth > 0) {
            painter->setPen(QPen(option->state & State_HasFocus ? c.accent : c.line, 1));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        }
        return;
    case PE_PanelLineEdit:
    case PE_FrameLineEdit:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option); !frame || frame->lineWidth > 0) {
            roundedBox(painter, option->rect, option->state & State_Enabled ? c.surface : c.raised,
                       mixed(c.outline, c.surface, 0.6));
            if (option->state & State_HasFocus)
                drawFocusRing(option->rect, painter);
        }
        return;
    case PE_IndicatorCheckBox: {
        const bool isOn = option->state & State_On;
        const bool isEnabled = option->state & State_Enabled;
        const QRectF box = QRectF(option->rect).adjusted(1.5, 1.5, -1.5, -1.5);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(isEnabled ? c.outline : c.line, 1));
        painter->setBrush(isOn && isEnabled ? c.accent : c.surface);
        painter->drawRoundedRect(box, 2.5, 2.5);
        if (isOn) {
            const QPointF middle = box.center();
            painter->setPen(QPen(isEnabled ? c.accentInk : c.muted, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter->drawPolyline(
                QPolygonF({middle + QPointF(-3.5, 0), middle + QPointF(-1, 2.5), middle + QPointF(3.5, -3)}));
        }
        painter->restore();
        return;
    }
    case PE_FrameTabBarBase:
        hairline(painter, c.line, option->rect.bottomLeft(), option->rect.bottomRight());
        return;
    case PE_FrameTabWidget:
        hairline(painter, c.line, option->rect.topLeft(), option->rect.topRight());
        return;
    case PE_PanelMenuBar:
    case PE_FrameStatusBarItem:
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void ConsoleStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    const ThemeColors& c = m_theme.colors();
    switch (element) {
    case CE_HeaderSection:
        drawHeaderSection(option, painter);
        return;
    case CE_HeaderEmptyArea:
        painter->fillRect(option->rect, c.raised);
        hairline(painter, c.line, option->rect.bottomLeft(), option->rect.bottomRight());
        return;
    case CE_TabBarTabShape:
        drawTab(option, painter);
        return;
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, c.window);
        return;
    case CE_MenuBarItem: {
        const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
        if (!item)
            return;
        const bool active = option->state & State_Selected;
        painter->fillRect(option->rect, c.window);
        if (active)
            roundedBox(painter, option->rect.adjusted(1, 2, -1, -2), c.accentSoft, Qt::transparent);
        drawItemText(painter, option->rect, Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextDontClip, option->palette,
                     option->state & State_Enabled, item->text, QPalette::WindowText);
        return;
    }
    case CE_Splitter: {
        const QPoint centre = option->rect.center();
        if (option->state & State_Horizontal)
            hairline(painter, c.line, {centre.x(), option->rect.top()}, {centre.x(), option->rect.bottom()});
        else
            hairline(painter, c.line, {option->rect.left(), centre.y()}, {option->rect.right(), centre.y()});
        return;
    }
    case CE_ProgressBarGroove:
        roundedBox(painter, option->rect, c.raised, c.line);
        return;
    case CE_PushButtonLabel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
            button && button->features & QStyleOptionButton::DefaultButton && option->state & State_Enabled) {
            QStyleOptionButton copy(*button);
            copy.palette.setColor(QPalette::ButtonText, c.accentInk);
            QProxyStyle::drawControl(element, &copy, painter, widget);
            return;
        }
        QProxyStyle::drawControl(element, option, painter, widget);
        return;
    default:
        QProxyStyle::drawControl(element, option, painter, widget);
    }
}

void ConsoleStyle::drawComboBox(const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const {
    const ThemeColors& c = m_theme.colors();
    const bool enabled = option->state & State_Enabled;
    const bool hovered = enabled && option->state & State_MouseOver;
    roundedBox(painter, option->rect, enabled && !hovered ? c.surface : c.raised, mixed(c.outline, c.surface, 0.6));
    const QRectF arrow = subControlRect(CC_ComboBox, option, SC_ComboBoxArrow, widget);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(enabled ? c.muted : c.line, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF tip(arrow.center().x(), arrow.center().y() + 2.5);
    painter->drawPolyline(QPolygonF({tip + QPointF(-4, -4), tip, tip + QPointF(4, -4)}));
    painter->restore();
    if (option->state & State_HasFocus)
        drawFocusRing(option->rect, painter);
}

void ConsoleStyle::drawScrollBar(const QStyleOptionComplex* option, QPainter* painter) const {
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (!bar)
        return;
    const ThemeColors& c = m_theme.colors();
    painter->fillRect(option->rect, c.surface);
    if (bar->maximum <= bar->minimum)
        return;
    const bool active = option->state & State_Sunken || option->activeSubControls & SC_ScrollBarSlider;
    const QRectF thumb =
        QRectF(subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, nullptr)).adjusted(3, 3, -3, -3);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(active ? c.outline : mixed(c.outline, c.surface, 0.55));
    painter->drawRoundedRect(thumb, 3, 3);
    painter->restore();
}

void ConsoleStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                      const QWidget* widget) const {
    if (control == CC_ScrollBar) {
        drawScrollBar(option, painter);
    } else if (control == CC_ComboBox) {
        drawComboBox(option, painter, widget);
    } else if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
               control == CC_ToolButton && button) {
        QStyleOptionToolButton plain(*button); // the arrow of a menu would lie over the text
        plain.features &= ~(QStyleOptionToolButton::HasMenu | QStyleOptionToolButton::MenuButtonPopup);
        QProxyStyle::drawComplexControl(control, &plain, painter, widget);
    } else
        QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect ConsoleStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                   const QWidget* widget) const {
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control != CC_ScrollBar || !bar)
        return QProxyStyle::subControlRect(control, option, part, widget);
    const bool horizontal = bar->orientation == Qt::Horizontal;
    const int length = horizontal ? bar->rect.width() : bar->rect.height();
    const qint64 range = qint64(bar->maximum) - bar->minimum + bar->pageStep;
    const int thumb =
        range > 0 ? std::min(length, std::max(kShortestThumb, int(length * qint64(bar->pageStep) / range))) : length;
    const int at =
        sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - thumb, bar->upsideDown);
    const auto along = [&](int from, int size) {
        return horizontal ? QRect(bar->rect.left() + from, bar->rect.top(), size, bar->rect.height())
                          : QRect(bar->rect.left(), bar->rect.top() + from, bar->rect.width(), size);
    };
    switch (part) {
    case SC_ScrollBarGroove:
        return bar->rect;
    case SC_ScrollBarSlider:
        return along(at, thumb);
    case SC_ScrollBarSubPage:
        return along(0, at);
    case SC_ScrollBarAddPage:
        return along(at + thumb, length - at - thumb);
    default:
        return {};
    }
}

QSize ConsoleStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                     const QWidget* widget) const {
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    const QFont font = widget ? widget->font() : QApplication::font();
    if (type == CT_PushButton)
        return (result + QSize(withText(font, space::kMedium) - space::kMedium, 0)).expandedTo({64, space::kRowHeight});
    if (type == CT_LineEdit || type == CT_ComboBox || type == CT_SpinBox)
        return result.expandedTo({0, space::kRowHeight});
    if (type == CT_ToolButton)
        return result.expandedTo({26, 26});
    if (type == CT_MenuBarItem)
        return result + QSize(4, 2);
    if (type == CT_MenuItem)
        return result + QSize(8, 2);
    return result;
}

} // namespace fremis::console::ui

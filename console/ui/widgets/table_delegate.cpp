#include "console/models/row_model.h"
#include "console/ui/shell/icons.h"
#include "console/ui/widgets/data_table.h"
#include "console/ui/widgets/severity_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace fremis::console::ui {
namespace {

std::optional<Severity> severityOf(const QModelIndex& index) {
    switch (Tone(index.data(ToneRole).toInt())) {
    case Tone::Plain:
        return std::nullopt;
    case Tone::Ok:
        return Severity::Ok;
    case Tone::Info:
        return Severity::Info;
    case Tone::Warning:
        return Severity::Warning;
    case Tone::Critical:
        return Severity::Critical;
    case Tone::Unknown:
        break;
    }
    return Severity::Unknown;
}

} // namespace

TableDelegate::TableDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(theme) {}

void TableDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const ThemeColors& c = m_theme.colors();
    QColor ink = c.text;
    if (const auto severity = severityOf(index)) {
        ink = m_theme.severity(*severity);
        const auto size = option->decorationSize = QSize(16, 16);
        option->icon = QIcon(
            iconPixmap(iconOf(*severity), ink, size.width(), option->widget ? option->widget->devicePixelRatioF() : 1));
        option->features |= QStyleOptionViewItem::HasDecoration;
    }
    if (m_dimmed || index.data(StaleRole).toBool())
        ink = mixed(ink, c.surface, 0.55);
    option->palette.setColor(QPalette::Text, ink);
    option->palette.setColor(QPalette::HighlightedText, ink);
    option->palette.setColor(QPalette::Highlight, c.accentSoft);
    option->state &= ~QStyle::State_HasFocus;
}

void TableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto* proxy = qobject_cast<const QAbstractProxyModel*>(index.model());
    const int source = proxy ? proxy->mapToSource(index).column() : index.column();
    QStyledItemDelegate::paint(painter, option, index);
    const ThemeColors& c = m_theme.colors();
    const QVariant value = index.data(ValueRole);
    if (m_bars.contains(source) && value.isValid()) {
        const double share = std::clamp(value.toDouble() / 100, 0.0, 1.0);
        const QRectF track(option.rect.left() + 8, option.rect.bottom() - 5, option.rect.width() - 16, 3);
        const auto severity = severityOf(index);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(c.line);
        painter->drawRoundedRect(track, 1.5, 1.5);
        painter->setBrush(severity ? m_theme.severity(*severity) : mixed(c.accent, c.surface, 0.8));
        painter->drawRoundedRect(QRectF(track.left(), track.top(), track.width() * share, track.height()), 1.5, 1.5);
        painter->restore();
    }
    if (option.state & QStyle::State_HasFocus) {
        painter->save();
        painter->setPen(QPen(c.accent, 2));
        painter->drawRect(QRectF(option.rect).adjusted(1, 1, -1, -1));
        painter->restore();
    }
}

bool TableDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                              const QModelIndex& index) {
    if (event->type() == QEvent::ToolTip && index.data(Qt::ToolTipRole).toString().isEmpty() &&
        sizeHint(option, index).width() > option.rect.width()) {
        QToolTip::showText(event->globalPos(), index.data(Qt::DisplayRole).toString().toHtmlEscaped(), view);
        return true;
    }
    return QStyledItemDelegate::helpEvent(event, view, option, index);
}

} // namespace fremis::console::ui

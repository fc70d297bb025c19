#include "console/ui/views/partition_delegate.h"

#include "console/models/partition_map_model.h"
#include "console/ui/shell/verdict.h"
#include "console/ui/widgets/format.h"

#include <QPainter>

#include <cmath>

namespace fremis::console::ui {
namespace {

constexpr double kFaded = 0.65; // of the surface over a faded cell
constexpr int kMostChips = 3;

PartitionClass classOf(const QModelIndex& index) {
    return PartitionClass(index.data(PartitionMapModel::ClassRole).toInt());
}

QFont sized(const QFont& base, double factor, int weight = QFont::Normal) {
    QFont font = base;
    font.setPointSizeF(base.pointSizeF() * factor);
    font.setWeight(QFont::Weight(weight));
    return font;
}

/// A solid plate with text, so that it reads over any pattern.
void plate(QPainter* painter, const QRectF& rect, const QString& text, const QColor& back, const QColor& ink) {
    painter->setPen(Qt::NoPen);
    painter->setBrush(back);
    painter->drawRoundedRect(rect, 2, 2);
    painter->setPen(ink);
    painter->drawText(rect, Qt::AlignCenter, text);
}

} // namespace

QFont fittingFont(QFont font, double width, const QString& text) {
    const double wide = QFontMetricsF(font).horizontalAdvance(text);
    if (wide > width && width > 0)
        font.setPointSizeF(font.pointSizeF() * width / wide);
    return font;
}

struct PartitionDelegate::Look {
    QColor fill;
    QColor ink;
    Qt::BrushStyle pattern = Qt::NoBrush;
    QColor patternColor;
    QString sign;  ///< in the middle: "GAP", "?"
    QString value; ///< bottom line
    bool dotted = false;
    bool doubled = false;
    PartitionClass health = PartitionClass::Ok;
};

Qt::BrushStyle patternOf(PartitionClass partition) {
    switch (partition) {
    case PartitionClass::Thin:
        return Qt::HorPattern;
    case PartitionClass::AtRisk:
        return Qt::BDiagPattern;
    case PartitionClass::Gap:
        return Qt::DiagCrossPattern;
    case PartitionClass::Over:
        return Qt::VerPattern;
    case PartitionClass::Unknown:
        return Qt::Dense6Pattern;
    case PartitionClass::Ok:
        break;
    }
    return Qt::NoBrush;
}

PartitionDelegate::PartitionDelegate(const Theme& theme, QObject* parent)
    : QStyledItemDelegate(parent), m_theme(theme) {}

void PartitionDelegate::setScale(quint64 mostVectors, quint64 mostQueued, bool logarithmic) {
    m_mostVectors = mostVectors;
    m_mostQueued = mostQueued;
    m_logarithmic = logarithmic;
}

double PartitionDelegate::shareOf(quint64 value, quint64 most) const {
    if (most == 0)
        return 0;
    return m_logarithmic ? std::log1p(double(value)) / std::log1p(double(most)) : double(value) / double(most);
}

QColor PartitionDelegate::queueRamp(double share) const {
    const ThemeColors& c = m_theme.colors();
    return mixed(c.warning, c.surface, 0.08 + 0.82 * std::clamp(share, 0.0, 1.0));
}

void PartitionDelegate::fillOwner(Look& look, const QModelIndex& index) const {
    const NodeFill fill = Theme::nodeFill(std::max(0, index.data(PartitionMapModel::FillOwnerIndexRole).toInt()));
    look.fill = fill.fill;
    look.ink = fill.ink;
    if (fill.hatched) {
        look.pattern = Qt::Dense6Pattern;
        look.patternColor = fill.ink;
    }
}

void PartitionDelegate::fillRamp(Look& look, const QVariant& value) const {
    const bool isLoad = m_lens == Lens::Load;
    if (!value.isValid()) {
        look.value = unknownText();
        return;
    }
    const auto number = value.toULongLong();
    const double share = shareOf(number, isLoad ? m_mostVectors : m_mostQueued);
    look.fill = isLoad ? m_theme.ramp(share) : number == 0 ? m_theme.colors().surface : queueRamp(share);
    look.value = shortNumberText(qint64(number));
}

PartitionDelegate::Look PartitionDelegate::lookOf(const QModelIndex& index) const {
    const ThemeColors& c = m_theme.colors();
    Look look;
    look.health = classOf(index);
    look.fill = c.surface;
    const bool ownerless = look.health == PartitionClass::Gap;
    switch (m_lens) {
    case Lens::Owner:
        if (!ownerless)
            fillOwner(look, index);
        if (look.health == PartitionClass::AtRisk) {
            look.pattern = patternOf(look.health);
            look.patternColor = look.ink;
        }
        break;
    case Lens::Load:
        fillRamp(look, index.data(PartitionMapModel::VectorsRole));
        break;
    case Lens::Queue:
        fillRamp(look, index.data(PartitionMapModel::QueuedRole));
        break;
    case Lens::Health:
        look.fill = mixed(m_theme.severity(severityOf(look.health)), c.surface, m_theme.isDark() ? 0.3 : 0.2);
        look.pattern = patternOf(look.health);
        look.patternColor = m_theme.severity(severityOf(look.health));
        if (!ownerless)
            look.value = QStringLiteral("%1/%2")
                             .arg(index.data(PartitionMapModel::HealthyRole).toInt())
                             .arg(index.data(PartitionMapModel::ExpectedRole).toInt());
        break;
    }
    if (ownerless) {
        look.pattern = patternOf(PartitionClass::Gap);
        look.patternColor = c.critical;
        look.sign = tr("GAP", "on a cell of the map, short");
        look.value.clear();
    } else if (look.health == PartitionClass::Unknown) {
        look.dotted = true;
        look.sign = QStringLiteral("?");
        if (m_lens == Lens::Health) {
            look.fill = mixed(c.unknown, c.surface, 0.25);
            look.value.clear();
        }
    }
    look.doubled = look.health == PartitionClass::Over;
    look.ink = inkOn(look.fill);
    return look;
}

void PartitionDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const ThemeColors& c = m_theme.colors();
    Look look = lookOf(index);
    if (m_dimmed || index.data(PartitionMapModel::StaleRole).toBool())
        look.fill = mixed(look.fill, c.surface, 0.6), look.ink = inkOn(look.fill);
    const QRectF cell = QRectF(option.rect).adjusted(1, 1, 0, 0);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->fillRect(cell, look.fill);
    if (look.pattern != Qt::NoBrush) {
        QColor ink = look.patternColor;
        ink.setAlphaF(m_lens == Lens::Owner && look.health == PartitionClass::Ok ? 0.35f : 0.6f);
        painter->fillRect(cell, QBrush(ink, look.pattern));
    }
    drawSigns(painter, cell, index, look);
    const int partition = index.data(PartitionMapModel::PartitionRole).toInt();
    if (!m_highlighted.empty() && !m_highlighted.contains(Partition(partition))) {
        QColor veil = c.surface;
        veil.setAlphaF(float(kFaded));
        painter->fillRect(cell, veil);
    }
    drawFrame(painter, option, look);
    painter->restore();
}

void PartitionDelegate::drawSigns(QPainter* painter, const QRectF& cell, const QModelIndex& index,
                                  const Look& look) const {
    const ThemeColors& c = m_theme.colors();
    const bool patterned = look.pattern != Qt::NoBrush;
    const int partition = index.data(PartitionMapModel::PartitionRole).toInt();
    const QString number = m_hexadecimal ? QString::number(partition, 16).toUpper().rightJustified(2, QLatin1Char('0'))
                                         : QString::number(partition);
    const QFont base = painter->font();
    painter->setFont(fittingFont(sized(base, 0.85, QFont::DemiBold), cell.width() - 8, QStringLiteral("255")));
    const QFontMetricsF metrics(painter->font());
    const QRectF numberRect(cell.left() + 2, cell.top() + 2, metrics.horizontalAdvance(number) + 5,
                            metrics.height() - 1);
    if (patterned)
        plate(painter, numberRect, number, look.fill, look.ink);
    else {
        painter->setPen(look.ink);
        painter->drawText(numberRect, Qt::AlignCenter, number);
    }
    if (look.health == PartitionClass::AtRisk)
        plate(painter, {cell.right() - 13, cell.top() + 2, 11, metrics.height() - 1}, QStringLiteral("!"), c.critical,
              inkOn(c.critical));
    // Large texts in a low cell: what stands below the number keeps out of its way.
    const double below = cell.bottom() - numberRect.bottom();
    const double lines = below / QFontMetricsF(sized(base, 0.82)).height();
    painter->setFont(sized(base, textScale(base) > 1 && lines < 1 ? std::max(0.4, 0.82 * lines) : 0.82));
    const QFontMetricsF small(painter->font());
    const double bottom = cell.bottom() - small.height() - 1;
    if (!look.sign.isEmpty()) {
        const double width = small.horizontalAdvance(look.sign) + 8;
        plate(painter, {cell.center().x() - width / 2 + 1, bottom, width, small.height()}, look.sign, c.surface,
              look.health == PartitionClass::Gap ? c.critical : c.unknown);
    } else if (look.doubled) {
        const QString times =
            QStringLiteral("×%1").arg(index.data(PartitionMapModel::OwnersRole).toStringList().size());
        plate(painter,
              {cell.right() - small.horizontalAdvance(times) - 7, cell.top() + 3, small.horizontalAdvance(times) + 4,
               small.height() - 1},
              times, c.surface, c.text);
    }
    if (!look.value.isEmpty()) {
        const double width = small.horizontalAdvance(look.value) + 4;
        const QRectF valueRect(cell.right() - width - 2, bottom, width, small.height());
        if (patterned)
            plate(painter, valueRect, look.value, look.fill, look.ink);
        else {
            painter->setPen(look.ink);
            painter->drawText(valueRect, Qt::AlignRight | Qt::AlignVCenter, look.value);
        }
    }
    if (m_lens == Lens::Owner && look.sign.isEmpty()) {
        drawReplicas(painter, cell, index);
        const quint64 queued = index.data(PartitionMapModel::QueuedRole).toULongLong();
        if (queued > 0) {
            const QString text = shortNumberText(qint64(queued));
            const double width = std::min(cell.width() - 14, small.horizontalAdvance(text) + 6);
            plate(painter, {cell.right() - width - 2, bottom, width, small.height()}, text, c.surface, c.warning);
        }
    }
}

void PartitionDelegate::drawReplicas(QPainter* painter, const QRectF& cell, const QModelIndex& index) const {
    const auto owners = index.data(PartitionMapModel::OwnerIndexesRole).value<QList<int>>();
    const int others = int(owners.size()) - 1;
    double x = cell.left() + 3;
    for (int i = 0; i < std::min(others, kMostChips); ++i, x += 10) {
        const NodeFill fill = Theme::nodeFill(owners[i + 1]);
        painter->setPen(QPen(m_theme.colors().surface, 1));
        painter->setBrush(fill.fill);
        painter->drawRect(QRectF(x, cell.bottom() - 11, 8, 8));
        if (fill.hatched)
            painter->fillRect(QRectF(x, cell.bottom() - 11, 8, 8), QBrush(fill.ink, Qt::Dense6Pattern));
    }
    if (others > kMostChips) {
        painter->setPen(inkOn(Theme::nodeFill(owners.front()).fill));
        painter->drawText(QPointF(x, cell.bottom() - 3), QStringLiteral("+%1").arg(others - kMostChips));
    }
}

/// One line between cells: each draws its upper and left edge, the last ones the others too.
void PartitionDelegate::drawOutline(QPainter* painter, const QStyleOptionViewItem& option) const {
    const QRect cell = option.rect;
    painter->drawLine(cell.topLeft(), cell.topRight());
    painter->drawLine(cell.topLeft(), cell.bottomLeft());
    if (option.index.column() == PartitionMapModel::kSide - 1)
        painter->drawLine(cell.topRight(), cell.bottomRight());
    if (option.index.row() == PartitionMapModel::kSide - 1)
        painter->drawLine(cell.bottomLeft(), cell.bottomRight());
}

void PartitionDelegate::drawFrame(QPainter* painter, const QStyleOptionViewItem& option, const Look& look) const {
    const ThemeColors& c = m_theme.colors();
    const QRectF cell = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setBrush(Qt::NoBrush);
    QPen outline(c.outline, 1, look.dotted ? Qt::DotLine : Qt::SolidLine);
    outline.setCosmetic(true);
    painter->setPen(outline);
    drawOutline(painter, option);
    if (look.doubled)
        painter->drawRect(cell.adjusted(3, 3, -3, -3));
    const bool selected = option.state & QStyle::State_Selected;
    const bool focused = option.state & QStyle::State_HasFocus;
    if (!selected && !focused)
        return;
    const QColor ring = focused ? c.accent : c.text;
    painter->setPen(QPen(ring, focused ? 3 : 2));
    painter->drawRect(cell.adjusted(1, 1, -1, -1));
    painter->setPen(QPen(c.surface, 1));
    painter->drawRect(cell.adjusted(3, 3, -3, -3));
}

} // namespace fremis::console::ui

#include "console/ui/shell/rail.h"

#include "console/ui/shell/icons.h"
#include "console/ui/widgets/format.h"

#include <QButtonGroup>
#include <QEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

constexpr int kWide = 168;
constexpr int kNarrow = 52;
constexpr int kIcon = 18;

} // namespace

RailButton::RailButton(const Theme& theme, const PageEntry& page, QWidget* parent)
    : QAbstractButton(parent), m_theme(theme), m_page(page) {
    setCheckable(true);
    setObjectName(QStringLiteral("rail.") + page.id);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] { update(); });
    retranslate();
}

void RailButton::setBadge(const RailBadge& badge) {
    if (badge.count == m_badge.count && badge.severity == m_badge.severity)
        return;
    m_badge = badge;
    describe();
    update();
}

void RailButton::setNarrow(bool narrow) {
    m_narrow = narrow;
    describe();
    updateGeometry();
    update();
}

void RailButton::setMarked(bool marked) {
    m_marked = marked;
    describe();
    update();
}

void RailButton::retranslate() {
    setText(titleOf(m_page));
    describe();
    updateGeometry();
}

void RailButton::describe() {
    QString name = text();
    if (m_badge.count > 0)
        name = tr("%1, %2 to look at").arg(text(), numberText(m_badge.count));
    if (m_marked)
        name = tr("%1, changed").arg(name);
    setAccessibleName(name);
    const QString key = m_page.key.toString(QKeySequence::NativeText);
    setToolTip(key.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, key));
}

QSize RailButton::sizeHint() const {
    const int height = std::max(34, fontMetrics().height() + 14);
    if (m_narrow)
        return {kNarrow - kIcon + withText(font(), kIcon), height};
    return {std::max(kWide, 26 + withText(font(), kIcon) + fontMetrics().horizontalAdvance(text()) + 56), height};
}

void RailButton::paintEvent(QPaintEvent*) {
    const ThemeColors& c = m_theme.colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF plate = QRectF(rect()).adjusted(6, 1, -6, -1);
    painter.setPen(Qt::NoPen);
    if (isChecked() || m_hovered) {
        painter.setBrush(isChecked() ? c.accentSoft : c.raised);
        painter.drawRoundedRect(plate, space::kRadius + 1, space::kRadius + 1);
    }
    const QColor ink = isChecked() ? (m_theme.isDark() ? c.accent : mixed(c.accent, c.text, 0.75)) : c.text;
    const int iconSize = withText(font(), kIcon);
    const int iconLeft = m_narrow ? (width() - iconSize) / 2 : 16;
    painter.drawPixmap(iconLeft, (height() - iconSize) / 2,
                       iconPixmap(m_page.icon, isChecked() ? ink : c.muted, iconSize, devicePixelRatioF()));
    int right = width() - 14;
    if (m_badge.count > 0) {
        const QColor color = m_theme.severity(m_badge.severity);
        const QString text =
            shortNumberText(m_badge.count) + (m_badge.severity == Severity::Critical ? QStringLiteral("!") : QString());
        QFont small = font();
        small.setPointSizeF(font().pointSizeF() * (m_narrow ? 0.7 : 0.85));
        small.setWeight(QFont::DemiBold);
        painter.setFont(small);
        const int textWidth = QFontMetrics(small).horizontalAdvance(text);
        const int plateHeight = std::max(m_narrow ? 13 : 18, QFontMetrics(small).height());
        const int plateWidth = std::max(plateHeight, textWidth + (m_narrow ? 6 : 10));
        const QRectF badge = m_narrow
                                 ? QRectF(width() - plateWidth - 1, 1, plateWidth, plateHeight)
                                 : QRectF(right - plateWidth, (height() - plateHeight) / 2.0, plateWidth, plateHeight);
        const bool loud = m_badge.severity == Severity::Critical;
        painter.setBrush(loud ? color : mixed(color, c.surface, 0.16));
        painter.drawRoundedRect(badge, plateHeight / 2.0, plateHeight / 2.0);
        painter.setPen(loud ? inkOn(color) : color);
        painter.drawText(badge, Qt::AlignCenter, text);
        right -= plateWidth + 6;
    }
    if (!m_narrow) {
        QFont label = font();
        if (isChecked())
            label.setWeight(QFont::DemiBold);
        painter.setFont(label);
        painter.setPen(ink);
        const QString shown = m_marked ? text() + QStringLiteral(" •") : text();
        const int textLeft = iconLeft + iconSize + 10;
        const QRect area(textLeft, 0, right - textLeft, height());
        painter.drawText(area, Qt::AlignVCenter, QFontMetrics(label).elidedText(shown, Qt::ElideRight, area.width()));
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(c.accent, 2));
        painter.drawRoundedRect(plate.adjusted(1, 1, -1, -1), space::kRadius, space::kRadius);
    }
}

void RailButton::enterEvent(QEnterEvent*) {
    m_hovered = true;
    update();
}

void RailButton::leaveEvent(QEvent*) {
    m_hovered = false;
    update();
}

Rail::Rail(const Theme& theme, const std::vector<PageEntry>& pages, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_pages(pages) {
    setObjectName(QStringLiteral("rail"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space::kSmall, 0, space::kSmall);
    layout->setSpacing(1);
    auto* group = new QButtonGroup(this);
    for (const PageEntry& page : m_pages) {
        auto* button = new RailButton(theme, page, this);
        group->addButton(button);
        layout->addWidget(button);
        m_buttons.push_back(button);
        connect(button, &RailButton::clicked, this, [this, id = page.id] { Q_EMIT chosen(id); });
    }
    layout->addStretch();
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void Rail::setCurrent(const QString& page) {
    for (std::size_t i = 0; i < m_pages.size(); ++i)
        if (m_pages[i].id == page)
            m_buttons[i]->setChecked(true);
}

void Rail::setSnapshot(const SnapshotPtr& snapshot) {
    for (std::size_t i = 0; i < m_pages.size(); ++i)
        m_buttons[i]->setBadge(snapshot && m_pages[i].badge ? m_pages[i].badge(*snapshot) : RailBadge{});
}

void Rail::setNarrow(bool narrow) {
    m_narrow = narrow;
    for (RailButton* button : m_buttons)
        button->setNarrow(narrow);
}

void Rail::setMarked(const QString& page, bool marked) {
    for (std::size_t i = 0; i < m_pages.size(); ++i)
        if (m_pages[i].id == page)
            m_buttons[i]->setMarked(marked);
}

void Rail::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.colors().window);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), m_theme.colors().line);
}

void Rail::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        for (RailButton* button : m_buttons)
            button->retranslate();
    QWidget::changeEvent(event);
}

} // namespace fremis::console::ui

#include "console/ui/shell/cluster_bar.h"

#include "console/ui/shell/icons.h"
#include "console/ui/widgets/age_label.h"
#include "console/ui/widgets/flow_layout.h"
#include "console/ui/widgets/format.h"
#include "console/ui/widgets/severity_text.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace fremis::console::ui {
namespace {

constexpr int kIcon = 16;

QFont strong(const QFont& base) {
    QFont font = base;
    font.setWeight(QFont::DemiBold);
    return font;
}

QToolButton* barButton(QAction* action, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setObjectName(QStringLiteral("bar.") + action->objectName());
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    return button;
}

} // namespace

CountButton::CountButton(const Theme& theme, const QString& name, QWidget* parent)
    : QAbstractButton(parent), m_theme(theme) {
    setObjectName(name);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void CountButton::set(const QString& label, const QString& value, Severity severity, bool alarming) {
    if (label == m_label && value == m_value && severity == m_severity && alarming == m_alarming)
        return;
    m_label = label;
    m_value = value;
    m_severity = severity;
    m_alarming = alarming;
    setAccessibleName((label + QLatin1Char(' ') + value).trimmed());
    updateGeometry();
    update();
}

QSize CountButton::sizeHint() const {
    const int label = m_label.isEmpty() ? 0 : fontMetrics().horizontalAdvance(m_label) + 6;
    const int icon = m_alarming ? withText(font(), kIcon) + space::kTiny : 0;
    return {label + icon + QFontMetrics(strong(font())).horizontalAdvance(m_value) + 16,
            std::max(26, fontMetrics().height() + 8)};
}

void CountButton::paintEvent(QPaintEvent*) {
    const ThemeColors& c = m_theme.colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = m_theme.severity(m_severity);
    const QRectF plate = QRectF(rect()).adjusted(0.5, 1.5, -0.5, -1.5);
    painter.setPen(Qt::NoPen);
    if (m_alarming || m_hovered) {
        painter.setBrush(m_alarming ? mixed(color, c.surface, m_hovered ? 0.24 : 0.13) : c.line);
        painter.drawRoundedRect(plate, space::kRadius, space::kRadius);
    }
    int x = 8;
    if (m_alarming) {
        const int size = withText(font(), kIcon);
        painter.drawPixmap(x, (height() - size) / 2, iconPixmap(iconOf(m_severity), color, size, devicePixelRatioF()));
        x += size + space::kTiny;
    }
    painter.setFont(font());
    painter.setPen(c.muted);
    if (!m_label.isEmpty()) {
        painter.drawText(QRect(x, 0, width(), height()), Qt::AlignVCenter, m_label);
        x += fontMetrics().horizontalAdvance(m_label) + 6;
    }
    painter.setFont(strong(font()));
    painter.setPen(m_alarming ? color : c.text);
    painter.drawText(QRect(x, 0, width(), height()), Qt::AlignVCenter, m_value);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(c.accent, 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), space::kRadius, space::kRadius);
    }
}

void CountButton::enterEvent(QEnterEvent*) {
    m_hovered = true;
    update();
    Q_EMIT hovered(true);
}

void CountButton::leaveEvent(QEvent*) {
    m_hovered = false;
    update();
    Q_EMIT hovered(false);
}

ClusterBar::ClusterBar(const Theme& theme, ActionRegistry& actions, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_nodes(new CountButton(theme, QStringLiteral("bar.nodes"), this)),
      m_queue(new CountButton(theme, QStringLiteral("bar.queue"), this)), m_age(new AgeLabel(theme, this)) {
    setObjectName(QStringLiteral("bar"));
    auto* layout = new FlowLayout(this, 2);
    layout->setContentsMargins(space::kMedium, 3, space::kMedium, 4);
    layout->addWidget(m_nodes);
    layout->addSpacing(space::kSmall);
    addClassButton(PartitionClass::Ok, QStringLiteral("bar.ok"), layout);
    addClassButton(PartitionClass::AtRisk, QStringLiteral("bar.risk"), layout);
    addClassButton(PartitionClass::Gap, QStringLiteral("bar.gap"), layout);
    addClassButton(PartitionClass::Thin, QStringLiteral("bar.thin"), layout);
    addClassButton(PartitionClass::Over, QStringLiteral("bar.over"), layout);
    addClassButton(PartitionClass::Unknown, QStringLiteral("bar.unknown"), layout);
    layout->addSpacing(space::kSmall);
    layout->addWidget(m_queue);
    layout->addStretch();
    m_age->setObjectName(QStringLiteral("bar.age"));
    layout->addWidget(m_age);
    layout->addSpacing(space::kTiny);
    layout->addWidget(barButton(actions.find(QStringLiteral("view.pause")), this));
    layout->addWidget(barButton(actions.find(QStringLiteral("view.refresh")), this));
    layout->addWidget(barButton(actions.find(QStringLiteral("view.inspector")), this));
    connect(m_nodes, &CountButton::clicked, this, &ClusterBar::nodesChosen);
    connect(m_queue, &CountButton::clicked, this, &ClusterBar::queueChosen);
    connect(&theme, &Theme::changed, this, [this] { update(); });
    refresh();
}

void ClusterBar::addClassButton(PartitionClass partition, const QString& name, FlowLayout* layout) {
    auto* button = new CountButton(m_theme, name, this);
    layout->addWidget(button);
    m_classes.emplace_back(partition, button);
    const auto cells = [this, partition] { return m_snapshot ? m_snapshot->all(partition) : hashing::PartitionSet(); };
    connect(button, &CountButton::clicked, this, [this, cells] { Q_EMIT partitionsChosen(cells()); });
    connect(button, &CountButton::hovered, this,
            [this, cells](bool inside) { Q_EMIT partitionsHovered(inside ? cells() : hashing::PartitionSet()); });
}

void ClusterBar::setSnapshot(const SnapshotPtr& snapshot, bool connected) {
    m_snapshot = snapshot;
    m_connected = connected;
    refresh();
}

void ClusterBar::setAge(std::optional<Milliseconds> age, Milliseconds staleAfter) {
    m_age->setVisible(m_connected);
    m_age->setAge(age, staleAfter);
}

void ClusterBar::refresh() {
    const Counts counts = m_snapshot ? m_snapshot->counts : Counts();
    QString nodes = m_snapshot ? QStringLiteral("%1/%2").arg(counts.nodesOk).arg(counts.nodes) : unknownText();
    if (counts.nodesUnknown > 0)
        nodes += QLatin1Char(' ') + tr("(%n unknown)", "nodes", counts.nodesUnknown);
    const Severity nodeLevel = counts.nodesDown > 0      ? Severity::Critical
                               : counts.nodesUnknown > 0 ? Severity::Unknown
                                                         : Severity::Warning;
    m_nodes->set(tr("Nodes"), nodes, nodeLevel, m_snapshot && counts.nodesOk < counts.nodes);
    for (const auto& [partition, button] : m_classes) {
        const int count = counts.of(partition);
        const QString number = m_snapshot ? numberText(count) : unknownText();
        switch (partition) {
        case PartitionClass::Ok:
            button->set(tr("Partitions"), tr("%1 ok", "partitions").arg(number), Severity::Ok, false);
            break;
        case PartitionClass::AtRisk:
            button->set({}, tr("%1 AT RISK", "partitions").arg(number), Severity::Critical, count > 0);
            break;
        case PartitionClass::Gap:
            button->set({}, tr("%1 gap", "partitions").arg(number), Severity::Critical, count > 0);
            break;
        case PartitionClass::Thin:
            button->set({}, tr("%1 thin", "partitions").arg(number), Severity::Warning, count > 0);
            break;
        case PartitionClass::Over:
            button->set({}, tr("%1 over-assigned", "partitions").arg(number), Severity::Info, count > 0);
            button->setVisible(count > 0);
            break;
        case PartitionClass::Unknown:
            button->set({}, tr("%1 unknown", "partitions").arg(number), Severity::Unknown, count > 0);
            button->setVisible(count > 0);
            break;
        }
    }
    m_queue->set(tr("Queue"), counts.queued ? numberText(qint64(*counts.queued)) : unknownText(), Severity::Warning,
                 counts.queued.value_or(0) > 0);
}

void ClusterBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        refresh();
    QWidget::changeEvent(event);
}

void ClusterBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.colors().window);
    painter.fillRect(QRect(0, height() - 1, width(), 1), m_theme.colors().line);
}

} // namespace fremis::console::ui

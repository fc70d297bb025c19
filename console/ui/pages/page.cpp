#include "console/ui/pages/page.h"

#include "console/ui/widgets/format.h"
#include "console/ui/widgets/info_banner.h"
#include "console/ui/widgets/scroll_pane.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace fremis::console::ui {

std::optional<Instant> lastHeard(const Snapshot& snapshot) {
    std::optional<Instant> last;
    const auto take = [&last](const std::optional<Instant>& time) {
        if (time && (!last || *time > *last))
            last = time;
    };
    for (const NodeView& node : snapshot.nodes) {
        take(node.lastAnswerAt);
        if (node.told)
            take(node.told.readAt);
    }
    if (snapshot.status)
        take(snapshot.status.readAt);
    return last;
}

int answeredNodes(const Snapshot& snapshot) {
    return int(std::count_if(snapshot.nodes.begin(), snapshot.nodes.end(),
                             [](const NodeView& node) { return node.state != NodeState::Down && !node.isStale; }));
}

Page::Page(const PageContext& context, const QString& id, QWidget* parent)
    : QWidget(parent), m_context(context), m_id(id), m_title(new QLabel(this)),
      m_tools(new FlowLayout(nullptr, space::kTiny)), m_banner(new InfoBanner(context.theme, this)) {
    setObjectName(id);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_tools->setContentsMargins(space::kLarge, space::kSmall, space::kMedium, space::kSmall);
    QFont font = m_title->font();
    font.setPointSizeF(font.pointSizeF() * 1.3);
    font.setWeight(QFont::DemiBold);
    m_title->setFont(font);
    m_title->setMinimumHeight(space::kRowHeight);
    m_tools->addWidget(m_title);
    layout->addLayout(m_tools);
    m_banner->setObjectName(id + QStringLiteral(".strip"));
    layout->addWidget(m_banner);
    connect(&context.selection, &SelectionKeeper::changed, this, [this](const Selection& selection) {
        if (isVisible())
            showSelection(selection);
    });
}

void Page::setContent(QWidget* content) {
    const bool scrolls = qobject_cast<QAbstractScrollArea*>(content) != nullptr;
    m_states = new StateStack(m_context.theme, scrolls ? content : new ScrollPane(content), this);
    m_states->setObjectName(m_id + QStringLiteral(".states"));
    static_cast<QVBoxLayout*>(layout())->addWidget(m_states, 1);
    m_states->setOffers({m_context.actions.find(QStringLiteral("file.snapshot")),
                         m_context.actions.find(QStringLiteral("file.demo")),
                         m_context.actions.find(QStringLiteral("file.demo-real"))});
    connect(m_states, &StateStack::actionTriggered, this, [this] {
        if (m_states->state() == StateStack::State::FirstRun)
            m_context.connectDialog();
        else
            onPlaceholderAction();
    });
}

void Page::setTitle(const QString& title) {
    m_title->setText(title);
    setAccessibleName(title);
}

void Page::setSnapshot(const SnapshotPtr& snapshot, bool connected) {
    m_snapshot = snapshot;
    m_connected = connected;
    refreshStates();
    refreshStrip();
    if (snapshot)
        showSnapshot(*snapshot);
}

void Page::tick() {
    refreshStrip();
}

QString Page::strip() const {
    return m_banner->isVisibleTo(this) ? m_banner->text() : QString();
}

void Page::refreshStates() {
    if (m_snapshot) {
        if (const auto other = placeholder(*m_snapshot))
            m_states->showState(other->state, other->text, other->action, other->details);
        else
            m_states->showContent();
    } else if (!needsConnection()) {
        m_states->showContent();
    } else if (m_connected) {
        m_states->showState(StateStack::State::Loading, tr("Waiting for the first answer..."));
    } else {
        m_states->showState(StateStack::State::FirstRun, tr("Connect to see this."), tr("Connect..."));
    }
}

void Page::refreshStrip() {
    bool stale = false;
    m_banner->setAction({});
    if (!m_snapshot) {
        m_banner->hide();
    } else if (m_snapshot->isRecorded) {
        m_banner->show(Severity::Unknown,
                       tr("Snapshot of %1. Nothing here is live.")
                           .arg(QLocale().toString(QDateTime::fromMSecsSinceEpoch(m_snapshot->takenAt.count()),
                                                   QLocale::ShortFormat)));
    } else if (m_snapshot->isPaused) {
        m_banner->show(Severity::Info, tr("Refresh paused. Ctrl+Shift+R resumes."));
    } else {
        const auto heard = lastHeard(*m_snapshot);
        const auto age = heard ? now() - *heard : Milliseconds(0);
        const int nodes = int(m_snapshot->nodes.size());
        const int answered = answeredNodes(*m_snapshot);
        stale = heard && age > staleAfter(m_snapshot->interval);
        if (stale)
            m_banner->show(Severity::Warning, tr("Last data %1.").arg(ageText(age)));
        else if (nodes > 0 && answered < nodes)
            m_banner->show(Severity::Warning, tr("%1 of %n node(s) answered.", "", nodes).arg(answered));
        else
            m_banner->hide();
    }
    if (stale != m_stale) {
        m_stale = stale;
        showStale(stale);
    }
}

void Page::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange && m_translated) {
        retranslate();
        setSnapshot(m_snapshot, m_connected);
    }
    QWidget::changeEvent(event);
}

void Page::showEvent(QShowEvent* event) {
    if (!m_translated) {
        m_translated = true;
        retranslate();
    }
    showSelection(m_context.selection.current());
    QWidget::showEvent(event);
}

} // namespace fremis::console::ui

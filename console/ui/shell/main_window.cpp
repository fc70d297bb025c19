#include "console/ui/shell/main_window.h"

#include "console/ui/inspector/inspector.h"
#include "console/ui/pages/planner/planner_page.h"
#include "console/ui/panel/bottom_panel.h"
#include "console/ui/shell/cluster_bar.h"
#include "console/ui/shell/header_bar.h"
#include "console/ui/shell/keys_dialog.h"
#include "console/ui/shell/rail.h"
#include "console/ui/shell/status_strip.h"
#include "console/ui/widgets/format.h"
#include "console/ui/widgets/info_banner.h"
#include "console/ui/widgets/save_file.h"
#include "console/ui/widgets/slide_over.h"
#include "console/ui/widgets/toasts.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDateTime>
#include <QLocale>
#include <QSaveFile>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTimer>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

constexpr int kInspectorFrom = 1150; ///< in narrower windows it lies over the page
constexpr int kWideRailFrom = 1100;
/// Where something can be selected; elsewhere the inspector shows only what has been.
const QStringList kPagesWithSubjects = {QStringLiteral("overview"), QStringLiteral("map"), QStringLiteral("nodes")};

/// What people are called for; the rest is on the pages and among the events.
bool isTold(const Alert& alert) {
    return alert.severity == fremis::console::Severity::Critical || alert.kind == AlertKind::QueueOps ||
           alert.kind == AlertKind::QueueAge;
}

} // namespace

MainWindow::MainWindow(Session& session, Theme& theme, Dialogs& dialogs, QWidget* parent)
    : QMainWindow(parent), m_session(session), m_theme(theme), m_dialogs(dialogs), m_lock(m_actions),
      m_desk(session.clock(),
             QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/drafts")),
      m_entries(allPages()) {
    setObjectName(QStringLiteral("main"));
    setMinimumSize(1024, 640);
    resize(1280, 800);
    addActions();
    addPageActions();
    loadChosenKeys(m_actions);
    connect(&m_actions, &ActionRegistry::keysChanged, this, [this] { saveChosenKeys(m_actions); });
    buildLayout();
    buildMenus();
    connectParts();
    m_panel->hide();
    openPage(m_entries.front().id);
    onOpened();
}

MainWindow::~MainWindow() {
    hide();
    delete takeCentralWidget(); // pages use the members of this class to the end
}

void MainWindow::buildLayout() {
    auto* central = new QWidget(this);
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_header = new HeaderBar(m_theme, m_actions, central);
    m_bar = new ClusterBar(m_theme, m_actions, central);
    m_rail = new Rail(m_theme, m_entries, central);
    m_stack = new QStackedWidget(central);
    m_across = new QSplitter(Qt::Horizontal, central);
    m_down = new QSplitter(Qt::Vertical, central);
    m_inspector = new Inspector(m_theme, m_session.selection(), central);
    m_status = new StatusStrip(m_theme, central);
    m_panel = new BottomPanel(m_session, m_theme, *m_status, central);
    m_toasts = new Toasts(m_theme, central);
    m_across->addWidget(m_stack);
    m_across->addWidget(m_inspector);
    m_across->setStretchFactor(0, 1);
    m_across->setStretchFactor(1, 0);
    m_across->setChildrenCollapsible(false);
    m_across->setSizes({820, m_inspectorWidth});
    m_down->addWidget(m_across);
    m_down->addWidget(m_panel);
    m_down->setStretchFactor(0, 1);
    m_down->setStretchFactor(1, 0);
    m_down->setChildrenCollapsible(false);
    m_down->setSizes({560, 200});
    auto* middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(m_rail);
    middle->addWidget(m_down, 1);
    layout->addWidget(m_header);
    layout->addWidget(m_bar);
    m_secretsBanner = new InfoBanner(m_theme, central);
    m_secretsBanner->setObjectName(QStringLiteral("secrets"));
    layout->addWidget(m_secretsBanner);
    layout->addLayout(middle, 1);
    layout->addWidget(m_status);
    setCentralWidget(central);
    m_slideOver = new SlideOver(m_theme, m_across);
}

void MainWindow::connectParts() {
    connect(m_rail, &Rail::chosen, this, &MainWindow::openPage);
    connect(&m_session, &Session::opened, this, &MainWindow::onOpened);
    connect(&m_session, &Session::closed, this, &MainWindow::onOpened);
    connect(&m_session, &Session::snapshotReady, this, &MainWindow::showSnapshot);
    connect(m_bar, &ClusterBar::nodesChosen, this, [this] { openPage(QStringLiteral("nodes")); });
    connect(m_bar, &ClusterBar::queueChosen, this, [this] { openPage(QStringLiteral("queue")); });
    connect(m_bar, &ClusterBar::partitionsChosen, this, [this](const PartitionSet& partitions) {
        m_session.selection().selectPartitions(partitions);
        openPage(QStringLiteral("map"));
    });
    connect(m_bar, &ClusterBar::partitionsHovered, this, [this](const PartitionSet& partitions) {
        if (Page* current = page(m_current))
            current->highlight(partitions);
    });
    connect(m_panel, &BottomPanel::findingActivated, this, [this](const Finding& finding) {
        if (!finding.partitions.empty() && finding.nodes.isEmpty()) {
            m_session.selection().selectPartitions(finding.partitions);
            openPage(QStringLiteral("map"));
        } else if (!finding.nodes.isEmpty()) {
            m_session.selection().selectNodes(finding.nodes);
            openPage(QStringLiteral("nodes"));
        }
    });
    connect(&m_session.selection(), &SelectionKeeper::changed, this, &MainWindow::adaptToWidth);
    connect(m_panel, &BottomPanel::exportAsked, this, [this](const QString& name, const QByteArray& csv) {
        saveBytes(contextForPages(), this, tr("Export the list"), name, csv);
    });
    connect(m_panel, &BottomPanel::openChanged, this,
            [this](bool open) { m_actions.find(QStringLiteral("view.panel"))->setChecked(open); });
    connect(&m_lock, &Lock::changed, this, [this](bool closed) {
        refreshStatus();
        if (m_session.isOpen() && (closed || m_lock.remaining()))
            m_panel->addActivity(Severity::Info,
                                 closed ? tr("The console is read-only.") : tr("Unlocked for 15 minutes."), {});
    });
    connect(m_slideOver, &SlideOver::closed, this,
            [this] { m_actions.find(QStringLiteral("view.inspector"))->setChecked(false); });
    connect(m_secretsBanner, &InfoBanner::actionTriggered, this, &MainWindow::keychainAsked);
    connect(&m_session.alerts(), &AlertEngine::raised, this, &MainWindow::tellAlert);
    connect(&m_session.alerts(), &AlertEngine::recovered, this, [this](const Alert& alert, Milliseconds after) {
        if (isTold(alert))
            tell(Severity::Ok, tr("Over after %1: %2").arg(durationText(after), alert.text));
    });
    m_seconds = new QTimer(this);
    m_seconds->setInterval(1000);
    connect(m_seconds, &QTimer::timeout, this, &MainWindow::tick);
    m_seconds->start();
}

PageContext MainWindow::contextForPages() {
    return {m_theme,
            m_actions,
            m_dialogs,
            m_session.selection(),
            m_session.client(),
            m_session.history(),
            m_session.clock(),
            m_session.events(),
            m_desk,
            [this] { return m_session.profile(); },
            [this](const QString& id) { openPage(id); },
            [this](const PartitionSet& partitions, const QString& address) {
                openPage(QStringLiteral("planner"));
                if (auto* planner = qobject_cast<PlannerPage*>(page(QStringLiteral("planner"))))
                    planner->prepareMove(partitions, address);
            },
            [this] { Q_EMIT connectAsked(); },
            [this](Severity severity, const QString& text, const QString& details) { notify(severity, text, details); },
            [this] { m_session.poller().refreshNow(); },
            [this](const QString& id, bool marked) { m_rail->setMarked(id, marked); },
            [this](const std::function<void(Profile&)>& change) {
                if (const auto kept = m_session.changeProfile(change); !kept)
                    notify(Severity::Critical, tr("The profile could not be saved."),
                           QString::fromStdString(kept.error().message));
            },
            [this](const QString& address) {
                const auto& nodes = m_session.poller().observations().nodes;
                const auto found = nodes.find(address);
                return found == nodes.end()
                           ? std::vector<CallRecord>()
                           : std::vector<CallRecord>(found->second.calls.begin(), found->second.calls.end());
            },
            [this](const QString& address) {
                openPage(QStringLiteral("planner"));
                if (auto* planner = qobject_cast<PlannerPage*>(page(QStringLiteral("planner")))) {
                    planner->wishes().setFate(address, NodeFate::Empties);
                    planner->replan();
                }
            }};
}

Page* MainWindow::page(const QString& id) {
    if (const auto found = m_pages.find(id); found != m_pages.end())
        return found->second;
    for (const PageEntry& entry : m_entries) {
        if (entry.id != id)
            continue;
        Page* made = entry.make(contextForPages(), m_stack);
        m_stack->addWidget(made);
        m_pages.emplace(id, made);
        made->setSnapshot(m_session.snapshot(), m_session.isOpen());
        addNewActions();
        return made;
    }
    return nullptr;
}

void MainWindow::openPage(const QString& id) {
    Page* wanted = page(id);
    if (!wanted)
        return;
    m_current = id;
    wanted->setSnapshot(m_session.snapshot(), m_session.isOpen());
    m_stack->setCurrentWidget(wanted);
    m_rail->setCurrent(id);
    adaptToWidth();
    refreshTitle();
}

QString MainWindow::currentPage() const {
    return m_current;
}

QStringList MainWindow::pageIds() const {
    QStringList ids;
    for (const PageEntry& entry : m_entries)
        ids.append(entry.id);
    return ids;
}

void MainWindow::showSnapshot() {
    const SnapshotPtr snapshot = m_session.snapshot();
    if (m_session.isOpen())
        m_desk.setSnapshot(snapshot);
    m_bar->setSnapshot(snapshot, m_session.isOpen() && !m_session.isRecorded());
    m_rail->setSnapshot(snapshot);
    m_panel->setSnapshot(snapshot);
    m_inspector->setSnapshot(snapshot, m_session.now());
    if (Page* current = page(m_current))
        current->setSnapshot(snapshot, m_session.isOpen());
    const bool open = snapshot && snapshot->status && snapshot->status->clientAuth == QLatin1String("open");
    m_header->setOpenPlane(open);
    tick();
}

void MainWindow::onOpened() {
    const bool open = m_session.isOpen();
    const bool recorded = m_session.isRecorded();
    if (open)
        m_desk.begin(m_session.profile());
    else
        m_desk.end();
    m_header->setProfile(open ? std::optional(m_session.profile()) : std::nullopt);
    m_header->setRecorded(recorded ? recordedText() : QString());
    if (recorded)
        m_lock.bar(tr("A snapshot cannot be changed."));
    else if (open && m_session.profile().environment == Environment::Production)
        m_lock.close();
    else
        m_lock.open(false);
    for (const auto* id : {"view.refresh", "view.pause", "file.disconnect", "file.save-snapshot"})
        m_actions.setAvailable(QLatin1String(id), open && !recorded,
                               recorded ? tr("Nothing of a snapshot is live.") : tr("Not connected."));
    m_actions.setAvailable(QStringLiteral("cluster.lock"), !recorded, tr("A snapshot cannot be changed."));
    m_actions.setAvailable(QStringLiteral("file.close-snapshot"), recorded, tr("No snapshot is open."));
    fillProfileMenu();
    showSnapshot();
    refreshTitle();
}

void MainWindow::tick() {
    const SnapshotPtr snapshot = m_session.snapshot();
    std::optional<Milliseconds> age;
    if (snapshot)
        if (const auto heard = lastHeard(*snapshot))
            age = std::max(Milliseconds(0), m_session.now() - *heard);
    m_bar->setAge(age, snapshot ? staleAfter(snapshot->interval) : Milliseconds(6000));
    if (Page* current = page(m_current))
        current->tick();
    refreshStatus();
}

void MainWindow::refreshStatus() {
    QStringList parts;
    const SnapshotPtr snapshot = m_session.snapshot();
    if (!m_session.isOpen()) {
        parts.append(tr("Not connected"));
    } else if (m_session.isRecorded()) {
        parts.append(recordedText());
        parts.append(tr("Nothing here is live."));
    } else if (!snapshot) {
        parts.append(tr("Connecting..."));
    } else {
        parts.append(snapshot->isPaused ? tr("Paused") : tr("Live"));
        const QUrl url = snapshot->coordinatorUrl();
        parts.append(url.isEmpty() ? tr("no coordinator answers") : tr("coordinator %1").arg(url.authority()));
        if (url.scheme() == QLatin1String("https"))
            parts.append(QStringLiteral("TLS"));
        if (snapshot->config && !snapshot->config.value.value()->epoch.isEmpty())
            parts.append(tr("map %1").arg(snapshot->config.value.value()->epoch.left(8)));
        parts.append(m_session.secrets().isPersistent() ? tr("keychain ok") : tr("secrets for this session only"));
    }
    if (const auto left = m_lock.remaining())
        parts.append(tr("locks in %1").arg(durationText(*left)));
    m_status->setText(parts.join(QStringLiteral("  ·  ")));
}

void MainWindow::refreshTitle() {
    if (!m_session.isOpen()) {
        setWindowTitle(tr("FREMIS Console"));
        return;
    }
    if (m_session.isRecorded()) {
        setWindowTitle(tr("%1 (%2) - FREMIS Console").arg(m_session.profile().name, recordedText()));
        return;
    }
    setWindowTitle(
        tr("%1 (%2) - FREMIS Console").arg(m_session.profile().name, wordOf(m_session.profile().environment)));
}

QString MainWindow::recordedText() const {
    const auto taken = QDateTime::fromMSecsSinceEpoch(m_session.snapshot()->takenAt.count());
    return tr("SNAPSHOT %1").arg(QLocale().toString(taken, QStringLiteral("d MMM HH:mm")));
}

void MainWindow::openSnapshotFile() {
    m_dialogs.openFile(this, tr("Open a snapshot"), tr("Snapshots (*.fremis-snapshot)") + QStringLiteral(";;*"),
                       [this](const QString& file) {
                           if (!file.isEmpty())
                               Q_EMIT snapshotChosen(file);
                       });
}

void MainWindow::saveSnapshotFile() {
    const QByteArray bytes = m_session.snapshotFile();
    if (bytes.isEmpty())
        return notify(Severity::Warning, tr("There is nothing to save yet."), {});
    const QString name =
        QStringLiteral("%1-%2.fremis-snapshot")
            .arg(m_session.profile().name, QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss")))
            .replace(QLatin1Char('/'), QLatin1Char('-'));
    m_dialogs.saveFile(
        this, tr("Save a snapshot"), name, tr("Snapshots (*.fremis-snapshot)"), [this, bytes](const QString& path) {
            if (path.isEmpty())
                return;
            QSaveFile file(path);
            if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
                notify(Severity::Ok, tr("Saved %1").arg(path), {});
            else
                notify(Severity::Critical, tr("%1 could not be written: %2").arg(path, file.errorString()), {});
        });
}

void MainWindow::showSecretsKept(bool kept, const QString& why) {
    m_secretsBanner->setAction(tr("Try again"));
    m_secretsBanner->setCloseable(true);
    if (kept)
        m_secretsBanner->hide();
    else
        m_secretsBanner->show(Severity::Warning,
                              tr("Secrets are kept for this session only: there is no keychain that works."), why);
    refreshStatus();
}

void MainWindow::notify(Severity severity, const QString& text, const QString& details) {
    m_toasts->add(severity, text, details);
    m_panel->addActivity(severity, text, details);
}

void MainWindow::tellAlert(const Alert& alert) {
    if (!isTold(alert))
        return;
    QApplication::alert(this);
    const bool isCritical = alert.severity == fremis::console::Severity::Critical;
    tell(isCritical ? Severity::Critical : Severity::Warning,
         alert.isFlapping ? tr("It comes and goes, no more is said of it: %1").arg(alert.text) : alert.text);
}

void MainWindow::tell(Severity severity, const QString& text) {
    m_toasts->add(severity, text, {});
    m_panel->addKnownActivity(severity, text);
}

void MainWindow::adaptToWidth() {
    const double scale = textScale(font()); // large texts need the room of side columns
    m_rail->setNarrow(width() < kWideRailFrom * scale);
    const Selection& selection = m_session.selection().current();
    const bool hasSubject =
        kPagesWithSubjects.contains(m_current) || !selection.nodes.isEmpty() || !selection.partitions.empty();
    placeInspector(width() < kInspectorFrom * scale);
    if (!m_slideOver->isHolding())
        m_inspector->setVisible(m_inspectorWanted && hasSubject);
}

void MainWindow::placeInspector(bool overPage) {
    if (overPage == m_slideOver->isHolding())
        return;
    if (overPage) {
        if (m_across->sizes().value(1) > 0)
            m_inspectorWidth = m_across->sizes().at(1);
        m_slideOver->hold(m_inspector);
    } else if (QWidget* inspector = m_slideOver->give()) {
        m_across->addWidget(inspector);
        m_across->setStretchFactor(1, 0);
        m_across->setSizes({m_across->width() - m_inspectorWidth, m_inspectorWidth});
    }
    m_actions.find(QStringLiteral("view.inspector"))->setChecked(!overPage && m_inspectorWanted);
}

void MainWindow::setInspectorShown(bool shown) {
    if (m_slideOver->isHolding()) {
        shown ? m_slideOver->open() : m_slideOver->dismiss();
    } else {
        m_inspectorWanted = shown;
        m_inspector->setVisible(shown);
    }
    m_actions.find(QStringLiteral("view.inspector"))->setChecked(shown);
    m_inspector->setSnapshot(m_session.snapshot(), m_session.now());
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    adaptToWidth();
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        m_actions.retranslate();
        if (m_lock.isBarred())
            m_lock.bar(tr("A snapshot cannot be changed."));
        m_lock.retranslate();
        if (m_session.isRecorded())
            m_header->setRecorded(recordedText());
        buildMenus();
        refreshTitle();
        refreshStatus();
        fillProfileMenu();
    } else if (event->type() == QEvent::FontChange) {
        adaptToWidth();
    }
    QMainWindow::changeEvent(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    saveLayout();
    QMainWindow::closeEvent(event);
}

void MainWindow::saveLayout() {
    QSettings settings;
    settings.beginGroup(QStringLiteral("window"));
    settings.setValue(QStringLiteral("size"), size());
    settings.setValue(QStringLiteral("page"), m_current);
    settings.setValue(QStringLiteral("inspector"), m_inspectorWanted);
    settings.setValue(QStringLiteral("panel"), m_panel->isVisibleTo(this) ? int(m_panel->currentTab()) : -1);
    if (!m_slideOver->isHolding())
        settings.setValue(QStringLiteral("across"), m_across->saveState());
    settings.setValue(QStringLiteral("down"), m_down->saveState());
    settings.endGroup();
    for (const auto& [id, page] : m_pages)
        page->saveLayout(settings);
}

void MainWindow::restoreLayout() {
    QSettings settings;
    settings.beginGroup(QStringLiteral("window"));
    resize(settings.value(QStringLiteral("size"), size()).toSize());
    m_inspectorWanted = settings.value(QStringLiteral("inspector"), true).toBool();
    m_actions.find(QStringLiteral("view.inspector"))->setChecked(m_inspectorWanted);
    m_across->restoreState(settings.value(QStringLiteral("across")).toByteArray());
    m_down->restoreState(settings.value(QStringLiteral("down")).toByteArray());
    const int panel = settings.value(QStringLiteral("panel"), -1).toInt();
    const QString wanted = settings.value(QStringLiteral("page")).toString();
    settings.endGroup();
    if (panel >= 0 && panel <= BottomPanel::Log)
        m_panel->openTab(BottomPanel::Tab(panel));
    if (!wanted.isEmpty())
        openPage(wanted);
    adaptToWidth();
}

} // namespace fremis::console::ui

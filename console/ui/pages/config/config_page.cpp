#include "console/ui/pages/config/config_page.h"

#include "console/client/map_preview.h"
#include "console/models/routing_words.h"
#include "console/ui/pages/config/apply_sheet.h"
#include "console/ui/pages/config/epoch_strip.h"
#include "console/ui/pages/config/merge_sheet.h"
#include "console/ui/pages/config/problem_panel.h"
#include "console/ui/pages/map/legend.h"
#include "console/ui/shell/icons.h"
#include "console/ui/views/config_editor.h"
#include "console/ui/views/diff_view.h"
#include "console/ui/views/partition_map_view.h"
#include "console/ui/widgets/action_button.h"
#include "console/ui/widgets/data_table.h"
#include "console/ui/widgets/flow_layout.h"
#include "console/ui/widgets/info_banner.h"
#include "console/ui/widgets/page_stack.h"
#include "console/ui/widgets/save_file.h"
#include "console/ui/widgets/segmented.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QSettings>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace fremis::console::ui {

ConfigPage::ConfigPage(const PageContext& context, QWidget* parent)
    : Page(context, QStringLiteral("config"), parent), m_desk(context.desk), m_modes(new PageStack(this)),
      m_views(new PageStack), m_choice(new Segmented(context.theme)), m_epochs(new EpochStrip(context.theme)),
      m_kept(new InfoBanner(context.theme)),
      m_table(new DataTable(context.theme, m_model, QStringLiteral("config.table"))),
      m_text(new ConfigEditor(context.theme)), m_map(new PartitionMapView(context.theme, m_mapModel)),
      m_legend(new Legend(context.theme)), m_diff(new DiffView(context.theme, QStringLiteral("config.difference"))),
      m_problems(new ProblemPanel(context.theme, context.desk)), m_sheet(nullptr), m_merge(nullptr),
      m_splitter(new QSplitter(Qt::Vertical)), m_historyButton(new QToolButton), m_applyButton(nullptr),
      m_historyMenu(new QMenu(this)) {
    addActions();
    addFileActions();
    m_sheet = new ApplySheet(context, m_desk);
    m_sheet->setObjectName(QStringLiteral("config.sheet"));
    buildTools();
    m_modes->addWidget(makeEditor());
    m_modes->addWidget(m_sheet);
    m_merge = new MergeSheet(context.theme, m_desk);
    m_modes->addWidget(m_merge);
    setContent(m_modes);
    connectParts();
    QSettings settings;
    setView(View(std::clamp(settings.value(QStringLiteral("config/view"), 0).toInt(), 0, 3)));
    m_table->restoreLayout(settings.value(QStringLiteral("config/table")).toByteArray());
    refreshDraft();
    refreshKept();
}

void ConfigPage::addActions() {
    ActionRegistry& actions = context().actions;
    const auto key = [](const char* text) { return QKeySequence(QLatin1String(text)); };
    actions.add({QStringLiteral("edit.undo"),
                 QT_TRANSLATE_NOOP("Actions", "&Undo"),
                 nullptr,
                 QStringLiteral("undo"),
                 {key("Ctrl+Z")},
                 Menu::Edit},
                [this] { m_desk.history().undo(); });
    actions.add({QStringLiteral("edit.redo"),
                 QT_TRANSLATE_NOOP("Actions", "&Redo"),
                 nullptr,
                 QStringLiteral("redo"),
                 {key("Ctrl+Shift+Z")},
                 Menu::Edit},
                [this] { m_desk.history().redo(); });
    actions.add({QStringLiteral("config.split"),
                 QT_TRANSLATE_NOOP("Actions", "&Split evenly"),
                 QT_TRANSLATE_NOOP("Actions", "Gives every node of the draft an equal share by weight"),
                 QStringLiteral("split"),
                 {},
                 Menu::Plan},
                [this] { splitEvenly(); });
    actions.add({QStringLiteral("config.insert"),
                 QT_TRANSLATE_NOOP("Actions", "&Insert node..."),
                 QT_TRANSLATE_NOOP("Actions", "Puts a node where the fewest partitions move"),
                 QStringLiteral("add"),
                 {},
                 Menu::Plan},
                [this] { insertNode(); });
    actions.add({QStringLiteral("config.remove"),
                 QT_TRANSLATE_NOOP("Actions", "Re&move entry"),
                 nullptr,
                 QStringLiteral("remove"),
                 {},
                 Menu::Plan},
                [this] { removeEntry(); });
    actions.add({QStringLiteral("config.sort"),
                 QT_TRANSLATE_NOOP("Actions", "S&ort by partition"),
                 nullptr,
                 QStringLiteral("sort"),
                 {},
                 Menu::Plan},
                [this] { sortEntries(); });
    actions.add({QStringLiteral("config.next-problem"),
                 QT_TRANSLATE_NOOP("Actions", "&Next problem"),
                 nullptr,
                 {},
                 {key("F8")},
                 Menu::Edit},
                [this] { m_problems->walk(true); });
    actions.add({QStringLiteral("config.previous-problem"),
                 QT_TRANSLATE_NOOP("Actions", "&Previous problem"),
                 nullptr,
                 {},
                 {key("Shift+F8")},
                 Menu::Edit},
                [this] { m_problems->walk(false); });
}

void ConfigPage::addFileActions() {
    ActionRegistry& actions = context().actions;
    const auto key = [](const char* text) { return QKeySequence(QLatin1String(text)); };
    actions.add({QStringLiteral("config.open"),
                 QT_TRANSLATE_NOOP("Actions", "Open a config &file..."),
                 QT_TRANSLATE_NOOP("Actions", "Edits a config.yml of this computer"),
                 QStringLiteral("open"),
                 {},
                 Menu::File},
                [this] { openFile(); });
    actions.add({QStringLiteral("config.cluster"),
                 QT_TRANSLATE_NOOP("Actions", "Edit the &cluster's config"),
                 QT_TRANSLATE_NOOP("Actions", "Leaves the file and drops its draft"),
                 QStringLiteral("config"),
                 {},
                 Menu::File},
                [this] { askToDrop(tr("Edit the cluster's config"), [this] { return m_desk.openCluster(); }); });
    actions.add({QStringLiteral("config.reload"),
                 QT_TRANSLATE_NOOP("Actions", "Re&load"),
                 QT_TRANSLATE_NOOP("Actions", "Reads the config again and drops the draft"),
                 QStringLiteral("refresh"),
                 {},
                 Menu::Plan},
                [this] { reload(); });
    actions.add({QStringLiteral("config.diff"),
                 QT_TRANSLATE_NOOP("Actions", "&Diff"),
                 nullptr,
                 QStringLiteral("diff"),
                 {key("Ctrl+D")},
                 Menu::Plan},
                [this] { setView(View::Diff); });
    actions.add({QStringLiteral("config.revert"),
                 QT_TRANSLATE_NOOP("Actions", "Re&vert"),
                 QT_TRANSLATE_NOOP("Actions", "Back to the text that was read; can be undone"),
                 QStringLiteral("undo"),
                 {},
                 Menu::Plan},
                [this] { report(m_desk.setText(m_desk.draft().baseText(), tr("Revert"))); });
    actions.add(
        {QStringLiteral("config.export"),
         QT_TRANSLATE_NOOP("Actions", "Save a c&opy..."),
         QT_TRANSLATE_NOOP("Actions", "Saves the draft as a file of this computer"),
         QStringLiteral("export"),
         {},
         Menu::File},
        [this] { saveBytes(context(), this, tr("Save a copy"), QStringLiteral("config.yml"), m_desk.draft().text()); });
    actions.add({QStringLiteral("config.apply"),
                 QT_TRANSLATE_NOOP("Actions", "&Apply..."),
                 QT_TRANSLATE_NOOP("Actions", "Shows the diff and the impact; nothing is written yet"),
                 QStringLiteral("apply"),
                 {key("Ctrl+S")},
                 Menu::Plan},
                [this] { openSheet(); });
}

void ConfigPage::buildTools() {
    m_choice->setObjectName(QStringLiteral("config.view"));
    for (const auto* id : {"table", "text", "map", "diff"})
        m_choice->addChoice(QLatin1String(id));
    m_historyButton->setObjectName(QStringLiteral("config.history"));
    m_historyButton->setAutoRaise(true);
    m_historyButton->setPopupMode(QToolButton::InstantPopup);
    m_historyButton->setIcon(icon(QStringLiteral("chevron-down")));
    m_historyButton->setMenu(m_historyMenu);
    ActionRegistry& actions = context().actions;
    m_applyButton = actionButton(actions.find(QStringLiteral("config.apply")), ButtonLook::TextBesideIcon);
    m_applyButton->setAutoRaise(false);
    m_editorTools = {m_choice, actionButton(actions.find(QStringLiteral("edit.undo")), ButtonLook::IconOnly),
                     actionButton(actions.find(QStringLiteral("edit.redo")), ButtonLook::IconOnly), m_historyButton,
                     m_applyButton};
    tools().addSpacing(space::kMedium);
    tools().addWidget(m_choice);
    tools().addStretch();
    for (std::size_t tool = 1; tool < m_editorTools.size(); ++tool)
        tools().addWidget(m_editorTools[tool]);
}

QWidget* ConfigPage::makeEditor() {
    auto* editor = new QWidget(this);
    auto* layout = new QVBoxLayout(editor);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_kept->setObjectName(QStringLiteral("config.kept"));
    m_kept->setCloseable(true);
    layout->addWidget(m_kept);
    layout->addWidget(m_epochs);
    auto* bar = new QWidget;
    auto* buttons = new FlowLayout(bar, 2);
    buttons->setContentsMargins(space::kMedium, 0, space::kMedium, space::kTiny);
    for (const auto* id : {"config.reload", "config.split", "config.insert", "config.remove", "config.sort",
                           "config.diff", "config.revert", "config.export"})
        buttons->addWidget(actionButton(context().actions.find(QLatin1String(id)), ButtonLook::TextBesideIcon));
    layout->addWidget(bar);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                             QAbstractItemView::AnyKeyPressed);
    m_text->setObjectName(QStringLiteral("config.text"));
    m_map->setObjectName(QStringLiteral("config.map"));
    m_legend->setObjectName(QStringLiteral("config.legend"));
    auto* map = new QWidget;
    auto* mapLayout = new QVBoxLayout(map);
    mapLayout->setContentsMargins(0, 0, 0, 0);
    mapLayout->setSpacing(0);
    mapLayout->addWidget(m_map, 1);
    m_legend->setContentsMargins(space::kSmall, space::kTiny, space::kSmall, space::kTiny);
    mapLayout->addWidget(m_legend);
    for (QWidget* view : std::initializer_list<QWidget*>{m_table, m_text, map, m_diff})
        m_views->addWidget(view);
    m_splitter->addWidget(m_views);
    m_splitter->addWidget(m_problems);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setSizes({420, 170});
    layout->addWidget(m_splitter, 1);
    return editor;
}

void ConfigPage::connectParts() {
    connect(m_choice, &Segmented::chosen, this, [this](int view) { setView(View(view)); });
    connect(&m_desk.draft(), &ConfigDraft::changed, this, &ConfigPage::refreshDraft);
    connect(&m_desk.draft(), &ConfigDraft::problemsChanged, this, &ConfigPage::refreshPreview);
    connect(&m_desk, &DraftDesk::keptChanged, this, &ConfigPage::refreshKept);
    connect(&m_desk.history(), &QUndoStack::indexChanged, this, &ConfigPage::refreshActions);
    connect(&m_model, &ConfigModel::edited, this, &ConfigPage::editCell);
    connect(m_text, &ConfigEditor::edited, this, [this](const QByteArray& source) { m_desk.type(source); });
    connect(m_table, &DataTable::selectedKeysChanged, this, [this](const QStringList& keys) {
        refreshActions();
        const int row = keys.isEmpty() ? -1 : m_model.rowOf(keys.front());
        const QString address = row < 0 ? QString() : m_model.index(row, 0).data().toString();
        if (m_table->hasFocus() && snapshot() && snapshot()->find(address))
            context().selection.selectNodes({address});
    });
    connect(m_problems, &ProblemPanel::goTo, this, &ConfigPage::goTo);
    connect(m_problems, &ProblemPanel::partitionsChosen, this, [this](const PartitionSet& partitions) {
        if (!partitions.empty())
            context().selection.selectPartitions(partitions);
    });
    connect(m_problems, &ProblemPanel::failed, this,
            [this](const QString& text) { context().notify(Severity::Critical, text, {}); });
    connect(m_problems, &ProblemPanel::plannerAsked, this, [this] { context().open(QStringLiteral("planner")); });
    const auto backToEditor = [this] {
        m_modes->setCurrentIndex(0);
        refreshActions();
    };
    connect(m_sheet, &ApplySheet::closed, this, backToEditor);
    connect(m_merge, &MergeSheet::closed, this, backToEditor);
    connect(m_merge, &MergeSheet::failed, this,
            [this](const QString& text) { context().notify(Severity::Critical, text, {}); });
    connect(m_problems, &ProblemPanel::conflictsFound, this, [this] {
        m_merge->begin();
        m_modes->setCurrentWidget(m_merge);
        refreshActions();
    });
    connect(m_kept, &InfoBanner::actionTriggered, this, [this] { m_desk.restoreKept(); });
    connect(m_kept, &InfoBanner::closed, this, [this] { m_desk.dropKept(); });
    connect(m_historyMenu, &QMenu::aboutToShow, this, &ConfigPage::fillHistory);
    connect(m_map, &PartitionMapView::selectionEdited, this,
            [this](const PartitionSet& partitions) { context().selection.selectPartitions(partitions); });
    connect(m_legend, &Legend::hovered, m_map, &PartitionMapView::setHighlighted);
    connect(m_legend, &Legend::chosen, this,
            [this](const PartitionSet& partitions) { context().selection.selectPartitions(partitions); });
}

void ConfigPage::setView(View view) {
    m_modes->setCurrentIndex(0);
    m_choice->setCurrent(int(view));
    m_views->setCurrentIndex(int(view));
    m_problems->setCompact(view == View::Map || view == View::Diff);
    if (view == View::Diff)
        m_diff->showFirstChange();
    refreshActions();
}

ConfigPage::View ConfigPage::view() const {
    return View(m_views->currentIndex());
}

bool ConfigPage::isApplying() const {
    return m_modes->currentIndex() > 0;
}

void ConfigPage::refreshDraft() {
    const ConfigDraft& draft = m_desk.draft();
    m_text->setSource(draft.text());
    m_diff->setDiff(draft.diff());
    context().mark(id(), m_desk.isOpen() && draft.isChanged());
    refreshPreview();
}

void ConfigPage::refreshPreview() {
    const ConfigDraft& draft = m_desk.draft();
    if (const auto map = draft.map())
        m_preview = previewOf(m_desk.snapshot(), *map);
    m_model.setDraft(draft.document(), draft.problems(), m_preview);
    m_text->setProblems(draft.problems());
    if (m_preview) {
        m_mapModel.setSnapshot(m_preview);
        m_map->refreshScale();
        m_legend->set(m_preview, Lens::Owner, m_map->delegate());
    }
    refreshEpochs();
    refreshActions();
}

void ConfigPage::refreshEpochs() {
    EpochStrip::Epochs epochs;
    const ConfigDraft& draft = m_desk.draft();
    if (const SnapshotPtr& live = m_desk.snapshot()) {
        const bool isFile = live->config && (**live->config).source == ConfigView::Source::File;
        if (isFile)
            epochs.file = (**live->config).epoch;
        if (live->status)
            epochs.running = live->status->configEpoch;
        else if (live->config && !isFile)
            epochs.running = (**live->config).epoch;
    }
    if (!draft.path().isEmpty())
        epochs.file = draft.baseEpoch();
    epochs.draft = draft.epoch();
    epochs.changes = draft.isChanged() ? std::max(1, m_desk.steps()) : 0;
    epochs.source = draft.path().isEmpty() ? tr("The coordinator's config") : draft.path();
    m_epochs->set(epochs);
}

QString ConfigPage::whyNotApplicable() const {
    const ConfigDraft& draft = m_desk.draft();
    if (!m_desk.isOpen())
        return tr("Nothing has been read yet.");
    if (snapshot() && snapshot()->isRecorded)
        return tr("A recorded snapshot cannot be changed.");
    if (!draft.isChanged())
        return tr("The draft changes nothing.");
    if (const PartitionSet open = draft.orphaned() - draft.acknowledged(); !open.empty())
        return tr("Partitions %1 would lose their vectors; see the problems.").arg(QString::fromStdString(open.text()));
    if (!draft.canApply()) {
        const auto& problems = draft.problems();
        const auto errors = std::count_if(problems.begin(), problems.end(), [](const routing::Problem& problem) {
            return problem.severity == routing::Severity::Error;
        });
        return tr("%n error(s) have to be mended first.", "", int(errors));
    }
    return {};
}

int ConfigPage::chosenEntry() const {
    if (view() == View::Text)
        return m_model.entryAtLine(m_text->textCursor().blockNumber() + 1);
    const QStringList keys = m_table->selectedKeys();
    return view() == View::Table && !keys.isEmpty() ? keys.front().toInt() : -1;
}

void ConfigPage::refreshActions() {
    ActionRegistry& actions = context().actions;
    const ConfigDraft& draft = m_desk.draft();
    const bool isHere = isVisible() && !isApplying();
    const QString elsewhere = tr("On the Configuration page only.");
    const auto set = [&](const char* name, bool available, const QString& reason) {
        actions.setAvailable(QLatin1String(name), isHere && available, isHere ? reason : elsewhere);
    };
    const bool isOpen = m_desk.isOpen();
    const QString nothing = tr("Nothing has been read yet.");
    const QString broken = tr("The draft has errors.");
    set("edit.undo", m_desk.history().canUndo(), tr("There is nothing to undo."));
    set("edit.redo", m_desk.history().canRedo(), tr("There is nothing to redo."));
    const bool isOther = isOpen && snapshot() && snapshot()->config && !draft.path().isEmpty() &&
                         (**snapshot()->config).source == ConfigView::Source::Coordinator;
    set("config.cluster", isOther, tr("It is the cluster's config that is edited."));
    set("config.reload", isOpen, nothing);
    set("config.split", isOpen && draft.map().has_value(), broken);
    set("config.insert", isOpen && draft.map().has_value(), broken);
    set("config.remove", isOpen && chosenEntry() >= 0 && m_model.rowCount() > 1, tr("Choose an entry first."));
    set("config.sort", isOpen, nothing);
    set("config.diff", isOpen, nothing);
    set("config.revert", isOpen && draft.isChanged(), tr("The draft changes nothing."));
    set("config.export", isOpen, nothing);
    set("config.next-problem", !draft.problems().empty(), tr("No problems"));
    set("config.previous-problem", !draft.problems().empty(), tr("No problems"));
    const QString why = whyNotApplicable();
    set("config.apply", why.isEmpty(), why);
    m_historyButton->setEnabled(isHere && m_desk.history().count() > 0);
    for (QWidget* tool : m_editorTools)
        tool->setVisible(!isApplying());
    setTitle(m_modes->currentWidget() == m_merge ? tr("Merge two changes")
             : isApplying()                      ? tr("Apply the draft")
                                                 : tr("Configuration"));
}

void ConfigPage::refreshKept() {
    const auto& kept = m_desk.kept();
    if (!kept) {
        m_kept->hide();
        return;
    }
    const auto time = QDateTime::fromMSecsSinceEpoch(kept->savedAt.count());
    m_kept->setAction(tr("Restore"));
    m_kept->show(
        Severity::Info,
        tr("A draft of %1 was not applied and has been kept.").arg(QLocale().toString(time, QLocale::ShortFormat)));
    m_kept->setAction(tr("Restore"));
}

void ConfigPage::fillHistory() {
    m_historyMenu->clear();
    QUndoStack& history = m_desk.history();
    for (int step = history.count(); step >= 0; --step) {
        const QString text = step == 0 ? tr("As it was read") : history.text(step - 1);
        QAction* action = m_historyMenu->addAction(text, this, [&history, step] { history.setIndex(step); });
        action->setCheckable(true);
        action->setChecked(step == history.index());
    }
}

void ConfigPage::openSheet() {
    if (m_sheet->begin())
        m_modes->setCurrentWidget(m_sheet);
    refreshActions();
}

void ConfigPage::goTo(int line, int column) {
    if (line <= 0)
        return;
    m_text->goTo(line, column);
    const int entry = m_model.entryAtLine(line);
    if (entry >= 0)
        m_table->selectKey(QString::number(entry));
    if (view() == View::Map || view() == View::Diff)
        setView(View::Text);
}

void ConfigPage::editCell(int entry, const QByteArray& key, const QString& value) {
    const auto place = std::size_t(entry);
    const bool isOptional = key == "name" || key == "weight";
    const bool isText = key == "name" || key == "address";
    routing::Edit edit = routing::SetValue{place, key.toStdString(), value.toStdString(), isText};
    if (isOptional && value.isEmpty())
        edit = routing::RemoveKey{place, key.toStdString()};
    report(m_desk.edit({edit}, tr("Set %1 of entry %2").arg(QString::fromLatin1(key)).arg(entry + 1)));
}

void ConfigPage::splitEvenly() {
    const auto map = m_desk.draft().map();
    if (!map)
        return;
    std::vector<routing::NodeWish> wishes;
    for (const auto& node : map->nodes())
        wishes.push_back({node.address, node.name, node.weight, std::nullopt});
    const int replication = map->replication().value_or(map->expectedOwners(0));
    auto even = routing::evenConfig(wishes, replication);
    if (!even)
        return report(tl::unexpected(even.error()));
    even->replication = map->replication();
    even->allowPartialSearch = map->allowPartialSearch();
    report(m_desk.assign(*even, tr("Split evenly")));
}

void ConfigPage::insertNode() {
    context().dialogs.askText(this, tr("Insert a node"), tr("Its address, like 10.0.0.9:4003"), {},
                              [this](const QString& text) {
                                  if (!text.trimmed().isEmpty())
                                      insertNodeAt(text.trimmed());
                              });
}

void ConfigPage::insertNodeAt(const QString& text) {
    const auto map = m_desk.draft().map();
    auto address = routing::Address::parse(text.toStdString());
    if (!address)
        return report(tl::unexpected(address.error()));
    if (!map)
        return;
    routing::PlanRequest request;
    request.current = *map;
    request.add.push_back({*address, std::nullopt, std::nullopt, std::nullopt});
    request.mode = routing::PlanMode::Contiguous;
    auto plan = routing::makePlan(request);
    if (!plan) { // nodes with several ranges cannot be kept in one
        request.mode = routing::PlanMode::Multi;
        plan = routing::makePlan(request);
    }
    if (!plan)
        return report(tl::unexpected(plan.error()));
    const auto status = m_desk.assign(plan->after, tr("Insert %1").arg(text));
    report(status);
    if (status)
        context().notify(Severity::Info, tr("%1 gets %n partition(s).", "", plan->figures.moved).arg(text),
                         sentenceOf(plan->otherMode));
}

void ConfigPage::removeEntry() {
    if (const int entry = chosenEntry(); entry >= 0)
        report(m_desk.edit({routing::RemoveEntry{std::size_t(entry)}}, tr("Remove entry %1").arg(entry + 1)));
}

void ConfigPage::sortEntries() {
    report(m_desk.sortEntries(tr("Sort by partition")));
}

void ConfigPage::askToDrop(const QString& what, std::function<base::Status()> then) {
    if (!m_desk.isOpen() || !m_desk.draft().isChanged())
        return report(then());
    Confirmation question;
    question.title = what;
    question.text = tr("The draft is changed. Drop it?");
    question.details = m_desk.draft().changesInWords().join(QLatin1Char('\n'));
    question.yes = tr("Drop the draft");
    context().dialogs.confirm(this, question, [this, then = std::move(then)](bool yes) {
        if (yes)
            report(then());
    });
}

void ConfigPage::reload() {
    askToDrop(tr("Reload"), [this] { return m_desk.reload(); });
}

void ConfigPage::openFile() {
    context().dialogs.openFile(this, tr("Open a config file"), QStringLiteral("*.yml *.yaml"),
                               [this](const QString& path) {
                                   if (path.isEmpty())
                                       return;
                                   askToDrop(tr("Open a config file"), [this, path] { return m_desk.openFile(path); });
                                   context().open(id());
                               });
}

void ConfigPage::report(const base::Status& status) {
    if (!status)
        context().notify(Severity::Critical,
                         tr("That was not done: %1").arg(QString::fromStdString(status.error().message)), {});
}

std::optional<Page::Placeholder> ConfigPage::placeholder(const Snapshot& snapshot) const {
    if (m_desk.isOpen())
        return std::nullopt;
    if (snapshot.notOffered.contains(QStringLiteral("/v1/cluster/config")))
        return Placeholder{StateStack::State::NotOffered,
                           tr("This coordinator does not offer its config (/v1/cluster/config). Open the file itself."),
                           {},
                           {}};
    return Placeholder{StateStack::State::Loading, tr("Waiting for the config..."), {}, {}};
}

bool ConfigPage::needsConnection() const {
    return !m_desk.isOpen();
}

void ConfigPage::showSnapshot(const Snapshot&) {
    refreshEpochs();
    refreshActions();
}

void ConfigPage::showSelection(const Selection& selection) {
    m_map->setSelected(selection.partitions);
}

void ConfigPage::showStale(bool stale) {
    m_table->setDimmed(stale);
    m_map->setDimmed(stale);
}

void ConfigPage::highlight(const PartitionSet& partitions) {
    m_map->setHighlighted(partitions);
}

void ConfigPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    refreshActions();
}

void ConfigPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    refreshActions();
}

void ConfigPage::exportCsv() {
    saveBytes(context(), this, tr("Export entries"), QStringLiteral("config.csv"),
              m_table->csv(
                  tr("Entries of the draft for %1; partitions and vectors are counts").arg(context().profile().name)));
}

void ConfigPage::saveLayout(QSettings& settings) const {
    settings.setValue(QStringLiteral("config/view"), int(view()));
    settings.setValue(QStringLiteral("config/table"), m_table->layoutJson());
}

void ConfigPage::retranslate() {
    m_choice->setAccessibleName(tr("How the draft is shown"));
    m_choice->setText(0, tr("Table"), tr("One row for each entry; double click or F2 edits a cell"));
    m_choice->setText(1, tr("Text"), tr("The file itself"));
    m_choice->setText(2, tr("Map"), tr("Who would own each partition"));
    m_choice->setText(3, tr("Diff"), tr("What the draft changes (Ctrl+D)"));
    m_historyButton->setToolTip(tr("History of the draft"));
    m_historyButton->setAccessibleName(tr("History of the draft"));
    m_table->setAccessibleName(tr("Entries of the draft"));
    m_table->setEmptyText(tr("The draft has no entry that can be read."));
    m_text->setAccessibleName(tr("Text of the draft"));
    m_map->setAccessibleName(tr("Partition map of the draft, 16 rows of 16 partitions"));
    m_diff->setTitles(tr("As it was read"), tr("Draft"));
    m_model.retranslate();
    m_mapModel.retranslate();
    m_epochs->retranslate();
    m_problems->retranslate();
    m_sheet->retranslate();
    m_merge->retranslate();
    refreshKept();
    refreshPreview();
}

} // namespace fremis::console::ui

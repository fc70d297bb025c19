// The planner's parts: what stands where and what it is called. Behaviour is in planner_page.cpp.
#include "console/ui/pages/config/draft_desk.h"
#include "console/ui/pages/map/legend.h"
#include "console/ui/pages/planner/planner_page.h"
#include "console/ui/shell/icons.h"
#include "console/ui/views/partition_map_view.h"
#include "console/ui/widgets/action_button.h"
#include "console/ui/widgets/data_table.h"
#include "console/ui/widgets/info_banner.h"
#include "console/ui/widgets/page_stack.h"
#include "console/ui/widgets/property_list.h"
#include "console/ui/widgets/scroll_pane.h"
#include "console/ui/widgets/segmented.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

constexpr int kWishLines = 15;   ///< least width of the left column, in heights of a line
constexpr int kFieldLetters = 8; ///< that a box of choices shows at least

/// Fills a box again, for a change of language; what is chosen stays.
void refill(QComboBox& box, const std::vector<std::pair<QString, int>>& choices) {
    const QSignalBlocker blocker(&box);
    const int current = std::max(0, box.currentIndex());
    box.clear();
    for (const auto& [text, value] : choices)
        box.addItem(text, value);
    box.setCurrentIndex(current);
}

} // namespace

PlannerPage::PlannerPage(const PageContext& context, QWidget* parent)
    : Page(context, QStringLiteral("planner"), parent), m_startChoice(new Segmented(context.theme)),
      m_wishTable(new DataTable(context.theme, m_nodes, QStringLiteral("planner.wishes"))),
      m_replicationLabel(new QLabel), m_replication(new QSpinBox), m_modeLabel(new QLabel), m_mode(new QComboBox),
      m_objectiveLabel(new QLabel), m_objective(new QComboBox), m_capLabel(new QLabel), m_cap(new QSpinBox),
      m_rateLabel(new QLabel), m_rate(new QSpinBox), m_pinsLabel(new QLabel), m_pins(new QLineEdit),
      m_figures(new PropertyList(context.theme)), m_headline(new InfoBanner(context.theme)), m_advice(new QLabel),
      m_viewChoice(new Segmented(context.theme)), m_sideChoice(new Segmented(context.theme)),
      m_step(new QSlider(Qt::Horizontal)), m_stepLabel(new QLabel), m_views(new PageStack),
      m_map(new PartitionMapView(context.theme, m_mapModel)), m_legend(new Legend(context.theme)),
      m_moveTable(new DataTable(context.theme, m_moves, QStringLiteral("planner.moves"))),
      m_nodeTable(new DataTable(context.theme, m_nodeFigures, QStringLiteral("planner.nodes"))),
      m_save(new QMenu(this)) {
    addActions();
    buildTools();
    fillChoices();
    auto* content = new QWidget(this);
    auto* layout = new QHBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeWishes());
    layout->addWidget(makeResult(), 1);
    setContent(content);
    connectParts();
    QSettings settings;
    setView(View(std::clamp(settings.value(QStringLiteral("planner/view"), 0).toInt(), 0, 2)));
    m_moveTable->restoreLayout(settings.value(QStringLiteral("planner/moves")).toByteArray());
    m_nodeTable->restoreLayout(settings.value(QStringLiteral("planner/nodes")).toByteArray());
}

void PlannerPage::addActions() {
    ActionRegistry& actions = context().actions;
    const auto add = [&](const char* id, const char* text, const char* hint, const char* icon,
                         std::function<void()> run) {
        actions.add({QLatin1String(id), text, hint, QLatin1String(icon), {}, Menu::Plan}, std::move(run));
    };
    add("planner.add", QT_TRANSLATE_NOOP("Actions", "&Add node..."),
        QT_TRANSLATE_NOOP("Actions", "A node that joins the map"), "add", [this] { addNode(); });
    add("planner.leave", QT_TRANSLATE_NOOP("Actions", "Node &leaves"),
        QT_TRANSLATE_NOOP("Actions", "The node leaves the map"), "remove", [this] { setFate(NodeFate::Leaves); });
    add("planner.empty", QT_TRANSLATE_NOOP("Actions", "Node is &emptied"),
        QT_TRANSLATE_NOOP("Actions", "The node keeps nothing, as before maintenance"), "trash",
        [this] { setFate(NodeFate::Empties); });
    add("planner.stay", QT_TRANSLATE_NOOP("Actions", "Node s&tays"),
        QT_TRANSLATE_NOOP("Actions", "The node keeps its place"), "undo", [this] { setFate(NodeFate::Stays); });
    add("planner.weight", QT_TRANSLATE_NOOP("Actions", "Set &weight..."),
        QT_TRANSLATE_NOOP("Actions", "The node's share relative to the others"), "split", [this] { askWeight(); });
    add("planner.reset", QT_TRANSLATE_NOOP("Actions", "&Forget all wishes"), nullptr, "close", [this] {
        m_wishes.reset();
        m_pins->clear();
        replan();
    });
    add("planner.send", QT_TRANSLATE_NOOP("Actions", "Send to &draft"),
        QT_TRANSLATE_NOOP("Actions", "Puts the plan into the Configuration's draft; nothing is written yet"), "send",
        [this] { sendToDraft(); });
    add("planner.json", QT_TRANSLATE_NOOP("Actions", "Save the plan as &JSON..."), nullptr, "export",
        [this] { saveJson(); });
    add("planner.runbook-en", QT_TRANSLATE_NOOP("Actions", "Save the runbook in &English..."), nullptr, "export",
        [this] { saveRunbook(routing::Language::English); });
    add("planner.runbook-id", QT_TRANSLATE_NOOP("Actions", "Save the runbook in &Indonesian..."), nullptr, "export",
        [this] { saveRunbook(routing::Language::Indonesian); });
}

void PlannerPage::buildTools() {
    ActionRegistry& actions = context().actions;
    m_viewChoice->setObjectName(QStringLiteral("planner.view"));
    for (const auto* id : {"map", "moves", "nodes"})
        m_viewChoice->addChoice(QLatin1String(id));
    for (const auto* id :
         {"planner.json", "planner.runbook-en", "planner.runbook-id", "file.export-csv", "file.export-png"})
        m_save->addAction(actions.find(QLatin1String(id)));
    auto* save = new QToolButton;
    save->setObjectName(QStringLiteral("planner.save"));
    save->setAutoRaise(true);
    save->setIcon(icon(QStringLiteral("export")));
    save->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    save->setPopupMode(QToolButton::InstantPopup);
    save->setMenu(m_save);
    auto* send = actionButton(actions.find(QStringLiteral("planner.send")), ButtonLook::TextBesideIcon);
    send->setAutoRaise(false);
    tools().addSpacing(space::kMedium);
    tools().addWidget(m_viewChoice);
    tools().addStretch();
    tools().addWidget(save);
    tools().addWidget(send);
}

QLayout* PlannerPage::makeForm() {
    m_replication->setObjectName(QStringLiteral("planner.replication"));
    m_replication->setRange(0, 16);
    m_mode->setObjectName(QStringLiteral("planner.mode"));
    m_objective->setObjectName(QStringLiteral("planner.objective"));
    m_cap->setObjectName(QStringLiteral("planner.cap"));
    m_cap->setRange(0, 4096);
    m_rate->setObjectName(QStringLiteral("planner.rate"));
    m_rate->setRange(1, 1'000'000);
    m_rate->setSingleStep(100);
    m_rate->setValue(int(m_wishes.rates.vectorsPerSecond));
    m_pins->setObjectName(QStringLiteral("planner.pins"));
    auto* form = new QFormLayout;
    form->setContentsMargins(space::kLarge, space::kTiny, space::kMedium, 0);
    form->setHorizontalSpacing(space::kMedium);
    form->setVerticalSpacing(6);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    for (QComboBox* box : {m_mode, m_objective}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(kFieldLetters);
    }
    const auto row = [form](QLabel* label, QWidget* field) {
        label->setBuddy(field);
        form->addRow(label, field);
    };
    row(m_replicationLabel, m_replication);
    row(m_modeLabel, m_mode);
    row(m_objectiveLabel, m_objective);
    row(m_capLabel, m_cap);
    row(m_rateLabel, m_rate);
    row(m_pinsLabel, m_pins);
    return form;
}

QWidget* PlannerPage::makeWishes() {
    m_startChoice->setObjectName(QStringLiteral("planner.start"));
    for (const auto* id : {"live", "draft", "file"})
        m_startChoice->addChoice(QLatin1String(id));
    m_figures->setObjectName(QStringLiteral("planner.figures"));
    m_wishTable->hideColumns(
        {"weight", "before", "moves_in", "moves_out", "vectors_before", "vectors_after", "ram_after", "ranges"});
    m_wishTable->setWidest("node", 110);
    m_wishTable->setMinimumHeight(withText(font(), 180));
    auto* panel = new QWidget;
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 0, space::kMedium);
    layout->setSpacing(space::kSmall);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(space::kLarge, 0, space::kSmall, 0);
    head->addWidget(m_startChoice);
    head->addStretch();
    layout->addLayout(head);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(space::kMedium, 0, space::kSmall, 0);
    buttons->setSpacing(2);
    for (const auto* id : {"planner.add", "planner.leave", "planner.empty", "planner.stay", "planner.weight"})
        buttons->addWidget(actionButton(context().actions.find(QLatin1String(id)), ButtonLook::IconOnly));
    buttons->addStretch();
    layout->addLayout(buttons);
    layout->addWidget(m_wishTable, 1);
    layout->addLayout(makeForm());
    auto* figures = new QVBoxLayout;
    figures->setContentsMargins(space::kLarge, space::kSmall, space::kMedium, 0);
    figures->addWidget(m_figures);
    layout->addLayout(figures);
    layout->addStrut(kWishLines * fontMetrics().height());
    auto* area = new ScrollPane(panel);
    area->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    return area;
}

QWidget* PlannerPage::makeResult() {
    m_headline->setObjectName(QStringLiteral("planner.headline"));
    m_advice->setObjectName(QStringLiteral("planner.advice"));
    m_advice->setTextFormat(Qt::PlainText);
    m_advice->setWordWrap(true);
    m_advice->setForegroundRole(QPalette::PlaceholderText);
    m_advice->setContentsMargins(space::kMedium, space::kTiny, space::kMedium, 0);
    m_advice->hide();
    m_sideChoice->setObjectName(QStringLiteral("planner.side"));
    for (const auto* id : {"before", "after"})
        m_sideChoice->addChoice(QLatin1String(id));
    m_step->setObjectName(QStringLiteral("planner.step"));
    m_step->setTickPosition(QSlider::TicksBelow);
    m_step->setPageStep(1);
    m_nodeTable->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_map->setObjectName(QStringLiteral("planner.map"));
    m_legend->setObjectName(QStringLiteral("planner.legend"));
    m_stepLabel->setWordWrap(true);
    m_legend->setContentsMargins(space::kSmall, space::kTiny, space::kSmall, space::kTiny);
    auto* map = new QWidget;
    auto* mapLayout = new QVBoxLayout(map);
    mapLayout->setContentsMargins(0, 0, 0, 0);
    mapLayout->setSpacing(0);
    auto* steps = new QHBoxLayout;
    steps->setContentsMargins(space::kMedium, space::kTiny, space::kMedium, space::kTiny);
    steps->setSpacing(space::kMedium);
    steps->addWidget(m_sideChoice);
    steps->addWidget(m_step, 1);
    steps->addWidget(m_stepLabel);
    mapLayout->addLayout(steps);
    mapLayout->addWidget(m_map, 1);
    mapLayout->addWidget(m_legend);
    for (QWidget* view : std::initializer_list<QWidget*>{map, m_moveTable, m_nodeTable})
        m_views->addWidget(view);
    auto* result = new QWidget;
    auto* layout = new QVBoxLayout(result);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::kTiny);
    layout->addWidget(m_headline);
    layout->addWidget(m_advice);
    layout->addWidget(m_views, 1);
    return result;
}

void PlannerPage::connectParts() {
    connect(&m_adapter, &PlanAdapter::ready, this, &PlannerPage::takePlan);
    connect(m_startChoice, &Segmented::chosen, this, [this](int start) { setStart(Start(start)); });
    connect(m_viewChoice, &Segmented::chosen, this, [this](int view) { setView(View(view)); });
    connect(m_sideChoice, &Segmented::chosen, this, [this](int side) {
        m_before = side == 0;
        showStep();
    });
    connect(m_step, &QSlider::valueChanged, this, &PlannerPage::showStep);
    connect(m_replication, &QSpinBox::valueChanged, this, &PlannerPage::replan);
    connect(m_cap, &QSpinBox::valueChanged, this, &PlannerPage::replan);
    connect(m_rate, &QSpinBox::valueChanged, this, &PlannerPage::replan);
    connect(m_mode, &QComboBox::currentIndexChanged, this, &PlannerPage::replan);
    connect(m_objective, &QComboBox::currentIndexChanged, this, &PlannerPage::replan);
    connect(m_pins, &QLineEdit::editingFinished, this, &PlannerPage::takePins);
    connect(m_wishTable, &DataTable::selectedKeysChanged, this, &PlannerPage::refreshActions);
    connect(&m_nodeFigures, &PlanNodeModel::weightEdited, this, [this](const QString& address, const QString& weight) {
        report(m_wishes.setWeight(address, weight));
        replan();
    });
    connect(&context().desk.draft(), &ConfigDraft::changed, this, [this] {
        if (m_start == Start::Draft && isVisible())
            refreshStart();
    });
    connect(m_moveTable, &DataTable::selectedKeysChanged, this, [this](const QStringList& keys) {
        PartitionSet partitions;
        for (const QString& key : keys)
            if (const int row = m_moves.rowOf(key); row >= 0)
                partitions = partitions | PartitionSet(m_moves.groupAt(row).partitions);
        if (m_moveTable->hasFocus() && !partitions.empty())
            context().selection.selectPartitions(partitions);
    });
    connect(m_map, &PartitionMapView::selectionEdited, this,
            [this](const PartitionSet& partitions) { context().selection.selectPartitions(partitions); });
    connect(m_legend, &Legend::hovered, this, &PlannerPage::highlight);
    connect(m_legend, &Legend::chosen, this,
            [this](const PartitionSet& partitions) { context().selection.selectPartitions(partitions); });
    for (QWidget* watched : std::initializer_list<QWidget*>{m_map, m_step})
        watched->installEventFilter(this);
}

void PlannerPage::setView(View view) {
    m_viewChoice->setCurrent(int(view));
    m_views->setCurrentIndex(int(view));
}

void PlannerPage::fillChoices() {
    refill(*m_mode, {{tr("several per node"), int(routing::PlanMode::Multi)},
                     {tr("one per node"), int(routing::PlanMode::Contiguous)}});
    refill(*m_objective, {{tr("fewest moves"), int(routing::Objective::Moves)},
                          {tr("best balance"), int(routing::Objective::Balance)},
                          {tr("balance by vectors"), int(routing::Objective::Vectors)},
                          {tr("fewest ranges"), int(routing::Objective::Ranges)}});
}

void PlannerPage::retranslate() {
    setTitle(tr("Planner"));
    m_viewChoice->setAccessibleName(tr("What is shown of the plan"));
    m_viewChoice->setText(0, tr("Map"), tr("Who owns each partition, step by step"));
    m_viewChoice->setText(1, tr("Moves"), tr("Which partitions go where, and why"));
    m_viewChoice->setText(2, tr("Nodes"), tr("What the plan means for each node"));
    m_startChoice->setAccessibleName(tr("Where the plan starts"));
    m_startChoice->setText(0, tr("Live"), tr("From the running map"));
    m_startChoice->setText(1, tr("Draft"), tr("From the Configuration's draft"));
    m_startChoice->setText(2, tr("File"), tr("From a config.yml of this computer"));
    m_sideChoice->setAccessibleName(tr("Before or after"));
    m_sideChoice->setText(0, tr("Before"), tr("The map as it is; hold T to flip"));
    m_sideChoice->setText(1, tr("After"), tr("The map after the plan; hold T to flip"));
    m_replicationLabel->setText(tr("&Copies"));
    m_replication->setSpecialValueText(tr("as it is"));
    m_replication->setAccessibleName(tr("Copies of each partition"));
    m_modeLabel->setText(tr("&Ranges"));
    m_mode->setAccessibleName(tr("Ranges per node"));
    m_objectiveLabel->setText(tr("&Objective"));
    m_objective->setAccessibleName(tr("Objective"));
    m_capLabel->setText(tr("At &most"));
    m_cap->setSpecialValueText(tr("no limit"));
    m_cap->setSuffix(tr(" moves"));
    m_cap->setAccessibleName(tr("Most moves"));
    m_rateLabel->setText(tr("R&ate"));
    m_rate->setSuffix(tr(" vectors/s"));
    m_rate->setAccessibleName(tr("Vectors per second of one move"));
    m_pinsLabel->setText(tr("&Pinned"));
    m_pins->setPlaceholderText(tr("182-207: worker-7"));
    m_pins->setAccessibleName(tr("Pinned partitions"));
    m_step->setAccessibleName(tr("Step of the plan"));
    m_map->setAccessibleName(tr("Partition map of the plan, 16 rows of 16 partitions"));
    m_wishTable->setAccessibleName(tr("Nodes and what becomes of them"));
    m_moveTable->setAccessibleName(tr("Moves"));
    m_moveTable->setEmptyText(tr("Nothing has to move."));
    m_nodeTable->setAccessibleName(tr("Nodes after the plan"));
    if (auto* save = findChild<QToolButton*>(QStringLiteral("planner.save"))) {
        save->setText(tr("Save"));
        save->setAccessibleName(tr("Save the plan"));
    }
    fillChoices();
    m_moves.retranslate();
    m_nodes.retranslate();
    m_nodeFigures.retranslate();
    m_mapModel.retranslate();
    if (!m_startEpoch.isEmpty())
        takePlan(m_adapter.outcome());
}

} // namespace fremis::console::ui

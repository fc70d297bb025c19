#include "console/ui/pages/planner/planner_page.h"

#include "console/client/map_preview.h"
#include "console/models/routing_words.h"
#include "console/ui/pages/config/draft_desk.h"
#include "console/ui/pages/map/legend.h"
#include "console/ui/views/partition_map_view.h"
#include "console/ui/widgets/data_table.h"
#include "console/ui/widgets/format.h"
#include "console/ui/widgets/info_banner.h"
#include "console/ui/widgets/page_stack.h"
#include "console/ui/widgets/property_list.h"
#include "console/ui/widgets/save_file.h"
#include "console/ui/widgets/segmented.h"
#include "shared/routing/config_file.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QSlider>
#include <QSpinBox>

namespace fremis::console::ui {

void PlannerPage::setStart(Start start) {
    if (start == Start::File && !m_fileMap) {
        m_startChoice->setCurrent(int(m_start));
        openStartFile();
        return;
    }
    m_start = start;
    m_startChoice->setCurrent(int(start));
    refreshStart();
}

void PlannerPage::openStartFile() {
    context().dialogs.openFile(this, tr("Start from a config file"), QStringLiteral("*.yml *.yaml"),
                               [this](const QString& path) {
                                   if (path.isEmpty())
                                       return;
                                   const auto file = routing::loadConfig(path.toStdString());
                                   if (!file)
                                       return report(tl::unexpected(file.error()));
                                   m_fileMap = file->map;
                                   setStart(Start::File);
                               });
}

void PlannerPage::refreshStart() {
    std::optional<routing::PartitionMap> map;
    switch (m_start) {
    case Start::Live:
        if (snapshot() && snapshot()->config)
            map = (**snapshot()->config).map;
        break;
    case Start::Draft:
        map = context().desk.draft().map();
        break;
    case Start::File:
        map = m_fileMap;
        break;
    }
    if (map)
        takeStart(*map);
    refreshActions();
}

// A plan follows its start, not every count that moves a little: the operator reads it meanwhile.
void PlannerPage::takeStart(const routing::PartitionMap& map) {
    const auto epoch = QString::fromStdString(map.epoch());
    const bool knowsMore = !m_vectors && vectors().has_value();
    if (epoch == m_startEpoch && !knowsMore)
        return;
    m_startEpoch = epoch;
    m_wishes.setStart(map);
    replan();
}

std::optional<routing::PartitionVectors> PlannerPage::vectors() const {
    return snapshot() ? vectorsOf(*snapshot()) : std::nullopt;
}

void PlannerPage::replan() {
    m_vectors = vectors();
    m_wishes.replication = m_replication->value() > 0 ? std::optional(m_replication->value()) : std::nullopt;
    m_wishes.mode = routing::PlanMode(m_mode->currentData().toInt());
    m_wishes.objective = routing::Objective(m_objective->currentData().toInt());
    m_wishes.maxMoves = m_cap->value() > 0 ? std::optional(m_cap->value()) : std::nullopt;
    m_wishes.rates.vectorsPerSecond = m_rate->value();
    m_cap->setEnabled(m_wishes.mode == routing::PlanMode::Multi);
    m_nodes.set(m_wishes, plan() ? &*plan() : nullptr, snapshot());
    if (!m_startEpoch.isEmpty())
        m_adapter.compute(m_wishes.request(m_vectors));
    refreshActions();
}

void PlannerPage::takePlan(const PlanOutcome& outcome) {
    m_moves.setPlan(outcome.plan);
    const auto* plan = outcome.plan ? &*outcome.plan : nullptr;
    m_nodes.set(m_wishes, plan, snapshot());
    m_nodeFigures.set(m_wishes, plan, snapshot());
    const int waves = plan ? waveCount(*plan) : 0;
    const QSignalBlocker blocker(m_step);
    m_step->setRange(0, waves);
    m_step->setValue(waves);
    m_before = false;
    m_sideChoice->setCurrent(1);
    m_headline->show(!outcome.plan        ? Severity::Critical
                     : changesSomething() ? Severity::Info
                                          : Severity::Ok,
                     headline(outcome));
    m_advice->setText(plan ? sentenceOf(plan->otherMode) : QString());
    m_advice->setVisible(!m_advice->text().isEmpty());
    showFigures();
    showStep();
    refreshActions();
}

bool PlannerPage::changesSomething() const {
    return plan() && plan()->epochBefore != plan()->epochAfter;
}

QString PlannerPage::headline(const PlanOutcome& outcome) const {
    if (!outcome.plan)
        return tr("There is no such plan: %1.").arg(outcome.problem);
    if (!changesSomething())
        return tr("Nothing has to move: the map is as balanced as it can be.");
    const routing::PlanFigures& figures = outcome.plan->figures;
    return tr("%n partition(s) move, of at least %1.", "", figures.moved).arg(figures.lowerBound) +
           QStringLiteral("  ") + summary();
}

// The figures that decide, in one line; all of them are in the list.
QString PlannerPage::summary() const {
    if (!changesSomething())
        return {};
    const routing::PlanFigures& figures = plan()->figures;
    QStringList parts;
    if (plan()->vectors)
        parts << tr("%1 vectors").arg(numberText(qint64(figures.vectorsMoved)))
              << bytesText(qint64(figures.bytesMoved));
    parts << tr("%n wave(s)", "", figures.waves);
    if (plan()->vectors)
        parts << tr("about %1").arg(durationText(std::chrono::seconds(qint64(figures.seconds))));
    parts << tr("max/mean %1 → %2")
                 .arg(decimalText(figures.maxOverMeanBefore, 2), decimalText(figures.maxOverMeanAfter, 2));
    return parts.join(QStringLiteral("  ·  "));
}

void PlannerPage::showFigures() {
    if (!plan()) {
        m_figures->set({});
        return;
    }
    const routing::Plan& made = *plan();
    const routing::PlanFigures& figures = made.figures;
    const bool withVectors = made.vectors.has_value();
    const auto change = [](double before, double after) {
        return QStringLiteral("%1 → %2").arg(decimalText(before, 2), decimalText(after, 2));
    };
    std::vector<Property> lines{
        {tr("Moves"), tr("%1 of at least %2").arg(figures.moved).arg(figures.lowerBound),
         figures.moved == figures.lowerBound ? std::optional(Severity::Ok) : std::nullopt},
        {tr("Vectors"), withVectors ? numberText(qint64(figures.vectorsMoved)) : unknownText()},
        {tr("Data"), withVectors ? bytesText(qint64(figures.bytesMoved)) : unknownText()},
        {tr("Waves"), numberText(figures.waves)},
        {tr("Time"),
         withVectors ? tr("about %1").arg(durationText(std::chrono::seconds(qint64(figures.seconds)))) : unknownText()},
        {tr("Ranges"), numberText(figures.ranges)},
        {tr("Max/mean"), change(figures.maxOverMeanBefore, figures.maxOverMeanAfter)},
        {tr("By vectors"),
         withVectors ? change(figures.vectorMaxOverMeanBefore, figures.vectorMaxOverMeanAfter) : unknownText()}};
    for (const routing::Wording& warning : made.warnings)
        lines.push_back({tr("Note"), sentenceOf(warning), Severity::Warning});
    m_figures->set(lines);
}

void PlannerPage::showStep() {
    const bool isBefore = m_before || !plan();
    const int wave = m_step->value();
    const auto map = isBefore ? m_wishes.start() : mapAfterWave(*plan(), wave);
    const SnapshotPtr preview = previewOf(snapshot(), map);
    m_mapModel.setSnapshot(preview);
    m_map->refreshScale();
    m_legend->set(preview, Lens::Owner, m_map->delegate());
    PartitionSet moved;
    if (plan())
        for (const auto& each : routing::changesBetween(m_wishes.start(), mapAfterWave(*plan(), wave)))
            moved.insert(each.partition);
    m_map->setHighlighted(moved);
    m_step->setEnabled(!isBefore && m_step->maximum() > 0);
    m_stepLabel->setText(isBefore    ? tr("as it is")
                         : wave == 0 ? tr("before wave 1")
                                     : tr("after wave %1 of %2").arg(wave).arg(m_step->maximum()));
    m_step->setAccessibleDescription(m_stepLabel->text());
}

void PlannerPage::refreshActions() {
    ActionRegistry& actions = context().actions;
    const bool isHere = isVisible();
    const QString elsewhere = tr("On the Planner page only.");
    const auto set = [&](const char* name, bool available, const QString& reason) {
        actions.setAvailable(QLatin1String(name), isHere && available, isHere ? reason : elsewhere);
    };
    const bool isChosen = !m_wishTable->selectedKeys().isEmpty();
    const QString choose = tr("Choose a node first.");
    set("planner.add", !m_startEpoch.isEmpty(), tr("There is no map to start from."));
    set("planner.leave", isChosen, choose);
    set("planner.empty", isChosen, choose);
    set("planner.stay", isChosen, choose);
    set("planner.weight", isChosen, choose);
    set("planner.reset", true, {});
    const QString none =
        m_adapter.isComputing() ? tr("The plan is being made.") : tr("There is no plan that changes anything.");
    const bool isReady = changesSomething() && !m_adapter.isComputing();
    for (const auto* name : {"planner.send", "planner.json", "planner.runbook-en", "planner.runbook-id"})
        set(name, isReady, none);
}

void PlannerPage::addNode() {
    context().dialogs.askText(this, tr("Add a node"), tr("Its address, like 10.0.0.9:4003"), {},
                              [this](const QString& text) {
                                  if (text.trimmed().isEmpty())
                                      return;
                                  report(m_wishes.addNode(text));
                                  replan();
                              });
}

void PlannerPage::setFate(NodeFate fate) {
    for (const QString& key : m_wishTable->selectedKeys())
        m_wishes.setFate(key, fate);
    replan();
}

void PlannerPage::askWeight() {
    const QStringList keys = m_wishTable->selectedKeys();
    const auto* node = keys.isEmpty() ? nullptr : m_wishes.find(keys.front());
    if (!node)
        return;
    context().dialogs.askText(this, tr("Weight of %1").arg(node->label()),
                              tr("Its share relative to the others, 0.01 to 100"),
                              QString::fromStdString(node->weight.text()), [this, keys](const QString& text) {
                                  if (text.trimmed().isEmpty())
                                      return;
                                  for (const QString& key : keys)
                                      report(m_wishes.setWeight(key, text));
                                  replan();
                              });
}

void PlannerPage::takePins() {
    const auto status = m_wishes.setPins(m_pins->text());
    QPalette palette;
    if (!status)
        palette.setColor(QPalette::Text, context().theme.colors().critical);
    m_pins->setPalette(palette);
    m_pins->setToolTip(status ? tr("Partitions and who must own them, like 182-207: worker-7; 5: worker-1")
                              : QString::fromStdString(status.error().message));
    if (status)
        replan();
}

void PlannerPage::prepareMove(const PartitionSet& partitions, const QString& address) {
    const QString clause = QStringLiteral("%1: %2").arg(QString::fromStdString(partitions.text()), address);
    const QString before = m_pins->text().trimmed();
    m_pins->setText(before.isEmpty() ? clause : before + QStringLiteral("; ") + clause);
    takePins();
    setView(View::Moves);
}

void PlannerPage::report(const base::Status& status) {
    if (!status)
        context().notify(Severity::Critical,
                         tr("That was not done: %1").arg(QString::fromStdString(status.error().message)), {});
}

void PlannerPage::sendToDraft() {
    if (!changesSomething())
        return;
    DraftDesk& desk = context().desk;
    if (!desk.isOpen())
        return report(base::fail(base::Reason::NotReady, "there is no config to edit"));
    const auto status = desk.assign(plan()->after, tr("Plan: %n move(s)", "", plan()->figures.moved));
    report(status);
    if (!status)
        return;
    context().notify(Severity::Ok, tr("The plan is in the draft. Nothing has been written yet."), {});
    context().open(QStringLiteral("config"));
}

void PlannerPage::saveJson() {
    if (plan())
        saveBytes(context(), this, tr("Save the plan"), QStringLiteral("plan.json"),
                  QByteArray::fromStdString(planJson(*plan())));
}

void PlannerPage::saveRunbook(routing::Language language) {
    if (plan())
        saveBytes(context(), this, tr("Save the runbook"), QStringLiteral("plan.md"),
                  QByteArray::fromStdString(planRunbook(*plan(), language)));
}

void PlannerPage::exportCsv() {
    if (plan())
        saveBytes(context(), this, tr("Export moves"), QStringLiteral("plan.csv"), planCsv(*plan()));
}

void PlannerPage::exportPng() {
    const QSize size(m_map->width(), m_map->height() + m_legend->height());
    QImage image(size * 2, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(2);
    image.fill(context().theme.colors().surface);
    QPainter painter(&image);
    m_map->render(&painter, QPoint());
    m_legend->render(&painter, QPoint(0, m_map->height()));
    painter.end();
    savePicture(context(), this, tr("Export the map"), QStringLiteral("plan.png"), image);
}

std::optional<Page::Placeholder> PlannerPage::placeholder(const Snapshot& snapshot) const {
    if (snapshot.config || m_start == Start::File)
        return std::nullopt;
    if (snapshot.notOffered.contains(QStringLiteral("/v1/cluster/config")))
        return Placeholder{StateStack::State::NotOffered,
                           tr("This coordinator does not offer its config (/v1/cluster/config)."),
                           {},
                           {}};
    return Placeholder{StateStack::State::Loading, tr("Waiting for the config..."), {}, {}};
}

void PlannerPage::showSnapshot(const Snapshot&) {
    refreshStart();
}

void PlannerPage::showSelection(const Selection& selection) {
    m_map->setSelected(selection.partitions);
    if (!selection.nodes.isEmpty() && !m_wishTable->hasFocus())
        m_wishTable->selectKey(selection.nodes.front());
}

void PlannerPage::showStale(bool stale) {
    m_map->setDimmed(stale);
    m_nodeTable->setDimmed(stale);
}

void PlannerPage::highlight(const PartitionSet& partitions) {
    if (partitions.empty())
        showStep();
    else
        m_map->setHighlighted(partitions);
}

// Hold T to see the map as it was.
bool PlannerPage::eventFilter(QObject* watched, QEvent* event) {
    const bool isPress = event->type() == QEvent::KeyPress;
    if (isPress || event->type() == QEvent::KeyRelease) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_T && key->modifiers() == Qt::NoModifier) {
            if (!key->isAutoRepeat()) {
                m_before = isPress ? !m_before : m_sideChoice->current() == 0;
                showStep();
            }
            return true;
        }
    }
    return Page::eventFilter(watched, event);
}

void PlannerPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    refreshStart();
}

void PlannerPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    refreshActions();
}

void PlannerPage::saveLayout(QSettings& settings) const {
    settings.setValue(QStringLiteral("planner/view"), m_views->currentIndex());
    settings.setValue(QStringLiteral("planner/moves"), m_moveTable->layoutJson());
    settings.setValue(QStringLiteral("planner/nodes"), m_nodeTable->layoutJson());
}

} // namespace fremis::console::ui

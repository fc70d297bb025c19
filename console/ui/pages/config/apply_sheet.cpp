#include "console/ui/pages/config/apply_sheet.h"

#include "console/ui/shell/verdict.h"
#include "console/ui/views/diff_view.h"
#include "console/ui/views/step_bar.h"
#include "console/ui/widgets/badge.h"
#include "console/ui/widgets/format.h"
#include "console/ui/widgets/info_banner.h"
#include "console/ui/widgets/property_list.h"
#include "console/ui/widgets/save_file.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

const QString kWrite = QStringLiteral("config.write");
const QString kRollBack = QStringLiteral("config.roll-back");

enum StepNumber { DiffStep, ImpactStep, WriteStep, VerifyStep };

QWidget* scrolled(QWidget* content) {
    auto* holder = new QWidget;
    auto* layout = new QVBoxLayout(holder);
    layout->setContentsMargins(space::kLarge, space::kMedium, space::kMedium, space::kMedium);
    layout->addWidget(content);
    layout->addStretch();
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(holder);
    return area;
}

QString shortEpoch(const QString& epoch) {
    return epoch.isEmpty() ? unknownText() : epoch.left(8);
}

QString rangesOrNone(const PartitionSet& partitions) {
    return partitions.empty() ? ApplySheet::tr("none", "partitions") : QString::fromStdString(partitions.text());
}

} // namespace

ApplySheet::ApplySheet(const PageContext& context, DraftDesk& desk, QWidget* parent)
    : QWidget(parent), m_context(context), m_desk(desk), m_sequence(context.client, context.clock),
      m_steps(new StepBar(context.theme, this)), m_environment(new Badge(context.theme, this)),
      m_pages(new QStackedWidget(this)), m_words(new QPlainTextEdit(this)),
      m_diff(new DiffView(context.theme, QStringLiteral("apply.diff"), this)),
      m_impact(new PropertyList(context.theme)), m_progress(new PropertyList(context.theme)),
      m_verdict(new InfoBanner(context.theme, this)), m_migrated(new QCheckBox(this)), m_back(new QPushButton(this)),
      m_runbook(new QPushButton(this)), m_rollBack(new QPushButton(this)), m_next(new QPushButton(this)) {
    addActions();
    buildLayout();
    connect(&m_sequence, &ApplySequence::stateChanged, this, &ApplySheet::onState);
    connect(&context.actions, &ActionRegistry::lockChanged, this, &ApplySheet::refreshButtons);
    connect(m_back, &QPushButton::clicked, this, &ApplySheet::close);
    connect(m_runbook, &QPushButton::clicked, this, &ApplySheet::saveRunbook);
    connect(m_rollBack, &QPushButton::clicked, this, [this] { m_context.actions.find(kRollBack)->trigger(); });
    connect(m_migrated, &QCheckBox::toggled, this, [this](bool isTrue) {
        if (isTrue && start(true))
            m_sequence.confirmDiff(); // it has been seen
    });
    connect(m_next, &QPushButton::clicked, this, [this] {
        switch (m_sequence.state()) {
        case State::Diff:
            m_sequence.confirmDiff();
            break;
        case State::Impact:
            m_context.actions.find(kWrite)->trigger();
            break;
        default:
            close();
        }
    });
}

void ApplySheet::addActions() {
    m_context.actions.add({kWrite,
                           QT_TRANSLATE_NOOP("Actions", "&Write the config"),
                           QT_TRANSLATE_NOOP("Actions", "Writes the draft whose diff and impact have been shown"),
                           QStringLiteral("apply"),
                           {},
                           Menu::None,
                           Effect::Mutates},
                          [this] { m_sequence.confirmImpact(); });
    m_context.actions.add({kRollBack,
                           QT_TRANSLATE_NOOP("Actions", "&Roll the config back"),
                           QT_TRANSLATE_NOOP("Actions", "Writes the config as it was before the last change"),
                           QStringLiteral("undo"),
                           {},
                           Menu::None,
                           Effect::Mutates},
                          [this] {
                              m_rolledBack = true;
                              m_sequence.rollBack();
                          });
}

void ApplySheet::buildLayout() {
    m_steps->setObjectName(QStringLiteral("apply.steps"));
    m_words->setObjectName(QStringLiteral("apply.words"));
    m_impact->setObjectName(QStringLiteral("apply.impact"));
    m_progress->setObjectName(QStringLiteral("apply.progress"));
    m_verdict->setObjectName(QStringLiteral("apply.verdict"));
    m_migrated->setObjectName(QStringLiteral("apply.acknowledge"));
    m_back->setObjectName(QStringLiteral("apply.back"));
    m_runbook->setObjectName(QStringLiteral("apply.runbook"));
    m_rollBack->setObjectName(QStringLiteral("apply.roll-back"));
    m_next->setObjectName(QStringLiteral("apply.next"));
    m_next->setDefault(true);
    m_words->setReadOnly(true);
    m_words->setTabChangesFocus(true);
    m_words->setFrameShape(QFrame::NoFrame);
    m_words->document()->setDocumentMargin(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(space::kLarge, 0, space::kMedium, space::kTiny);
    head->addWidget(m_steps, 1);
    head->addWidget(m_environment);
    auto* diffPage = new QWidget(this);
    auto* diffLayout = new QVBoxLayout(diffPage);
    diffLayout->setContentsMargins(0, space::kSmall, 0, 0);
    diffLayout->setSpacing(space::kSmall);
    auto* words = new QHBoxLayout;
    words->setContentsMargins(space::kLarge, 0, space::kMedium, 0);
    words->addWidget(m_words);
    diffLayout->addLayout(words);
    diffLayout->addWidget(m_diff, 1);
    m_pages->addWidget(diffPage);
    m_pages->addWidget(scrolled(m_impact));
    m_pages->addWidget(scrolled(m_progress));
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(space::kLarge, space::kSmall, space::kMedium, space::kMedium);
    foot->setSpacing(space::kSmall);
    foot->addWidget(m_back);
    foot->addStretch();
    foot->addWidget(m_runbook);
    foot->addWidget(m_rollBack);
    foot->addWidget(m_next);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_verdict);
    auto* word = new QHBoxLayout;
    word->setContentsMargins(space::kLarge, 0, space::kMedium, 0);
    word->addWidget(m_migrated);
    layout->addLayout(word);
    layout->addWidget(m_pages, 1);
    layout->addLayout(foot);
}

ApplySequence::Target ApplySheet::target() const {
    ApplySequence::Target target;
    target.file = m_file;
    if (!m_desk.snapshot())
        return target;
    const QUrl first = m_desk.snapshot()->coordinatorUrl();
    if (!first.isEmpty())
        target.coordinators.append(first);
    for (const CoordinatorView& coordinator : m_desk.snapshot()->coordinators)
        if (coordinator.answers && coordinator.url != first)
            target.coordinators.append(coordinator.url);
    return target;
}

bool ApplySheet::begin() {
    if (m_sequence.isUnderWay())
        return false;
    const ConfigDraft& draft = m_desk.draft();
    m_before = draft.baseText();
    m_after = draft.text();
    m_file = draft.path();
    m_rolledBack = false;
    m_words->setPlainText(draft.changesInWords().join(QLatin1Char('\n')));
    if (m_words->toPlainText().isEmpty())
        m_words->setPlainText(tr("No partition changes hands."));
    const int lines = std::clamp(m_words->blockCount(), 1, 5);
    m_words->setFixedHeight(m_words->fontMetrics().lineSpacing() * lines + space::kTiny);
    const Profile profile = m_context.profile();
    m_environment->set(wordOf(profile.environment).toUpper(), Theme::profileColor(profile.colour));
    m_etag = draft.etag();
    if (!start(draft.needsForce()))
        return false;
    m_diff->setDiff(m_sequence.diff());
    m_diff->showFirstChange();
    refresh();
    m_next->setFocus();
    return true;
}

bool ApplySheet::start(bool force) {
    return m_sequence.start(target(), {m_before, m_after, m_etag, force}, m_desk.snapshot());
}

void ApplySheet::onState(State state) {
    if (state == State::Applied || state == State::RolledBack || state == State::Failed)
        finish(state);
    refresh();
}

void ApplySheet::finish(State state) {
    Event event;
    event.time = m_context.clock.sinceEpoch();
    event.subject = QStringLiteral("config");
    event.epochBefore = m_sequence.epochBefore();
    event.epochAfter = m_sequence.epochAfter();
    event.text = verdict();
    if (state == State::Failed) {
        event.severity = console::Severity::Critical;
    } else {
        const bool isBack = state == State::RolledBack;
        event.severity = isBack ? console::Severity::Warning : console::Severity::Success;
        const QByteArray text = isBack ? m_before : m_after;
        const QString epoch = isBack ? event.epochBefore : event.epochAfter;
        m_desk.rebase(text, m_file.isEmpty() ? '"' + epoch.toLatin1() + '"' : QByteArray());
        if (isBack && m_after != m_before) { // nothing of the operator's work is lost
            [[maybe_unused]] const auto kept = m_desk.setText(m_after, tr("Rolled back draft"));
        }
    }
    m_context.events.add(event);
    m_context.refresh();
    if (!isVisible()) // else the sheet itself says it
        m_context.notify(state == State::Failed ? Severity::Critical : Severity::Ok, event.text, m_sequence.problem());
}

QString ApplySheet::verdict() const {
    switch (m_sequence.state()) {
    case State::Applied:
        return tr("The cluster runs the new map %1.").arg(shortEpoch(m_sequence.epochAfter()));
    case State::RolledBack:
        return tr("Rolled back: the cluster runs the map %1 again.").arg(shortEpoch(m_sequence.epochBefore()));
    case State::Failed:
        if (m_rolledBack)
            return tr("The way back failed: %1").arg(m_sequence.problem());
        return m_sequence.isWritten()
                   ? tr("The config was written, but the cluster does not run it: %1").arg(m_sequence.problem())
                   : tr("Nothing was changed; the old map is in use. %1").arg(m_sequence.problem());
    default:
        return {};
    }
}

void ApplySheet::refresh() {
    const State state = m_sequence.state();
    switch (state) {
    case State::Idle:
    case State::Diff:
    case State::Checking:
        m_pages->setCurrentIndex(0);
        break;
    case State::Impact:
        showImpact();
        m_pages->setCurrentIndex(1);
        break;
    default:
        showProgress();
        m_pages->setCurrentIndex(2);
    }
    showVerdict();
    showMigrated();
    refreshSteps();
    refreshButtons();
}

void ApplySheet::showVerdict() {
    const State state = m_sequence.state();
    if (state == State::Impact && m_sequence.impact().unfindable.empty())
        m_verdict->show(Severity::Ok, tr("Everybody who can be found now stays findable."));
    else if (state == State::Impact)
        m_verdict->show(Severity::Critical, tr("Identities in partitions %1 cannot be found afterwards.")
                                                .arg(rangesOrNone(m_sequence.impact().unfindable)));
    else if (const QString text = verdict(); text.isEmpty())
        m_verdict->hide();
    else
        m_verdict->show(state == State::Applied      ? Severity::Ok
                        : state == State::RolledBack ? Severity::Warning
                                                     : Severity::Critical,
                        text);
}

// The coordinator knows more than vector counts: it refuses partitions for workers that do not serve them yet.
void ApplySheet::showMigrated() {
    const bool isAsked = m_sequence.state() == State::Failed && !m_sequence.isWritten() &&
                         m_sequence.problemToken() == QLatin1String("data_not_moved");
    const QSignalBlocker blocker(m_migrated);
    m_migrated->setVisible(isAsked);
    m_migrated->setChecked(false);
    if (!isAsked)
        return;
    const auto before = routing::readConfig(m_before.toStdString()).config;
    const auto after = routing::readConfig(m_after.toStdString()).config;
    PartitionSet changed;
    if (before && after)
        for (const auto& change :
             routing::changesBetween(routing::PartitionMap(*before), routing::PartitionMap(*after)))
            changed.insert(change.partition);
    m_migrated->setText(
        tr("The data of partitions %1 has already been migrated; apply nevertheless").arg(rangesOrNone(changed)));
    m_migrated->setAccessibleName(m_migrated->text());
}

void ApplySheet::refreshSteps() {
    using Mark = StepBar::State;
    std::array<Mark, 4> marks{Mark::Done, Mark::Waiting, Mark::Waiting, Mark::Waiting};
    const bool isWritten = m_sequence.isWritten();
    switch (m_sequence.state()) {
    case State::Idle:
    case State::Diff:
        marks[DiffStep] = Mark::Current;
        break;
    case State::Checking:
        marks[ImpactStep] = Mark::Running;
        break;
    case State::Impact:
        marks[ImpactStep] = Mark::Current;
        break;
    case State::Writing:
        marks = {Mark::Done, Mark::Done, Mark::Running, Mark::Waiting};
        break;
    case State::Verifying:
        marks = {Mark::Done, Mark::Done, Mark::Done, Mark::Running};
        break;
    case State::Applied:
        marks = {Mark::Done, Mark::Done, Mark::Done, Mark::Done};
        break;
    case State::RollingBack:
        marks = {Mark::Done, Mark::Done, Mark::Running, Mark::Running};
        break;
    case State::RolledBack:
        marks = {Mark::Done, Mark::Done, Mark::Waiting, Mark::Waiting};
        break;
    case State::Failed:
        if (isWritten)
            marks = {Mark::Done, Mark::Done, Mark::Done, Mark::Failed};
        else
            marks[m_steps->state(WriteStep) == Mark::Running ? WriteStep : ImpactStep] = Mark::Failed;
        if (marks[WriteStep] == Mark::Failed)
            marks[ImpactStep] = Mark::Done;
        break;
    }
    for (std::size_t step = 0; step < marks.size(); ++step)
        m_steps->setState(int(step), marks[step]);
}

void ApplySheet::refreshButtons() {
    const State state = m_sequence.state();
    const bool isOver = state == State::Applied || state == State::RolledBack || state == State::Failed;
    const bool canRollBack = state == State::Applied || (state == State::Failed && m_sequence.isWritten());
    ActionRegistry& actions = m_context.actions;
    actions.setAvailable(kWrite, state == State::Impact, tr("Its diff and impact have to be seen first."));
    actions.setAvailable(kRollBack, canRollBack, tr("Nothing has been written."));
    m_back->setText(tr("Back to editing"));
    m_back->setVisible(state == State::Diff || state == State::Checking || state == State::Impact ||
                       (state == State::Failed && !m_sequence.isWritten()));
    m_runbook->setText(tr("Save as runbook..."));
    m_runbook->setVisible(state != State::Idle);
    m_rollBack->setText(tr("Roll back"));
    m_rollBack->setVisible(canRollBack);
    m_rollBack->setEnabled(actions.find(kRollBack)->isEnabled());
    m_rollBack->setToolTip(actions.whyDisabled(kRollBack));
    m_next->setVisible(!m_back->isVisibleTo(this) || !isOver);
    m_next->setEnabled(state == State::Diff || isOver || (state == State::Impact && actions.find(kWrite)->isEnabled()));
    m_next->setText(state == State::Diff || state == State::Checking ? tr("Next: impact")
                    : isOver                                         ? tr("Done")
                    : m_file.isEmpty()                               ? tr("Write to the cluster")
                                                                     : tr("Write the file"));
    m_next->setToolTip(state == State::Impact ? actions.whyDisabled(kWrite) : QString());
}

void ApplySheet::showImpact() {
    const ApplyImpact& impact = m_sequence.impact();
    std::vector<Property> lines;
    lines.push_back({tr("Partitions that change hands"), numberText(impact.changedPartitions)});
    lines.push_back({tr("Their vectors"), impact.vectors ? numberText(qint64(*impact.vectors)) : unknownText()});
    lines.push_back({tr("Not findable afterwards"), rangesOrNone(impact.unfindable),
                     impact.unfindable.empty() ? Severity::Ok : Severity::Critical});
    if (!impact.unfindable.empty())
        lines.push_back({tr("Vectors not findable"),
                         impact.unfindableVectors ? numberText(qint64(*impact.unfindableVectors)) : unknownText(),
                         Severity::Critical});
    if (const QStringList untold = m_desk.draft().untoldNodes(); !untold.isEmpty())
        lines.push_back({tr("Not known"),
                         tr("%1 has not told what it holds: whether data would be left behind, nobody can say.")
                             .arg(untold.join(QStringLiteral(", "))),
                         Severity::Unknown});
    lines.push_back({tr("Nodes to restart, in this order"),
                     impact.restarts.isEmpty() ? tr("none", "nodes") : impact.restarts.join(QStringLiteral(", "))});
    if (!impact.sentences.isEmpty()) {
        lines.push_back({tr("Who gives what to whom"), {}, std::nullopt, -1, true});
        for (const QString& sentence : impact.sentences)
            lines.push_back({{}, sentence});
    }
    for (const QString& warning : impact.warnings)
        lines.push_back({tr("Warning"), warning, Severity::Warning});
    m_impact->set(lines);
}

void ApplySheet::showProgress() {
    const State state = m_sequence.state();
    std::vector<Property> lines;
    lines.push_back({tr("Map before"), shortEpoch(m_sequence.epochBefore())});
    lines.push_back({tr("Map after"), shortEpoch(m_sequence.epochAfter())});
    lines.push_back({tr("Written to"), m_file.isEmpty() ? target().coordinators.value(0).authority() : m_file});
    if (!m_sequence.backupFile().isEmpty())
        lines.push_back({tr("Backup"), m_sequence.backupFile()});
    if (state == State::Writing)
        lines.push_back({tr("Now"), tr("Writing...")});
    if (state == State::Verifying)
        lines.push_back({tr("Now"), tr("Waiting until every coordinator runs the new map...")});
    if (state == State::RollingBack)
        lines.push_back({tr("Now"), tr("Writing the old text again...")});
    if (state == State::Applied) {
        const PartitionSet& risk = m_sequence.atRiskAfter();
        lines.push_back(
            {tr("Partitions at risk"), rangesOrNone(risk), risk.empty() ? Severity::Ok : Severity::Critical});
        if (!m_sequence.impact().restarts.isEmpty())
            lines.push_back(
                {tr("Still to do"),
                 tr("Restart %1 with the new ranges.").arg(m_sequence.impact().restarts.join(QStringLiteral(", "))),
                 Severity::Warning});
    }
    if (state == State::Failed && !m_sequence.problemToken().isEmpty())
        lines.push_back({tr("Reason"), m_sequence.problemToken()});
    m_progress->set(lines);
}

void ApplySheet::close() {
    m_sequence.cancel();
    Q_EMIT closed();
}

void ApplySheet::saveRunbook() {
    const auto language =
        QLocale().language() == QLocale::Indonesian ? routing::Language::Indonesian : routing::Language::English;
    saveBytes(m_context, this, tr("Save as runbook"), QStringLiteral("config-change.md"),
              m_sequence.runbook(language).toUtf8());
}

void ApplySheet::retranslate() {
    m_steps->setTitles({tr("Diff"), tr("Impact"), tr("Write"), tr("Verify")});
    m_words->setAccessibleName(tr("The change in words"));
    m_diff->setTitles(tr("Now"), tr("Draft"));
    refresh();
}

} // namespace fremis::console::ui

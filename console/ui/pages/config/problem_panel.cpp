#include "console/ui/pages/config/problem_panel.h"

#include "console/models/routing_words.h"
#include "console/ui/widgets/data_table.h"
#include "console/ui/widgets/flow_layout.h"
#include "console/ui/widgets/info_banner.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace fremis::console::ui {

using routing::Rule;

ProblemPanel::ProblemPanel(const Theme& theme, DraftDesk& desk, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_desk(desk), m_title(new QLabel(this)),
      m_table(new DataTable(theme, m_model, QStringLiteral("config.problems"), this)), m_fixes(new QWidget(this)),
      m_fixLayout(new FlowLayout(m_fixes, space::kSmall)), m_orphans(new InfoBanner(theme, this)),
      m_acknowledge(new QCheckBox(this)) {
    QFont font = m_title->font();
    font.setWeight(QFont::DemiBold);
    m_title->setFont(font);
    m_title->setContentsMargins(space::kLarge, space::kTiny, space::kMedium, space::kTiny);
    m_table->setMinimumHeight(4 * space::kRowHeight);
    m_title->setObjectName(QStringLiteral("config.problems.title"));
    m_acknowledge->setObjectName(QStringLiteral("config.acknowledge"));
    m_orphans->setObjectName(QStringLiteral("config.orphans"));
    m_fixLayout->setContentsMargins(space::kLarge, space::kTiny, space::kMedium, space::kSmall);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_title);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_fixes);
    layout->addWidget(m_orphans);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(space::kLarge, space::kTiny, space::kMedium, space::kTiny);
    line->addWidget(m_acknowledge);
    layout->addLayout(line);
    connect(&desk.draft(), &ConfigDraft::problemsChanged, this, &ProblemPanel::refresh);
    connect(m_table, &DataTable::selectedKeysChanged, this, [this] {
        showFixes();
        if (const auto* problem = current(); problem && m_table->hasFocus())
            Q_EMIT partitionsChosen(PartitionSet(problem->partitions));
    });
    connect(m_table, &QTableView::clicked, this, [this] {
        if (const auto* problem = current())
            Q_EMIT goTo(problem->line, problem->column);
    });
    connect(m_table, &DataTable::keyActivated, this, [this] {
        if (const auto* problem = current())
            Q_EMIT goTo(problem->line, problem->column);
    });
    connect(m_acknowledge, &QCheckBox::toggled, this,
            [this](bool on) { m_desk.draft().acknowledge(on ? m_desk.draft().orphaned() : PartitionSet()); });
}

void ProblemPanel::setCompact(bool compact) {
    m_table->setVisible(!compact);
    m_fixes->setVisible(!compact && m_fixLayout->count() > 0);
    fitHeight();
}

// Without its table the panel is as high as what it has to say.
void ProblemPanel::fitHeight() {
    layout()->activate();
    setMaximumHeight(m_table->isHidden() ? layout()->sizeHint().height() : QWIDGETSIZE_MAX);
}

void ProblemPanel::walk(bool forward) {
    const int rows = m_table->proxy().rowCount();
    if (rows == 0)
        return;
    const QModelIndex now = m_table->currentIndex();
    const int row = now.isValid() ? (now.row() + (forward ? 1 : rows - 1)) % rows : forward ? 0 : rows - 1;
    m_table->selectRow(row);
    if (const auto* problem = current())
        Q_EMIT goTo(problem->line, problem->column);
}

const routing::Problem* ProblemPanel::current() const {
    const int row = m_model.rowOf(m_table->currentKey());
    return row < 0 || m_table->selectedKeys().isEmpty() ? nullptr : &m_model.problemAt(row);
}

std::optional<std::size_t> ProblemPanel::placeOf(const routing::Problem& problem) const {
    const auto& problems = m_desk.draft().problems();
    const auto found = std::find_if(problems.begin(), problems.end(), [&problem](const routing::Problem& other) {
        return std::tie(other.rule, other.line, other.column, other.message) ==
               std::tie(problem.rule, problem.line, problem.column, problem.message);
    });
    return found == problems.end() ? std::nullopt : std::optional(std::size_t(found - problems.begin()));
}

void ProblemPanel::refresh() {
    const auto& problems = m_desk.isOpen() ? m_desk.draft().problems() : std::vector<routing::Problem>();
    m_model.setProblems(problems);
    const int errors = m_model.errors();
    const auto warnings = std::count_if(problems.begin(), problems.end(), [](const routing::Problem& problem) {
        return problem.severity == routing::Severity::Warning;
    });
    if (errors == 0 && warnings == 0)
        m_title->setText(tr("No errors or warnings"));
    else
        m_title->setText(tr("Problems: %1, %2", "errors, warnings")
                             .arg(tr("%n error(s)", "", errors), tr("%n warning(s)", "", int(warnings))));
    showFixes();
    showAcknowledgement();
    fitHeight();
}

void ProblemPanel::addFix(const QString& text, std::function<void()> run) {
    auto* button = new QPushButton(text, m_fixes);
    button->setAccessibleName(tr("Quick fix: %1").arg(text));
    button->setObjectName(QStringLiteral("config.fix.%1").arg(m_fixLayout->count()));
    connect(button, &QPushButton::clicked, this, [run = std::move(run)] { run(); });
    m_fixLayout->addWidget(button);
    button->show();
}

void ProblemPanel::showFixes() {
    const auto* problem = current();
    QStringList shown;
    if (problem) {
        shown.append(m_table->currentKey());
        for (const auto& fix : problem->fixes)
            shown.append(sentenceOf(fix.label));
    }
    if (shown == m_shownFixes)
        return; // buttons keep the focus while snapshots come
    m_shownFixes = shown;
    while (QLayoutItem* item = m_fixLayout->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    if (problem)
        addFixes(*problem);
    m_fixes->setVisible(!m_table->isHidden() && m_fixLayout->count() > 0);
}

void ProblemPanel::addFixes(const routing::Problem& problem) {
    for (std::size_t fix = 0; fix < problem.fixes.size(); ++fix)
        addFix(sentenceOf(problem.fixes[fix].label), [this, problem, fix] {
            const auto place = placeOf(problem);
            report(place ? m_desk.fix(*place, fix) : base::Status());
        });
    if (problem.rule == Rule::FileChanged) {
        addFix(tr("Merge both"), [this] {
            const auto merged = m_desk.merge();
            if (!merged && merged.error().reason == base::Reason::ConfigChanged)
                Q_EMIT conflictsFound();
            else
                report(merged);
        });
        addFix(tr("Take the new one, drop the draft"), [this] { report(m_desk.reload()); });
    }
    if (problem.rule == Rule::OrphanedData || problem.rule == Rule::Imbalance)
        addFix(tr("Open the planner"), [this] { Q_EMIT plannerAsked(); });
}

void ProblemPanel::report(const base::Status& status) {
    if (!status)
        Q_EMIT failed(QString::fromStdString(status.error().message));
}

void ProblemPanel::showAcknowledgement() {
    const PartitionSet orphaned = m_desk.draft().orphaned();
    const PartitionSet missing = orphaned - m_desk.draft().acknowledged();
    const QSignalBlocker blocker(m_acknowledge);
    m_acknowledge->setVisible(!orphaned.empty());
    m_acknowledge->setChecked(!orphaned.empty() && missing.empty());
    if (orphaned.empty()) {
        m_orphans->hide();
        return;
    }
    const QString ranges = QString::fromStdString(orphaned.text());
    m_acknowledge->setText(tr("The data of partitions %1 has already been migrated").arg(ranges));
    m_acknowledge->setAccessibleName(m_acknowledge->text());
    m_orphans->show(
        missing.empty() ? Severity::Warning : Severity::Critical,
        tr("Partitions %1 would go to nodes that hold none of their vectors: their identities could not be found.")
            .arg(ranges));
}

void ProblemPanel::retranslate() {
    m_table->setAccessibleName(tr("Problems of the draft"));
    m_table->setEmptyText(tr("No errors or warnings"));
    m_model.retranslate();
    refresh();
}

} // namespace fremis::console::ui

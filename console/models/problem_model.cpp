#include "console/models/problem_model.h"

#include "console/models/routing_words.h"
#include "console/models/words.h"

#include <QMap>

#include <algorithm>

namespace fremis::console {

using namespace Qt::StringLiterals;
using Grade = routing::Severity;

namespace {

QString wordOfProblem(Grade severity) {
    switch (severity) {
    case Grade::Error:
        return ProblemModel::tr("error");
    case Grade::Warning:
        return ProblemModel::tr("warning");
    case Grade::Info:
        break;
    }
    return ProblemModel::tr("info");
}

Tone toneOfProblem(Grade severity) {
    return severity == Grade::Error ? Tone::Critical : severity == Grade::Warning ? Tone::Warning : Tone::Info;
}

Row makeRow(const routing::Problem& problem, const QString& key) {
    Row row{key, {}, false};
    const auto rule = std::string(routing::idOf(problem.rule));
    row.cells = {
        {wordOfProblem(problem.severity), static_cast<int>(problem.severity), toneOfProblem(problem.severity), {}},
        textCell(QString::fromStdString(rule)),
        problem.line > 0 ? countCell(problem.line) : Cell{u"-"_s, 0, Tone::Plain, {}},
        textCell(sentenceOf(problem.wording))};
    return row;
}

} // namespace

ProblemModel::ProblemModel(QObject* parent) : RowModel(makeColumns(), parent) {}

QList<Column> ProblemModel::makeColumns() {
    return {{"severity", tr("Severity"), false},
            {"rule", tr("Rule"), false},
            {"line", tr("Line"), true},
            {"text", tr("Problem"), false}};
}

QVariant ProblemModel::data(const QModelIndex& index, int role) const {
    if (role < FirstModelRole || !index.isValid() || index.row() >= static_cast<int>(m_problems.size()))
        return RowModel::data(index, role);
    const auto& problem = problemAt(index.row());
    QStringList fixes;
    switch (role) {
    case SeverityRole:
        return static_cast<int>(problem.severity);
    case LineRole:
        return problem.line;
    case ColumnRole:
        return problem.column;
    case FixesRole:
        for (const auto& fix : problem.fixes)
            fixes.append(sentenceOf(fix.label));
        return fixes;
    default:
        return {};
    }
}

void ProblemModel::setProblems(std::vector<routing::Problem> problems) {
    std::stable_sort(problems.begin(), problems.end(), [](const auto& a, const auto& b) {
        return std::tie(a.severity, a.line, a.column) < std::tie(b.severity, b.line, b.column);
    });
    m_problems = std::move(problems);
    refresh();
}

void ProblemModel::refresh() {
    std::vector<Row> rows;
    QMap<QString, int> seen; // the same sentence may be there twice
    for (const auto& problem : m_problems) {
        const auto name = QString::fromStdString(std::string(routing::idOf(problem.rule)) + ' ' + problem.message);
        rows.push_back(makeRow(problem, name + u' ' + QString::number(seen[name]++)));
    }
    setRows(std::move(rows));
}

const routing::Problem& ProblemModel::problemAt(int row) const {
    return m_problems[static_cast<std::size_t>(row)];
}

int ProblemModel::errors() const {
    return static_cast<int>(std::count_if(m_problems.begin(), m_problems.end(),
                                          [](const auto& problem) { return problem.severity == Grade::Error; }));
}

void ProblemModel::retranslate() {
    setTitles(makeColumns());
    refresh();
}

} // namespace fremis::console

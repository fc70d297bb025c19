#include "console/ui/panel/finding_model.h"

#include <QCoreApplication>

namespace fremis::console::ui {
namespace {

QString keyOf(const Finding& finding, int number) {
    return QStringLiteral("%1/%2").arg(number).arg(finding.subject);
}

} // namespace

QString wordOf(Severity severity) {
    switch (severity) {
    case Severity::Ok:
        return QCoreApplication::translate("Severity", "ok");
    case Severity::Info:
        return QCoreApplication::translate("Severity", "note");
    case Severity::Warning:
        return QCoreApplication::translate("Severity", "warning");
    case Severity::Critical:
        return QCoreApplication::translate("Severity", "critical");
    case Severity::Unknown:
        break;
    }
    return QCoreApplication::translate("Severity", "unknown");
}

Tone toneOf(Severity severity) {
    switch (severity) {
    case Severity::Ok:
        return Tone::Ok;
    case Severity::Info:
        return Tone::Info;
    case Severity::Warning:
        return Tone::Warning;
    case Severity::Critical:
        return Tone::Critical;
    case Severity::Unknown:
        break;
    }
    return Tone::Unknown;
}

FindingModel::FindingModel(QObject* parent) : RowModel(makeColumns(), parent) {}

QList<Column> FindingModel::makeColumns() {
    return {
        {"severity", tr("Severity"), false}, {"subject", tr("Subject"), false}, {"text", tr("What is wrong"), false}};
}

void FindingModel::setFindings(std::vector<Finding> findings) {
    m_findings = std::move(findings);
    std::vector<Row> rows;
    for (std::size_t i = 0; i < m_findings.size(); ++i) {
        const Finding& finding = m_findings[i];
        rows.push_back({keyOf(finding, int(i)),
                        {{wordOf(finding.severity), int(finding.severity), toneOf(finding.severity), {}},
                         {finding.subject, finding.subject, Tone::Plain, {}},
                         {finding.text, finding.text, Tone::Plain, finding.text}},
                        false});
    }
    setRows(std::move(rows));
}

const Finding* FindingModel::find(const QString& key) const {
    for (std::size_t i = 0; i < m_findings.size(); ++i)
        if (keyOf(m_findings[i], int(i)) == key)
            return &m_findings[i];
    return nullptr;
}

void FindingModel::retranslate() {
    setTitles(makeColumns());
}

} // namespace fremis::console::ui

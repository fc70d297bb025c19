#pragma once

#include "console/models/row_model.h"
#include "console/ui/shell/verdict.h"

namespace fremis::console::ui {

/// What is wrong now, one row each; the linear twin of the map. Columns by key: severity, subject, text.
class FindingModel final : public RowModel {
    Q_OBJECT

public:
    explicit FindingModel(QObject* parent = nullptr);
    void setFindings(std::vector<Finding> findings);
    [[nodiscard]] const std::vector<Finding>& findings() const { return m_findings; }
    [[nodiscard]] const Finding* find(const QString& key) const;
    void retranslate();

private:
    [[nodiscard]] static QList<Column> makeColumns();
    std::vector<Finding> m_findings;
};

[[nodiscard]] QString wordOf(Severity severity);
[[nodiscard]] Tone toneOf(Severity severity);

} // namespace fremis::console::ui

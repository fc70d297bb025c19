#pragma once

#include "console/models/row_model.h"
#include "shared/routing/problem.h"

namespace fremis::console {

/// Findings about a config draft, by severity and position. Columns by key: severity, rule, line, text.
class ProblemModel : public RowModel {
    Q_OBJECT
public:
    enum Role {
        SeverityRole = FirstModelRole, ///< routing::Severity as int
        LineRole,                      ///< int, from 1; 0: the file as a whole
        ColumnRole,                    ///< int, from 1
        FixesRole,                     ///< QStringList of quick fixes
    };
    explicit ProblemModel(QObject* parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    void setProblems(std::vector<routing::Problem> problems);
    [[nodiscard]] const routing::Problem& problemAt(int row) const;
    [[nodiscard]] int errors() const;
    void retranslate();

private:
    [[nodiscard]] static QList<Column> makeColumns();
    void refresh();
    std::vector<routing::Problem> m_problems;
};

} // namespace fremis::console

#pragma once

#include "console/models/problem_model.h"
#include "console/ui/pages/config/draft_desk.h"
#include "console/ui/shell/theme.h"

#include <QWidget>

class QCheckBox;
class QLabel;

namespace fremis::console::ui {

class DataTable;
class FlowLayout;
class InfoBanner;

/// What the rules say about the draft, with a button for each quick fix of the chosen problem, and the acknowledgement
/// of data that would be left behind. Thread: GUI.
class ProblemPanel final : public QWidget {
    Q_OBJECT

public:
    ProblemPanel(const Theme& theme, DraftDesk& desk, QWidget* parent = nullptr);
    /// The next or previous problem, going round.
    void walk(bool forward);
    [[nodiscard]] DataTable& table() { return *m_table; }
    /// Without the table: for views that need the room.
    void setCompact(bool compact);
    void retranslate();

Q_SIGNALS:
    /// Line and column from 1; 0: the problem is about the cluster.
    void goTo(int line, int column);
    void partitionsChosen(const fremis::hashing::PartitionSet& partitions);
    void failed(const QString& text);
    void plannerAsked();
    void conflictsFound(); ///< the draft and the new config changed the same lines

private:
    void refresh();
    void fitHeight();
    void showFixes();
    void addFixes(const routing::Problem& problem);
    void report(const base::Status& status);
    void addFix(const QString& text, std::function<void()> run);
    void showAcknowledgement();
    [[nodiscard]] const routing::Problem* current() const;
    /// Its place in ConfigDraft::problems().
    [[nodiscard]] std::optional<std::size_t> placeOf(const routing::Problem& problem) const;

    const Theme& m_theme;
    DraftDesk& m_desk;
    ProblemModel m_model;
    QLabel* m_title;
    DataTable* m_table;
    QWidget* m_fixes;
    FlowLayout* m_fixLayout;
    InfoBanner* m_orphans;
    QCheckBox* m_acknowledge;
    QStringList m_shownFixes; ///< the problem and its fixes
};

} // namespace fremis::console::ui

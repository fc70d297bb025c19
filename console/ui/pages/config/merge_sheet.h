#pragma once

#include "console/ui/pages/config/draft_desk.h"
#include "console/ui/shell/theme.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace fremis::console::ui {

class Segmented;

/// Somebody else changed the same lines of the config as the draft: both sides of each such place, and which one stays.
/// All other changes of both are kept. Thread: GUI.
class MergeSheet final : public QWidget {
    Q_OBJECT

public:
    MergeSheet(const Theme& theme, DraftDesk& desk, QWidget* parent = nullptr);
    void begin();
    [[nodiscard]] int conflicts() const { return int(m_conflicts.size()); }
    /// True: the draft's lines stay at this place.
    void choose(int conflict, bool mine);
    void merge();
    void retranslate();

Q_SIGNALS:
    void closed();
    void failed(const QString& text);

private:
    struct Conflict {
        MergePart part;
        QLabel* place = nullptr;
        Segmented* choice = nullptr;
    };
    void addConflict(const MergePart& part);

    const Theme& m_theme;
    DraftDesk& m_desk;
    QLabel* m_text;
    QWidget* m_list;
    QVBoxLayout* m_lines;
    QPushButton* m_merge;
    QPushButton* m_cancel;
    std::vector<Conflict> m_conflicts;
};

} // namespace fremis::console::ui

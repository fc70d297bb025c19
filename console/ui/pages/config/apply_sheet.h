#pragma once

#include "console/client/apply_sequence.h"
#include "console/ui/pages/config/draft_desk.h"
#include "console/ui/pages/page.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;

namespace fremis::console::ui {

class Badge;
class DiffView;
class InfoBanner;
class PropertyList;
class StepBar;

/// The way of a draft into the cluster, step by step: diff, impact, write, verify; and back by one click. Part of the
/// Configuration page, not a window over it. Thread: GUI.
class ApplySheet final : public QWidget {
    Q_OBJECT

public:
    ApplySheet(const PageContext& context, DraftDesk& desk, QWidget* parent = nullptr);

    /// Shows the diff of the draft; false while an earlier change is under way.
    bool begin();
    [[nodiscard]] const ApplySequence& sequence() const { return m_sequence; }
    void setVerifyTimes(Milliseconds interval, Milliseconds deadline) { m_sequence.setVerifyTimes(interval, deadline); }
    void retranslate();

Q_SIGNALS:
    void closed();

private:
    using State = ApplySequence::State;
    void addActions();
    void buildLayout();
    void refresh();
    /// Starts with what begin() has taken, again with the operator's word that the data has been migrated.
    bool start(bool force);
    void showVerdict();
    void showMigrated();
    void refreshSteps();
    void refreshButtons();
    void showImpact();
    void showProgress();
    void onState(State state);
    void finish(State state);
    void close();
    void saveRunbook();
    [[nodiscard]] ApplySequence::Target target() const;
    [[nodiscard]] QString verdict() const;

    const PageContext m_context;
    DraftDesk& m_desk;
    ApplySequence m_sequence;
    QByteArray m_before;
    QByteArray m_after;
    QByteArray m_etag;
    QString m_file;
    bool m_rolledBack = false;

    StepBar* m_steps;
    Badge* m_environment;
    QStackedWidget* m_pages;
    QPlainTextEdit* m_words;
    DiffView* m_diff;
    PropertyList* m_impact;
    PropertyList* m_progress;
    InfoBanner* m_verdict;
    QCheckBox* m_migrated; ///< after the coordinator has refused for data that was not moved
    QPushButton* m_back;
    QPushButton* m_runbook;
    QPushButton* m_rollBack;
    QPushButton* m_next;
};

} // namespace fremis::console::ui

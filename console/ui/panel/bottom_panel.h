#pragma once

#include "console/models/event_model.h"
#include "console/ui/panel/call_model.h"
#include "console/ui/panel/finding_model.h"
#include "console/ui/shell/session.h"
#include "console/ui/shell/theme.h"

#include <QWidget>

class QStackedWidget;
class QToolButton;

namespace fremis::console::ui {

class DataTable;
class FilterLine;
class StatusStrip;

/// Activity, Problems, Events and Log, opened by the tabs in the status line. Thread: GUI.
class BottomPanel final : public QWidget {
    Q_OBJECT

public:
    enum Tab { Activity, Problems, Events, Log };

    BottomPanel(Session& session, const Theme& theme, StatusStrip& tabs, QWidget* parent = nullptr);
    void setSnapshot(const SnapshotPtr& snapshot);
    /// What the console itself did or was told; stays until dismissed, errors also over a restart.
    void addActivity(Severity severity, const QString& text, const QString& details);
    /// The same of what is among the events already.
    void addKnownActivity(Severity severity, const QString& text);
    void openTab(Tab tab);
    [[nodiscard]] Tab currentTab() const { return m_tab; }

Q_SIGNALS:
    void findingActivated(const fremis::console::ui::Finding& finding);
    void openChanged(bool open);
    void exportAsked(const QString& name, const QByteArray& csv);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    [[nodiscard]] Event made(Severity severity, const QString& text) const;
    void take(const Event& event);
    void keepErrors() const;
    void restoreErrors();
    void exportTable();
    DataTable* addTable(QAbstractItemModel& model, const QString& name);
    void refreshTabs();
    void retranslate();
    [[nodiscard]] DataTable& currentTable() const;

    Session& m_session;
    const Theme& m_theme;
    StatusStrip& m_tabs;
    EventLog m_activity;
    EventModel m_activityModel;
    FindingModel m_findings;
    EventModel m_events;
    CallModel m_calls;
    FilterLine* m_filter;
    QToolButton* m_utc;
    QToolButton* m_export;
    QToolButton* m_follow;
    QToolButton* m_clear;
    QToolButton* m_close;
    QStackedWidget* m_stack;
    std::vector<DataTable*> m_tables;
    Tab m_tab = Problems;
    int m_errors = 0;
};

} // namespace fremis::console::ui

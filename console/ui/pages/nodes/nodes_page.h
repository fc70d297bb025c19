#pragma once

#include "console/models/compare_model.h"
#include "console/models/node_model.h"
#include "console/ui/pages/page.h"
#include "console/ui/panel/call_model.h"

class QTabWidget;
class QToolButton;

namespace fremis::console::ui {

class DataTable;
class FilterLine;
class PropertyList;
class ShareBars;

/// All nodes: balance on top, the table, what is known of the chosen one below, and whether it may be stopped.
/// Thread: GUI.
class NodesPage final : public Page {
    Q_OBJECT

public:
    NodesPage(const PageContext& context, QWidget* parent);
    void focusFilter() override;
    void exportCsv() override;
    void saveLayout(QSettings& settings) const override;
    [[nodiscard]] QString stopVerdict() const; ///< of the chosen node, in words
    [[nodiscard]] const CompareModel& comparison() const { return m_comparison; }

protected:
    void showSnapshot(const Snapshot& snapshot) override;
    void showSelection(const Selection& selection) override;
    void showStale(bool stale) override;
    std::optional<Placeholder> placeholder(const Snapshot& snapshot) const override;
    void onPlaceholderAction() override { context().open(QStringLiteral("config")); }
    void retranslate() override;

private:
    enum Tab { Stop, Partitions, ResourcesTab, Requests, ConfigTab, Compare };

    void addActions();
    void buildTabs();
    void refreshDetails();
    void refreshActions();
    void showResources(const NodeView& node);
    void showConfig(const NodeView& node);
    void showComparison();
    void rename();
    void toggleMaintenance();
    void copyCurl() const;
    [[nodiscard]] const NodeView* chosen() const;

    NodeModel m_model;
    CompareModel m_comparison;
    CallModel m_calls;
    DataTable* m_table;
    FilterLine* m_filter;
    ShareBars* m_shares;
    QTabWidget* m_tabs;
    PropertyList* m_stop;
    PropertyList* m_resources;
    PropertyList* m_partitions;
    PropertyList* m_config;
    DataTable* m_requests;
    DataTable* m_compareTable;
    QToolButton* m_menu;
    QAction* m_curl;
    QAction* m_onMap;
    QString m_node;
};

} // namespace fremis::console::ui

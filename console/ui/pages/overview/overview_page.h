#pragma once

#include "console/models/event_model.h"
#include "console/models/node_model.h"
#include "console/ui/pages/page.h"
#include "console/ui/shell/verdict.h"

class QPushButton;

namespace fremis::console::ui {

class DataTable;
class MiniMap;
class PanelCard;
struct Property;
class PropertyList;
class VerdictCard;

/// Is anyone unfindable now, and what will break next? Thread: GUI.
class OverviewPage final : public Page {
    Q_OBJECT

public:
    OverviewPage(const PageContext& context, QWidget* parent);
    [[nodiscard]] QString verdict() const;
    void exportCsv() override;
    void highlight(const PartitionSet& partitions) override;
    void saveLayout(QSettings& settings) const override;

protected:
    void showSnapshot(const Snapshot& snapshot) override;
    void showSelection(const Selection& selection) override;
    void showStale(bool stale) override;
    void retranslate() override;

private:
    void connectParts();
    [[nodiscard]] std::vector<Property> heaviestPartitions(const Snapshot& snapshot) const;
    [[nodiscard]] std::vector<Property> nearestLimits(const Snapshot& snapshot) const;
    [[nodiscard]] std::vector<Property> slowestNode(const Snapshot& snapshot) const;

    NodeModel m_nodes;
    EventModel m_events;
    VerdictCard* m_verdict;
    MiniMap* m_map;
    DataTable* m_table;
    DataTable* m_eventTable;
    PropertyList* m_heaviest;
    PropertyList* m_limits;
    PanelCard* m_mapCard;
    PanelCard* m_nodesCard;
    PanelCard* m_heaviestCard;
    PanelCard* m_limitsCard;
    PanelCard* m_eventsCard;
    std::optional<Finding> m_finding;
};

} // namespace fremis::console::ui

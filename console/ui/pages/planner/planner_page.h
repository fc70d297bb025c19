#pragma once

#include "console/client/plan_adapter.h"
#include "console/client/plan_wishes.h"
#include "console/models/partition_map_model.h"
#include "console/models/plan_model.h"
#include "console/models/plan_node_model.h"
#include "console/ui/pages/page.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSlider;
class QSpinBox;

namespace fremis::console::ui {

class DataTable;
class InfoBanner;
class Legend;
class PageStack;
class PartitionMapView;
class PropertyList;
class Segmented;

/// From one map to a better one with the fewest moves: wishes and figures on the left, the map step by step, the moves
/// and what they mean for each node on the right. The plan goes into the Configuration's draft or into files. Thread:
/// GUI.
class PlannerPage final : public Page {
    Q_OBJECT

public:
    enum class Start { Live, Draft, File };
    enum class View { Map, Moves, Nodes };

    PlannerPage(const PageContext& context, QWidget* parent);

    [[nodiscard]] PlanWishes& wishes() { return m_wishes; }
    [[nodiscard]] const std::optional<routing::Plan>& plan() const { return m_adapter.outcome().plan; }
    [[nodiscard]] bool isComputing() const { return m_adapter.isComputing(); }
    void setStart(Start start);
    void setView(View view);
    /// Plans again with the wishes as they are.
    void replan();
    /// Pins these partitions to a node, besides what is pinned already.
    void prepareMove(const PartitionSet& partitions, const QString& address);
    void exportCsv() override;
    void exportPng() override;
    void saveLayout(QSettings& settings) const override;
    void highlight(const PartitionSet& partitions) override;

protected:
    void showSnapshot(const Snapshot& snapshot) override;
    void showSelection(const Selection& selection) override;
    void showStale(bool stale) override;
    std::optional<Placeholder> placeholder(const Snapshot& snapshot) const override;
    [[nodiscard]] bool needsConnection() const override { return m_start != Start::File; }
    void retranslate() override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void addActions();
    void buildTools();
    [[nodiscard]] QWidget* makeWishes();
    [[nodiscard]] QLayout* makeForm();
    [[nodiscard]] QWidget* makeResult();
    void connectParts();
    void takeStart(const routing::PartitionMap& map);
    void refreshStart();
    void takePlan(const PlanOutcome& outcome);
    void showFigures();
    void showStep();
    void refreshActions();
    void addNode();
    void setFate(NodeFate fate);
    void askWeight();
    void takePins();
    void openStartFile();
    void sendToDraft();
    void saveRunbook(routing::Language language);
    void saveJson();
    void fillChoices();
    void report(const base::Status& status);
    [[nodiscard]] QString summary() const;
    [[nodiscard]] QString headline(const PlanOutcome& outcome) const;
    [[nodiscard]] bool changesSomething() const;
    [[nodiscard]] std::optional<routing::PartitionVectors> vectors() const;

    PlanWishes m_wishes;
    PlanAdapter m_adapter;
    PlanModel m_moves;
    PlanNodeModel m_nodes;
    PlanNodeModel m_nodeFigures;
    PartitionMapModel m_mapModel;
    Start m_start = Start::Live;
    std::optional<routing::PartitionMap> m_fileMap;
    QString m_startEpoch;
    std::optional<routing::PartitionVectors> m_vectors; ///< those of the shown plan's request
    bool m_before = false;

    Segmented* m_startChoice;
    DataTable* m_wishTable;
    QLabel* m_replicationLabel;
    QSpinBox* m_replication;
    QLabel* m_modeLabel;
    QComboBox* m_mode;
    QLabel* m_objectiveLabel;
    QComboBox* m_objective;
    QLabel* m_capLabel;
    QSpinBox* m_cap;
    QLabel* m_rateLabel;
    QSpinBox* m_rate;
    QLabel* m_pinsLabel;
    QLineEdit* m_pins;
    PropertyList* m_figures;
    InfoBanner* m_headline;
    QLabel* m_advice;
    Segmented* m_viewChoice;
    Segmented* m_sideChoice;
    QSlider* m_step;
    QLabel* m_stepLabel;
    PageStack* m_views;
    PartitionMapView* m_map;
    Legend* m_legend;
    DataTable* m_moveTable;
    DataTable* m_nodeTable;
    QMenu* m_save;
};

} // namespace fremis::console::ui

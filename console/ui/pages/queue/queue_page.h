#pragma once

#include "console/models/queue_model.h"
#include "console/ui/pages/page.h"

#include <map>

namespace fremis::console::ui {

class DataTable;
class FilterLine;
class InfoBanner;
class PropertyList;
class TimeSeriesView;

/// Writes that wait for nodes which were down: how many, how old, how fast they leave. Thread: GUI.
class QueuePage final : public Page {
    Q_OBJECT

public:
    QueuePage(const PageContext& context, QWidget* parent);
    void focusFilter() override;
    void exportCsv() override;
    void saveLayout(QSettings& settings) const override;

protected:
    void showSnapshot(const Snapshot& snapshot) override;
    void showSelection(const Selection& selection) override;
    void showStale(bool stale) override;
    std::optional<Placeholder> placeholder(const Snapshot& snapshot) const override;
    void retranslate() override;

private:
    void addActions();
    void refreshActions();
    void act(const QString& what);
    void discard();
    void showSums(const Snapshot& snapshot);
    void showDetails();
    void showLagging(const Snapshot& snapshot);
    void showChart(const Snapshot& snapshot);

    QueueModel m_model;
    DataTable* m_table;
    FilterLine* m_filter;
    TimeSeriesView* m_chart;
    PropertyList* m_sums;
    PropertyList* m_details;
    InfoBanner* m_lagging;
    std::map<QString, Instant> m_laggingSince; ///< by address
    QString m_node;
};

} // namespace fremis::console::ui

#pragma once

#include "console/ui/pages/metrics/series_table_model.h"
#include "console/ui/pages/page.h"

class QScrollArea;
class QStackedWidget;
class QToolButton;

namespace fremis::console::ui {

class DataTable;
class Segmented;

/// Small multiples over one axis of time: what happened together. Thread: GUI.
class MetricsPage final : public Page {
    Q_OBJECT

public:
    enum class View { PerNode, Sum, MeanAndMost };

    MetricsPage(const PageContext& context, QWidget* parent);
    void exportCsv() override;
    void exportPng() override;
    void saveLayout(QSettings& settings) const override;
    [[nodiscard]] TimeSeriesView& chart(Metric metric);
    [[nodiscard]] bool showsTables() const { return m_tables; }

protected:
    void showSnapshot(const Snapshot& snapshot) override;
    void showSelection(const Selection& selection) override;
    void showStale(bool stale) override;
    void retranslate() override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Panel {
        Metric metric;
        QStackedWidget* stack;
        TimeSeriesView* chart;
        SeriesTableModel* model;
        DataTable* table;
    };
    void addPanel(Metric metric, QWidget* holder, int number);
    void buildTools();
    void refresh();
    void setTables(bool tables);
    void showCrosshair(std::optional<qint64> time);
    void brush(qint64 from, qint64 to);
    void unzoom();
    [[nodiscard]] TimeRange shownRange(const Snapshot& snapshot) const;
    [[nodiscard]] std::vector<TimeSeriesView::Series> seriesOf(Metric metric, const Snapshot& snapshot,
                                                               TimeRange range) const;
    [[nodiscard]] QString titleOf(Metric metric) const;
    [[nodiscard]] QString unitOf(Metric metric) const;

    /// What the charts show; nothing: they are to be drawn anew.
    struct Drawn {
        quint64 generation = 0;
        std::optional<Instant> tick;
        std::size_t events = 0;
        bool operator==(const Drawn&) const = default;
    };

    std::optional<Drawn> m_drawn;
    std::vector<Panel> m_panels;
    Segmented* m_range;
    Segmented* m_view;
    QToolButton* m_unzoom;
    bool m_tables = false;
    std::optional<qint64> m_pinned;
};

} // namespace fremis::console::ui

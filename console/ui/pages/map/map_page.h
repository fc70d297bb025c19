#pragma once

#include "console/models/partition_map_model.h"
#include "console/ui/pages/page.h"
#include "console/ui/views/partition_delegate.h"

class QLineEdit;
class QMenu;
class QToolButton;

namespace fremis::console::ui {

class Finder;
class Legend;
class PartitionMapView;
class Segmented;

/// The key space on one screen: owner, load, health, queue of all 256 partitions. Thread: GUI.
class MapPage final : public Page {
    Q_OBJECT

public:
    MapPage(const PageContext& context, QWidget* parent);

    void setLens(Lens lens);
    [[nodiscard]] PartitionMapView& view() { return *m_view; }
    [[nodiscard]] Finder& finder() { return *m_finder; }
    void focusFilter() override;
    void exportCsv() override;
    void exportPng() override;
    void highlight(const PartitionSet& partitions) override;
    void saveLayout(QSettings& settings) const override;
    [[nodiscard]] QByteArray csv() const;
    [[nodiscard]] QImage picture() const; ///< twice as fine as the screen, with legend and time

protected:
    void showSnapshot(const Snapshot& snapshot) override;
    void showSelection(const Selection& selection) override;
    void showStale(bool stale) override;
    void retranslate() override;

private:
    void buildTools();
    void connectParts();
    void applyFilter();
    void refreshLegend();
    void showMenu(const QPoint& at);
    void addOwnerMenus(QMenu& menu, const PartitionSet& chosen);
    void assign(const PartitionSet& partitions, const routing::Address& node);
    void copyNumbers() const;
    void copyConfigRanges() const;

    PartitionMapModel m_model;
    PartitionMapView* m_view;
    Legend* m_legend;
    Finder* m_finder;
    Segmented* m_lens;
    QLineEdit* m_filter;
    QToolButton* m_find;
    QToolButton* m_more;
    QAction* m_logarithmic;
    QAction* m_hexadecimal;
};

} // namespace fremis::console::ui

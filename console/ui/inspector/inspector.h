#pragma once

#include "console/client/history.h"
#include "console/client/selection.h"
#include "console/client/snapshot.h"
#include "console/ui/shell/theme.h"
#include "console/ui/widgets/property_list.h"

#include <QScrollArea>

class QLabel;

namespace fremis::console::ui {

/// Details of what is selected: a partition, several, or a node. Thread: GUI.
class Inspector final : public QScrollArea {
    Q_OBJECT

public:
    Inspector(const Theme& theme, const SelectionKeeper& selection, QWidget* parent = nullptr);
    void setSnapshot(const SnapshotPtr& snapshot, Instant now);
    [[nodiscard]] QString heading() const;
    [[nodiscard]] const std::vector<Property>& properties() const { return m_list->properties(); }
    [[nodiscard]] QSize sizeHint() const override { return {300, 400}; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    const Theme& m_theme;
    const SelectionKeeper& m_selection;
    SnapshotPtr m_snapshot;
    Instant m_now{0};
    QLabel* m_heading;
    PropertyList* m_list;
};

/// The lines of the inspector; pure, for tests and for "Why?".
[[nodiscard]] std::vector<Property> partitionProperties(const Snapshot& snapshot, Partition partition, Instant now);
[[nodiscard]] std::vector<Property> partitionsProperties(const Snapshot& snapshot, const PartitionSet& partitions);
[[nodiscard]] std::vector<Property> nodeProperties(const Snapshot& snapshot, const NodeView& node, Instant now);

} // namespace fremis::console::ui

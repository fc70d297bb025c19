#pragma once

#include "console/client/snapshot.h"
#include "console/ui/shell/action_registry.h"
#include "console/ui/shell/theme.h"

#include <QAbstractButton>
#include <QWidget>

class QToolButton;

namespace fremis::console::ui {

class AgeLabel;
class FlowLayout;

/// A count of the cluster bar, like "26 at risk": muted at 0, coloured with an icon else. Thread: GUI.
class CountButton final : public QAbstractButton {
    Q_OBJECT

public:
    CountButton(const Theme& theme, const QString& name, QWidget* parent);
    /// `label` comes before the value, muted. `alarming`: in the colour of `severity`, with its icon.
    void set(const QString& label, const QString& value, Severity severity, bool alarming);
    [[nodiscard]] QString value() const { return m_value; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void hovered(bool inside);

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    const Theme& m_theme;
    QString m_label;
    QString m_value;
    Severity m_severity = Severity::Ok;
    bool m_alarming = false;
    bool m_hovered = false;
};

/// Nodes, partitions, queue and age, always visible. A count leads to its cells on the map. Thread: GUI.
class ClusterBar final : public QWidget {
    Q_OBJECT

public:
    ClusterBar(const Theme& theme, ActionRegistry& actions, QWidget* parent = nullptr);
    void setSnapshot(const SnapshotPtr& snapshot, bool connected);
    void setAge(std::optional<Milliseconds> age, Milliseconds staleAfter);

Q_SIGNALS:
    void partitionsChosen(const fremis::hashing::PartitionSet& partitions);
    void partitionsHovered(const fremis::hashing::PartitionSet& partitions); ///< empty: no more
    void nodesChosen();
    void queueChosen();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void addClassButton(PartitionClass partition, const QString& name, FlowLayout* layout);

    const Theme& m_theme;
    SnapshotPtr m_snapshot;
    bool m_connected = false;
    CountButton* m_nodes;
    std::vector<std::pair<PartitionClass, CountButton*>> m_classes;
    CountButton* m_queue;
    AgeLabel* m_age;
};

} // namespace fremis::console::ui

#pragma once

#include "console/client/snapshot.h"
#include "console/ui/shell/action_registry.h"

#include <QDialog>

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace fremis::console::ui {

class Theme;

/// Finds actions and pages by any of their words; "p 182" or "p 101-149" selects partitions, "n worker-7" a node, "k
/// name" a keyspace, "f keyspace id" the partition of a face. Thread: GUI.
class CommandPalette final : public QDialog {
    Q_OBJECT

public:
    struct Targets {
        std::function<void(const PartitionSet&)> partitions;
        std::function<void(const QString& node)> node;
        std::function<void(const QString& keyspace)> keyspace;
        std::function<void(const QString& keyspace, const QString& face)> face;
    };
    CommandPalette(const Theme& theme, ActionRegistry& actions, SnapshotPtr snapshot, Targets targets, QWidget* parent);
    [[nodiscard]] QStringList shown() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Command {
        QString text;
        QString detail; ///< keys, or why it cannot be run
        bool enabled = true;
        std::function<void()> run;
        QString id; ///< of an action
    };
    void refresh();
    [[nodiscard]] std::vector<Command> commandsFor(const QString& query) const;
    [[nodiscard]] std::vector<Command> objectsFor(const QString& query) const;
    void run(int row);

    ActionRegistry& m_actions;
    SnapshotPtr m_snapshot;
    Targets m_targets;
    QLineEdit* m_line;
    QListWidget* m_list;
    std::vector<Command> m_commands;
};

} // namespace fremis::console::ui

#pragma once

#include "console/client/cluster_client.h"
#include "console/client/event_log.h"
#include "console/client/history.h"
#include "console/client/profile.h"
#include "console/client/selection.h"
#include "console/client/snapshot.h"
#include "console/ui/shell/action_registry.h"
#include "console/ui/shell/dialogs.h"
#include "console/ui/shell/theme.h"
#include "console/ui/widgets/flow_layout.h"
#include "console/ui/widgets/state_stack.h"
#include "shared/base/clock.h"

#include <QWidget>

#include <functional>
#include <optional>

class QLabel;
class QSettings;

namespace fremis::console::ui {

class DraftDesk;
class InfoBanner;

/// What pages are made with; all of it outlives them. Views read snapshots and the selection and nothing else; a
/// presenter that must call the cluster does it through `client`.
struct PageContext {
    const Theme& theme;
    ActionRegistry& actions;
    Dialogs& dialogs;
    SelectionKeeper& selection;
    ClusterClient& client;
    const History& history;
    const base::Clock& clock;
    EventLog& events;
    DraftDesk& desk;                               ///< the draft of the cluster's config
    std::function<Profile()> profile;              ///< the connected one
    std::function<void(const QString& page)> open; ///< goes to a page
    /// To the planner, which is to give these partitions to a node.
    std::function<void(const PartitionSet&, const QString& address)> prepareMove;
    std::function<void()> connectDialog; ///< "Connect..."
    /// Success as a toast, failure as a card; both stay in Activity.
    std::function<void(Severity, const QString& text, const QString& details)> notify;
    std::function<void()> refresh;                              ///< asks the cluster anew, after a change
    std::function<void(const QString& page, bool marked)> mark; ///< unsaved changes, in the rail
    /// Names and marks of the connected profile; kept with it.
    std::function<void(const std::function<void(Profile&)>&)> changeProfile;
    std::function<std::vector<CallRecord>(const QString& address)> callsTo; ///< the last of a node, oldest first
    std::function<void(const QString& address)> planWithout;                ///< a plan that empties the node
};

/// One page: heading with its tools, strips (paused, stale, partial), and a StateStack over its content. Thread: GUI.
class Page : public QWidget {
    Q_OBJECT

public:
    /// `id`: "map"; names in the page begin with it.
    Page(const PageContext& context, const QString& id, QWidget* parent);

    [[nodiscard]] const QString& id() const { return m_id; }
    /// Null: not connected, or nothing has come yet (`connected` tells which). Only the visible page gets snapshots.
    void setSnapshot(const SnapshotPtr& snapshot, bool connected);
    /// Once a second: ages, and what has become stale meanwhile.
    void tick();
    [[nodiscard]] const StateStack& states() const { return *m_states; }
    [[nodiscard]] QString strip() const; ///< text of the strip, empty when none is shown
    virtual void focusFilter() {}
    /// Partitions that the pointer is over elsewhere; empty: no more.
    virtual void highlight(const PartitionSet&) {}
    virtual void saveLayout(QSettings&) const {}
    virtual void exportCsv() {}
    virtual void exportPng() {}

protected:
    struct Placeholder {
        StateStack::State state;
        QString text;
        QString action;
        QString details;
    };

    /// Once, in the constructor. What does not fit in height is scrolled.
    void setContent(QWidget* content);
    /// Right of the heading, or below it where there is no room.
    [[nodiscard]] FlowLayout& tools() { return *m_tools; }
    void setTitle(const QString& title);

    /// Each new snapshot, also when a placeholder covers the content.
    virtual void showSnapshot(const Snapshot& snapshot) = 0;
    virtual void showSelection(const Selection&) {}
    /// Stands in for the content when a snapshot cannot be shown: empty, not offered, error.
    virtual std::optional<Placeholder> placeholder(const Snapshot&) const { return std::nullopt; }
    virtual void onPlaceholderAction() {}
    /// False: the page is of use without a connection (like a file that is edited).
    [[nodiscard]] virtual bool needsConnection() const { return true; }
    /// Data are older than three intervals: numbers are dimmed.
    virtual void showStale(bool) {}
    /// All texts; called after construction too.
    virtual void retranslate() = 0;

    [[nodiscard]] const PageContext& context() const { return m_context; }
    [[nodiscard]] const SnapshotPtr& snapshot() const { return m_snapshot; }
    [[nodiscard]] Instant now() const { return m_context.clock.sinceEpoch(); }

    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void refreshStates();
    void refreshStrip();

    const PageContext m_context;
    const QString m_id;
    SnapshotPtr m_snapshot;
    bool m_connected = false;
    bool m_stale = false;
    bool m_translated = false;
    QLabel* m_title;
    FlowLayout* m_tools;
    InfoBanner* m_banner;
    StateStack* m_states = nullptr;
};

/// When anything of the cluster was last heard; nothing when never.
[[nodiscard]] std::optional<Instant> lastHeard(const Snapshot& snapshot);
/// Nodes that answered: themselves or by the coordinator's word.
[[nodiscard]] int answeredNodes(const Snapshot& snapshot);

} // namespace fremis::console::ui

#pragma once

#include "console/client/alert_engine.h"
#include "console/client/cluster_client.h"
#include "console/client/event_log.h"
#include "console/client/history.h"
#include "console/client/poller.h"
#include "console/client/profile_store.h"
#include "console/client/secret_store.h"
#include "console/client/selection.h"
#include "console/client/snapshot_file.h"
#include "console/ui/shell/snapshot_events.h"

#include <QObject>

#include <deque>

namespace fremis::console::ui {

/// The connection of a window and everything that outlives its pages. Thread: GUI.
class Session : public QObject {
    Q_OBJECT

public:
    static constexpr std::size_t kCalls = 2000;

    /// What it is made of; all of it outlives the session.
    struct Parts {
        Transport& transport;
        const base::Clock& clock;
        SecretStore& secrets;
        ProfileStore& profiles;
        bool ticksItself = true; ///< false: a test calls poller().tick()
    };
    explicit Session(const Parts& parts, QObject* parent = nullptr);

    /// Leaves the cluster so far. Key pair: of the SecretStore, or `keys`.
    void open(const Profile& profile, const std::optional<KeyPair>& keys = std::nullopt);
    /// Shows what was saved of a cluster instead of a live one; leaves the cluster so far. close() ends it.
    void openRecorded(const RecordedSnapshot& recorded);
    void close();
    /// Names, marks and the like; the connection stays. Written to the store when the profile is one of it.
    [[nodiscard]] base::Status changeProfile(const std::function<void(Profile&)>& change);
    [[nodiscard]] bool isOpen() const { return isRecorded() || m_poller.isConnected(); }
    [[nodiscard]] bool isRecorded() const { return m_recorded != nullptr; }
    /// The answers behind the present snapshot as a file; empty while there is none, or when it is recorded.
    [[nodiscard]] QByteArray snapshotFile() const;
    [[nodiscard]] const Profile& profile() const { return m_profile; }
    [[nodiscard]] SnapshotPtr snapshot() const { return m_recorded ? m_recorded : m_poller.snapshot(); }

    [[nodiscard]] ClusterClient& client() { return m_client; }
    [[nodiscard]] Poller& poller() { return m_poller; }
    [[nodiscard]] const History& history() const { return m_history; }
    [[nodiscard]] SelectionKeeper& selection() { return m_selection; }
    [[nodiscard]] ProfileStore& profiles() { return m_parts.profiles; }
    [[nodiscard]] SecretStore& secrets() { return m_parts.secrets; }
    [[nodiscard]] EventLog& events() { return m_events; }
    [[nodiscard]] AlertEngine& alerts() { return m_alerts; }
    [[nodiscard]] const base::Clock& clock() const { return m_parts.clock; }
    [[nodiscard]] Instant now() const { return m_parts.clock.sinceEpoch(); }
    [[nodiscard]] const std::deque<CallRecord>& calls() const { return m_calls; }

Q_SIGNALS:
    void opened();
    void closed();
    void snapshotReady(const fremis::console::SnapshotPtr& snapshot);
    void called(const fremis::console::CallRecord& record);

private:
    const Parts m_parts;
    History m_history;
    SelectionKeeper m_selection;
    EventLog m_events;
    SnapshotEvents m_watch;
    AlertEngine m_alerts;
    std::deque<CallRecord> m_calls;
    ClusterClient m_client;
    AnswerKeeper m_answers;
    Poller m_poller;
    Profile m_profile;
    SnapshotPtr m_recorded;
};

} // namespace fremis::console::ui

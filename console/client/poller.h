#pragma once

#include "console/client/cluster_client.h"
#include "console/client/history.h"
#include "console/client/profile.h"
#include "console/client/snapshot_builder.h"
#include "shared/base/clock.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <map>
#include <set>
#include <span>

namespace fremis::console {

/// Asks a cluster's coordinators and workers in turn and makes snapshots of what they say, at most two a second. One
/// request of a kind is under way for each program and at most three in all; a program that does not answer is asked
/// again after 2, 4, 8, then every 30 seconds. Thread: GUI.
class Poller : public QObject {
    Q_OBJECT
public:
    static constexpr Milliseconds kLeastBetweenSnapshots{500};
    static constexpr int kCallsPerProgram = 3;

    /// The arguments outlive it. With `ticksItself` false nothing happens by itself: the owner calls tick().
    Poller(ClusterClient& client, const base::Clock& clock, History& history, bool ticksItself = true,
           QObject* parent = nullptr);
    ~Poller() override;

    /// Forgets the cluster so far, drops its late answers and begins with this one.
    void connectTo(const Profile& profile);
    void disconnectAll();
    [[nodiscard]] bool isConnected() const { return m_connected; }
    [[nodiscard]] const Profile& profile() const { return m_profile; }

    /// Names and marks of nodes, without a new connection.
    void setNodeMarks(const QHash<QString, QString>& aliases, const QStringList& maintenance);
    void setInterval(Milliseconds interval); ///< 500 ms .. 10 min
    void pause();
    void resume();
    [[nodiscard]] bool isPaused() const { return m_paused; }
    /// Everything is due now, also while paused and backed off.
    void refreshNow();

    /// The last one; null before the first.
    [[nodiscard]] SnapshotPtr snapshot() const { return m_snapshot; }
    [[nodiscard]] const Observations& observations() const { return m_seen; }
    /// Sends what is due and makes the snapshot that is due.
    void tick();

Q_SIGNALS:
    void snapshotReady(const fremis::console::SnapshotPtr& snapshot);
    void pausedChanged(bool paused);
    void connectedChanged(bool connected);

private:
    using SteadyTime = std::chrono::steady_clock::time_point;
    enum class Kind { Health, Load, Resources, Status, Nodes, Queue, Config, Keyspaces, Limits };
    struct Program { ///< a coordinator or worker, by its id
        QUrl url;
        bool isCoordinator = false;
        std::map<Kind, SteadyTime> dueAt;
        std::set<Kind> running;
        int failures = 0;
        SteadyTime notBefore{};
    };

    void addProgram(const QString& id, const QUrl& url, bool isCoordinator);
    void followNodes();
    void askDue(const QString& id, Program& program);
    void ask(const QString& id, const Program& program, Kind kind);
    /// Takes note of the end of a call, then lets `use` have what came.
    template<class T, class Use> CallDone<T> answerTo(const QString& id, Kind kind, Use use);
    void noteAnswer(const QString& id, Kind kind, Milliseconds took);
    void noteFailure(const QString& id, Kind kind, const CallFailure& failure);
    void noteOutage(const QString& id, const CallFailure& failure);
    void noteCall(const CallRecord& record);
    void takeHealth(const QString& id, const Health& health);
    [[nodiscard]] CoordinatorObservation* coordinatorOf(const QString& id);
    void takeQueue(ClusterQueue queue);
    void takeConfig(const RunningConfig& running);
    void readConfigFile();
    void publish();
    void recordHistory();
    [[nodiscard]] Milliseconds intervalOf(Kind kind) const;
    [[nodiscard]] std::span<const Kind> kindsOf(const QString& id, const Program& program) const;
    [[nodiscard]] bool isPrimary(const QString& id) const;

    ClusterClient& m_client;
    const base::Clock& m_clock;
    History& m_history;
    QTimer m_timer;
    Profile m_profile;
    Observations m_seen;
    std::map<QString, Program> m_programs;
    SnapshotPtr m_snapshot;
    SteadyTime m_publishedAt{};
    SteadyTime m_recordedAt{};
    SteadyTime m_fileReadAt{};
    bool m_connected = false;
    bool m_paused = false;
    bool m_dirty = false;
};

} // namespace fremis::console

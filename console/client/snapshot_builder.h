#pragma once

#include "console/client/call.h"
#include "console/client/profile.h"
#include "console/client/snapshot.h"

#include <deque>
#include <map>

namespace fremis::console {

/// What the polls of one worker have brought so far.
struct NodeObservation {
    Known<Health> health;
    Known<std::shared_ptr<const VectorLoad>> load;
    Known<Resources> resources;
    std::optional<Milliseconds> clockSkew;
    std::optional<Instant> lastAnswerAt;
    QString lastError; ///< of the last poll, empty when it was answered
    int failedPolls = 0;
    std::optional<Instant> nextTryAt;
    std::deque<Milliseconds> latencies; ///< of the last 50 answered polls
    std::deque<CallRecord> calls;       ///< the last 50, newest last
};

struct CoordinatorObservation {
    QUrl url;
    Known<Health> health;
    Known<ClusterStatus> status;
    QString lastError;
    int failedPolls = 0;
    std::optional<Milliseconds> took;
};

/// Everything that has been read from a cluster; grows old but is never taken back.
struct Observations {
    std::vector<CoordinatorObservation> coordinators;
    std::map<QString, NodeObservation> nodes; ///< by address as the config writes it
    Known<std::shared_ptr<const ConfigView>> config;
    Known<ClusterNodes> told;
    Known<ClusterQueue> queue;
    std::map<QString, double> queueRates;
    Known<Keyspaces> keyspaces;
    Known<Limits> limits;
    QStringList notOffered;
};

/// Makes a snapshot out of what is known. `before`: the last one of the same connection, for "since when"; may be null.
[[nodiscard]] SnapshotPtr makeSnapshot(const Observations& seen, const Profile& profile, Instant now,
                                       const SnapshotPtr& before);

/// The view of a config.yml. Fails with Reason::InvalidConfig when its text cannot be used.
[[nodiscard]] base::Result<std::shared_ptr<const ConfigView>> configViewOf(const RunningConfig& running);
[[nodiscard]] base::Result<std::shared_ptr<const ConfigView>> configViewOfFile(const QString& path);

} // namespace fremis::console

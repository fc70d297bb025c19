#pragma once

#include "console/client/cluster_replies.h"
#include "console/client/known.h"
#include "shared/routing/cluster_config.h"
#include "shared/routing/partition_map.h"

#include <QMetaType>
#include <QString>
#include <QStringList>
#include <QUrl>

#include <array>
#include <memory>
#include <vector>

namespace fremis::console {

using base::Partition;

/// Ok = ACTIVE and in use; Degraded = suspect, or worker and coordinator disagree about it.
enum class NodeState { Ok, Loading, CatchingUp, Degraded, Draining, Down, Unknown };
/// AtRisk: owners, but none healthy. Thin: fewer healthy ones than expected. Over: more owners than R. Gap: no owner.
enum class PartitionClass { Ok, Thin, AtRisk, Gap, Over, Unknown };
inline constexpr int kPartitionClasses = 6;

[[nodiscard]] QString wordOf(NodeState state);          ///< translated: "catching up"
[[nodiscard]] QString wordOf(PartitionClass partition); ///< translated: "at risk"

struct NodeView {
    QString address;          ///< as the config writes it: its id everywhere
    QString name;             ///< the operator's alias, else the config's name; may be empty
    QUrl url;                 ///< where it is reached from here
    bool isConfigured = true; ///< false: it answers, but the config does not name it
    bool inMaintenance = false;
    double weight = 1;

    NodeState state = NodeState::Unknown;
    QString reason;                      ///< why it is not ok; empty when there is nothing to say
    Instant since{0};                    ///< of the state
    bool viaCoordinator = false;         ///< this console does not reach it; what is known of it the coordinator told
    std::optional<Instant> lastAnswerAt; ///< its own
    QString lastError;                   ///< of the last own poll
    int failedPolls = 0;                 ///< in a row
    std::optional<Instant> nextTryAt;    ///< while polling is backed off

    PartitionSet assigned;        ///< by the config
    Known<PartitionSet> reported; ///< its own word, else the coordinator's
    Known<Health> health;
    Known<ToldNode> told; ///< by the coordinator
    Known<std::shared_ptr<const VectorLoad>> load;
    Known<Resources> resources;
    Known<QueueDepth> queue;
    std::optional<double> queueRate; ///< writes per second that leave the queue; negative: it grows
    std::optional<Milliseconds> pollP50;
    std::optional<Milliseconds> pollP95;
    std::optional<Milliseconds> clockSkew; ///< its clock minus ours
    bool isStale = false;                  ///< nobody has spoken of it for three intervals

    [[nodiscard]] const QString& label() const { return name.isEmpty() ? address : name; }
    /// Vectors it holds of a partition; nothing when it has not told.
    [[nodiscard]] std::optional<quint64> vectorsOf(Partition partition) const;
    [[nodiscard]] std::optional<quint64> vectors() const;
    [[nodiscard]] QString version() const; ///< own word, else the coordinator's
    /// Seconds until its queue is empty at the present rate; nothing when it does not shrink.
    [[nodiscard]] std::optional<qint64> queueEtaSeconds() const;
    bool operator==(const NodeView&) const = default;
};

struct PartitionView {
    std::vector<int> owners; ///< positions in Snapshot::nodes, in config order
    int healthy = 0;
    int unknownOwners = 0; ///< owners nobody knows the state of
    int expected = 0;      ///< R
    PartitionClass health = PartitionClass::Unknown;
    std::optional<quint64> vectors; ///< of the fullest owner that told
    std::optional<quint64> fewest;  ///< of the emptiest owner that told
    std::optional<quint64> queued;  ///< writes that wait for its owners, their other partitions included
    [[nodiscard]] std::optional<quint64> disagreement() const;
    bool operator==(const PartitionView&) const = default;
};

struct CoordinatorView {
    QUrl url;
    bool answers = false;
    QString lastError;
    Known<Health> health;
    Known<ClusterStatus> status;
    std::optional<Milliseconds> took; ///< of its last answer
    bool operator==(const CoordinatorView&) const = default;
};

/// The config that the partitions are computed from.
struct ConfigView {
    enum class Source { Coordinator, File };
    Source source = Source::Coordinator;
    QString epoch;
    QByteArray text;
    QByteArray etag; ///< of the coordinator's, for If-Match; else empty
    std::optional<Instant> loadedAt;
    routing::PartitionMap map;
    QStringList warnings;
    bool operator==(const ConfigView& other) const {
        return source == other.source && epoch == other.epoch && text == other.text && etag == other.etag;
    }
};

struct Counts {
    std::array<int, kPartitionClasses> partitions{}; ///< by PartitionClass
    int nodesOk = 0;
    int nodesDown = 0;
    int nodesUnknown = 0; ///< nobody has spoken of them for three intervals
    int nodes = 0;
    std::optional<quint64> queued;
    std::optional<qint64> oldestQueuedSeconds;
    [[nodiscard]] int of(PartitionClass partition) const { return partitions[static_cast<std::size_t>(partition)]; }
    /// Partitions an operator has to look at: at risk, gaps and thin ones.
    [[nodiscard]] int bad() const;
    bool operator==(const Counts&) const = default;
};

/// Two programs that should agree and do not.
struct Drift {
    QString subject; ///< a node's address or a coordinator's URL
    QString text;    ///< one sentence, translated
    bool operator==(const Drift&) const = default;
};

/// The state of a cluster as far as it is known at one moment. Immutable and shared; thread: any.
struct Snapshot {
    quint64 generation = 0; ///< of the connection: another one after each connect
    quint64 number = 0;     ///< rises with each snapshot of a connection
    Instant takenAt{0};
    Milliseconds interval{2000};
    bool isPaused = false;
    bool isRecorded = false; ///< read from a file, not live

    std::vector<CoordinatorView> coordinators;
    std::optional<int> coordinator; ///< the one whose words are used: the first that answers
    Known<std::shared_ptr<const ConfigView>> config;
    std::vector<NodeView> nodes; ///< in config order, discovered ones after them
    std::array<PartitionView, base::kPartitionCount> partitions;
    Known<ClusterStatus> status;
    Known<ClusterQueue> queue;
    Known<Keyspaces> keyspaces;
    Known<Limits> limits;
    Counts counts;
    std::vector<Drift> drifts;
    QStringList notOffered; ///< endpoints that the coordinator does not have, like "/v1/cluster/queue"

    [[nodiscard]] std::optional<int> nodeAt(const QString& address) const;
    [[nodiscard]] const NodeView* find(const QString& address) const;
    /// Partitions of a class.
    [[nodiscard]] PartitionSet all(PartitionClass partition) const;
    /// Answers to "are we blind?": no node, or some that nobody has spoken of.
    [[nodiscard]] bool isBlind() const { return nodes.empty() || counts.nodesUnknown > 0; }
    [[nodiscard]] QUrl coordinatorUrl() const; ///< of `coordinator`, empty when none answers
    /// Whether the two say the same; times and numbers of the snapshots aside.
    [[nodiscard]] bool sameAs(const Snapshot& other) const;
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

/// How long ago data may have been read to count: three intervals, and never under three seconds.
[[nodiscard]] Milliseconds staleAfter(Milliseconds interval);

} // namespace fremis::console

Q_DECLARE_METATYPE(fremis::console::SnapshotPtr)

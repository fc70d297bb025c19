#pragma once

#include "console/client/known.h"
#include "shared/base/error.h"
#include "shared/hashing/partition_set.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>

#include <array>
#include <cstdint>
#include <optional>

/// The replies that only a console reads, as structs. Members a program does not send are nothing: older and foreign
/// programs say less. Readers fail with Reason::CorruptData when the body is not JSON or a member has the wrong type.
namespace fremis::console {

using hashing::PartitionSet;

/// Of /v1/healthcheck, /health, /livez, also with 503. A body that is not JSON gives a Health that says nothing.
struct Health {
    QString state; ///< DOWN, LOADING, CATCHING_UP, ACTIVE; empty: not told
    std::optional<double> loadedPercent;
    QString role; ///< worker, coordinator
    QString version;
    std::optional<Instant> time; ///< its clock
    std::optional<qint64> uptimeSeconds;
    std::optional<quint64> vectorsLoaded;
    std::optional<PartitionSet> partitions;
    QString space;
    QString clientAuth; ///< open, required
    QString configEpoch;
    bool operator==(const Health&) const = default;
};
[[nodiscard]] Health readHealth(const QByteArray& body);

/// GET /v1/loaded-vectors.
struct VectorLoad {
    quint64 total = 0;
    std::optional<quint64> faces;
    std::optional<quint64> memoryBytes;
    PartitionSet owned;
    std::array<std::optional<quint64>, base::kPartitionCount> partitions; ///< nothing: not owned, or not told
    QHash<QString, quint64> keyspaces;
    bool operator==(const VectorLoad&) const = default;
};
[[nodiscard]] base::Result<VectorLoad> readVectorLoad(const QByteArray& body);

/// GET /v1/resource-stats.
struct Resources {
    struct Gpu {
        QString name;
        double utilPercent = 0;
        quint64 memoryTotalBytes = 0;
        quint64 memoryUsedBytes = 0;
        [[nodiscard]] double memoryPercent() const;
        bool operator==(const Gpu&) const = default;
    };
    std::optional<Instant> timestamp;
    std::optional<int> cores;
    std::optional<double> cpuPercent;
    std::optional<double> processCpuPercent;
    std::optional<quint64> ramTotalBytes;
    std::optional<quint64> ramUsedBytes;
    std::optional<double> ramPercent;
    std::optional<quint64> processBytes;
    std::optional<double> diskPercent;
    std::optional<quint64> diskFreeBytes;
    std::optional<quint64> dataBytes;
    QList<Gpu> gpus;
    bool operator==(const Resources&) const = default;
};
[[nodiscard]] base::Result<Resources> readResources(const QByteArray& body);

/// GET /v1/get-limit-usage. No limit is nothing.
struct Limits {
    qint64 enrollments = 0;
    std::optional<qint64> enrollmentsMost;
    qint64 keyspaces = 0;
    std::optional<qint64> keyspacesMost;
    bool operator==(const Limits&) const = default;
};
[[nodiscard]] base::Result<Limits> readLimits(const QByteArray& body);

/// GET /v1/cluster/status.
struct ClusterStatus {
    QString configEpoch;
    std::optional<Instant> configLoadedAt;
    QString clientAuth;
    std::optional<int> replication;
    std::optional<bool> allowPartialSearch;
    QString writeAcks;
    PartitionSet atRisk;
    PartitionSet thin;
    std::optional<int> nodesTotal;
    std::optional<int> nodesActive;
    std::optional<quint64> queueOps;
    std::optional<quint64> queueBytes;
    std::optional<qint64> queueOldestSeconds;
    QStringList warnings;
    bool operator==(const ClusterStatus&) const = default;
};
[[nodiscard]] base::Result<ClusterStatus> readClusterStatus(const QByteArray& body);

/// One node of GET /v1/cluster/nodes: what the coordinator thinks of it.
struct ToldNode {
    QString address;
    QString name;
    double weight = 1;
    QString state; ///< UNKNOWN, LOADING, RESYNC, CATCHING_UP, ACTIVE, SUSPECT, DOWN
    std::optional<double> loadedPercent;
    PartitionSet partitions;         ///< of the map
    PartitionSet reportedPartitions; ///< of the worker, empty until it has answered
    QString space;
    QString version;
    std::optional<Instant> since;
    std::optional<Instant> lastOkAt;
    QString lastError;
    std::optional<double> latencyP50; ///< milliseconds
    std::optional<double> latencyP99;
    std::optional<quint64> queuedOps;
    QString internalPlane; ///< "ok" or what is wrong with it
    bool operator==(const ToldNode&) const = default;
};
struct ClusterNodes {
    QString configEpoch;
    QList<ToldNode> nodes;
};
[[nodiscard]] base::Result<ClusterNodes> readClusterNodes(const QByteArray& body);

enum class QueueState { Idle, Accumulating, Replaying, Blocked, Lost, Unknown };
[[nodiscard]] QString wordOf(QueueState state); ///< translated

/// A write that a worker refuses for good.
struct ParkedWrite {
    QString opId;
    QString kind; ///< enrollment, delete, keyspace
    std::optional<int> partition;
    QString error;
    quint64 attempts = 0;
    std::optional<Instant> queuedAt;
    bool operator==(const ParkedWrite&) const = default;
};

/// Writes that wait for one node.
struct QueueDepth {
    QString address;
    QueueState state = QueueState::Unknown;
    quint64 ops = 0;
    quint64 enrollments = 0;
    quint64 deletes = 0;
    quint64 keyspaceOps = 0;
    quint64 bytes = 0;
    std::optional<qint64> oldestSeconds; ///< nothing while none waits
    std::optional<quint64> inTotal;      ///< since the coordinator began
    std::optional<quint64> outTotal;
    QString lastError;
    std::optional<bool> paused;        ///< by an operator
    std::optional<double> inPerSecond; ///< as the coordinator measures it
    std::optional<double> outPerSecond;
    quint64 parkedOps = 0;
    QList<ParkedWrite> parked; ///< some of them
    QString nextCursor;        ///< where the next page of them begins; empty: there is none
    bool needsFullResync = false;
    bool operator==(const QueueDepth&) const = default;
};
struct ClusterQueue {
    quint64 totalOps = 0;
    quint64 totalBytes = 0;
    std::optional<quint64> limitBytes;
    QList<QueueDepth> nodes;
    bool operator==(const ClusterQueue&) const = default;
};
[[nodiscard]] base::Result<ClusterQueue> readClusterQueue(const QByteArray& body);

/// What POST /v1/cluster/queue says.
struct QueueActionReply {
    QString action;
    quint64 changed = 0;
    QueueDepth queue;
};
[[nodiscard]] base::Result<QueueActionReply> readQueueActionReply(const QByteArray& body);

/// GET /v1/cluster/config.
struct RunningConfig {
    QString epoch;
    std::optional<Instant> loadedAt;
    QByteArray yaml;
    QByteArray etag; ///< with its quotes, as If-Match wants it
    QStringList warnings;
    bool operator==(const RunningConfig&) const = default;
};
[[nodiscard]] base::Result<RunningConfig> readRunningConfig(const QByteArray& body, const QByteArray& etag);

/// What PUT /v1/cluster/config and POST /v1/cluster/reload say.
struct ConfigChange {
    QString epoch;
    QString previousEpoch;
    bool changed = false;
    int changedPartitions = 0;
    QStringList warnings;
};
[[nodiscard]] base::Result<ConfigChange> readConfigChange(const QByteArray& body);

/// GET and POST /v1/cluster/repair.
struct RepairReport {
    bool running = false;
    quint64 partitionsChecked = 0;
    quint64 differences = 0;
    quint64 mended = 0;
    quint64 failures = 0;
    std::optional<Instant> endedAt;
};
[[nodiscard]] base::Result<RepairReport> readRepairReport(const QByteArray& body);

/// GET /v1/face/keyspace.
struct Keyspace {
    QString name;
    QString incarnation;
    quint64 faces = 0;
    quint64 variations = 0;
    std::optional<Instant> createdAt;
    std::optional<double> matchThreshold; ///< nothing: the model pack's
    bool operator==(const Keyspace&) const = default;
};
struct Keyspaces {
    QList<Keyspace> list;
    bool complete = true; ///< false: some workers did not say
    bool operator==(const Keyspaces&) const = default;
};
[[nodiscard]] base::Result<Keyspaces> readKeyspaces(const QByteArray& body);

/// Samples of a Prometheus text by name with labels as written, like `latency_face_recognition{quantile="0.5"}`. Lines
/// that are not samples are skipped.
[[nodiscard]] QHash<QString, double> readMetrics(const QByteArray& text);

} // namespace fremis::console

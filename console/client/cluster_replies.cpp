#include "console/client/cluster_replies.h"

#include "console/client/json_reader.h"

#include <QCoreApplication>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

std::array<std::optional<quint64>, base::kPartitionCount> partitionVectors(const JsonReader& json,
                                                                           const PartitionSet& owned) {
    std::array<std::optional<quint64>, base::kPartitionCount> vectors;
    for (const auto& range : owned.ranges())
        for (int partition = range.first; partition <= range.last; ++partition)
            vectors[static_cast<std::size_t>(partition)] = 0;
    for (const auto& load : json.objects("partitions"_L1)) {
        const auto partition = load.count("partition"_L1);
        if (!partition || *partition >= vectors.size())
            json.fail("partitions"_L1, u"holds a partition outside 0..255"_s);
        else
            vectors[*partition] = load.count("vectors"_L1);
    }
    return vectors;
}

Resources::Gpu gpuOf(const JsonReader& json) {
    return {json.text("name"_L1), json.number("util_percent"_L1).value_or(0),
            json.count("memory_total_bytes"_L1).value_or(0), json.count("memory_used_bytes"_L1).value_or(0)};
}

ToldNode toldNodeOf(const JsonReader& json) {
    ToldNode node;
    node.address = json.text("address"_L1);
    node.name = json.text("name"_L1);
    node.weight = json.number("weight"_L1).value_or(1);
    node.state = json.text("state"_L1);
    node.loadedPercent = json.number("loaded_percent"_L1);
    node.partitions = json.ranges("partitions"_L1).value_or(PartitionSet());
    node.reportedPartitions = json.ranges("reported_partitions"_L1).value_or(PartitionSet());
    node.space = json.text("space"_L1);
    node.version = json.text("version"_L1);
    node.since = json.time("since"_L1);
    node.lastOkAt = json.time("last_ok_at"_L1);
    node.lastError = json.text("last_error"_L1);
    const auto latency = json.object("latency_ms"_L1);
    node.latencyP50 = latency.number("p50"_L1);
    node.latencyP99 = latency.number("p99"_L1);
    node.queuedOps = json.count("queued_ops"_L1);
    node.internalPlane = json.text("internal_plane"_L1);
    if (node.address.isEmpty())
        json.fail("address"_L1, u"is missing"_s);
    return node;
}

QueueState queueStateOf(const QString& word) {
    static const QHash<QString, QueueState> states{{u"idle"_s, QueueState::Idle},
                                                   {u"accumulating"_s, QueueState::Accumulating},
                                                   {u"replaying"_s, QueueState::Replaying},
                                                   {u"blocked"_s, QueueState::Blocked},
                                                   {u"lost"_s, QueueState::Lost}};
    return states.value(word, QueueState::Unknown);
}

template<class T, class ReadOne> QList<T> listOf(const JsonReader& json, QLatin1StringView key, ReadOne readOne) {
    QList<T> list;
    for (const auto& element : json.objects(key))
        list.append(readOne(element));
    return list;
}

ParkedWrite parkedOf(const JsonReader& json) {
    ParkedWrite parked;
    parked.opId = json.text("op_id"_L1);
    parked.kind = json.text("kind"_L1);
    if (const auto partition = json.integer("partition"_L1))
        parked.partition = static_cast<int>(*partition);
    parked.error = json.text("error"_L1);
    parked.attempts = json.count("attempts"_L1).value_or(0);
    parked.queuedAt = json.time("queued_at"_L1);
    return parked;
}

QueueDepth queueDepthOf(const JsonReader& json) {
    QueueDepth queue;
    queue.address = json.text("address"_L1);
    queue.state = queueStateOf(json.text("state"_L1));
    queue.ops = json.count("ops"_L1).value_or(0);
    queue.enrollments = json.count("enrollments"_L1).value_or(0);
    queue.deletes = json.count("deletes"_L1).value_or(0);
    queue.keyspaceOps = json.count("keyspace_ops"_L1).value_or(0);
    queue.bytes = json.count("bytes"_L1).value_or(0);
    queue.oldestSeconds = queue.ops > 0 ? json.integer("oldest_age_s"_L1) : std::nullopt;
    queue.inTotal = json.count("in_total"_L1);
    queue.outTotal = json.count("out_total"_L1);
    queue.lastError = json.text("last_error"_L1);
    queue.paused = json.truth("paused"_L1);
    queue.inPerSecond = json.number("in_per_s"_L1);
    queue.outPerSecond = json.number("out_per_s"_L1);
    queue.parkedOps = json.count("parked_ops"_L1).value_or(0);
    queue.parked = listOf<ParkedWrite>(json, "parked"_L1, parkedOf);
    queue.nextCursor = json.text("next_cursor"_L1);
    queue.needsFullResync = json.truth("needs_full_resync"_L1).value_or(false);
    if (queue.address.isEmpty())
        json.fail("address"_L1, u"is missing"_s);
    return queue;
}

std::optional<qint64> limitOf(const JsonReader& json, QLatin1StringView key) {
    constexpr qint64 kNoLimit = 9'007'199'254'740'991; // how programs say "none"
    const auto limit = json.integer(key);
    return limit && *limit < kNoLimit ? limit : std::nullopt;
}

void require(const JsonReader& json, QLatin1StringView key) {
    if (!json.has(key))
        json.fail(key, u"is missing"_s);
}

} // namespace

Health readHealth(const QByteArray& body) {
    return readJson(body,
                    [](const JsonReader& json) {
                        Health health;
                        health.state = json.text("state"_L1);
                        health.loadedPercent = json.number("loaded_percent"_L1);
                        health.role = json.text("role"_L1);
                        health.version = json.text("version"_L1);
                        health.time = json.time("time"_L1);
                        health.uptimeSeconds = json.integer("uptime_s"_L1);
                        health.vectorsLoaded = json.count("vectors_loaded"_L1);
                        health.partitions = json.ranges("partitions"_L1);
                        health.space = json.text("space"_L1);
                        health.clientAuth = json.text("client_auth"_L1);
                        health.configEpoch = json.text("config_epoch"_L1);
                        return health;
                    })
        .value_or(Health());
}

base::Result<VectorLoad> readVectorLoad(const QByteArray& body) {
    return readJson(body, [](const JsonReader& json) {
        VectorLoad load;
        require(json, "total"_L1);
        load.total = json.count("total"_L1).value_or(0);
        load.faces = json.count("faces"_L1);
        load.memoryBytes = json.count("memory_bytes"_L1);
        load.owned = json.ranges("owned"_L1).value_or(PartitionSet());
        load.partitions = partitionVectors(json, load.owned);
        for (const auto& keyspace : json.objects("keyspaces"_L1))
            load.keyspaces.insert(keyspace.text("keyspace"_L1), keyspace.count("vectors"_L1).value_or(0));
        return load;
    });
}

double Resources::Gpu::memoryPercent() const {
    return memoryTotalBytes == 0 ? 0
                                 : 100.0 * static_cast<double>(memoryUsedBytes) / static_cast<double>(memoryTotalBytes);
}

base::Result<Resources> readResources(const QByteArray& body) {
    return readJson(body, [](const JsonReader& json) {
        Resources resources;
        const auto cpu = json.object("cpu"_L1);
        const auto ram = json.object("ram"_L1);
        const auto disk = json.object("disk"_L1);
        require(json, "timestamp"_L1);
        resources.timestamp = json.time("timestamp"_L1);
        resources.cores = cpu.integer("cores"_L1);
        resources.cpuPercent = cpu.number("percent"_L1);
        resources.processCpuPercent = cpu.number("process_percent"_L1);
        resources.ramTotalBytes = ram.count("total_bytes"_L1);
        resources.ramUsedBytes = ram.count("used_bytes"_L1);
        resources.ramPercent = ram.number("percent"_L1);
        resources.processBytes = json.object("process"_L1).count("rss_bytes"_L1);
        resources.diskPercent = disk.number("percent"_L1);
        resources.diskFreeBytes = disk.count("free_bytes"_L1);
        resources.dataBytes = disk.count("data_bytes"_L1);
        resources.gpus = listOf<Resources::Gpu>(json, "gpu"_L1, gpuOf);
        return resources;
    });
}

base::Result<Limits> readLimits(const QByteArray& body) {
    return readJson(body, [](const JsonReader& json) {
        Limits limits;
        require(json, "current_enrollment"_L1);
        limits.enrollments = json.integer("current_enrollment"_L1).value_or(0);
        limits.enrollmentsMost = limitOf(json, "maximum_enrollment"_L1);
        limits.keyspaces = json.integer("current_keyspace"_L1).value_or(0);
        limits.keyspacesMost = limitOf(json, "maximum_keyspace"_L1);
        return limits;
    });
}

base::Result<ClusterStatus> readClusterStatus(const QByteArray& body) {
    return readJson(body, [](const JsonReader& json) {
        ClusterStatus status;
        require(json, "config_epoch"_L1);
        status.configEpoch = json.text("config_epoch"_L1);
        status.configLoadedAt = json.time("config_loaded_at"_L1);
        status.clientAuth = json.text("client_auth"_L1);
        status.replication = json.integer("replication"_L1);
        status.allowPartialSearch = json.truth("allow_partial_search"_L1);
        status.writeAcks = json.text("write_acks"_L1);
        status.atRisk = json.ranges("partitions_at_risk"_L1).value_or(PartitionSet());
        status.thin = json.ranges("partitions_thin"_L1).value_or(PartitionSet());
        status.nodesTotal = json.integer("nodes_total"_L1);
        status.nodesActive = json.integer("nodes_active"_L1);
        const auto queue = json.object("queue"_L1);
        status.queueOps = queue.count("ops"_L1);
        status.queueBytes = queue.count("bytes"_L1);
        status.queueOldestSeconds = status.queueOps.value_or(0) > 0 ? queue.integer("oldest_age_s"_L1) : std::nullopt;
        status.warnings = json.texts("warnings"_L1);
        return status;
    });
}

base::Result<ClusterNodes> readClusterNodes(const QByteArray& body) {
    return readJson(body, [](const JsonReader& json) {
        require(json, "nodes"_L1);
        return ClusterNodes{json.text("config_epoch"_L1), listOf<ToldNode>(json, "nodes"_L1, toldNodeOf)};
    });
}

base::Result<ClusterQueue> readClusterQueue(const QByteArray& body) {
    return readJson(body, [](const JsonReader& json) {
        require(json, "nodes"_L1);
        ClusterQueue queue;
        queue.totalOps = json.count("total_ops"_L1).value_or(0);
        queue.totalBytes = json.count("total_bytes"_L1).value_or(0);
        queue.limitBytes = json.count("limit_bytes"_L1);
        queue.nodes = listOf<QueueDepth>(json, "nodes"_L1, queueDepthOf);
        return queue;
    });
}

base::Result<QueueActionReply> readQueueActionReply(const QByteArray& body) {
    return readJson(body, [](const JsonReader& json) {
        require(json, "queue"_L1);
        return QueueActionReply{json.text("action"_L1), json.count("changed"_L1).value_or(0),
                                queueDepthOf(json.object("queue"_L1))};
    });
}

base::Result<RunningConfig> readRunningConfig(const QByteArray& body, const QByteArray& etag) {
    return readJson(body, [&etag](const JsonReader& json) {
        require(json, "yaml"_L1);
        require(json, "config_epoch"_L1);
        return RunningConfig{json.text("config_epoch"_L1), json.time("loaded_at"_L1), json.text("yaml"_L1).toUtf8(),
                             etag, json.texts("warnings"_L1)};
    });
}

base::Result<ConfigChange> readConfigChange(const QByteArray& body) {
    return readJson(body, [](const JsonReader& json) {
        require(json, "config_epoch"_L1);
        return ConfigChange{
            json.text("config_epoch"_L1), json.text("previous_epoch"_L1), json.truth("changed"_L1).value_or(false),
            static_cast<int>(json.integer("changed_partitions"_L1).value_or(0)), json.texts("warnings"_L1)};
    });
}

base::Result<RepairReport> readRepairReport(const QByteArray& body) {
    return readJson(body, [](const JsonReader& json) {
        require(json, "running"_L1);
        RepairReport report;
        report.running = json.truth("running"_L1).value_or(false);
        report.partitionsChecked = json.count("partitions_checked"_L1).value_or(0);
        report.differences = json.count("differences"_L1).value_or(0);
        report.mended = json.count("mended"_L1).value_or(0);
        report.failures = json.count("failures"_L1).value_or(0);
        report.endedAt = json.time("ended_at"_L1);
        return report;
    });
}

base::Result<Keyspaces> readKeyspaces(const QByteArray& body) {
    return readJson(body, [](const JsonReader& json) {
        require(json, "keyspaces"_L1);
        Keyspaces keyspaces;
        keyspaces.complete = json.truth("complete"_L1).value_or(true);
        keyspaces.list = listOf<Keyspace>(json, "keyspaces"_L1, [](const JsonReader& one) {
            return Keyspace{one.text("keyspace"_L1),           one.text("incarnation"_L1),
                            one.count("faces"_L1).value_or(0), one.count("variations"_L1).value_or(0),
                            one.time("created_at"_L1),         one.number("match_threshold"_L1)};
        });
        return keyspaces;
    });
}

QHash<QString, double> readMetrics(const QByteArray& text) {
    QHash<QString, double> samples;
    for (const auto& line : text.split('\n')) {
        const auto trimmed = line.trimmed();
        const auto nameEnd = trimmed.indexOf('}') + 1;
        const auto space = trimmed.indexOf(' ', nameEnd);
        if (trimmed.isEmpty() || trimmed.startsWith('#') || space < 0)
            continue;
        bool isNumber = false;
        const double value = trimmed.mid(space + 1).split(' ').first().toDouble(&isNumber);
        if (isNumber)
            samples.insert(QString::fromUtf8(trimmed.left(space)), value);
    }
    return samples;
}

QString wordOf(QueueState state) {
    switch (state) {
    case QueueState::Idle:
        return QCoreApplication::translate("QueueState", "idle");
    case QueueState::Accumulating:
        return QCoreApplication::translate("QueueState", "accumulating");
    case QueueState::Replaying:
        return QCoreApplication::translate("QueueState", "replaying");
    case QueueState::Blocked:
        return QCoreApplication::translate("QueueState", "blocked");
    case QueueState::Lost:
        return QCoreApplication::translate("QueueState", "lost");
    case QueueState::Unknown:
        break;
    }
    return QCoreApplication::translate("QueueState", "unknown");
}

} // namespace fremis::console

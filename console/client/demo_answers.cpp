#include "console/client/demo_replies.h"
#include "console/client/demo_world.h"
#include "shared/hashing/partition.h"
#include "shared/routing/live_rules.h"
#include "shared/wire/replies.h"
#include "shared/wire/requests.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUrlQuery>

#include <cmath>

namespace fremis::console {

using namespace Qt::StringLiterals;
using base::Reason;
using demo::failure;
using demo::json;

namespace {

constexpr auto kVersion = "0.1.0";
constexpr auto kSpace = "demo-512";
constexpr quint64 kBytesPerVector = 2300;

HttpReply json(const QJsonObject& body) {
    return demo::json(QJsonDocument(body).toJson(QJsonDocument::Compact).toStdString());
}

QString iso(Instant time) {
    return QString::fromStdString(base::isoTime(time));
}

std::vector<wire::PartitionRange> wireRanges(const hashing::PartitionSet& set) {
    std::vector<wire::PartitionRange> ranges;
    for (const auto& range : set.ranges())
        ranges.push_back({range.first, range.last});
    return ranges;
}

QJsonArray jsonRanges(const hashing::PartitionSet& set) {
    QJsonArray list;
    for (const auto& range : set.ranges())
        list.append(QJsonObject{{u"start"_s, range.first}, {u"end"_s, range.last}});
    return list;
}

bool isGet(const HttpRequest& request) {
    return request.method == "GET";
}

} // namespace

DemoWorld::Answer DemoWorld::answer(const QString& address, const HttpRequest& request) {
    catchUp();
    const auto* node = find(address);
    Answer answer;
    if (!node) {
        answer.fault = DemoFault::Dead;
        return answer;
    }
    answer.fault = node->fault;
    answer.delay = node->fault == DemoFault::Slow ? node->delay : Milliseconds(0);
    if (node->fault == DemoFault::Fails)
        answer.reply = failure(Reason::Internal, "the demonstration says so");
    else if (node->fault == DemoFault::Locked)
        answer.reply = failure(Reason::Unauthorized, "no valid signature");
    else if (node->fault == DemoFault::Malformed)
        answer.reply = json(std::string("{\"state\": \"ACTIVE\", \"total\": <<<"));
    else if (m_isOriginal)
        answer.reply = answerAsOriginal(request);
    else if (request.method == "OPTIONS")
        answer.reply = options(request);
    else
        answer.reply = node == &m_coordinator ? answerCoordinator(request) : answerWorker(*node, request);
    return answer;
}

HttpReply DemoWorld::answerAsOriginal(const HttpRequest& request) {
    const auto path = request.url.path();
    if (path == "/health"_L1)
        return json(std::string(R"({"status":"ok"})"));
    const bool isKnown = path.startsWith("/v1/face/"_L1);
    return isKnown ? answerFaces(request, nullptr) : failure(Reason::NotFound, "no such path");
}

HttpReply DemoWorld::options(const HttpRequest& request) const {
    const auto path = request.url.path();
    HttpReply reply;
    reply.status = 204;
    QByteArray allowed = "GET, HEAD, OPTIONS";
    if (path == "/v1/cluster/config"_L1)
        allowed += ", PUT";
    else if (path == "/v1/cluster/reload"_L1)
        allowed = "OPTIONS, POST";
    else if (path == "/v1/cluster/repair"_L1 || path == "/v1/cluster/queue"_L1 || path == "/v1/face/keyspace"_L1 ||
             path == "/v1/face/enrollment"_L1)
        allowed += ", POST";
    reply.headers = {Header("Allow", allowed)};
    return reply;
}

HttpReply DemoWorld::answerWorker(const Node& node, const HttpRequest& request) {
    const auto path = request.url.path();
    if (path == "/v1/healthcheck"_L1 || path == "/health"_L1)
        return health(node);
    if (path == "/v1/loaded-vectors"_L1)
        return load(node);
    if (path == "/v1/resource-stats"_L1)
        return resources(node);
    return answerFaces(request, &node);
}

HttpReply DemoWorld::answerCoordinator(const HttpRequest& request) {
    const auto path = request.url.path();
    if (path == "/v1/healthcheck"_L1 || path == "/health"_L1)
        return coordinatorHealth();
    if (path == "/v1/cluster/status"_L1)
        return status();
    if (path == "/v1/cluster/nodes"_L1)
        return nodes();
    if (path == "/v1/cluster/queue"_L1)
        return isGet(request) ? queue() : actOnQueue(request);
    if (path == "/v1/cluster/config"_L1)
        return request.method == "PUT" ? replaceConfig(request) : runningConfig();
    if (path == "/v1/cluster/reload"_L1)
        return reload();
    if (path == "/v1/cluster/repair"_L1)
        return repair(!isGet(request));
    if (path == "/v1/get-limit-usage"_L1)
        return limits();
    return answerFaces(request, nullptr);
}

HttpReply DemoWorld::health(const Node& node) const {
    wire::Health health;
    // A worker's own word: what the coordinator still queues for it, it does not know.
    health.state = node.loadingSince ? "LOADING" : "ACTIVE";
    health.loadedPercent = loadedPercent(node);
    health.role = "worker";
    health.version = kVersion;
    health.time = m_now;
    health.uptimeSeconds = std::chrono::duration_cast<std::chrono::seconds>(m_now - node.startedAt).count();
    for (const auto vectors : node.vectors)
        health.vectorsExpected += vectors;
    health.vectorsLoaded =
        static_cast<quint64>(static_cast<double>(health.vectorsExpected) * health.loadedPercent / 100);
    health.partitions = wireRanges(assignedTo(node));
    health.space = kSpace;
    health.clientAuth = "open";
    if (health.state == "ACTIVE")
        return json(wire::toJson(health));
    return failure({Reason::NotReady, "the index is being loaded", {}}, wire::notReadyMembers(health));
}

HttpReply DemoWorld::coordinatorHealth() const {
    wire::Health health;
    const auto set = searchable();
    health.state = "ACTIVE";
    health.loadedPercent = 100.0 * set.count() / base::kPartitionCount;
    health.role = "coordinator";
    health.version = kVersion;
    health.time = m_now;
    health.uptimeSeconds = std::chrono::duration_cast<std::chrono::seconds>(m_now - m_startedAt).count();
    health.vectorsLoaded = health.vectorsExpected = totalVectors();
    health.partitions = wireRanges(set);
    health.space = kSpace;
    health.clientAuth = "open";
    health.partitionsSearchable = set.count();
    health.complete = set.isAll();
    health.configEpoch = m_config.epoch();
    return json(wire::toJson(health));
}

HttpReply DemoWorld::load(const Node& node) const {
    wire::LoadedVectors load;
    load.state = node.loadingSince ? "LOADING" : "ACTIVE";
    load.loadedPercent = loadedPercent(node);
    load.space = kSpace;
    load.dim = 512;
    load.index = "flat";
    const auto assigned = assignedTo(node);
    load.owned = wireRanges(assigned);
    for (std::size_t partition = 0; partition < node.vectors.size(); ++partition) {
        if (!assigned.contains(static_cast<base::Partition>(partition)) && node.vectors[partition] == 0)
            continue;
        load.partitions.push_back(
            {static_cast<base::Partition>(partition), node.vectors[partition], node.vectors[partition]});
        load.total += node.vectors[partition];
    }
    load.faces = load.total;
    load.memoryBytes = load.total * kBytesPerVector;
    return json(wire::toJson(load));
}

HttpReply DemoWorld::resources(const Node& node) const {
    wire::ResourceStats stats;
    quint64 vectors = 0;
    for (const auto count : node.vectors)
        vectors += count;
    const double seconds = static_cast<double>((m_now - m_startedAt).count()) / 1000.0;
    const double phase = static_cast<double>(node.name.back().unicode());
    const double cpu = 38 + 18 * std::sin(seconds / 11 + phase) + 6 * std::sin(seconds / 1.7 + 3 * phase);
    stats.timestamp = m_now - Milliseconds(700); // programs look at themselves once a second
    stats.cpu = {8, cpu, 0.8 * cpu};
    stats.process = {vectors * kBytesPerVector + 400'000'000, 24, 96};
    stats.ram.totalBytes = 8'589'934'592;
    stats.ram.usedBytes = std::min(stats.ram.totalBytes, stats.process.rssBytes + 1'500'000'000);
    stats.ram.availableBytes = stats.ram.totalBytes - stats.ram.usedBytes;
    stats.ram.percent = 100.0 * static_cast<double>(stats.ram.usedBytes) / static_cast<double>(stats.ram.totalBytes);
    stats.disk = {500'000'000'000, 310'000'000'000, 38, vectors * kBytesPerVector, 0};
    return json(wire::toJson(stats));
}

HttpReply DemoWorld::status() const {
    const auto found = searchable();
    hashing::PartitionSet thin;
    int active = 0;
    quint64 queued = 0;
    std::optional<Instant> oldest;
    for (const auto& node : m_nodes) {
        queued += node.queued;
        if (node.oldestQueued)
            oldest = std::min(oldest.value_or(*node.oldestQueued), *node.oldestQueued);
        if (stateOf(node) == "ACTIVE"_L1)
            ++active;
        else
            thin = thin | assignedTo(node);
    }
    const auto age = oldest ? std::chrono::duration_cast<std::chrono::seconds>(m_now - *oldest).count() : 0;
    QJsonObject body{{u"config_epoch"_s, QString::fromStdString(m_config.epoch())},
                     {u"config_loaded_at"_s, iso(m_loadedAt)},
                     {u"client_auth"_s, u"open"_s},
                     {u"allow_partial_search"_s, false},
                     {u"write_acks"_s, u"one"_s},
                     {u"partitions_total"_s, base::kPartitionCount},
                     {u"partitions_searchable"_s, found.count()},
                     {u"partitions_at_risk"_s, jsonRanges(hashing::PartitionSet::all() - found)},
                     {u"partitions_thin"_s, jsonRanges(thin)},
                     {u"nodes_total"_s, static_cast<int>(m_nodes.size())},
                     {u"nodes_active"_s, active},
                     {u"queue"_s, QJsonObject{{u"ops"_s, static_cast<qint64>(queued)},
                                              {u"bytes"_s, static_cast<qint64>(queued * kBytesPerVector)},
                                              {u"oldest_age_s"_s, static_cast<qint64>(age)}}},
                     {u"moves_running"_s, 0},
                     {u"warnings"_s, QJsonArray()}};
    body.insert(u"replication"_s, m_config.map.replication() ? QJsonValue(*m_config.map.replication()) : QJsonValue());
    return json(body);
}

HttpReply DemoWorld::nodes() const {
    QJsonArray list;
    for (const auto& node : m_nodes) {
        const auto assigned = assignedTo(node);
        if (assigned.empty())
            continue;
        const auto state = stateOf(node);
        const bool answers = state != "DOWN"_L1;
        list.append(QJsonObject{
            {u"address"_s, node.address},
            {u"name"_s, node.name},
            {u"weight"_s, 1},
            {u"state"_s, state},
            {u"loaded_percent"_s, loadedPercent(node)},
            {u"partitions"_s, jsonRanges(assigned)},
            {u"reported_partitions"_s, jsonRanges(assigned)},
            {u"space"_s, QString::fromLatin1(kSpace)},
            {u"version"_s, QString::fromLatin1(kVersion)},
            {u"since"_s, iso(node.since)},
            {u"last_ok_at"_s, iso(answers ? m_now : node.since)},
            {u"last_error"_s, answers ? QJsonValue() : QJsonValue(u"Connection refused"_s)},
            {u"latency_ms"_s, QJsonObject{{u"p50"_s, node.fault == DemoFault::Slow ? 900.0 : 3.2}, {u"p99"_s, 11.0}}},
            {u"queued_ops"_s, static_cast<qint64>(node.queued)},
            {u"internal_plane"_s, u"ok"_s}});
    }
    return json({{u"config_epoch"_s, QString::fromStdString(m_config.epoch())}, {u"nodes"_s, list}});
}

QJsonObject DemoWorld::queueOf(const Node& node) const {
    const auto age = node.oldestQueued ? (m_now - *node.oldestQueued).count() / 1000 : 0;
    const bool isReplaying = node.queued > 0 && !node.isPaused && stateOf(node) == "CATCHING_UP"_L1;
    const auto state = node.needsResync   ? u"lost"_s
                       : node.queued == 0 ? u"idle"_s
                       : node.isPaused    ? u"blocked"_s
                       : isReplaying      ? u"replaying"_s
                                          : u"accumulating"_s;
    return {{u"address"_s, node.address},
            {u"ops"_s, static_cast<qint64>(node.queued)},
            {u"enrollments"_s, static_cast<qint64>(node.queued)},
            {u"deletes"_s, 0},
            {u"keyspace_ops"_s, 0},
            {u"bytes"_s, static_cast<qint64>(node.queued * kBytesPerVector)},
            {u"oldest_age_s"_s, static_cast<qint64>(age)},
            {u"state"_s, state},
            {u"paused"_s, node.isPaused},
            {u"in_total"_s, static_cast<qint64>(node.queuedInTotal)},
            {u"out_total"_s, static_cast<qint64>(node.queuedOutTotal)},
            {u"attempts"_s, 0},
            {u"last_error"_s, QJsonValue()},
            {u"parked_ops"_s, 0},
            {u"parked"_s, QJsonArray()},
            {u"next_cursor"_s, QJsonValue()},
            {u"needs_full_resync"_s, node.needsResync}};
}

HttpReply DemoWorld::queue() const {
    QJsonArray list;
    quint64 total = 0;
    for (const auto& node : m_nodes) {
        if (assignedTo(node).empty())
            continue;
        total += node.queued;
        list.append(queueOf(node));
    }
    return json({{u"total_ops"_s, static_cast<qint64>(total)},
                 {u"total_bytes"_s, static_cast<qint64>(total * kBytesPerVector)},
                 {u"limit_bytes"_s, qint64{8'589'934'592}},
                 {u"nodes"_s, list}});
}

HttpReply DemoWorld::actOnQueue(const HttpRequest& request) {
    using Kind = wire::QueueAction::Kind;
    const auto asked = wire::parseQueueAction(viewOf(request.body));
    if (!asked)
        return failure(asked.error());
    auto* node = find(QString::fromStdString(asked->node));
    if (!node || node == &m_coordinator)
        return failure(Reason::NotFound, "there is no such worker");
    quint64 changed = 0;
    if (asked->kind == Kind::Pause || asked->kind == Kind::Resume) {
        const bool pause = asked->kind == Kind::Pause;
        changed = node->isPaused != pause;
        node->isPaused = pause;
    }
    if (asked->kind == Kind::Discard) {
        changed = std::exchange(node->queued, 0);
        node->oldestQueued.reset();
        node->needsResync = changed > 0;
    }
    return json({{u"action"_s, QString::fromStdString(std::string(wire::nameOf(asked->kind)))},
                 {u"changed"_s, static_cast<qint64>(changed)},
                 {u"queue"_s, queueOf(*node)}});
}

HttpReply DemoWorld::runningConfig() const {
    const auto epoch = QString::fromStdString(m_config.epoch());
    auto reply = json({{u"config_epoch"_s, epoch},
                       {u"loaded_at"_s, iso(m_loadedAt)},
                       {u"yaml"_s, QString::fromStdString(m_config.text)},
                       {u"warnings"_s, QJsonArray()}});
    reply.headers.append(Header("ETag", "\"" + epoch.toLatin1() + "\""));
    return reply;
}

HttpReply DemoWorld::replaceConfig(const HttpRequest& request) {
    const auto asked = wire::parseReplaceConfig(viewOf(request.body));
    if (!asked)
        return failure(asked.error());
    HttpReply sent; // for its look-up of headers
    sent.headers = request.headers;
    if (sent.header("If-Match") != "\"" + QByteArray::fromStdString(m_config.epoch()) + "\"")
        return failure(Reason::ConfigChanged, "the present epoch is " + m_config.epoch());
    auto draft = routing::loadConfigText(asked->yaml, "config.yml");
    if (!draft)
        return failure(draft.error());
    const auto changes = routing::changesBetween(m_config.map, draft->map);
    hashing::PartitionSet orphaned;
    for (const auto& change : changes) {
        bool held = false;
        for (const auto owner : draft->map.owners(change.partition)) {
            const auto* node = find(QString::fromStdString(draft->map.nodes()[owner].address.text()));
            held = held || (node && node->vectors[change.partition] > 0);
        }
        if (!held)
            orphaned.insert(change.partition);
    }
    if (!asked->force && !orphaned.empty())
        return failure(Reason::DataNotMoved, "the new owners of the partitions " + orphaned.text() +
                                                 " do not hold their data; move it first, or force");
    const auto before = m_config.epoch();
    const auto after = draft->epoch();
    if (!asked->dryRun) {
        m_config = std::move(*draft);
        m_loadedAt = m_now;
        takeNewNodes();
    }
    return json({{u"config_epoch"_s, QString::fromStdString(after)},
                 {u"previous_epoch"_s, QString::fromStdString(before)},
                 {u"changed"_s, before != after},
                 {u"changed_partitions"_s, static_cast<int>(changes.size())},
                 {u"warnings"_s, QJsonArray()}});
}

HttpReply DemoWorld::reload() const {
    const auto epoch = QString::fromStdString(m_config.epoch());
    return json({{u"config_epoch"_s, epoch},
                 {u"previous_epoch"_s, epoch},
                 {u"changed"_s, false},
                 {u"changed_partitions"_s, 0},
                 {u"warnings"_s, QJsonArray()}});
}

HttpReply DemoWorld::repair(bool start) {
    if (start)
        for (int partition = 0; partition < base::kPartitionCount; ++partition) {
            const auto at = static_cast<std::size_t>(partition);
            quint64 most = 0;
            for (const auto& node : m_nodes)
                most = std::max(most, node.vectors[at]);
            for (auto& node : m_nodes)
                if (assignedTo(node).contains(static_cast<base::Partition>(partition)) && node.fault == DemoFault::None)
                    node.vectors[at] = most;
        }
    return json({{u"running"_s, false},
                 {u"partitions_checked"_s, base::kPartitionCount},
                 {u"differences"_s, 0},
                 {u"mended"_s, 0},
                 {u"failures"_s, 0},
                 {u"ended_at"_s, iso(m_now)}});
}

HttpReply DemoWorld::limits() const {
    wire::LimitUsage usage;
    usage.currentEnrollment = static_cast<qint64>(totalVectors());
    usage.currentKeyspace = static_cast<qint64>(m_keyspaces.size());
    return json(wire::toJson(usage));
}

HttpReply DemoWorld::keyspaces() const {
    wire::ListKeyspacesReply reply;
    const auto total = totalVectors();
    quint64 part = 6; // of ten
    for (const auto& [name, faces] : m_keyspaces) {
        const auto at = m_keyspaceCreatedAt.find(name);
        const bool isOld = at->second < m_startedAt;
        const auto count = isOld ? total * part / 10 + faces.size() : faces.size();
        part = part > 3 ? 3 : 1;
        reply.keyspaces.push_back({base::KeyspaceName::trusted(name.toStdString()), "1", count, count, at->second, {}});
    }
    reply.complete = searchable().isAll();
    return json(wire::toJson(reply));
}

} // namespace fremis::console

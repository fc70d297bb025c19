#include "tests/support/manual_cluster.h"

#include "shared/base/log.h"
#include "shared/hashing/merkle.h"
#include "shared/hashing/partition.h"
#include "shared/wire/replies.h"

#include <thread>

namespace fremis::test {

using namespace std::chrono_literals;
using namespace coordinator;
namespace internal = wire::internal;

namespace {

constexpr int kInternalPort = 5'000; ///< and the worker's number

std::unique_ptr<QueueStore> openQueue(const QTemporaryDir& directory, std::uint64_t limit) {
    auto store = openSqliteQueue({directory.path().toStdString() + "/queue", {}, nullptr, limit});
    if (!store)
        qFatal("%s", store.error().detail.c_str());
    return std::move(*store);
}

std::vector<wire::PartitionRange> rangesOf(const hashing::PartitionSet& set) {
    std::vector<wire::PartitionRange> ranges;
    for (const auto& range : set.ranges())
        ranges.push_back({range.first, range.last});
    return ranges;
}

} // namespace

Environment::TimerId ManualEnvironment::after(std::chrono::milliseconds delay, Task task) {
    m_timers.emplace(std::pair(m_now + delay, ++m_last), std::move(task));
    return m_last;
}

void ManualEnvironment::cancel(TimerId timer) {
    std::erase_if(m_timers, [timer](const auto& entry) { return entry.first.second == timer; });
}

bool ManualEnvironment::runNext(std::chrono::milliseconds end) {
    if (m_timers.empty() || m_timers.begin()->first.first > end)
        return false;
    auto first = m_timers.extract(m_timers.begin());
    m_now = std::max(m_now, first.key().first);
    first.mapped()();
    return true;
}

ManualCluster::ManualCluster(int workerCount, std::uint64_t queueLimit)
    : cluster(environment, *this), watchdog(cluster, {0xC0}, false), m_directory(QStringLiteral("/dev/shm/scripted")),
      queue(openQueue(m_directory, queueLimit), environment,
            [this](std::function<void()> task) {
                const std::lock_guard lock(m_mutex);
                m_posted.push_back(std::move(task));
            }),
      replay(cluster, watchdog, queue), repair(cluster), resync(cluster, watchdog, queue, repair),
      deleteHorizon(cluster, watchdog), control(cluster, watchdog, queue, replay, repair) {
    base::setLogLevel(static_cast<base::LogLevel>(static_cast<int>(base::LogLevel::Error) + 1)); // alarms are meant
    watchdog.compare = [this](const std::shared_ptr<Peer>& peer, std::function<void(bool)> done) {
        repair.compare(peer->assigned, std::move(done));
    };
    routing::ClusterConfig config;
    for (int i = 0; i < workerCount; ++i) {
        ManualWorker worker;
        worker.node.fill(static_cast<std::uint8_t>(i + 1));
        worker.address = "127.0.0.1:" + std::to_string(4'000 + i);
        config.entries.push_back({*routing::Address::parse(worker.address), {0, 255}, std::nullopt, std::nullopt});
        workers.push_back(std::move(worker));
    }
    cluster.useMap(routing::PartitionMap(config));
    control.onSample = [this](const QueueStats& stats, const std::vector<Damage>& damage) {
        resync.note(stats, damage);
        deleteHorizon.note(stats);
    };
    repair.collectable = [this](const View& view, base::Partition partition) {
        return deleteHorizon.of(view, partition);
    };
    replay.begin([] {});
    resync.begin();
    control.begin();
    watchdog.followMap();
}

ManualCluster::~ManualCluster() {
    queue.stop();
}

/// Until the queue's thread has nothing left to do and nothing more has come of its answers.
void ManualCluster::settle() {
    for (std::size_t ran = 2; ran > 1;) {
        bool reached = false;
        queue.call<void>([](QueueStore&) { return base::Status(); }, [&reached](base::Status) { reached = true; });
        for (ran = 0; !reached; std::this_thread::yield()) {
            std::vector<std::function<void()>> posted;
            {
                const std::lock_guard lock(m_mutex);
                posted.swap(m_posted);
            }
            ran += posted.size();
            for (const auto& task : posted)
                task();
        }
    }
}

void ManualCluster::runFor(std::chrono::milliseconds time) {
    const auto end = environment.now() + time;
    do
        settle();
    while (environment.runNext(end));
    environment.moveTo(end);
}

bool ManualCluster::runUntil(const std::function<bool()>& fact, std::chrono::milliseconds most) {
    for (const auto end = environment.now() + most; environment.now() < end; runFor(10ms))
        if (fact())
            return true;
    return fact();
}

void ManualCluster::queueFor(std::size_t worker, int count, std::size_t bytes) {
    std::vector<QueueRecord> records;
    for (int i = 0; i < count; ++i) {
        QueueRecord record;
        record.target = workers[worker].node;
        record.opId.fill(static_cast<std::uint8_t>(i));
        record.partition = static_cast<base::Partition>(i % base::kPartitionCount);
        record.incarnation = "incarnation";
        record.face = "face " + std::to_string(i);
        record.bytes = std::string(bytes, 'x') + std::to_string(i);
        records.push_back(std::move(record));
    }
    watchdog.noteMissedWrite(peer(worker), false);
    const auto placed =
        wait<std::vector<Placed>>([&](auto done) { queue.append(std::move(records), std::move(done)); });
    if (!placed)
        qFatal("%s", placed.error().message.c_str());
}

TargetStats ManualCluster::stats(std::size_t worker) {
    const auto stats = wait<QueueStats>([&](auto done) { queue.stats(std::move(done)); });
    const auto found = stats->targets.find(workers[worker].node);
    return found == stats->targets.end() ? TargetStats() : found->second;
}

Transport::CallId ManualCluster::send(Call call, std::function<void(CallResult)> done) {
    const auto id = ++m_lastCall;
    m_calls.emplace(id, std::move(done));
    const auto port = std::stoi(call.authority.substr(call.authority.rfind(':') + 1));
    auto& worker = workers[static_cast<std::size_t>(port >= kInternalPort ? port - kInternalPort : port - 4'000)];
    const auto patience = std::chrono::ceil<std::chrono::milliseconds>(call.deadline - environment.steady());
    environment.after(std::min(worker.hung ? patience : worker.latency, patience), [this, id, call = std::move(call),
                                                                                    &worker, hung = worker.hung] {
        auto found = m_calls.extract(id);
        if (!found)
            return;
        found.mapped()(hung ? tl::unexpected(CallFailure{CallFailure::Kind::TimedOut, false, "timeout"})
                            : answerOf(worker, call));
    });
    return id;
}

CallResult ManualCluster::answerOf(ManualWorker& worker, const Call& call) {
    const auto ok = [](std::string body) { return Response{200, std::move(body)}; };
    const auto number = static_cast<int>(&worker - workers.data());
    if (call.target == "/livez") {
        wire::Health health;
        health.state = worker.state;
        health.role = "worker";
        health.partitions = rangesOf(worker.partitions);
        health.space = "space";
        health.internalPort = kInternalPort + number;
        health.instance = internal::instanceOf(worker.node, worker.generation);
        return ok(wire::toJson(health));
    }
    if (call.target == internal::kProbePath) {
        worker.probes.push_back(*internal::parseProbe(call.body));
        if (worker.probes.size() > 8)
            worker.probes.erase(worker.probes.begin());
        return ok(probeReply(worker));
    }
    if (call.target == internal::kApplyPath) {
        worker.applyCalls.push_back(environment.now());
        if (worker.applyStatus != 200)
            return Response{worker.applyStatus, "{}"};
        internal::ApplyReply reply;
        auto asked = internal::parseApply(call.body);
        for (auto& record : asked->operations) {
            reply.outcomes.push_back({worker.applyEffect, {}, 0, 0});
            worker.applied.push_back(std::move(record));
        }
        return ok(internal::toJson(reply));
    }
    if (call.target == internal::kDigestsPath) {
        internal::DigestsReply reply;
        const auto asked = internal::parseDigests(call.body);
        for (const auto& range : asked->partitions)
            for (int partition = range.start; partition <= range.end; ++partition) {
                internal::PartitionDigest digest;
                digest.partition = static_cast<base::Partition>(partition);
                digest.root = worker.root;
                digest.tombstones = worker.tombstones;
                reply.partitions.push_back(digest);
            }
        return ok(internal::toJson(reply));
    }
    if (call.target == internal::kLeavesPath)
        return ok(internal::toJson(internal::LeavesReply{
            std::vector<internal::Digest>(internal::parseLeaves(call.body)->nodes.size(), worker.root)}));
    if (call.target == internal::kRowsPath)
        return ok(internal::toJson(internal::RowsReply()));
    if (call.target == internal::kKeyspaceRecordsPath)
        return ok(internal::toJson(internal::KeyspaceRecordsReply()));
    if (call.target == internal::kCollectPath) {
        worker.collects.push_back(*internal::parseCollect(call.body));
        return ok(internal::toJson(internal::CollectReply()));
    }
    return Response{404, "{}"};
}

std::string ManualCluster::probeReply(const ManualWorker& worker) const {
    internal::ProbeReply reply;
    reply.node = worker.node;
    reply.generation = worker.generation;
    reply.version = "0.1.0";
    reply.state = worker.state;
    reply.space = "space";
    reply.dimension = 512;
    reply.partitionRule = hashing::kPartitionRule;
    reply.partitions = rangesOf(worker.partitions);
    reply.clockMs = (environment.sinceEpoch() + worker.clockAhead).count();
    reply.epoch = cluster.view()->map.epoch();
    reply.lastVersion = worker.lastVersion;
    reply.heard = worker.heard;
    return internal::toJson(reply);
}

} // namespace fremis::test

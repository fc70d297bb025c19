#include "coordinator/app/coordinator_service.h"

#include "coordinator/api/coordinator_api.h"
#include "coordinator/cluster/curl_transport.h"
#include "coordinator/cluster/known_nodes.h"
#include "coordinator/cluster/parts.h"
#include "shared/app/listeners.h"
#include "shared/base/log.h"
#include "shared/storage/durable_file.h"

#include <cstdlib>
#include <thread>

namespace fremis::coordinator {

using namespace std::chrono_literals;
using base::LogLevel;
using base::Result;

namespace {

constexpr std::chrono::seconds kDrainTime{10};
constexpr auto kFileWatchInterval = 1'000ms;
constexpr auto kQueueWatchInterval = 100ms;
constexpr int kServerThreads = 2;
constexpr auto kMapPause = 20ms; ///< before a write is tried again, so that a map that has just changed gets around

/// Requests of the internal plane on the client port: config, queue and repair.
class AdministratorAccess {
public:
    AdministratorAccess(KeyPair keys, const base::Clock& clock) : m_keys(std::move(keys)), m_clock(clock) {}

    [[nodiscard]] base::Status check(const http::Request& request) {
        if (m_keys.accessKey.empty())
            return request.peerIsLoopback
                       ? base::Status()
                       : base::fail(base::Reason::Forbidden, "without a key pair this is for loopback only");
        const auto* header = request.header("Authorization");
        const auto fields = header ? http::parseAuthorization(*header) : tl::unexpected(base::Error());
        if (!fields || !http::equalInConstantTime(fields->credential, m_keys.accessKey))
            return base::fail(base::Reason::Unauthorized, "a valid signature of the internal plane is needed");
        return http::verify(*fields, m_keys.secretKey, {request.method, request.target, request.body}, m_clock,
                            m_nonces);
    }

private:
    const KeyPair m_keys;
    const base::Clock& m_clock;
    http::NonceCache m_nonces;
};

} // namespace

/// In order of construction; each may use those above it.
struct CoordinatorService::Parts {
    Parts(const CoordinatorOptions& given, app::StopRequest stopRequest, storage::DirectoryLock dataLock,
          storage::NodeId ownId, KnownNodes known, std::unique_ptr<QueueStore> store)
        : options(given), stop(std::move(stopRequest)), lock(std::move(dataLock)), id(ownId),
          knownNodes(std::move(known)), keys{given.accessKey, given.secretKey}, transport(environment, keys),
          cluster(environment, transport), watchdog(cluster, id, !given.accessKey.empty()),
          queue(std::move(store), environment,
                [this](std::function<void()> task) { environment.post(std::move(task)); }),
          replay(cluster, watchdog, queue), repair(cluster), resync(cluster, watchdog, queue, repair),
          deleteHorizon(cluster, watchdog), queueControl(cluster, watchdog, queue, replay, repair),
          faceIds(environment, [this] { return storage::writerOf(id); }), search(cluster, {given.allowPartialSearch}),
          reads(cluster), writes(cluster, watchdog, queue, faceIds, given.writeAcks), config(given.configPath, {}),
          administrators(keys, environment), serverMetrics(registry) {}

    ~Parts() {
        if (drains.joinable())
            drains.join();
        if (monitoringServer)
            monitoringServer->drain(0ms);
        queue.stop();
    }

    const CoordinatorOptions options;
    const app::StopRequest stop;
    const storage::DirectoryLock lock;
    const storage::NodeId id;
    KnownNodes knownNodes;
    const KeyPair keys;
    QtEnvironment environment;
    const std::chrono::milliseconds startedAt = environment.sinceEpoch();
    CurlTransport transport;
    Cluster cluster;
    Watchdog watchdog;
    WriteQueue queue;
    Replay replay;
    Repair repair;
    Resync resync;
    DeleteHorizon deleteHorizon;
    QueueControl queueControl;
    storage::FaceIdGenerator faceIds;
    Search search;
    Reads reads;
    Writes writes;
    ConfigKeeper config;
    AdministratorAccess administrators;
    metrics::Registry registry{environment};
    metrics::ServerMetrics serverMetrics;
    std::unique_ptr<metrics::ResourceMonitor> resources;
    http::Deadlines deadlines;
    std::optional<http::ClientAccess> access;
    std::optional<CoordinatorServices> services;
    std::unique_ptr<http::Server> clientServer;
    std::unique_ptr<http::Server> monitoringServer;
    std::thread drains; ///< clientServer

    [[nodiscard]] base::Status build();
    [[nodiscard]] base::Status listen();
    void useMap(const routing::PartitionMap& map);
    void reload(std::string_view cause);
    void settleMap(std::function<void()> then);
    void watchFile();
    void watchQueue();
};

void CoordinatorService::Parts::useMap(const routing::PartitionMap& map) {
    registry.removeGauge("fremisn_config_epoch_info", {{"epoch", cluster.view()->map.epoch()}});
    cluster.useMap(map);
    for (const auto& peer : cluster.view()->peers)
        if (!peer->node)
            peer->node = knownNodes.at(peer->address);
    search.setAllowPartial(options.allowPartialSearch || map.allowPartialSearch().value_or(false));
    watchdog.followMap();
    queueControl.followMap();
    watchdog.tellMap([] {}); // writes under it may be next
}

void CoordinatorService::Parts::reload(std::string_view cause) {
    const auto change = config.load(environment.sinceEpoch());
    if (!change)
        return base::log(LogLevel::Error, "config_refused", {{"cause", cause}, {"error", change.error().message}});
    base::log(LogLevel::Info, "config_loaded",
              {{"cause", cause},
               {"epoch", config.present().file.epoch()},
               {"changed_partitions", change->changedPartitions}});
}

void CoordinatorService::Parts::settleMap(std::function<void()> then) {
    environment.after(kMapPause, [this, then = std::move(then)] {
        if (config.fileHasChanged())
            reload("worker");
        watchdog.tellMap(then);
    });
}

void CoordinatorService::Parts::watchFile() {
    environment.after(kFileWatchInterval, [this] {
        if (config.fileHasChanged())
            reload("file");
        watchFile();
    });
}

/// Nothing may be acknowledged on a queue that has failed: the next process reads what is really on the disk.
void CoordinatorService::Parts::watchQueue() {
    environment.after(kQueueWatchInterval, [this] {
        if (!queue.isOver())
            return watchQueue();
        const auto health = queue.health();
        base::log(LogLevel::Error, "giving_up", {{"error", queue.trouble()}, {"detail", health.why}});
        if (!health.mustExit)
            std::_Exit(1); // an orderly end would wait for the write that hangs
        stop(1);
    });
}

base::Status CoordinatorService::Parts::build() {
    connect({cluster, watchdog, replay, repair, resync, queueControl, deleteHorizon, search, writes});
    if (const auto loaded = watchdog.coordinators().load(options.dataDir / "coordinators"); !loaded)
        return tl::unexpected(loaded.error());
    watchdog.onNode = [this](const std::shared_ptr<Peer>& peer) {
        if (const auto kept = knownNodes.remember(peer->address, *peer->node); !kept)
            base::log(LogLevel::Error, "node_not_kept",
                      {{"node", peer->address.text()}, {"error", kept.error().message}});
        queueControl.followMap();
    };
    config.onMap = [this](const routing::PartitionMap& map) { useMap(map); };
    if (const auto loaded = config.load(environment.sinceEpoch()); !loaded)
        return tl::unexpected(loaded.error());
    for (const auto& problem : config.present().file.warnings)
        base::log(LogLevel::Warning, "config_warning", {{"line", problem.line}, {"warning", problem.message}});
    resources = std::make_unique<metrics::ResourceMonitor>(
        environment, metrics::ResourceSources{.dataDir = options.dataDir, .queueDir = options.dataDir});
    if (options.clientAuth == app::ClientAuth::Required) {
        auto clientKeys = http::loadClientKeys(options.clientKeysFile);
        if (!clientKeys)
            return tl::unexpected(clientKeys.error());
        access.emplace(std::move(*clientKeys), environment);
    }
    services.emplace(
        CoordinatorServices{environment,
                            cluster,
                            watchdog,
                            config,
                            deleteHorizon,
                            search,
                            reads,
                            writes,
                            queue,
                            repair,
                            replay,
                            queueControl,
                            deadlines,
                            registry,
                            serverMetrics,
                            *resources,
                            startedAt,
                            access ? &*access : nullptr,
                            options.allowPartialSearch,
                            [this](std::function<void()> then) { settleMap(std::move(then)); },
                            [this](const http::Request& request) { return administrators.check(request); }});
    return listen();
}

base::Status CoordinatorService::Parts::listen() {
    auto* const checks = access ? &*access : nullptr;
    return app::listenForClients(options, kServerThreads, clientRoutes(&*services), checks, serverMetrics)
        .and_then([&](auto started) {
            clientServer = std::move(started);
            return app::listenForMonitoring(options, monitoringRoutes(&*services), checks);
        })
        .map([&](auto started) { monitoringServer = std::move(started); });
}

Result<std::unique_ptr<CoordinatorService>> CoordinatorService::start(const CoordinatorOptions& options,
                                                                      app::StopRequest stop) {
    if (const auto made = storage::makePrivateDirectory(options.dataDir); !made)
        return tl::unexpected(made.error());
    auto lock = storage::DirectoryLock::take(options.dataDir);
    if (!lock)
        return tl::unexpected(lock.error());
    auto known = KnownNodes::load(options.dataDir / "nodes");
    if (!known)
        return tl::unexpected(known.error());
    const auto id = storage::loadOrCreateNodeId(options.dataDir);
    if (!id)
        return tl::unexpected(id.error());
    auto store = openSqliteQueue(
        {.directory = options.dataDir, .vfs = {}, .disk = nullptr, .limitBytes = options.queueLimitBytes});
    if (!store)
        return tl::unexpected(store.error());
    auto parts =
        std::make_unique<Parts>(options, std::move(stop), std::move(*lock), *id, std::move(*known), std::move(*store));
    if (const auto built = parts->build(); !built)
        return tl::unexpected(built.error());
    base::log(LogLevel::Info, "started",
              {{"version", FREMIS_VERSION},
               {"role", "coordinator"},
               {"client_plane", options.clientAuth == app::ClientAuth::Required ? "keys required" : "OPEN"},
               {"nodes", parts->config.present().file.map.nodes().size()},
               {"epoch", parts->config.present().file.epoch()},
               {"write_acks", nameOf(options.writeAcks)}});
    app::logSecretWarnings(options);
    begin({parts->cluster, parts->watchdog, parts->replay, parts->repair, parts->resync, parts->queueControl,
           parts->deleteHorizon, parts->search, parts->writes});
    parts->watchFile();
    parts->watchQueue();
    return std::unique_ptr<CoordinatorService>(new CoordinatorService(std::move(parts)));
}

CoordinatorService::CoordinatorService(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}

CoordinatorService::~CoordinatorService() = default;

app::Condition CoordinatorService::condition() const {
    if (const auto trouble = m_parts->queue.trouble(); !trouble.empty())
        return {true, trouble};
    const auto& peers = m_parts->cluster.view()->peers;
    const auto active = std::ranges::count(peers, PeerState::Active, [](const auto& peer) { return peer->state; });
    return {m_parts->watchdog.roundDone(),
            std::to_string(active) + " of " + std::to_string(peers.size()) + " workers active"};
}

/// The requests in hand are answered in this thread, so another one waits for them.
void CoordinatorService::drain(std::function<void()> ended) {
    m_parts->drains = std::thread([parts = m_parts.get(), ended = std::move(ended)] {
        parts->clientServer->drain(kDrainTime);
        parts->environment.post(ended);
    });
}

void CoordinatorService::reload() {
    m_parts->reload("signal");
}

} // namespace fremis::coordinator

#include "server/app/worker.h"

#include "server/api/internal_api.h"
#include "server/app/model_pack_path.h"
#include "shared/app/listeners.h"
#include "shared/base/log.h"
#include "shared/storage/node_id.h"
#include "shared/storage/postgres/postgres_store.h"
#include "shared/storage/sqlite/sqlite_store.h"

#include <algorithm>
#include <thread>

namespace fremis::app {

using base::LogLevel;
using base::Result;

namespace {

constexpr std::chrono::seconds kDrainTime{10};
constexpr int kStoreReaders = 2;
constexpr std::size_t kMaxWaitingReads = 256;
constexpr std::size_t kMaxWaitingSearches = 1024;
constexpr std::size_t kMaxWaitingBulkReads = 64;
/// 300 s before and after now at 3,000 signed requests a second.
constexpr std::size_t kInternalNonces = 1'800'000;

int cores() {
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

hashing::PartitionSet ownedPartitions(const WorkerOptions& options) {
    hashing::PartitionSet owned;
    for (const auto& range : options.partitions)
        owned.insert(hashing::PartitionRange{static_cast<base::Partition>(range.start),
                                             static_cast<base::Partition>(range.end)});
    return owned;
}

index::Options indexOptions(const WorkerOptions& options, int dimension) {
    index::Options index;
    index.engine = options.index == IndexKind::Flat  ? index::Engine::Flat
                   : options.index == IndexKind::Sq8 ? index::Engine::Sq8
                                                     : index::Engine::Hnsw;
    index.dimension = dimension;
    index.floatRows = options.floatRowsInFile ? index::FloatRows::File : index::FloatRows::Memory;
    index.dataDir = options.dataDir;
    index.helperThreads = cores() - 1;
    return index;
}

Result<std::unique_ptr<storage::EnrollmentStore>> openStore(const WorkerOptions& options,
                                                            const hashing::PartitionSet& owned) {
    if (options.storage == StorageKind::Sqlite)
        return storage::openSqlite({.directory = options.dataDir, .vfs = {}, .clock = nullptr});
    const auto nodeId = storage::loadOrCreateNodeId(options.dataDir);
    if (!nodeId)
        return tl::unexpected(nodeId.error());
    storage::PostgresOptions postgres;
    postgres.host = options.database.address;
    postgres.port = options.database.port;
    postgres.database = options.database.name;
    postgres.user = options.database.username;
    postgres.password = options.database.password;
    postgres.nodeId = *nodeId;
    postgres.partitions = owned;
    return storage::openPostgres(postgres);
}

} // namespace

/// In order of construction; each may use those above it. Pools stop before what their tasks use (see ~Parts).
struct Worker::Parts {
    Parts(const WorkerOptions& given, vision::ModelPack loadedPack)
        : options(given), pack(std::move(loadedPack)), serverMetrics(registry),
          storePool("store", kStoreReaders, kMaxWaitingReads), searchPool("search", cores(), kMaxWaitingSearches),
          bulkPool("bulk", 1, kMaxWaitingBulkReads) {}

    ~Parts() {
        using std::chrono::steady_clock;
        const auto end = steady_clock::now() + kDrainTime;
        if (antiEntropy)
            antiEntropy->cancel();
        if (clientServer)
            clientServer->drain(kDrainTime);
        if (internalServer)
            internalServer->drain(std::chrono::ceil<std::chrono::milliseconds>(
                std::max(end - steady_clock::now(), steady_clock::duration::zero())));
        if (monitoringServer)
            monitoringServer->drain(std::chrono::milliseconds(0));
        if (photos)
            photos->stop();
        searchPool.stop();
        storePool.stop();
        bulkPool.stop();
        if (node)
            node->stop();
    }

    const WorkerOptions options;
    const base::SystemClock clock;
    const std::chrono::milliseconds startedAt = clock.sinceEpoch();
    const vision::ModelPack pack;
    metrics::Registry registry{clock};
    metrics::ServerMetrics serverMetrics;
    std::unique_ptr<metrics::ResourceMonitor> resources;
    std::unique_ptr<engine::Node> node;
    std::unique_ptr<engine::PhotoAnalyser> photos;
    std::optional<storage::FaceIdGenerator> faceIds;
    base::WorkPool storePool;
    base::WorkPool searchPool;
    base::WorkPool bulkPool;
    std::optional<index::SearchBatcher> searches;
    std::optional<engine::Enrolment> enrolment;
    std::optional<engine::Recognition> recognition;
    std::optional<engine::Matching> matching;
    std::optional<engine::Removal> removal;
    std::optional<engine::Keyspaces> keyspaces;
    http::Deadlines deadlines;
    std::optional<http::ClientAccess> access;
    std::optional<api::WorkerServices> services;
    std::optional<engine::ClusterView> cluster;
    std::optional<engine::Replication> replication;
    std::optional<engine::AntiEntropy> antiEntropy;
    std::optional<http::ClientAccess> internalAccess;
    std::optional<api::InternalServices> internalServices;
    std::unique_ptr<http::Server> clientServer;
    std::unique_ptr<http::Server> monitoringServer;
    std::unique_ptr<http::Server> internalServer;

    [[nodiscard]] base::Status build(StopRequest stop);
    void buildUseCases();
    void buildInternalPlane();
    [[nodiscard]] base::Status listen();
    [[nodiscard]] base::Status listenInternal();
    void announce() const;
};

base::Status Worker::Parts::build(StopRequest stop) {
    const auto owned = ownedPartitions(options);
    auto store = openStore(options, owned);
    if (!store)
        return tl::unexpected(store.error());
    engine::Node::Options nodeOptions{
        owned, {pack.space(), pack.dim()}, indexOptions(options, pack.dim()), options.storage == StorageKind::Postgres};
    auto made = engine::Node::create(
        std::move(*store), std::move(nodeOptions), clock, [stop](int exitCode, const base::Error& why) {
            base::log(LogLevel::Error, "giving_up", {{"error", why.message}, {"detail", why.detail}});
            stop(exitCode);
        });
    if (!made)
        return tl::unexpected(made.error());
    node = std::move(*made);
    auto analyser = engine::PhotoAnalyser::create(
        pack, options.maxWorkers, [this](std::chrono::nanoseconds whole, std::chrono::nanoseconds detection) {
            serverMetrics.faceExtraction.observe(whole);
            serverMetrics.faceDetection.observe(detection);
        });
    if (!analyser)
        return tl::unexpected(analyser.error());
    photos = std::move(*analyser);
    resources = std::make_unique<metrics::ResourceMonitor>(
        clock, metrics::ResourceSources{.dataDir = options.dataDir, .queueDir = {}});
    if (options.clientAuth == ClientAuth::Required) {
        auto keys = http::loadClientKeys(options.clientKeysFile);
        if (!keys)
            return tl::unexpected(keys.error());
        if (!options.accessKey.empty()) { // a coordinator reads through the client plane
            if (std::ranges::find(*keys, options.accessKey, &http::ClientKey::id) != keys->end())
                return base::fail(base::Reason::InvalidConfig,
                                  "a client key has the name of the access key; give it another");
            keys->push_back(http::internalKey(options.accessKey, options.secretKey));
        }
        access.emplace(std::move(*keys), clock);
    }
    buildUseCases();
    buildInternalPlane();
    return listen();
}

void Worker::Parts::buildUseCases() {
    const engine::PhotoRules rules{options.rejectMultipleFaces, options.enforceQuality};
    faceIds.emplace(clock, [this] { return node->writer(); });
    searches.emplace(node->index(), searchPool, options.batchSearchMax);
    enrolment.emplace(*node, *photos, *faceIds, clock, rules, options.maxEnrollments);
    recognition.emplace(
        *node, *photos, *searches, rules,
        engine::RecognitionTimes{[this](std::chrono::nanoseconds time) { serverMetrics.faceIdSearch.observe(time); }});
    matching.emplace(*node, *photos, searchPool, pack.thresholds().verify);
    removal.emplace(*node);
    keyspaces.emplace(*node, clock, options.maxKeyspaces);
    services.emplace(api::WorkerServices{*node, *enrolment, *recognition, *matching, *removal, *keyspaces, *photos,
                                         pack, rules, storePool, deadlines, registry, serverMetrics, *resources, clock,
                                         startedAt, access ? &*access : nullptr, options.maxEnrollments,
                                         options.maxKeyspaces});
}

void Worker::Parts::buildInternalPlane() {
    cluster.emplace(clock, engine::ClusterView::Terms{pack.space(), pack.dim()});
    replication.emplace(*node);
    antiEntropy.emplace(*node);
    if (!options.accessKey.empty())
        internalAccess.emplace(std::vector{http::internalKey(options.accessKey, options.secretKey)}, clock,
                               kInternalNonces);
    internalServices.emplace(api::InternalServices{*services, *cluster, *replication, *antiEntropy, bulkPool});
}

base::Status Worker::Parts::listen() {
    auto* const checks = access ? &*access : nullptr;
    // The internal plane first: its port is told on the client plane.
    return listenInternal()
        .and_then([&] {
            return listenForClients(options, std::min(4, cores()), api::clientRoutes(&*services), checks,
                                    serverMetrics);
        })
        .and_then([&](auto started) {
            clientServer = std::move(started);
            base::log(LogLevel::Info, "listening_internal", {{"port", internalServer->port()}});
            return listenForMonitoring(options, api::monitoringRoutes(&*services), checks);
        })
        .map([&](auto started) { monitoringServer = std::move(started); });
}

/// Whoever reaches this plane can write anything: it demands the pair's signature, or is not reached from elsewhere.
base::Status Worker::Parts::listenInternal() {
    http::ServerOptions server;
    server.address = internalAccess ? options.listenAddress : "127.0.0.1";
    server.port = options.internalPort;
    server.threads = std::min(2, cores());
    auto started = http::Server::start(server, api::internalRoutes(&*internalServices),
                                       internalAccess ? internalAccess->hooks() : http::AccessHooks(), logAccess);
    if (!started)
        return tl::unexpected(started.error());
    internalServer = std::move(*started);
    services->internalPort = internalServer->port();
    return {};
}

void Worker::Parts::announce() const {
    base::log(LogLevel::Info, "started",
              {{"version", FREMIS_VERSION},
               {"client_plane", options.clientAuth == ClientAuth::Required ? "keys required" : "OPEN"},
               {"internal_plane", internalAccess ? "signature required" : "loopback only"},
               {"tls", options.tlsCertificate.empty() ? "off" : "on"},
               {"metrics", !options.monitoringPort  ? "off"
                           : options.metricsNeedKey ? "keys required"
                                                    : "OPEN"},
               {"monitoring_tls", options.monitoringTls ? "on" : "off"},
               {"storage", options.storage == StorageKind::Sqlite ? "sqlite" : "postgres"},
               {"partitions", node->options().owned.text()},
               {"model_pack", pack.id()},
               {"space", pack.space()},
               {"index", index::engineName(node->index().options().engine)},
               {"instruction_set", index::VectorIndex::instructionSet()},
               {"max_workers", options.maxWorkers}});
    logSecretWarnings(options);
}

Result<std::unique_ptr<Worker>> Worker::start(const WorkerOptions& options, StopRequest stop) {
    const auto folder = findModelPack(options.modelPack, options.dataDir, currentEnvironment());
    if (!folder)
        return tl::unexpected(folder.error());
    auto pack = vision::ModelPack::load(*folder);
    if (!pack)
        return tl::unexpected(pack.error());
    auto parts = std::make_unique<Parts>(options, std::move(*pack));
    if (const auto built = parts->build(std::move(stop)); !built)
        return tl::unexpected(built.error());
    parts->announce();
    parts->node->start();
    return std::unique_ptr<Worker>(new Worker(std::move(parts)));
}

Worker::Worker(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}

Worker::~Worker() = default;

Condition Worker::condition() const {
    const auto status = m_parts->node->status();
    std::string text(engine::nameOf(status.state));
    text += status.why.empty() ? ": " + std::to_string(status.vectorsLoaded) + " vectors" : ": " + status.why;
    return {status.state != engine::NodeState::Loading || status.storageAway, std::move(text)};
}

} // namespace fremis::app

#include "tests/system/chaos_cluster.h"

#include "shared/wire/internal.h"
#include "tests/support/face_client.h"
#include "tests/support/test_cluster.h"

#include <filesystem>
#include <fstream>

namespace fremis::test {

using namespace std::chrono_literals;

namespace {

constexpr auto kStarting = 120s; ///< on a machine that does much else

std::string pathIn(const QTemporaryDir& dir, const std::string& name) {
    return dir.filePath(QString::fromStdString(name)).toStdString();
}

} // namespace

ChaosProgram::ChaosProgram(const QTemporaryDir& dir, const std::string& name, AppOptions options)
    : disk(pathIn(dir, name + "-data"), pathIn(dir, name + "-disk")), m_name(name),
      m_logFile(pathIn(dir, name + ".log")), m_options(std::move(options)) {
    m_options.dataDir = pathIn(dir, name + "-data");
    m_options.environment = disk.environment();
}

ChaosProgram::~ChaosProgram() {
    keepLog();
}

void ChaosProgram::keepLog() {
    if (m_process)
        std::ofstream(m_logFile, std::ios::app) << m_process->errorText() << "--- end of a life\n";
}

std::string ChaosProgram::start() {
    keepLog();
    m_process.reset();
    auto started = AppProcess::start(m_options);
    if (!started)
        return m_name + " cannot be started: " + started.error().detail;
    m_process = std::move(*started);
    return m_process->waitListening(kStarting) ? std::string() : m_name + " does not listen: " + m_process->errorText();
}

void ChaosProgram::kill() {
    m_process->kill();
}

std::optional<int> ChaosProgram::waitExit(std::chrono::milliseconds deadline) {
    return m_process->waitExit(deadline);
}

ChaosCluster::Block ChaosCluster::blockOf(int number) {
    const int wrapped = number % kWorkers;
    return {256 * wrapped / kWorkers, 256 * (wrapped + 1) / kWorkers - 1};
}

bool ChaosCluster::owns(int worker, int partition) {
    for (int copy = 0; copy < 2; ++copy)
        if (const auto [first, last] = blockOf(worker + copy); first <= partition && partition <= last)
            return true;
    return false;
}

std::string ChaosCluster::start() {
    for (int worker = 0; worker < kWorkers; ++worker) {
        addWorker(worker);
        if (auto why = m_workers.back()->start(); !why.empty())
            return why;
    }
    for (int door = 0; door < kDoors; ++door)
        if (auto why = addDoor(door); !why.empty())
            return why;
    return {};
}

void ChaosCluster::addWorker(int worker) {
    const auto [port, internalPort] = m_workerPorts.emplace_back(freePort(), freePort());
    AppOptions options;
    options.arguments = {"--max-workers",          "1",
                         "--listen-port",          std::to_string(port),
                         "--listen-port-internal", std::to_string(internalPort)};
    for (int copy = 0; copy < 2; ++copy) {
        const auto [first, last] = blockOf(worker + copy);
        options.arguments.insert(options.arguments.end(),
                                 {"--partition-start", std::to_string(first), "--partition-end", std::to_string(last)});
    }
    m_workers.push_back(std::make_unique<ChaosProgram>(m_dir, "worker" + std::to_string(worker), options));
}

std::string ChaosCluster::addDoor(int door) {
    for (int worker = 0; worker < kWorkers; ++worker) {
        const auto [port, internalPort] = m_workerPorts[static_cast<std::size_t>(worker)];
        auto wire = ChaosProxy::create(wireAddress(door, worker), {port, internalPort});
        if (!wire)
            return wire.error().detail;
        m_wires.push_back(std::move(*wire));
    }
    writeConfig(door);
    m_doorPorts.push_back(freePort());
    AppOptions options;
    options.subcommand = "coordinator";
    options.modelPack = false;
    options.arguments = {"--config-path", configOf(door), "--listen-port", std::to_string(m_doorPorts.back())};
    m_doors.push_back(std::make_unique<ChaosProgram>(m_dir, "coordinator" + std::to_string(door), options));
    return m_doors.back()->start();
}

/// A loopback address of its own for each wire, so each can be cut alone.
std::string ChaosCluster::wireAddress(int door, int worker) {
    return "127.0." + std::to_string(10 + door) + "." + std::to_string(10 + worker);
}

std::string ChaosCluster::configOf(int door) const {
    return pathIn(m_dir, "config" + std::to_string(door) + ".yml");
}

void ChaosCluster::writeConfig(int door) const {
    std::string text = "version: \"v1\"\nnodes:\n";
    for (int worker = 0; worker < kWorkers; ++worker)
        for (int copy = 0; copy < 2; ++copy) {
            const auto [first, last] = blockOf(worker + copy);
            text += "  - {address: \"" + wireAddress(door, worker) + ":" + std::to_string(workerPort(worker)) +
                    "\", partition_start: " + std::to_string(first) + ", partition_end: " + std::to_string(last) +
                    (m_named ? ", name: \"worker-" + std::to_string(worker) + "\"}\n" : "}\n");
        }
    std::ofstream(configOf(door) + ".next") << text;
    std::filesystem::rename(configOf(door) + ".next", configOf(door));
}

void ChaosCluster::changeMap() {
    m_named = !m_named;
    for (int door = 0; door < kDoors; ++door)
        writeConfig(door); // which it watches
}

std::string ChaosCluster::whyNotQuiet() const {
    for (const int port : m_doorPorts) {
        FaceClient client(port);
        client.expectOutages();
        const auto nodes = client.get(QStringLiteral("/v1/cluster/nodes"));
        if (nodes.array("nodes").size() != kWorkers)
            return "a coordinator does not tell its nodes: " + nodes.shown().toStdString();
        for (const auto& value : nodes.array("nodes")) {
            const auto node = value.toObject();
            if (node[QStringLiteral("state")] != QStringLiteral("ACTIVE") ||
                node[QStringLiteral("queued_ops")].toInt() != 0)
                return nodes.shown().toStdString();
        }
    }
    for (int block = 0; block < kWorkers; ++block) {
        const auto one = digestsOf(block, block);
        const auto other = digestsOf((block + kWorkers - 1) % kWorkers, block);
        if (one.empty() || one != other)
            return "the copies of block " + std::to_string(block) + " differ:\n" + one + "\n" + other;
    }
    return {};
}

/// What the worker itself says of its partitions of the block; empty when it does not answer.
std::string ChaosCluster::digestsOf(int worker, int block) const {
    namespace internal = wire::internal;
    const auto [first, last] = blockOf(block);
    const internal::DigestsRequest request{{{static_cast<base::Partition>(first), static_cast<base::Partition>(last)}}};
    HttpClient client("127.0.0.1", m_workerPorts[static_cast<std::size_t>(worker)].second);
    const auto answer =
        client.send("POST", internal::kDigestsPath, internal::toJson(request), {{"Content-Type", "application/json"}});
    const auto reply =
        answer && answer->status == 200 ? internal::readDigests(answer->body) : tl::unexpected(base::Error());
    std::string text;
    for (const auto& partition : reply ? reply->partitions : decltype(reply->partitions)())
        if (partition.rows + partition.tombstones > 0)
            text += std::to_string(partition.partition) + ": " + std::to_string(partition.rows) + " rows, " +
                    std::to_string(partition.tombstones) + " tombstones, " +
                    QByteArray(reinterpret_cast<const char*>(partition.root.data()),
                               static_cast<qsizetype>(partition.root.size()))
                        .toHex()
                        .toStdString() +
                    ", index " + std::string(internal::tokenOf(partition.index)) + "\n";
    return reply ? text + "." : std::string();
}

std::string ChaosCluster::unexpectedEnds() {
    std::string ends;
    for (const auto* group : {&m_workers, &m_doors})
        for (const auto& program : *group)
            if (const auto end = program->unexpectedEnd(); !end.empty())
                ends += program->name() + ": " + end + "\n";
    return ends;
}

std::string ChaosCluster::keepFolder() {
    m_dir.setAutoRemove(false);
    return m_dir.path().toStdString();
}

} // namespace fremis::test

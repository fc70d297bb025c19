#include "tests/support/test_cluster.h"

#include "tests/support/face_client.h"
#include "tests/support/free_port.h"
#include "tests/support/http_client.h"

#include <QDeadlineTimer>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QThread>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace fremis::test {

using base::Result;

namespace {

constexpr int kPartitions = 256;

} // namespace

int freePort() {
    for (int attempt = 0; attempt < 1'000; ++attempt) {
        const int port = 20'000 + static_cast<int>(QRandomGenerator::global()->bounded(12'000));
        const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        const bool bound = ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
        ::close(socket);
        if (bound)
            return port;
    }
    return 0;
}

Result<std::unique_ptr<TestCluster>> TestCluster::start(ClusterOptions options) {
    std::unique_ptr<TestCluster> cluster(new TestCluster(std::move(options)));
    if (const auto started = cluster->startAll(); !started)
        return tl::unexpected(started.error());
    return cluster;
}

base::Status TestCluster::startAll() {
    for (int worker = 0; worker < m_options.workers; ++worker) {
        m_ports.push_back(freePort());
        auto started = startWorker(worker, m_ports.back());
        if (!started)
            return tl::unexpected(started.error());
        m_workers.push_back(std::move(*started));
    }
    for (const auto& worker : m_workers)
        if (!worker->waitListening() || !worker->waitReady())
            return base::fail(base::Reason::NotReady, "a worker did not become ready", worker->errorText());
    replaceConfig(configText(m_options.replicas));
    for (int number = 0; number < m_options.coordinators; ++number) {
        m_coordinatorPorts.push_back(freePort());
        auto started = startCoordinator(number);
        if (!started)
            return tl::unexpected(started.error());
        m_coordinators.push_back(std::move(*started));
    }
    if (!waitAllActive())
        return base::fail(base::Reason::NotReady, "a worker did not become active", coordinator().errorText());
    return {};
}

// All partitions are searched as soon as one replica of each is active; a test that takes one away needs the other.
bool TestCluster::waitAllActive(std::chrono::milliseconds deadline) {
    for (const QDeadlineTimer end(deadline); !end.hasExpired(); QThread::msleep(20)) {
        bool active = true;
        for (int number = 0; active && number < static_cast<int>(m_coordinators.size()); ++number) {
            HttpClient client("127.0.0.1", port(number));
            client.setDeadline(std::chrono::seconds(5));
            const auto status = client.get("/v1/cluster/status");
            active = status && status->json().value(QStringLiteral("nodes_active")).toInt() == m_options.workers;
        }
        if (active)
            return true;
    }
    return false;
}

TestCluster::Block TestCluster::block(int number) const {
    const int wrapped = number % m_options.workers;
    return {kPartitions * wrapped / m_options.workers, kPartitions * (wrapped + 1) / m_options.workers - 1};
}

std::string TestCluster::dataDir(int worker) const {
    return m_dir.filePath(QStringLiteral("worker%1").arg(worker)).toStdString();
}

std::string TestCluster::coordinatorDir(int number) const {
    return m_dir.filePath(QStringLiteral("coordinator%1").arg(number)).toStdString();
}

std::string TestCluster::configPath() const {
    return m_dir.filePath(QStringLiteral("config.yml")).toStdString();
}

// Worker w owns the blocks w, w+1, … of as many as there are replicas.
Result<std::unique_ptr<AppProcess>> TestCluster::startWorker(int worker, int port) const {
    AppOptions options;
    options.dataDir = dataDir(worker);
    options.environment = m_options.workerEnvironment;
    options.arguments = {"--max-workers", "1", "--listen-port", std::to_string(port)};
    for (int replica = 0; replica < m_options.replicas; ++replica) {
        const auto [first, last] = block(worker + replica);
        options.arguments.insert(options.arguments.end(),
                                 {"--partition-start", std::to_string(first), "--partition-end", std::to_string(last)});
    }
    return AppProcess::start(options);
}

std::string TestCluster::configText(int replicas, bool names) const {
    std::string text = "version: \"v1\"\nnodes:\n";
    for (int worker = 0; worker < m_options.workers; ++worker)
        for (int replica = 0; replica < replicas; ++replica) {
            const auto [first, last] = block(worker + replica);
            text += "  - {address: \"127.0.0.1:" + std::to_string(workerPort(worker)) +
                    "\", partition_start: " + std::to_string(first) + ", partition_end: " + std::to_string(last);
            if (names)
                text += ", name: \"worker-" + std::to_string(worker) + "\"";
            text += "}\n";
        }
    return text;
}

void TestCluster::replaceConfig(const std::string& text) const {
    const auto next = configPath() + ".next";
    std::ofstream(next) << text;
    std::filesystem::rename(next, configPath());
}

Result<std::unique_ptr<AppProcess>> TestCluster::startCoordinator(int number) const {
    AppOptions options;
    options.subcommand = "coordinator";
    options.modelPack = false;
    options.dataDir = coordinatorDir(number);
    options.environment = m_options.coordinatorEnvironment;
    options.arguments = {"--config-path", configPath(), "--listen-port", std::to_string(port(number))};
    options.arguments.insert(options.arguments.end(), m_options.coordinatorArguments.begin(),
                             m_options.coordinatorArguments.end());
    return AppProcess::startReady(options);
}

void TestCluster::kill(int worker) {
    m_workers[static_cast<std::size_t>(worker)]->kill();
}

void TestCluster::signal(int worker, int number) {
    m_workers[static_cast<std::size_t>(worker)]->signal(number);
}

bool TestCluster::restart(int worker) {
    auto started = startWorker(worker, workerPort(worker));
    if (!started || !(*started)->waitListening())
        return false;
    m_workers[static_cast<std::size_t>(worker)] = std::move(*started);
    return true;
}

void TestCluster::eraseData(int worker) {
    std::filesystem::remove_all(dataDir(worker));
}

void TestCluster::killCoordinator(int number) {
    coordinator(number).kill();
}

bool TestCluster::restartCoordinator(int number) {
    auto started = startCoordinator(number);
    if (!started)
        return false;
    m_coordinators[static_cast<std::size_t>(number)] = std::move(*started);
    return true;
}

bool TestCluster::waitComplete(std::chrono::milliseconds deadline) {
    HttpClient client("127.0.0.1", port());
    client.setDeadline(std::chrono::seconds(5));
    for (const QDeadlineTimer end(deadline); !end.hasExpired(); QThread::msleep(20)) {
        const auto health = client.get("/v1/healthcheck");
        if (health && health->json().value(QStringLiteral("complete")).toBool())
            return true;
    }
    return false;
}

int TestCluster::copiesOf(const QString& face) const {
    int copies = 0;
    for (const int port : m_ports)
        copies += FaceClient(port).face(face, QStringLiteral("default")).status == 200;
    return copies;
}

QStringList TestCluster::unexpectedEnds() {
    QStringList ends;
    const auto add = [&ends](const QString& who, AppProcess& process) {
        if (const auto end = process.unexpectedEnd(); !end.empty())
            ends << who + QLatin1String(": ") + QString::fromStdString(end);
    };
    for (std::size_t number = 0; number < m_coordinators.size(); ++number)
        add(QStringLiteral("coordinator %1").arg(number), *m_coordinators[number]);
    for (std::size_t worker = 0; worker < m_workers.size(); ++worker)
        add(QStringLiteral("worker %1").arg(worker), *m_workers[worker]);
    return ends;
}

std::optional<int> TestCluster::stop() {
    std::optional<int> code = 0;
    for (const auto* group : {&m_coordinators, &m_workers})
        for (const auto& process : *group) {
            const auto ended = process->stop();
            code = code == 0 ? ended : code;
        }
    return code;
}

} // namespace fremis::test

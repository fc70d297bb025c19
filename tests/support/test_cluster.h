#pragma once

#include "tests/support/app_process.h"

#include <QTemporaryDir>

namespace fremis::test {

/// A port that nobody uses now, below those that the system gives to outgoing connections: a program that restarts
/// finds it free again. 0: none was found.
[[nodiscard]] int freePort();

struct ClusterOptions {
    int workers = 3;
    int replicas = 1; ///< owners of each partition; the partitions are dealt out in `workers` equal blocks
    int coordinators = 1;
    std::vector<std::string> coordinatorArguments = {};
    std::map<std::string, std::string> coordinatorEnvironment = {};
    std::map<std::string, std::string> workerEnvironment = {};
};

/// Coordinators (usually one) over real workers (SQLite, one model thread each) on one machine, in folders of their own
/// that go with the object. Thread: one.
class TestCluster {
public:
    /// All partitions are searchable when it returns.
    [[nodiscard]] static base::Result<std::unique_ptr<TestCluster>> start(ClusterOptions options = {});

    /// The same over restarts, as those of workers.
    [[nodiscard]] int port(int coordinator = 0) const {
        return m_coordinatorPorts[static_cast<std::size_t>(coordinator)];
    }
    [[nodiscard]] AppProcess& coordinator(int number = 0) { return *m_coordinators[static_cast<std::size_t>(number)]; }
    [[nodiscard]] int workers() const { return m_options.workers; }
    [[nodiscard]] int replicas() const { return m_options.replicas; }
    /// The same over restarts.
    [[nodiscard]] int workerPort(int worker) const { return m_ports[static_cast<std::size_t>(worker)]; }
    [[nodiscard]] std::string configPath() const;
    /// What config.yml says for so many replicas; `names`: each worker has a name, which makes another epoch.
    [[nodiscard]] std::string configText(int replicas, bool names = false) const;
    /// Takes the place of config.yml at once, as editors and tools do it.
    void replaceConfig(const std::string& text) const;
    [[nodiscard]] std::string dataDir(int worker) const;
    [[nodiscard]] std::string coordinatorDir(int number = 0) const;
    [[nodiscard]] pid_t workerPid(int worker) const { return m_workers[static_cast<std::size_t>(worker)]->pid(); }
    [[nodiscard]] pid_t coordinatorPid(int number = 0) const {
        return m_coordinators[static_cast<std::size_t>(number)]->pid();
    }

    void kill(int worker); ///< SIGKILL
    void signal(int worker, int number);
    /// Starts a killed worker again, at its old port and with its data. False: it did not listen.
    bool restart(int worker);
    /// The worker's /readyz answers 200.
    [[nodiscard]] bool waitReady(int worker) { return m_workers[static_cast<std::size_t>(worker)]->waitReady(); }
    /// A killed worker loses its disk.
    void eraseData(int worker);
    void killCoordinator(int number = 0);
    /// At its old port and with its data; true once all its live workers were asked.
    bool restartCoordinator(int number = 0);
    /// Every worker answers for its partitions.
    [[nodiscard]] bool waitAllActive(std::chrono::milliseconds deadline = std::chrono::seconds(60));
    /// The coordinator can search every partition.
    [[nodiscard]] bool waitComplete(std::chrono::milliseconds deadline = std::chrono::seconds(60));
    /// Workers that have the face of the default keyspace.
    [[nodiscard]] int copiesOf(const QString& face) const;
    /// SIGTERM to all, the coordinator first; the first exit code that is not 0, else 0. Nothing: one did not end.
    [[nodiscard]] std::optional<int> stop();
    /// What is to be said of processes that ended on their own, see AppProcess::unexpectedEnd().
    [[nodiscard]] QStringList unexpectedEnds();

private:
    explicit TestCluster(ClusterOptions options) : m_options(std::move(options)) {}
    [[nodiscard]] base::Status startAll();
    [[nodiscard]] base::Result<std::unique_ptr<AppProcess>> startWorker(int worker, int port) const;
    [[nodiscard]] base::Result<std::unique_ptr<AppProcess>> startCoordinator(int number) const;
    struct Block {
        int first;
        int last;
    };
    [[nodiscard]] Block block(int number) const;

    const ClusterOptions m_options;
    QTemporaryDir m_dir;
    std::vector<int> m_ports;
    std::vector<std::unique_ptr<AppProcess>> m_workers;
    std::vector<int> m_coordinatorPorts;
    std::vector<std::unique_ptr<AppProcess>> m_coordinators;
};

} // namespace fremis::test

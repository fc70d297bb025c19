#pragma once

#include "tests/support/app_process.h"
#include "tests/support/chaos_proxy.h"
#include "tests/support/failing_disk.h"

#include <QTemporaryDir>

namespace fremis::test {

/// A program of the cluster: it is killed, comes back at its old ports with its data, and stands on a disk of its own
/// that can fail. What all its lives said is kept in a file.
class ChaosProgram {
public:
    /// `options`: without the data folder and the environment.
    ChaosProgram(const QTemporaryDir& dir, const std::string& name, AppOptions options);
    ~ChaosProgram();

    /// Empty, or what is wrong: it does not listen.
    [[nodiscard]] std::string start();
    void kill();
    void signal(int number) { m_process->signal(number); }
    /// As AppProcess::waitExit().
    [[nodiscard]] std::optional<int> waitExit(std::chrono::milliseconds deadline);
    /// It has ended though nobody wanted it to.
    [[nodiscard]] std::string unexpectedEnd() { return m_process ? m_process->unexpectedEnd() : std::string(); }
    [[nodiscard]] const std::string& name() const { return m_name; }

    FailingDisk disk;

private:
    void keepLog();

    const std::string m_name;
    const std::string m_logFile;
    AppOptions m_options;
    std::unique_ptr<AppProcess> m_process;
};

/// Two coordinators ("doors") over three workers with two copies of everything. Each coordinator reaches each worker by
/// a wire of its own, which can be bad. Thread: one, but for the getters.
class ChaosCluster {
public:
    static constexpr int kWorkers = 3;
    static constexpr int kDoors = 2;

    /// Starts everything; the text says what is wrong, if anything.
    [[nodiscard]] std::string start();

    [[nodiscard]] std::vector<std::unique_ptr<ChaosProgram>>& workers() { return m_workers; }
    [[nodiscard]] std::vector<std::unique_ptr<ChaosProgram>>& doors() { return m_doors; }
    [[nodiscard]] std::vector<std::unique_ptr<ChaosProxy>>& wires() { return m_wires; }
    [[nodiscard]] int doorPort(int door) const { return m_doorPorts[static_cast<std::size_t>(door)]; }
    [[nodiscard]] int workerPort(int worker) const { return m_workerPorts[static_cast<std::size_t>(worker)].first; }
    [[nodiscard]] static bool owns(int worker, int partition);

    /// Gives both coordinators a map that differs in nothing but its epoch.
    void changeMap();
    /// Empty once both coordinators find all workers active and all queues empty, and the copies are equal.
    [[nodiscard]] std::string whyNotQuiet() const;
    /// What is to be said of programs that ended on their own.
    [[nodiscard]] std::string unexpectedEnds();
    /// The folder outlives the object, for people who look for a fault.
    [[nodiscard]] std::string keepFolder();

private:
    struct Block {
        int first;
        int last;
    };
    /// Worker w owns the blocks w and w + 1.
    [[nodiscard]] static Block blockOf(int number);
    void addWorker(int worker);
    [[nodiscard]] std::string addDoor(int door);
    void writeConfig(int door) const;
    [[nodiscard]] std::string configOf(int door) const;
    [[nodiscard]] static std::string wireAddress(int door, int worker);
    [[nodiscard]] std::string digestsOf(int worker, int block) const;

    QTemporaryDir m_dir;
    bool m_named = false;                           ///< the workers have names in the present map
    std::vector<std::pair<int, int>> m_workerPorts; ///< of clients, internal
    std::vector<int> m_doorPorts;
    std::vector<std::unique_ptr<ChaosProgram>> m_workers;
    std::vector<std::unique_ptr<ChaosProgram>> m_doors;
    std::vector<std::unique_ptr<ChaosProxy>> m_wires;
};

} // namespace fremis::test

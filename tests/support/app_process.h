#pragma once

#include "shared/base/error.h"

#include <QTemporaryDir>

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace fremis::test {

/// The server binary under test: $FREMIS_APP, else the one of this build.
[[nodiscard]] std::string appBinary();

struct AppOptions {
    std::string subcommand = "httpserver";
    /// Added to the ones below. A flag given here replaces the default of the same name.
    std::vector<std::string> arguments;
    /// Added to the test's own environment.
    std::map<std::string, std::string> environment;
    /// Of the store. Empty: a new folder that goes with the process object.
    std::string dataDir;
    /// Adds --model-pack with the fetched default pack of this checkout, if it is there.
    bool modelPack = true;
    /// Adds --listen-address 127.0.0.1, --listen-port 0, --listen-port-monitoring 0 and --data-dir.
    bool listenAnywhere = true;
};

/// The real program as a child process. Its standard error is collected; it is killed with the object and with the
/// thread that started it. A program that had crashed before that, unnoticed by the test, is told of in a warning.
/// Thread: start, signals and destruction from one thread; the getters from any.
class AppProcess {
public:
    /// Starts the program and returns at once; fails only when it cannot be started.
    [[nodiscard]] static base::Result<std::unique_ptr<AppProcess>> start(AppOptions options = {});
    /// Starts, waits for the ports and for readiness. The error's detail holds what the program said.
    [[nodiscard]] static base::Result<std::unique_ptr<AppProcess>>
    startReady(AppOptions options = {}, std::chrono::milliseconds deadline = std::chrono::seconds(60));
    ~AppProcess();
    AppProcess(const AppProcess&) = delete;
    AppProcess& operator=(const AppProcess&) = delete;

    /// The bound client port from the log; false when the program ended or the deadline passed before it.
    [[nodiscard]] bool waitListening(std::chrono::milliseconds deadline = std::chrono::seconds(10));
    /// /readyz answers 200.
    [[nodiscard]] bool waitReady(std::chrono::milliseconds deadline = std::chrono::seconds(60));

    [[nodiscard]] int port() const;           ///< 0 until it listens
    [[nodiscard]] int monitoringPort() const; ///< 0 until it listens, or without one
    [[nodiscard]] std::string url() const;    ///< http://127.0.0.1:port
    [[nodiscard]] const std::string& dataDir() const { return m_dataDir; }
    [[nodiscard]] pid_t pid() const { return m_pid; }
    [[nodiscard]] std::string errorText() const;  ///< standard error so far
    [[nodiscard]] std::string outputText() const; ///< standard output so far

    void terminate(); ///< SIGTERM
    void kill();      ///< SIGKILL, and waits until it is gone
    void signal(int number);
    /// The exit code, 128 + signal when one ended it; none while it runs at the deadline.
    [[nodiscard]] std::optional<int> waitExit(std::chrono::milliseconds deadline = std::chrono::seconds(20));
    /// SIGTERM; the exit code as waitExit().
    [[nodiscard]] std::optional<int> stop();
    /// How it ended, and the last lines of its standard error, when it did so on its own; empty while it runs and when
    /// a signal of the test ended it.
    [[nodiscard]] std::string unexpectedEnd();

private:
    AppProcess() = default;
    [[nodiscard]] base::Status spawn(const AppOptions& options);
    void collect(int pipe, std::string& into);
    void noteLine(const std::string& line);
    [[nodiscard]] std::optional<int> reap();
    [[nodiscard]] std::string howItEnded() const;

    std::unique_ptr<QTemporaryDir> m_ownDataDir;
    std::string m_dataDir;
    pid_t m_pid = -1;
    std::optional<int> m_exit;
    bool m_endWanted = false; ///< the test sent a signal that ends it
    std::thread m_errorReader;
    std::thread m_outputReader;
    mutable std::mutex m_mutex; ///< guards all below
    std::condition_variable m_changed;
    std::string m_error;
    std::string m_output;
    bool m_closed = false; ///< standard error was closed: the program is ending
    int m_port = 0;
    int m_monitoringPort = 0;
};

} // namespace fremis::test

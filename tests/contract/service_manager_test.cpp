// What systemd is told: when a service is ready, that it lives, that it reloads and stops.
#include "tests/contract/command_runs.h"
#include "tests/contract/sequences.h"

#include <QTemporaryDir>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <fstream>

using namespace fremis::test;
using namespace std::chrono_literals;

namespace {

/// The manager's end of NOTIFY_SOCKET.
class ServiceManager {
public:
    ServiceManager() : m_path(m_folder.filePath(QStringLiteral("notify")).toStdString()) {
        m_socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, m_path.c_str(), sizeof address.sun_path - 1);
        m_bound = ::bind(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    }
    ~ServiceManager() { ::close(m_socket); }
    ServiceManager(const ServiceManager&) = delete;
    ServiceManager& operator=(const ServiceManager&) = delete;

    [[nodiscard]] bool isBound() const { return m_bound; }
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] const std::string& heard() const { return m_heard; } ///< everything so far

    /// Listens until a message has a line that begins with `line`, and returns that line. Empty at the deadline.
    std::string waitFor(const std::string& line, std::chrono::milliseconds deadline = 30s) {
        const auto end = std::chrono::steady_clock::now() + deadline;
        while (std::chrono::steady_clock::now() < end)
            if (const auto found = lineIn(receive(end), line); !found.empty())
                return found;
        return {};
    }

private:
    std::string receive(std::chrono::steady_clock::time_point end) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        pollfd wait{m_socket, POLLIN, 0};
        if (::poll(&wait, 1, static_cast<int>(std::max(left, 0ms).count())) != 1)
            return {};
        std::array<char, 4096> bytes{};
        const auto got = ::recv(m_socket, bytes.data(), bytes.size(), 0);
        const std::string message =
            "\n" + std::string(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        m_heard += message;
        return message;
    }

    static std::string lineIn(const std::string& message, const std::string& line) {
        const auto at = message.find("\n" + line);
        return at == std::string::npos ? std::string() : message.substr(at + 1, message.find('\n', at + 1) - at - 1);
    }

    QTemporaryDir m_folder;
    std::string m_path;
    std::string m_heard;
    int m_socket = -1;
    bool m_bound = false;
};

AppOptions underManager(const ServiceManager& manager) {
    AppOptions options;
    options.environment = {{"NOTIFY_SOCKET", manager.path()}};
    return options;
}

} // namespace

class ServiceManagerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWorkerIsReadyWhenItSearches() {
        FREMIS_NEEDS_FETCHED_DATA(modelPack("fp-mfn512"));
        ServiceManager manager;
        QVERIFY(manager.isBound());
        const auto server = AppProcess::start(underManager(manager));
        QVERIFY(server);
        QVERIFY2(!manager.waitFor("READY=1").empty(), (*server)->errorText().c_str());
        QVERIFY((*server)->waitListening());
        QCOMPARE(FaceClient((*server)->port()).get(QStringLiteral("/readyz")).status, 200);
        QVERIFY2(manager.heard().find("STATUS=ACTIVE: 0 vectors") != std::string::npos, manager.heard().c_str());
        // No watchdog was asked for.
        QVERIFY(manager.heard().find("WATCHDOG=1") == std::string::npos);
        (*server)->terminate();
        QCOMPARE(manager.waitFor("STOPPING=1"), std::string("STOPPING=1"));
        QCOMPARE((*server)->waitExit().value_or(-1), 0);
    }

    void aWorkerWithoutItsDatabaseIsReadyAndSaysWhatItLacks() {
        FREMIS_NEEDS_FETCHED_DATA(modelPack("fp-mfn512"));
        ServiceManager manager;
        auto options = underManager(manager);
        options.arguments = {"--storage", "postgres", "--db-address", "127.0.0.1", "--db-port", "1"};
        const auto server = AppProcess::start(options);
        QVERIFY(server);
        QVERIFY2(!manager.waitFor("READY=1").empty(), (*server)->errorText().c_str());
        QVERIFY2(manager.heard().find("STATUS=LOADING: waiting for the storage: ") != std::string::npos,
                 manager.heard().c_str());
    }

    void theWatchdogHearsFromTheEventLoop() {
        FREMIS_NEEDS_FETCHED_DATA(modelPack("fp-mfn512"));
        ServiceManager manager;
        auto options = underManager(manager);
        options.environment["WATCHDOG_USEC"] = "200000";
        const auto server = AppProcess::start(options);
        QVERIFY(server);
        QVERIFY2(!manager.waitFor("READY=1").empty(), (*server)->errorText().c_str());
        for (int beat = 0; beat < 3; ++beat)
            QCOMPARE(manager.waitFor("WATCHDOG=1"), std::string("WATCHDOG=1"));
    }

    void aStartThatFailsIsNeverReady() {
        ServiceManager manager;
        auto options = underManager(manager);
        options.modelPack = false;
        options.arguments = {"--model-pack", "/nonexistent/pack"};
        const auto server = AppProcess::start(options);
        QVERIFY(server);
        QCOMPARE((*server)->waitExit().value_or(-1), kBadConfiguration);
        QCOMPARE(manager.waitFor("READY=1", 0ms), std::string());
    }

    void aCoordinatorTellsItsWorkersAndItsReloads() {
        ServiceManager manager;
        QTemporaryDir folder;
        const auto config = folder.filePath(QStringLiteral("config.yml")).toStdString();
        std::ofstream(config) << "version: \"v1\"\nnodes:\n"
                                 "  - {address: \"127.0.0.1:1\", partition_start: 0, partition_end: 127}\n"
                                 "  - {address: \"127.0.0.1:2\", partition_start: 128, partition_end: 255}\n";
        auto options = underManager(manager);
        options.subcommand = "coordinator";
        options.modelPack = false;
        options.arguments = {"--config-path", config};
        const auto server = AppProcess::start(options);
        QVERIFY(server);
        QVERIFY2(!manager.waitFor("READY=1").empty(), (*server)->errorText().c_str());
        QVERIFY2(manager.heard().find("STATUS=0 of 2 workers active") != std::string::npos, manager.heard().c_str());
        (*server)->signal(SIGHUP);
        QVERIFY(!manager.waitFor("RELOADING=1").empty());
        QVERIFY(!manager.waitFor("READY=1").empty());
        (*server)->terminate();
        QVERIFY(!manager.waitFor("STOPPING=1").empty());
        QCOMPARE((*server)->waitExit().value_or(-1), 0);
    }
};

QTEST_GUILESS_MAIN(ServiceManagerTest)
#include "service_manager_test.moc"

#pragma once

#include "shared/base/error.h"

#include <QTemporaryDir>

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

namespace fremis::test {

/// A private PostgreSQL cluster in a temporary folder, on a free port of 127.0.0.1 and on a Unix socket, with password
/// authentication. Runs as the user "postgres" when the test runs as root, which PostgreSQL refuses. It ends, and its
/// files go, with the object; the server also ends when the test is killed. Thread: the one that made it.
class PostgresServer {
public:
    /// False: no PostgreSQL server programs on this machine. $FREMIS_POSTGRES_BIN names their folder; else Debian's are
    /// taken.
    [[nodiscard]] static bool isInstalled();
    /// `settings`: more server parameters, "name=value"; they win over those that this class sets (fsync=off among
    /// them).
    [[nodiscard]] static base::Result<std::unique_ptr<PostgresServer>> start(std::vector<std::string> settings = {});
    ~PostgresServer();
    PostgresServer(const PostgresServer&) = delete;
    PostgresServer& operator=(const PostgresServer&) = delete;

    /// As a power cut: no shutdown checkpoint, connections cut. Returns when the server is gone.
    void stopImmediately();
    /// The same cluster on the same port; recovers first.
    [[nodiscard]] base::Status startAgain();
    /// SIGSTOP and SIGCONT to the server and its sessions: connections stay open and nothing answers.
    void freeze();
    void thaw();

    /// A new empty database; returns its name.
    [[nodiscard]] base::Result<std::string> createDatabase(const std::string& options = {});
    /// Runs SQL by psql; returns what it printed, without padding.
    [[nodiscard]] base::Result<std::string> sql(const std::string& database, const std::string& statement);

    [[nodiscard]] std::string socketDirectory() const;
    [[nodiscard]] int port() const { return m_port; }
    [[nodiscard]] static std::string user() { return "fremis"; }
    /// With the characters that break careless quoting.
    [[nodiscard]] static std::string password() { return R"(p'w "d\ =x)"; }

private:
    PostgresServer() = default;
    [[nodiscard]] base::Status initialise();
    [[nodiscard]] base::Status waitReady();
    [[nodiscard]] std::string bin(const std::string& program) const;
    void signalAll(int signal) const;

    QTemporaryDir m_directory;
    std::vector<std::string> m_settings;
    pid_t m_pid = -1;
    int m_port = 0;
    int m_databases = 0;
};

} // namespace fremis::test

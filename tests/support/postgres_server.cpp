#include "tests/support/postgres_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

namespace fremis::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

fs::path folderOfPrograms() {
    if (const char* chosen = std::getenv("FREMIS_POSTGRES_BIN"); chosen && *chosen)
        return chosen;
    fs::path newest;
    std::error_code error;
    for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", error))
        if (fs::exists(version.path() / "bin" / "initdb", error) && version.path() / "bin" > newest)
            newest = version.path() / "bin";
    return newest;
}

int freePort() {
    const int handle = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    int port = 0;
    if (::bind(handle, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
        ::getsockname(handle, reinterpret_cast<sockaddr*>(&address), &size) == 0)
        port = ntohs(address.sin_port);
    ::close(handle);
    return port;
}

/// Who the server programs run as: PostgreSQL refuses root.
const passwd* serverUser() {
    return ::geteuid() == 0 ? ::getpwnam("postgres") : nullptr;
}

/// Starts a program with its output in `log`; it dies with the test.
pid_t spawn(std::vector<std::string> line, const std::string& log, const std::vector<std::string>& environment = {}) {
    std::vector<char*> argv;
    for (auto& word : line)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    std::vector<char*> envp;
    for (const auto& entry : environment)
        envp.push_back(const_cast<char*>(entry.c_str()));
    envp.push_back(nullptr);
    const auto* user = serverUser();
    const pid_t pid = ::fork();
    if (pid != 0)
        return pid;
    // Only async-signal-safe calls from here.
    if (const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666); output >= 0) {
        ::dup2(output, STDOUT_FILENO);
        ::dup2(output, STDERR_FILENO);
    }
    if (user && (::setgid(user->pw_gid) != 0 || ::setuid(user->pw_uid) != 0))
        ::_exit(126);
    ::prctl(PR_SET_PDEATHSIG, SIGQUIT); // after setuid(), which clears it
    ::execve(argv[0], argv.data(), envp.data());
    ::_exit(127);
}

int waitFor(pid_t pid) {
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

std::string contentOf(const fs::path& file) {
    std::ifstream input(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(input), {}};
}

} // namespace

bool PostgresServer::isInstalled() {
    return !folderOfPrograms().empty();
}

base::Result<std::unique_ptr<PostgresServer>> PostgresServer::start(std::vector<std::string> settings) {
    std::unique_ptr<PostgresServer> server(new PostgresServer);
    server->m_settings = std::move(settings);
    if (auto ready = server->initialise(); !ready)
        return tl::unexpected(ready.error());
    for (int attempt = 0;; ++attempt) { // the free port may be taken by another before the server binds it
        server->m_port = freePort();
        auto started = server->startAgain();
        if (started)
            return server;
        if (attempt == 4)
            return tl::unexpected(started.error());
    }
}

PostgresServer::~PostgresServer() {
    stopImmediately();
}

base::Status PostgresServer::initialise() {
    const fs::path folder = m_directory.path().toStdString();
    if (const auto* user = serverUser(); user && ::chown(folder.c_str(), user->pw_uid, user->pw_gid) != 0)
        return base::fail(base::Reason::Internal, "cannot give the folder to the user postgres", std::strerror(errno));
    std::ofstream(folder / "password") << password() << '\n';
    const auto log = (folder / "initdb.log").string();
    const auto pid = spawn({bin("initdb"), "-D", (folder / "data").string(), "-U", user(), "--pwfile",
                            (folder / "password").string(), "--auth=scram-sha-256", "--encoding=UTF8",
                            "--locale=C.UTF-8", "--no-sync"},
                           log, {"LC_ALL=C"});
    if (pid < 0 || waitFor(pid) != 0)
        return base::fail(base::Reason::Internal, "initdb failed", contentOf(log));
    return {};
}

base::Status PostgresServer::startAgain() {
    const fs::path folder = m_directory.path().toStdString();
    // fsync off: what these tests kill is the server, never the machine, so the page cache survives.
    std::vector<std::string> line{bin("postgres"),
                                  "-D",
                                  (folder / "data").string(),
                                  "-k",
                                  folder.string(),
                                  "-p",
                                  std::to_string(m_port),
                                  "-h",
                                  "127.0.0.1",
                                  "-c",
                                  "fsync=off",
                                  "-c",
                                  "shared_buffers=256MB",
                                  "-c",
                                  "max_wal_size=4GB",
                                  "-c",
                                  "unix_socket_permissions=0777"};
    for (const auto& setting : m_settings)
        line.insert(line.end(), {"-c", setting});
    m_pid = spawn(std::move(line), (folder / "server.log").string(), {"LC_ALL=C"});
    return waitReady();
}

base::Status PostgresServer::waitReady() {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (std::chrono::steady_clock::now() < end) {
        int status = 0;
        if (::waitpid(m_pid, &status, WNOHANG) == m_pid) {
            m_pid = -1;
            break;
        }
        if (sql("postgres", "SELECT 1"))
            return {};
        std::this_thread::sleep_for(20ms);
    }
    return base::fail(base::Reason::Internal, "PostgreSQL did not start",
                      contentOf(fs::path(m_directory.path().toStdString()) / "server.log"));
}

void PostgresServer::stopImmediately() {
    if (m_pid <= 0)
        return;
    thaw();
    ::kill(m_pid, SIGQUIT);
    (void)waitFor(m_pid);
    m_pid = -1;
}

void PostgresServer::freeze() {
    signalAll(SIGSTOP);
}
void PostgresServer::thaw() {
    signalAll(SIGCONT);
}

void PostgresServer::signalAll(int signal) const {
    if (m_pid <= 0)
        return;
    std::vector<pid_t> processes{m_pid};
    std::ifstream children("/proc/" + std::to_string(m_pid) + "/task/" + std::to_string(m_pid) + "/children");
    for (pid_t child = 0; children >> child;)
        processes.push_back(child);
    for (const auto process : processes)
        ::kill(process, signal);
}

base::Result<std::string> PostgresServer::createDatabase(const std::string& options) {
    const auto name = "d" + std::to_string(++m_databases);
    if (auto made = sql("postgres", "CREATE DATABASE " + name + " " + options); !made)
        return made;
    return name;
}

base::Result<std::string> PostgresServer::sql(const std::string& database, const std::string& statement) {
    const auto output = m_directory.path().toStdString() + "/psql.out";
    std::error_code error;
    fs::remove(output, error);
    const auto pid = spawn({bin("psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", socketDirectory(), "-p",
                            std::to_string(m_port), "-U", user(), "-d", database, "-c", statement},
                           output, {"LC_ALL=C.UTF-8", "PGPASSWORD=" + password()});
    const bool failed = pid < 0 || waitFor(pid) != 0;
    auto text = contentOf(output);
    if (failed)
        return base::fail(base::Reason::Internal, "psql failed", text);
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text;
}

std::string PostgresServer::socketDirectory() const {
    return m_directory.path().toStdString();
}

std::string PostgresServer::bin(const std::string& program) const {
    return (folderOfPrograms() / program).string();
}

} // namespace fremis::test

#include "tests/support/app_process.h"

#include "tests/support/http_client.h"
#include "tests/support/photos.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

extern char** environ; // NOLINT(readability-redundant-declaration): POSIX wants it declared by the program

namespace fremis::test {

namespace {

constexpr auto kPollInterval = std::chrono::milliseconds(20);

bool hasFlag(const std::vector<std::string>& arguments, const std::string& flag) {
    return std::any_of(arguments.begin(), arguments.end(),
                       [&](const std::string& a) { return a == flag || a.starts_with(flag + "="); });
}

void addDefault(std::vector<std::string>& line, const AppOptions& options, const std::string& flag, std::string value) {
    if (hasFlag(options.arguments, flag))
        return;
    line.push_back(flag);
    line.push_back(std::move(value));
}

std::vector<std::string> commandLine(const AppOptions& options, const std::string& dataDir) {
    std::vector<std::string> line{appBinary(), options.subcommand};
    if (options.listenAnywhere) {
        addDefault(line, options, "--listen-address", "127.0.0.1");
        addDefault(line, options, "--listen-port", "0");
        addDefault(line, options, "--listen-port-monitoring", "0");
        addDefault(line, options, "--data-dir", dataDir);
    }
    if (const auto pack = modelPack("fp-mfn512"); pack && options.modelPack)
        addDefault(line, options, "--model-pack", pack->string());
    line.insert(line.end(), options.arguments.begin(), options.arguments.end());
    return line;
}

std::vector<std::string> environmentWith(const std::map<std::string, std::string>& added) {
    std::vector<std::string> result;
    for (char** entry = environ; *entry; ++entry) {
        const std::string text = *entry;
        if (!added.contains(text.substr(0, text.find('='))))
            result.push_back(text);
    }
    for (const auto& [name, value] : added)
        result.push_back(name + "=" + value);
    return result;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (auto& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// The last lines of a text, for a person to read.
std::string tailOf(const std::string& text) {
    constexpr std::size_t kMost = 600; // a longer message would be cut by the test
    return text.size() <= kMost ? text : "…" + text.substr(text.size() - kMost);
}

int exitCodeOf(int status) {
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace

std::string appBinary() {
    const char* chosen = std::getenv("FREMIS_APP");
    return chosen && *chosen ? chosen : FREMIS_APP_BINARY;
}

base::Result<std::unique_ptr<AppProcess>> AppProcess::start(AppOptions options) {
    std::unique_ptr<AppProcess> process(new AppProcess);
    process->m_dataDir = options.dataDir;
    if (options.dataDir.empty()) {
        process->m_ownDataDir = std::make_unique<QTemporaryDir>();
        process->m_dataDir = process->m_ownDataDir->path().toStdString();
    }
    if (auto spawned = process->spawn(options); !spawned)
        return tl::unexpected(spawned.error());
    return process;
}

base::Result<std::unique_ptr<AppProcess>> AppProcess::startReady(AppOptions options,
                                                                 std::chrono::milliseconds deadline) {
    auto process = start(std::move(options));
    if (!process)
        return process;
    if (!(*process)->waitListening(deadline) || !(*process)->waitReady(deadline))
        return base::fail(base::Reason::NotReady, "the server did not become ready", (*process)->errorText());
    return process;
}

base::Status AppProcess::spawn(const AppOptions& options) {
    auto line = commandLine(options, m_dataDir);
    auto environment = environmentWith(options.environment);
    const auto argv = pointersTo(line);
    const auto envp = pointersTo(environment);
    std::array<int, 2> error{};
    std::array<int, 2> output{};
    if (pipe2(error.data(), O_CLOEXEC) != 0 || pipe2(output.data(), O_CLOEXEC) != 0)
        return base::fail(base::Reason::Internal, "no pipe", std::strerror(errno));
    const pid_t parent = getpid();
    m_pid = fork();
    if (m_pid == 0) {
        // Only async-signal-safe calls here: other threads of the test may have held locks at the fork.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(127);
        dup2(output[1], STDOUT_FILENO);
        dup2(error[1], STDERR_FILENO);
        execve(argv[0], argv.data(), envp.data());
        _exit(127);
    }
    ::close(error[1]);
    ::close(output[1]);
    if (m_pid < 0) {
        ::close(error[0]);
        ::close(output[0]);
        return base::fail(base::Reason::Internal, "cannot fork", std::strerror(errno));
    }
    m_errorReader = std::thread([this, pipe = error[0]] { collect(pipe, m_error); });
    m_outputReader = std::thread([this, pipe = output[0]] { collect(pipe, m_output); });
    return {};
}

AppProcess::~AppProcess() {
    if (m_pid > 0 && !m_exit) {
        const bool crashed = reap() && *m_exit > 128 && !m_endWanted;
        if (crashed)
            qWarning("%s", howItEnded().c_str());
        kill();
    }
    if (m_errorReader.joinable())
        m_errorReader.join();
    if (m_outputReader.joinable())
        m_outputReader.join();
}

void AppProcess::collect(int pipe, std::string& into) {
    const bool isError = &into == &m_error;
    std::array<char, 8192> chunk;
    std::string line;
    for (;;) {
        const auto got = ::read(pipe, chunk.data(), chunk.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        const std::scoped_lock lock(m_mutex);
        into.append(chunk.data(), static_cast<std::size_t>(got));
        for (ssize_t i = 0; isError && i < got; ++i) {
            const char c = chunk[static_cast<std::size_t>(i)];
            if (c == '\n')
                noteLine(std::exchange(line, {}));
            else
                line += c;
        }
    }
    ::close(pipe);
    const std::scoped_lock lock(m_mutex);
    m_closed = m_closed || isError;
    m_changed.notify_all();
}

/// Called with the lock held.
void AppProcess::noteLine(const std::string& line) {
    const auto entry = QJsonDocument::fromJson(QByteArray::fromStdString(line)).object();
    const auto event = entry.value(QStringLiteral("event")).toString();
    const int port = entry.value(QStringLiteral("port")).toInt();
    if (event == QStringLiteral("listening"))
        m_port = port;
    else if (event == QStringLiteral("listening_monitoring"))
        m_monitoringPort = port;
    m_changed.notify_all();
}

bool AppProcess::waitListening(std::chrono::milliseconds deadline) {
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, deadline, [this] { return m_port != 0 || m_closed; });
    return m_port != 0;
}

bool AppProcess::waitReady(std::chrono::milliseconds deadline) {
    const auto end = std::chrono::steady_clock::now() + deadline;
    std::unique_lock lock(m_mutex);
    while (!m_closed && std::chrono::steady_clock::now() < end) {
        const int port = m_port;
        lock.unlock();
        if (port != 0) {
            HttpClient client("127.0.0.1", port);
            client.setDeadline(std::chrono::seconds(5));
            if (const auto answer = client.get("/readyz"); answer && answer->status == 200)
                return true;
        }
        lock.lock();
        m_changed.wait_for(lock, kPollInterval, [this] { return m_closed; });
    }
    return false;
}

int AppProcess::port() const {
    const std::scoped_lock lock(m_mutex);
    return m_port;
}

int AppProcess::monitoringPort() const {
    const std::scoped_lock lock(m_mutex);
    return m_monitoringPort;
}

std::string AppProcess::url() const {
    return "http://127.0.0.1:" + std::to_string(port());
}

std::string AppProcess::errorText() const {
    const std::scoped_lock lock(m_mutex);
    return m_error;
}

std::string AppProcess::outputText() const {
    const std::scoped_lock lock(m_mutex);
    return m_output;
}

void AppProcess::signal(int number) {
    if (m_pid <= 0 || m_exit)
        return;
    m_endWanted = m_endWanted || number == SIGKILL || number == SIGTERM || number == SIGINT;
    ::kill(m_pid, number);
}

void AppProcess::terminate() {
    signal(SIGTERM);
}

std::optional<int> AppProcess::stop() {
    terminate();
    return waitExit();
}

void AppProcess::kill() {
    if (m_exit)
        return;
    signal(SIGKILL);
    int status = 0;
    while (waitpid(m_pid, &status, 0) < 0 && errno == EINTR) {
    }
    m_exit = exitCodeOf(status);
}

std::optional<int> AppProcess::reap() {
    int status = 0;
    if (!m_exit && waitpid(m_pid, &status, WNOHANG) == m_pid)
        m_exit = exitCodeOf(status);
    return m_exit;
}

std::string AppProcess::howItEnded() const {
    const int code = m_exit.value_or(0);
    const auto how = code > 128 ? "signal " + std::to_string(code - 128) + " (" + strsignal(code - 128) + ")"
                                : "exit code " + std::to_string(code);
    return "process " + std::to_string(m_pid) + " ended with " + how + "; it said:\n" + tailOf(errorText());
}

std::string AppProcess::unexpectedEnd() {
    return !m_endWanted && waitExit(std::chrono::milliseconds(0)) ? howItEnded() : std::string();
}

std::optional<int> AppProcess::waitExit(std::chrono::milliseconds deadline) {
    const auto end = std::chrono::steady_clock::now() + deadline;
    while (!reap() && std::chrono::steady_clock::now() < end) {
        std::unique_lock lock(m_mutex);
        // After its streams are closed the process is about to be reapable; before, a poll bounds the wait.
        m_changed.wait_for(lock, kPollInterval);
    }
    if (m_exit && m_errorReader.joinable())
        m_errorReader.join();
    if (m_exit && m_outputReader.joinable())
        m_outputReader.join();
    return m_exit;
}

} // namespace fremis::test

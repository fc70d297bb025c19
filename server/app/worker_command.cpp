#include "server/app/worker_command.h"

#include "server/app/worker.h"
#include "server/app/worker_options.h"
#include "shared/base/log.h"

#include <QCoreApplication>
#include <QSocketNotifier>
#include <QTimer>

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace fremis::app {

namespace {

constexpr int kUsageError = 2;
constexpr int kBadConfiguration = 78; // EX_CONFIG of sysexits.h
constexpr std::chrono::seconds kTrimInterval{15};

// One byte a request to stop: the exit code. A signal handler may do no more than write(2).
int s_stopPipe[2] = {-1, -1};

void requestStop(int exitCode) {
    const auto byte = static_cast<unsigned char>(exitCode);
    [[maybe_unused]] const auto written = ::write(s_stopPipe[1], &byte, 1);
}

bool watchSignals() {
    if (::pipe(s_stopPipe) != 0)
        return false;
    struct sigaction action {};
    action.sa_handler = [](int) { requestStop(0); };
    ::sigaction(SIGTERM, &action, nullptr);
    ::sigaction(SIGINT, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    return true;
}

int printRoutes() {
    for (const auto& route : api::clientRoutes(nullptr))
        std::printf("%s %s\n", route.method.c_str(), route.path.c_str());
    return 0;
}

int exitCodeOf(const base::Error& error) {
    using base::Reason;
    return error.reason == Reason::BadModelPack || error.reason == Reason::BadStore ||
                   error.reason == Reason::InvalidConfig
               ? kBadConfiguration
               : 1;
}

int serve(const WorkerOptions& options) {
    // Core dumps would hold faces and keys.
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    if (options.verbose)
        base::setLogLevel(base::LogLevel::Debug);
    int argc = 1;
    char name[] = "fremis_n_app";
    char* argv[] = {name, nullptr};
    QCoreApplication application(argc, argv);
    if (!watchSignals())
        return 1;
    QSocketNotifier stopNotifier(s_stopPipe[0], QSocketNotifier::Read);
    QObject::connect(&stopNotifier, &QSocketNotifier::activated, &application, [] {
        unsigned char exitCode = 0;
        if (::read(s_stopPipe[0], &exitCode, 1) == 1)
            QCoreApplication::exit(exitCode);
    });
    auto worker = Worker::start(options, requestStop);
    if (!worker) {
        std::fprintf(stderr, "fremis_n_app: %s\n", worker.error().message.c_str());
        base::log(base::LogLevel::Debug, "start_failed", {{"detail", worker.error().detail}});
        return exitCodeOf(worker.error());
    }
    QTimer trim;
    QObject::connect(&trim, &QTimer::timeout, &application, [] { ::malloc_trim(0); });
    trim.start(kTrimInterval);
    const int exitCode = QCoreApplication::exec();
    base::log(base::LogLevel::Info, "stopping", {{"exit_code", exitCode}});
    worker->reset();
    base::log(base::LogLevel::Info, "stopped", {});
    return exitCode;
}

} // namespace

int runWorkerCommand(std::span<const std::string> arguments) {
    const auto parsed = parseWorkerOptions({arguments.begin(), arguments.end()}, currentEnvironment());
    if (!parsed) {
        std::fprintf(stderr, "fremis_n_app httpserver: %s\n", parsed.error().message.c_str());
        return kUsageError;
    }
    if (!parsed->options) {
        std::fputs(parsed->textToPrint.c_str(), stdout);
        return 0;
    }
    return parsed->options->printRoutes ? printRoutes() : serve(*parsed->options);
}

} // namespace fremis::app

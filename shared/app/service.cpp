#include "shared/app/service.h"

#include "shared/app/supervisor.h"
#include "shared/base/log.h"

#include <QCoreApplication>
#include <QSocketNotifier>
#include <QTimer>

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <utility>

namespace fremis::app {

namespace {

constexpr std::chrono::seconds kTrimInterval{15};

// One byte a request: an exit code, or kReload. A signal handler may do no more than write(2).
constexpr unsigned char kReload = 255;
int s_requestPipe[2] = {-1, -1};

void request(int what) {
    const auto byte = static_cast<unsigned char>(what);
    [[maybe_unused]] const auto written = ::write(s_requestPipe[1], &byte, 1);
}

bool watchSignals() {
    if (::pipe(s_requestPipe) != 0)
        return false;
    struct sigaction action {};
    action.sa_handler = [](int) { request(0); };
    ::sigaction(SIGTERM, &action, nullptr);
    ::sigaction(SIGINT, &action, nullptr);
    action.sa_handler = [](int) { request(kReload); };
    ::sigaction(SIGHUP, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    return true;
}

int exitCodeOf(const base::Error& error) {
    using base::Reason;
    return error.reason == Reason::BadModelPack || error.reason == Reason::BadStore ||
                   error.reason == Reason::InvalidConfig
               ? kBadConfiguration
               : 1;
}

} // namespace

int runService(bool verbose, const StartService& start) {
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    if (verbose)
        base::setLogLevel(base::LogLevel::Debug);
    int argc = 1;
    char name[] = "fremis_n_app";
    char* argv[] = {name, nullptr};
    QCoreApplication application(argc, argv);
    if (!watchSignals())
        return 1;
    auto service = start(request);
    if (!service) {
        std::fprintf(stderr, "fremis_n_app: %s\n", service.error().message.c_str());
        base::log(base::LogLevel::Debug, "start_failed", {{"detail", service.error().detail}});
        return exitCodeOf(service.error());
    }
    Supervisor supervisor([&service] { return (*service)->condition(); });
    QSocketNotifier notifier(s_requestPipe[0], QSocketNotifier::Read);
    QObject::connect(&notifier, &QSocketNotifier::activated, &application,
                     [&service, &supervisor, draining = false]() mutable {
                         unsigned char what = 0;
                         if (::read(s_requestPipe[0], &what, 1) != 1)
                             return;
                         if (what == kReload)
                             return supervisor.reload([&service] { (*service)->reload(); });
                         if (std::exchange(draining, true))
                             return QCoreApplication::exit(what); // told again: at once
                         supervisor.stopping();
                         base::log(base::LogLevel::Info, "stopping", {{"exit_code", int{what}}});
                         (*service)->drain([what] { QCoreApplication::exit(what); });
                     });
    QTimer trim;
    QObject::connect(&trim, &QTimer::timeout, &application, [] { ::malloc_trim(0); });
    trim.start(kTrimInterval);
    supervisor.begin();
    const int exitCode = QCoreApplication::exec();
    service->reset();
    base::log(base::LogLevel::Info, "stopped", {});
    return exitCode;
}

} // namespace fremis::app

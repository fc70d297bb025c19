// What the console costs, and whether a hung cluster can hold it up: 20 nodes on sockets of this computer, polled every
// 2 s. The cluster is a process of its own, so the times here are the console's alone. Reports, asserts nothing.
#include "console/client/network_transport.h"
#include "console/ui/pages/metrics/metrics_page.h"
#include "console/ui/shell/dialogs.h"
#include "console/ui/shell/main_window.h"
#include "tests/support/fake_cluster.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QSettings>
#include <QSocketNotifier>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <memory>
#include <thread>

using namespace fremis;
using namespace fremis::console;
using namespace fremis::console::ui;
using namespace std::chrono_literals;

namespace {

constexpr int kNodes = 20;
constexpr int kHung = 5;
constexpr int kWarmUpSpeed = 30; ///< times the real time, until charts have a quarter of an hour to show
constexpr auto kWarmUp = 32s;
constexpr auto kMeasured = 30s;

/// Runs faster than time until it is told otherwise.
class FastClock final : public base::Clock {
public:
    void setSpeed(int speed) {
        m_origin = steady();
        m_wall = sinceEpoch();
        m_real = std::chrono::steady_clock::now();
        m_speed = speed;
    }
    [[nodiscard]] std::chrono::milliseconds sinceEpoch() const override {
        return m_wall + std::chrono::duration_cast<std::chrono::milliseconds>(passed());
    }
    [[nodiscard]] std::chrono::steady_clock::time_point steady() const override { return m_origin + passed(); }

private:
    [[nodiscard]] std::chrono::steady_clock::duration passed() const {
        return (std::chrono::steady_clock::now() - m_real) * m_speed;
    }
    std::chrono::steady_clock::time_point m_real = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point m_origin = m_real;
    std::chrono::milliseconds m_wall = base::SystemClock().sinceEpoch();
    int m_speed = 1;
};

double processSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

double residentMiB() {
    std::ifstream file("/proc/self/statm");
    long size = 0;
    long resident = 0;
    file >> size >> resident;
    return double(resident) * double(sysconf(_SC_PAGESIZE)) / 1048576.0;
}

/// How long the event loop lets a question wait, asked every 5 ms from a thread of its own.
class Watchdog {
public:
    explicit Watchdog(QObject& receiver)
        : m_thread([this, &receiver] {
              while (!m_ended) {
                  const auto asked = std::chrono::steady_clock::now();
                  const auto answered = std::make_shared<std::atomic<bool>>(false);
                  QMetaObject::invokeMethod(
                      &receiver, [answered] { *answered = true; }, Qt::QueuedConnection);
                  while (!*answered && !m_ended)
                      std::this_thread::sleep_for(200us);
                  if (!*answered)
                      return;
                  m_delays.push_back(
                      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - asked).count());
                  std::this_thread::sleep_for(5ms);
              }
          }) {}
    /// Milliseconds, sorted.
    std::vector<double> end() {
        m_ended = true;
        m_thread.join();
        std::sort(m_delays.begin(), m_delays.end());
        return m_delays;
    }

private:
    std::atomic<bool> m_ended = false;
    std::vector<double> m_delays;
    std::thread m_thread;
};

void runFor(std::chrono::milliseconds time) {
    QTimer::singleShot(time, qApp, &QCoreApplication::quit);
    QCoreApplication::exec();
}

void measure(const char* what, QObject& receiver) {
    const double begun = processSeconds();
    QElapsedTimer wall;
    wall.start();
    runFor(kMeasured);
    const double cpu = 100.0 * (processSeconds() - begun) / (double(wall.elapsed()) / 1000.0);
    Watchdog watchdog(receiver);
    runFor(kMeasured);
    const auto delays = watchdog.end();
    const auto percentile = [&delays](std::size_t percent) { return delays[(delays.size() - 1) * percent / 100]; };
    std::printf("%-34s %5.1f %% of a core, %5.1f MiB; event loop waits p50 %.1f ms, p99 %.1f ms, max %.1f ms (%zu)\n",
                what, cpu, residentMiB(), percentile(50), percentile(99), delays.back(), delays.size());
    std::fflush(stdout);
}

/// The cluster's process: tells its coordinator's address, hangs nodes when a line says so, ends with its parent.
int runCluster(int argc, char** argv) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    QCoreApplication application(argc, argv);
    DemoScenario scenario;
    scenario.nodes = kNodes;
    scenario.vectors = 20'000'000;
    scenario.singleCopies = false;
    FastClock clock;
    test::FakeCluster cluster(scenario, clock);
    std::printf("%s\n", qPrintable(cluster.coordinatorUrl().toString()));
    std::fflush(stdout);
    QSocketNotifier input(STDIN_FILENO, QSocketNotifier::Read);
    QObject::connect(&input, &QSocketNotifier::activated, &cluster, [&cluster, &input] {
        char line[64];
        if (::read(STDIN_FILENO, line, sizeof line) <= 0) {
            input.setEnabled(false);
            QCoreApplication::quit();
            return;
        }
        for (int node = 0; node < kHung; ++node)
            cluster.setFault(4 * node, DemoFault::Hangs);
    });
    return QCoreApplication::exec();
}

} // namespace

int main(int argc, char** argv) {
    if (argc > 1 && QByteArray(argv[1]) == "--cluster")
        return runCluster(argc, argv);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("fremis-n"));
    QCoreApplication::setApplicationName(QStringLiteral("fremis-n-console-bench"));
    QSettings().clear();
    QProcess cluster;
    cluster.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    cluster.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--cluster")});
    if (!cluster.waitForReadyRead())
        return 1;

    const QTemporaryDir folder;
    FastClock clock;
    clock.setSpeed(kWarmUpSpeed);
    Theme theme;
    theme.install();
    NetworkTransport transport;
    SessionStore secrets;
    ProfileStore profiles(folder.filePath(QStringLiteral("profiles.json")));
    Session session({transport, clock, secrets, profiles});
    WindowDialogs dialogs(theme);
    MainWindow window(session, theme, dialogs);
    window.show();
    Profile profile;
    profile.name = QStringLiteral("Bench");
    profile.coordinators = {QUrl(QString::fromUtf8(cluster.readLine().trimmed()))};
    session.open(profile, KeyPair());
    window.openPage(QStringLiteral("metrics"));
    runFor(kWarmUp);
    clock.setSpeed(1);
    runFor(5s);
    const SnapshotPtr snapshot = session.snapshot();
    const auto* charts = qobject_cast<MetricsPage*>(window.page(QStringLiteral("metrics")));
    const auto points =
        session.history().series(snapshot->nodes.front().address, Metric::Ram, Milliseconds(0), session.now()).size();
    std::printf("%d nodes of %zu answer, polled every %lld ms; Metrics page %d x %d, %lld points in a line\n",
                snapshot->counts.nodesOk, snapshot->nodes.size(), static_cast<long long>(profile.interval.count()),
                charts->width(), charts->height(), static_cast<long long>(points));

    measure("Metrics, all answer", window);
    cluster.write("hang\n");
    runFor(5s);
    measure("Metrics, 5 of 20 nodes hang", window);
    std::printf("%d nodes of %zu answer\n", session.snapshot()->counts.nodesOk, session.snapshot()->nodes.size());
    cluster.closeWriteChannel();
    cluster.waitForFinished();
    return 0;
}

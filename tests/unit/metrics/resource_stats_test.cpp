#include "shared/metrics/resource_stats.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <unistd.h>

namespace metrics = fremis::metrics;

namespace {

/// A procfs with the numbers of a test.
class FakeProc {
public:
    FakeProc() {
        QDir(m_dir.path()).mkpath(QStringLiteral("self/fd"));
        setCpu(100, 900, 10);
        write("meminfo", "MemTotal:       16777216 kB\nMemFree:  1 kB\nMemAvailable:   10485760 kB\n");
        write("self/status", "Name:\tfremis (n)\nVmRSS:\t 1572864 kB\nThreads:\t19\n");
        for (const char* fd : {"self/fd/0", "self/fd/1", "self/fd/2"})
            write(fd, "");
    }
    void setCpu(int busy, int idle, int process) const {
        write("stat", QStringLiteral("cpu  %1 0 0 %2 0 0 0 0 0 0\ncpu0 1 2 3\n").arg(busy).arg(idle).toUtf8());
        write("self/stat",
              QStringLiteral("7 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 %1 0 0 0 20 0 19\n").arg(process).toUtf8());
    }
    void write(const char* name, const QByteArray& text) const {
        QFile file(m_dir.filePath(QString::fromUtf8(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    [[nodiscard]] std::filesystem::path path() const { return m_dir.path().toStdString(); }

private:
    QTemporaryDir m_dir;
};

} // namespace

class ResourceStatsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cpuIsTheShareBetweenTwoReadings();
    void cpuWithoutAPassedTickIsUnknown();
    void idleTimeThatStepsBackIsNoError();
    void ramIsReadInBytes();
    void processIsReadInBytes();
    void thisMachineGivesPlausibleNumbers();
    void aMissingProcfsGivesZeros();
    void diskCountsDataAndQueueApart();
    void aMissingDataDirectoryGivesZeros();
    void firstReadingHasNoCpuThenItComes();
    void noGpuLibraryMeansNoGpus();
    void aLibraryWithoutTheFunctionsIsRefused();
    void aLibraryWithoutADriverIsRefused();
    void gpusOfTheLibraryAreListed();
    void monitorReportsTheGpus();
};

void ResourceStatsTest::cpuIsTheShareBetweenTwoReadings() {
    const FakeProc proc;
    const auto before = metrics::readCpuTimes(proc.path());
    proc.setCpu(175, 1025, 70);
    const auto after = metrics::readCpuTimes(proc.path());
    QVERIFY(before && after);
    const auto cpu = metrics::cpuBetween(*before, *after);
    QCOMPARE(cpu.percent.value(), 37.5);
    QCOMPARE(cpu.processPercent.value(), 30.0);
    QVERIFY(cpu.cores >= 1);
}

void ResourceStatsTest::cpuWithoutAPassedTickIsUnknown() {
    const FakeProc proc;
    const auto times = metrics::readCpuTimes(proc.path());
    QVERIFY(times);
    QVERIFY(!metrics::cpuBetween(*times, *times).percent);
    QVERIFY(!metrics::cpuBetween(*times, *times).processPercent);
}

void ResourceStatsTest::idleTimeThatStepsBackIsNoError() {
    const auto cpu = metrics::cpuBetween({500, 1000, 300}, {499, 1100, 299});
    QCOMPARE(cpu.percent.value(), 0.0);
    QCOMPARE(cpu.processPercent.value(), 0.0);
}

void ResourceStatsTest::ramIsReadInBytes() {
    const FakeProc proc;
    const auto ram = metrics::readRam(proc.path());
    QCOMPARE(ram.totalBytes, 17'179'869'184U);
    QCOMPARE(ram.availableBytes, 10'737'418'240U);
    QCOMPARE(ram.usedBytes, 6'442'450'944U);
    QCOMPARE(ram.percent, 37.5);
}

void ResourceStatsTest::processIsReadInBytes() {
    const FakeProc proc;
    const auto process = metrics::readProcess(proc.path());
    QCOMPARE(process.rssBytes, 1'610'612'736U);
    QCOMPARE(process.threads, 19U);
    QCOMPARE(process.openFds, 3U);
}

void ResourceStatsTest::thisMachineGivesPlausibleNumbers() {
    QVERIFY(metrics::readCpuTimes("/proc"));
    const auto ram = metrics::readRam("/proc");
    QVERIFY(ram.totalBytes > ram.availableBytes);
    const auto process = metrics::readProcess("/proc");
    QVERIFY(process.rssBytes > 1'000'000);
    QVERIFY(process.threads >= 1);
    QVERIFY(process.openFds >= 3);
}

void ResourceStatsTest::aMissingProcfsGivesZeros() {
    QVERIFY(!metrics::readCpuTimes("/nonexistent"));
    QCOMPARE(metrics::readRam("/nonexistent").percent, 0.0);
    QCOMPARE(metrics::readProcess("/nonexistent").openFds, 0U);
}

void ResourceStatsTest::diskCountsDataAndQueueApart() {
    const QTemporaryDir dir;
    QVERIFY(QDir(dir.path()).mkpath(QStringLiteral("queue")));
    QVERIFY(QDir(dir.path()).mkpath(QStringLiteral("snapshots")));
    const auto write = [&](const char* name, int bytes) {
        QFile file(dir.filePath(QString::fromUtf8(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(QByteArray(bytes, 'x')), bytes);
    };
    write("faces.db", 1000);
    write("snapshots/a", 200);
    write("queue/q.db", 30);
    const std::filesystem::path path = dir.path().toStdString();
    const auto disk = metrics::readDisk(path, path / "queue");
    QCOMPARE(disk.dataBytes, 1200U);
    QCOMPARE(disk.queueBytes, 30U);
    QVERIFY(disk.totalBytes > disk.freeBytes);
    QVERIFY(disk.percent > 0 && disk.percent < 100);
}

void ResourceStatsTest::aMissingDataDirectoryGivesZeros() {
    QCOMPARE(metrics::readDisk({}, {}).totalBytes, 0U);
    QCOMPARE(metrics::readDisk("/nonexistent", {}).totalBytes, 0U);
}

void ResourceStatsTest::firstReadingHasNoCpuThenItComes() {
    const fremis::base::SystemClock clock;
    metrics::ResourceMonitor monitor(clock, {});
    QVERIFY(!monitor.latest().cpu.percent);
    QVERIFY(monitor.latest().timestamp.count() > 0);
    QTRY_VERIFY_WITH_TIMEOUT(monitor.latest().cpu.percent.has_value(), 20'000);
    monitor.stop();
    monitor.stop();
    QVERIFY(monitor.latest().cpu.percent.has_value());
}

void ResourceStatsTest::noGpuLibraryMeansNoGpus() {
    const auto nvml = metrics::Nvml::open("libno-such-library.so.1");
    QVERIFY(!nvml);
    const fremis::base::SystemClock clock;
    metrics::ResourceSources sources;
    sources.nvmlLibrary = "libno-such-library.so.1";
    const metrics::ResourceMonitor monitor(clock, sources);
    QVERIFY(monitor.latest().gpu.empty());
}

void ResourceStatsTest::aLibraryWithoutTheFunctionsIsRefused() {
    const auto nvml = metrics::Nvml::open("libm.so.6");
    QVERIFY(!nvml);
    QCOMPARE(nvml.error().message, std::string("GPU library lacks a function"));
}

void ResourceStatsTest::aLibraryWithoutADriverIsRefused() {
    const auto nvml = metrics::Nvml::open(FREMIS_FAKE_NVML_BROKEN);
    QVERIFY(!nvml);
    QCOMPARE(nvml.error().message, std::string("no GPU driver"));
}

void ResourceStatsTest::gpusOfTheLibraryAreListed() {
    const auto nvml = metrics::Nvml::open(FREMIS_FAKE_NVML_TWO_GPUS);
    QVERIFY(nvml);
    const auto gpus = nvml->gpus();
    QCOMPARE(gpus.size(), 2U);
    QCOMPARE(gpus[0].index, 0);
    QCOMPARE(gpus[0].name, std::string("Example GPU"));
    QCOMPARE(gpus[0].utilPercent, 12.0);
    QCOMPARE(gpus[0].memoryTotalBytes, 25'769'803'776U);
    QCOMPARE(gpus[0].memoryUsedBytes, 2'147'483'648U);
    QCOMPARE(gpus[1].index, 1);
    QCOMPARE(gpus[1].name, std::string("Small GPU"));
    QCOMPARE(gpus[1].utilPercent, 0.0);
}

void ResourceStatsTest::monitorReportsTheGpus() {
    const fremis::base::SystemClock clock;
    metrics::ResourceSources sources;
    sources.nvmlLibrary = FREMIS_FAKE_NVML_TWO_GPUS;
    const metrics::ResourceMonitor monitor(clock, sources);
    QCOMPARE(monitor.latest().gpu.size(), 2U);
}

QTEST_GUILESS_MAIN(ResourceStatsTest)
#include "resource_stats_test.moc"

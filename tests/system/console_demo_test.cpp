// The demo cluster on this computer: real servers that the console starts, and that go with it however it ends.
#include "console/client/local_cluster.h"
#include "console/client/network_transport.h"
#include "console/client/poller.h"
#include "tests/support/app_process.h"
#include "tests/support/photos.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace fremis::console;

namespace {

constexpr int kPatienceMs = 90'000;

/// Command lines of running programs in which a text occurs.
QStringList runningWith(const QString& text) {
    QStringList found;
    for (const auto& entry : QDir(u"/proc"_s).entryList({u"[0-9]*"_s}, QDir::Dirs)) {
        QFile file(u"/proc/"_s + entry + u"/cmdline"_s);
        if (file.open(QIODevice::ReadOnly))
            if (const auto line = QString::fromLocal8Bit(file.readAll().replace('\0', ' ')); line.contains(text))
                found.append(line);
    }
    return found;
}

/// The built console in a world of its own: settings, home and temporary files lie in `folder`.
std::unique_ptr<QProcess> startConsole(const QTemporaryDir& folder, const QStringList& arguments) {
    auto process = std::make_unique<QProcess>();
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
    for (const auto* name : {"HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        environment.insert(QLatin1StringView(name), folder.path());
    process->setProcessEnvironment(environment);
    process->start(QStringLiteral(FREMIS_CONSOLE_BINARY), arguments);
    return process;
}

} // namespace

class ConsoleDemoTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void itsServersAnswerAndGoWithIt();
    void aServerThatEndsIsSaidOnce();
    void theProgramOpensEveryPageOnIt();
    void theServersEndWithAKilledConsole();
};

void ConsoleDemoTest::initTestCase() {
    const auto pack = fremis::test::modelPack("fp-mfn512");
    FREMIS_NEEDS_FETCHED_DATA(pack);
    qputenv("FREMISN_MODEL_PACKS", QByteArray::fromStdString(pack->parent_path().string()));
}

void ConsoleDemoTest::itsServersAnswerAndGoWithIt() {
    auto cluster = std::make_unique<LocalCluster>(QString::fromStdString(fremis::test::appBinary()));
    const QString folder = cluster->folder();
    QSignalSpy ready(cluster.get(), &LocalCluster::ready);
    QSignalSpy failed(cluster.get(), &LocalCluster::failed);
    cluster->start();
    QVERIFY(ready.wait(kPatienceMs));
    QCOMPARE(cluster->processIds().size(), 4U);
    fremis::base::SystemClock clock;
    NetworkTransport transport;
    ClusterClient client(transport, clock);
    History history;
    Poller poller(client, clock, history);
    poller.connectTo(cluster->profile());
    QTRY_VERIFY_WITH_TIMEOUT(poller.snapshot() && poller.snapshot()->counts.of(PartitionClass::Ok) == 256 &&
                                 poller.snapshot()->counts.nodesOk == 3,
                             kPatienceMs);
    QCOMPARE(poller.snapshot()->partitions.front().expected, 2);
    QCOMPARE(poller.snapshot()->nodes.front().label(), u"worker-1"_s);
    QCOMPARE(failed.count(), 0);
    QCOMPARE(runningWith(folder).size(), 4);
    cluster.reset();
    QCOMPARE(runningWith(folder), QStringList());
    QVERIFY(!QDir(folder).exists());
}

void ConsoleDemoTest::aServerThatEndsIsSaidOnce() {
    LocalCluster nowhere(u"/nowhere/fremis_n_app"_s);
    QSignalSpy notStarted(&nowhere, &LocalCluster::failed);
    nowhere.start();
    QTRY_COMPARE_WITH_TIMEOUT(notStarted.count(), 1, kPatienceMs);
    QVERIFY(notStarted.first().first().toString().contains(u"/nowhere/fremis_n_app"_s));

    LocalCluster cluster(QString::fromStdString(fremis::test::appBinary()));
    QSignalSpy ready(&cluster, &LocalCluster::ready);
    QSignalSpy failed(&cluster, &LocalCluster::failed);
    cluster.start();
    QVERIFY(ready.wait(kPatienceMs));
    ::kill(static_cast<pid_t>(cluster.processIds().front()), SIGKILL);
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatienceMs);
    QVERIFY(failed.first().first().toString().startsWith(u"worker-1"_s));
}

void ConsoleDemoTest::theProgramOpensEveryPageOnIt() {
    const QTemporaryDir folder;
    const auto console = startConsole(folder, {u"--demo=real"_s, u"--selftest"_s});
    QVERIFY(console->waitForFinished(kPatienceMs));
    QVERIFY2(console->exitCode() == 0, console->readAllStandardError().constData());
    QVERIFY(console->readAllStandardOutput().contains("all pages opened"));
    QCOMPARE(runningWith(folder.path()), QStringList());
    QCOMPARE(QDir(folder.path()).entryList({u"fremis-n-console-*"_s}, QDir::Dirs), QStringList());
}

void ConsoleDemoTest::theServersEndWithAKilledConsole() {
    const QTemporaryDir folder;
    const auto console = startConsole(folder, {u"--demo=real"_s});
    QTRY_COMPARE_WITH_TIMEOUT(runningWith(folder.path()).size(), 4, kPatienceMs);
    console->kill();
    QVERIFY(console->waitForFinished(kPatienceMs));
    QTRY_COMPARE_WITH_TIMEOUT(runningWith(folder.path()), QStringList(), kPatienceMs);
}

QTEST_GUILESS_MAIN(ConsoleDemoTest)
#include "console_demo_test.moc"

// Two coordinators over the same workers: each takes writes, one of them goes and comes back with a full queue.
#include "tests/support/app_process.h"
#include "tests/support/face_client.h"
#include "tests/support/photos.h"
#include "tests/support/test_cluster.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QtTest>

#include <csignal>

using namespace fremis::test;

namespace {

const QString kDefault = QStringLiteral("default");
constexpr int kHealing = 30'000; ///< ms

/// The fenced block of a language in the cluster guide, with the addresses of its example replaced by these ports.
QString exampleOf(const QString& language, const TestCluster& cluster, int port) {
    QFile page(QStringLiteral(FREMIS_SOURCE_DIR "/resources/docs/cluster.md"));
    if (!page.open(QIODevice::ReadOnly))
        return {};
    auto block = QString::fromUtf8(page.readAll()).section(QStringLiteral("```") + language + QLatin1Char('\n'), 1);
    block = block.section(QStringLiteral("```"), 0, 0);
    block.replace(QStringLiteral("192.0.2.11:4005"), QStringLiteral("127.0.0.1:%1").arg(cluster.port(0)));
    block.replace(QStringLiteral("192.0.2.12:4005"), QStringLiteral("127.0.0.1:%1").arg(cluster.port(1)));
    return block.replace(QStringLiteral("4000"), QString::number(port));
}

} // namespace

class TwoCoordinatorsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        FREMIS_NEEDS_FETCHED_DATA(photo("jesper.jpg") && modelPack("fp-mfn512"));
        m_jesper = photoBase64("jesper.jpg");
    }

    void init() {
        auto started = TestCluster::start({.workers = 3, .replicas = 2, .coordinators = 2});
        QVERIFY2(started, started ? "" : started.error().detail.c_str());
        m_cluster = std::move(*started);
        for (int number = 0; number < 2; ++number) {
            m_clients[number] = std::make_unique<FaceClient>(m_cluster->port(number));
            QVERIFY(waitActive(number, 3));
        }
    }

    void cleanup() {
        const auto ends = m_cluster ? m_cluster->unexpectedEnds() : QStringList();
        QVERIFY2(ends.isEmpty(), qPrintable(ends.join(QLatin1Char('\n'))));
        m_balancer.reset();
        m_cluster.reset();
    }

    void theQueueOfOneThatWasAwayResurrectsNothing() {
        m_cluster->kill(0);
        QVERIFY(waitActive(0, 2) && waitActive(1, 2));
        // Each queues for the same worker.
        for (int i = 0; i < 8; ++i)
            for (int number = 0; number < 2; ++number)
                QCOMPARE(enrol(number, i).status, 200);
        QVERIFY(queuedOps(0) > 0);
        QVERIFY(queuedOps(1) > 0);
        // The deletes of what waits in one queue are in the other one.
        QStringList gone;
        for (int i = 0; i < 4; ++i)
            gone << faceOf(0, i);
        const auto removed = m_clients[1]->removeFaces(gone, kDefault);
        QVERIFY2(removed.status == 200, removed.shown().constData());
        QCOMPARE(removed.array("deleted_face_ids").size(), gone.size());
        QVERIFY(isAsLeft(0));
        QVERIFY(isAsLeft(1));

        m_cluster->killCoordinator(0);
        QVERIFY(m_cluster->restart(0));
        QTRY_COMPARE_WITH_TIMEOUT(queuedOps(1), 0, kHealing);
        // What the absent one has for the worker is not known: its other replicas answer.
        QVERIFY(isAsLeft(1));
        QCOMPARE(nodeState(1, 0), QStringLiteral("CATCHING_UP"));

        QVERIFY(m_cluster->restartCoordinator(0));
        QTRY_COMPARE_WITH_TIMEOUT(queuedOps(0), 0, kHealing);
        QVERIFY(waitActive(0, 3) && waitActive(1, 3));
        for (int number = 0; number < 2; ++number)
            for (int repeat = 0; repeat < 4; ++repeat) // whichever replicas answer
                QVERIFY(isAsLeft(number));
        for (int i = 0; i < 8; ++i)
            for (int number = 0; number < 2; ++number)
                QCOMPARE(m_cluster->copiesOf(faceOf(number, i)), number == 0 && i < 4 ? 0 : 2);
        QCOMPARE(differences(1), 0);
    }

    void aWriteThroughAnOlderMapIsDoneUnderTheNewOne() {
        m_cluster->coordinator(1).signal(SIGSTOP);
        m_cluster->replaceConfig(m_cluster->configText(2, true));
        const auto reloaded = m_clients[0]->postText("/v1/cluster/reload", "");
        QVERIFY2(reloaded.status == 200, reloaded.shown().constData());
        QVERIFY(waitProbed(0)); // the workers have heard of it
        m_cluster->coordinator(1).signal(SIGCONT);
        for (int i = 0; i < 4; ++i) {
            const auto enrolled = enrol(1, i);
            QVERIFY2(enrolled.status == 200, enrolled.shown().constData());
        }
        const auto status = m_clients[1]->get(QStringLiteral("/v1/cluster/status"));
        QCOMPARE(status.text("config_epoch"), reloaded.text("config_epoch"));
    }

    void aBalancerAsTheGuideShowsItHidesADeath_data() {
        QTest::addColumn<QString>("program");
        for (const char* program : {"haproxy", "nginx"})
            QTest::newRow(program) << QString::fromUtf8(program);
    }
    void aBalancerAsTheGuideShowsItHidesADeath() {
        QFETCH(const QString, program);
        const auto path = QStandardPaths::findExecutable(
            program, {QStringLiteral("/usr/sbin"), QStringLiteral("/usr/bin"), QStringLiteral("/usr/local/sbin")});
        if (path.isEmpty())
            QSKIP("not installed, see packaging/linux/setup --test");
        const int port = freePort();
        QVERIFY(startBalancer(program, path, port));
        FaceClient client(port);
        QTRY_COMPARE_WITH_TIMEOUT(client.get(QStringLiteral("/readyz")).status, 200, 10'000);
        QStringList acked;
        const auto enrolMany = [&](const QString& prefix, int count) {
            for (int i = 0; i < count; ++i) {
                const auto face = prefix + QString::number(i);
                if (client.enrol(m_jesper, kDefault, face).status == 200)
                    acked << face;
            }
        };
        enrolMany(QStringLiteral("before-"), 6);
        QCOMPARE(acked.size(), 6);
        m_cluster->killCoordinator(0);
        enrolMany(QStringLiteral("meanwhile-"), 6); // the first ones may be cut
        QTRY_COMPARE_WITH_TIMEOUT(client.get(QStringLiteral("/readyz")).status, 200, 10'000);
        const auto sofar = acked.size();
        enrolMany(QStringLiteral("after-"), 6);
        QCOMPARE(acked.size(), sofar + 6);
        const auto found = client.recognise(m_jesper, kDefault, {{QStringLiteral("candidateCount"), 100}});
        QVERIFY2(found.status == 200, found.shown().constData());
        const auto names = facesIn(found);
        for (const auto& face : acked)
            QVERIFY2(names.contains(face), qPrintable(face));
        QVERIFY(m_cluster->restartCoordinator(0));
        QVERIFY(waitActive(0, 3));
        m_balancer->kill();
        QVERIFY(m_balancer->waitForFinished());
    }

private:
    static QString faceOf(int coordinator, int number) {
        return QStringLiteral("of-%1-%2").arg(coordinator).arg(number);
    }
    Answer enrol(int coordinator, int number) {
        return m_clients[coordinator]->enrol(m_jesper, kDefault, faceOf(coordinator, number));
    }
    static QStringList facesIn(const Answer& found) {
        QStringList faces;
        for (const auto& candidate : found.candidates())
            faces << candidate.toObject()[QStringLiteral("face_id")].toString();
        return faces;
    }

    /// The first four faces of coordinator 0 are away, all others of both are there.
    bool isAsLeft(int coordinator) {
        const auto found =
            m_clients[coordinator]->recognise(m_jesper, kDefault, {{QStringLiteral("candidateCount"), 100}});
        const auto faces = facesIn(found);
        bool sound = found.status == 200 && faces.size() == 12;
        for (int i = 0; i < 8; ++i)
            sound = sound && faces.contains(faceOf(1, i)) && faces.contains(faceOf(0, i)) == (i >= 4);
        if (!sound)
            qWarning("%s", found.shown().constData());
        return sound;
    }

    QJsonObject ask(int coordinator, const char* path) {
        return m_clients[coordinator]->get(QString::fromUtf8(path)).body;
    }
    bool waitActive(int coordinator, int nodes) {
        return QTest::qWaitFor(
            [&] { return ask(coordinator, "/v1/cluster/status")[QStringLiteral("nodes_active")].toInt() == nodes; },
            kHealing);
    }
    int queuedOps(int coordinator) {
        return ask(coordinator, "/v1/cluster/queue")[QStringLiteral("total_ops")].toInt(-1);
    }
    QJsonObject node(int coordinator, int worker) {
        return ask(coordinator, "/v1/cluster/nodes")[QStringLiteral("nodes")].toArray()[worker].toObject();
    }
    QString lastOkAt(int coordinator, int worker) {
        return node(coordinator, worker)[QStringLiteral("last_ok_at")].toString();
    }
    QString nodeState(int coordinator, int worker) {
        return node(coordinator, worker)[QStringLiteral("state")].toString();
    }
    /// Each worker has answered two more probes of the coordinator: the second one was asked after this call.
    bool waitProbed(int coordinator) {
        for (int worker = 0; worker < m_cluster->workers(); ++worker)
            for (int probe = 0; probe < 2; ++probe) {
                const QString before = lastOkAt(coordinator, worker);
                if (!QTest::qWaitFor([&] { return lastOkAt(coordinator, worker) != before; }, 10'000))
                    return false;
            }
        return true;
    }
    /// Of a comparison of all replicas that begins now; -1: it did not end, or a replica was away.
    int differences(int coordinator) {
        QJsonObject report;
        const auto ended = [&] {
            report = ask(coordinator, "/v1/cluster/repair");
            return !report[QStringLiteral("running")].toBool();
        };
        if (!QTest::qWaitFor(ended, kHealing) ||
            m_clients[coordinator]->postText("/v1/cluster/repair", "").status != 200 ||
            !QTest::qWaitFor(ended, kHealing) || report[QStringLiteral("failures")].toInt() > 0)
            return -1;
        return report[QStringLiteral("differences")].toInt(-1);
    }

    bool startBalancer(const QString& program, const QString& path, int port) {
        const auto example = exampleOf(program, *m_cluster, port);
        const bool nginx = program == QStringLiteral("nginx");
        QFile file(m_folder.filePath(program + QStringLiteral(".conf")));
        if (example.isEmpty() || !file.open(QIODevice::WriteOnly))
            return false;
        const auto around = nginx ? QStringLiteral("daemon off;\nmaster_process off;\nerror_log stderr;\npid %1/pid;\n"
                                                   "events {}\nhttp {\naccess_log off;\n%2}\n")
                                        .arg(m_folder.path())
                                  : QStringLiteral("%2");
        file.write(QString(around).replace(QStringLiteral("%2"), example).toUtf8());
        file.close();
        const QStringList check = nginx ? QStringList{QStringLiteral("-t"), QStringLiteral("-c"), file.fileName()}
                                        : QStringList{QStringLiteral("-c"), QStringLiteral("-f"), file.fileName()};
        QProcess checked;
        checked.start(path, check);
        if (!checked.waitForFinished() || checked.exitCode() != 0) {
            qWarning("%s", checked.readAllStandardError().constData());
            return false;
        }
        m_balancer = std::make_unique<QProcess>();
        m_balancer->start(path, check.mid(1));
        return m_balancer->waitForStarted();
    }

    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<FaceClient> m_clients[2];
    std::unique_ptr<QProcess> m_balancer; ///< killed with the object
    QTemporaryDir m_folder;
    QString m_jesper;
};

QTEST_GUILESS_MAIN(TwoCoordinatorsTest)
#include "two_coordinators_test.moc"

// What a queue forgets, by an operator's word or because it outgrew its limit, comes back from the other replicas.
#include "tests/support/app_process.h"
#include "tests/support/face_client.h"
#include "tests/support/photos.h"
#include "tests/support/test_cluster.h"

#include <QtTest>

#include <set>

using namespace fremis::test;
using namespace std::chrono_literals;

namespace {

const QString kDefault = QStringLiteral("default");
constexpr int kAway = 0;              ///< the worker that is killed
constexpr auto kHealing = 30'000;     ///< ms
constexpr auto kQueueBytes = "20000"; ///< a few enrolments

} // namespace

class QueueOperatorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        FREMIS_NEEDS_FETCHED_DATA(photo("jesper.jpg") && modelPack("fp-mfn512"));
        m_jesper = photoBase64("jesper.jpg");
    }

    void init() {
        auto started = TestCluster::start(
            {.workers = 3, .replicas = 2, .coordinatorArguments = {"--queue-limit-bytes", kQueueBytes}});
        QVERIFY2(started, started ? "" : started.error().detail.c_str());
        m_cluster = std::move(*started);
        m_client = std::make_unique<FaceClient>(m_cluster->port());
    }

    void cleanup() {
        if (m_client)
            QCOMPARE(m_client->violations(), QStringList());
        m_client.reset();
        m_cluster.reset();
    }

    void aWorkerWhoseQueueOutgrewItsLimitIsFilled() {
        QVERIFY(enrolAll("before", 6));
        m_cluster->kill(kAway);
        QTRY_COMPARE_WITH_TIMEOUT(activeNodes(), 2, 5'000);
        QVERIFY(enrolAll("meanwhile", 24));
        QCOMPARE(m_client->removeFaces({QStringLiteral("before-0"), QStringLiteral("before-1")}, kDefault).status, 200);
        QCOMPARE(m_client->createKeyspace(QStringLiteral("employee")).status, 200);
        QTRY_VERIFY(queueOfAway()[QStringLiteral("needs_full_resync")].toBool());
        QCOMPARE(queueOfAway()[QStringLiteral("state")].toString(), QStringLiteral("lost"));
        bringBackAndCheck();
    }

    void aDiscardedQueueComesBackFromTheReplicas() {
        QVERIFY(enrolAll("before", 4));
        m_cluster->kill(kAway);
        QTRY_COMPARE_WITH_TIMEOUT(activeNodes(), 2, 5'000);
        QVERIFY(enrolAll("meanwhile", 4));
        QCOMPARE(m_client->removeFaces({QStringLiteral("before-0"), QStringLiteral("before-1")}, kDefault).status, 200);
        const auto answer = act("discard");
        QVERIFY2(answer.status == 200, answer.shown().constData());
        QVERIFY(answer.body[QStringLiteral("changed")].toInt() > 0);
        const auto queue = answer.body[QStringLiteral("queue")].toObject();
        QCOMPARE(queue[QStringLiteral("ops")].toInt(-1), 0);
        QVERIFY(queue[QStringLiteral("needs_full_resync")].toBool());
        bringBackAndCheck();
    }

    void aQueueThatIsLostIsMadeGoodBeforeItsWorkerAnswers_data() {
        QTest::addColumn<QStringList>("deleted");
        QTest::addColumn<QStringList>("damaged");
        const auto named = [](const char* end) { return QStringLiteral("queue.") + QLatin1String(end); };
        const QStringList database{named("sqlite"), named("sqlite-wal"), named("sqlite-shm")};
        const QStringList marks{named("marks")};
        QTest::newRow("the database is deleted") << database << QStringList();
        QTest::newRow("the database is damaged") << QStringList() << database;
        QTest::newRow("the marks are deleted") << marks << QStringList();
        QTest::newRow("the marks are damaged") << QStringList() << marks;
        QTest::newRow("both are deleted") << database + marks << QStringList();
        QTest::newRow("both are damaged") << QStringList() << database + marks;
    }
    void aQueueThatIsLostIsMadeGoodBeforeItsWorkerAnswers() {
        QFETCH(const QStringList, deleted);
        QFETCH(const QStringList, damaged);
        QVERIFY(enrolAll("before", 3));
        m_cluster->kill(kAway);
        QTRY_COMPARE_WITH_TIMEOUT(activeNodes(), 2, kHealing);
        QVERIFY(enrolAll("meanwhile", 3));
        QCOMPARE(m_client->removeFaces({QStringLiteral("before-0"), QStringLiteral("before-1")}, kDefault).status, 200);
        QVERIFY(queueOfAway()[QStringLiteral("ops")].toInt() > 0);
        m_cluster->killCoordinator();
        const QDir folder(QString::fromStdString(m_cluster->coordinatorDir()));
        for (const auto& name : deleted)
            QVERIFY(QFile::remove(folder.filePath(name)));
        for (const auto& name : damaged)
            QVERIFY(overwrite(folder.filePath(name)));
        QVERIFY(m_cluster->restart(kAway));
        QVERIFY(m_cluster->restartCoordinator());
        QTRY_COMPARE_WITH_TIMEOUT(stateOfAway(), QStringLiteral("ACTIVE"), kHealing);
        QCOMPARE(differentPartitions(), 0);
        QTRY_VERIFY_WITH_TIMEOUT(!queueOfAway()[QStringLiteral("needs_full_resync")].toBool(true), kHealing);
        QCOMPARE(copiesOf("before-0"), 0);
        QCOMPARE(copiesOf("before-2"), 2);
        QCOMPARE(copiesOf("meanwhile-2"), 2);
    }

    void aPausedQueueIsResumed() {
        m_cluster->kill(kAway);
        QTRY_COMPARE_WITH_TIMEOUT(activeNodes(), 2, 5'000);
        QVERIFY(enrolAll("meanwhile", 4));
        const auto waiting = queueOfAway()[QStringLiteral("ops")].toInt();
        QVERIFY(waiting > 0);
        QVERIFY(act("pause").body[QStringLiteral("queue")].toObject()[QStringLiteral("paused")].toBool());
        QVERIFY(m_cluster->restart(kAway));
        QTRY_COMPARE_WITH_TIMEOUT(stateOfAway(), QStringLiteral("CATCHING_UP"), kHealing);
        QCOMPARE(queueOfAway()[QStringLiteral("ops")].toInt(), waiting);
        QCOMPARE(queueOfAway()[QStringLiteral("state")].toString(), QStringLiteral("blocked"));
        QCOMPARE(act("resume").status, 200);
        QTRY_COMPARE_WITH_TIMEOUT(activeNodes(), 3, kHealing);
        QCOMPARE(queueOfAway()[QStringLiteral("ops")].toInt(-1), 0);
    }

private:
    bool enrolAll(const char* prefix, int count) {
        for (int i = 0; i < count; ++i)
            if (m_client->enrol(m_jesper, kDefault, QStringLiteral("%1-%2").arg(QLatin1String(prefix)).arg(i)).status !=
                200)
                return false;
        return true;
    }

    /// Every byte of the file.
    static bool overwrite(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadWrite) && file.write(QByteArray(file.size(), 'x')) == file.size();
    }

    int copiesOf(const char* face) { return m_cluster->copiesOf(QLatin1String(face)); }

    void bringBackAndCheck() {
        QVERIFY(m_cluster->restart(kAway));
        QTRY_VERIFY_WITH_TIMEOUT(!queueOfAway()[QStringLiteral("needs_full_resync")].toBool(true), kHealing);
        QTRY_COMPARE_WITH_TIMEOUT(activeNodes(), 3, kHealing);
        QCOMPARE(queueOfAway()[QStringLiteral("state")].toString(), QStringLiteral("idle"));
        QTRY_COMPARE_WITH_TIMEOUT(differentPartitions(), 0, kHealing);
        QCOMPARE(copiesOf("before-0"), 0);
    }

    /// Partitions whose replicas do not tell the same digest; -1: not every partition has two.
    int differentPartitions() {
        std::map<int, std::multiset<QString>> roots;
        std::set<QString> keyspaces;
        for (int worker = 0; worker < m_cluster->workers(); ++worker) {
            const auto health = FaceClient(m_cluster->workerPort(worker)).get(QStringLiteral("/livez")).body;
            FaceClient internal(health[QStringLiteral("internal_port")].toInt());
            const auto digests = internal.post("/internal/digests",
                                               {{QStringLiteral("partitions"), health[QStringLiteral("partitions")]}});
            for (const auto& partition : digests.array("partitions"))
                roots[partition.toObject()[QStringLiteral("partition")].toInt()].insert(
                    partition.toObject()[QStringLiteral("root")].toString());
            keyspaces.insert(digests.text("keyspaces"));
        }
        int different = static_cast<int>(keyspaces.size()) - 1;
        for (const auto& [partition, both] : roots)
            different += both.size() != 2 || *both.begin() != *both.rbegin();
        return roots.size() == 256 ? different : -1;
    }

    QString addressOfAway() { return QStringLiteral("127.0.0.1:%1").arg(m_cluster->workerPort(kAway)); }
    Answer act(const char* action) {
        return m_client->post("/v1/cluster/queue", {{QStringLiteral("node"), addressOfAway()},
                                                    {QStringLiteral("action"), QLatin1String(action)}});
    }
    QJsonObject entryOfAway(const char* path) {
        for (const auto& node : m_client->get(QLatin1String(path)).array("nodes"))
            if (node.toObject()[QStringLiteral("address")].toString() == addressOfAway())
                return node.toObject();
        return {};
    }
    QJsonObject queueOfAway() { return entryOfAway("/v1/cluster/queue"); }
    QString stateOfAway() { return entryOfAway("/v1/cluster/nodes")[QStringLiteral("state")].toString(); }
    int activeNodes() {
        return m_client->get(QStringLiteral("/v1/cluster/status")).body[QStringLiteral("nodes_active")].toInt(-1);
    }

    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<FaceClient> m_client;
    QString m_jesper;
};

QTEST_GUILESS_MAIN(QueueOperatorTest)
#include "queue_operator_test.moc"

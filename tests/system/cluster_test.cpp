// A coordinator over real workers with two replicas of each partition: what operators buy replicas for. Workers are
// killed, hang, come back empty; faces stay found, deleted ones stay away.
#include "tests/support/app_process.h"
#include "tests/support/face_client.h"
#include "tests/support/photos.h"
#include "tests/support/test_cluster.h"

#include <QtTest>

#include <csignal>
#include <future>

using namespace fremis::test;
using namespace std::chrono_literals;

namespace {

const QString kDefault = QStringLiteral("default");
constexpr auto kHealing = 30'000; ///< ms, the promise for convergence

} // namespace

/// Within the time, this many workers are active; what the coordinator says of them is shown otherwise.
#define VERIFY_ACTIVE_NODES(wanted, milliseconds)                                                                      \
    do {                                                                                                               \
        const bool active = QTest::qWaitFor([this] { return activeNodes() == (wanted); }, (milliseconds));             \
        QVERIFY2(active, m_client->get(QStringLiteral("/v1/cluster/nodes")).shown().constData());                      \
    } while (false)

class ClusterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        FREMIS_NEEDS_FETCHED_DATA(photo("jesper.jpg") && modelPack("fp-mfn512"));
        m_jesper = photoBase64("jesper.jpg");
        m_jesperAgain = photoBase64("jesper_2.jpg");
        m_anneHelene = photoBase64("anne_helene.jpg");
    }

    void init() {
        auto started = TestCluster::start({.workers = 3, .replicas = 2});
        QVERIFY2(started, started ? "" : started.error().detail.c_str());
        m_cluster = std::move(*started);
        m_client = std::make_unique<FaceClient>(m_cluster->port());
    }

    void cleanup() {
        const auto ends = m_cluster ? m_cluster->unexpectedEnds() : QStringList();
        QVERIFY2(ends.isEmpty(), qPrintable(ends.join(QLatin1Char('\n'))));
        if (m_client)
            QCOMPARE(m_client->violations(), QStringList());
        m_client.reset();
        m_cluster.reset();
    }

    void everyWriteIsOnBothReplicas() {
        const auto enrolled = enrol(QStringLiteral("jesper"));
        QCOMPARE(replication(enrolled), (std::pair{2, 0}));
        QCOMPARE(copiesOf(QStringLiteral("jesper")), 2);
        const auto removed = m_client->removeFaces({QStringLiteral("jesper")}, kDefault);
        QCOMPARE(removed.status, 200);
        QCOMPARE(replication(removed), (std::pair{2, 0}));
        QCOMPARE(copiesOf(QStringLiteral("jesper")), 0);
    }

    void aKilledWorkerCostsNoSearchAndNoWrite() {
        for (int i = 0; i < 8; ++i)
            QCOMPARE(enrol(QStringLiteral("before-%1").arg(i)).status, 200);
        m_cluster->kill(0);
        for (int i = 0; i < 8; ++i)
            QVERIFY(isFound(QStringLiteral("before-%1").arg(i)));
        int queued = 0;
        for (int i = 0; i < 8; ++i) {
            const auto answer = enrol(QStringLiteral("meanwhile-%1").arg(i));
            QVERIFY2(answer.status == 200, answer.shown().constData());
            queued += replication(answer).second;
        }
        QVERIFY(queued > 0);
        const auto removed = m_client->removeFaces({QStringLiteral("before-0"), QStringLiteral("before-1")}, kDefault);
        QVERIFY2(removed.status == 200, removed.shown().constData());

        QVERIFY(m_cluster->restart(0));
        VERIFY_ACTIVE_NODES(3, kHealing);
        QCOMPARE(queuedOps(), 0);
        for (int i = 0; i < 8; ++i)
            QCOMPARE(copiesOf(QStringLiteral("meanwhile-%1").arg(i)), 2);
        // The other replicas of what the returned one owns may go now.
        m_cluster->kill(1);
        VERIFY_ACTIVE_NODES(2, 5'000);
        QVERIFY(!isFound(QStringLiteral("before-0")));
        QVERIFY(!isFound(QStringLiteral("before-1")));
        QVERIFY(isFound(QStringLiteral("before-2")));
        for (int i = 0; i < 8; ++i)
            QVERIFY(isFound(QStringLiteral("meanwhile-%1").arg(i)));
    }

    void aHungWorkerLeavesTheRotation() {
        QCOMPARE(enrol(QStringLiteral("jesper")).status, 200);
        m_cluster->signal(0, SIGSTOP);
        QVERIFY(isFound(QStringLiteral("jesper")));
        VERIFY_ACTIVE_NODES(2, 3'000);
        QVERIFY(isFound(QStringLiteral("jesper")));
        m_cluster->signal(0, SIGCONT);
        VERIFY_ACTIVE_NODES(3, kHealing);
    }

    void aWorkerThatComesBackEmptyIsFilled() {
        for (int i = 0; i < 6; ++i)
            QCOMPARE(enrol(QStringLiteral("face-%1").arg(i)).status, 200);
        QCOMPARE(m_client->createKeyspace(QStringLiteral("employee")).status, 200);
        m_cluster->kill(2);
        m_cluster->eraseData(2);
        VERIFY_ACTIVE_NODES(2, 5'000);
        QVERIFY(m_cluster->restart(2));
        VERIFY_ACTIVE_NODES(3, kHealing);
        for (int i = 0; i < 6; ++i)
            QCOMPARE(copiesOf(QStringLiteral("face-%1").arg(i)), 2);
    }

    // Between two probes the coordinator cannot know; its calls name the worker that they are meant for.
    void aWorkerThatCameBackEmptyUnnoticedIsNotCountedAsSearched() {
        for (int i = 0; i < 6; ++i)
            QCOMPARE(enrol(QStringLiteral("face-%1").arg(i)).status, 200);
        for (int round = 0; round < 3; ++round) {
            m_cluster->coordinator().signal(SIGSTOP);
            m_cluster->kill(round);
            m_cluster->eraseData(round);
            QVERIFY(m_cluster->restart(round) && m_cluster->waitReady(round));
            // They wait in the socket, so that they are read before the next probe can be answered.
            std::vector<std::future<Answer>> searches;
            for (int i = 0; i < 12; ++i)
                searches.push_back(std::async(std::launch::async, [this] {
                    return FaceClient(m_cluster->port())
                        .recognise(m_jesper, kDefault, {{QStringLiteral("candidateCount"), 100}});
                }));
            m_cluster->coordinator().signal(SIGCONT);
            for (auto& search : searches) {
                const auto found = search.get();
                QVERIFY2(found.status == 200, found.shown().constData());
                QCOMPARE(found.candidates().size(), 6);
            }
            VERIFY_ACTIVE_NODES(3, kHealing);
            for (int i = 0; i < 6; ++i)
                QCOMPARE(copiesOf(QStringLiteral("face-%1").arg(i)), 2);
        }
    }

    void aKeyspaceDeletedWhileAWorkerIsAwayStaysDeleted() {
        const auto keyspace = QStringLiteral("employee");
        QCOMPARE(m_client->createKeyspace(keyspace).status, 200);
        for (int i = 0; i < 6; ++i)
            QCOMPARE(m_client->enrol(m_jesper, keyspace, QStringLiteral("old-%1").arg(i)).status, 200);
        m_cluster->kill(0);
        const auto gone = m_client->post("/v1/face/delete-keyspace", {{QStringLiteral("keyspace"), keyspace}});
        QVERIFY2(gone.status == 200, gone.shown().constData());
        QCOMPARE(m_client->createKeyspace(keyspace).status, 200);
        QCOMPARE(m_client->enrol(m_anneHelene, keyspace, QStringLiteral("new")).status, 200);
        QVERIFY(m_cluster->restart(0));
        VERIFY_ACTIVE_NODES(3, kHealing);
        for (int repeat = 0; repeat < 6; ++repeat) { // whichever replicas answer
            const auto found = m_client->recognise(m_jesper, keyspace, {{QStringLiteral("candidateCount"), 10}});
            QVERIFY2(found.status == 200, found.shown().constData());
            QCOMPARE(found.candidates().size(), 1);
            QCOMPARE(found.candidates()[0].toObject()[QStringLiteral("face_id")].toString(), QStringLiteral("new"));
        }
    }

    void bothReplicasAwayIsSaidAndNothingIsHalfDone() {
        QCOMPARE(enrol(QStringLiteral("jesper")).status, 200);
        m_cluster->kill(0);
        m_cluster->kill(1);
        VERIFY_ACTIVE_NODES(1, 5'000);
        const auto search = m_client->recognise(m_jesperAgain, kDefault);
        QCOMPARE(search.status, 503);
        QCOMPARE(search.error(), QStringLiteral("incomplete_search"));
        QVERIFY(
            !search.body[QStringLiteral("coverage")].toObject()[QStringLiteral("failed_nodes")].toArray().isEmpty());
        const auto partial =
            m_client->recognise(m_jesperAgain, kDefault, {{QStringLiteral("allow_partial_search"), true}});
        QCOMPARE(partial.status, 200);
        QCOMPARE(partial.body[QStringLiteral("coverage")].toObject()[QStringLiteral("complete")].toBool(true), false);
        int refused = 0;
        for (int i = 0; i < 12; ++i) {
            const auto answer = enrol(QStringLiteral("face-%1").arg(i));
            if (answer.status == 200)
                continue;
            ++refused;
            QCOMPARE(answer.error(), QStringLiteral("partition_unavailable"));
            QCOMPARE(answer.array("nodes").size(), 2);
        }
        QVERIFY(refused > 0);
    }

    void aCoordinatorThatDiesKeepsWhatItQueued() {
        m_cluster->kill(0);
        VERIFY_ACTIVE_NODES(2, 5'000);
        for (int i = 0; i < 8; ++i)
            QCOMPARE(enrol(QStringLiteral("face-%1").arg(i)).status, 200);
        const int waiting = queuedOps();
        QVERIFY(waiting > 0);
        m_cluster->killCoordinator();
        QVERIFY(m_cluster->restartCoordinator());
        m_client = std::make_unique<FaceClient>(m_cluster->port());
        QCOMPARE(queuedOps(), waiting);
        // The worker is still away, and its queue has a name all the same.
        QCOMPARE(enrol(QStringLiteral("face-8")).status, 200);
        QVERIFY(m_cluster->restart(0));
        VERIFY_ACTIVE_NODES(3, kHealing);
        for (int i = 0; i < 9; ++i)
            QCOMPARE(copiesOf(QStringLiteral("face-%1").arg(i)), 2);
    }

private:
    Answer enrol(const QString& face) { return m_client->enrol(m_jesper, kDefault, face); }

    bool isFound(const QString& face) {
        const auto found = m_client->recognise(m_jesper, kDefault, {{QStringLiteral("candidateCount"), 100}});
        if (found.status != 200)
            qFatal("%s", found.shown().constData());
        for (const auto& candidate : found.candidates())
            if (candidate.toObject()[QStringLiteral("face_id")].toString() == face)
                return true;
        return false;
    }

    static std::pair<int, int> replication(const Answer& answer) {
        const auto object = answer.body[QStringLiteral("replication")].toObject();
        return {object[QStringLiteral("acked")].toInt(-1), object[QStringLiteral("queued")].toInt(-1)};
    }

    int activeNodes() {
        return m_client->get(QStringLiteral("/v1/cluster/status")).body[QStringLiteral("nodes_active")].toInt(-1);
    }
    int queuedOps() {
        return m_client->get(QStringLiteral("/v1/cluster/queue")).body[QStringLiteral("total_ops")].toInt(-1);
    }

    /// On how many workers the face is, asked one by one.
    int copiesOf(const QString& face) {
        int copies = 0;
        for (int worker = 0; worker < m_cluster->workers(); ++worker)
            copies += FaceClient(m_cluster->workerPort(worker)).face(face, kDefault).status == 200;
        return copies;
    }

    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<FaceClient> m_client;
    QString m_jesper;
    QString m_jesperAgain;
    QString m_anneHelene;
};

QTEST_GUILESS_MAIN(ClusterTest)
#include "cluster_test.moc"

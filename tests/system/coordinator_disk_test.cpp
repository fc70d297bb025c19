// A coordinator whose disk does not keep what it was given: it acknowledges nothing more, says so and ends; the next
// process goes on with what was acknowledged.
#include "tests/support/app_process.h"
#include "tests/support/face_client.h"
#include "tests/support/failing_disk.h"
#include "tests/support/photos.h"
#include "tests/support/test_cluster.h"

#include <QtTest>

using namespace fremis::test;
using namespace std::chrono_literals;

namespace {

const QString kDefault = QStringLiteral("default");
constexpr int kAway = 0;         ///< the worker that is killed
constexpr int kHealing = 60'000; ///< ms

} // namespace

class CoordinatorDiskTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { FREMIS_NEEDS_FETCHED_DATA(photo("jesper.jpg") && modelPack("fp-mfn512")); }

    void init() {
        m_disk = std::make_unique<FailingDisk>("coordinator0", m_dir.filePath(QStringLiteral("disk")).toStdString());
        auto started =
            TestCluster::start({.workers = 2, .replicas = 2, .coordinatorEnvironment = m_disk->environment()});
        QVERIFY2(started, started ? "" : started.error().detail.c_str());
        m_cluster = std::move(*started);
        m_client = std::make_unique<FaceClient>(m_cluster->port());
        m_cluster->kill(kAway);
        QVERIFY(enrol("queued-1") && enrol("queued-2"));
    }

    void cleanup() {
        m_client.reset();
        m_cluster.reset();
        m_disk.reset();
    }

    void afterAFailedSyncNothingIsAcknowledged() {
        m_disk->failSyncs();
        const auto refused = m_client->enrol(m_jesper, kDefault, QStringLiteral("in-doubt"));
        QCOMPARE(refused.status, 503);
        QCOMPARE(refused.error(), QStringLiteral("outcome_unknown"));
        endsAndTheNextOneGoesOn();
    }

    void aSyncThatHangsIsToldAndThenEndsTheProcess() {
        m_disk->holdSyncs();
        m_client->http().setDeadline(60s);
        const auto refused = m_client->enrol(m_jesper, kDefault, QStringLiteral("in-doubt"));
        QCOMPARE(refused.status, 503);
        QCOMPARE(refused.error(), QStringLiteral("outcome_unknown"));
        FaceClient other(m_cluster->port());
        other.expectOutages();
        Answer ready;
        QTRY_VERIFY_WITH_TIMEOUT((ready = other.get(QStringLiteral("/readyz"))).status != 200, kHealing);
        QCOMPARE(ready.status, 503);
        QVERIFY2(ready.text("description").contains(QStringLiteral("hangs")) ||
                     ready.text("message").contains(QStringLiteral("hangs")),
                 ready.shown().constData());
        endsAndTheNextOneGoesOn();
    }

private:
    bool enrol(const char* face) { return m_client->enrol(m_jesper, kDefault, QString::fromUtf8(face)).status == 200; }

    void endsAndTheNextOneGoesOn() {
        const auto code = m_cluster->coordinator().waitExit(60s);
        QVERIFY(code);
        QCOMPARE(*code, 1);
        QVERIFY(m_cluster->coordinator().errorText().find("giving_up") != std::string::npos);
        m_disk->mend();
        m_client->http().close();
        QVERIFY(m_cluster->restartCoordinator());
        QVERIFY(m_cluster->restart(kAway));
        QVERIFY(m_cluster->waitAllActive());
        for (const char* face : {"queued-1", "queued-2"})
            QCOMPARE(m_cluster->copiesOf(QString::fromUtf8(face)), 2);
        QVERIFY(enrol("later"));
        QCOMPARE(m_cluster->copiesOf(QStringLiteral("later")), 2);
        QTRY_VERIFY_WITH_TIMEOUT(m_cluster->copiesOf(QStringLiteral("in-doubt")) != 1, kHealing); // whole or not at all
    }

    const QString m_jesper = photoBase64("jesper.jpg");
    QTemporaryDir m_dir;
    std::unique_ptr<FailingDisk> m_disk;
    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<FaceClient> m_client;
};

QTEST_GUILESS_MAIN(CoordinatorDiskTest)
#include "coordinator_disk_test.moc"

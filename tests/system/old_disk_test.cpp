// A worker comes back with the disk of an earlier day, after what was deleted since has been forgotten everywhere else.
#include "tests/support/app_process.h"
#include "tests/support/face_client.h"
#include "tests/support/photos.h"
#include "tests/support/test_cluster.h"

#include <QDateTime>
#include <QtTest>

#include <filesystem>

using namespace fremis::test;

namespace {

const QString kDefault = QStringLiteral("default");
constexpr int kOld = 0; ///< the worker with the old disk
constexpr int kFaces = 12;
constexpr int kDeleted = 6; ///< of them
constexpr auto kHealing = 30'000;

QString face(int number) {
    return QStringLiteral("face-%1").arg(number);
}

} // namespace

class OldDiskTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { FREMIS_NEEDS_FETCHED_DATA(photo("jesper.jpg") && modelPack("fp-mfn512")); }

    void forgottenDeletionsStayDeleted() {
        auto started = TestCluster::start({.workers = 3, .replicas = 2});
        QVERIFY2(started, started ? "" : started.error().detail.c_str());
        m_cluster = std::move(*started);
        m_client = std::make_unique<FaceClient>(m_cluster->port());
        const auto jesper = photoBase64("jesper.jpg");
        for (int i = 0; i < kFaces; ++i)
            QCOMPARE(m_client->enrol(jesper, kDefault, face(i)).status, 200);

        const std::filesystem::path disk = m_cluster->dataDir(kOld);
        const std::filesystem::path backup = disk.string() + ".backup";
        m_cluster->kill(kOld);
        QTRY_COMPARE_WITH_TIMEOUT(activeNodes(), 2, 5'000);
        std::filesystem::copy(disk, backup, std::filesystem::copy_options::recursive);
        QVERIFY(m_cluster->restart(kOld));
        QTRY_COMPARE_WITH_TIMEOUT(activeNodes(), 3, kHealing);

        QStringList deleted;
        for (int i = 0; i < kDeleted; ++i)
            deleted << face(i);
        const auto removed = m_client->removeFaces(deleted, kDefault);
        QVERIFY2(removed.status == 200, removed.shown().constData());
        QCOMPARE(removed.body[QStringLiteral("replication")].toObject()[QStringLiteral("queued")].toInt(-1), 0);
        QVERIFY(tombstones() > 0);
        for (int worker = 0; worker < m_cluster->workers(); ++worker)
            QVERIFY(collect(worker));
        QCOMPARE(tombstones(), 0);

        m_cluster->kill(kOld);
        QTRY_COMPARE_WITH_TIMEOUT(activeNodes(), 2, 5'000);
        std::filesystem::remove_all(disk);
        std::filesystem::copy(backup, disk, std::filesystem::copy_options::recursive);
        QVERIFY(m_cluster->restart(kOld));
        QTRY_COMPARE_WITH_TIMEOUT(activeNodes(), 3, kHealing);
        for (int i = 0; i < kFaces; ++i)
            QCOMPARE(copiesOf(face(i)), i < kDeleted ? 0 : 2);
        QCOMPARE(m_client->violations(), QStringList());
    }

private:
    /// The worker's internal plane and its partitions.
    std::pair<std::unique_ptr<FaceClient>, QJsonArray> internalPlane(int worker) {
        const auto health = FaceClient(m_cluster->workerPort(worker)).get(QStringLiteral("/livez")).body;
        return {std::make_unique<FaceClient>(health[QStringLiteral("internal_port")].toInt()),
                health[QStringLiteral("partitions")].toArray()};
    }

    /// Everything before now.
    bool collect(int worker) {
        const auto [plane, partitions] = internalPlane(worker);
        const auto epoch = m_client->get(QStringLiteral("/v1/cluster/status")).text("config_epoch");
        const auto stamp = static_cast<qulonglong>(QDateTime::currentMSecsSinceEpoch()) << 16;
        const auto horizon =
            QStringLiteral("%1%2").arg(stamp, 16, 16, QLatin1Char('0')).arg(0, 16, 16, QLatin1Char('0'));
        const auto answer = plane->post("/internal/collect", {{QStringLiteral("epoch"), epoch},
                                                              {QStringLiteral("partitions"), partitions},
                                                              {QStringLiteral("horizon"), horizon}});
        if (answer.status != 200)
            qWarning("%s", answer.shown().constData());
        return answer.status == 200;
    }

    int tombstones() {
        int count = 0;
        for (int worker = 0; worker < m_cluster->workers(); ++worker) {
            const auto [plane, partitions] = internalPlane(worker);
            const auto digests = plane->post("/internal/digests", {{QStringLiteral("partitions"), partitions}});
            for (const auto& one : digests.array("partitions"))
                count += one.toObject()[QStringLiteral("tombstones")].toInt();
        }
        return count;
    }

    int copiesOf(const QString& id) {
        int copies = 0;
        for (int worker = 0; worker < m_cluster->workers(); ++worker)
            copies += FaceClient(m_cluster->workerPort(worker)).face(id, kDefault).status == 200;
        return copies;
    }

    int activeNodes() {
        return m_client->get(QStringLiteral("/v1/cluster/status")).body[QStringLiteral("nodes_active")].toInt(-1);
    }

    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<FaceClient> m_client;
};

QTEST_GUILESS_MAIN(OldDiskTest)
#include "old_disk_test.moc"

// A coordinator that is told to stop while a request is in hand.
#include "tests/support/app_process.h"
#include "tests/support/face_client.h"
#include "tests/support/failing_disk.h"
#include "tests/support/photos.h"
#include "tests/support/test_cluster.h"

#include <QtTest>

#include <future>

using namespace fremis::test;
using namespace std::chrono_literals;

class CoordinatorStopTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { FREMIS_NEEDS_FETCHED_DATA(photo("jesper.jpg") && modelPack("fp-mfn512")); }

    void theRequestInHandIsFinished() {
        const QTemporaryDir dir;
        FailingDisk disk("worker0", dir.filePath(QStringLiteral("disk")).toStdString());
        auto cluster = TestCluster::start({.workers = 1, .workerEnvironment = disk.environment()});
        QVERIFY2(cluster, cluster ? "" : cluster.error().detail.c_str());
        auto& coordinator = (*cluster)->coordinator();
        disk.holdSyncs();
        auto enrolled = std::async(std::launch::async, [port = (*cluster)->port()] {
            return FaceClient(port).enrol(photoBase64("jesper.jpg"), QStringLiteral("default"));
        });
        QTRY_VERIFY_WITH_TIMEOUT(disk.hasStruck(), 30'000); // the worker has it
        coordinator.terminate();
        QTRY_VERIFY_WITH_TIMEOUT(coordinator.errorText().find("\"stopping\"") != std::string::npos, 30'000);
        disk.mend();
        const auto answer = enrolled.get();
        QVERIFY2(answer.status == 200, answer.shown().constData());
        const auto code = coordinator.waitExit();
        QVERIFY(code);
        QCOMPARE(*code, 0);
    }
};

QTEST_GUILESS_MAIN(CoordinatorStopTest)
#include "coordinator_stop_test.moc"

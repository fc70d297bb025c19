#include "tests/support/app_process.h"
#include "tests/support/face_client.h"
#include "tests/support/photos.h"

#include <QtTest>

using namespace fremis;
using namespace std::chrono_literals;

class WorkerProcessTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSecondWorkerOnTheSameDataIsRefused() {
        FREMIS_NEEDS_FETCHED_DATA(test::modelPack("fp-mfn512"));
        const QTemporaryDir dir;
        test::AppOptions options;
        options.dataDir = dir.path().toStdString();
        auto first = test::AppProcess::startReady(options);
        QVERIFY2(first.has_value(), first ? "" : first.error().detail.c_str());
        auto second = test::AppProcess::start(options);
        QVERIFY(second.has_value());
        QVERIFY((*second)->waitExit() == 78);
    }
    void theSecondPackServesTheSameApi() {
        FREMIS_NEEDS_FETCHED_DATA(test::modelPack("dlib128") && test::photo("jesper.jpg"));
        test::AppOptions options;
        options.arguments = {"--model-pack", test::modelPack("dlib128")->string()};
        auto app = test::AppProcess::startReady(options);
        QVERIFY2(app.has_value(), app ? "" : app.error().detail.c_str());
        test::FaceClient client((*app)->port());
        const auto photo = test::photoBase64("jesper.jpg");
        QCOMPARE(client.enrol(photo, QStringLiteral("default"), QStringLiteral("jesper")).status, 200);
        const auto found = client.recognise(test::photoBase64("jesper_2.jpg"), QStringLiteral("default"));
        QCOMPARE(found.status, 200);
        QCOMPARE(found.candidates()[0].toObject()[QStringLiteral("face_id")].toString(), QStringLiteral("jesper"));
        const auto extracted = client.post("/v1/face/extract-embedding", {{QStringLiteral("image"), photo}});
        QCOMPARE(extracted.array("embeddings")[0].toArray().size(), 128);
    }
};

QTEST_GUILESS_MAIN(WorkerProcessTest)
#include "worker_process_test.moc"

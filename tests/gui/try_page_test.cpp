#include "console/client/curl_text.h"
#include "console/ui/pages/try/fan_out_view.h"
#include "console/ui/pages/try/photo_view.h"
#include "console/ui/pages/try/sample_faces.h"
#include "console/ui/pages/try/try_page.h"
#include "console/ui/widgets/info_banner.h"
#include "tests/gui/console_fixture.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTabWidget>

using namespace fremis::console;
using namespace fremis::console::ui;
using fremis::tests::Console;

namespace {

constexpr int kPatienceMs = 20'000;

class Trial : public Console {
public:
    explicit Trial(DemoScenario scenario = calmScenario()) : Console(std::move(scenario)) {
        ready = connectAndWait();
        window->openPage(QStringLiteral("try"));
        page = qobject_cast<TryPage*>(window->page(QStringLiteral("try")));
    }
    bool enrol(int sample, const QString& face) {
        page->setMode(TryPage::Mode::Enrol);
        find<QLineEdit>("try.face")->setText(face);
        if (!page->photo().setBytes(sampleFace(sample)).isEmpty())
            return false;
        page->send();
        return QTest::qWaitFor([&] { return page->isIdle() && page->reply().faceId == face; }, kPatienceMs);
    }
    void run(const char* action) { window->findChild<QAction*>(QLatin1String(action))->trigger(); }

    bool ready = false;
    TryPage* page = nullptr;
};

} // namespace

class TryPageTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sampleFacesAreSixDifferentPictures();
    void repeatingTellsTheSpreadOfTimes();
    void leavingThePageEndsARepetition();
    void everyNodeIsAskedAndTheSlowestMarked();
    void thePhotoSentLastComesBackUntilThePageIsLeft();
    void photosAreKeptOnlyWhenTheOperatorWantsIt();
    void theCurlTextIsThatOfTheCall();
    void aPartialAnswerIsShownWhenItWasAllowed();
    void whoGetsAnEnrolmentIsToldBefore();
    void theUsedFaceAndItsQualityAreTold();
};

void TryPageTest::sampleFacesAreSixDifferentPictures() {
    QSet<QByteArray> seen;
    Theme theme;
    for (int number = 0; number < kSampleFaces; ++number) {
        const QByteArray bytes = sampleFace(number);
        QCOMPARE(bytes, sampleFace(number));
        PhotoView view(theme);
        QCOMPARE(view.setBytes(bytes), QString());
        seen.insert(bytes);
    }
    QCOMPARE(seen.size(), kSampleFaces);
}

void TryPageTest::repeatingTellsTheSpreadOfTimes() {
    Trial console;
    QVERIFY(console.ready);
    auto* repeat = console.find<QPushButton>("try.repeat");
    QVERIFY(!repeat->isEnabled()); // no photo yet
    console.run("try.photo.menu.sample0");
    QVERIFY(repeat->isEnabled());
    console.find<QSpinBox>("try.times")->setValue(12);
    repeat->click();
    QVERIFY(!repeat->isEnabled());
    QVERIFY(console.find<QPushButton>("try.repeat.stop")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(console.page->timing().run().done(), 12, kPatienceMs);
    QTRY_VERIFY(repeat->isEnabled());
    const QString result = console.find<QLabel>("try.repeat.result")->text();
    QVERIFY2(result.startsWith(QStringLiteral("12 of 12: p50 ")) && result.contains(QStringLiteral("p95 ")),
             qPrintable(result));
    QCOMPARE(console.find<QSpinBox>("try.times")->maximum(), 100);
}

void TryPageTest::leavingThePageEndsARepetition() {
    Trial console;
    QVERIFY(console.ready);
    console.run("try.photo.menu.sample1");
    console.find<QSpinBox>("try.times")->setValue(100);
    console.find<QPushButton>("try.repeat")->click();
    console.window->openPage(QStringLiteral("map"));
    QTRY_VERIFY_WITH_TIMEOUT(!console.page->timing().run().isRunning(), kPatienceMs);
    QVERIFY(console.page->timing().run().done() < 100);
}

void TryPageTest::everyNodeIsAskedAndTheSlowestMarked() {
    Trial console;
    QVERIFY(console.ready);
    console.demo.world().setFault(QStringLiteral("worker-3"), DemoFault::Slow, Milliseconds(300));
    console.fail(QStringLiteral("worker-6"), DemoFault::Dead);
    console.run("try.photo.menu.sample2");
    console.find<QPushButton>("try.nodes")->click();
    auto* view = console.find<FanOutView>("try.fan-out");
    QTRY_COMPARE_WITH_TIMEOUT(view->bars().size(), 7U, kPatienceMs);
    QVERIFY2(view->slowest(), qPrintable(view->accessibleDescription()));
    QCOMPARE(view->bars()[*view->slowest()].label, QStringLiteral("worker-3"));
    QVERIFY(view->accessibleDescription().contains(QStringLiteral("slowest")));
    QVERIFY(!view->bars()[5].timing.problem.isEmpty());
    QVERIFY(view->bars()[0].timing.problem.isEmpty());
    // Four at a time: the fifth begins after another has ended.
    QVERIFY(view->bars()[4].timing.began >= Milliseconds(0));
    for (int bar = 0; bar < 4; ++bar)
        QVERIFY(view->bars()[std::size_t(bar)].timing.began <= view->bars()[6].timing.began);
}

void TryPageTest::thePhotoSentLastComesBackUntilThePageIsLeft() {
    Trial console;
    QVERIFY(console.ready);
    QVERIFY(console.enrol(0, QStringLiteral("alice")));
    const QByteArray sent = console.page->photo().bytes();
    console.run("try.photo.menu.clear");
    QVERIFY(console.page->photo().isEmpty());
    console.run("try.photo.menu.last");
    QCOMPARE(console.page->photo().bytes(), sent);
    console.window->openPage(QStringLiteral("map"));
    console.window->openPage(QStringLiteral("try"));
    QVERIFY(console.page->photo().isEmpty());
    console.run("try.photo.menu.last");
    QVERIFY(console.page->photo().isEmpty());
}

void TryPageTest::photosAreKeptOnlyWhenTheOperatorWantsIt() {
    Trial console;
    QVERIFY(console.ready);
    console.run("try.photo.menu.keep");
    console.run("try.photo.menu.sample3");
    console.window->openPage(QStringLiteral("map"));
    QVERIFY(!console.page->photo().isEmpty());
    QVERIFY(QSettings().value(QStringLiteral("try/keepPhotos")).toBool());
    console.window->openPage(QStringLiteral("try"));
    console.run("try.photo.menu.keep");
    console.window->openPage(QStringLiteral("map"));
    QVERIFY(console.page->photo().isEmpty());
}

void TryPageTest::theCurlTextIsThatOfTheCall() {
    Trial console;
    QVERIFY(console.ready);
    console.run("try.photo.menu.sample0");
    const QString open = console.page->curl();
    QVERIFY(open.startsWith(QStringLiteral("IMAGE=face.jpg\n")));
    QVERIFY(open.contains(QStringLiteral("http://coordinator.demo:4005/v1/face/recognition")));
    QVERIFY(!open.contains(QStringLiteral("Authorization")));
    QVERIFY(!open.contains(QString::fromLatin1(sampleFace(0).toBase64().left(80))));
    // Where reads are signed, so is the text; the secret comes from the environment of the shell.
    console.session.client().setSignReads(true);
    const QString isSigned = console.page->curl();
    QVERIFY(isSigned.contains(QStringLiteral("FREMIS_SECRET_KEY")));
    QVERIFY(isSigned.contains(QStringLiteral("Authorization: $authorization")));
    QVERIFY(!isSigned.contains(QStringLiteral("test-secret")));
    console.page->setMode(TryPage::Mode::Lookup);
    console.find<QLineEdit>("try.face")->setText(QStringLiteral("it's & more"));
    const QString lookup = console.page->curl();
    QVERIFY2(lookup.contains(QStringLiteral("face_id=it")) && lookup.contains(QStringLiteral("s%20%26%20more")),
             qPrintable(lookup));
}

void TryPageTest::aPartialAnswerIsShownWhenItWasAllowed() {
    auto scenario = Console::calmScenario();
    scenario.replication = 1;
    Trial console(scenario);
    QVERIFY(console.ready);
    console.fail(QStringLiteral("worker-4"), DemoFault::Dead);
    QVERIFY(console.waitFor([](const Snapshot& s) { return s.counts.of(PartitionClass::AtRisk) > 0; }));
    console.run("try.photo.menu.sample4");
    console.page->setMode(TryPage::Mode::Recognise);
    console.page->send();
    QTRY_VERIFY_WITH_TIMEOUT(console.page->title().startsWith(QStringLiteral("Not answered")), kPatienceMs);
    console.find<QCheckBox>("try.partial")->setChecked(true);
    QVERIFY(console.page->shownRequest().contains(QStringLiteral("allow_partial_search")));
    console.page->send();
    QTRY_VERIFY_WITH_TIMEOUT(console.page->title().startsWith(QStringLiteral("Best of ")), kPatienceMs);
    auto* banner = console.find<InfoBanner>("try.warning");
    QVERIFY(banner->isVisible());
    const auto missing = console.session.snapshot()->all(PartitionClass::AtRisk);
    QVERIFY2(banner->text().contains(QString::fromStdString(missing.text())), qPrintable(banner->text()));
}

void TryPageTest::whoGetsAnEnrolmentIsToldBefore() {
    auto scenario = Console::calmScenario();
    scenario.replication = 1;
    Trial console(scenario);
    QVERIFY(console.ready);
    console.page->setMode(TryPage::Mode::Enrol);
    console.find<QLineEdit>("try.face")->setText(QStringLiteral("alice"));
    const auto preview =
        previewEnrollment(*console.session.snapshot(), QStringLiteral("default"), QStringLiteral("alice"));
    const NodeView& owner = *console.session.snapshot()->find(preview.owners.front());
    auto* forecast = console.find<QLabel>("try.forecast");
    QVERIFY(forecast->text().contains(owner.label()));
    const QString label = owner.label();
    console.fail(label, DemoFault::Dead);
    QVERIFY(
        console.waitFor([&](const Snapshot& s) { return s.find(preview.owners.front())->state == NodeState::Down; }));
    QTRY_VERIFY_WITH_TIMEOUT(forecast->text().contains(QStringLiteral("will be refused")), kPatienceMs);
}

void TryPageTest::theUsedFaceAndItsQualityAreTold() {
    const TryReply reply = readTryReply(R"({"face_detected":[
        {"top":1,"left":2,"width":30,"height":40,"score":0.99,"used":true,"norm":4.1,"warnings":["blurred"]},
        {"top":5,"left":6,"width":7,"height":8,"score":0.5,"used":false}]})");
    QCOMPARE(reply.faces.size(), 2U);
    QCOMPARE(reply.faces[0].norm, std::optional(4.1));
    QCOMPARE(reply.faces[0].warnings, QStringList{QStringLiteral("blurred")});
    QVERIFY(!reply.faces[1].norm);
}

FREMIS_GUI_MAIN(TryPageTest)
#include "try_page_test.moc"

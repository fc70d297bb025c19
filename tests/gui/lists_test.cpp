// Write queue, keyspaces and the panel below: what they add to a plain table.
#include "console/ui/pages/keyspaces/face_browser.h"
#include "console/ui/pages/page.h"
#include "console/ui/panel/bottom_panel.h"
#include "console/ui/views/sparkline.h"
#include "console/ui/widgets/data_table.h"
#include "console/ui/widgets/info_banner.h"
#include "tests/gui/console_fixture.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSettings>
#include <QSignalSpy>
#include <QToolButton>

using namespace fremis::console;
using namespace fremis::console::ui;
namespace ui = fremis::console::ui;
using fremis::tests::Console;

namespace {

constexpr int kPatienceMs = 20'000;

void enrol(Console& console, const QString& face) {
    HttpRequest request;
    request.method = "POST";
    request.url = QUrl(QStringLiteral("http://demo/v1/face/enrollment"));
    const QJsonObject body{{QStringLiteral("image"), QStringLiteral("QUJD")},
                           {QStringLiteral("keyspace"), QStringLiteral("visitors")},
                           {QStringLiteral("additional_params"), QJsonObject{{QStringLiteral("face_id"), face}}}};
    request.body = QJsonDocument(body).toJson();
    QCOMPARE(console.demo.world().answer({}, request).reply.status, 200);
}

/// The snapshot as it would be at `time`, with the second owner of partition 0 holding half as much as the first.
SnapshotPtr withLostWrites(const Snapshot& real, Instant time) {
    auto made = std::make_shared<Snapshot>(real);
    made->takenAt = time;
    auto& node = made->nodes[std::size_t(made->partitions[0].owners[1])];
    auto load = std::make_shared<VectorLoad>(**node.load);
    load->partitions[0] = *made->partitions[0].vectors / 2;
    node.load.set(std::move(load), time);
    return made;
}

} // namespace

class ListsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lostWritesAreToldOnceTheyStay();
    void parkedWritesAreNamedWithTheirReason();
    void facesAreFilteredByThePrefixOfTheirId();
    void theSpreadOfAKeyspaceIsCounted();
    void hugeKeyspacesAreNotWalked();
    void allKeyspacesHaveASpread();
    void errorsOutliveARestartUntilTheyAreCleared();
    void noticesOfAnOutageAndItsEndAreKept();
    void timesAreShownInUtcOnDemand();
    void eachListIsExported();
};

void ListsTest::lostWritesAreToldOnceTheyStay() {
    Console console;
    QVERIFY(console.connectAndWait());
    console.window->openPage(QStringLiteral("queue"));
    Page* page = console.window->page(QStringLiteral("queue"));
    const Snapshot real = *console.session.snapshot();
    console.session.poller().pause(); // from here on the page sees what the test shows it
    auto* banner = console.find<InfoBanner>("queue.lagging");
    page->setSnapshot(withLostWrites(real, real.takenAt), true);
    QVERIFY(!banner->isVisible()); // a moment's difference is no loss
    page->setSnapshot(withLostWrites(real, real.takenAt + Milliseconds(31'000)), true);
    QVERIFY(banner->isVisible());
    QVERIFY2(banner->text().contains(QStringLiteral("of partitions 0,")), qPrintable(banner->text()));
    const NodeView& node = real.nodes[std::size_t(real.partitions[0].owners[1])];
    QVERIFY(banner->text().contains(node.label()));
    page->setSnapshot(std::make_shared<Snapshot>(real), true);
    QVERIFY(!banner->isVisible());
}

void ListsTest::parkedWritesAreNamedWithTheirReason() {
    Console console;
    QVERIFY(console.connectAndWait());
    console.window->openPage(QStringLiteral("queue"));
    Page* page = console.window->page(QStringLiteral("queue"));
    auto made = std::make_shared<Snapshot>(*console.session.snapshot());
    console.session.poller().pause();
    auto& node = made->nodes[1];
    QueueDepth depth = *node.queue;
    depth.parkedOps = 1;
    depth.parked = {
        {QStringLiteral("0f3a"), QStringLiteral("enrollment"), 182, QStringLiteral("dimension_mismatch"), 3, {}}};
    node.queue.set(depth, made->takenAt);
    console.session.selection().selectNodes({node.address});
    page->setSnapshot(made, true);
    bool named = false;
    for (const QLabel* label : page->findChildren<QLabel*>())
        named = named || label->text().contains(QStringLiteral("enrollment, partition 182: dimension_mismatch"));
    QVERIFY(named);
}

void ListsTest::facesAreFilteredByThePrefixOfTheirId() {
    Console console;
    for (const auto* face : {"alice-1", "alice-2", "bob-1"})
        enrol(console, QLatin1String(face));
    QVERIFY(console.connectAndWait());
    console.window->openPage(QStringLiteral("keyspaces"));
    console.session.selection().selectKeyspace(QStringLiteral("visitors"));
    auto* browser = console.find<FaceBrowser>("keyspaces.faces");
    console.find<QToolButton>("keyspaces.faces.load")->click();
    QTRY_VERIFY_WITH_TIMEOUT(browser->shown().contains(QStringLiteral("bob-1")), kPatienceMs);
    console.find<QLineEdit>("keyspaces.faces.prefix")->setText(QStringLiteral("alice"));
    QCOMPARE(browser->shown().size(), 2);
    QVERIFY(browser->csv().contains("alice-2,") && !browser->csv().contains("bob-1"));
}

void ListsTest::theSpreadOfAKeyspaceIsCounted() {
    Console console;
    for (int number = 0; number < 1'500; ++number)
        enrol(console, QStringLiteral("face-%1").arg(number));
    QVERIFY(console.connectAndWait());
    console.window->openPage(QStringLiteral("keyspaces"));
    console.session.selection().selectKeyspace(QStringLiteral("visitors"));
    auto* spread = console.find<Sparkline>("keyspaces.faces.spread");
    QVERIFY(!spread->isVisible());
    console.find<QToolButton>("keyspaces.faces.measure")->click();
    auto* browser = console.find<FaceBrowser>("keyspaces.faces");
    QTRY_VERIFY_WITH_TIMEOUT(!browser->spread().isRunning(), kPatienceMs);
    QVERIFY(spread->isVisible());
    QVERIFY(spread->spread()->total >= 1'500U);
    QVERIFY2(spread->description().contains(QStringLiteral("evenly as chance")), qPrintable(spread->description()));
    console.session.selection().selectKeyspace(QStringLiteral("default"));
    QVERIFY(!spread->isVisible());
}

void ListsTest::hugeKeyspacesAreNotWalked() {
    Console console;
    QVERIFY(console.connectAndWait());
    console.window->openPage(QStringLiteral("keyspaces"));
    console.session.selection().selectKeyspace(QStringLiteral("visitors"));
    auto* browser = console.find<FaceBrowser>("keyspaces.faces");
    browser->setFaceCount(SpreadWalk::kMost + 1);
    auto* measure = console.find<QToolButton>("keyspaces.faces.measure");
    QVERIFY(!measure->isEnabled());
    QVERIFY(measure->toolTip().contains(QStringLiteral("200,000")));
    browser->setFaceCount(SpreadWalk::kMost);
    QVERIFY(measure->isEnabled());
}

void ListsTest::allKeyspacesHaveASpread() {
    Console console;
    QVERIFY(console.connectAndWait());
    console.window->openPage(QStringLiteral("keyspaces"));
    auto* spread = console.find<Sparkline>("keyspaces.spread");
    QTRY_VERIFY_WITH_TIMEOUT(spread->spread() && spread->spread()->total > 0, kPatienceMs);
    QVERIFY(spread->accessibleDescription().contains(QStringLiteral("in a partition")));
}

void ListsTest::errorsOutliveARestartUntilTheyAreCleared() {
    Console console;
    console.window->notify(ui::Severity::Critical, QStringLiteral("It failed."), QStringLiteral("secret_key=abc-123"));
    console.window->notify(ui::Severity::Ok, QStringLiteral("It worked."), {});
    const auto rows = [&console] {
        return QString::fromUtf8(console.find<DataTable>("panel.activity")->csv(QStringLiteral("t")));
    };
    QVERIFY(rows().contains(QStringLiteral("It failed.")) && rows().contains(QStringLiteral("It worked.")));
    QVERIFY(!QSettings().value(QStringLiteral("panel/errors")).toByteArray().contains("abc-123"));
    const auto restart = [&console] {
        console.window = std::make_unique<MainWindow>(console.session, console.theme, console.dialogs);
        console.window->show();
    };
    restart();
    QVERIFY(rows().contains(QStringLiteral("It failed.")));
    QVERIFY(!rows().contains(QStringLiteral("It worked.")));
    console.find<BottomPanel>("panel")->openTab(BottomPanel::Activity);
    console.find<QToolButton>("panel.clear")->click();
    restart();
    QVERIFY(!rows().contains(QStringLiteral("It failed.")));
}

void ListsTest::noticesOfAnOutageAndItsEndAreKept() {
    auto scenario = Console::calmScenario();
    scenario.replication = 1;
    Console console(scenario);
    QVERIFY(console.connectAndWait());
    const auto rows = [&console] {
        return QString::fromUtf8(console.find<DataTable>("panel.activity")->csv(QStringLiteral("t")));
    };
    console.fail(QStringLiteral("worker-4"), DemoFault::Dead);
    QTRY_VERIFY_WITH_TIMEOUT(rows().contains(QStringLiteral("cannot be searched")), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(rows().contains(QStringLiteral("worker-4 is down")), kPatienceMs);
    const auto& events = console.session.events().events();
    QCOMPARE(
        std::count_if(events.begin(), events.end(),
                      [](const Event& event) { return event.text.startsWith(QStringLiteral("worker-4 is down")); }),
        1); // told in several places, noted once
    console.fail(QStringLiteral("worker-4"), DemoFault::None);
    QTRY_VERIFY_WITH_TIMEOUT(rows().count(QStringLiteral("Over after ")) >= 2, 2 * kPatienceMs);
}

void ListsTest::timesAreShownInUtcOnDemand() {
    Console console;
    console.window->notify(ui::Severity::Info, QStringLiteral("Something."), {});
    console.find<BottomPanel>("panel")->openTab(BottomPanel::Activity);
    auto* utc = console.find<QToolButton>("panel.utc");
    auto* table = console.find<DataTable>("panel.activity");
    QCOMPARE(table->model()->headerData(0, Qt::Horizontal).toString(), QStringLiteral("Time"));
    utc->click();
    QCOMPARE(table->model()->headerData(0, Qt::Horizontal).toString(), QStringLiteral("Time (UTC)"));
    QVERIFY(utc->isVisible());
    console.find<BottomPanel>("panel")->openTab(BottomPanel::Log);
    QVERIFY(!utc->isVisible());
}

void ListsTest::eachListIsExported() {
    Console console;
    QVERIFY(console.connectAndWait());
    const QTemporaryDir folder;
    auto* panel = console.find<BottomPanel>("panel");
    for (const auto tab : {BottomPanel::Activity, BottomPanel::Problems, BottomPanel::Events, BottomPanel::Log}) {
        panel->openTab(tab);
        const QString path = folder.filePath(QStringLiteral("list-%1.csv").arg(int(tab)));
        console.dialogs.texts.push_back(path);
        console.find<QToolButton>("panel.export")->click();
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(path), kPatienceMs);
    }
    QFile log(folder.filePath(QStringLiteral("list-3.csv")));
    QVERIFY(log.open(QIODevice::ReadOnly));
    QVERIFY(log.readAll().contains("/v1/healthcheck"));
}

FREMIS_GUI_MAIN(ListsTest)
#include "lists_test.moc"

// The console against a real coordinator and real workers, as an operator uses it: a draft that leaves data behind is
// stopped, applied on the operator's word, seen to hurt, and rolled back by one click; a worker that dies is seen
// everywhere at once, a write waits for it, and its return is told.
#include "console/client/network_transport.h"
#include "console/ui/pages/config/apply_sheet.h"
#include "console/ui/pages/config/config_page.h"
#include "console/ui/pages/map/map_page.h"
#include "console/ui/pages/overview/overview_page.h"
#include "console/ui/pages/planner/planner_page.h"
#include "console/ui/pages/try/photo_view.h"
#include "console/ui/pages/try/try_page.h"
#include "console/ui/shell/cluster_bar.h"
#include "console/ui/views/partition_map_view.h"
#include "console/ui/views/step_bar.h"
#include "console/ui/widgets/data_table.h"
#include "console/ui/widgets/info_banner.h"
#include "shared/hashing/partition.h"
#include "tests/gui/console_fixture.h"
#include "tests/support/face_client.h"
#include "tests/support/photos.h"
#include "tests/support/test_cluster.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <fstream>
#include <sstream>

using namespace fremis;
using namespace fremis::console;
using namespace fremis::console::ui;
using fremis::test::FaceClient;
using fremis::test::TestCluster;

namespace {

constexpr int kPatienceMs = 60'000;
const QString kKeyspace = QStringLiteral("default");
const QString kFace = QStringLiteral("jesper");

using State = ApplySequence::State;

std::string contentOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

bool isCalm(const Snapshot& snapshot) {
    return snapshot.config && snapshot.status && snapshot.queue && snapshot.counts.nodesOk == snapshot.counts.nodes &&
           snapshot.counts.of(PartitionClass::Ok) == base::kPartitionCount;
}

/// The console as the program builds it, connected to a real coordinator.
class LiveConsole {
public:
    explicit LiveConsole(int port) {
        theme.setAnimated(false);
        theme.install();
        language.set(QStringLiteral("en"));
        window.show();
        Profile profile;
        profile.id = QStringLiteral("journey-%1").arg(port);
        profile.name = QStringLiteral("Journey");
        profile.environment = Environment::Lab;
        profile.coordinators = {QUrl(QStringLiteral("http://127.0.0.1:%1").arg(port))};
        profile.interval = Milliseconds(500);
        session.open(profile, KeyPair());
        window.openPage(QStringLiteral("config"));
        page = qobject_cast<ConfigPage*>(window.page(QStringLiteral("config")));
        page->sheet().setVerifyTimes(Milliseconds(100), Milliseconds(kPatienceMs));
    }
    [[nodiscard]] bool waitFor(const std::function<bool(const Snapshot&)>& fact) {
        return QTest::qWaitFor([&] { return session.snapshot() && fact(*session.snapshot()); }, kPatienceMs);
    }
    [[nodiscard]] bool waitFor(State state) {
        return QTest::qWaitFor([&] { return page->sheet().sequence().state() == state; }, kPatienceMs);
    }
    [[nodiscard]] QAction* action(const char* id) { return window.actions().find(QLatin1String(id)); }
    /// False when the operator could not press it.
    [[nodiscard]] bool press(const char* name) {
        auto* button = page->findChild<QPushButton*>(QLatin1String(name));
        if (!button || !button->isVisible() || !button->isEnabled())
            return false;
        button->click();
        return true;
    }
    [[nodiscard]] DraftDesk& desk() { return window.desk(); }
    template<class P> [[nodiscard]] P* open(const char* id) {
        window.openPage(QLatin1String(id));
        return qobject_cast<P*>(window.page(QLatin1String(id)));
    }
    template<class W> [[nodiscard]] W* find(const char* name) { return window.findChild<W*>(QLatin1String(name)); }
    /// Of the bar over the pages: "nodes", "risk", "thin", "queue".
    [[nodiscard]] QString count(const char* name) {
        return find<CountButton>(qPrintable(QStringLiteral("bar.") + QLatin1String(name)))->value();
    }
    [[nodiscard]] QString cell(int partition) {
        const auto* model = open<MapPage>("map")->view().model();
        return model->index(partition / 16, partition % 16).data(Qt::AccessibleTextRole).toString();
    }
    [[nodiscard]] QString rows(const char* table) {
        return QString::fromUtf8(find<DataTable>(table)->csv(QStringLiteral("test")));
    }

private:
    QTemporaryDir m_folder;

public:
    base::SystemClock clock;
    Theme theme;
    Language language;
    NetworkTransport transport;
    SessionStore secrets;
    ProfileStore profiles{m_folder.filePath(QStringLiteral("profiles.json"))};
    Session session{{transport, clock, secrets, profiles}};
    tests::QueuedDialogs dialogs;
    MainWindow window{session, theme, dialogs};
    ConfigPage* page = nullptr;
};

} // namespace

class ConsoleJourneyTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aMoveThatLeavesDataBehindIsStoppedAppliedOnWordAndRolledBack();
    void aPlanForANodeLessIsComputedFromTheLiveCluster();
    void aWorkersDeathAndReturnAreSeenEverywhere();

private:
    void diesOneOf(TestCluster& cluster, LiveConsole& console);
    void aWriteWaits(LiveConsole& console);
    void comesBack(TestCluster& cluster, LiveConsole& console);
};

void ConsoleJourneyTest::initTestCase() {
    FREMIS_NEEDS_FETCHED_DATA(fremis::test::photo("jesper.jpg") && fremis::test::modelPack("fp-mfn512"));
}

void ConsoleJourneyTest::aMoveThatLeavesDataBehindIsStoppedAppliedOnWordAndRolledBack() {
    auto cluster = TestCluster::start({.workers = 2, .replicas = 1});
    QVERIFY2(cluster, cluster ? "" : cluster.error().detail.c_str());
    FaceClient client((*cluster)->port());
    const QString photo = fremis::test::photoBase64("jesper.jpg");
    const auto enrolled = client.enrol(photo, kKeyspace, kFace);
    QVERIFY2(enrolled.status == 200, enrolled.shown().constData());
    const std::string fileBefore = contentOf((*cluster)->configPath());
    const int partition = hashing::partitionOf(kKeyspace.toStdString(), kFace.toStdString());
    const int from = partition <= 127 ? 0 : 1;

    LiveConsole console((*cluster)->port());
    QVERIFY(console.waitFor([&](const Snapshot& s) {
        return s.config && s.status && s.counts.of(PartitionClass::Ok) == 256 &&
               s.partitions[std::size_t(partition)].vectors == 1;
    }));
    QTRY_VERIFY(console.desk().isOpen());
    const QString before = console.session.snapshot()->status->configEpoch;

    // The face's partition goes to the worker that does not hold it: stopped, by name.
    const std::size_t giver = std::size_t(from);
    const std::size_t taker = 1 - giver;
    const std::vector<routing::Edit> edits =
        from == 0
            ? std::vector<routing::Edit>{routing::setEnd(giver, partition - 1), routing::setStart(taker, partition)}
            : std::vector<routing::Edit>{routing::setStart(giver, partition + 1), routing::setEnd(taker, partition)};
    const bool takesAll = from == 0 ? partition == 0 : partition == 255;
    QVERIFY2(!takesAll, "the photo's face is to lie inside a block");
    QVERIFY(console.desk().edit(edits, QStringLiteral("Move")));
    QVERIFY(console.desk().draft().orphaned().contains(base::Partition(partition)));
    QVERIFY(!console.action("config.apply")->isEnabled());
    auto* word = console.page->findChild<QCheckBox*>(QStringLiteral("config.acknowledge"));
    QVERIFY(word->isVisible() && word->text().contains(QString::number(partition)));
    word->setChecked(true);
    QVERIFY(console.action("config.apply")->isEnabled());

    // Diff, impact, write, verify.
    console.action("config.apply")->trigger();
    QCOMPARE(console.page->sheet().sequence().state(), State::Diff);
    QVERIFY(console.press("apply.next"));
    QVERIFY(console.waitFor(State::Impact));
    QVERIFY(console.page->sheet().sequence().impact().unfindable.contains(base::Partition(partition)));
    QCOMPARE(contentOf((*cluster)->configPath()), fileBefore); // seen, not written
    QVERIFY(console.press("apply.next"));
    QVERIFY2(console.waitFor(State::Applied), qPrintable(console.page->sheet().sequence().problem()));
    const QString after = console.page->sheet().sequence().epochAfter();
    QVERIFY(after != before);
    QVERIFY(console.waitFor([&](const Snapshot& s) { return s.status && s.status->configEpoch == after; }));
    QCOMPARE(QString::fromStdString(contentOf((*cluster)->configPath())),
             QString::fromUtf8(console.desk().draft().text()));
    const auto lost = client.recognise(photo, kKeyspace);
    QVERIFY2(lost.candidates().isEmpty(), lost.shown().constData());

    // One click back, byte for byte, and the face is found again.
    QVERIFY(console.press("apply.roll-back"));
    QVERIFY2(console.waitFor(State::RolledBack), qPrintable(console.page->sheet().sequence().problem()));
    QVERIFY(console.waitFor([&](const Snapshot& s) { return s.status && s.status->configEpoch == before; }));
    QCOMPARE(contentOf((*cluster)->configPath()), fileBefore);
    QVERIFY((*cluster)->waitComplete());
    QTRY_COMPARE_WITH_TIMEOUT(client.recognise(photo, kKeyspace).candidates().size(), 1, kPatienceMs);
    QCOMPARE((*cluster)->unexpectedEnds(), QStringList());
}

void ConsoleJourneyTest::aPlanForANodeLessIsComputedFromTheLiveCluster() {
    auto cluster = TestCluster::start({.workers = 3, .replicas = 1});
    QVERIFY2(cluster, cluster ? "" : cluster.error().detail.c_str());
    LiveConsole console((*cluster)->port());
    console.window.openPage(QStringLiteral("planner"));
    auto* planner = qobject_cast<PlannerPage*>(console.window.page(QStringLiteral("planner")));
    QVERIFY(console.waitFor([](const Snapshot& s) { return s.config && s.counts.of(PartitionClass::Ok) == 256; }));
    QTRY_VERIFY_WITH_TIMEOUT(planner->plan() && planner->plan()->vectors, kPatienceMs);
    planner->wishes().setFate(QStringLiteral("127.0.0.1:%1").arg((*cluster)->workerPort(2)), NodeFate::Leaves);
    planner->replan();
    QTRY_VERIFY_WITH_TIMEOUT(!planner->isComputing() && planner->plan()->figures.moved > 0, kPatienceMs);
    QCOMPARE(planner->plan()->figures.moved, planner->plan()->figures.lowerBound);
    console.action("planner.send")->trigger();
    QCOMPARE(console.window.currentPage(), QStringLiteral("config"));
    QVERIFY(console.action("config.apply")->isEnabled()); // an empty cluster leaves nothing behind
    console.action("config.apply")->trigger();
    QVERIFY(console.press("apply.next"));
    // The coordinator refuses what its workers do not serve; the operator's word goes on.
    QVERIFY(console.waitFor(State::Failed));
    QCOMPARE(console.page->sheet().sequence().problemToken(), QStringLiteral("data_not_moved"));
    auto* word = console.page->findChild<QCheckBox*>(QStringLiteral("apply.acknowledge"));
    QVERIFY(word->isVisible() && word->text().contains(QStringLiteral("170-255")));
    word->click();
    QVERIFY2(console.waitFor(State::Impact), qPrintable(console.page->sheet().sequence().problem()));
    QCOMPARE(console.page->sheet().sequence().impact().changedPartitions, planner->plan()->figures.moved);
    QVERIFY(console.press("apply.back"));
    QVERIFY(!console.page->isApplying());
    QCOMPARE((*cluster)->unexpectedEnds(), QStringList());
}

// Three workers, two copies: the second one (number 1) owns the partitions 85-255, each with another owner.
void ConsoleJourneyTest::aWorkersDeathAndReturnAreSeenEverywhere() {
    auto cluster = TestCluster::start({.workers = 3, .replicas = 2});
    QVERIFY2(cluster, cluster ? "" : cluster.error().detail.c_str());
    LiveConsole console((*cluster)->port());
    QVERIFY(console.waitFor(isCalm));
    QVERIFY(console.open<OverviewPage>("overview")
                ->verdict()
                .startsWith(QStringLiteral("All 256 partitions have 2 healthy owners")));
    QCOMPARE(console.count("nodes"), QStringLiteral("3/3"));

    diesOneOf(**cluster, console);
    if (!QTest::currentTestFailed())
        aWriteWaits(console);
    if (!QTest::currentTestFailed())
        comesBack(**cluster, console);
    QCOMPARE((*cluster)->unexpectedEnds(), QStringList());
}

void ConsoleJourneyTest::diesOneOf(TestCluster& cluster, LiveConsole& console) {
    const QString address = QStringLiteral("127.0.0.1:%1").arg(cluster.workerPort(1));
    cluster.kill(1);
    test::HttpClient coordinator("127.0.0.1", cluster.port());
    QVERIFY(QTest::qWaitFor(
        [&] {
            const auto status = coordinator.get("/v1/cluster/status");
            return status && status->json().value(QStringLiteral("nodes_active")).toInt() == 2;
        },
        kPatienceMs));
    // The first poll that began after the coordinator knew it has it all: no second one is waited for.
    const Instant told = console.session.now();
    QVERIFY(console.waitFor([&](const Snapshot& s) {
        return s.find(address) && s.find(address)->told && s.find(address)->told.readAt >= told + Milliseconds(500);
    }));
    QCOMPARE(console.count("nodes"), QStringLiteral("2/3"));
    QCOMPARE(console.count("thin"), QStringLiteral("171 thin"));
    QCOMPARE(console.count("ok"), QStringLiteral("85 ok"));
    QVERIFY(console.find<QWidget>("rail.nodes")->accessibleName().contains(QStringLiteral("to look at")));
    QVERIFY2(console.cell(100).contains(QStringLiteral("thin")), qPrintable(console.cell(100)));
    QVERIFY2(!console.cell(10).contains(QStringLiteral("thin")), qPrintable(console.cell(10)));
    auto* overview = console.open<OverviewPage>("overview");
    QVERIFY2(overview->verdict().contains(QStringLiteral("171 partitions (85-255) have fewer healthy owners")),
             qPrintable(overview->verdict()));
    // Its own last word is old by then, or two polls of it have failed: down, and said so once.
    QVERIFY(console.waitFor([&](const Snapshot& s) { return s.find(address)->state == NodeState::Down; }));
    QTRY_VERIFY_WITH_TIMEOUT(console.rows("panel.activity").contains(address + QStringLiteral(" is down.")),
                             kPatienceMs);
    QCOMPARE(console.rows("panel.activity").count(address + QStringLiteral(" is down.")), 1);
    QVERIFY(console.rows("panel.problems").contains(address));
}

void ConsoleJourneyTest::aWriteWaits(LiveConsole& console) {
    QString face;
    for (int number = 0; face.isEmpty(); ++number)
        if (const auto id = QStringLiteral("guest-%1").arg(number);
            hashing::partitionOf(kKeyspace.toStdString(), id.toStdString()) >= 85)
            face = id;
    auto* page = console.open<TryPage>("try");
    const auto photo = test::readBytes(*test::photo("jesper.jpg"));
    const QByteArray bytes(reinterpret_cast<const char*>(photo.data()), qsizetype(photo.size())); // Qt's view
    QCOMPARE(page->photo().setBytes(bytes), QString());
    page->setMode(TryPage::Mode::Enrol);
    console.find<QLineEdit>("try.face")->setText(face);
    QVERIFY(console.find<QLabel>("try.forecast")->text().contains(QStringLiteral("queued for 127.0.0.1")));
    page->send();
    QTRY_COMPARE_WITH_TIMEOUT(page->reply().faceId, face, kPatienceMs);
    QCOMPARE(page->reply().acked, std::optional(1));
    QCOMPARE(page->reply().queued, std::optional(1));

    QVERIFY(console.waitFor([](const Snapshot& s) { return s.counts.queued == 1U; }));
    QCOMPARE(console.count("queue"), QStringLiteral("1"));
    QVERIFY(console.find<QWidget>("rail.queue")->accessibleName().contains(QStringLiteral("to look at")));
    console.window.openPage(QStringLiteral("queue"));
    QVERIFY2(console.rows("queue.table").contains(QStringLiteral("accumulating")),
             qPrintable(console.rows("queue.table")));
}

void ConsoleJourneyTest::comesBack(TestCluster& cluster, LiveConsole& console) {
    const QString address = QStringLiteral("127.0.0.1:%1").arg(cluster.workerPort(1));
    QVERIFY(cluster.restart(1));
    QVERIFY(console.waitFor([](const Snapshot& s) { return isCalm(s) && s.counts.queued == 0U; }));
    QCOMPARE(console.count("queue"), QStringLiteral("0"));
    QCOMPARE(console.count("nodes"), QStringLiteral("3/3"));
    QVERIFY(console.rows("queue.table").contains(QStringLiteral("idle")));
    QVERIFY(!console.rows("queue.table").contains(QStringLiteral("accumulating")));
    QVERIFY2(!console.cell(100).contains(QStringLiteral("thin")), qPrintable(console.cell(100)));
    QVERIFY(console.open<OverviewPage>("overview")
                ->verdict()
                .startsWith(QStringLiteral("All 256 partitions have 2 healthy owners")));
    const auto isOver = [&] {
        const QString activity = console.rows("panel.activity");
        return activity.contains(QStringLiteral("Over after ")) && activity.count(address) >= 2;
    };
    QVERIFY2(QTest::qWaitFor(isOver, kPatienceMs), qPrintable(console.rows("panel.activity")));
    // The late write is there: both owners of each partition hold the same number.
    QVERIFY(console.waitFor([](const Snapshot& s) {
        return std::all_of(s.partitions.begin(), s.partitions.end(),
                           [](const PartitionView& p) { return p.vectors && p.disagreement() == 0U; });
    }));
}

FREMIS_GUI_MAIN(ConsoleJourneyTest)
#include "console_journey_test.moc"

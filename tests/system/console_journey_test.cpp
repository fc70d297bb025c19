// The console against a real coordinator and real workers, as an operator uses it: a draft that leaves data behind is
// stopped, applied on the operator's word, seen to hurt, and rolled back by one click.
#include "console/client/network_transport.h"
#include "console/ui/pages/config/apply_sheet.h"
#include "console/ui/pages/config/config_page.h"
#include "console/ui/pages/planner/planner_page.h"
#include "console/ui/views/step_bar.h"
#include "console/ui/widgets/info_banner.h"
#include "shared/hashing/partition.h"
#include "tests/gui/console_fixture.h"
#include "tests/support/face_client.h"
#include "tests/support/photos.h"
#include "tests/support/test_cluster.h"

#include <QCheckBox>
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

/// The console as the program builds it, connected to a real coordinator.
class LiveConsole {
public:
    explicit LiveConsole(int port) {
        theme.setAnimated(false);
        theme.install();
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

private:
    QTemporaryDir m_folder;

public:
    base::SystemClock clock;
    Theme theme;
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

FREMIS_GUI_MAIN(ConsoleJourneyTest)
#include "console_journey_test.moc"

#include "console/client/apply_sequence.h"
#include "console/client/face_calls.h"
#include "console/client/network_transport.h"
#include "console/client/poller.h"
#include "tests/support/photos.h"
#include "tests/support/test_cluster.h"

#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace fremis::console;
using fremis::test::TestCluster;

namespace {

/// What the console's client sees of a cluster of real programs.
struct Console {
    explicit Console(int coordinatorPort) {
        Profile profile;
        profile.name = u"test"_s;
        profile.coordinators = {QUrl(u"http://127.0.0.1:%1"_s.arg(coordinatorPort))};
        profile.interval = 500ms;
        poller.connectTo(profile);
    }

    bool until(const std::function<bool(const Snapshot&)>& fact) {
        return QTest::qWaitFor([&] { return poller.snapshot() && fact(*poller.snapshot()); }, 60'000);
    }

    fremis::base::SystemClock clock;
    NetworkTransport transport;
    ClusterClient client{transport, clock};
    History history;
    Poller poller{client, clock, history};
};

bool isWhole(const Snapshot& snapshot) {
    return snapshot.counts.of(PartitionClass::Ok) == 256 && snapshot.queue && snapshot.keyspaces && snapshot.limits &&
           std::all_of(snapshot.nodes.begin(), snapshot.nodes.end(),
                       [](const NodeView& node) { return node.load && node.resources && !node.viaCoordinator; });
}

} // namespace

class ConsoleClientTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        FREMIS_NEEDS_FETCHED_DATA(fremis::test::photo("jesper.jpg") && fremis::test::modelPack("fp-mfn512"));
    }
    void init();
    void cleanup();
    void aDeadWorkerIsSeenAndItsReturnToo();
    void aConfigIsAppliedAndRolledBack();
    void facesGoThroughTheClient();

private:
    std::unique_ptr<TestCluster> m_cluster;
};

void ConsoleClientTest::init() {
    auto cluster = TestCluster::start();
    QVERIFY2(cluster, cluster ? "" : cluster.error().message.c_str());
    m_cluster = std::move(*cluster);
}

void ConsoleClientTest::cleanup() {
    m_cluster.reset();
}

void ConsoleClientTest::aDeadWorkerIsSeenAndItsReturnToo() {
    Console console(m_cluster->port());
    QVERIFY(console.until(isWhole));
    QCOMPARE(console.poller.snapshot()->nodes.size(), 3U);
    QVERIFY(console.poller.snapshot()->notOffered.isEmpty());
    QVERIFY(console.poller.snapshot()->drifts.empty());
    QVERIFY(!console.poller.snapshot()->config->get()->epoch.isEmpty());

    m_cluster->kill(1);
    QVERIFY(console.until([](const Snapshot& snapshot) { return snapshot.counts.of(PartitionClass::AtRisk) > 0; }));
    // While its own last word is fresh and the coordinator calls it down already, it is degraded.
    QVERIFY(console.until([](const Snapshot& snapshot) { return snapshot.nodes[1].state == NodeState::Down; }));
    const auto& down = console.poller.snapshot()->nodes[1];
    QCOMPARE(down.state, NodeState::Down);
    QVERIFY(!down.reason.isEmpty());
    QCOMPARE(console.poller.snapshot()->all(PartitionClass::AtRisk), down.assigned);

    QVERIFY(m_cluster->restart(1));
    QVERIFY(console.until(isWhole));
}

void ConsoleClientTest::aConfigIsAppliedAndRolledBack() {
    Console console(m_cluster->port());
    QVERIFY(console.until(isWhole));
    const auto config = **console.poller.snapshot()->config;
    auto renamed = config.text;
    renamed.replace("version: \"v1\"", "version: \"v1\"\nallow_partial_search: true");
    QVERIFY(renamed != config.text);

    ApplySequence sequence(console.client, console.clock);
    const auto reaches = [&sequence](ApplySequence::State state) {
        return QTest::qWaitFor([&] { return sequence.state() == state; }, 60'000);
    };
    QVERIFY(sequence.start({console.poller.profile().coordinators, {}}, {config.text, renamed, config.etag, false},
                           console.poller.snapshot()));
    sequence.confirmDiff();
    QVERIFY2(reaches(ApplySequence::State::Impact), qPrintable(sequence.problem()));
    sequence.confirmImpact();
    QVERIFY2(reaches(ApplySequence::State::Applied), qPrintable(sequence.problem()));
    QFile file(QString::fromStdString(m_cluster->configPath()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), renamed);
    file.close();
    QVERIFY(console.until([&](const Snapshot& snapshot) { return (**snapshot.config).text == renamed; }));

    sequence.rollBack();
    QVERIFY2(reaches(ApplySequence::State::RolledBack), qPrintable(sequence.problem()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), config.text);
}

void ConsoleClientTest::facesGoThroughTheClient() {
    Console console(m_cluster->port());
    QVERIFY(console.until(isWhole));
    FaceCalls faces(console.client);
    const auto base = console.poller.profile().coordinators.first();
    const auto bytes = fremis::test::readBytes(*fremis::test::photo("jesper.jpg"));
    const QByteArray photo(reinterpret_cast<const char*>(bytes.data()),
                           static_cast<qsizetype>(bytes.size())); // Qt's view
    QObject context;
    std::optional<FaceOutcome<fremis::wire::EnrollmentReply>> enrolled;
    faces.enroll(base, photo, u"default"_s, u"alice-01"_s, &context,
                 [&](auto got) { enrolled.emplace(std::move(got)); });
    QTRY_VERIFY_WITH_TIMEOUT(enrolled, 60'000);
    QVERIFY2(enrolled->result, enrolled->result ? "" : qPrintable(textOf(enrolled->result.error())));

    std::optional<FaceOutcome<fremis::wire::RecognitionReply>> found;
    faces.recognise(base, photo, {u"default"_s, 5, {}}, &context, [&](auto got) { found.emplace(std::move(got)); });
    QTRY_VERIFY_WITH_TIMEOUT(found, 60'000);
    QVERIFY2(found->result, found->result ? "" : qPrintable(textOf(found->result.error())));
    QCOMPARE(found->result->candidates.front().faceId.text(), std::string("alice-01"));
    QVERIFY(found->coverage && found->coverage->complete());
    const auto isCounted = [](const Snapshot& snapshot) {
        return snapshot.limits && snapshot.limits->enrollments == 1;
    };
    console.poller.refreshNow();
    QVERIFY(console.until(isCounted));
}

QTEST_GUILESS_MAIN(ConsoleClientTest)
#include "console_client_test.moc"

// What the watchdog makes of workers that are not the ones they were.
#include "coordinator/cluster/watchdog.h"
#include "tests/unit/coordinator/queue_fixture.h"
#include "tests/unit/coordinator/scripted_cluster.h"

using namespace fremis;
using namespace fremis::coordinator;
using namespace fremis::coordinator::test;
namespace internal = wire::internal;

namespace {

constexpr std::uint16_t kPort = 5'001;
const auto kAll = routing::PartitionSet().set();
const auto kHalf = kAll >> 128; ///< partitions 0 to 127

CallResult refused() {
    return tl::unexpected(CallFailure{CallFailure::Kind::NotSent, true, "connection refused"});
}

CallResult healthOf(const std::string& instance) {
    wire::Health health;
    health.state = "ACTIVE";
    health.role = "worker";
    health.clientAuth = "open";
    health.partitions = {{0, 255}};
    health.internalPort = kPort;
    health.instance = instance;
    return Response{200, wire::toJson(health)};
}

CallResult probeOf(std::uint8_t number, std::uint64_t generation) {
    internal::ProbeReply reply;
    reply.node = node(number);
    reply.generation = generation;
    reply.state = "ACTIVE";
    reply.dimension = 4;
    reply.partitions = {{0, 255}};
    return Response{200, internal::toJson(reply)};
}

} // namespace

/// One worker, compared and found whole; each test then lets another life of it, or another worker, answer.
class WatchdogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { base::setLogLevel(base::LogLevel::Error); }
    void init() {
        m_workers = std::make_unique<ScriptedCluster>(1);
        peer().state = PeerState::Unknown;
        peer().facts.reset();
        peer().node.reset();
        m_watchdog = std::make_unique<Watchdog>(m_workers->cluster, node(9), false);
        m_comparisons = 0;
        m_watchdog->compare = [this](const std::shared_ptr<Peer>&, const std::function<void(bool)>& done) {
            ++m_comparisons;
            done(true);
        };
        m_watchdog->followMap();
        answerNext("/livez", healthOf(internal::instanceOf(node(1), 1)));
        answerNext(internal::kProbePath, probeOf(1, 1));
        QCOMPARE(peer().state, PeerState::Active);
        QCOMPARE(m_comparisons, 1);
    }
    void cleanup() {
        m_watchdog.reset();
        m_workers.reset();
    }

    void callsNameTheInstanceTheyAreMeantForAndProbesDoNot() {
        QVERIFY(m_workers->waitCalls(1));
        QCOMPARE(m_workers->transport.calls.front().call.target, std::string(internal::kProbePath));
        QVERIFY(m_workers->transport.calls.front().call.headers.empty());
        for (const auto plane : {Call::Plane::Client, Call::Plane::Internal}) {
            m_workers->cluster.call(m_workers->cluster.view()->peers.front(), {.target = "/x", .plane = plane},
                                    [](const CallResult&) {});
            const auto& headers = m_workers->transport.calls.back().call.headers;
            QCOMPARE(headers.size(), std::size_t{1});
            QCOMPARE(headers.front().name, std::string(internal::kInstanceHeader));
            QCOMPARE(headers.front().value, internal::instanceOf(node(1), 1));
        }
    }

    void aWorkerThatRestartedBetweenTwoProbesIsComparedAgain_data() {
        QTest::addColumn<int>("node");
        QTest::addColumn<int>("generation");
        QTest::newRow("with its disk") << 1 << 2;
        QTest::newRow("with an empty disk") << 2 << 1;
    }
    void aWorkerThatRestartedBetweenTwoProbesIsComparedAgain() {
        QFETCH(const int, node);
        QFETCH(const int, generation);
        const auto number = static_cast<std::uint8_t>(node);
        const auto life = static_cast<std::uint64_t>(generation);
        QStringList states;
        m_watchdog->onState = [&](const std::shared_ptr<Peer>& changed) {
            states << QString::fromStdString(std::string(nameOf(changed->state)));
        };
        answerNext(internal::kProbePath, refused()); // its internal port is another one
        answerNext("/livez", healthOf(internal::instanceOf(test::node(number), life)));
        // Not counted as searched from here on, although the internal plane has not confirmed it yet.
        QVERIFY(!Cluster::answersReads(peer()));
        answerNext(internal::kProbePath, probeOf(number, life));
        QCOMPARE(peer().state, PeerState::Active);
        QCOMPARE(states,
                 (QStringList{QStringLiteral("LOADING"), QStringLiteral("CATCHING_UP"), QStringLiteral("ACTIVE")}));
        QCOMPARE(m_comparisons, 2);
    }

    void aRestartBehindTheSameInternalPortIsSeenToo() {
        answerNext(internal::kProbePath, probeOf(1, 2));
        QCOMPARE(peer().state, PeerState::Active);
        QCOMPARE(m_comparisons, 2);
    }

    // Another coordinator has writes waiting for a worker that has just stopped answering.
    void aWorkerThatMissesWritesElsewhereLeavesItsStateBeforeItAnswers() {
        ScriptedCluster workers(2);
        Watchdog watchdog(workers.cluster, node(9), false);
        workers.peer(0).equal = workers.peer(1).equal = true;
        workers.peer(1).state = PeerState::Suspect;
        watchdog.followMap();
        QVERIFY(workers.waitCalls(2));
        const auto first = std::find_if(workers.transport.calls.begin(), workers.transport.calls.end(),
                                        [&](auto& one) { return one.call.authority == workers.internalAddressOf(0); });
        std::swap(*workers.transport.calls.begin(), *first);
        internal::ProbeReply reply;
        reply.node = node(1);
        reply.state = "ACTIVE";
        reply.dimension = 4;
        reply.partitions = {{0, 255}};
        reply.heard.push_back({node(8), {node(2)}, {}, 0, 1});
        workers.transport.answer(Response{200, internal::toJson(reply)});
        QCOMPARE(workers.peer(1).state, PeerState::CatchingUp);
        QVERIFY(!Cluster::answersReads(workers.peer(1)));
    }

    // "Nothing" would be believed by the others.
    void noWorkerIsToldWhatWaitsBeforeItIsKnown() {
        ScriptedCluster workers(1);
        Watchdog watchdog(workers.cluster, node(9), false);
        int asked = 0;
        watchdog.knowsPending = [&] { return ++asked > 3; };
        watchdog.pendingNodes = [&] { return asked > 3 ? std::vector{node(1)} : std::vector<storage::NodeId>(); };
        watchdog.followMap();
        QVERIFY(workers.waitCalls(1));
        const auto told = internal::parseProbe(workers.transport.calls.front().call.body);
        QVERIFY(told);
        QCOMPARE(told->pending.size(), std::size_t{1});
    }

    // A search under way follows the map that gave the worker a partition, when the next map has taken it away again.
    void whatAReloadTakesAwayStaysUnproven() {
        follow(kHalf);
        follow(kAll);
        const auto during = m_workers->cluster.view();
        QVERIFY(!during->served(0).contains(200));
        follow(kHalf);
        QVERIFY(!during->served(0).contains(200));
        QVERIFY(during->served(0).contains(99));
    }

    void aProofThatAReloadOvertakesProvesNothing() {
        std::vector<std::function<void(bool)>> proofs;
        m_watchdog->prove = [&](const std::shared_ptr<Peer>&, base::Partition, std::function<void(bool)> done) {
            proofs.push_back(std::move(done));
        };
        follow(kHalf);
        follow(kAll);
        answerNext(internal::kProbePath, probeOf(1, 1));
        QCOMPARE(proofs.size(), std::size_t{128});
        follow(kHalf);
        follow(kAll);
        for (const auto& proof : std::exchange(proofs, {}))
            proof(true);
        QVERIFY(!m_workers->cluster.view()->served(0).contains(200));
        answerNext(internal::kProbePath, probeOf(1, 1));
        QCOMPARE(proofs.size(), std::size_t{128});
        for (const auto& proof : proofs)
            proof(true);
        QVERIFY(m_workers->cluster.view()->served(0).contains(200));
    }

    void aCallThatMeetsAnotherInstanceIsTold() {
        QVERIFY(m_workers->waitCalls(1));
        m_workers->transport.answer(probeOf(1, 1));
        int told = 0;
        m_workers->cluster.onGone = [&told](const std::shared_ptr<Peer>&) { ++told; };
        for (const auto reason : {base::Reason::NotOwner, base::Reason::OtherInstance}) {
            m_workers->cluster.call(m_workers->cluster.view()->peers.front(), {.target = "/x"},
                                    [](const CallResult&) {});
            m_workers->transport.answer(Response{421, wire::errorBody({reason, "not here", {}}, "r")});
        }
        QCOMPARE(told, 1);
    }

private:
    [[nodiscard]] Peer& peer() { return m_workers->peer(0); }
    void follow(const routing::PartitionSet& partitions) {
        m_workers->useMap({partitions});
        peer().facts->partitions = hashing::PartitionSet::all(); // the worker owns more than the map gives it
        m_watchdog->followMap();
    }
    void answerNext(std::string_view target, CallResult result) {
        QVERIFY(m_workers->waitCalls(1));
        QCOMPARE(m_workers->transport.calls.front().call.target, std::string(target));
        m_workers->transport.answer(std::move(result));
    }

    std::unique_ptr<ScriptedCluster> m_workers;
    std::unique_ptr<Watchdog> m_watchdog;
    int m_comparisons = 0;
};

QTEST_GUILESS_MAIN(WatchdogTest)
#include "watchdog_test.moc"

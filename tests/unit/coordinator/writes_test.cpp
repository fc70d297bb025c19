// Writes at moments that are hard to meet with real workers.
#include "coordinator/cluster/map_retry.h"
#include "coordinator/cluster/writes.h"
#include "shared/hashing/partition.h"
#include "shared/storage/operation_codec.h"
#include "tests/unit/coordinator/queue_fixture.h"
#include "tests/unit/coordinator/scripted_cluster.h"

using namespace fremis;
using namespace fremis::coordinator;
using namespace fremis::coordinator::test;

namespace {

const auto kKeyspace = base::KeyspaceName::trusted("employee");
const auto kFace = base::FaceId::trusted("1234");
const std::string kIncarnation = "0123456789abcdef";
const auto kPartition = hashing::partitionOf(kKeyspace.text(), kFace.text());

CallResult keyspaceDeleted() {
    const storage::DropKeyspace drop{kKeyspace, "0123456789abcdef", {}, {1, 1}, {}};
    return Response{
        200, wire::internal::toJson(wire::internal::KeyspaceDeleted{{kKeyspace, 0, {}}, {storage::encode(drop)}})};
}

CallResult refused() {
    return tl::unexpected(CallFailure{CallFailure::Kind::NotSent, true, "connection refused"});
}

} // namespace

class WritesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { begin(2); }
    void cleanup() {
        m_queue->stop();
        m_writes.reset();
        m_queue.reset();
        m_queueFiles.reset();
        m_watchdog.reset();
        m_workers.reset();
    }

    // A probe that finds the internal port of a worker closed forgets it until the worker's health tells another one.
    void aWriteGoesToAReplicaWhoseInternalPortIsKnown() {
        m_workers->peer(0).facts->internalPort.reset();
        auto reply = deleteKeyspace();
        QVERIFY(m_workers->waitCalls(1));
        QCOMPARE(m_workers->transport.calls.front().call.authority, m_workers->internalAddressOf(1));
        m_workers->transport.answer(keyspaceDeleted());
        theQueueIsTold();
        QTRY_VERIFY(reply->has_value());
        isQueuedForOne(*reply);
    }

    void aReplicaWhoseInternalPortIsLostMeanwhileGetsTheWriteThroughTheQueue() {
        auto reply = deleteKeyspace();
        QVERIFY(m_workers->waitCalls(1));
        m_workers->peer(1).facts->internalPort.reset();
        m_workers->transport.answer(keyspaceDeleted());
        theQueueIsTold();
        QTRY_VERIFY(reply->has_value());
        isQueuedForOne(*reply);
    }

    void aWriteThatFindsNobodyIsRefused() {
        auto reply = deleteKeyspace();
        QVERIFY(m_workers->waitCalls(1));
        m_workers->peer(1).facts->internalPort.reset();
        m_workers->transport.answer(refused());
        QTRY_VERIFY(reply->has_value());
        QVERIFY(!**reply);
        QVERIFY((*reply)->error().error.reason == base::Reason::PartitionUnavailable);
    }

    // A replica that has missed the end of a keyspace enrols into it, and loses all when it hears of it.
    void anEnrolmentIntoAKeyspaceThatHasEndedElsewhereIsNotAcknowledged_data() {
        QTest::addColumn<bool>("ended");
        QTest::addColumn<PeerState>("other"); ///< what the worker is that knows
        QTest::newRow("it has ended") << true << PeerState::Active;
        QTest::newRow("it lives") << false << PeerState::Active;
        QTest::newRow("it has ended, and nobody is active yet") << true << PeerState::Loading;
        QTest::newRow("it lives, and nobody is active yet") << false << PeerState::Loading;
    }
    void anEnrolmentIntoAKeyspaceThatHasEndedElsewhereIsNotAcknowledged() {
        QFETCH(const bool, ended);
        QFETCH(const PeerState, other);
        restart(3);
        // The first has the face's partition alone with the second, which is gone.
        m_workers->useMap({routing::PartitionSet().set(kPartition), routing::PartitionSet().set(kPartition),
                           ~routing::PartitionSet().set(kPartition)});
        m_workers->peer(0).state = PeerState::CatchingUp;
        m_workers->peer(1).state = PeerState::Down;
        m_workers->peer(2).state = other;
        auto reply = enrol();
        versionsAreShared({});
        QVERIFY(m_workers->waitCalls(1));
        QCOMPARE(m_workers->transport.calls.front().call.target, std::string(wire::internal::kEnrollmentPath));
        m_workers->transport.answer(enrolled({7, 1}));
        QVERIFY(m_workers->waitCalls(1));
        QCOMPARE(m_workers->transport.calls.front().call.target, std::string(wire::internal::kKeyspaceRecordsPath));
        QCOMPARE(m_workers->transport.calls.front().call.authority, m_workers->internalAddressOf(2));
        m_workers->transport.answer(keyspaceRecords(ended));
        theQueueIsTold();
        theQueueIsTold();
        QTRY_VERIFY(reply->has_value());
        QCOMPARE(reply->value().has_value(), !ended);
        if (ended)
            QVERIFY((**reply).error().error.reason == base::Reason::OutcomeUnknown);
    }

    // A list whose parts end differently: what the client is told must hold for all of it.
    void aListOfWhichAPartMayBeDoneIsOfUnknownOutcome() {
        const auto other = base::FaceId::trusted("7");
        const auto otherPartition = hashing::partitionOf(kKeyspace.text(), other.text());
        QVERIFY(otherPartition != kPartition);
        m_workers->useMap({~routing::PartitionSet().set(otherPartition), routing::PartitionSet().set(otherPartition)});
        std::optional<Answer<wire::DeleteEnrollmentReply>> reply;
        m_writes->removeFaces({kKeyspace, {kFace, other}}, m_workers->context(),
                              [&](Answer<wire::DeleteEnrollmentReply> answer) { reply = std::move(answer); });
        QVERIFY(m_workers->waitCalls(2));
        m_workers->transport.answer(tl::unexpected(CallFailure{CallFailure::Kind::TimedOut, false, "no answer"}));
        m_workers->transport.answer(refused());
        QTRY_VERIFY(reply.has_value());
        QVERIFY(!*reply);
        QVERIFY(reply->error().error.reason == base::Reason::OutcomeUnknown);
    }

    // The clock of a replica that has missed a removal may be behind the one that decided it.
    void aReplicaThatIsBehindDecidesAboveEveryKnownVersion() {
        constexpr base::Version kFast{std::uint64_t{1} << 40, 3};
        m_workers->peer(0).state = PeerState::CatchingUp;
        m_workers->peer(1).state = PeerState::CatchingUp;
        (void)enrol();
        versionsAreShared(kFast);
        QVERIFY(m_workers->waitCalls(1));
        const auto message = wire::internal::parseEnrollment(m_workers->transport.calls.front().call.body);
        QVERIFY(message);
        QVERIFY(message->head.seen == kFast);
    }

    void whatWasWrittenIsToldToTheNextOrigin() {
        auto reply = enrol();
        QVERIFY(m_workers->waitCalls(1));
        m_workers->transport.answer(enrolled({7, 1}));
        QVERIFY(m_workers->waitCalls(1)); // the other replica
        (void)enrol();
        QVERIFY(m_workers->waitCalls(2));
        const auto message = wire::internal::parseEnrollment(m_workers->transport.calls.back().call.body);
        QVERIFY(message);
        QVERIFY((message->head.seen == base::Version{7, 1}));
    }

    void aWriteByAnOutdatedMapIsDoneUnderThePresentOne_data() {
        QTest::addColumn<bool>("fileIsNewer");
        QTest::addColumn<bool>("byOwner"); ///< the workers say that they own nothing of it, else that the map is old
        QTest::newRow("config.yml has the present map") << true << false;
        QTest::newRow("config.yml is as old") << false << false;
        QTest::newRow("config.yml has the present owners") << true << true;
        QTest::newRow("config.yml names other owners too") << false << true;
    }
    void aWriteByAnOutdatedMapIsDoneUnderThePresentOne() {
        QFETCH(const bool, fileIsNewer);
        QFETCH(const bool, byOwner);
        const auto outdated = m_workers->cluster.view()->map.epoch();
        int settled = 0;
        auto reply = std::make_shared<KeyspaceReply>();
        underPresentMap<wire::DeleteKeyspaceReply>(
            [&](const std::function<void()>& then) {
                ++settled;
                if (fileIsNewer)
                    m_workers->useMap({routing::PartitionSet().set(), routing::PartitionSet(7)});
                then();
            },
            [this](auto done) { m_writes->deleteKeyspace({kKeyspace}, m_workers->context(), std::move(done)); },
            [reply](Answer<wire::DeleteKeyspaceReply> answer) { *reply = std::move(answer); });
        refuse(outdated, byOwner);
        QTRY_COMPARE(settled, 1);
        if (!fileIsNewer) {
            for (int attempt = 1; attempt < kMapAttempts; ++attempt)
                refuse(outdated, byOwner);
            QTRY_VERIFY(reply->has_value());
            QVERIFY((**reply).error().error.reason == base::Reason::PartitionUnavailable);
            return;
        }
        const auto present = m_workers->cluster.view()->map.epoch();
        QVERIFY(present != outdated);
        QVERIFY(m_workers->waitCalls(1));
        QVERIFY(m_workers->transport.calls.front().call.body.find(present) != std::string::npos);
        m_workers->transport.answer(keyspaceDeleted());
        QVERIFY(m_workers->waitCalls(1));
        m_workers->transport.answer(Response{200, wire::internal::toJson(wire::internal::ApplyReply{{{}}})});
        QTRY_VERIFY(reply->has_value());
        QVERIFY(reply->value().has_value());
        QCOMPARE(settled, 1);
    }

    // One worker runs another map than its coordinator and the other workers: another owner takes the write.
    void whatOneWorkerDoesNotOwnGoesToAnother() {
        auto reply = deleteKeyspace();
        QVERIFY(m_workers->waitCalls(1));
        const auto first = m_workers->transport.calls.front().call.authority;
        m_workers->transport.answer(answerOf(base::Reason::NotOwner));
        QVERIFY(m_workers->waitCalls(1));
        QVERIFY(m_workers->transport.calls.front().call.authority != first);
        m_workers->transport.answer(keyspaceDeleted());
        QVERIFY(m_workers->waitCalls(1)); // the first one is told what was done
        QCOMPARE(m_workers->transport.calls.front().call.authority, first);
        m_workers->transport.answer(answerOf(base::Reason::NotOwner));
        theQueueIsTold();
        QTRY_VERIFY(reply->has_value());
        isQueuedForOne(*reply);
    }

private:
    using EnrolReply = std::optional<Answer<wire::EnrollmentReply>>;

    void begin(int workers) {
        m_workers = std::make_unique<ScriptedCluster>(workers);
        m_watchdog = std::make_unique<Watchdog>(m_workers->cluster, node(9), false);
        m_queueFiles = std::make_unique<QueueFixture>();
        QVERIFY(m_queueFiles->open());
        auto& environment = m_workers->environment;
        m_queue = std::make_unique<WriteQueue>(m_queueFiles->release(), environment,
                                               [&](std::function<void()> task) { environment.post(std::move(task)); });
        m_faceIds = std::make_unique<storage::FaceIdGenerator>(environment, [] { return std::uint64_t{9}; });
        m_writes = std::make_unique<Writes>(m_workers->cluster, *m_watchdog, *m_queue, *m_faceIds, WriteAcks::One);
    }

    void restart(int workers) {
        cleanup();
        begin(workers);
    }

    std::shared_ptr<EnrolReply> enrol() {
        auto reply = std::make_shared<EnrolReply>();
        m_writes->enrol({wire::ImageInput{"AAAA"}, kKeyspace, kFace, {}}, {}, m_workers->context(),
                        [reply](Answer<wire::EnrollmentReply> answer) { *reply = std::move(answer); });
        return reply;
    }
    static CallResult enrolled(base::Version version) {
        const storage::AddVariation add{
            {kIncarnation, kFace, base::Variation(5), kPartition, version, "space", {1.0F, 0.0F}, 1.0, {}}};
        return Response{200, wire::internal::toJson(wire::internal::EnrollmentWritten{
                                 {kFace, base::Variation(5), {}, {}}, {storage::encode(add)}})};
    }
    static CallResult keyspaceRecords(bool ended) {
        wire::internal::KeyspaceRecordsReply reply;
        reply.records.push_back(storage::encode(storage::CreateKeyspace{kKeyspace, kIncarnation, {}, {1, 1}, {}, {}}));
        if (ended)
            reply.records.push_back(storage::encode(storage::DropKeyspace{kKeyspace, kIncarnation, {}, {2, 1}, {}}));
        return Response{200, wire::internal::toJson(reply)};
    }
    /// All workers that take writes are probed; the last one tells of `seen`.
    void versionsAreShared(base::Version seen) {
        const auto& peers = m_workers->cluster.view()->peers;
        const auto reachable =
            std::count_if(peers.begin(), peers.end(), [](auto& peer) { return peer->takesWrites(); });
        QVERIFY(m_workers->waitCalls(static_cast<std::size_t>(reachable)));
        for (auto left = reachable; left > 0; --left) {
            QCOMPARE(m_workers->transport.calls.front().call.target, std::string(wire::internal::kProbePath));
            wire::internal::ProbeReply reply;
            reply.state = "ACTIVE";
            reply.version = reply.space = reply.partitionRule = "x";
            reply.dimension = 2;
            if (left == 1)
                reply.seen = seen;
            m_workers->transport.answer(Response{200, wire::internal::toJson(reply)});
        }
    }

    static Response answerOf(base::Reason reason) {
        return {base::infoOf(reason).status, wire::errorBody({reason, "of another map", {}}, "r")};
    }
    /// All workers that the write is offered to.
    void refuse(const std::string& epoch, bool byOwner) {
        for (int worker = 0; worker < (byOwner ? 2 : 1); ++worker) {
            QVERIFY(m_workers->waitCalls(1));
            QVERIFY(m_workers->transport.calls.front().call.body.find(epoch) != std::string::npos);
            m_workers->transport.answer(answerOf(byOwner ? base::Reason::NotOwner : base::Reason::StaleEpoch));
        }
    }

    using KeyspaceReply = std::optional<Answer<wire::DeleteKeyspaceReply>>;

    std::shared_ptr<KeyspaceReply> deleteKeyspace() {
        auto reply = std::make_shared<KeyspaceReply>();
        m_writes->deleteKeyspace({kKeyspace}, m_workers->context(),
                                 [reply](Answer<wire::DeleteKeyspaceReply> answer) { *reply = std::move(answer); });
        return reply;
    }
    /// Before the client is answered a worker hears that something waits here; the answer does not depend on it.
    void theQueueIsTold() {
        QVERIFY(m_workers->waitCalls(1));
        QCOMPARE(m_workers->transport.calls.front().call.target, std::string(wire::internal::kProbePath));
        m_workers->transport.answer(refused());
    }
    static void isQueuedForOne(const KeyspaceReply& reply) {
        QVERIFY2(*reply, *reply ? "" : reply->error().error.message.c_str());
        QCOMPARE((*reply)->replication->acked, 1);
        QCOMPARE((*reply)->replication->queued, 1);
    }

    std::unique_ptr<ScriptedCluster> m_workers;
    std::unique_ptr<Watchdog> m_watchdog;
    std::unique_ptr<QueueFixture> m_queueFiles;
    std::unique_ptr<WriteQueue> m_queue;
    std::unique_ptr<storage::FaceIdGenerator> m_faceIds;
    std::unique_ptr<Writes> m_writes;
};

QTEST_GUILESS_MAIN(WritesTest)
#include "writes_test.moc"

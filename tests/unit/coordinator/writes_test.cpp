// Writes at moments that are hard to meet with real workers.
#include "coordinator/cluster/map_retry.h"
#include "coordinator/cluster/writes.h"
#include "shared/storage/operation_codec.h"
#include "tests/unit/coordinator/queue_fixture.h"
#include "tests/unit/coordinator/scripted_cluster.h"

using namespace fremis;
using namespace fremis::coordinator;
using namespace fremis::coordinator::test;

namespace {

const auto kKeyspace = base::KeyspaceName::trusted("employee");

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
    void init() {
        m_workers = std::make_unique<ScriptedCluster>(2);
        m_watchdog = std::make_unique<Watchdog>(m_workers->cluster, node(9), false);
        m_queueFiles = std::make_unique<QueueFixture>();
        QVERIFY(m_queueFiles->open());
        auto& environment = m_workers->environment;
        m_queue = std::make_unique<WriteQueue>(m_queueFiles->release(), environment,
                                               [&](std::function<void()> task) { environment.post(std::move(task)); });
        m_faceIds = std::make_unique<storage::FaceIdGenerator>(environment, [] { return std::uint64_t{9}; });
        m_writes = std::make_unique<Writes>(m_workers->cluster, *m_watchdog, *m_queue, *m_faceIds, WriteAcks::One);
    }
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

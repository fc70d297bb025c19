#include "coordinator/cluster/repair.h"
#include "shared/wire/internal.h"
#include "tests/unit/coordinator/scripted_cluster.h"

#include <optional>

using namespace fremis;
using namespace fremis::coordinator;
using namespace fremis::coordinator::test;

class RepairTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A worker that has just been found equal may be followed by another one that is to be compared.
    void aComparisonAskedForAtTheEndOfAnotherRunsOnce() {
        ScriptedCluster workers(2);
        Repair repair(workers.cluster);
        hashing::PartitionSet partition;
        partition.insert(base::Partition{5});
        int ended = 0;
        repair.compare(partition, [&](bool equal) {
            QVERIFY(equal);
            ++ended;
            repair.compare(partition, [&](bool again) {
                QVERIFY(again);
                ++ended;
            });
        });
        answerDigests(workers);
        answerDigests(workers);
        QTRY_VERIFY(!repair.report().running);
        QCOMPARE(ended, 2);
        QCOMPARE(repair.report().partitionsChecked, 2);
        QCOMPARE(workers.transport.calls.size(), std::size_t{0});
    }

    // It may have looked at a replica before that one had what it is asked about.
    void aComparisonUnderWayIsNoAnswerToALaterQuestion() {
        ScriptedCluster workers(2);
        Repair repair(workers.cluster);
        hashing::PartitionSet partition;
        partition.insert(base::Partition{5});
        int ended = 0;
        repair.compare(partition, [&](bool) { ++ended; });
        QVERIFY(workers.waitCalls(2));
        bool laterEqual = false;
        repair.compare(partition, [&](bool equal) { laterEqual = equal; });
        answerDigests(workers);
        QCOMPARE(ended, 1);
        QVERIFY(!laterEqual);
        answerDigests(workers);
        QTRY_VERIFY(laterEqual);
    }

    void aWorkerThatTookNoPartIsNotFilled() {
        ScriptedCluster workers(3);
        Repair repair(workers.cluster);
        hashing::PartitionSet partition;
        partition.insert(base::Partition{5});
        workers.peer(0).state = PeerState::Down;
        std::optional<bool> filled;
        repair.fill(workers.cluster.view()->peers[0], partition, [&](bool equal) { filled = equal; });
        answerDigests(workers);
        QTRY_VERIFY(filled.has_value());
        QVERIFY(!*filled);
    }

private:
    /// Two replicas that hold the same are asked once each.
    static void answerDigests(ScriptedCluster& workers) {
        namespace internal = wire::internal;
        QVERIFY(workers.waitCalls(2));
        QTest::qWait(0); // what else has been set going
        QCOMPARE(workers.transport.calls.size(), std::size_t{2});
        internal::DigestsReply reply;
        reply.partitions.emplace_back().partition = 5;
        for (int i = 0; i < 2; ++i)
            workers.transport.answer(Response{200, internal::toJson(reply)});
    }
};

QTEST_GUILESS_MAIN(RepairTest)
#include "repair_test.moc"

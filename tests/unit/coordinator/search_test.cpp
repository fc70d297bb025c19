// Searches while workers are in different states.
#include "coordinator/cluster/search.h"
#include "tests/unit/coordinator/scripted_cluster.h"

using namespace fremis;
using namespace fremis::coordinator;
using namespace fremis::coordinator::test;

class SearchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A worker may not have heard of a keyspace yet, and one that has may be out of reach.
    void aKeyspaceIsUnknownWhenTheWorkersOfAllPartitionsSaySo_data() {
        QTest::addColumn<PeerState>("other");
        QTest::addColumn<int>("asked");
        QTest::addColumn<bool>("isUnknown");
        QTest::newRow("all are active") << PeerState::Active << 2 << true;
        QTest::newRow("one is away") << PeerState::Down << 1 << false;
        QTest::newRow("one has missed writes") << PeerState::CatchingUp << 2 << false;
    }
    void aKeyspaceIsUnknownWhenTheWorkersOfAllPartitionsSaySo() {
        QFETCH(const PeerState, other);
        QFETCH(const int, asked);
        QFETCH(const bool, isUnknown);
        ScriptedCluster workers(2);
        const auto half = routing::PartitionSet().set() >> 128;
        workers.useMap({half, ~half});
        workers.peer(1).state = other;
        workers.peer(1).equal = true;
        Search search(workers.cluster, {});
        std::optional<Answer<wire::RecognitionReply>> answer;
        search.recognise({wire::EmbeddingInput{{1.0F, 0.0F}, std::nullopt},
                          base::KeyspaceName::trusted("employee"),
                          std::nullopt,
                          5,
                          std::nullopt,
                          {},
                          false},
                         workers.context(), [&](Answer<wire::RecognitionReply> reply) { answer = std::move(reply); });
        for (int i = 0; i < asked; ++i) {
            QVERIFY(workers.waitCalls(1));
            workers.transport.answer(Response{
                404, wire::errorBody({base::Reason::KeyspaceNotFound, "the keyspace does not exist", {}}, "r")});
        }
        QTRY_VERIFY(answer.has_value());
        QVERIFY(!*answer);
        QCOMPARE(answer->error().error.reason == base::Reason::KeyspaceNotFound, isUnknown);
        QCOMPARE(answer->error().error.reason == base::Reason::IncompleteSearch, !isUnknown);
    }
};

QTEST_GUILESS_MAIN(SearchTest)
#include "search_test.moc"

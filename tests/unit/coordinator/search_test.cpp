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
        const auto answer = ask(workers, search);
        for (int i = 0; i < asked; ++i) {
            QVERIFY(workers.waitCalls(1));
            workers.transport.answer(Response{
                404, wire::errorBody({base::Reason::KeyspaceNotFound, "the keyspace does not exist", {}}, "r")});
        }
        QTRY_VERIFY(answer->has_value());
        QVERIFY(!**answer);
        QCOMPARE((*answer)->error().error.reason == base::Reason::KeyspaceNotFound, isUnknown);
        QCOMPARE((*answer)->error().error.reason == base::Reason::IncompleteSearch, !isUnknown);
    }

    void whatAWorkerThatIsBehindAnswersIsCalledStale_data() {
        QTest::addColumn<PeerState>("state");
        QTest::addColumn<bool>("isStale");
        QTest::newRow("active") << PeerState::Active << false;
        QTest::newRow("behind") << PeerState::CatchingUp << true;
    }
    void whatAWorkerThatIsBehindAnswersIsCalledStale() {
        QFETCH(const PeerState, state);
        QFETCH(const bool, isStale);
        ScriptedCluster workers(1);
        workers.peer(0).state = state;
        workers.peer(0).equal = true;
        Search search(workers.cluster, {});
        const auto answer = ask(workers, search);
        QVERIFY(workers.waitCalls(1));
        wire::RecognitionReply found;
        found.vectorsSearched = 0;
        found.partitionsSearched = {{0, 255}};
        workers.transport.answer(Response{200, wire::toJson(found)});
        QTRY_VERIFY(answer->has_value());
        QVERIFY(**answer);
        QVERIFY((**answer)->coverage->complete());
        QCOMPARE((**answer)->coverage->stale, isStale);
    }

private:
    using Reply = std::optional<Answer<wire::RecognitionReply>>;

    static std::shared_ptr<Reply> ask(const ScriptedCluster& workers, Search& search) {
        auto reply = std::make_shared<Reply>();
        search.recognise({wire::EmbeddingInput{{1.0F, 0.0F}, std::nullopt},
                          base::KeyspaceName::trusted("employee"),
                          std::nullopt,
                          5,
                          std::nullopt,
                          {},
                          false},
                         workers.context(),
                         [reply](Answer<wire::RecognitionReply> answer) { *reply = std::move(answer); });
        return reply;
    }
};

QTEST_GUILESS_MAIN(SearchTest)
#include "search_test.moc"

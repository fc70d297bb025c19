// Questions for one face while its workers are in different states.
#include "coordinator/cluster/reads.h"
#include "tests/unit/coordinator/scripted_cluster.h"

using namespace fremis;
using namespace fremis::coordinator;
using namespace fremis::coordinator::test;

namespace {

Response foundNothing() {
    return {404, wire::errorBody({base::Reason::FaceNotFound, "the face is not there", {}}, "r")};
}

} // namespace

class ReadsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_workers = std::make_unique<ScriptedCluster>(2);
        m_reads = std::make_unique<Reads>(m_workers->cluster);
    }

    void thatAFaceIsNotThereIsBelievedOfAnActiveWorker() {
        get();
        answer(foundNothing());
        QTRY_VERIFY(m_answer);
        QVERIFY(m_answer->error().error.reason == base::Reason::FaceNotFound);
    }

    void whatAWorkerBehindDoesNotHaveMayBeThere_data() {
        QTest::addColumn<bool>("otherFails");
        QTest::newRow("it is the only one") << false;
        QTest::newRow("the active one does not answer") << true;
    }
    void whatAWorkerBehindDoesNotHaveMayBeThere() {
        QFETCH(const bool, otherFails);
        leaveBehind(otherFails);
        get();
        if (otherFails)
            answer(tl::unexpected(CallFailure{CallFailure::Kind::Lost, false, "lost"}));
        answer(foundNothing());
        QTRY_VERIFY(m_answer);
        QVERIFY(!*m_answer);
        QVERIFY(m_answer->error().error.reason == base::Reason::PartitionUnavailable);
        QVERIFY(m_workers->transport.calls.empty());
    }

    void whatAWorkerBehindHasIsThere() {
        leaveBehind(false);
        get();
        answer(Response{200, "{}"});
        QTRY_VERIFY(m_answer);
        QVERIFY(m_answer->has_value());
    }

private:
    /// The first worker misses writes; the other one is away, or seems to be active.
    void leaveBehind(bool otherIsActive) {
        m_workers->peer(0).state = PeerState::CatchingUp;
        m_workers->peer(0).equal = true;
        m_workers->peer(1).state = otherIsActive ? PeerState::Active : PeerState::Down;
    }
    void get() {
        m_answer.reset();
        m_reads->get({base::KeyspaceName::trusted("default"), base::FaceId::trusted("face")}, m_workers->context(),
                     [this](Answer<std::string> answer) { m_answer = std::move(answer); });
    }
    void answer(CallResult result) {
        QVERIFY(m_workers->waitCalls(1));
        m_workers->transport.answer(std::move(result));
    }

    std::unique_ptr<ScriptedCluster> m_workers;
    std::unique_ptr<Reads> m_reads;
    std::optional<Answer<std::string>> m_answer;
};

QTEST_GUILESS_MAIN(ReadsTest)
#include "reads_test.moc"

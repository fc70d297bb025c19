#include "server/engine/cluster_view.h"
#include "shared/hashing/partition.h"
#include "tests/support/fake_clock.h"

#include <QtTest>

using namespace fremis;
using base::Reason;
using wire::internal::Id;
using wire::internal::ProbeRequest;
using namespace std::chrono_literals;

namespace {

constexpr Id kAnna{1};
constexpr Id kBert{2};

ProbeRequest probe(const Id& coordinator, const std::string& epoch) {
    ProbeRequest made;
    made.coordinator = coordinator;
    made.epoch = epoch;
    made.partitionRule = hashing::kPartitionRule;
    return made;
}

Reason reasonOf(const base::Status& status) {
    return status ? Reason::Internal : status.error().reason;
}

} // namespace

class ClusterViewTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatAnotherClusterSaysIsRefused() {
        engine::ClusterView view(m_clock, {"space-1", 512});
        auto rule = probe(kAnna, "e1");
        rule.partitionRule = "another";
        QCOMPARE(reasonOf(view.greet(rule)), Reason::RuleMismatch);
        auto protocol = probe(kAnna, "e1");
        protocol.protocol = wire::internal::kProtocol + 2;
        QCOMPARE(reasonOf(view.greet(protocol)), Reason::ProtocolMismatch);
        auto space = probe(kAnna, "e1");
        space.space = "space-2";
        QCOMPARE(reasonOf(view.greet(space)), Reason::SpaceMismatch);
        auto dimension = probe(kAnna, "e1");
        dimension.space = "space-1";
        dimension.dimension = 128;
        QCOMPARE(reasonOf(view.greet(dimension)), Reason::DimensionMismatch);
        QVERIFY(view.heard().empty());
        QCOMPARE(view.epoch(), std::string());
        dimension.dimension = 512;
        QVERIFY(view.greet(dimension).has_value());
    }

    void aMapIsOutdatedOnceACoordinatorHasMovedOn() {
        engine::ClusterView view(m_clock, {});
        QVERIFY(view.checkEpoch("e1").has_value()); // nothing is known: it may be new
        QVERIFY(view.greet(probe(kAnna, "e1")).has_value());
        QVERIFY(view.greet(probe(kBert, "e1")).has_value());
        QVERIFY(view.greet(probe(kAnna, "e2")).has_value());
        QCOMPARE(view.epoch(), std::string("e2"));
        QCOMPARE(reasonOf(view.checkEpoch("e1")), Reason::StaleEpoch);
        QVERIFY(view.checkEpoch("e2").has_value());
        QVERIFY(view.checkEpoch("e3").has_value());
        // The one that lags says what it said before: nothing changes.
        QVERIFY(view.greet(probe(kBert, "e1")).has_value());
        QCOMPARE(reasonOf(view.checkEpoch("e1")), Reason::StaleEpoch);
        QVERIFY(view.greet(probe(kBert, "e2")).has_value());
        QVERIFY(view.checkEpoch("e2").has_value());
    }

    void aMapMayComeBack() {
        engine::ClusterView view(m_clock, {});
        for (const char* epoch : {"e1", "e2", "e1"})
            QVERIFY(view.greet(probe(kAnna, epoch)).has_value());
        QVERIFY(view.checkEpoch("e1").has_value());
        QCOMPARE(reasonOf(view.checkEpoch("e2")), Reason::StaleEpoch);
        QCOMPARE(view.epoch(), std::string("e1"));
    }

    void afterARestartNoMapIsTakenForOutdated() {
        engine::ClusterView view(m_clock, {});
        QVERIFY(view.greet(probe(kAnna, "new")).has_value());
        QVERIFY(view.greet(probe(kBert, "old")).has_value());
        QVERIFY(view.checkEpoch("new").has_value());
        QVERIFY(view.checkEpoch("old").has_value());
    }

    void whatWasHeardIsRepeated() {
        engine::ClusterView view(m_clock, {});
        auto told = probe(kAnna, "e1");
        told.pending = {Id{9}};
        told.lowWater = base::Version{5, 6};
        QVERIFY(view.greet(told).has_value());
        m_clock.advance(1500ms);
        QVERIFY(view.greet(probe(kBert, "e1")).has_value());
        const auto heard = view.heard();
        QCOMPARE(heard.size(), 2u);
        QVERIFY(heard[0].coordinator == kAnna && heard[0].pending == told.pending);
        QVERIFY(heard[0].lowWater == told.lowWater);
        QCOMPARE(heard[0].ageMs, 1500);
        QVERIFY(heard[1].coordinator == kBert && heard[1].pending.empty() && !heard[1].lowWater);
        // Silent for good, it is still repeated, until an operator removes it.
        m_clock.advance(std::chrono::hours(24));
        QCOMPARE(view.heard().size(), 2u);
        auto forget = probe(kBert, "e1");
        forget.forget = {kAnna};
        QVERIFY(view.greet(forget).has_value());
        QCOMPARE(view.heard().size(), 1u);
        // One that turns up again is not gone, whatever the others still say.
        QVERIFY(view.greet(told).has_value());
        QVERIFY(view.greet(forget).has_value());
        QCOMPARE(view.heard().size(), 2u);
    }

    void thereIsRoomForManyCoordinatorsAndNoMore() {
        engine::ClusterView view(m_clock, {});
        for (std::uint8_t i = 0; i < 200; ++i) {
            m_clock.advance(1ms);
            QVERIFY(view.greet(probe(Id{i, 1}, "e1")).has_value());
        }
        const auto heard = view.heard();
        QCOMPARE(heard.size(), 64u);
        QVERIFY(heard.back().coordinator == (Id{199, 1}));
    }

private:
    test::FakeClock m_clock;
};

QTEST_GUILESS_MAIN(ClusterViewTest)
#include "cluster_view_test.moc"

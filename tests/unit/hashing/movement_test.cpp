#include "shared/hashing/analysis.h"
#include "shared/hashing/maglev.h"
#include "shared/hashing/slot_table.h"
#include "tests/unit/hashing/support.h"

#include <QtTest>

#include <cmath>
#include <numeric>
#include <random>

using namespace fremis::hashing;
using namespace fremis::hashing::test;

namespace {

// The node that joins or leaves may be any, but jump lets only its last one go.
std::string someLeaver(const Placement& placement) {
    if (placement.scheme() == Scheme::Jump) {
        for (const Node& node : placement.nodes().nodes())
            if (placement.remove(node.id))
                return node.id;
    }
    return placement.nodes()[*rc::gen::inRange<NodeIndex>(0, static_cast<NodeIndex>(placement.nodes().size()))].id;
}

} // namespace

class MovementTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void schemesThatPromiseIt_data() { // rows for the tests below
        QTest::addColumn<int>("scheme");
        for (const Scheme scheme : schemesWhere(&SchemeInfo::minimalMovement))
            QTest::addRow("%s", infoOf(scheme).token.data()) << static_cast<int>(scheme);
    }
    void aJoinMovesKeysOnlyToTheNewNode_data() { schemesThatPromiseIt_data(); }
    void aJoinMovesKeysOnlyToTheNewNode() {
        QFETCH(int, scheme);
        const auto hashes = sampleHashes(2000);
        QVERIFY(rc::check([&] {
            const auto kind = static_cast<Scheme>(scheme);
            // Slots keep their promise exactly for equal weights: rounding unequal shares may move a slot between
            // survivors.
            const auto before =
                make(kind, kind == Scheme::Slots ? NodeSet::numbered(*rc::gen::inRange(1, 30))
                                                 : someNodes(kind, *rc::gen::inRange<std::size_t>(1, 30)));
            const auto after = *before->add({.id = "newcomer"});
            for (const std::uint64_t hash : hashes) {
                const std::string& owner = after->nodes()[after->ownerOf(hash)].id;
                RC_ASSERT(owner == "newcomer" || owner == before->nodes()[before->ownerOf(hash)].id);
            }
        }));
    }
    void aDepartureMovesOnlyTheLeaversKeys_data() { schemesThatPromiseIt_data(); }
    void aDepartureMovesOnlyTheLeaversKeys() {
        QFETCH(int, scheme);
        const auto hashes = sampleHashes(2000);
        QVERIFY(rc::check([&] {
            const auto kind = static_cast<Scheme>(scheme);
            const auto before =
                make(kind, kind == Scheme::Slots ? NodeSet::numbered(*rc::gen::inRange(2, 30))
                                                 : someNodes(kind, *rc::gen::inRange<std::size_t>(2, 30)));
            const std::string leaver = someLeaver(*before);
            const auto after = *before->remove(leaver);
            for (const std::uint64_t hash : hashes) {
                const std::string& owner = before->nodes()[before->ownerOf(hash)].id;
                RC_ASSERT(owner == leaver || owner == after->nodes()[after->ownerOf(hash)].id);
            }
        }));
    }
    void aWeightChangeMovesKeysOnlyToOrFromThatNode() {
        const auto hashes = sampleHashes(2000);
        QVERIFY(rc::check([&] {
            const auto kind = *rc::gen::element(Scheme::Ring, Scheme::WeightedRendezvous);
            const auto before = make(kind, someNodes(kind, *rc::gen::inRange<std::size_t>(1, 20)));
            const std::string changed = someLeaver(*before);
            const auto after = *before->weight(changed, *rc::gen::inRange(1u, 1000u));
            for (const std::uint64_t hash : hashes) {
                const std::string& from = before->nodes()[before->ownerOf(hash)].id;
                const std::string& to = after->nodes()[after->ownerOf(hash)].id;
                RC_ASSERT(from == to || from == changed || to == changed);
            }
        }));
    }

    // A thousand random steps; what the bench does with a million keys.
    void nothingMovesBetweenSurvivorsOnALongWalk_data() {
        QTest::addColumn<int>("scheme");
        for (const Scheme scheme : {Scheme::Ring, Scheme::Rendezvous, Scheme::WeightedRendezvous, Scheme::Jump,
                                    Scheme::Memento, Scheme::MultiProbe})
            QTest::addRow("%s", infoOf(scheme).token.data()) << static_cast<int>(scheme);
    }
    void nothingMovesBetweenSurvivorsOnALongWalk() {
        QFETCH(int, scheme);
        const auto hashes = sampleHashes(1000);
        std::mt19937_64 random(4711);
        auto map = make(static_cast<Scheme>(scheme), NodeSet::numbered(10));
        auto owners = ownersOfKeys(*map, hashes);
        for (int step = 0; step < 1000; ++step) {
            const bool grow = map->nodes().size() < 3 || (map->nodes().size() < 30 && random() % 2 == 0);
            std::string changed = "joined" + std::to_string(step);
            if (!grow) {
                changed = map->nodes()[static_cast<NodeIndex>(random() % map->nodes().size())].id;
                if (static_cast<Scheme>(scheme) == Scheme::Jump)
                    for (const Node& node : map->nodes().nodes())
                        if (map->remove(node.id))
                            changed = node.id;
            }
            map = grow ? *map->add({.id = changed}) : *map->remove(changed);
            const auto next = ownersOfKeys(*map, hashes);
            for (std::size_t i = 0; i < hashes.size(); ++i)
                QVERIFY(next[i] == owners[i] || (grow ? next[i] : owners[i]) == changed);
            owners = next;
        }
    }

    void theMovedShareOfARingIsTheArcShareOfTheNewNode() {
        const auto before = make(Scheme::Ring, NodeSet::numbered(10));
        const auto after = *before->add({.id = "node11"});
        const auto movement = *diff(*before, *after);
        QCOMPARE(movement.method, Method::Exact);
        const double share = balanceOf(*after).shares[after->nodes().find("node11")];
        QVERIFY(std::abs(movement.moved - share) < 1e-12);
        QCOMPARE(movement.betweenSurvivors, 0.0);
        for (const auto& pair : movement.pairs)
            QCOMPARE(pair.to, std::string("node11"));
    }
    void theMovedShareIsOneNthWithinFourStandardErrors_data() {
        QTest::addColumn<int>("scheme");
        for (const Scheme scheme : {Scheme::Rendezvous, Scheme::WeightedRendezvous, Scheme::Jump, Scheme::Memento})
            QTest::addRow("%s", infoOf(scheme).token.data()) << static_cast<int>(scheme);
    }
    void theMovedShareIsOneNthWithinFourStandardErrors() {
        QFETCH(int, scheme);
        for (const std::size_t n : {3u, 10u, 40u}) {
            const auto before = make(static_cast<Scheme>(scheme), NodeSet::numbered(n));
            const auto after = *before->add({.id = "zzz"});
            const auto movement = *diff(*before, *after);
            const double ideal = 1.0 / static_cast<double>(n + 1);
            const double error = std::sqrt(ideal * (1 - ideal) / static_cast<double>(movement.keys));
            QVERIFY(std::abs(movement.moved - ideal) < 4 * error);
            QCOMPARE(movement.betweenSurvivors, 0.0);
        }
    }
    void anExactDiffAgreesWithACountedOne_data() {
        QTest::addColumn<int>("scheme");
        for (const Scheme scheme : {Scheme::Ring, Scheme::PlacedRing, Scheme::Slots, Scheme::Maglev, Scheme::Modulo})
            QTest::addRow("%s", infoOf(scheme).token.data()) << static_cast<int>(scheme);
    }
    void anExactDiffAgreesWithACountedOne() {
        QFETCH(int, scheme);
        const auto before = make(static_cast<Scheme>(scheme), NodeSet::numbered(7));
        const auto after = *before->remove("node3");
        const auto exact = *diff(*before, *after);
        const auto counted = *diff(*before, *after, sampleHashes(200'000));
        QCOMPARE(exact.method, Method::Exact);
        QCOMPARE(counted.method, Method::Sampled);
        QVERIFY(std::abs(exact.moved - counted.moved) < 0.005);
        QVERIFY(std::abs(exact.betweenSurvivors - counted.betweenSurvivors) < 0.005);
        QVERIFY(std::abs(exact.ideal - 1.0 / 7) < 1e-12);
    }

    // unchanged share = min(n, m) / lcm(n, m), over a full period, for all n and m
    void moduloKeepsMinOverLcm() {
        for (std::size_t n = 1; n <= 12; ++n)
            for (std::size_t m = 1; m <= 12; ++m) {
                const auto movement = *diff(*make(Scheme::Modulo, NodeSet::numbered(n, "a")),
                                            *make(Scheme::Modulo, NodeSet::numbered(m, "a")));
                // Names sort a1 a10 a11 .. a2: compare by position, as modulo does.
                const std::uint64_t period = std::lcm(n, m);
                std::uint64_t same = 0;
                for (std::uint64_t key = 0; key < period; ++key)
                    same += key % n == key % m ? 1 : 0;
                QCOMPARE(same, std::min(n, m));
                QCOMPARE(movement.method, Method::Exact);
                if (std::max(n, m) < 10)
                    QVERIFY(std::abs(1 - movement.moved - static_cast<double>(same) / static_cast<double>(period)) <
                            1e-12);
            }
    }

    void slotsMoveNoMoreThanOneShare() {
        for (std::size_t n = 1; n <= 255; ++n) {
            const auto before = make(Scheme::Slots, NodeSet::numbered(n));
            const auto after = *before->add({.id = "zzz"});
            const auto moved = static_cast<std::size_t>(std::lround(diff(*before, *after)->moved * 256));
            QVERIFY(moved == 256 / (n + 1) || moved == (256 + n) / (n + 1));
            const auto balance = balanceOf(*after);
            QVERIFY(balance.least * 256 / static_cast<double>(n + 1) > 256.0 / static_cast<double>(n + 1) - 1);
            QVERIFY(balance.most * 256 / static_cast<double>(n + 1) < 256.0 / static_cast<double>(n + 1) + 1);
        }
    }
    void slotsStayWithinOneOfTheWeightedShareOnAnyWalk() {
        QVERIFY(rc::check([] {
            auto map = make(Scheme::Slots, someNodes(Scheme::Slots, *rc::gen::inRange<std::size_t>(1, 12)));
            for (int step = 0; step < 20; ++step) {
                const int kind = *rc::gen::inRange(0, 3);
                const std::string id =
                    map->nodes()[*rc::gen::inRange<NodeIndex>(0, static_cast<NodeIndex>(map->nodes().size()))].id;
                if (kind == 0)
                    map = *map->add({.id = "joined" + std::to_string(step), .weight = *rc::gen::inRange(50u, 400u)});
                else if (kind == 1 && map->nodes().size() > 1)
                    map = *map->remove(id);
                else
                    map = *map->weight(id, *rc::gen::inRange(50u, 400u));
                const auto balance = balanceOf(*map);
                for (NodeIndex i = 0; i < map->nodes().size(); ++i) {
                    const double exact =
                        256.0 * map->nodes()[i].weight / static_cast<double>(map->nodes().totalWeight());
                    RC_ASSERT(std::abs(balance.shares[i] * 256 - exact) < 1.0);
                }
            }
        }));
    }
    void removingAnySlotOwnerMovesOnlyItsSlots() {
        for (std::size_t n = 2; n <= 100; ++n) {
            const auto before = make(Scheme::Slots, NodeSet::numbered(n));
            for (const Node& node : before->nodes().nodes()) {
                const auto movement = *diff(*before, **before->remove(node.id));
                QVERIFY(movement.betweenSurvivors == 0);
            }
        }
    }
    void aLargerMaglevTableMovesLess() {
        for (const std::size_t n : {10u, 100u}) {
            SchemeOptions options;
            options.tableSize = Maglev::tableSizeFor(n, 12'000);
            const auto before = make(Scheme::Maglev, NodeSet::numbered(n), options);
            const auto movement = *diff(*before, **before->remove("node7"));
            QVERIFY2(movement.moved <= 1.1 * movement.ideal,
                     qPrintable(QString::number(movement.moved / movement.ideal)));
        }
    }
    void mapsWithDifferentHashesDoNotCompare() {
        SchemeOptions md5;
        md5.hash = &md5KeyHash();
        QVERIFY(!diff(*make(Scheme::Ring, NodeSet::numbered(3)), *make(Scheme::Ring, NodeSet::numbered(3), md5)));
    }
    void everythingLeavesAnEmptyingMap() {
        const auto one = make(Scheme::Ring, NodeSet::numbered(1));
        const auto none = *one->remove("node1");
        const auto movement = *diff(*one, *none);
        QCOMPARE(movement.moved, 1.0);
        QCOMPARE(movement.pairs.size(), std::size_t{1});
        QVERIFY(movement.pairs[0].to.empty());
    }
};

QTEST_GUILESS_MAIN(MovementTest)
#include "movement_test.moc"

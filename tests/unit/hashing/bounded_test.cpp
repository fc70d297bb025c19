#include "shared/hashing/bounded_loads.h"
#include "tests/unit/hashing/support.h"

#include <QtTest>

#include <algorithm>
#include <map>

using namespace fremis::hashing;
using namespace fremis::hashing::test;
using fremis::base::Reason;

namespace {

void assertWithinCapacity(const BoundedLoads& loads) {
    std::uint64_t sum = 0;
    for (NodeIndex node = 0; node < loads.placement().nodes().size(); ++node) {
        RC_ASSERT(loads.load(node) <= loads.capacity(node));
        sum += loads.load(node);
    }
    RC_ASSERT(sum == loads.keys());
}

} // namespace

class BoundedTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void baseSchemes_data() {
        QTest::addColumn<int>("scheme");
        for (const SchemeInfo& info : schemeTable())
            QTest::addRow("%s", info.token.data()) << static_cast<int>(info.scheme);
    }
    // Arrivals, departures and node changes in any order; checked after every step, and every move is reported.
    void capacityIsNeverExceeded_data() { baseSchemes_data(); }
    void capacityIsNeverExceeded() {
        QFETCH(int, scheme);
        QVERIFY(rc::check([&] {
            const auto kind = static_cast<Scheme>(scheme);
            const auto map = make(kind, someNodes(kind, *rc::gen::inRange<std::size_t>(1, 8)));
            auto loads = *BoundedLoads::create(map, {*rc::gen::inRange(5u, 101u)});
            std::map<std::string, std::string> seen;
            const auto follow = [&](const std::vector<BoundedLoads::Move>& moves) {
                for (const auto& move : moves) {
                    RC_ASSERT(seen.at(move.key) == move.from);
                    seen[move.key] = move.to;
                }
            };
            const int steps = *rc::gen::inRange(0, 150);
            for (int step = 0; step < steps; ++step) {
                const int action = *rc::gen::inRange(0, 12);
                const std::string key = "key" + std::to_string(*rc::gen::inRange(0, 120));
                if (action < 8) {
                    const std::string node(*loads.place(key));
                    RC_ASSERT(!seen.contains(key) || seen[key] == node);
                    seen[key] = node;
                } else if (action < 11) {
                    const auto moves = loads.erase(key);
                    RC_ASSERT(moves.has_value() == seen.contains(key));
                    seen.erase(key);
                    if (moves)
                        follow(*moves);
                } else {
                    auto next = loads.placement().nodes().size() < 3
                                    ? loads.placement().add({.id = "joined" + std::to_string(step)})
                                    : loads.placement().remove(loads.placement().nodes()[0].id);
                    if (next)
                        follow(*loads.change(*next));
                }
                assertWithinCapacity(loads);
            }
            for (const auto& [key, node] : seen)
                RC_ASSERT(*loads.owner(key) == node);
        }));
    }
    void withoutABoundItIsTheBaseScheme_data() { baseSchemes_data(); }
    void withoutABoundItIsTheBaseScheme() {
        QFETCH(int, scheme);
        const auto map = make(static_cast<Scheme>(scheme), NodeSet::numbered(7));
        auto loads = *BoundedLoads::create(map, {LoadBound::kUnlimited});
        for (int i = 0; i < 2000; ++i) {
            const std::string key = "k" + std::to_string(i);
            QCOMPARE(*loads.place(key), *map->owner(key));
        }
        QCOMPARE(loads.skips(), std::uint64_t{0});
    }
    void aTightBoundEvensARingOut() {
        const auto map = make(Scheme::Ring, NodeSet::numbered(10));
        auto loads = *BoundedLoads::create(map, {5});
        for (int i = 0; i < 10'000; ++i)
            QVERIFY(loads.place("k" + std::to_string(i)).has_value());
        for (NodeIndex node = 0; node < 10; ++node)
            QVERIFY(loads.load(node) <= 1050);
        QVERIFY(loads.skips() > 0);
    }
    void capacitiesFollowWeights() {
        QCOMPARE((LoadBound{25}.capacity(100, 100, 1000)), std::uint64_t{13}); // ceil(12.5)
        QCOMPARE((LoadBound{100}.capacity(100, 300, 600)), std::uint64_t{100});
        QCOMPARE((LoadBound{5}.capacity(1, 1, 1'000'000)), std::uint64_t{1});
        QCOMPARE((LoadBound{5}.capacity(0, 100, 100)), std::uint64_t{0});
        QCOMPARE((LoadBound{5}.capacity(2'000'000'000'000'000'000, 10000, 10000)),
                 std::uint64_t{2'100'000'000'000'000'000});
    }
    void aPickNamesTheFullNodesItPassed() {
        const auto map = make(Scheme::Ring, NodeSet::numbered(4));
        const std::uint64_t hash = map->hashOf("key");
        const auto order = map->ownersOf(hash, 4).nodes;
        std::vector<std::uint64_t> loads(4, 10);
        QCOMPARE(pickBounded(*map, hash, loads, {25}).node, order[0]);
        loads[order[0]] = 30;
        loads[order[1]] = 30;
        const auto pick = pickBounded(*map, hash, loads, {25});
        QCOMPARE(pick.node, order[2]);
        QVERIFY(pick.skipped == (std::vector<NodeIndex>{order[0], order[1]}));
        QCOMPARE(pickBounded(*make(Scheme::Ring, NodeSet()), hash, {}, {25}).node, kNoNode);
    }
    void epsilonHasARange() {
        const auto map = make(Scheme::Ring, NodeSet::numbered(2));
        QVERIFY(!BoundedLoads::create(map, {4}));
        QVERIFY(!BoundedLoads::create(map, {101}));
        QVERIFY(BoundedLoads::create(map, {5}).has_value());
        QVERIFY(BoundedLoads::create(map, {100}).has_value());
    }
    void noNodeIsAnError() {
        auto loads = *BoundedLoads::create(make(Scheme::Ring, NodeSet()), {25});
        QCOMPARE(loads.place("k").error().reason, Reason::NotReady);
        QCOMPARE(loads.owner("k").error().reason, Reason::NotFound);
        QVERIFY(loads.change(make(Scheme::Ring, NodeSet::numbered(1))).has_value());
        QVERIFY(loads.place("k").has_value());
        QCOMPARE(loads.change(make(Scheme::Ring, NodeSet())).error().reason, Reason::NotReady);
        QCOMPARE(*loads.owner("k"), std::string_view("node1"));
    }
};

QTEST_GUILESS_MAIN(BoundedTest)
#include "bounded_test.moc"

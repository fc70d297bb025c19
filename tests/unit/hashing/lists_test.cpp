#include "shared/hashing/analysis.h"
#include "shared/hashing/placement.h"
#include "shared/hashing/quorum.h"
#include "tests/unit/hashing/support.h"

#include <QtTest>

#include <algorithm>
#include <bit>
#include <set>

using namespace fremis::hashing;
using namespace fremis::hashing::test;
using fremis::base::Reason;

namespace {

NodeSet zonedNodes(std::size_t count, int zones, int racks, int hosts) {
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < count; ++i)
        nodes.push_back({.id = "node" + std::to_string(i),
                         .zone = "zone" + std::to_string(*rc::gen::inRange(0, zones)),
                         .rack = "rack" + std::to_string(*rc::gen::inRange(0, racks)),
                         .host = "host" + std::to_string(*rc::gen::inRange(0, hosts))});
    return *NodeSet::create(nodes);
}

template<class KeyOf>
std::size_t distinct(const Placement& placement, const std::vector<NodeIndex>& nodes, const KeyOf& keyOf) {
    std::set<std::string> keys;
    for (const NodeIndex node : nodes)
        keys.insert(keyOf(placement.nodes()[node]));
    return keys.size();
}

std::vector<NodeIndex> allOf(const Placement& placement) {
    std::vector<NodeIndex> nodes(placement.nodes().size());
    for (NodeIndex i = 0; i < nodes.size(); ++i)
        nodes[i] = i;
    return nodes;
}

// The rules one by one, as a reference: of the nodes left, the first whose level is unused.
std::vector<NodeIndex> spreadPlainly(const Placement& placement, std::uint64_t hash, std::size_t replicas) {
    std::vector<NodeIndex> order;
    placement.preference(hash, placement.nodes().size(), order);
    std::vector<NodeIndex> taken;
    for (int level = 0; level < 4; ++level)
        for (const NodeIndex node : order) {
            const auto sameLevel = [&](NodeIndex other) {
                const Node& a = placement.nodes()[node];
                const Node& b = placement.nodes()[other];
                return level == 0   ? a.zone == b.zone
                       : level == 1 ? a.zone == b.zone && a.rack == b.rack
                       : level == 2 ? a.host == b.host
                                    : node == other;
            };
            if (taken.size() < replicas && std::none_of(taken.begin(), taken.end(), sameLevel))
                taken.push_back(node);
        }
    return taken;
}

} // namespace

class ListsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void allSchemes_data() {
        QTest::addColumn<int>("scheme");
        for (const SchemeInfo& info : schemeTable())
            QTest::addRow("%s", info.token.data()) << static_cast<int>(info.scheme);
    }
    void aListHasDistinctNodesAndStartsWithTheOwner_data() { allSchemes_data(); }
    void aListHasDistinctNodesAndStartsWithTheOwner() {
        QFETCH(int, scheme);
        QVERIFY(rc::check([&] {
            const auto kind = static_cast<Scheme>(scheme);
            const auto map = make(kind, someNodes(kind, *rc::gen::inRange<std::size_t>(1, 12)));
            const auto replicas = *rc::gen::inRange<std::size_t>(1, 15);
            for (const std::uint64_t hash : sampleHashes(50)) {
                const OwnerList list = map->ownersOf(hash, replicas);
                RC_ASSERT(list.nodes.size() == std::min(replicas, map->nodes().size()));
                RC_ASSERT(list.complete == (replicas <= map->nodes().size()));
                RC_ASSERT(list.nodes[0] == map->ownerOf(hash));
                RC_ASSERT(std::set<NodeIndex>(list.nodes.begin(), list.nodes.end()).size() == list.nodes.size());
            }
        }));
    }
    void zonesThenRacksThenHostsAreKeptApart_data() { allSchemes_data(); }
    void zonesThenRacksThenHostsAreKeptApart() {
        QFETCH(int, scheme);
        QVERIFY(rc::check([&] {
            const auto map =
                make(static_cast<Scheme>(scheme), zonedNodes(*rc::gen::inRange<std::size_t>(1, 12), 4, 3, 6));
            const auto replicas = *rc::gen::inRange<std::size_t>(1, 8);
            const std::size_t zones = distinct(*map, allOf(*map), [](const Node& node) { return node.zone; });
            for (const std::uint64_t hash : sampleHashes(50)) {
                const auto list = map->ownersOf(hash, replicas, SpreadRules::all()).nodes;
                RC_ASSERT(list == spreadPlainly(*map, hash, replicas));
                RC_ASSERT(list[0] == map->ownerOf(hash));
                RC_ASSERT(distinct(*map, list, [](const Node& node) { return node.zone; }) ==
                          std::min(list.size(), zones));
            }
        }));
    }
    void equalRackNamesInTwoZonesAreTwoRacks() {
        const auto nodes = *NodeSet::create({{.id = "a", .zone = "z1", .rack = "r1"},
                                             {.id = "b", .zone = "z1", .rack = "r1"},
                                             {.id = "c", .zone = "z1", .rack = "r2"},
                                             {.id = "d", .zone = "z2", .rack = "r1"}});
        const auto map = make(Scheme::Rendezvous, nodes);
        for (const std::uint64_t hash : sampleHashes(200)) {
            const auto list = map->ownersOf(hash, 3, SpreadRules::all()).nodes;
            QCOMPARE(distinct(*map, list, [](const Node& node) { return node.zone + node.rack; }), std::size_t{3});
        }
    }
    void nodesWithoutNamesAreSpreadLikeNoRules() {
        const auto map = make(Scheme::Ring, NodeSet::numbered(7));
        for (const std::uint64_t hash : sampleHashes(200))
            QVERIFY(map->ownersOf(hash, 3, SpreadRules::all()).nodes == map->ownersOf(hash, 3).nodes);
    }

    // Removing a node outside a list leaves it; removing one inside keeps the rest in order and appends one.
    void schemesWithARank_data() {
        QTest::addColumn<int>("scheme");
        for (const Scheme scheme : {Scheme::Ring, Scheme::Rendezvous, Scheme::WeightedRendezvous, Scheme::MultiProbe})
            QTest::addRow("%s", infoOf(scheme).token.data()) << static_cast<int>(scheme);
    }
    void aDepartureKeepsTheRestOfTheListInOrder_data() { schemesWithARank_data(); }
    void aDepartureKeepsTheRestOfTheListInOrder() {
        QFETCH(int, scheme);
        QVERIFY(rc::check([&] {
            const auto kind = static_cast<Scheme>(scheme);
            const auto before = make(kind, someNodes(kind, *rc::gen::inRange<std::size_t>(2, 12)));
            const std::string leaver =
                before->nodes()[*rc::gen::inRange<NodeIndex>(0, static_cast<NodeIndex>(before->nodes().size()))].id;
            const auto after = *before->remove(leaver);
            const auto replicas = *rc::gen::inRange<std::size_t>(1, 6);
            for (const std::uint64_t hash : sampleHashes(100)) {
                auto expected = idsOf(*before, before->ownersOf(hash, replicas).nodes);
                const bool wasIn = std::erase(expected, leaver) > 0;
                auto actual = idsOf(*after, after->ownersOf(hash, replicas).nodes);
                if (wasIn && actual.size() > expected.size())
                    actual.pop_back(); // the one that is new
                RC_ASSERT(actual == expected);
            }
        }));
    }
    // The other schemes have no rank of their own: their lists keep the survivors after the owner in order.
    void aDepartureOutsideTheListLeavesIt_data() {
        QTest::addColumn<int>("scheme");
        for (const Scheme scheme : {Scheme::Slots, Scheme::Memento})
            QTest::addRow("%s", infoOf(scheme).token.data()) << static_cast<int>(scheme);
    }
    void aDepartureOutsideTheListLeavesIt() {
        QFETCH(int, scheme);
        QVERIFY(rc::check([&] {
            const auto before =
                make(static_cast<Scheme>(scheme), NodeSet::numbered(*rc::gen::inRange<std::size_t>(4, 12)));
            const std::string leaver =
                before->nodes()[*rc::gen::inRange<NodeIndex>(0, static_cast<NodeIndex>(before->nodes().size()))].id;
            const auto after = *before->remove(leaver);
            for (const std::uint64_t hash : sampleHashes(100)) {
                const auto list = idsOf(*before, before->ownersOf(hash, 3).nodes);
                if (std::find(list.begin(), list.end(), leaver) == list.end())
                    RC_ASSERT(idsOf(*after, after->ownersOf(hash, 3).nodes) == list);
            }
        }));
    }
    void copiesOfANodesKeysSpreadOverTheOthers() {
        const auto overlaps = replicaOverlaps(*make(Scheme::Ring, NodeSet::numbered(10)), 3, {}, sampleHashes(20'000));
        QCOMPARE(overlaps.size(), std::size_t{10});
        for (const Overlap& overlap : overlaps) {
            QCOMPARE(overlap.partners, std::size_t{9});
            QVERIFY(overlap.largest > 2.0 / 9 && overlap.largest < 0.5);
        }
    }

    void noNodeIsAnErrorAndNotACrash_data() { allSchemes_data(); }
    void noNodeIsAnErrorAndNotACrash() {
        QFETCH(int, scheme);
        const auto map = make(static_cast<Scheme>(scheme), NodeSet());
        QCOMPARE(map->ownerOf(42), kNoNode);
        QCOMPARE(map->owner("key").error().reason, Reason::NotReady);
        QCOMPARE(map->owners("key", 3).error().reason, Reason::NotReady);
        QVERIFY(map->ownersOf(42, 3).nodes.empty());
        QCOMPARE(map->remove("node1").error().reason, Reason::NotFound);
        QVERIFY(balanceOf(*map).shares.empty());
        const auto one = *(*map).add({.id = "node1"});
        QCOMPARE(*one->owner("key"), std::string_view("node1"));
        const auto none = *one->remove("node1");
        QCOMPARE(none->ownerOf(42), kNoNode);
        QCOMPARE(*(*none->add({.id = "node2"}))->owner("key"), std::string_view("node2"));
    }
    void impossibleChangesAreRefused_data() { allSchemes_data(); }
    void impossibleChangesAreRefused() {
        QFETCH(int, scheme);
        const auto kind = static_cast<Scheme>(scheme);
        const auto map = make(kind, NodeSet::numbered(3));
        QCOMPARE(map->add({.id = "node1"}).error().reason, Reason::InvalidParams);
        QCOMPARE(map->add({.id = ""}).error().reason, Reason::InvalidParams);
        QCOMPARE(map->remove("node9").error().reason, Reason::NotFound);
        QCOMPARE(map->weight("node9", 100).error().reason, Reason::NotFound);
        QCOMPARE(map->weight("node1", 0).error().reason, Reason::InvalidParams);
        QCOMPARE(map->weight("node1", kMaxWeight + 1).error().reason, Reason::InvalidParams);
        QVERIFY(map->weight("node1", 100).has_value());
        QCOMPARE(map->weight("node1", 150).has_value(), infoOf(kind).weights);
        QCOMPARE(map->add({.id = "node4", .weight = 150}).has_value(), infoOf(kind).weights);
        if (kind == Scheme::Jump) {
            QCOMPARE(map->remove("node1").error().reason, Reason::InvalidParams);
            QVERIFY(map->remove("node3").has_value());
        }
    }
    void optionsOutOfRangeAreRefused() {
        const auto refuses = [](Scheme scheme, auto change) {
            SchemeOptions options;
            change(options);
            const auto made = makePlacement(scheme, NodeSet::numbered(5), options);
            return !made && made.error().reason == Reason::InvalidParams;
        };
        QVERIFY(refuses(Scheme::Ring, [](SchemeOptions& o) { o.pointsPerNode = 0; }));
        QVERIFY(refuses(Scheme::Ring, [](SchemeOptions& o) { o.pointsPerNode = 100'001; }));
        QVERIFY(refuses(Scheme::PlacedRing, [](SchemeOptions& o) { o.tokensPerNode = 1; }));
        QVERIFY(refuses(Scheme::Maglev, [](SchemeOptions& o) { o.tableSize = 65536; }));
        QVERIFY(refuses(Scheme::Maglev, [](SchemeOptions& o) { o.tableSize = 3; }));
        QVERIFY(refuses(Scheme::MultiProbe, [](SchemeOptions& o) { o.probes = 0; }));
        std::vector<Node> many;
        for (int i = 0; i < 2000; ++i)
            many.push_back({.id = std::to_string(i), .weight = kMaxWeight});
        QVERIFY(!makePlacement(Scheme::Ring, *NodeSet::create(many)));
        QVERIFY(!makePlacement(Scheme::Slots, NodeSet::numbered(257)));
    }

    void weightsAreReadExactly_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("hundredths"); // 0 = refused
        const auto row = [](const char* text, int hundredths) {
            QTest::newRow(text) << QByteArray(text) << hundredths;
        };
        row("1", 100);
        row("0.01", 1);
        row("0.5", 50);
        row("1.25", 125);
        row("100", 10000);
        row("100.00", 10000);
        row("0", 0);
        row("100.01", 0);
        row("1.234", 0);
        row("1.", 0);
        row(".5", 0);
        row("-1", 0);
        row("+1", 0);
        row("1e1", 0);
        row("", 0);
        row(" 1", 0);
        row("99999999999999999999", 0);
    }
    void weightsAreReadExactly() {
        QFETCH(QByteArray, text);
        QFETCH(int, hundredths);
        const auto weight = parseWeight(text.toStdString());
        QCOMPARE(weight ? static_cast<int>(*weight) : 0, hundredths);
        if (weight)
            QCOMPARE(*parseWeight(weightText(*weight)), *weight);
    }
    void nodeSetsRefuseTwinsAndBadNames() {
        QVERIFY(!NodeSet::create({{.id = "a"}, {.id = "a"}}));
        QVERIFY(!NodeSet::create({{.id = std::string(256, 'x')}}));
        QVERIFY(!NodeSet::create({{.id = "a", .zone = std::string(256, 'x')}}));
        QVERIFY(NodeSet::create({{.id = std::string("\0\xFF", 2)}}).has_value()); // ids are bytes
    }

    void quorums_data() {
        QTest::addColumn<int>("copies");
        QTest::addColumn<int>("reads");
        QTest::addColumn<int>("writes");
        QTest::addColumn<bool>("overlap");
        QTest::addColumn<bool>("writesOverlap");
        QTest::addColumn<int>("tolerated");
        QTest::newRow("majorities of three") << 3 << 2 << 2 << true << true << 1;
        QTest::newRow("read one, write all") << 3 << 1 << 3 << true << true << 0;
        QTest::newRow("read one, write one") << 3 << 1 << 1 << false << false << 2;
        QTest::newRow("half of four is no majority") << 4 << 2 << 2 << false << false << 2;
        QTest::newRow("a single copy") << 1 << 1 << 1 << true << true << 0;
    }
    void quorums() {
        QFETCH(int, copies);
        QFETCH(int, reads);
        QFETCH(int, writes);
        QFETCH(bool, overlap);
        QFETCH(bool, writesOverlap);
        QFETCH(int, tolerated);
        const Quorum quorum = *Quorum::create(copies, reads, writes);
        QCOMPARE(overlaps(quorum), overlap);
        QCOMPARE(fremis::hashing::writesOverlap(quorum), writesOverlap);
        QCOMPARE(fremis::hashing::tolerated(quorum), tolerated);
        QCOMPARE(explain(quorum).find("every read meets") != std::string::npos, overlap);
    }
    void aReadQuorumMeetsEveryWriteQuorumExactlyWhenItOverlaps() {
        for (unsigned n = 1; n <= 6; ++n)
            for (unsigned reads = 0; reads < 1u << n; ++reads)
                for (unsigned writes = 0; writes < 1u << n; ++writes) {
                    const auto quorum =
                        Quorum::create(static_cast<int>(n), std::popcount(reads), std::popcount(writes));
                    QCOMPARE(quorum.has_value(), reads != 0 && writes != 0);
                    if (quorum && overlaps(*quorum))
                        QVERIFY((reads & writes) != 0);
                }
        QVERIFY(!Quorum::create(3, 4, 1));
        QVERIFY(!Quorum::create(3, 1, 0));
    }
};

QTEST_GUILESS_MAIN(ListsTest)
#include "lists_test.moc"

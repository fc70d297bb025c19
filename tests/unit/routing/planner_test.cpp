#include "shared/routing/config_document.h"
#include "shared/routing/plan_output.h"

#include <QtTest>

#include <rapidcheck.h>

#include <map>
#include <numeric>
#include <random>

using namespace fremis::routing;

namespace {

Address at(const std::string& text) { return *Address::parse(text); }

std::string worker(int i) { return "worker-" + std::to_string(i) + ":4003"; }

NodeWish wish(const std::string& address, int weight = 100) { return {at(address), {}, Weight::hundredths(weight), {}}; }

PartitionMap evenMap(int nodes, int replication = 1) {
    std::vector<NodeWish> wishes;
    for (int i = 1; i <= nodes; ++i)
        wishes.push_back(wish(worker(i)));
    return PartitionMap(*evenConfig(wishes, replication));
}

PlanRequest adding(const PartitionMap& map, const std::string& address) {
    PlanRequest request;
    request.current = map;
    request.add.push_back(wish(address));
    return request;
}

const PlanNode& nodeOf(const Plan& plan, const std::string& address) {
    for (const PlanNode& node : plan.nodes)
        if (node.address == at(address))
            return node;
    static const PlanNode none;
    return none;
}

// What every plan has to keep, whatever was asked.
void assertSound(const Plan& plan, const PartitionMap& before) {
    std::map<Address, PartitionSet> state;
    for (const MapNode& node : before.nodes())
        state[node.address] = node.partitions;
    std::map<std::pair<int, Address>, int> busy;
    int lastWave = 1;
    for (const PlanMove& move : plan.moves) {
        const auto p = static_cast<std::size_t>(move.partition);
        RC_ASSERT(move.wave >= lastWave);
        lastWave = move.wave;
        RC_ASSERT(state[move.from][p]);
        if (move.to) {
            RC_ASSERT(!state[*move.to][p]);
            state[*move.to].set(p);
            RC_ASSERT(++busy[std::pair(move.wave, move.from)] <= plan.rates.movesPerNode);
            RC_ASSERT(++busy[std::pair(move.wave, *move.to)] <= plan.rates.movesPerNode);
        }
        if (move.kind != PlanMove::Kind::Copy)
            state[move.from].reset(p);
        RC_ASSERT(!move.reason.empty());
    }
    const PartitionMap after(plan.after);
    RC_ASSERT(after.epoch() == plan.epochAfter);
    RC_ASSERT(before.epoch() == plan.epochBefore);
    for (const MapNode& node : after.nodes())
        RC_ASSERT(node.partitions == state[node.address]);
    for (const auto& [address, set] : state)
        RC_ASSERT(set.none() || after.nodeAt(address).has_value());
    for (int p = 0; p < 256; ++p)
        RC_ASSERT(after.owners(static_cast<fremis::base::Partition>(p)).size() == static_cast<std::size_t>(plan.replication));
    RC_ASSERT(plan.figures.moved >= plan.figures.lowerBound);
}

PlanRequest randomRequest(int mostReplicas) {
    const int nodes = *rc::gen::inRange(2, 12);
    const int replication = *rc::gen::inRange(1, std::min(nodes, mostReplicas) + 1);
    PlanRequest request;
    request.current = evenMap(nodes, replication);
    const int steps = *rc::gen::inRange(0, 3); // a few plans on top of each other: maps with several ranges
    for (int i = 0; i < steps; ++i) {
        PlanRequest step = adding(request.current, worker(100 + i));
        const auto plan = makePlan(step);
        RC_ASSERT(plan.has_value());
        request.current = PartitionMap(plan->after);
    }
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
        request.add.push_back(wish(worker(200 + i), *rc::gen::element(50, 100, 200)));
    const int leaving = *rc::gen::inRange(0, 2);
    for (int i = 0; i < leaving && nodes > replication + leaving; ++i)
        request.remove.push_back(at(worker(*rc::gen::inRange(1, nodes + 1))));
    if (*rc::gen::arbitrary<bool>())
        request.change.push_back(wish(worker(*rc::gen::inRange(1, nodes + 1)), *rc::gen::element(50, 150, 300)));
    request.objective = *rc::gen::element(Objective::Moves, Objective::Balance);
    return request;
}

PartitionVectors skewed(unsigned seed) {
    std::mt19937 engine(seed);
    PartitionVectors vectors{};
    for (auto& v : vectors)
        v = engine() % 100 + (engine() % 16 == 0 ? 1500 : 0);
    return vectors;
}

} // namespace

class PlannerTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void addingANodeReachesTheBoundAndProvesIt() {
        const auto plan = makePlan(adding(evenMap(3), worker(4)));
        QVERIFY(plan);
        QCOMPARE(plan->figures.moved, 64);
        QCOMPARE(plan->figures.lowerBound, 64);
        QCOMPARE(plan->proof, std::string("64 of at least 64"));
        QCOMPARE(plan->figures.otherModeMoved, 85);
        QCOMPARE(plan->otherMode.text(), std::string("One range per node would move 85. Inserting worker-4:4003 between worker-2:4003 and "
                                              "worker-3:4003 moves 85 instead of 127 at the end."));
        QCOMPARE(plan->figures.ranges, 5);
        QCOMPARE(plan->moves.front().reason.text().substr(0, 23), std::string("worker-1:4003 over targ"));
    }

    void oneRangePerNodeSaysWhatItCosts() {
        PlanRequest request = adding(evenMap(3), worker(4));
        request.mode = PlanMode::Contiguous;
        const auto plan = makePlan(request);
        QVERIFY(plan);
        QCOMPARE(plan->figures.moved, 85);
        QCOMPARE(plan->figures.ranges, 4);
        QCOMPARE(plan->proof, std::string("85 of at least 64: 21 more because each node keeps one range"));
        QCOMPARE(plan->otherMode.text(), std::string("Inserting worker-4:4003 between worker-2:4003 and worker-3:4003 moves 85 instead of 127 "
                                              "at the end. Several ranges per node would move 64."));
    }

    void everyPlanIsSound() {
        QVERIFY(rc::check("moves lead from the one map to the other, in waves, with R owners throughout", [] {
            const PlanRequest request = randomRequest(3);
            const auto plan = makePlan(request);
            if (!plan)
                RC_FAIL(plan.error().message);
            assertSound(*plan, request.current);
            for (const PlanNode& node : plan->nodes)
                RC_ASSERT(std::abs(static_cast<double>(node.after.count()) - node.exactShare) < 1.0);
        }));
    }

    void oneReplicaAlwaysReachesTheBound() {
        QVERIFY(rc::check("several ranges, replication 1", [] {
            const PlanRequest request = randomRequest(1);
            const auto plan = makePlan(request);
            RC_ASSERT(plan.has_value());
            RC_ASSERT(plan->figures.moved == plan->figures.lowerBound);
        }));
    }

    void contiguousPlansAreSound() {
        QVERIFY(rc::check("one range per node, at most one of them over the end per replica", [] {
            PlanRequest request = randomRequest(3);
            request.mode = PlanMode::Contiguous;
            const auto plan = makePlan(request);
            RC_ASSERT(plan.has_value());
            assertSound(*plan, request.current);
            int more = 0;
            for (const PlanNode& node : plan->nodes)
                more += static_cast<int>(rangesOf(node.after).size()) > 1 ? 1 : 0;
            RC_ASSERT(more <= plan->replication - 1);
        }));
    }

    void sameWishSamePlanInAnyOrder() {
        QVERIFY(rc::check("the order of wishes and entries does not matter", [] {
            PlanRequest request = randomRequest(2);
            const auto plan = makePlan(request);
            std::reverse(request.add.begin(), request.add.end());
            ClusterConfig config;
            for (const MapNode& node : request.current.nodes())
                for (const Range& range : node.ranges())
                    config.entries.insert(config.entries.begin(), {node.address, range, node.name, node.weight});
            config.replication = request.current.replication();
            request.current = PartitionMap(config);
            const auto again = makePlan(request);
            RC_ASSERT(plan.has_value() && again.has_value());
            RC_ASSERT(plan->figures.moved == again->figures.moved);
            RC_ASSERT(canonicalText(plan->after) == canonicalText(again->after));
        }));
    }

    void removingANodeMovesOnlyItsPartitions() {
        PlanRequest request;
        request.current = evenMap(4);
        request.remove = {at(worker(2))};
        const auto plan = makePlan(request);
        QVERIFY(plan);
        QCOMPARE(plan->proof, std::string("64 of at least 64"));
        for (const PlanMove& move : plan->moves) {
            QCOMPARE(move.from, at(worker(2)));
            QCOMPARE(move.reason.text(), worker(2) + " leaves");
        }
        request.drain = std::exchange(request.remove, {});
        QCOMPARE(makePlan(request)->moves.front().reason.text(), worker(2) + " is drained");
        QVERIFY(!PartitionMap(makePlan(request)->after).nodeAt(at(worker(2))));
    }

    void aHeavierNodeTakesItsShare() {
        PlanRequest request;
        request.current = evenMap(4);
        request.change = {wish(worker(1), 200)};
        const auto plan = makePlan(request);
        QVERIFY(plan);
        QCOMPARE(int(nodeOf(*plan, worker(1)).after.count()), 102); // 102.4; whoever gives up 13 instead of 12 costs a move
        QCOMPARE(plan->figures.moved, plan->figures.lowerBound);
    }

    void raisingReplicationOnlyCopies() {
        PlanRequest request;
        request.current = evenMap(4);
        request.replication = 2;
        const auto plan = makePlan(request);
        QVERIFY(plan);
        QCOMPARE(plan->figures.moved, 256);
        for (const PlanMove& move : plan->moves)
            QCOMPARE(move.kind, PlanMove::Kind::Copy);
        QVERIFY(!plan->after.replication); // the file did not set it
        request.current = PartitionMap(plan->after);
        request.replication = 1;
        const auto back = makePlan(request);
        QVERIFY(back);
        QCOMPARE(back->figures.moved, 0);
        QCOMPARE(back->moves.size(), std::size_t{256});
        QCOMPARE(back->moves.front().kind, PlanMove::Kind::Drop);
    }

    void keepsTheFilesReplicationKeyInStep() {
        ClusterConfig config = *evenConfig({wish("a:1"), wish("b:1"), wish("c:1")}, 2);
        QCOMPARE(config.replication, std::optional(2));
        PlanRequest request;
        request.current = PartitionMap(config);
        request.replication = 3;
        QCOMPARE(makePlan(request)->after.replication, std::optional(3));
    }

    void replicasGoToDifferentHostsAndZones() {
        PlanRequest request;
        for (int i = 0; i < 6; ++i)
            request.add.push_back(wish("10.0.0." + std::to_string(i / 2 + 1) + ":" + std::to_string(4003 + i % 2)));
        request.replication = 3;
        const auto plan = makePlan(request);
        QVERIFY(plan);
        QVERIFY2(plan->warnings.empty(), plan->warnings.empty() ? "" : plan->warnings.front().text().c_str());
        const PartitionMap after(plan->after);
        for (int p = 0; p < 256; ++p) {
            std::set<std::string> hosts;
            for (const auto owner : after.owners(static_cast<fremis::base::Partition>(p)))
                hosts.insert(after.nodes()[owner].address.host());
            QCOMPARE(hosts.size(), std::size_t{3});
        }
    }

    void namesTheRuleThatCostsMoves() {
        // Two replicas of everything on one host each: mending that needs copies that no count asks for.
        ClusterConfig config{{{at("h1:1"), {0, 127}, {}, {}},
                              {at("h1:2"), {0, 127}, {}, {}},
                              {at("h2:1"), {128, 255}, {}, {}},
                              {at("h2:2"), {128, 255}, {}, {}}},
                             {},
                             {}};
        PlanRequest request;
        request.current = PartitionMap(config);
        const auto plan = makePlan(request);
        QVERIFY(plan);
        QCOMPARE(plan->figures.lowerBound, 0);
        QCOMPARE(plan->figures.moved, 256);
        QCOMPARE(plan->proof, std::string("256 of at least 0: 256 more because replicas go to different hosts"));
        request.spread = Spread::Keep;
        const auto kept = makePlan(request);
        QCOMPARE(kept->figures.moved, 0);
        QCOMPARE(kept->warnings.size(), std::size_t{2});
        QCOMPARE(kept->warnings.front().text(), std::string("partitions 0-127 have replicas at h1:1 and h1:2, both on host h1"));
        for (const char* node : {"h1:1", "h2:1"})
            request.zones[at(node)] = "east";
        for (const char* node : {"h1:2", "h2:2"})
            request.zones[at(node)] = "west";
        request.spread = Spread::Enforce;
        QVERIFY(makePlan(request)->proof.ends_with("because replicas go to different hosts"));
    }

    void pinnedPartitionsStayOrGoWhereTheyMust() {
        PlanRequest request = adding(evenMap(3), worker(4));
        for (int p = 0; p < 20; ++p)
            request.pins[p] = {at(worker(1))};
        request.pins[255] = {at(worker(1))};
        const auto plan = makePlan(request);
        QVERIFY(plan);
        QCOMPARE(nodeOf(*plan, worker(1)).after & setOf({0, 19}), setOf({0, 19}));
        QVERIFY(nodeOf(*plan, worker(1)).after[255]);
        QCOMPARE(plan->figures.moved, 65); // one more than without: 255 in, another one out
        QVERIFY(plan->proof.ends_with("1 more because of the pinned partitions"));
    }

    void refusesWishesThatContradict_data() {
        QTest::addColumn<int>("number");
        QTest::addColumn<QByteArray>("reason");
        m_requests.clear();
        const auto row = [this](const char* name, const std::function<void(PlanRequest&)>& make, const char* reason) {
            PlanRequest request;
            request.current = evenMap(3);
            make(request);
            QTest::addRow("%s", name) << int(m_requests.size()) << QByteArray(reason);
            m_requests.push_back(request);
        };
        row("adding what is there", [](PlanRequest& r) { r.add = {wish(worker(1))}; }, "worker-1:4003 is in the map already");
        row("adding twice", [](PlanRequest& r) { r.add = {wish("a:1"), wish("A:1")}; }, "A:1 is in the map already");
        row("removing a stranger", [](PlanRequest& r) { r.remove = {at("a:1")}; }, "a:1 is not in the map");
        row("weighing a stranger", [](PlanRequest& r) { r.change = {wish("a:1")}; }, "a:1 is not in the map");
        row("removing all", [](PlanRequest& r) { r.remove = {at(worker(1)), at(worker(2)), at(worker(3))}; },
            "no node would be left to hold the data");
        row("more replicas than nodes", [](PlanRequest& r) { r.replication = 4; }, "replication 4 needs as many nodes; there would be 3");
        row("a pin to a leaving node", [](PlanRequest& r) { r.remove = {at(worker(1))}; r.pins[0] = {at(worker(1))}; },
            "partition 0 is pinned to worker-1:4003, which leaves");
        row("two pins for one replica", [](PlanRequest& r) { r.pins[0] = {at(worker(1)), at(worker(2))}; },
            "partition 0 is pinned to 2 nodes, replication is 1");
        row("more pins than a share", [](PlanRequest& r) { for (int p = 0; p < 100; ++p) r.pins[p] = {at(worker(1))}; },
            "the pinned partitions do not fit into the shares");
        row("pins apart with one range", [](PlanRequest& r) { r.mode = PlanMode::Contiguous; r.pins[0] = r.pins[255] = {at(worker(1))}; },
            "one range per node cannot keep the pinned partitions; allow several ranges");
        row("vectors without counts", [](PlanRequest& r) { r.objective = Objective::Vectors; }, "balancing by vectors needs the vector counts");
        row("a cap below what must move", [](PlanRequest& r) { r.remove = {at(worker(1))}; r.maxMoves = 84; },
            "at least 85 moves are needed to keep every copy");
        row("a cap with one range", [](PlanRequest& r) { r.maxMoves = 1; r.mode = PlanMode::Contiguous; },
            "a cap on moves needs several ranges per node");
        row("two nodes of one name",
            [](PlanRequest& r) {
                r.add = {wish("a:1"), wish("b:1")};
                r.add[0].name = r.add[1].name = "x";
            },
            "two nodes are named x");
        row("a map with a gap", [](PlanRequest& r) { r.current = PartitionMap(ClusterConfig{{{at("a:1"), {0, 9}, {}, {}}}, {}, {}}); },
            "partitions 10-255 belong to nobody; mend the config before planning");
    }
    void refusesWishesThatContradict() {
        QFETCH(int, number);
        QFETCH(QByteArray, reason);
        const auto plan = makePlan(m_requests[static_cast<std::size_t>(number)]);
        QVERIFY(!plan);
        QCOMPARE(QByteArray::fromStdString(plan.error().message), reason);
    }

    void refusesMapsThatNoFileHolds() {
        ClusterConfig config; // every second partition each: 128 ranges per node
        for (int node = 1; node <= 18; ++node)
            for (int p = node % 2; p < 256; p += 2)
                config.entries.push_back({at(worker(node)), {p, p}, {}, std::nullopt});
        PlanRequest request;
        request.current = PartitionMap(config);
        request.change = {wish(worker(1), 101)};
        const auto plan = makePlan(request);
        QVERIFY(!plan);
        QVERIFY(plan.error().message.ends_with(" entries, and config.yml holds 2048; plan one range per node"));
        request.mode = PlanMode::Contiguous;
        QVERIFY(makePlan(request));
    }

    void aCapTakesTheMostPressingMoves() {
        PlanRequest request = adding(evenMap(3), worker(4));
        request.maxMoves = 10;
        const auto plan = makePlan(request);
        QVERIFY(plan);
        QCOMPARE(plan->figures.moved, 10);
        QCOMPARE(plan->proof, std::string("10 moves, the cap; balance would take at least 64"));
        for (const PlanMove& move : plan->moves)
            QCOMPARE(move.from, at(worker(3))); // 86 of 64: fullest of all
    }

    void vectorsAreBalancedWhenAsked() {
        for (unsigned seed = 1; seed <= 20; ++seed) {
            PlanRequest request = adding(evenMap(4), worker(5));
            request.vectors = skewed(seed);
            const double byCounts = makePlan(request)->figures.vectorMaxOverMeanAfter;
            request.objective = Objective::Vectors;
            for (const PlanMode mode : {PlanMode::Multi, PlanMode::Contiguous}) {
                request.mode = mode;
                const auto plan = makePlan(request);
                QVERIFY(plan);
                QVERIFY2(plan->figures.vectorMaxOverMeanAfter < (mode == PlanMode::Multi ? 1.06 : 1.35),
                         std::to_string(plan->figures.vectorMaxOverMeanAfter).c_str());
                QVERIFY(mode == PlanMode::Contiguous || plan->figures.vectorMaxOverMeanAfter <= byCounts);
                QVERIFY(PartitionMap(plan->after).isComplete());
            }
        }
    }

    void partitionsOfNearlyEqualSizeAreNotExchanged() {
        PlanRequest request;
        request.current = evenMap(31);
        request.remove.push_back(at(worker(8)));
        request.vectors = PartitionVectors{};
        for (std::size_t p = 0; p < request.vectors->size(); ++p)
            (*request.vectors)[p] = 3735 + p * p % 357; // as a million faces spread
        const int byCounts = makePlan(request)->figures.moved;
        request.objective = Objective::Vectors;
        const auto plan = makePlan(request);
        QVERIFY(plan);
        QVERIFY2(plan->figures.moved <= 2 * byCounts, std::to_string(plan->figures.moved).c_str());
        QVERIFY2(plan->figures.vectorMaxOverMeanAfter < 1.12, std::to_string(plan->figures.vectorMaxOverMeanAfter).c_str());
    }

    void balancingAnEmptyClusterByVectorsBalancesCounts() {
        PlanRequest request = adding(evenMap(4), worker(5));
        request.vectors = PartitionVectors{};
        request.objective = Objective::Vectors;
        const auto plan = makePlan(request);
        QVERIFY(plan);
        for (const PlanNode& node : plan->nodes)
            QVERIFY2(node.after.count() >= 50 && node.after.count() <= 53, std::to_string(node.after.count()).c_str());
    }

    void fewestRangesMeansOneEach() {
        PlanRequest request = adding(evenMap(5), worker(6));
        request.objective = Objective::Ranges;
        QCOMPARE(makePlan(request)->figures.ranges, 6);
    }

    void volumesAndTimesFollowTheRates() {
        PlanRequest request = adding(evenMap(2), worker(3));
        request.vectors = PartitionVectors{};
        request.vectors->fill(1000);
        request.rates = {4, 2000, 100.0};
        const auto plan = makePlan(request);
        QCOMPARE(plan->figures.vectorsMoved, std::uint64_t{85'000});
        QCOMPARE(plan->figures.bytesMoved, std::uint64_t{170'000'000});
        QCOMPARE(plan->figures.waves, 22); // 85 moves into one node, 4 at a time
        QCOMPARE(plan->figures.seconds, 220.0);
        QCOMPARE(nodeOf(*plan, worker(3)).vectorsAfter, std::uint64_t{85'000});
    }

    void thirtyThreeNodesAreWarnedAbout() {
        QVERIFY(makePlan(adding(evenMap(31), worker(99)))->warnings.empty());
        const auto plan = makePlan(adding(evenMap(32), worker(99)));
        QCOMPARE(plan->warnings.size(), std::size_t{1});
        QCOMPARE(plan->warnings.front().text(), std::string("more than 32 nodes: with 256 partitions the shares grow uneven"));
    }

    void theWayBackRestoresTheMap() {
        QVERIFY(rc::check("reverse of a plan", [] {
            const PlanRequest request = randomRequest(3);
            const auto plan = makePlan(request);
            RC_ASSERT(plan.has_value());
            const auto back = reversePlan(*plan);
            RC_ASSERT(back.has_value());
            assertSound(*back, PartitionMap(plan->after));
            RC_ASSERT(back->epochAfter == request.current.epoch());
            RC_ASSERT(back->figures.moved == plan->figures.moved || plan->replication > 1);
        }));
    }

    void evenSplitsBeginAtTheFloor() {
        for (int nodes = 1; nodes <= 256; ++nodes) {
            const auto ranges = evenMap(nodes);
            for (int i = 0; i < nodes; ++i)
                QCOMPARE(ranges.nodes()[static_cast<std::size_t>(i)].ranges(),
                         (std::vector<Range>{{256 * i / nodes, 256 * (i + 1) / nodes - 1}}));
        }
        const PartitionMap weighted(*evenConfig({wish("a:1"), wish("b:1", 200), wish("c:1")}));
        QCOMPARE(rangesText(weighted.nodes()[1].partitions), std::string("64-191"));
        const PartitionMap rows = evenMap(4, 2);
        QCOMPARE(rows.nodes()[0].partitions, rows.nodes()[2].partitions);
        QCOMPARE(rows.replication(), std::optional(2));
    }

    void planJsonReadsBack() {
        QVERIFY(rc::check("JSON round trip", [] {
            PlanRequest request = randomRequest(2);
            if (*rc::gen::arbitrary<bool>())
                request.vectors = skewed(7);
            for (NodeWish& each : request.add) {
                each.name = "näme \"" + each.address.text();
                each.zone = "z";
            }
            auto plan = makePlan(request);
            RC_ASSERT(plan.has_value());
            plan->command = "add";
            const std::string json = planJson(*plan);
            const auto again = parsePlanJson(json);
            if (!again)
                RC_FAIL(again.error().message);
            RC_ASSERT(planJson(*again) == json);
            RC_ASSERT(reversePlan(*again)->epochAfter == request.current.epoch());
        }));
    }

    void damagedPlansAreRefused() {
        auto plan = makePlan(adding(evenMap(3), worker(4)));
        const std::string json = planJson(*plan);
        QVERIFY(!parsePlanJson("{}"));
        QVERIFY(!parsePlanJson("{\"format\":\"fremis-plan/2\"}"));
        for (const auto& [from, to] : std::map<std::string, std::string>{{"\"kind\":\"move\"", "\"kind\":\"steal\""},
                                                                         {"\"start\":0", "\"start\":999"},
                                                                         {"\"partition_end\":84", "\"partition_end\":256"},
                                                                         {"\"wave\":1", "\"wave\":\"1\""},
                                                                         {"\"address\":\"worker-4:4003\"", "\"address\":\"worker-4\""},
                                                                         {"\"nodes\":[", "\"nodes\":[7,"}}) {
            std::string broken = json;
            const auto where = broken.find(from);
            QVERIFY2(where != std::string::npos, from.c_str());
            broken.replace(where, from.size(), to);
            const auto parsed = parsePlanJson(broken);
            QVERIFY2(!parsed, from.c_str());
            QCOMPARE(parsed.error().reason, fremis::base::Reason::InvalidJson);
        }
        for (std::size_t cut = 0; cut < json.size(); cut += 97)
            QVERIFY(!parsePlanJson(json.substr(0, cut)));
    }

    void theNewFileKeepsEverythingElse() {
        const std::string original = "# site A\r\nversion: 'v1'\r\nnodes:\r\n- address: worker-1:4003  # rack 1\r\n  partition_start: 0\r\n"
                                     "  partition_end: 127\r\n\r\n- partition_start: 128\r\n  partition_end: 255\r\n  address: worker-2:4003\r\n";
        PlanRequest request = adding(PartitionMap(*readConfig(original).config), worker(3));
        const auto plan = makePlan(request);
        const auto text = planConfig(*plan, original);
        QVERIFY2(text, text ? "" : text.error().message.c_str());
        QCOMPARE(QByteArray::fromStdString(*text),
                 QByteArray("# site A\r\nversion: 'v1'\r\nnodes:\r\n- address: worker-1:4003  # rack 1\r\n  partition_start: 0\r\n"
                            "  partition_end: 85\r\n\r\n- address: worker-3:4003\r\n  partition_start: 86\r\n  partition_end: 170\r\n\r\n"
                            "- partition_start: 171\r\n  partition_end: 255\r\n  address: worker-2:4003\r\n"));
        QVERIFY(!planConfig(*plan, *text)); // made for another map
    }

    void theNewFileSaysWhatThePlanSays() {
        QVERIFY(rc::check("lossless edit of a written file", [] {
            const PlanRequest request = randomRequest(3);
            const auto plan = makePlan(request);
            RC_ASSERT(plan.has_value());
            const std::string original = configText(plan->before);
            RC_ASSERT(readConfig(original).ok());
            RC_ASSERT(epochOf(*readConfig(original).config) == plan->epochBefore);
            const auto text = planConfig(*plan, original);
            if (!text)
                RC_FAIL(text.error().message);
            RC_ASSERT(epochOf(*readConfig(*text).config) == plan->epochAfter);
        }));
    }

    void runbooksNameEveryStep() {
        PlanRequest request = adding(evenMap(3), worker(4));
        request.vectors = skewed(1);
        auto plan = makePlan(request);
        plan->command = "add " + worker(4);
        const std::string english = planRunbook(*plan, Language::English);
        for (const char* part : {"# Rebalance plan: add worker-4:4003", "64 of at least 64", "POST /v1/cluster/moves", "--partition-start",
                                 "### Wave 16 of 16", "GET /v1/loaded-vectors", "## 6. The way back", "plan diff --reverse"})
            QVERIFY2(english.find(part) != std::string::npos, part);
        QVERIFY(english.find(plan->epochBefore) != std::string::npos);
        QVERIFY(english.find(plan->epochAfter) != std::string::npos);
        const std::string indonesian = planRunbook(*plan, Language::Indonesian);
        for (const char* part : {"# Rencana penyeimbangan ulang: add", "Gelombang 16 dari 16", "Jalan kembali"})
            QVERIFY2(indonesian.find(part) != std::string::npos, part);
        QCOMPARE(std::count(indonesian.begin(), indonesian.end(), '\n'), std::count(english.begin(), english.end(), '\n'));
        QVERIFY(english.find("%1") == std::string::npos && indonesian.find("%1") == std::string::npos);
    }

    void readsLoadedVectors() {
        const auto vectors = parseLoadedVectors(
            R"({"state":"ACTIVE","total":4,"partitions":[{"partition":5,"vectors":1,"faces":1},{"partition":136,"vectors":3}]})");
        QVERIFY(vectors);
        QCOMPARE((*vectors)[136], std::uint64_t{3});
        QCOMPARE(std::accumulate(vectors->begin(), vectors->end(), std::uint64_t{0}), std::uint64_t{4});
        for (const char* bad : {"", "[]", "{}", R"({"partitions":7})", R"({"partitions":[{"partition":256,"vectors":1}]})",
                                R"({"partitions":[{"partition":1,"vectors":-1}]})"})
            QVERIFY2(!parseLoadedVectors(bad), bad);
    }

private:
    std::vector<PlanRequest> m_requests;
};

QTEST_GUILESS_MAIN(PlannerTest)
#include "planner_test.moc"

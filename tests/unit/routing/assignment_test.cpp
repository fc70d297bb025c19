#include "shared/routing/assignment.h"
#include "shared/routing/contiguous.h"
#include "shared/routing/min_cost_flow.h"
#include "shared/routing/shares.h"

#include <QtTest>

#include <rapidcheck.h>

#include <bit>
#include <functional>
#include <numeric>

using namespace fremis::routing;

namespace {

using Shareds = std::tuple<int, int, int>; // zones shared, hosts shared, copies moved

Shareds faultsOf(const AssignTask& task, const Assignment& assignment) {
    const auto [zones, hosts] = sharings(task, assignment);
    return {task.spreadZones ? zones : 0, task.spreadHosts ? hosts : 0, copiesMoved(task, assignment)};
}

// Every way to give each partition to `replication` seats with the targets met.
void forEachAssignment(const AssignTask& task, int partition, Assignment& made, const std::function<void(const Assignment&)>& visit) {
    if (partition == task.partitions) {
        for (std::size_t s = 0; s < made.size(); ++s)
            if (static_cast<int>(made[s].count()) != task.seats[s].target)
                return;
        visit(made);
        return;
    }
    const auto p = static_cast<std::size_t>(partition);
    for (unsigned subset = 0; subset < (1U << made.size()); ++subset) {
        if (std::popcount(subset) != task.replication)
            continue;
        for (std::size_t s = 0; s < made.size(); ++s)
            made[s][p] = ((subset >> s) & 1U) != 0;
        forEachAssignment(task, partition + 1, made, visit);
    }
}

AssignTask randomTask(bool replicas) {
    AssignTask task;
    task.partitions = *rc::gen::inRange(2, 7);
    const int seats = *rc::gen::inRange(replicas ? 2 : 1, 5);
    task.replication = replicas ? *rc::gen::inRange(1, std::min(3, seats) + 1) : 1;
    std::vector<int> weights;
    std::vector<int> held;
    const auto zones = *rc::gen::container<std::vector<int>>(static_cast<std::size_t>(seats), rc::gen::inRange(0, 3)); // of hosts
    for (int s = 0; s < seats; ++s) {
        Seat& seat = task.seats.emplace_back();
        seat.host = *rc::gen::inRange(0, seats);
        seat.zone = zones[static_cast<std::size_t>(seat.host)];
        weights.push_back(*rc::gen::inRange(1, 400));
    }
    for (int p = 0; p < task.partitions; ++p) // some copies lost, some superfluous: nodes leave, R changes
        for (Seat& seat : task.seats)
            seat.held[static_cast<std::size_t>(p)] = *rc::gen::inRange(0, 3) == 0;
    for (const Seat& seat : task.seats)
        held.push_back(static_cast<int>(seat.held.count()));
    const auto targets = roundShares(exactShares(weights, task.partitions, task.replication), held, task.partitions,
                                     task.replication, Objective::Moves);
    for (std::size_t s = 0; s < task.seats.size(); ++s)
        task.seats[s].target = targets[s];
    task.spreadZones = replicas && *rc::gen::arbitrary<bool>();
    task.spreadHosts = replicas && *rc::gen::arbitrary<bool>();
    return task;
}

AssignTask evenTask(const std::vector<int>& sizes) {
    AssignTask task;
    int begin = 0;
    for (std::size_t s = 0; s < sizes.size(); ++s) {
        Seat& seat = task.seats.emplace_back();
        seat.host = seat.zone = static_cast<int>(s);
        for (int p = begin; p < begin + sizes[s]; ++p)
            seat.held.set(static_cast<std::size_t>(p));
        begin += sizes[s];
    }
    return task;
}

LineTask lineFor(const AssignTask& task, const std::vector<int>& weights, bool append) {
    LineTask line;
    line.task = task;
    line.shares = exactShares(weights, task.partitions, task.replication);
    line.kept = lineOrder(task);
    for (std::size_t s = 0; s < task.seats.size(); ++s)
        if (task.seats[s].held.none())
            line.fresh.push_back(s);
    line.append = append;
    return line;
}

// Moves when one node joins: appended, at the best place, with several ranges; and the bound.
std::array<int, 4> movesOfOneMore(const std::vector<int>& sizes) {
    AssignTask task = evenTask(sizes);
    task.seats.push_back({{}, {}, 0, int(sizes.size()), int(sizes.size())});
    const std::vector<int> weights(task.seats.size(), 100);
    std::vector<int> held = sizes;
    held.push_back(0);
    const auto append = assignLine(lineFor(task, weights, true));
    const auto best = assignLine(lineFor(task, weights, false));
    const auto targets = roundShares(exactShares(weights, 256, 1), held, 256, 1, Objective::Moves);
    for (std::size_t s = 0; s < targets.size(); ++s)
        task.seats[s].target = targets[s];
    return {copiesMoved(task, append->assignment), copiesMoved(task, best->assignment), copiesMoved(task, *assignMulti(task)),
            lowerBound(task)};
}

std::vector<int> evenSizes(int nodes) {
    std::vector<int> sizes;
    for (int i = 0; i < nodes; ++i)
        sizes.push_back(256 * (i + 1) / nodes - 256 * i / nodes);
    return sizes;
}

// Calls `visit` with floor and ceiling sizes in every order.
void forEachBalancedStart(int nodes, const std::function<void(const std::vector<int>&)>& visit) {
    std::vector<int> sizes(static_cast<std::size_t>(nodes), 256 / nodes);
    for (int i = 0; i < 256 % nodes; ++i)
        ++sizes[static_cast<std::size_t>(nodes - 1 - i)];
    do
        visit(sizes);
    while (std::next_permutation(sizes.begin(), sizes.end()));
}

} // namespace

class AssignmentTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneMoreNodeMovesWhatTheTableSays_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("append");
        QTest::addColumn<int>("best");
        QTest::addColumn<int>("multi");
        const auto row = [](int nodes, int append, int best, int multi) {
            QTest::addRow("%d to %d", nodes, nodes + 1) << nodes << append << best << multi;
        };
        row(2, 127, 85, 85);
        row(3, 127, 85, 64);
        row(4, 126, 76, 51);
        row(5, 122, 75, 42);
        row(7, 125, 73, 32);
        row(9, 112, 64, 25);
        row(12, 106, 60, 19);
    }
    void oneMoreNodeMovesWhatTheTableSays() {
        QFETCH(int, nodes);
        QFETCH(int, append);
        QFETCH(int, best);
        QFETCH(int, multi);
        const auto moves = movesOfOneMore(evenSizes(nodes));
        QCOMPARE(moves[0], append);
        QCOMPARE(moves[1], best);
        QCOMPARE(moves[2], multi);
        QCOMPARE(moves[3], multi);
        QCOMPARE(multi, 256 / (nodes + 1));
    }

    void everyBalancedStartMovesWithinItsBounds_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<QPoint>("append");
        QTest::addColumn<QPoint>("best");
        const auto row = [](int nodes, QPoint append, QPoint best) {
            QTest::addRow("%d to %d", nodes, nodes + 1) << nodes << append << best;
        };
        row(3, {127, 129}, {85, 85});
        row(5, {122, 126}, {74, 75});
        row(7, {122, 134}, {70, 76});
        row(9, {106, 126}, {60, 70});
        row(12, {94, 126}, {52, 68});
    }
    void everyBalancedStartMovesWithinItsBounds() {
        QFETCH(int, nodes);
        QFETCH(QPoint, append);
        QFETCH(QPoint, best);
        QPoint appendSeen(999, 0);
        QPoint bestSeen(999, 0);
        forEachBalancedStart(nodes, [&](const std::vector<int>& sizes) {
            const auto moves = movesOfOneMore(sizes);
            appendSeen = {std::min(appendSeen.x(), moves[0]), std::max(appendSeen.y(), moves[0])};
            bestSeen = {std::min(bestSeen.x(), moves[1]), std::max(bestSeen.y(), moves[1])};
            QCOMPARE(moves[2], 256 / (nodes + 1));
        });
        QCOMPARE(appendSeen, append);
        QCOMPARE(bestSeen, best);
    }

    void removingANodeFromTheMiddleIsCheapest() {
        std::pair ends{999, 0};
        std::pair cheapest{999, 0};
        for (int nodes = 3; nodes <= 13; ++nodes) {
            const AssignTask full = evenTask(evenSizes(nodes));
            int least = 999;
            for (std::size_t gone = 0; gone < full.seats.size(); ++gone) {
                AssignTask task = full;
                task.seats.erase(task.seats.begin() + static_cast<std::ptrdiff_t>(gone));
                const std::vector<int> weights(task.seats.size(), 100);
                const int moved = copiesMoved(task, assignLine(lineFor(task, weights, false))->assignment);
                least = std::min(least, moved);
                if (gone == 0 || gone + 1 == full.seats.size())
                    ends = {std::min(ends.first, moved), std::max(ends.second, moved)};
            }
            cheapest = {std::min(cheapest.first, least), std::max(cheapest.second, least)};
        }
        QCOMPARE(ends, std::pair(106, 132));
        QCOMPARE(cheapest, std::pair(60, 85));
    }

    void sharesAreExactlyProportional() {
        QVERIFY(rc::check("whole or one more, the sum exact, nobody above one copy of all", [] {
            const auto weights = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 10001)));
            RC_PRE(weights.size() <= 256u);
            const int replication = *rc::gen::inRange(1, static_cast<int>(std::min<std::size_t>(weights.size(), 5)) + 1);
            const auto shares = exactShares(weights, 256, replication);
            const auto held = *rc::gen::container<std::vector<int>>(weights.size(), rc::gen::inRange(0, 257));
            for (const Objective objective : {Objective::Moves, Objective::Balance}) {
                const auto targets = roundShares(shares, held, 256, replication, objective);
                RC_ASSERT(std::accumulate(targets.begin(), targets.end(), 0) == 256 * replication);
                for (std::size_t n = 0; n < targets.size(); ++n) {
                    RC_ASSERT(targets[n] == shares[n].whole || (targets[n] == shares[n].whole + 1 && shares[n].rest > 0));
                    RC_ASSERT(targets[n] <= 256);
                }
            }
            double uncapped = 0;
            for (std::size_t n = 0; n < shares.size(); ++n)
                if (shares[n].whole < 256)
                    uncapped = shares[n].value() / weights[n];
            for (std::size_t n = 0; n < shares.size(); ++n)
                RC_ASSERT(shares[n].whole == 256 || std::abs(shares[n].value() / weights[n] - uncapped) < 1e-9 * uncapped);
        }));
    }

    void excessOfAHeavyNodeIsSharedOutAgain() {
        const auto shares = exactShares(std::vector<int>{10000, 100, 300}, 256, 2);
        QCOMPARE(shares[0].whole, 256);
        QCOMPARE(shares[1].whole, 64);
        QCOMPARE(shares[2].whole, 192);
    }

    void roundsUpFirstWhoeverHoldsMore() {
        const auto shares = exactShares(std::vector<int>{100, 100, 100}, 256, 1); // 85 1/3 each: one gets 86
        QCOMPARE(roundShares(shares, std::vector<int>{80, 90, 86}, 256, 1, Objective::Moves), (std::vector<int>{85, 86, 85}));
        QCOMPARE(roundShares(shares, std::vector<int>{80, 80, 86}, 256, 1, Objective::Moves), (std::vector<int>{85, 85, 86}));
        QCOMPARE(roundShares(shares, std::vector<int>{80, 80, 80}, 256, 1, Objective::Moves), (std::vector<int>{86, 85, 85}));
        const auto uneven = exactShares(std::vector<int>{100, 200}, 256, 1); // 85 1/3 and 170 2/3
        QCOMPARE(roundShares(uneven, std::vector<int>{200, 56}, 256, 1, Objective::Moves), (std::vector<int>{86, 170}));
        QCOMPARE(roundShares(uneven, std::vector<int>{200, 56}, 256, 1, Objective::Balance), (std::vector<int>{85, 171}));
    }

    void oneReplicaReachesTheBoundAlways() {
        QVERIFY(rc::check("multi = bound for replication 1", [] {
            const AssignTask task = randomTask(false);
            bool single = true; // a partition held twice is a change of R, where drops come for free
            for (int p = 0; p < task.partitions; ++p)
                single = single && std::count_if(task.seats.begin(), task.seats.end(),
                                                 [p](const Seat& s) { return s.held[static_cast<std::size_t>(p)]; }) <= 1;
            RC_PRE(single);
            const auto assignment = assignMulti(task);
            RC_ASSERT(assignment.has_value());
            RC_ASSERT(copiesMoved(task, *assignment) == lowerBound(task));
        }));
    }

    void severalReplicasAreBestOfAllAssignments() {
        QVERIFY(rc::check("fewest sharings, then fewest moves, by brute force", [] {
            const AssignTask task = randomTask(true);
            const auto found = assignMulti(task);
            std::optional<Shareds> best;
            Assignment made(task.seats.size());
            forEachAssignment(task, 0, made, [&](const Assignment& assignment) {
                best = best ? std::min(*best, faultsOf(task, assignment)) : faultsOf(task, assignment);
            });
            RC_ASSERT(found.has_value() == best.has_value());
            if (!found)
                return;
            for (std::size_t s = 0; s < found->size(); ++s)
                RC_ASSERT(static_cast<int>((*found)[s].count()) == task.seats[s].target);
            for (int p = 0; p < task.partitions; ++p)
                RC_ASSERT(std::count_if(found->begin(), found->end(),
                                        [p](const PartitionSet& s) { return s[static_cast<std::size_t>(p)]; }) == task.replication);
            RC_ASSERT(faultsOf(task, *found) == *best);
            RC_ASSERT(copiesMoved(task, *found) >= lowerBound(task));
        }));
    }

    void pinsAreKeptAtTheLeastCost() {
        QVERIFY(rc::check("pins, by brute force", [] {
            AssignTask task = randomTask(true);
            task.spreadHosts = task.spreadZones = false;
            const auto seat = static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(task.seats.size())));
            const auto partition = static_cast<std::size_t>(*rc::gen::inRange(0, task.partitions));
            task.seats[seat].pinned.set(partition);
            std::optional<int> least;
            Assignment made(task.seats.size());
            forEachAssignment(task, 0, made, [&](const Assignment& assignment) {
                if (assignment[seat][partition])
                    least = std::min(least.value_or(9999), copiesMoved(task, assignment));
            });
            const auto found = assignMulti(task);
            RC_ASSERT(found.has_value() == least.has_value());
            if (found) {
                RC_ASSERT((*found)[seat][partition]);
                RC_ASSERT(copiesMoved(task, *found) == *least);
            }
        }));
    }

    void oneRangePerNodeIsBestOfAllPlacements() {
        QVERIFY(rc::check("every position and rounding, by brute force", [] {
            AssignTask task;
            task.partitions = *rc::gen::inRange(4, 12);
            const int kept = *rc::gen::inRange(1, 4);
            const int fresh = *rc::gen::inRange(0, 3);
            std::vector<int> weights;
            int begin = 0;
            for (int s = 0; s < kept; ++s) {
                Seat& seat = task.seats.emplace_back();
                const int end = s + 1 == kept ? task.partitions : *rc::gen::inRange(begin + 1, task.partitions - (kept - 1 - s) + 1);
                for (int p = begin; p < end; ++p)
                    seat.held.set(static_cast<std::size_t>(p));
                begin = end;
            }
            task.seats.resize(static_cast<std::size_t>(kept + fresh));
            for (int s = 0; s < kept + fresh; ++s)
                weights.push_back(*rc::gen::element(100, 100, 200, 50));
            const LineTask line = lineFor(task, weights, false);
            const auto found = assignLine(line);
            RC_ASSERT(found.has_value());
            RC_ASSERT(copiesMoved(task, found->assignment) == leastByBruteForce(line));
            for (std::size_t s = 0; s < task.seats.size(); ++s) {
                const auto size = static_cast<int>(found->assignment[s].count());
                RC_ASSERT(size == line.shares[s].whole || (size == line.shares[s].whole + 1 && line.shares[s].rest > 0));
                RC_ASSERT(rangesOf(found->assignment[s]).size() <= 1u);
            }
        }));
    }

    void theLineKeepsLayersOfReplicas() {
        AssignTask task = evenTask({128, 128});
        const AssignTask second = evenTask({100, 156});
        task.seats.insert(task.seats.end(), second.seats.begin(), second.seats.end());
        // Middles 49.5, 63.5, 177.5, 191.5: the lower half of one pair, then what lies clear of it, then the rest.
        QCOMPARE(lineOrder(task), (std::vector<std::size_t>{2, 3, 0, 1}));
    }

    void flowTakesTheCheapRouteAndDetours() {
        MinCostFlow network;
        const int s = network.addVertex();
        const int a = network.addVertex();
        const int b = network.addVertex();
        const int t = network.addVertex();
        network.addEdge(s, a, 2, 1);
        network.addEdge(s, b, 1, 2);
        const int direct = network.addEdge(a, t, 1, 1);
        const int across = network.addEdge(a, b, 2, 0);
        network.addEdge(b, t, 2, 3);
        QCOMPARE(network.run(s, t), 3);
        QCOMPARE(network.flowOn(direct), 1);
        QCOMPARE(network.flowOn(across), 1);
    }

    void wholeBlocksMoveSoThatFewRangesArise() {
        AssignTask task = evenTask(evenSizes(4));
        task.seats.push_back({{}, {}, 0, 4, 4});
        const std::vector<int> held{64, 64, 64, 64, 0};
        const auto targets = roundShares(exactShares(std::vector<int>(5, 100), 256, 1), held, 256, 1, Objective::Moves);
        for (std::size_t s = 0; s < 5; ++s)
            task.seats[s].target = targets[s];
        const auto assignment = assignMulti(task);
        std::size_t ranges = 0;
        for (const PartitionSet& set : *assignment)
            ranges += rangesOf(set).size();
        QCOMPARE(ranges, std::size_t{6}); // four donors in two pairs of neighbours: the new node needs two ranges
    }

private:
    static int leastByBruteForce(const LineTask& line) {
        std::vector<std::size_t> order(line.task.seats.size());
        std::iota(order.begin(), order.end(), 0);
        int least = 9999;
        do {
            std::vector<std::size_t> keptInOrder;
            for (const std::size_t s : order)
                if (line.task.seats[s].held.any())
                    keptInOrder.push_back(s);
            if (keptInOrder != line.kept)
                continue;
            for (unsigned ups = 0; ups < (1U << order.size()); ++ups)
                least = std::min(least, movedWith(line, order, ups));
        } while (std::next_permutation(order.begin(), order.end()));
        return least;
    }

    static int movedWith(const LineTask& line, const std::vector<std::size_t>& order, unsigned ups) {
        Assignment assignment(order.size());
        int place = 0;
        for (const std::size_t s : order) {
            const bool up = ((ups >> s) & 1U) != 0;
            if (up && line.shares[s].rest == 0)
                return 9999;
            const int size = line.shares[s].whole + (up ? 1 : 0);
            for (int i = 0; i < size && place < line.task.partitions; ++i)
                assignment[s].set(static_cast<std::size_t>(place++));
            if (static_cast<int>(assignment[s].count()) != size)
                return 9999;
        }
        return place == line.task.partitions ? copiesMoved(line.task, assignment) : 9999;
    }
};

QTEST_GUILESS_MAIN(AssignmentTest)
#include "assignment_test.moc"

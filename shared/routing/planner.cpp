#include "shared/routing/planner.h"

#include "shared/routing/contiguous.h"
#include "shared/routing/plan_parts.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace fremis::routing {

using base::fail;
using base::Reason;
using base::Result;

namespace {

constexpr int kManyNodes = 32; // beyond, 256 partitions are too coarse: even shares differ by more than 3 %

ClusterConfig configOfMap(const PartitionMap& map) {
    ClusterConfig config;
    for (const MapNode& node : map.nodes())
        for (const Range& range : node.ranges())
            config.entries.push_back({node.address, range, node.name,
                                      node.weight == Weight() ? std::nullopt : std::optional(node.weight)});
    config.replication = map.replication();
    config.allowPartialSearch = map.allowPartialSearch();
    return config;
}

class Planner {
public:
    Planner(const PlanRequest& request, PlanTask task) : m_request(request), m_task(std::move(task)) {}

    Result<Plan> run() {
        if (m_request.objective == Objective::Vectors && !m_request.vectors)
            return fail(Reason::InvalidConfig, "balancing by vectors needs the vector counts");
        setTargets();
        auto assignment = m_request.mode == PlanMode::Contiguous ? contiguous() : multi();
        if (!assignment)
            return tl::unexpected(assignment.error());
        if (m_request.objective == Objective::Vectors)
            for (std::size_t s = 0; s < assignment->size(); ++s)
                m_task.assign.seats[s].target = static_cast<int>((*assignment)[s].count());
        if (auto capped = cap(*assignment); !capped)
            return tl::unexpected(capped.error());
        Plan plan = planOf(*assignment);
        if (plan.after.entries.size() > kMaxConfigEntries)
            return fail(Reason::InvalidConfig, "the new map needs " + std::to_string(plan.after.entries.size()) +
                                                   " entries, and config.yml holds " +
                                                   std::to_string(kMaxConfigEntries) + "; plan one range per node");
        plan.figures.lowerBound = lowerBound(m_task.assign);
        plan.proof = proof(plan, *assignment);
        describeOtherMode(plan);
        if (m_task.assign.seats.size() > static_cast<std::size_t>(kManyNodes))
            plan.warnings.push_back(Pattern("more than 32 nodes: with 256 partitions the shares grow uneven"));
        return plan;
    }

private:
    void setTargets() {
        const auto targets = roundShares(m_task.shares, m_task.held, m_task.assign.partitions, m_task.assign.replication, m_request.objective);
        for (std::size_t s = 0; s < targets.size(); ++s)
            m_task.assign.seats[s].target = targets[s];
    }

    Result<Assignment> multi() {
        if (m_request.objective == Objective::Ranges)
            return contiguous();
        if (m_request.objective == Objective::Vectors)
            return balanceVectors(m_task.assign, m_task.shares, *m_request.vectors);
        auto assignment = assignMulti(m_task.assign);
        if (!assignment)
            return fail(Reason::InvalidConfig, "the pinned partitions do not fit into the shares");
        return std::move(*assignment);
    }

    [[nodiscard]] LineTask lineTask(bool append) const {
        LineTask line;
        line.task = m_task.assign;
        line.shares = m_task.shares;
        line.kept = lineOrder(m_task.assign);
        for (std::size_t s = 0; s < m_task.assign.seats.size(); ++s)
            if (m_task.assign.seats[s].held.none())
                line.fresh.push_back(s);
        line.largerRestsFirst = m_request.objective == Objective::Balance;
        line.append = append;
        return line;
    }

    Result<Assignment> contiguous() {
        if (m_request.objective == Objective::Vectors) {
            if (m_task.assign.replication > 1)
                return fail(Reason::InvalidConfig, "one range per node balanced by vectors is planned for replication 1 only");
            if (!m_request.pins.empty())
                return fail(Reason::InvalidConfig, "pins and one range per node balanced by vectors do not go together");
            return lineByVectors(m_task.assign, m_task.shares, *m_request.vectors);
        }
        auto line = assignLine(lineTask(false));
        if (!line)
            return fail(Reason::InvalidConfig, "one range per node cannot keep the pinned partitions; allow several ranges");
        m_line = std::move(*line);
        return m_line->assignment;
    }

    // One copy that changes hands, as part of an assignment.
    struct Swap {
        std::size_t partition;
        std::size_t to;
        std::size_t from; // a seat, or the number of seats: the copy comes from a leaving node or is new
        int pressing;
    };

    // What must move comes first, then what relieves the fullest nodes most.
    [[nodiscard]] std::vector<Swap> swapsOf(const Assignment& assignment) const {
        const auto& seats = m_task.assign.seats;
        std::vector<Swap> swaps;
        for (std::size_t p = 0; p < static_cast<std::size_t>(m_task.assign.partitions); ++p) {
            std::vector<std::size_t> losers;
            for (std::size_t s = 0; s < seats.size(); ++s)
                if (seats[s].held[p] && !assignment[s][p])
                    losers.push_back(s);
            for (std::size_t s = 0; s < seats.size(); ++s) {
                if (seats[s].held[p] || !assignment[s][p])
                    continue;
                Swap swap{p, s, seats.size(), base::kPartitionCount + 1};
                if (!losers.empty()) {
                    swap.from = losers.back();
                    swap.pressing = m_task.held[swap.from] - seats[swap.from].target;
                    losers.pop_back();
                }
                swaps.push_back(swap);
            }
        }
        std::stable_sort(swaps.begin(), swaps.end(), [](const Swap& a, const Swap& b) { return a.pressing > b.pressing; });
        return swaps;
    }

    // Takes back all but the first `maxMoves` swaps.
    base::Status cap(Assignment& assignment) {
        if (!m_request.maxMoves)
            return {};
        if (m_request.mode == PlanMode::Contiguous || m_request.objective == Objective::Ranges)
            return fail(Reason::InvalidConfig, "a cap on moves needs several ranges per node");
        const std::vector<Swap> swaps = swapsOf(assignment);
        const std::size_t seats = m_task.assign.seats.size();
        const auto needed = std::count_if(swaps.begin(), swaps.end(), [seats](const Swap& s) { return s.from == seats; });
        if (needed > *m_request.maxMoves)
            return fail(Reason::InvalidConfig, "at least " + std::to_string(needed) + " moves are needed to keep every copy");
        for (std::size_t i = static_cast<std::size_t>(*m_request.maxMoves); i < swaps.size(); ++i) {
            assignment[swaps[i].to].reset(swaps[i].partition);
            assignment[swaps[i].from].set(swaps[i].partition);
            m_capped = true;
        }
        return {};
    }

    Plan planOf(const Assignment& assignment) {
        Plan plan;
        plan.mode = m_request.mode;
        plan.objective = m_request.objective;
        plan.replication = m_task.assign.replication;
        if (m_request.current.replication())
            plan.fileReplication = plan.replication;
        plan.nodes = m_task.nodes;
        for (std::size_t s = 0; s < assignment.size(); ++s) {
            PlanNode& node = plan.nodes[m_task.nodeOfSeat[s]];
            node.after = assignment[s];
            node.target = plan.mode == PlanMode::Multi && plan.objective != Objective::Ranges ? m_task.assign.seats[s].target
                                                                                              : static_cast<int>(assignment[s].count());
        }
        plan.before = configOfMap(m_request.current);
        plan.vectors = m_request.vectors;
        plan.rates = m_request.rates;
        completePlan(plan);
        return plan;
    }

    std::string proof(const Plan& plan, const Assignment& assignment) const {
        const int moved = plan.figures.moved;
        const int least = plan.figures.lowerBound;
        std::string text = std::to_string(moved) + " of at least " + std::to_string(least);
        if (m_capped)
            return std::to_string(moved) + " moves, the cap; balance would take at least " + std::to_string(least);
        if (moved == least)
            return text;
        text += ": " + std::to_string(moved - least) + " more ";
        if (plan.mode == PlanMode::Contiguous || plan.objective == Objective::Ranges)
            return text + "because each node keeps one range";
        if (plan.objective == Objective::Vectors)
            return text + "to spread the vectors";
        return text + "because " + preventingRule(assignment);
    }

    // Which rule costs the moves above the bound: the first whose absence alone would save some.
    std::string preventingRule(const Assignment& assignment) const {
        const int moved = copiesMoved(m_task.assign, assignment);
        AssignTask relaxed = m_task.assign;
        for (Seat& seat : relaxed.seats)
            seat.pinned.reset();
        if (!m_request.pins.empty() && cheaper(relaxed, moved))
            return "of the pinned partitions";
        relaxed = m_task.assign;
        relaxed.spreadZones = false;
        if (m_task.assign.spreadZones && cheaper(relaxed, moved))
            return "replicas go to different zones";
        relaxed.spreadHosts = false;
        if (cheaper(relaxed, moved))
            return "replicas go to different hosts";
        return "a node holds a partition only once";
    }

    static bool cheaper(const AssignTask& task, int moved) {
        const auto assignment = assignMulti(task);
        return assignment && copiesMoved(task, *assignment) < moved;
    }

    void describeOtherMode(Plan& plan) {
        if (m_request.objective == Objective::Vectors || m_task.nodes.empty())
            return;
        const bool isLine = plan.mode == PlanMode::Contiguous || plan.objective == Objective::Ranges;
        if (isLine) {
            const auto other = assignMulti(m_task.assign);
            plan.figures.otherModeMoved = other ? copiesMoved(m_task.assign, *other) : -1;
            plan.otherMode = joined(positions(plan.figures.moved),
                                    other ? Wording(Pattern("Several ranges per node would move %1."),
                                                    {std::to_string(plan.figures.otherModeMoved)})
                                          : Wording(Pattern("Several ranges per node would move nothing: it has no plan.")));
            return;
        }
        m_line = assignLine(lineTask(false));
        if (!m_line) {
            plan.otherMode = Pattern("One range per node is not possible with these pins.");
            return;
        }
        plan.figures.otherModeMoved = copiesMoved(m_task.assign, m_line->assignment);
        plan.otherMode =
            joined({Pattern("One range per node would move %1."), {std::to_string(plan.figures.otherModeMoved)}},
                   positions(plan.figures.otherModeMoved));
    }

    static Wording joined(const Wording& first, const Wording& second) {
        if (first.empty() || second.empty())
            return first.empty() ? second : first;
        return {Pattern("%1 %2"), {first, second}};
    }

    // "Inserting w4 between w2 and w3 moves 85 instead of 127 at the end." when one node joins and it makes a difference.
    Wording positions(int best) const {
        const LineTask append = lineTask(true);
        if (append.fresh.size() != 1 || append.kept.empty())
            return {};
        const auto atEnd = assignLine(append);
        const auto here = std::find(m_line->order.begin(), m_line->order.end(), append.fresh.front());
        if (!atEnd || here + 1 == m_line->order.end())
            return {};
        const int moved = copiesMoved(m_task.assign, atEnd->assignment);
        const std::string fresh = labelOf(append.fresh.front());
        if (here == m_line->order.begin())
            return {Pattern("Inserting %1 before %2 moves %3 instead of %4 at the end."),
                    {fresh, labelOf(*(here + 1)), std::to_string(best), std::to_string(moved)}};
        return {Pattern("Inserting %1 between %2 and %3 moves %4 instead of %5 at the end."),
                {fresh, labelOf(*(here - 1)), labelOf(*(here + 1)), std::to_string(best), std::to_string(moved)}};
    }

    [[nodiscard]] const std::string& labelOf(std::size_t seat) const { return m_task.nodes[m_task.nodeOfSeat[seat]].label(); }

    const PlanRequest& m_request;
    PlanTask m_task;
    std::optional<LinePlan> m_line;
    bool m_capped = false;
};

// The nodes of two maps, those of the first in order, then those only in the second.
std::vector<PlanNode> nodesOf(const PartitionMap& before, const PartitionMap& after) {
    std::vector<PlanNode> nodes;
    for (const MapNode& node : before.nodes()) {
        PlanNode& made = nodes.emplace_back();
        made.address = node.address;
        made.name = node.name;
        made.weight = node.weight;
        made.before = node.partitions;
        made.role = PlanNode::Role::Leaves;
    }
    for (const MapNode& node : after.nodes()) {
        auto known = std::find_if(nodes.begin(), nodes.end(), [&](const PlanNode& n) { return n.address == node.address; });
        if (known == nodes.end()) {
            known = nodes.insert(nodes.end(), PlanNode{});
            known->address = node.address;
            known->role = PlanNode::Role::Joins;
        } else {
            known->role = PlanNode::Role::Stays;
        }
        known->name = node.name;
        known->weight = node.weight;
        known->after = node.partitions;
        known->target = static_cast<int>(node.partitions.count());
    }
    return nodes;
}

int gains(const std::vector<PlanNode>& nodes) {
    int sum = 0;
    for (const PlanNode& node : nodes)
        sum += std::max(0, static_cast<int>(node.after.count()) - static_cast<int>(node.before.count()));
    return sum;
}

} // namespace

Result<Plan> makePlan(const PlanRequest& request) {
    auto task = planTask(request);
    if (!task)
        return tl::unexpected(task.error());
    return Planner(request, std::move(*task)).run();
}

Result<Plan> planBetween(const PartitionMap& before, const PartitionMap& after, const std::optional<PartitionVectors>& vectors,
                         const CopyRates& rates) {
    if (!before.isComplete() || !after.isComplete())
        return fail(Reason::InvalidConfig, "both maps must own every partition");
    Plan plan;
    plan.command = "diff";
    plan.nodes = nodesOf(before, after);
    const auto severalRanges = [](const MapNode& node) { return node.ranges().size() > 1; };
    plan.mode = std::any_of(after.nodes().begin(), after.nodes().end(), severalRanges) ? PlanMode::Multi : PlanMode::Contiguous;
    plan.replication = after.replication().value_or(static_cast<int>(after.owners(0).size()));
    plan.fileReplication = after.replication();
    plan.before = configOfMap(before);
    plan.vectors = vectors;
    plan.rates = rates;
    completePlan(plan);
    plan.after = configOfMap(after);
    plan.epochAfter = after.epoch();
    plan.figures.lowerBound = gains(plan.nodes);
    plan.proof = std::to_string(plan.figures.moved) + " of at least " + std::to_string(plan.figures.lowerBound) + " for these counts";
    return plan;
}

Result<Plan> reversePlan(const Plan& plan) {
    auto back = planBetween(PartitionMap(plan.after), PartitionMap(plan.before), plan.vectors, plan.rates);
    if (back)
        back->command = "rollback";
    return back;
}

Result<ClusterConfig> evenConfig(const std::vector<NodeWish>& nodes, int replication) {
    PlanRequest request;
    request.add = nodes;
    request.replication = replication;
    auto task = planTask(request);
    if (!task)
        return tl::unexpected(task.error());
    std::vector<int> weights;
    for (const NodeWish& node : nodes)
        weights.push_back(node.weight.value_or(Weight()).hundredths());
    const auto shares = exactShares(weights, base::kPartitionCount, replication);
    const std::int64_t total = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
    const bool capped = std::any_of(shares.begin(), shares.end(), [](const Share& s) { return s.whole == base::kPartitionCount; });
    const auto sizes = roundShares(shares, std::vector<int>(shares.size(), 0), base::kPartitionCount, replication, Objective::Balance);
    std::int64_t weightSoFar = 0;
    int begin = 0;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        weightSoFar += weights[n];
        // Cuts at the floor of the exact sums; a node that holds everything has no exact sum.
        const int end = capped ? begin + sizes[n]
                               : static_cast<int>(std::int64_t{base::kPartitionCount} * replication * weightSoFar / total);
        for (int place = begin; place < end; ++place)
            task->nodes[n].after.set(static_cast<std::size_t>(place % base::kPartitionCount));
        begin = end;
    }
    return configOfNodes(task->nodes, &PlanNode::after, replication > 1 ? std::optional(replication) : std::nullopt, std::nullopt);
}

} // namespace fremis::routing

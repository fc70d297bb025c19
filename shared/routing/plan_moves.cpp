// What an assignment means in moves: who copies what to whom, why, when and how long.
#include "shared/routing/plan_parts.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace fremis::routing {

namespace {

class MoveMaker {
public:
    explicit MoveMaker(Plan& plan) : m_plan(plan) {}

    void run() {
        for (int p = 0; p < base::kPartitionCount; ++p)
            addMovesOf(p);
        fillWaves();
        std::stable_sort(m_made.begin(), m_made.end(), [](const Made& a, const Made& b) {
            return std::pair(a.move.wave, a.move.partition) < std::pair(b.move.wave, b.move.partition);
        });
        for (Made& made : m_made)
            m_plan.moves.push_back(std::move(made.move));
    }

private:
    static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
    struct Made {
        PlanMove move;
        std::size_t from;
        std::size_t to; // kNobody for a drop
    };

    std::vector<std::size_t> nodesWhere(int p, PartitionSet PlanNode::*has, PartitionSet PlanNode::*hasNot) const {
        std::vector<std::size_t> found;
        for (std::size_t n = 0; n < m_plan.nodes.size(); ++n) {
            const PlanNode& node = m_plan.nodes[n];
            if ((node.*has)[static_cast<std::size_t>(p)] && !(hasNot != nullptr && (node.*hasNot)[static_cast<std::size_t>(p)]))
                found.push_back(n);
        }
        return found;
    }

    void addMovesOf(int p) {
        std::vector<std::size_t> losers = nodesWhere(p, &PlanNode::before, &PlanNode::after);
        const std::vector<std::size_t> gainers = nodesWhere(p, &PlanNode::after, &PlanNode::before);
        const std::vector<std::size_t> holders = nodesWhere(p, &PlanNode::before, nullptr);
        for (const std::size_t to : gainers) {
            if (!losers.empty()) {
                add(p, PlanMove::Kind::Move, losers.front(), to);
                losers.erase(losers.begin());
            } else if (!holders.empty()) {
                add(p, PlanMove::Kind::Copy, sourceAmong(holders), to);
            }
        }
        for (const std::size_t from : losers)
            add(p, PlanMove::Kind::Drop, from, kNobody);
    }

    // A source that stays, and among these the one with the fewest copies to make so far.
    [[nodiscard]] std::size_t sourceAmong(const std::vector<std::size_t>& holders) const {
        const auto busy = [this](std::size_t n) {
            return std::count_if(m_made.begin(), m_made.end(), [n](const Made& m) { return m.from == n; });
        };
        const auto leaves = [this](std::size_t n) { return m_plan.nodes[n].after.none(); };
        return *std::min_element(holders.begin(), holders.end(), [&](std::size_t a, std::size_t b) {
            return std::pair(leaves(a), busy(a)) < std::pair(leaves(b), busy(b));
        });
    }

    void add(int p, PlanMove::Kind kind, std::size_t from, std::size_t to) {
        PlanMove move;
        move.partition = p;
        move.kind = kind;
        move.from = m_plan.nodes[from].address;
        if (to != kNobody) {
            move.to = m_plan.nodes[to].address;
            move.vectors = m_plan.vectors ? (*m_plan.vectors)[static_cast<std::size_t>(p)] : 0;
            move.bytes = move.vectors * m_plan.rates.bytesPerVector;
            ++m_plan.nodes[to].movesIn;
            ++m_plan.nodes[from].movesOut;
        }
        move.reason = reasonFor(p, kind, m_plan.nodes[from], to == kNobody ? nullptr : &m_plan.nodes[to]);
        m_made.push_back({std::move(move), from, to});
    }

    [[nodiscard]] Wording reasonFor(int p, PlanMove::Kind kind, const PlanNode& from, const PlanNode* to) const {
        if (to != nullptr && to->pinned[static_cast<std::size_t>(p)])
            return {Pattern("pinned to %1"), {to->label()}};
        if (kind == PlanMove::Kind::Copy)
            return {Pattern("replication %1 wants one more copy"), {std::to_string(m_plan.replication)}};
        if (from.role == PlanNode::Role::Leaves)
            return {Pattern("%1 leaves"), {from.label()}};
        if (from.role == PlanNode::Role::Drained)
            return {Pattern("%1 is drained"), {from.label()}};
        if (kind == PlanMove::Kind::Drop)
            return {Pattern("replication %1 wants no more copies"), {std::to_string(m_plan.replication)}};
        const int over = static_cast<int>(from.before.count()) - from.target;
        if (over > 0)
            return {Pattern("%1 over target by %2"), {from.label(), std::to_string(over)}};
        if (m_plan.mode == PlanMode::Contiguous)
            return {Pattern("the range of %1 shifts"), {from.label()}};
        return m_plan.objective == Objective::Vectors ? Pattern("vectors are spread more evenly") : Pattern("replicas are kept apart");
    }

    // In each wave first the moves of those nodes that have most left to do: they decide how long it takes.
    void fillWaves() {
        std::vector<int> left(m_plan.nodes.size(), 0);
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < m_made.size(); ++i) {
            if (m_made[i].to == kNobody)
                continue;
            ++left[m_made[i].from];
            ++left[m_made[i].to];
            open.push_back(i);
        }
        int wave = 0;
        while (!open.empty()) {
            ++wave;
            std::stable_sort(open.begin(), open.end(), [&](std::size_t a, std::size_t b) {
                return std::max(left[m_made[a].from], left[m_made[a].to]) > std::max(left[m_made[b].from], left[m_made[b].to]);
            });
            std::vector<int> busy(m_plan.nodes.size(), 0);
            std::vector<std::size_t> later;
            for (const std::size_t i : open) {
                Made& made = m_made[i];
                if (busy[made.from] >= m_plan.rates.movesPerNode || busy[made.to] >= m_plan.rates.movesPerNode) {
                    later.push_back(i);
                    continue;
                }
                ++busy[made.from];
                ++busy[made.to];
                made.move.wave = wave;
            }
            for (std::size_t n = 0; n < left.size(); ++n)
                left[n] -= busy[n];
            std::sort(later.begin(), later.end());
            open = std::move(later);
        }
        for (Made& made : m_made)
            if (made.to == kNobody)
                made.move.wave = wave + 1; // copies are given up when all others are in place
    }

    Plan& m_plan;
    std::vector<Made> m_made;
};

// Largest load per weight over the mean, over nodes with partitions.
template<class Load>
double maxOverMean(const std::vector<PlanNode>& nodes, PartitionSet PlanNode::*set, Load load) {
    double most = 0;
    double total = 0;
    double weights = 0;
    for (const PlanNode& node : nodes) {
        if ((node.*set).none())
            continue;
        const auto value = static_cast<double>(load(node.*set));
        most = std::max(most, value / node.weight.hundredths());
        total += value;
        weights += node.weight.hundredths();
    }
    return total > 0 ? most * weights / total : 0;
}

std::uint64_t vectorsOf(const std::optional<PartitionVectors>& vectors, const PartitionSet& set) {
    std::uint64_t sum = 0;
    for (std::size_t p = 0; vectors && p < set.size(); ++p)
        sum += set[p] ? (*vectors)[p] : 0;
    return sum;
}

void fillFigures(Plan& plan) {
    PlanFigures& figures = plan.figures;
    std::map<int, std::uint64_t> slowest; // by wave: the largest move
    for (const PlanMove& move : plan.moves) {
        figures.moved += move.kind == PlanMove::Kind::Drop ? 0 : 1;
        figures.vectorsMoved += move.vectors;
        figures.bytesMoved += move.bytes;
        figures.waves = std::max(figures.waves, move.wave);
        slowest[move.wave] = std::max(slowest[move.wave], move.vectors);
    }
    for (const auto& [wave, vectors] : slowest)
        figures.seconds += plan.rates.vectorsPerSecond > 0 ? static_cast<double>(vectors) / plan.rates.vectorsPerSecond : 0;
    const auto count = [](const PartitionSet& set) { return set.count(); };
    const auto vectors = [&plan](const PartitionSet& set) { return vectorsOf(plan.vectors, set); };
    figures.maxOverMeanBefore = maxOverMean(plan.nodes, &PlanNode::before, count);
    figures.maxOverMeanAfter = maxOverMean(plan.nodes, &PlanNode::after, count);
    figures.vectorMaxOverMeanBefore = maxOverMean(plan.nodes, &PlanNode::before, vectors);
    figures.vectorMaxOverMeanAfter = maxOverMean(plan.nodes, &PlanNode::after, vectors);
    for (PlanNode& node : plan.nodes) {
        figures.ranges += static_cast<int>(rangesOf(node.after).size());
        node.vectorsBefore = vectors(node.before);
        node.vectorsAfter = vectors(node.after);
    }
}

struct Neighbours {
    std::string first;
    std::string second;
    std::string place;
    bool oneHost = false; ///< else one zone
    auto operator<=>(const Neighbours&) const = default;
};

// One line for all partitions that the same nodes share.
void warnAboutSharing(Plan& plan) {
    std::map<Neighbours, PartitionSet> shared;
    for (std::size_t a = 0; a < plan.nodes.size(); ++a)
        for (std::size_t b = a + 1; b < plan.nodes.size(); ++b) {
            const PlanNode& first = plan.nodes[a];
            const PlanNode& second = plan.nodes[b];
            const PartitionSet both = first.after & second.after;
            const bool oneHost = first.address.host() == second.address.host() || (first.address.isLocal() && second.address.isLocal());
            const bool oneZone = !first.zone.empty() && first.zone == second.zone;
            if (both.none() || (!oneHost && !oneZone))
                continue;
            shared[{first.label(), second.label(), oneHost ? first.address.host() : first.zone, oneHost}] |= both;
        }
    for (const auto& [who, partitions] : shared)
        plan.warnings.push_back({who.oneHost ? Pattern("partitions %1 have replicas at %2 and %3, both on host %4")
                                             : Pattern("partitions %1 have replicas at %2 and %3, both in zone %4"),
                                 {rangesText(partitions), who.first, who.second, who.place}});
}

} // namespace

ClusterConfig configOfNodes(std::span<const PlanNode> nodes, PartitionSet PlanNode::*assignment, const std::optional<int>& replication,
                            const std::optional<bool>& allowPartialSearch) {
    ClusterConfig config;
    for (const PlanNode& node : nodes) {
        const auto weight = node.weight == Weight() ? std::nullopt : std::optional(node.weight);
        for (const Range& range : rangesOf(node.*assignment))
            config.entries.push_back({node.address, range, node.name, weight});
    }
    config.replication = replication;
    config.allowPartialSearch = allowPartialSearch;
    return config;
}

void completePlan(Plan& plan) {
    MoveMaker(plan).run();
    fillFigures(plan);
    if (plan.replication > 1)
        warnAboutSharing(plan);
    for (const PlanNode& node : plan.nodes)
        if (node.after.none() && node.role == PlanNode::Role::Stays)
            plan.warnings.push_back({Pattern("the share of %1 is below one partition; it leaves the map"), {node.label()}});
    plan.after = configOfNodes(plan.nodes, &PlanNode::after, plan.fileReplication, plan.before.allowPartialSearch);
    plan.epochBefore = epochOf(plan.before);
    plan.epochAfter = epochOf(plan.after);
}

} // namespace fremis::routing

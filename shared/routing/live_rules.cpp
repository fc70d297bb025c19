#include "shared/routing/live_rules.h"

#include <algorithm>
#include <cstdio>

namespace fremis::routing {

using base::fail;
using base::Reason;

namespace {

using Facts = std::map<Address, NodeFacts>;

std::uint64_t vectorsAt(const Facts& nodes, const Address& address, base::Partition partition) {
    const auto node = nodes.find(address);
    return node == nodes.end() || !node->second.vectors ? 0 : (*node->second.vectors)[partition];
}

bool anyOwnerHolds(const PartitionMap& map, base::Partition partition, const Facts& nodes) {
    const auto owners = map.owners(partition);
    return std::any_of(owners.begin(), owners.end(),
                       [&](std::uint16_t n) { return vectorsAt(nodes, map.nodes()[n].address, partition) > 0; });
}

// The node that gives the partition up and holds most of it.
const Address* richestOf(const std::vector<Address>& leaves, base::Partition partition, const Facts& nodes) {
    const auto richest = std::max_element(leaves.begin(), leaves.end(), [&](const Address& a, const Address& b) {
        return vectorsAt(nodes, a, partition) < vectorsAt(nodes, b, partition);
    });
    return richest == leaves.end() || vectorsAt(nodes, *richest, partition) == 0 ? nullptr : &*richest;
}

Problem liveProblem(Rule rule, Severity severity, std::string message) {
    return {0, 0, rule, severity, std::move(message), {}, {}};
}

void checkDrift(const PartitionMap& draft, const LiveFacts& facts, std::vector<Problem>& problems) {
    for (const MapNode& node : draft.nodes()) {
        const auto known = facts.nodes.find(node.address);
        if (known == facts.nodes.end())
            continue;
        if (!known->second.answers)
            problems.push_back(liveProblem(Rule::NoAnswer, Severity::Warning, node.label() + " does not answer"));
        const auto& reported = known->second.reportedPartitions;
        if (!reported || *reported == node.partitions)
            continue;
        problems.push_back(liveProblem(Rule::Drift, Severity::Warning,
                                       node.label() + " reports partitions " + rangesText(*reported) + ", the config says " +
                                           rangesText(node.partitions)));
        problems.back().partitions = *reported ^ node.partitions;
    }
}

// Vectors of each partition as the fullest copy has them.
PartitionVectors fullestCopies(const Facts& nodes) {
    PartitionVectors most{};
    for (const auto& [address, facts] : nodes)
        for (std::size_t p = 0; facts.vectors && p < most.size(); ++p)
            most[p] = std::max(most[p], (*facts.vectors)[p]);
    return most;
}

void checkBalance(const PartitionMap& draft, const LiveFacts& facts, std::vector<Problem>& problems) {
    constexpr double kMostOverMean = 1.25;
    const PartitionVectors vectors = fullestCopies(facts.nodes);
    double total = 0;
    double weights = 0;
    double most = 0;
    const MapNode* fullest = nullptr;
    for (const MapNode& node : draft.nodes()) {
        double load = 0;
        for (std::size_t p = 0; p < vectors.size(); ++p)
            load += node.partitions[p] ? static_cast<double>(vectors[p]) : 0;
        total += load;
        weights += node.weight.hundredths();
        const double perWeight = load / node.weight.hundredths();
        if (perWeight > most) {
            most = perWeight;
            fullest = &node;
        }
    }
    if (fullest == nullptr || most * weights <= kMostOverMean * total)
        return;
    char ratio[32] = {};
    std::snprintf(ratio, sizeof ratio, "%.2f", most * weights / total);
    problems.push_back(liveProblem(Rule::Imbalance, Severity::Warning,
                                   "vectors are spread unevenly: " + fullest->label() + " holds " + ratio + " times its share"));
}

void checkOrphans(const PartitionMap& draft, const LiveFacts& facts, std::vector<Problem>& problems) {
    for (const Orphan& orphan : orphansBetween(*facts.running, draft, facts.nodes)) {
        Problem problem = liveProblem(Rule::OrphanedData, Severity::Error, {});
        const std::string pair = orphan.from.text() + " to " + orphan.to.text();
        auto same = std::find_if(problems.begin(), problems.end(), [&pair](const Problem& p) {
            return p.rule == Rule::OrphanedData && p.message.ends_with(pair);
        });
        if (same == problems.end()) {
            problem.message = pair;
            same = problems.insert(problems.end(), std::move(problem));
        }
        same->partitions.set(orphan.partition);
    }
    for (Problem& problem : problems)
        if (problem.rule == Rule::OrphanedData)
            problem.message = "partitions " + rangesText(problem.partitions) + " go from " + problem.message +
                              ", which holds none of their vectors";
}

} // namespace

std::vector<Orphan> orphansBetween(const PartitionMap& before, const PartitionMap& after, const Facts& nodes) {
    std::vector<Orphan> orphans;
    for (const OwnerChange& change : changesBetween(before, after)) {
        const Address* from = richestOf(change.leaves, change.partition, nodes);
        if (from == nullptr)
            continue;
        const std::uint64_t vectors = vectorsAt(nodes, *from, change.partition);
        const bool onlyCopy = !anyOwnerHolds(after, change.partition, nodes);
        for (const Address& to : change.joins)
            if (vectorsAt(nodes, to, change.partition) == 0)
                orphans.push_back({change.partition, *from, to, vectors, onlyCopy});
        // Nobody new, and those who stay have nothing: the data would go all the same.
        const auto owners = after.owners(change.partition);
        if (change.joins.empty() && onlyCopy && !owners.empty())
            orphans.push_back({change.partition, *from, after.nodes()[owners.front()].address, vectors, true});
    }
    return orphans;
}

base::Status checkDataMoved(const std::vector<Orphan>& orphans, const MoveProof& proof, bool onlyCopyLost) {
    const PartitionSet answered = proof.copied | proof.overridden;
    PartitionSet open;
    for (const Orphan& orphan : orphans)
        if (!answered[orphan.partition] && (orphan.onlyCopy || !onlyCopyLost))
            open.set(orphan.partition);
    if (open.none())
        return {};
    return fail(Reason::DataNotMoved, "partitions " + rangesText(open) +
                                          " would go to nodes that hold none of their vectors; move the data first");
}

std::vector<Problem> checkLive(const PartitionMap& draft, const LiveFacts& facts) {
    std::vector<Problem> problems;
    checkDrift(draft, facts, problems);
    checkBalance(draft, facts, problems);
    if (facts.running)
        checkOrphans(draft, facts, problems);
    if (facts.textWhenRead && facts.textNow && *facts.textWhenRead != *facts.textNow)
        problems.push_back(liveProblem(Rule::FileChanged, Severity::Error, "the file changed since it was read"));
    if (facts.running && facts.running->epoch() == draft.epoch())
        problems.push_back(liveProblem(Rule::NoChange, Severity::Info, "the draft equals the running config"));
    return problems;
}

} // namespace fremis::routing

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

Problem liveProblem(Rule rule, Severity severity, Wording wording) {
    std::string message = wording.text();
    return {0, 0, rule, severity, std::move(message), {}, {}, std::move(wording)};
}

void checkDrift(const PartitionMap& draft, const LiveFacts& facts, std::vector<Problem>& problems) {
    for (const MapNode& node : draft.nodes()) {
        const auto known = facts.nodes.find(node.address);
        if (known == facts.nodes.end())
            continue;
        if (!known->second.answers)
            problems.push_back(liveProblem(Rule::NoAnswer, Severity::Warning, {Pattern("%1 does not answer"), {node.label()}}));
        const auto& reported = known->second.reportedPartitions;
        if (!reported || *reported == node.partitions)
            continue;
        problems.push_back(liveProblem(Rule::Drift, Severity::Warning,
                                       {Pattern("%1 reports partitions %2, the config says %3"),
                                        {node.label(), rangesText(*reported), rangesText(node.partitions)}}));
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
                                   {Pattern("vectors are spread unevenly: %1 holds %2 times its share"), {fullest->label(), std::string(ratio)}}));
}

void checkOrphans(const PartitionMap& draft, const LiveFacts& facts, std::vector<Problem>& problems) {
    std::map<std::pair<std::string, std::string>, PartitionSet> pairs;
    std::vector<std::pair<std::string, std::string>> order;
    for (const Orphan& orphan : orphansBetween(*facts.running, draft, facts.nodes)) {
        const std::pair pair(orphan.from.text(), orphan.to.text());
        if (!pairs.contains(pair))
            order.push_back(pair);
        pairs[pair].set(orphan.partition);
    }
    for (const auto& pair : order) {
        const PartitionSet& partitions = pairs[pair];
        problems.push_back(liveProblem(Rule::OrphanedData, Severity::Error,
                                       {Pattern("partitions %1 go from %2 to %3, which holds none of their vectors"),
                                        {rangesText(partitions), pair.first, pair.second}}));
        problems.back().partitions = partitions;
    }
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
        problems.push_back(liveProblem(Rule::FileChanged, Severity::Error, Pattern("the file changed since it was read")));
    if (facts.running && facts.running->epoch() == draft.epoch())
        problems.push_back(liveProblem(Rule::NoChange, Severity::Info, Pattern("the draft equals the running config")));
    return problems;
}

} // namespace fremis::routing

#include "shared/routing/raw_config.h"

#include <algorithm>
#include <array>
#include <map>

namespace fremis::routing {

namespace {

Wording owners(std::size_t count) {
    return {count == 1 ? Pattern("%1 owner") : Pattern("%1 owners"), {std::to_string(count)}};
}

Wording partitionsText(const PartitionSet& set) {
    return {set.count() == 1 ? Pattern("partition %1") : Pattern("partitions %1"), {rangesText(set)}};
}

std::string lineOf(const Spot& spot) { return std::to_string(spot.line); }

class MapChecker {
public:
    MapChecker(const RawConfig& config, const ConfigRules& rules, std::vector<Problem>& problems)
        : m_config(config), m_rules(rules), m_problems(problems) {}

    void run() {
        checkNames();
        checkWeights();
        if (!m_config.rangesKnown)
            return;
        checkSameAddress();
        countOwners();
        checkGaps();
        checkOwnerCounts();
        checkRaggedOverlaps();
        checkLocalTargets();
        checkHosts();
    }

private:
    Problem& report(Spot spot, Rule rule, Severity severity, Wording wording) {
        return m_problems.emplace_back(problemAt(spot, rule, severity, std::move(wording)));
    }

    void checkNames() {
        std::map<std::string_view, const RawEntry*> byName;
        std::map<std::string_view, const RawEntry*> named;
        for (const RawEntry& entry : m_config.entries) {
            if (!entry.name || !entry.address)
                continue;
            const auto [user, isNew] = byName.try_emplace(*entry.name, &entry);
            if (!isNew && *user->second->address != *entry.address)
                report(entry.nameSpot, Rule::AddressForm, Severity::Error,
                       {Pattern("name \"%1\" is also that of %2 in line %3"),
                        {*entry.name, user->second->address->text(), lineOf(user->second->nameSpot)}});
            const auto [first, isFirst] = named.try_emplace(entry.address->key(), &entry);
            if (!isFirst && *first->second->name != *entry.name)
                report(entry.nameSpot, Rule::AddressForm, Severity::Error,
                       {Pattern("%1 is named \"%2\" in line %3 and \"%4\" here"),
                        {entry.address->text(), *first->second->name, lineOf(first->second->nameSpot), *entry.name}});
        }
    }

    void checkWeights() {
        std::map<std::string_view, const RawEntry*> weighted;
        for (const RawEntry& entry : m_config.entries) {
            if (!entry.weight || !entry.address)
                continue;
            const auto [first, isFirst] = weighted.try_emplace(entry.address->key(), &entry);
            if (!isFirst && *first->second->weight != *entry.weight)
                report(entry.spot, Rule::Number, Severity::Error,
                       {Pattern("%1 has weight %2 in line %3 and %4 here"),
                        {entry.address->text(), first->second->weight->text(), lineOf(first->second->spot),
                         entry.weight->text()}});
        }
    }

    void checkSameAddress() {
        std::map<std::string_view, std::vector<const RawEntry*>> byAddress;
        for (const RawEntry& entry : m_config.entries) {
            auto& earlier = byAddress[entry.address->key()];
            for (const RawEntry* other : earlier)
                if (other->range->intersects(*entry.range)) {
                    reportTwice(*other, entry);
                    break;
                }
            earlier.push_back(&entry);
        }
        for (const auto& [key, entries] : byAddress)
            if (entries.size() > 1)
                reportSeveral(entries);
    }

    void reportTwice(const RawEntry& first, const RawEntry& second) {
        const PartitionSet both = setOf(*first.range) & setOf(*second.range);
        Problem& problem = report(second.startSpot, Rule::OneAddressTwice, Severity::Error,
                                  {Pattern("%1 has %2 twice; also in line %3"),
                                   {second.address->text(), partitionsText(both), lineOf(first.startSpot)}});
        problem.partitions = both;
        problem.fixes.push_back({Pattern("merge"), mergeEdits(first, second)});
    }

    void reportSeveral(const std::vector<const RawEntry*>& entries) {
        PartitionSet all;
        for (const RawEntry* entry : entries)
            all |= setOf(*entry->range);
        Problem& problem = report(entries[1]->spot, Rule::OneAddressTwice, Severity::Info,
                                  {Pattern("%1 has %2 ranges: %3"),
                                   {entries[1]->address->text(), std::to_string(entries.size()), rangesText(all)}});
        problem.partitions = all;
        for (std::size_t i = 1; i < entries.size(); ++i)
            if (entries[i - 1]->range->last + 1 == entries[i]->range->first)
                problem.fixes.push_back({Wording(Pattern("merge %1 and %2"), {rangeText(*entries[i - 1]->range), rangeText(*entries[i]->range)}),
                                         mergeEdits(*entries[i - 1], *entries[i])});
    }

    static std::vector<Edit> mergeEdits(const RawEntry& first, const RawEntry& second) {
        std::vector<Edit> edits = setRange(first.index, {std::min(first.range->first, second.range->first),
                                                         std::max(first.range->last, second.range->last)});
        edits.push_back(RemoveEntry{second.index});
        return edits;
    }

    void countOwners() {
        for (const RawEntry& entry : m_config.entries) {
            m_sets.push_back(setOf(*entry.range));
            m_partitionsOf[entry.address->key()] |= m_sets.back();
        }
        for (const auto& [key, set] : m_partitionsOf)
            for (std::size_t p = 0; p < set.size(); ++p)
                m_owners[p] += set[p] ? 1U : 0U;
    }

    void checkGaps() {
        PartitionSet gap;
        for (std::size_t p = 0; p < m_owners.size(); ++p)
            gap[p] = m_owners[p] == 0;
        if (gap.none())
            return;
        const auto ranges = rangesOf(gap);
        const RawEntry* before = endingAt(ranges.front().first - 1);
        const Spot spot = before != nullptr ? before->startSpot : m_config.nodesSpot;
        Problem& problem = report(spot, Rule::Gap, Severity::Error,
                                  {gap.count() == 1 ? Pattern("%1 belongs to nobody") : Pattern("%1 belong to nobody"),
                                   {partitionsText(gap)}});
        problem.partitions = gap;
        for (const Range& range : ranges)
            addGapFixes(range, problem);
    }

    static Wording giveTo(const Range& gap, const RawEntry& entry) {
        return {Pattern("give %1 to %2 (line %3)"), {rangeText(gap), entry.address->text(), lineOf(entry.spot)}};
    }

    void addGapFixes(const Range& gap, Problem& problem) const {
        if (const RawEntry* left = endingAt(gap.first - 1))
            problem.fixes.push_back({giveTo(gap, *left), {setEnd(left->index, gap.last)}});
        if (const RawEntry* right = startingAt(gap.last + 1))
            problem.fixes.push_back({giveTo(gap, *right), {setStart(right->index, gap.first)}});
    }

    [[nodiscard]] const RawEntry* endingAt(int partition) const {
        for (const RawEntry& entry : m_config.entries)
            if (entry.range->last == partition)
                return &entry;
        return nullptr;
    }
    [[nodiscard]] const RawEntry* startingAt(int partition) const {
        for (const RawEntry& entry : m_config.entries)
            if (entry.range->first == partition)
                return &entry;
        return nullptr;
    }

    [[nodiscard]] std::optional<int> wanted() const {
        return m_config.replication ? m_config.replication : m_rules.expectedReplication;
    }

    void checkOwnerCounts() {
        std::map<std::size_t, PartitionSet> byCount;
        for (std::size_t p = 0; p < m_owners.size(); ++p)
            byCount[m_owners[p]].set(p);
        byCount.erase(0);
        const auto r = wanted();
        for (const auto& [count, set] : byCount) {
            const bool over = !r ? count > 1 : count > static_cast<std::size_t>(*r);
            const bool under = r && count < static_cast<std::size_t>(*r);
            if (over || under)
                reportCount(set, count, over);
        }
    }

    void reportCount(const PartitionSet& set, std::size_t count, bool over) {
        const Severity severity = m_config.replication ? Severity::Error : (wanted() ? Severity::Warning : Severity::Info);
        Wording message(set.count() == 1 ? Pattern("%1 has %2") : Pattern("%1 have %2"), {partitionsText(set), owners(count)});
        if (wanted())
            message = {m_config.replication ? Pattern("%1; replication is %2") : Pattern("%1, expected are %2"),
                       {message, std::to_string(*wanted())}};
        const Spot spot = m_config.replication ? m_config.replicationSpot : m_config.nodesSpot;
        Problem& problem = report(spot, over ? Rule::OverAssigned : Rule::UnderReplicated, severity, std::move(message));
        problem.partitions = set;
        if (m_config.replication && count <= m_partitionsOf.size() && set.all())
            problem.fixes.push_back({Wording(Pattern("set replication: %1"), {std::to_string(count)}), {setReplication(static_cast<int>(count))}});
    }

    // Equal ranges are replicas on purpose; ranges that cross are probably a slip of the finger, unless the file says how
    // many owners it wants and gets exactly these.
    void checkRaggedOverlaps() {
        for (std::size_t i = 0; i < m_config.entries.size(); ++i) {
            const RawEntry& entry = m_config.entries[i];
            PartitionSet overlap;
            const RawEntry* first = nullptr;
            for (std::size_t j = 0; j < i; ++j) {
                const RawEntry& other = m_config.entries[j];
                if (*other.range == *entry.range || !other.range->intersects(*entry.range) || *other.address == *entry.address)
                    continue;
                first = first == nullptr ? &other : first;
                overlap |= m_sets[j];
            }
            if (first != nullptr)
                reportRagged(entry, *first, overlap & m_sets[i]);
        }
    }

    void reportRagged(const RawEntry& entry, const RawEntry& first, const PartitionSet& overlap) {
        bool meant = m_config.replication.has_value();
        for (std::size_t p = 0; p < overlap.size(); ++p)
            meant = meant && (!overlap[p] || m_owners[p] == static_cast<std::size_t>(*m_config.replication));
        Problem& problem = report(entry.startSpot, Rule::OverAssigned, meant ? Severity::Info : Severity::Warning,
                                  {Pattern("range %1 overlaps %2 of %3 (line %4) without being equal; replicated are %5"),
                                   {rangeText(*entry.range), rangeText(*first.range), first.address->text(),
                                    lineOf(first.startSpot), rangesText(overlap)}});
        problem.partitions = overlap;
        addTrimFixes(first, entry, problem);
    }

    static void addTrimFixes(const RawEntry& a, const RawEntry& b, Problem& problem) {
        const RawEntry& left = a.range->first <= b.range->first ? a : b;
        const RawEntry& right = &left == &a ? b : a;
        if (left.range->first == right.range->first || right.range->last <= left.range->last)
            return; // one lies inside the other: trimming would not part them
        problem.fixes.push_back({Wording(Pattern("end %1 at %2"), {left.address->text(), std::to_string(right.range->first - 1)}),
                                 {setEnd(left.index, right.range->first - 1)}});
        problem.fixes.push_back({Wording(Pattern("start %1 at %2"), {right.address->text(), std::to_string(left.range->last + 1)}),
                                 {setStart(right.index, left.range->last + 1)}});
    }

    void checkLocalTargets() {
        const auto isRemote = [](const RawEntry& e) { return !e.address->isLocal(); };
        const bool spans = m_rules.spansHosts.value_or(std::any_of(m_config.entries.begin(), m_config.entries.end(), isRemote));
        if (!spans)
            return;
        for (const RawEntry& entry : m_config.entries)
            if (entry.address->isLocal())
                report(entry.addressSpot, Rule::LocalTarget, Severity::Warning,
                       {Pattern("address %1 means the coordinator's own machine, yet the cluster has others"),
                        {entry.address->text()}});
    }

    void checkHosts() {
        std::map<std::string_view, std::vector<const RawEntry*>> byHost;
        for (const RawEntry& entry : m_config.entries)
            byHost[entry.address->host()].push_back(&entry);
        for (const auto& [host, entries] : byHost)
            for (std::size_t i = 1; i < entries.size(); ++i)
                checkHost(entries, i);
    }

    void checkHost(const std::vector<const RawEntry*>& onHost, std::size_t i) {
        const RawEntry& entry = *onHost[i];
        PartitionSet shared;
        std::string others;
        for (std::size_t j = 0; j < i; ++j) {
            if (!onHost[j]->range->intersects(*entry.range) || *onHost[j]->address == *entry.address)
                continue;
            shared |= m_sets[onHost[j]->index] & m_sets[entry.index];
            others = others.empty() ? onHost[j]->address->text() : others;
        }
        if (shared.none())
            return;
        Problem& problem = report(entry.addressSpot, Rule::OneHost, Severity::Warning,
                                  {Pattern("%1: %2 and %3 are on one host and fail together"),
                                   {partitionsText(shared), others, entry.address->text()}});
        problem.partitions = shared;
    }

    const RawConfig& m_config;
    const ConfigRules& m_rules;
    std::vector<Problem>& m_problems;
    std::vector<PartitionSet> m_sets;                        // by entry
    std::map<std::string_view, PartitionSet> m_partitionsOf; // by address key
    std::array<std::size_t, base::kPartitionCount> m_owners{};
};

} // namespace

void checkMap(const RawConfig& config, const ConfigRules& rules, std::vector<Problem>& problems) {
    MapChecker(config, rules, problems).run();
}

} // namespace fremis::routing

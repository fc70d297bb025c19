// ConfigDocument::editsTo(): the edits between what a document says and a wanted map.
#include "shared/routing/config_document.h"
#include "shared/routing/raw_config.h"

#include <algorithm>
#include <map>

namespace fremis::routing {

using base::fail;
using base::Reason;
using base::Result;

namespace {

struct WantedNode {
    Address address;
    PartitionSet partitions;
    std::optional<std::string> name;
    std::optional<Weight> weight;
    std::vector<std::size_t> entries; // of the document
    std::vector<Range> unplaced;      // ranges that no entry of the document takes over
};

struct Placed {
    std::size_t entry;
    Range range;
};

class MapEditor {
public:
    MapEditor(const RawConfig& now, const ClusterConfig& wanted) : m_now(now), m_wanted(wanted) {}

    std::vector<Edit> run() {
        collectNodes();
        for (WantedNode& node : m_nodes)
            placeRanges(node);
        removeOthers();
        for (const WantedNode& node : m_nodes)
            writeNameAndWeight(node);
        insertUnplaced();
        if (m_wanted.replication != m_now.replication)
            m_edits.push_back(setReplication(m_wanted.replication));
        if (m_wanted.allowPartialSearch != m_now.allowPartialSearch)
            m_edits.push_back(setAllowPartialSearch(m_wanted.allowPartialSearch));
        return std::move(m_edits);
    }

private:
    void collectNodes() {
        for (const NodeEntry& entry : m_wanted.entries) {
            auto node = std::find_if(m_nodes.begin(), m_nodes.end(), [&](const WantedNode& n) { return n.address == entry.address; });
            if (node == m_nodes.end())
                node = m_nodes.insert(m_nodes.end(), WantedNode{entry.address, {}, {}, {}, {}, {}});
            node->partitions |= setOf(entry.range);
            if (entry.name)
                node->name = entry.name;
            if (entry.weight)
                node->weight = entry.weight;
        }
        for (const RawEntry& entry : m_now.entries)
            for (WantedNode& node : m_nodes)
                if (node.address == *entry.address)
                    node.entries.push_back(entry.index);
    }

    // Equal ranges keep their entries untouched, the others are dealt out in order.
    void placeRanges(WantedNode& node) {
        std::vector<std::size_t> free = node.entries;
        std::vector<Range> left;
        for (const Range& range : mergedLike(node)) {
            const auto same = std::find_if(free.begin(), free.end(), [&](std::size_t e) { return *m_now.entries[e].range == range; });
            if (same == free.end()) {
                left.push_back(range);
                continue;
            }
            m_placed.push_back({*same, range});
            free.erase(same);
        }
        std::sort(free.begin(), free.end(), [this](std::size_t a, std::size_t b) {
            return std::pair(*m_now.entries[a].range, a) < std::pair(*m_now.entries[b].range, b);
        });
        for (std::size_t i = 0; i < left.size(); ++i) {
            if (i >= free.size()) {
                node.unplaced.push_back(left[i]);
                continue;
            }
            m_placed.push_back({free[i], left[i]});
            if (m_now.entries[free[i]].range->first != left[i].first)
                m_edits.push_back(setStart(free[i], left[i].first));
            if (m_now.entries[free[i]].range->last != left[i].last)
                m_edits.push_back(setEnd(free[i], left[i].last));
        }
    }

    // The fewest ranges, but where the document splits the same partitions into adjacent entries that all stay, it may.
    [[nodiscard]] std::vector<Range> mergedLike(const WantedNode& node) const {
        PartitionSet now;
        std::vector<Range> ranges;
        for (const std::size_t e : node.entries) {
            now |= setOf(*m_now.entries[e].range);
            ranges.push_back(*m_now.entries[e].range);
        }
        return now == node.partitions ? ranges : rangesOf(node.partitions);
    }

    void removeOthers() {
        for (const RawEntry& entry : m_now.entries)
            if (!isPlaced(entry.index))
                m_edits.emplace_back(RemoveEntry{entry.index});
    }

    [[nodiscard]] bool isPlaced(std::size_t entry) const {
        return std::any_of(m_placed.begin(), m_placed.end(), [entry](const Placed& p) { return p.entry == entry; });
    }

    void writeNameAndWeight(const WantedNode& node) {
        std::vector<std::size_t> kept;
        for (const std::size_t e : node.entries)
            if (isPlaced(e))
                kept.push_back(e);
        writeKey(kept, node.name, [](const RawEntry& e) { return e.name; }, setName);
        const auto weight = node.weight == Weight() ? std::nullopt : node.weight;
        // A weight of 1 that is written out means the same as none: it stays as it is.
        const auto stated = [this](std::size_t e) { return m_now.entries[e].weight == Weight(); };
        if (!weight && std::all_of(kept.begin(), kept.end(), [&](std::size_t e) { return stated(e) || !m_now.entries[e].weight; }))
            return;
        writeKey(kept, weight, [](const RawEntry& e) { return e.weight; }, setWeight);
    }

    template<class T, class Get, class Make>
    void writeKey(const std::vector<std::size_t>& kept, const std::optional<T>& wanted, Get get, Make make) {
        bool written = false;
        for (const std::size_t e : kept) {
            const std::optional<T> now = get(m_now.entries[e]);
            written = written || now.has_value();
            if (now && now != wanted)
                m_edits.push_back(make(e, wanted));
        }
        if (!written && wanted && !kept.empty())
            m_edits.push_back(make(kept.front(), wanted));
    }

    void insertUnplaced() {
        struct Fresh {
            std::size_t at;
            NodeEntry entry;
        };
        std::vector<Fresh> fresh;
        for (const WantedNode& node : m_nodes) {
            bool isFirst = std::none_of(node.entries.begin(), node.entries.end(), [this](std::size_t e) { return isPlaced(e); });
            for (const Range& range : node.unplaced) {
                fresh.push_back({placeFor(range), {node.address, range, {}, {}}});
                if (isFirst) {
                    fresh.back().entry.name = node.name;
                    fresh.back().entry.weight = node.weight;
                }
                isFirst = false;
            }
        }
        std::stable_sort(fresh.begin(), fresh.end(), [](const Fresh& a, const Fresh& b) {
            return std::pair(a.at, a.entry.range) < std::pair(b.at, b.entry.range);
        });
        for (Fresh& f : fresh)
            m_edits.emplace_back(InsertEntry{f.at, std::move(f.entry)});
    }

    // Behind the kept entry whose range comes last before this one; at the begin when there is none.
    [[nodiscard]] std::size_t placeFor(const Range& range) const {
        const Placed* best = nullptr;
        for (const Placed& p : m_placed)
            if (p.range.first <= range.first && (best == nullptr || std::pair(best->range, best->entry) <= std::pair(p.range, p.entry)))
                best = &p;
        return best == nullptr ? 0 : best->entry + 1;
    }

    const RawConfig& m_now;
    const ClusterConfig& m_wanted;
    std::vector<WantedNode> m_nodes;
    std::vector<Placed> m_placed;
    std::vector<Edit> m_edits;
};

} // namespace

Result<std::vector<Edit>> ConfigDocument::editsTo(const ClusterConfig& wanted) const {
    std::vector<Problem> problems;
    const RawConfig now = readSchema(*m_document, m_rules, problems);
    if (!now.rangesKnown)
        return fail(Reason::InvalidConfig, "the entries of the file cannot all be read: " + m_reading.firstError("line"));
    return MapEditor(now, wanted).run();
}

} // namespace fremis::routing

#pragma once

#include "shared/index/keyspace_graph.h"
#include "shared/index/partition_rows.h"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace fremis::index {

/// One keyspace: up to 256 partitions in a tree of two levels, so that a keyspace with a few faces is small. Readers:
/// find(), visibleAt(), graph(), counters. All else is for one writer at a time.
class KeyspaceRows {
public:
    KeyspaceRows(std::string name, std::uint64_t born) : m_name(std::move(name)), m_born(born) {}
    ~KeyspaceRows();
    KeyspaceRows(const KeyspaceRows&) = delete;
    KeyspaceRows& operator=(const KeyspaceRows&) = delete;

    [[nodiscard]] const std::string& name() const { return m_name; }
    [[nodiscard]] bool visibleAt(std::uint64_t epoch) const {
        return m_born <= epoch && epoch < m_died.load(std::memory_order_acquire);
    }
    [[nodiscard]] bool dropped() const { return m_died.load(std::memory_order_relaxed) != kForever; }
    void drop(std::uint64_t epoch) { m_died.store(epoch, std::memory_order_release); }

    /// The partition as a snapshot of this epoch sees it, or null.
    [[nodiscard]] const PartitionRows* find(base::Partition number, std::uint64_t epoch) const;
    /// The partition as it is now, or null.
    [[nodiscard]] PartitionRows* current(base::Partition number) const;
    [[nodiscard]] PartitionRows& currentOrNew(base::Partition number, std::uint64_t epoch);
    /// Takes a dropped partition out of the tree; readers may still stand on it.
    void unlink(PartitionRows& partition);
    void destroyRows(RowStore& store);

    std::atomic<std::uint64_t> vectors{0};
    std::atomic<std::uint64_t> faces{0};

    /// The graph in service, or null.
    [[nodiscard]] std::shared_ptr<const KeyspaceGraph> graph() const {
        const std::scoped_lock lock(m_graphMutex);
        return m_graph;
    }
    void setGraph(std::shared_ptr<const KeyspaceGraph> graph) {
        const std::scoped_lock lock(m_graphMutex);
        m_graph = std::move(graph);
    }
    /// Takes a row that goes away out of the graphs.
    void forgetInGraphs(RowRef row);
    /// Rows of the graph in service and of the one being built, in either order: Block::graphNumbers follows this
    /// order.
    std::array<std::shared_ptr<GraphRows>, 2> graphRows;

private:
    static constexpr std::size_t kFan = 16;
    struct Group {
        std::array<std::atomic<PartitionRows*>, kFan> partitions{};
    };
    [[nodiscard]] PartitionRows* newest(base::Partition number) const;

    const std::string m_name;
    const std::uint64_t m_born;
    std::atomic<std::uint64_t> m_died{kForever};
    std::array<std::atomic<Group*>, kFan> m_groups{};
    mutable std::mutex m_graphMutex;
    std::shared_ptr<const KeyspaceGraph> m_graph;
};

/// All keyspaces by name. A search looks its keyspace up under a shared lock that only a keyspace's coming and going
/// takes exclusively. Thread: any; changes from one at a time.
class Directory {
public:
    ~Directory();
    /// The keyspace as a snapshot of this epoch sees it, or null.
    [[nodiscard]] const KeyspaceRows* find(std::string_view name, std::uint64_t epoch) const;
    [[nodiscard]] KeyspaceRows* current(std::string_view name) const;
    [[nodiscard]] KeyspaceRows& currentOrNew(std::string_view name, std::uint64_t epoch);
    void unlink(KeyspaceRows& keyspace);

    /// Calls visit(keyspace) for each that is there now, holding a lock: the visit is short.
    template<class Visit> void forEachCurrent(Visit&& visit) const {
        for (const auto& shard : m_shards) {
            const std::shared_lock lock(shard.mutex);
            for (const auto& [name, generations] : shard.keyspaces)
                if (!generations.back()->dropped())
                    visit(*generations.back());
        }
    }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
    };
    struct Shard {
        mutable std::shared_mutex mutex;
        /// Generations of a name, oldest first; all but the last are dropped.
        std::unordered_map<std::string, std::vector<KeyspaceRows*>, Hash, std::equal_to<>> keyspaces;
    };
    static constexpr std::size_t kShards = 16; // a growing table holds up only the searches of its shard
    Shard& shardOf(std::string_view name) { return m_shards[Hash{}(name) % kShards]; }
    [[nodiscard]] const Shard& shardOf(std::string_view name) const { return m_shards[Hash{}(name) % kShards]; }

    std::array<Shard, kShards> m_shards;
};

} // namespace fremis::index

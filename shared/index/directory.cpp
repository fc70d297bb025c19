#include "shared/index/directory.h"

namespace fremis::index {

KeyspaceRows::~KeyspaceRows() {
    for (auto& slot : m_groups) {
        const std::unique_ptr<Group> group(slot.load(std::memory_order_relaxed));
        if (group == nullptr)
            continue;
        for (auto& newestOfNumber : group->partitions)
            for (PartitionRows* partition = newestOfNumber.load(std::memory_order_relaxed); partition != nullptr;)
                delete std::exchange(partition, partition->older());
    }
}

PartitionRows* KeyspaceRows::newest(base::Partition number) const {
    const Group* const group = m_groups[number / kFan].load(std::memory_order_acquire);
    return group == nullptr ? nullptr : group->partitions[number % kFan].load(std::memory_order_acquire);
}

const PartitionRows* KeyspaceRows::find(base::Partition number, std::uint64_t epoch) const {
    const PartitionRows* partition = newest(number);
    while (partition != nullptr && !partition->visibleAt(epoch))
        partition = partition->older();
    return partition;
}

PartitionRows* KeyspaceRows::current(base::Partition number) const {
    PartitionRows* const partition = newest(number);
    return partition == nullptr || partition->dropped() ? nullptr : partition;
}

PartitionRows& KeyspaceRows::currentOrNew(base::Partition number, std::uint64_t epoch) {
    if (PartitionRows* const partition = current(number))
        return *partition;
    auto& slot = m_groups[number / kFan];
    if (slot.load(std::memory_order_relaxed) == nullptr)
        slot.store(std::make_unique<Group>().release(), std::memory_order_release);
    auto partition = std::make_unique<PartitionRows>(*this, number, epoch, newest(number));
    auto& place = slot.load(std::memory_order_relaxed)->partitions[number % kFan];
    place.store(partition.get(), std::memory_order_release);
    return *partition.release();
}

void KeyspaceRows::unlink(PartitionRows& partition) {
    PartitionRows* newer = newest(partition.number());
    if (newer == &partition) {
        m_groups[partition.number() / kFan]
            .load(std::memory_order_relaxed)
            ->partitions[partition.number() % kFan]
            .store(partition.older(), std::memory_order_release);
        return;
    }
    while (newer->older() != &partition)
        newer = newer->older();
    newer->setOlder(partition.older());
}

void KeyspaceRows::forgetInGraphs(RowRef row) {
    const Block& block = row.block();
    if (block.graphNumbers == nullptr)
        return;
    for (std::size_t i = 0; i < graphRows.size(); ++i) {
        auto& number = block.graphNumbers[i * block.capacity + row.slot()];
        if (number != kNotInGraph && graphRows[i] != nullptr)
            graphRows[i]->remove(number);
        number = kNotInGraph;
    }
}

void KeyspaceRows::destroyRows(RowStore& store) {
    for (int number = 0; number < base::kPartitionCount; ++number)
        for (auto* partition = newest(static_cast<base::Partition>(number)); partition != nullptr;
             partition = partition->older())
            partition->destroyRows(store);
}

Directory::~Directory() {
    for (const auto& shard : m_shards)
        for (const auto& [name, generations] : shard.keyspaces)
            for (const auto* keyspace : generations)
                delete keyspace;
}

const KeyspaceRows* Directory::find(std::string_view name, std::uint64_t epoch) const {
    const Shard& shard = shardOf(name);
    const std::shared_lock lock(shard.mutex);
    const auto found = shard.keyspaces.find(name);
    if (found == shard.keyspaces.end())
        return nullptr;
    for (const auto* keyspace : found->second)
        if (keyspace->visibleAt(epoch))
            return keyspace;
    return nullptr;
}

KeyspaceRows* Directory::current(std::string_view name) const {
    const Shard& shard = shardOf(name);
    const std::shared_lock lock(shard.mutex);
    const auto found = shard.keyspaces.find(name);
    if (found == shard.keyspaces.end() || found->second.back()->dropped())
        return nullptr;
    return found->second.back();
}

KeyspaceRows& Directory::currentOrNew(std::string_view name, std::uint64_t epoch) {
    if (KeyspaceRows* const keyspace = current(name))
        return *keyspace;
    auto keyspace = std::make_unique<KeyspaceRows>(std::string(name), epoch);
    Shard& shard = shardOf(name);
    const std::scoped_lock lock(shard.mutex);
    if (const auto found = shard.keyspaces.find(name); found != shard.keyspaces.end())
        found->second.push_back(keyspace.get());
    else
        shard.keyspaces.emplace(keyspace->name(), std::vector{keyspace.get()});
    return *keyspace.release();
}

void Directory::unlink(KeyspaceRows& keyspace) {
    Shard& shard = shardOf(keyspace.name());
    const std::scoped_lock lock(shard.mutex);
    const auto found = shard.keyspaces.find(keyspace.name());
    std::erase(found->second, &keyspace);
    if (found->second.empty())
        shard.keyspaces.erase(found);
}

} // namespace fremis::index

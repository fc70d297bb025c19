// The part of IndexCore that gives graphs their rows.
#include "shared/index/index_core.h"

#include <bit>

namespace fremis::index {

namespace {

/// Calls visit(block) for each block of the keyspace; the caller holds a snapshot of the epoch, so none goes away
/// meanwhile.
template<class Visit> void forEachBlock(const KeyspaceRows& keyspace, std::uint64_t epoch, Visit&& visit) {
    for (int number = 0; number < base::kPartitionCount; ++number)
        if (const auto* partition = keyspace.find(static_cast<base::Partition>(number), epoch))
            for (Block* block = partition->first(); block != nullptr;
                 block = block->next.load(std::memory_order_acquire))
                visit(*block);
}

} // namespace

std::shared_ptr<GraphRows> IndexCore::enlist(std::string_view keyspace, const Snapshot& snapshot) {
    const auto epoch = snapshot.epoch();
    const auto rows = std::make_shared<GraphRows>(snapshot.vectors(keyspace, hashing::PartitionSet::all()), epoch);
    KeyspaceRows* found = nullptr;
    std::size_t generation = 0;
    {
        const std::scoped_lock lock(m_writing);
        found = m_directory.current(keyspace);
        if (found == nullptr || !found->visibleAt(epoch))
            return nullptr;
        const auto inService = found->graph();
        generation = inService != nullptr && found->graphRows[0] == inService->rows ? 1 : 0;
        found->graphRows[generation] = nullptr;
    }
    // Numbers of an older graph go first: from the moment the new one is known, a removal must find its own numbers
    // only.
    clearNumbers(*found, generation, epoch);
    {
        const std::scoped_lock lock(m_writing);
        found->graphRows[generation] = rows;
    }
    forEachBlock(*found, epoch, [&](Block& block) { enlistBlock(*found, generation, block, epoch); });
    return rows;
}

void IndexCore::clearNumbers(const KeyspaceRows& keyspace, std::size_t generation, std::uint64_t epoch) {
    forEachBlock(keyspace, epoch, [&](Block& block) {
        const std::scoped_lock lock(m_writing);
        if (block.graphNumbers != nullptr)
            std::fill_n(block.graphNumbers + generation * block.capacity, block.capacity, kNotInGraph);
    });
}

void IndexCore::enlistBlock(KeyspaceRows& keyspace, std::size_t generation, Block& block, std::uint64_t epoch) {
    const std::scoped_lock lock(m_writing);
    if (block.graphNumbers == nullptr) {
        block.graphNumbers = new std::uint32_t[2 * std::size_t{block.capacity}];
        std::fill_n(block.graphNumbers, 2 * std::size_t{block.capacity}, kNotInGraph);
    }
    auto& rows = *keyspace.graphRows[generation];
    for (auto live = block.live.load(std::memory_order_relaxed); live != 0 && !rows.full(); live &= live - 1) {
        const RowRef row(&block, static_cast<unsigned>(std::countr_zero(live)));
        if (block.meta[row.slot()].born.load(std::memory_order_relaxed) <= epoch)
            block.graphNumbers[generation * block.capacity + row.slot()] = rows.add(row);
    }
}

void IndexCore::copyRows(const GraphRows& rows, float* floats) const {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (const RowRef row = rows.at(static_cast<std::uint32_t>(i)))
            std::copy_n(row.block().floatRow(m_store.layout, row.slot()), m_store.layout.floatStride,
                        floats + i * m_store.layout.floatStride);
}

void IndexCore::serve(std::string_view keyspace, std::shared_ptr<KeyspaceGraph> graph) {
    const std::scoped_lock lock(m_writing);
    KeyspaceRows* const found = m_directory.current(keyspace);
    if (found == nullptr)
        return;
    const auto generation = std::find(found->graphRows.begin(), found->graphRows.end(), graph->rows);
    if (generation == found->graphRows.end())
        return; // of a keyspace of the same name that is gone
    for (auto& other : found->graphRows)
        if (&other != &*generation)
            other = nullptr;
    graph->firstEpoch = m_epochs.current();
    found->setGraph(std::move(graph));
}

Recall IndexCore::recall() const {
    Recall recall;
    double weighted = 0;
    m_directory.forEachCurrent([&](const KeyspaceRows& keyspace) {
        if (const auto graph = keyspace.graph()) {
            recall.graphRows += graph->rows->size() - graph->rows->gone();
            weighted += graph->recall * static_cast<double>(graph->rows->size() - graph->rows->gone());
        }
    });
    if (recall.graphRows != 0)
        recall.atTen = weighted / static_cast<double>(recall.graphRows);
    return recall;
}

} // namespace fremis::index

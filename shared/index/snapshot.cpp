#include "shared/index/graph_search.h"

#include <bit>

namespace fremis::index {

namespace {

/// Calls visit(block, slot) for each row of a partition that a snapshot of this epoch sees.
template<class Visit> void forEachRow(const PartitionRows& partition, std::uint64_t epoch, Visit&& visit) {
    for (const Block* block = partition.first(); block != nullptr; block = block->next.load(std::memory_order_acquire))
        for (auto visible = block->visibleAt(epoch); visible != 0; visible &= visible - 1)
            visit(*block, static_cast<unsigned>(std::countr_zero(visible)));
}

} // namespace

Snapshot::Snapshot(std::shared_ptr<IndexCore> core) : m_core(std::move(core)), m_epoch(m_core->enter()) {}

Snapshot::~Snapshot() {
    m_core->leave(m_epoch);
}

base::Result<Answer> Snapshot::search(const Query& query) const {
    const std::size_t dimension = m_core->store().layout.dimension;
    if (query.k < 1)
        return base::fail(base::Reason::CandidateCountInvalid, "at least one candidate must be asked for");
    if (query.embeddings.size() % dimension != 0 || query.embeddings.empty())
        return base::fail(base::Reason::EmbeddingInvalid, "the embedding has the wrong length");
    for (std::size_t at = 0; at < query.embeddings.size(); at += dimension)
        if (auto usable = checkEmbedding(query.embeddings.subspan(at, dimension), dimension); !usable)
            return tl::unexpected(std::move(usable.error()));
    const KeyspaceRows* const keyspace = m_core->directory().find(query.keyspace, m_epoch);
    if (keyspace == nullptr)
        return Answer{std::vector<std::vector<Hit>>(query.embeddings.size() / dimension), 0};
    if (m_core->options().engine == Engine::Hnsw)
        if (const auto graph = keyspace->graph(); graph != nullptr && graph->firstEpoch <= m_epoch)
            return searchWithGraph(*m_core, *keyspace, *graph, m_epoch, query);
    return searchExactly(*m_core, *keyspace, m_epoch, query);
}

base::Result<std::optional<Hit>> Snapshot::bestOfFace(const FaceAddress& address,
                                                      std::span<const float> embedding) const {
    const RowStore& store = m_core->store();
    if (auto usable = checkEmbedding(embedding, store.layout.dimension); !usable)
        return tl::unexpected(std::move(usable.error()));
    const KeyspaceRows* const keyspace = m_core->directory().find(address.keyspace, m_epoch);
    const PartitionRows* const partition = keyspace == nullptr ? nullptr : keyspace->find(address.partition, m_epoch);
    if (partition == nullptr)
        return std::nullopt;
    const FloatMode floatMode;
    const PreparedQueries query(store.layout, embedding);
    const auto scratch = alignedArray<float>(store.layout.floatStride);
    const std::uint32_t hash = faceHash(address.face);
    std::optional<FoundRow> best;
    base::Status status;
    forEachRow(*partition, m_epoch, [&](const Block& block, unsigned slot) {
        const RowMeta& meta = block.meta[slot];
        if (block.faceHashes[slot] != hash || meta.face->text() != address.face || !status)
            return;
        const auto score = exactScore(store, query[0].floats, block, slot, scratch.get());
        if (!score)
            status = tl::unexpected(score.error());
        else if (const FoundRow row{*score, meta.face, meta.variation}; !best || ranksBefore(row, *best))
            best = row;
    });
    if (!status)
        return tl::unexpected(std::move(status.error()));
    return best ? std::optional(hitOf(*best)) : std::nullopt;
}

base::Result<std::vector<std::vector<float>>> Snapshot::embeddingsOf(const FaceAddress& address) const {
    std::vector<std::vector<float>> embeddings;
    const RowStore& store = m_core->store();
    const KeyspaceRows* const keyspace = m_core->directory().find(address.keyspace, m_epoch);
    const PartitionRows* const partition = keyspace == nullptr ? nullptr : keyspace->find(address.partition, m_epoch);
    if (partition == nullptr)
        return embeddings;
    const auto scratch = alignedArray<float>(store.layout.floatStride);
    const std::uint32_t hash = faceHash(address.face);
    base::Status status;
    forEachRow(*partition, m_epoch, [&](const Block& block, unsigned slot) {
        if (block.faceHashes[slot] != hash || block.meta[slot].face->text() != address.face || !status)
            return;
        if (const auto row = floatsOf(store, block, slot, scratch.get()))
            embeddings.emplace_back(*row, *row + store.layout.dimension);
        else
            status = tl::unexpected(row.error());
    });
    if (!status)
        return tl::unexpected(std::move(status.error()));
    return embeddings;
}

void Snapshot::visitRows(std::string_view keyspace, base::Partition partition,
                         const std::function<void(std::string_view, base::Variation)>& visit) const {
    const KeyspaceRows* const rows = m_core->directory().find(keyspace, m_epoch);
    const PartitionRows* const found = rows == nullptr ? nullptr : rows->find(partition, m_epoch);
    if (found == nullptr)
        return;
    forEachRow(*found, m_epoch, [&](const Block& block, unsigned slot) {
        visit(block.meta[slot].face->text(), base::Variation(block.meta[slot].variation));
    });
}

std::uint64_t Snapshot::vectors(std::string_view keyspace, const hashing::PartitionSet& partitions) const {
    const KeyspaceRows* const rows = m_core->directory().find(keyspace, m_epoch);
    std::uint64_t count = 0;
    for (int number = 0; rows != nullptr && number < base::kPartitionCount; ++number) {
        const auto partition = static_cast<base::Partition>(number);
        const PartitionRows* const found = partitions.contains(partition) ? rows->find(partition, m_epoch) : nullptr;
        for (const Block* block = found == nullptr ? nullptr : found->first(); block != nullptr;
             block = block->next.load(std::memory_order_acquire))
            count += static_cast<std::uint64_t>(std::popcount(block->visibleAt(m_epoch)));
    }
    return count;
}

} // namespace fremis::index

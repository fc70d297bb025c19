#include "shared/index/search_batcher.h"

#include "shared/index/quantizer.h"

#include <algorithm>

namespace fremis::index {

SearchBatcher::SearchBatcher(const VectorIndex& index, base::WorkPool& pool, int maxBatch)
    : m_index(index), m_pool(pool), m_maxBatch(static_cast<std::size_t>(std::max(1, maxBatch))) {}

base::Status SearchBatcher::submit(Request request, Done done) {
    const std::scoped_lock lock(m_mutex);
    m_waiting.push_back({std::move(request), std::move(done)});
    // One task for each search that waits: a task that finds its search taken along by another has nothing to do.
    if (m_pool.tryRun([this](int) { serveNext(); }))
        return {};
    m_waiting.pop_back();
    return base::fail(base::Reason::Overloaded, "too many searches wait");
}

std::vector<SearchBatcher::Waiting> SearchBatcher::takeBatch() {
    std::vector<Waiting> batch;
    const std::scoped_lock lock(m_mutex);
    for (auto at = m_waiting.begin(); at != m_waiting.end() && batch.size() < m_maxBatch;) {
        const bool joins = batch.empty() || (at->request.keyspace == batch.front().request.keyspace &&
                                             at->request.partitions == batch.front().request.partitions);
        if (joins) {
            batch.push_back(std::move(*at));
            at = m_waiting.erase(at);
        } else {
            ++at;
        }
    }
    return batch;
}

void SearchBatcher::serveNext() {
    const auto batch = takeBatch();
    if (batch.empty())
        return;
    const auto snapshot = m_index.snapshot();
    const auto dimension = static_cast<std::size_t>(m_index.options().dimension);
    std::vector<const Waiting*> together;
    for (const auto& waiting : batch) {
        // Who cannot be asked is answered alone, with the error that search() has for it.
        if (waiting.request.k < 1 || !checkEmbedding(waiting.request.embedding, dimension))
            answer(*snapshot, {&waiting});
        else
            together.push_back(&waiting);
    }
    if (!together.empty())
        answer(*snapshot, together);
}

/// One search for all; each gets the first of its own k.
void SearchBatcher::answer(const Snapshot& snapshot, const std::vector<const Waiting*>& together) {
    const Request& first = together.front()->request;
    std::vector<float> embeddings;
    int k = first.k;
    for (const auto* waiting : together) {
        embeddings.insert(embeddings.end(), waiting->request.embedding.begin(), waiting->request.embedding.end());
        k = std::max(k, waiting->request.k);
    }
    auto found = snapshot.search({first.keyspace, embeddings, k, first.partitions});
    for (std::size_t i = 0; i < together.size(); ++i) {
        if (!found) {
            together[i]->done(tl::unexpected(found.error()));
            continue;
        }
        auto& hits = found->hits[i];
        if (const auto most = static_cast<std::size_t>(together[i]->request.k); hits.size() > most)
            hits.erase(hits.begin() + static_cast<std::ptrdiff_t>(most), hits.end());
        together[i]->done(Found{std::move(hits), found->vectorsSearched});
    }
}

} // namespace fremis::index

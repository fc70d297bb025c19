#pragma once

#include "shared/base/work_pool.h"
#include "shared/index/vector_index.h"

#include <deque>
#include <mutex>

namespace fremis::index {

/// Joins single searches that wait at the same time, for the same keyspace and partitions, into one pass over the rows.
/// A search that comes alone runs at once; nothing waits for company. Thread: any.
class SearchBatcher {
public:
    struct Request {
        std::string keyspace;
        hashing::PartitionSet partitions = hashing::PartitionSet::all();
        int k = 1;
        std::vector<float> embedding;
    };
    struct Found {
        std::vector<Hit> hits;
        std::uint64_t vectorsSearched = 0;
    };
    using Done = std::function<void(base::Result<Found>)>;

    /// `maxBatch`: most searches of one pass, 1 = none joined. `index` and `pool` outlive the batcher's last answer:
    /// stop the pool before either goes.
    SearchBatcher(const VectorIndex& index, base::WorkPool& pool, int maxBatch);

    /// `done` is called once, on a thread of the pool, and must not throw. The snapshot is taken after submit() was
    /// called, so what was removed before is not found. Fails with Overloaded when the pool is full; `done` is then
    /// never called. A request with an unusable embedding or k is answered with its own error and spoils no other.
    [[nodiscard]] base::Status submit(Request request, Done done);

private:
    struct Waiting {
        Request request;
        Done done;
    };
    void serveNext();
    [[nodiscard]] std::vector<Waiting> takeBatch();
    static void answer(const Snapshot& snapshot, const std::vector<const Waiting*>& together);

    const VectorIndex& m_index;
    base::WorkPool& m_pool;
    const std::size_t m_maxBatch;
    std::mutex m_mutex;
    std::deque<Waiting> m_waiting;
};

} // namespace fremis::index

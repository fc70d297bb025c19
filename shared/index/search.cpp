#include "shared/index/search.h"

#include <condition_variable>

namespace fremis::index {

namespace {

/// Below so many products of rows and queries a second thread costs more than it brings.
constexpr std::uint64_t kFewestPerThread = 16'384;

/// Partitions that several threads take one after the other, each with its own scanner. Helpers that come when all is
/// done touch nothing but this.
class SharedScan {
public:
    SharedScan(const std::vector<const PartitionRows*>& partitions, std::vector<std::unique_ptr<Scanner>>& scanners)
        : m_partitions(partitions), m_scanners(scanners) {}

    void help(std::size_t thread) {
        {
            const std::scoped_lock lock(m_mutex);
            if (m_closed)
                return;
            ++m_helping;
        }
        work(thread);
        const std::scoped_lock lock(m_mutex);
        --m_helping;
        m_done.notify_all();
    }
    /// False when memory ran out.
    [[nodiscard]] bool workAndWait() {
        work(0);
        std::unique_lock lock(m_mutex);
        m_closed = true;
        m_done.wait(lock, [this] { return m_helping == 0; });
        return !m_outOfMemory;
    }

private:
    void work(std::size_t thread) noexcept {
        try {
            const FloatMode floatMode;
            for (auto i = m_next.fetch_add(1); i < m_partitions.size(); i = m_next.fetch_add(1))
                m_scanners[thread]->scan(*m_partitions[i]);
        } catch (const std::bad_alloc&) {
            m_outOfMemory = true;
        }
    }

    const std::vector<const PartitionRows*>& m_partitions;
    std::vector<std::unique_ptr<Scanner>>& m_scanners;
    std::atomic<std::size_t> m_next{0};
    std::atomic<bool> m_outOfMemory{false};
    std::mutex m_mutex;
    std::condition_variable m_done;
    int m_helping = 0;
    bool m_closed = false;
};

class ExactSearch {
public:
    ExactSearch(IndexCore& core, const KeyspaceRows& keyspace, std::uint64_t epoch, const Query& query)
        : m_core(core), m_epoch(epoch), m_k(query.k), m_queries(core.store().layout, query.embeddings) {
        for (int number = 0; number < base::kPartitionCount; ++number)
            if (query.partitions.contains(static_cast<base::Partition>(number)))
                if (const auto* partition = keyspace.find(static_cast<base::Partition>(number), epoch))
                    m_partitions.push_back(partition);
        m_threads = threadsFor(keyspace.vectors.load(std::memory_order_relaxed), query.maxThreads);
    }

    base::Result<Answer> run() {
        Answer answer;
        for (std::size_t first = 0; first < m_queries.size(); first += kQueriesPerScan)
            if (auto done = scanGroup(first, std::min(kQueriesPerScan, m_queries.size() - first), answer); !done)
                return tl::unexpected(std::move(done.error()));
        return answer;
    }

private:
    [[nodiscard]] std::size_t threadsFor(std::uint64_t rows, int maxThreads) const {
        const int helpers = m_core.helpers() == nullptr ? 0 : m_core.helpers()->threads();
        const int allowed = maxThreads > 0 ? std::min(maxThreads, helpers + 1) : helpers + 1;
        const std::uint64_t useful =
            std::min<std::uint64_t>(m_partitions.size(), rows * m_queries.size() / kFewestPerThread);
        return static_cast<std::size_t>(std::clamp<std::uint64_t>(useful, 1, static_cast<std::uint64_t>(allowed)));
    }

    base::Status scanGroup(std::size_t first, std::size_t count, Answer& answer) {
        std::vector<std::unique_ptr<Scanner>> scanners;
        for (std::size_t thread = 0; thread < m_threads; ++thread)
            scanners.push_back(std::make_unique<Scanner>(m_core.store(), m_queries, first, count, m_k, m_epoch));
        const auto scan = std::make_shared<SharedScan>(m_partitions, scanners);
        for (std::size_t thread = 1; thread < m_threads; ++thread)
            if (!m_core.helpers()->tryRun([scan, thread](int) { scan->help(thread); }))
                break; // all are busy: this thread does it all
        if (!scan->workAndWait())
            throw std::bad_alloc();
        answer.vectorsSearched = 0;
        for (const auto& scanner : scanners)
            answer.vectorsSearched += scanner->rowsSeen();
        return merge(scanners, count, answer);
    }

    base::Status merge(std::vector<std::unique_ptr<Scanner>>& scanners, std::size_t count, Answer& answer) const {
        const FloatMode floatMode;
        for (std::size_t i = 0; i < count; ++i) {
            TopFaces top(m_k);
            for (auto& scanner : scanners) {
                auto rows = scanner->take(i);
                if (!rows)
                    return tl::unexpected(std::move(rows.error()));
                for (const auto& row : *rows)
                    top.offer(row);
            }
            auto& hits = answer.hits.emplace_back();
            for (const auto& row : top.take())
                hits.push_back(hitOf(row));
        }
        return {};
    }

    IndexCore& m_core;
    const std::uint64_t m_epoch;
    const int m_k;
    const PreparedQueries m_queries;
    std::vector<const PartitionRows*> m_partitions;
    std::size_t m_threads = 1;
};

} // namespace

base::Result<Answer> searchExactly(IndexCore& core, const KeyspaceRows& keyspace, std::uint64_t epoch,
                                   const Query& query) {
    try {
        const FloatMode floatMode;
        return ExactSearch(core, keyspace, epoch, query).run();
    } catch (const std::bad_alloc&) {
        return base::fail(base::Reason::Overloaded, "no memory for this search");
    }
}

Hit hitOf(const FoundRow& row) {
    return {std::string(row.face->text()), base::Variation(row.variation), row.score};
}

} // namespace fremis::index

#include "shared/index/graph_keeper.h"

#include "shared/index/graph_search.h"

#include <algorithm>
#include <set>

namespace fremis::index {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kRound = std::chrono::seconds(1);
constexpr int kRecallAt = 10;

} // namespace

GraphKeeper::GraphKeeper(IndexCore& core) : m_core(core), m_thread([this] { run(); }) {}

GraphKeeper::~GraphKeeper() {
    {
        const std::scoped_lock lock(m_mutex);
        m_stop = true;
        m_changed.notify_all();
    }
    m_thread.join();
}

bool GraphKeeper::settle(Clock::time_point deadline) {
    std::unique_lock lock(m_mutex);
    m_look = true;
    m_changed.notify_all();
    return m_changed.wait_until(lock, deadline, [this] { return !m_look && !m_busy; });
}

void GraphKeeper::run() {
    std::unique_lock lock(m_mutex);
    while (!m_stop) {
        m_look = false;
        m_busy = true;
        lock.unlock();
        for (const auto& keyspace : stale())
            if (!m_stop)
                rebuild(keyspace);
        lock.lock();
        m_busy = false;
        m_changed.notify_all();
        m_changed.wait_for(lock, kRound, [this] { return m_look || m_stop; });
    }
}

std::vector<std::string> GraphKeeper::stale() {
    const auto& options = m_core.options().hnsw;
    std::vector<std::string> keyspaces;
    const auto now = Clock::now();
    m_core.directory().forEachCurrent([&](const KeyspaceRows& keyspace) {
        const auto rows = keyspace.vectors.load(std::memory_order_relaxed);
        const auto graph = keyspace.graph();
        if (graph == nullptr) {
            m_removalSeen.erase(keyspace.name());
            if (rows >= static_cast<std::uint64_t>(options.exactBelow))
                keyspaces.push_back(keyspace.name());
            return;
        }
        const auto size = graph->rows->size();
        const auto gone = graph->rows->gone();
        const auto added = rows - std::min<std::uint64_t>(rows, size - gone);
        if (gone == 0)
            m_removalSeen.erase(keyspace.name());
        const bool overdue =
            gone != 0 && now - m_removalSeen.try_emplace(keyspace.name(), now).first->second >= options.eraseWithin;
        if (overdue || static_cast<double>(added + gone) > options.rebuildAt * static_cast<double>(size))
            keyspaces.push_back(keyspace.name());
    });
    return keyspaces;
}

void GraphKeeper::rebuild(const std::string& keyspace) {
    const auto& layout = m_core.store().layout;
    m_removalSeen.erase(keyspace);
    std::shared_ptr<GraphRows> rows;
    AlignedArray<float> floats;
    {
        const auto snapshot = m_core.snapshot(); // what is enlisted stays readable while it is copied
        rows = m_core.enlist(keyspace, *snapshot);
        if (rows == nullptr || rows->size() == 0)
            return;
        floats = alignedArray<float>(rows->size() * layout.floatStride);
        m_core.copyRows(*rows, floats.get());
    }
    auto graph = HnswGraph::build(layout, m_core.options().hnsw, std::move(floats), rows->size(), m_stop);
    if (!graph)
        return; // searches stay exact; the next round tries again
    auto served = std::make_shared<KeyspaceGraph>();
    served->rows = rows;
    served->graph = std::move(*graph);
    served->recall = measureRecall(keyspace, *served);
    m_core.serve(keyspace, std::move(served));
}

/// Stored rows as questions, each a little off its place so that the answer is not just the row itself.
double GraphKeeper::measureRecall(const std::string& keyspace, const KeyspaceGraph& graph) const {
    const auto snapshot = m_core.snapshot();
    const auto* const rows = m_core.directory().find(keyspace, snapshot->epoch());
    const auto queries = graph.graph->sampleQueries(m_core.options().hnsw.recallQueries);
    if (rows == nullptr || queries.empty())
        return 1;
    const Query query{keyspace, queries, kRecallAt};
    const auto exact = searchExactly(m_core, *rows, snapshot->epoch(), query);
    const auto approximate = searchWithGraph(m_core, *rows, graph, snapshot->epoch(), query);
    if (!exact || !approximate)
        return 0;
    std::size_t wanted = 0;
    std::size_t found = 0;
    for (std::size_t i = 0; i < exact->hits.size(); ++i) {
        std::set<std::string_view> faces;
        for (const auto& hit : approximate->hits[i])
            faces.insert(hit.face);
        wanted += exact->hits[i].size();
        found += static_cast<std::size_t>(std::count_if(exact->hits[i].begin(), exact->hits[i].end(),
                                                        [&](const Hit& hit) { return faces.contains(hit.face); }));
    }
    return wanted == 0 ? 1 : static_cast<double>(found) / static_cast<double>(wanted);
}

} // namespace fremis::index

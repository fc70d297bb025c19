#pragma once

#include "shared/index/index_core.h"

#include <condition_variable>
#include <map>
#include <thread>

namespace fremis::index {

/// The thread of Engine::Hnsw that builds a graph for each large keyspace, again when enough has changed, and asks it
/// known questions to measure its recall.
class GraphKeeper {
public:
    explicit GraphKeeper(IndexCore& core);
    ~GraphKeeper();
    GraphKeeper(const GraphKeeper&) = delete;
    GraphKeeper& operator=(const GraphKeeper&) = delete;

    /// True when every keyspace that wants a graph has a fresh one. Looks at once instead of at the next round.
    [[nodiscard]] bool settle(std::chrono::steady_clock::time_point deadline);

private:
    void run();
    [[nodiscard]] std::vector<std::string> stale();
    void rebuild(const std::string& keyspace);
    [[nodiscard]] double measureRecall(const std::string& keyspace, const KeyspaceGraph& graph) const;

    IndexCore& m_core;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_look = false;
    bool m_busy = false;
    std::atomic<bool> m_stop{false};
    std::map<std::string, std::chrono::steady_clock::time_point>
        m_removalSeen;    ///< keyspaces with removed rows in their graph
    std::thread m_thread; // last: it uses all the others
};

} // namespace fremis::index

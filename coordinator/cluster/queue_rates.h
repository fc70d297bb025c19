#pragma once

#include "coordinator/cluster/queue_entry.h"

#include <deque>

namespace fremis::coordinator {

/// How fast each target's queue fills and drains, from samples of its totals over the last ten seconds. Memory: eleven
/// samples of the known targets. Thread: one.
class QueueRates {
public:
    struct Rate {
        double inPerSecond = 0;
        double outPerSecond = 0;
    };
    void add(std::chrono::steady_clock::time_point now, const QueueStats& stats);
    /// 0 before the second sample.
    [[nodiscard]] Rate of(const storage::NodeId& node) const;

private:
    struct Totals {
        std::uint64_t queued = 0;
        std::uint64_t left = 0;
    };
    struct Sample {
        std::chrono::steady_clock::time_point at;
        std::map<storage::NodeId, Totals> totals;
    };
    [[nodiscard]] static Totals totalsIn(const Sample& sample, const storage::NodeId& node);

    std::deque<Sample> m_samples;
};

} // namespace fremis::coordinator

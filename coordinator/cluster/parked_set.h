#pragma once

#include "coordinator/cluster/queue_row.h"

#include <set>

namespace fremis::coordinator {

/// The parked records of one target: which they are and whom they hold up. At most QueueStore::kMaxParked.
class ParkedSet {
public:
    void add(Sequence sequence, Lane lane) {
        m_lanes[sequence] = lane;
        m_sequences[lane].insert(sequence);
    }
    void remove(Sequence sequence) {
        const auto found = m_lanes.find(sequence);
        if (found == m_lanes.end())
            return;
        auto& same = m_sequences[found->second];
        same.erase(sequence);
        if (same.empty())
            m_sequences.erase(found->second);
        m_lanes.erase(found);
    }
    /// The record is parked itself or waits behind a parked one.
    [[nodiscard]] bool holdsUp(Sequence sequence, Lane lane) const {
        return !m_lanes.empty() && (hasUpTo(sequence, lane) || hasUpTo(sequence, {lane.keyspace, 0}));
    }
    [[nodiscard]] bool contains(Sequence sequence) const { return m_lanes.contains(sequence); }
    [[nodiscard]] std::size_t size() const { return m_lanes.size(); }
    /// By sequence.
    [[nodiscard]] const std::map<Sequence, Lane>& all() const { return m_lanes; }

private:
    [[nodiscard]] bool hasUpTo(Sequence sequence, Lane lane) const {
        const auto found = m_sequences.find(lane);
        return found != m_sequences.end() && *found->second.begin() <= sequence;
    }
    std::map<Sequence, Lane> m_lanes;
    std::map<Lane, std::set<Sequence>> m_sequences;
};

} // namespace fremis::coordinator

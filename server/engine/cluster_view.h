#pragma once

#include "shared/base/clock.h"
#include "shared/wire/internal.h"

#include <deque>
#include <map>
#include <mutex>

namespace fremis::engine {

/// What a worker knows of its cluster: the coordinators that probe it, what each said last, and which of their maps are
/// outdated. Kept in memory: after a restart the next probes tell it again. Thread: any.
class ClusterView {
public:
    /// What this worker is; a coordinator that takes it for something else is refused.
    struct Terms {
        std::string space;
        int dimension = 0;
    };
    ClusterView(const base::Clock& clock, Terms terms) : m_clock(clock), m_terms(std::move(terms)) {}

    /// Takes note of a probe. RuleMismatch, ProtocolMismatch, SpaceMismatch, DimensionMismatch: of nothing in it.
    [[nodiscard]] base::Status greet(const wire::internal::ProbeRequest& probe);
    /// StaleEpoch when a coordinator has moved on from that map and none has moved to it since. A map that was never
    /// heard of may be newer than all: it passes.
    [[nodiscard]] base::Status checkEpoch(const std::string& epoch) const;
    /// The map that a coordinator turned to last; "" before the first probe.
    [[nodiscard]] std::string epoch() const;
    [[nodiscard]] std::vector<wire::internal::Heard> heard() const;

private:
    struct Coordinator {
        std::string epoch;
        std::vector<wire::internal::Id> pending;
        std::optional<base::Version> lowWater;
        std::int64_t clockMs = 0; ///< its own
        std::chrono::steady_clock::time_point at;
    };
    void turnTo(const std::string& epoch, const std::string& from);
    void makeRoom();

    const base::Clock& m_clock;
    const Terms m_terms;
    mutable std::mutex m_mutex; ///< guards all below
    std::map<wire::internal::Id, Coordinator> m_coordinators;
    std::string m_epoch;
    std::deque<std::string> m_outdated; ///< the newest last
};

} // namespace fremis::engine

#pragma once

#include "shared/base/clock.h"

#include <compare>
#include <cstdint>
#include <mutex>

namespace fremis::base {

/// A hybrid logical clock stamp (Kulkarni et al. 2014): 48 bits of milliseconds since 1970, 16 bits of counter that
/// carry into the milliseconds, then the id of the writer that made it. A total order over the cluster.
struct Version {
    std::uint64_t stamp = 0;
    std::uint64_t writer = 0;
    auto operator<=>(const Version&) const = default;
    [[nodiscard]] std::chrono::milliseconds time() const { return std::chrono::milliseconds(stamp >> 16); }
};

/// Makes versions that rise for ever, also when the wall clock steps back. Thread: any.
class VersionClock {
public:
    VersionClock(const Clock& clock, std::uint64_t writer) : m_clock(clock), m_writer(writer) {}
    /// Above everything returned or observed before.
    [[nodiscard]] Version next();
    /// Takes note of a version from a store or a peer.
    void observe(Version seen);
    /// Not below anything returned or observed before.
    [[nodiscard]] Version greatest() const;

private:
    const Clock& m_clock;
    const std::uint64_t m_writer;
    mutable std::mutex m_mutex;
    std::uint64_t m_last = 0;
};

} // namespace fremis::base

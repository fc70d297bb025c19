#pragma once

#include "shared/base/clock.h"
#include "shared/storage/operation.h"

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

namespace fremis::storage {

/// Makes face ids for enrolments without one: decimal, in 1..2^63-1, rising with time, never the same twice in a
/// process, and apart from other nodes' by the node bits. Layout: 41 bits of milliseconds since 2025-01-01, 10 bits of
/// node, 12 bits of sequence that carry into the milliseconds. Thread: any.
class FaceIdGenerator {
public:
    /// `node`: asked at each id, as a node may learn who it is only when its store answers; its low 10 bits count.
    FaceIdGenerator(const base::Clock& clock, std::function<std::uint64_t()> node)
        : m_clock(clock), m_node(std::move(node)) {}

    /// The next id whose partition is accepted. `accepts` must hold for at least one partition.
    [[nodiscard]] base::FaceId next(std::string_view keyspace, const std::function<bool(base::Partition)>& accepts);

private:
    std::uint64_t nextNumber();

    const base::Clock& m_clock;
    const std::function<std::uint64_t()> m_node;
    std::mutex m_mutex;
    std::uint64_t m_last = 0; ///< milliseconds and sequence, without the node bits
};

/// A variation: 64 random bits from the system's generator, never 0. Two of one face meet with a chance of 2^-64; the
/// store's key would then refuse the second. Thread: any.
[[nodiscard]] base::Variation randomVariation();

/// 128 random bits.
[[nodiscard]] OpId randomOpId();

} // namespace fremis::storage

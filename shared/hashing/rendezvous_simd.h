// The loops of rendezvous_kernels.h over any vector of 64-bit lanes. Included by files that are compiled for one
// instruction set each, so everything here is in an unnamed namespace: no two of them may share code. `Simd` offers
//   Reg, Mask, kLanes, load, loadWide (32 to 64 bits), store, set (all lanes), add, bitXor, shiftRight<n>, multiply
//   (low 64 bits), multiplyLow32 (32 x 32 to 64), greater (signed; inputs are below 2^63 or flipped), pick (mask ? a :
//   b), count (lanes set), winner (the index of the largest signed value of two registers of values with their indices;
//   of equal values the smallest index)
#pragma once

#include "shared/hashing/rendezvous_kernels.h"

namespace fremis::hashing {

namespace {

// mix64 of a seed without its last step, x ^ (x >> 31): the highest bit in which two words differ, and all above it,
// take part in that step alike, so it keeps their order.
inline std::uint64_t rankOne(std::uint64_t seed) {
    const std::uint64_t x = seed * 0xbf58476d1ce4e5b9ull;
    return (x ^ (x >> 27)) * 0x94d049bb133111ebull;
}

inline std::uint64_t mixOne(std::uint64_t seed) {
    const std::uint64_t rank = rankOne(seed);
    return rank ^ (rank >> 31);
}

inline std::uint64_t boundOne(std::uint64_t seed, std::uint64_t factor) {
    return (~mixOne(seed) >> 32) * factor;
}

/// What another node's bound must not exceed to be a contender, when the best bound's node has `v` and `weight`; v is
/// 32 bits of 1-u. With real numbers and s = -ln(u)/w: 1-u is in (v, v+1) / 2^32, so any node has s > v / (2^32 w) >=
/// bound / 2^63, and the best one has s < (v+1) / (2^32 - v - 1) / w. The slack is more than the fixed-point logarithm
/// can err.
inline std::uint64_t contenderLimit(std::uint64_t v, std::uint32_t weight) {
    constexpr std::uint64_t kAll = (std::uint64_t{1} << 63) - 1;
    constexpr std::uint64_t kHalf = std::uint64_t{1} << 31;
    constexpr std::uint64_t kSlack = 1024;
    if (v + 1 >= kHalf)
        return kAll; // u below a half: the upper bound tells little
    const std::uint64_t ratio = ((v + 1) << 31) / (2 * kHalf - v - 1) + 1; // rounded up, 31 fractional bits, at most 1
    const std::uint64_t limit = (ratio << 32) / weight + 1 + kSlack;
    return limit < kAll ? limit : kAll;
}

// By exact bounds: bounds[i] = (~mix64 >> 32) * factor.
template<class Loops> std::size_t contendersBy(const WeightedNodes& nodes, std::uint64_t key, std::uint32_t* out) {
    std::uint64_t bounds[WeightedNodes::kBlock];
    const std::size_t least = Loops::bounds(nodes.seeds, nodes.factors, nodes.size, key, bounds);
    const std::uint64_t limit = contenderLimit(~mixOne(key ^ nodes.seeds[least]) >> 32, nodes.weights[least]);
    std::size_t count = 0;
    if (Loops::countAtMost(bounds, nodes.size, limit) == 1) {
        out[count++] = static_cast<std::uint32_t>(least);
        return count;
    }
    for (std::size_t i = 0; i < nodes.size; ++i)
        if (bounds[i] <= limit)
            out[count++] = static_cast<std::uint32_t>(i);
    return count;
}

struct ScalarLoops {
    static std::size_t best(const std::uint64_t* seeds, std::size_t n, std::uint64_t key) {
        std::size_t found = 0;
        std::uint64_t most = rankOne(key ^ seeds[0]);
        for (std::size_t i = 1; i < n; ++i) {
            const std::uint64_t rank = rankOne(key ^ seeds[i]);
            found = rank > most ? i : found;
            most = rank > most ? rank : most;
        }
        return found;
    }
    static std::size_t bounds(const std::uint64_t* seeds, const std::uint32_t* factors, std::size_t n,
                              std::uint64_t key, std::uint64_t* out) {
        std::size_t least = 0;
        for (std::size_t i = 0; i < n; ++i) {
            out[i] = boundOne(key ^ seeds[i], factors[i]);
            least = out[i] < out[least] ? i : least;
        }
        return least;
    }
    static std::size_t countAtMost(const std::uint64_t* values, std::size_t n, std::uint64_t limit) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < n; ++i)
            count += values[i] <= limit ? 1 : 0;
        return count;
    }
};

/// Simd::winner where there is no vector instruction for it.
template<class Simd>
std::size_t winnerByLanes(typename Simd::Reg valuesA, typename Simd::Reg indicesA, typename Simd::Reg valuesB,
                          typename Simd::Reg indicesB) {
    constexpr std::size_t kCount = 2 * Simd::kLanes;
    alignas(64) std::uint64_t values[kCount];
    alignas(64) std::uint64_t places[kCount];
    Simd::store(values, valuesA);
    Simd::store(values + Simd::kLanes, valuesB);
    Simd::store(places, indicesA);
    Simd::store(places + Simd::kLanes, indicesB);
    std::size_t best = 0;
    for (std::size_t i = 1; i < kCount; ++i) {
        const auto mine = static_cast<std::int64_t>(values[i]);
        const auto most = static_cast<std::int64_t>(values[best]);
        if (mine > most || (mine == most && places[i] < places[best]))
            best = i;
    }
    return places[best];
}

// n is rarely a multiple of the lanes: the last step is taken from the end of the array, over some values a second
// time. A value met twice has the same index both times, so neither the best nor its index can change.
template<class Simd> struct SimdLoops {
    using Reg = typename Simd::Reg;
    static constexpr std::size_t kLanes = Simd::kLanes;
    static constexpr std::uint64_t kSign = 0x8000000000000000ull;

    static Reg rank(Reg seeds) {
        const Reg x = Simd::multiply(seeds, 0xbf58476d1ce4e5b9ull);
        return Simd::multiply(Simd::bitXor(x, Simd::template shiftRight<27>(x)), 0x94d049bb133111ebull);
    }
    static Reg mix(Reg seeds) {
        const Reg x = rank(seeds);
        return Simd::bitXor(x, Simd::template shiftRight<31>(x));
    }

    // The largest (signed) value in each lane with its index.
    struct Champion {
        Reg value;
        Reg index;
        void meet(Reg challenger, std::size_t first) {
            const auto wins = Simd::greater(challenger, value);
            value = Simd::pick(wins, challenger, value);
            index = Simd::pick(wins, Simd::add(Simd::set(first), Simd::indices()), index);
        }
    };

    // Two champions, of the first and of the second half: each step of one waits for its step before, not for the
    // other's.
    template<class Score> static std::size_t indexOfLargest(std::size_t n, const Score& score) {
        const std::size_t half = n / kLanes / 2 * kLanes;
        Champion first{score(0), Simd::indices()};
        Champion second{score(half), Simd::add(Simd::set(half), Simd::indices())};
        std::size_t i = kLanes;
        for (; i < half; i += kLanes) {
            first.meet(score(i), i);
            second.meet(score(half + i), half + i);
        }
        for (i += half; i + kLanes <= n; i += kLanes)
            second.meet(score(i), i);
        if (n % kLanes != 0)
            second.meet(score(n - kLanes), n - kLanes);
        return Simd::winner(first.value, first.index, second.value, second.index);
    }

    static std::size_t best(const std::uint64_t* seeds, std::size_t n, std::uint64_t key) {
        if (n < kLanes)
            return ScalarLoops::best(seeds, n, key);
        const Reg keys = Simd::set(key);
        const Reg sign = Simd::set(kSign); // turns unsigned order into signed
        const auto score = [&](std::size_t i) {
            return Simd::bitXor(rank(Simd::bitXor(keys, Simd::load(seeds + i))), sign);
        };
        return indexOfLargest(n, score);
    }

    static std::size_t bounds(const std::uint64_t* seeds, const std::uint32_t* factors, std::size_t n,
                              std::uint64_t key, std::uint64_t* out) {
        if (n < kLanes)
            return ScalarLoops::bounds(seeds, factors, n, key, out);
        const Reg keys = Simd::set(key);
        const Reg ones = Simd::set(~std::uint64_t{0});
        const auto bound = [&](std::size_t i) {
            const Reg away = Simd::bitXor(mix(Simd::bitXor(keys, Simd::load(seeds + i))), ones);
            const Reg value = Simd::multiplyLow32(Simd::template shiftRight<32>(away), Simd::loadWide(factors + i));
            Simd::store(out + i, value);
            return Simd::bitXor(value,
                                ones); // the least becomes the largest, as bounds are below 2^63 and so these negative
        };
        return indexOfLargest(n, bound);
    }

    static std::size_t countAtMost(const std::uint64_t* values, std::size_t n, std::uint64_t limit) {
        const Reg limits = Simd::set(limit);
        std::size_t above = 0;
        std::size_t i = 0;
        for (; i + kLanes <= n; i += kLanes)
            above += Simd::count(Simd::greater(Simd::load(values + i), limits));
        return i - above + ScalarLoops::countAtMost(values + i, n - i, limit);
    }

    static RendezvousKernel kernel(std::string_view name) { return {name, &best, &contendersBy<SimdLoops>}; }
};

} // namespace

} // namespace fremis::hashing

// The loops of rendezvous_kernels.h over any vector of 64-bit lanes. Included by files that are compiled for one
// instruction set each, so everything here is in an unnamed namespace: no two of them may share code. `Simd` offers
//   Reg, Mask, kLanes, load, store, set (all lanes), add, bitXor, shiftRight<n>, multiply (low 64 bits), multiplyLow32
//   (32 x 32 to 64), greater (signed; inputs are below 2^63 or flipped), pick (mask ? a : b), count (lanes set)
#pragma once

#include "shared/hashing/rendezvous_kernels.h"

namespace fremis::hashing {

namespace {

inline std::uint64_t mixOne(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

inline std::uint64_t boundOne(std::uint64_t id, std::uint64_t factor, std::uint64_t key) {
    return (~mixOne(key ^ id) >> 32) * factor;
}

struct ScalarLoops {
    static std::size_t best(const std::uint64_t* ids, std::size_t n, std::uint64_t key) {
        std::size_t found = 0;
        std::uint64_t most = mixOne(key ^ ids[0]);
        for (std::size_t i = 1; i < n; ++i) {
            const std::uint64_t score = mixOne(key ^ ids[i]);
            found = score > most ? i : found;
            most = score > most ? score : most;
        }
        return found;
    }
    static std::size_t bounds(const std::uint64_t* ids, const std::uint64_t* factors, std::size_t n, std::uint64_t key,
                              std::uint64_t* out) {
        std::size_t least = 0;
        for (std::size_t i = 0; i < n; ++i) {
            out[i] = boundOne(ids[i], factors[i], key);
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

// n is rarely a multiple of the lanes: the last step is taken from the end of the array, over some values a second
// time. A value met twice has the same index both times, so neither the best nor its index can change.
template<class Simd> struct SimdLoops {
    using Reg = typename Simd::Reg;
    static constexpr std::size_t kLanes = Simd::kLanes;
    static constexpr std::uint64_t kSign = 0x8000000000000000ull;

    static Reg mix(Reg x) {
        x = Simd::multiply(Simd::bitXor(x, Simd::template shiftRight<30>(x)), 0xbf58476d1ce4e5b9ull);
        x = Simd::multiply(Simd::bitXor(x, Simd::template shiftRight<27>(x)), 0x94d049bb133111ebull);
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
        [[nodiscard]] std::size_t overall() const {
            alignas(64) std::uint64_t values[kLanes];
            alignas(64) std::uint64_t places[kLanes];
            Simd::store(values, value);
            Simd::store(places, index);
            std::size_t lane = 0;
            for (std::size_t i = 1; i < kLanes; ++i) {
                const auto mine = static_cast<std::int64_t>(values[i]);
                const auto most = static_cast<std::int64_t>(values[lane]);
                if (mine > most || (mine == most && places[i] < places[lane]))
                    lane = i;
            }
            return places[lane];
        }
    };

    template<class Step> static void forEachStep(std::size_t n, const Step& step) {
        std::size_t i = kLanes;
        for (; i + kLanes <= n; i += kLanes)
            step(i);
        if (i < n)
            step(n - kLanes);
    }

    static std::size_t best(const std::uint64_t* ids, std::size_t n, std::uint64_t key) {
        if (n < kLanes)
            return ScalarLoops::best(ids, n, key);
        const Reg keys = Simd::set(key);
        const Reg sign = Simd::set(kSign); // turns unsigned order into signed
        const auto score = [&](std::size_t i) {
            return Simd::bitXor(mix(Simd::bitXor(keys, Simd::load(ids + i))), sign);
        };
        Champion champion{score(0), Simd::indices()};
        forEachStep(n, [&](std::size_t i) { champion.meet(score(i), i); });
        return champion.overall();
    }

    static std::size_t bounds(const std::uint64_t* ids, const std::uint64_t* factors, std::size_t n, std::uint64_t key,
                              std::uint64_t* out) {
        if (n < kLanes)
            return ScalarLoops::bounds(ids, factors, n, key, out);
        const Reg keys = Simd::set(key);
        const Reg ones = Simd::set(~std::uint64_t{0});
        const auto bound = [&](std::size_t i) {
            const Reg away = Simd::bitXor(mix(Simd::bitXor(keys, Simd::load(ids + i))), ones);
            const Reg value = Simd::multiplyLow32(Simd::template shiftRight<32>(away), Simd::load(factors + i));
            Simd::store(out + i, value);
            return Simd::bitXor(value,
                                ones); // the least becomes the largest, as bounds are below 2^63 and so these negative
        };
        Champion champion{bound(0), Simd::indices()};
        forEachStep(n, [&](std::size_t i) { champion.meet(bound(i), i); });
        return champion.overall();
    }

    static std::size_t countAtMost(const std::uint64_t* values, std::size_t n, std::uint64_t limit) {
        const Reg limits = Simd::set(limit);
        std::size_t above = 0;
        std::size_t i = 0;
        for (; i + kLanes <= n; i += kLanes)
            above += Simd::count(Simd::greater(Simd::load(values + i), limits));
        return i - above + ScalarLoops::countAtMost(values + i, n - i, limit);
    }

    static RendezvousKernel kernel(std::string_view name) { return {name, &best, &bounds, &countAtMost}; }
};

} // namespace

} // namespace fremis::hashing

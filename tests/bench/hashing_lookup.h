// What the hashing benches share. A lookup's time is throughput: hashed keys, none used twice in a pass, answers
// summed.
#pragma once

#include "shared/hashing/analysis.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace fremis::bench {

/// Too many for a branch predictor to learn, few enough to stay in the cache.
inline const std::vector<std::uint64_t>& lookupHashes() {
    static const auto kHashes = hashing::sampleHashes(std::size_t{1} << 16);
    return kHashes;
}

/// Looks up every key. `Map` is the scheme's own class, so that no virtual call is timed.
template<class Map> std::uint64_t lookUpAll(const Map& map) {
    std::uint64_t sum = 0;
    for (const std::uint64_t hash : lookupHashes())
        sum += map.ownerOf(hash);
    return sum;
}

/// Nanoseconds of one lookup, the best of `rounds` passes.
template<class Map> double nanosecondsPerLookup(const Map& map, int rounds = 9) {
    using Clock = std::chrono::steady_clock;
    double best = std::numeric_limits<double>::max();
    volatile std::uint64_t sink = 0;
    for (int round = 0; round < rounds; ++round) {
        const auto start = Clock::now();
        sink = sink + lookUpAll(map);
        const std::chrono::duration<double, std::nano> passed = Clock::now() - start;
        best = std::min(best, passed.count() / static_cast<double>(lookupHashes().size()));
    }
    return best;
}

template<class T> T valueOf(base::Result<T> result) {
    if (result)
        return std::move(*result);
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    std::exit(1);
}

inline hashing::PlacementPtr mapOf(hashing::Scheme scheme, std::size_t nodes,
                                   const hashing::SchemeOptions& options = {}) {
    return valueOf(hashing::makePlacement(scheme, hashing::NodeSet::numbered(nodes), options));
}

/// Every tenth node gone, as the published figures of Memento have it.
inline hashing::PlacementPtr withoutATenth(hashing::PlacementPtr map) {
    const std::size_t leavers = map->nodes().size() / 10;
    for (std::size_t i = 0; i < leavers; ++i)
        map = valueOf(map->remove("node" + std::to_string(10 * i + 5)));
    return map;
}

} // namespace fremis::bench

#pragma once

#include "shared/hashing/placement.h"

#include <functional>

namespace fremis::hashing {

/// How the figures of a report came about.
enum class Method {
    Exact,   ///< computed from arcs or tables over the whole hash space
    Sampled, ///< counted on hashed keys
};

/// `count` hashes without pattern over the 64-bit space; the same on every platform.
[[nodiscard]] std::vector<std::uint64_t> sampleHashes(std::size_t count);
inline constexpr std::size_t kSampleSize = std::size_t{1} << 20;

/// Told between 0 and 1 while something long runs.
using Progress = std::function<void(double done)>;

struct Balance {
    Method method = Method::Exact;
    std::size_t keys = 0;         ///< sampled keys, 0 when exact
    std::vector<double> shares;   ///< of each node, sum 1
    std::vector<double> relative; ///< share / weighted ideal share
    double deviation = 0;         ///< standard deviation of `relative`: sd/mean
    double least = 0;             ///< min/mean
    double most = 0;              ///< max/mean
};
/// Exact where the scheme allows; with `hashes` (non-empty) counted on those.
[[nodiscard]] Balance balanceOf(const Placement& placement, std::span<const std::uint64_t> hashes = {});

struct Movement {
    struct Pair {
        std::string from;
        std::string to;
        double share;
    };
    Method method = Method::Exact;
    std::size_t keys = 0;
    std::vector<Pair> pairs;     ///< largest share first, then by ids
    double moved = 0;            ///< share of all keys that change their node
    double ideal = 0;            ///< half the sum of |change of weighted ideal share|: the least between two even maps
    double betweenSurvivors = 0; ///< part of `moved` whose two nodes are in both maps with equal weights
};
/// What goes where between two maps. Exact when both are arcs, or both are tables of sizes with a small common
/// multiple; otherwise counted on `hashes`, or on a sample. The maps may differ in scheme, nodes and weights, but not
/// in their hash (Reason::InvalidParams). An empty map has no keys to move: everything moves, from or to "".
[[nodiscard]] base::Result<Movement> diff(const Placement& from, const Placement& to,
                                          std::span<const std::uint64_t> hashes = {});

struct Failure {
    NodeIndex node;
    double share;            ///< what the node owned
    std::size_t receivers;   ///< nodes that take over from it
    double largest;          ///< the largest part one receiver takes, of `share`
    double betweenSurvivors; ///< share of all keys that move although neither node failed
};
/// Who takes over when a node dies, for `limit` nodes spread over the list. Leaves out nodes the scheme cannot let go.
[[nodiscard]] std::vector<Failure> failures(const Placement& placement, std::span<const std::uint64_t> hashes,
                                            std::size_t limit, const Progress& progress = {});

/// How the copies of one node's keys spread over the others.
struct Overlap {
    NodeIndex node;
    std::size_t partners; ///< other nodes that share a key with it
    double largest;       ///< the largest part of its keys that one partner also has
};
[[nodiscard]] std::vector<Overlap> replicaOverlaps(const Placement& placement, std::size_t replicas, SpreadRules rules,
                                                   std::span<const std::uint64_t> hashes);

} // namespace fremis::hashing

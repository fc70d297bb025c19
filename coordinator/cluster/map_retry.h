#pragma once

#include "coordinator/cluster/cluster.h"

namespace fremis::coordinator {

/// How often a write is tried while maps change under it.
inline constexpr int kMapAttempts = 16;

/// Whether a worker refused, and did nothing, because its map is another one.
[[nodiscard]] inline bool isOfAnotherMap(const Refusal& refusal) {
    return refusal.error.reason == base::Reason::StaleEpoch || refusal.error.reason == base::Reason::NotOwner;
}

/// Brings this coordinator and its workers to one map, as far as it can, and calls `then` once.
using SettleMap = std::function<void(std::function<void()> then)>;

/// Runs a write, and again after `settle` when a worker refuses it as one of another map than its own. Clients are
/// never told of maps: what is refused to the last, or done in part, is PartitionUnavailable. Thread: the
/// environment's.
template<class T>
void underPresentMap(SettleMap settle, std::function<void(Done<T>)> write, Done<T> done, int attempts = kMapAttempts) {
    write([settle = std::move(settle), write, done = std::move(done), attempts](Answer<T> result) {
        if (result || !isOfAnotherMap(result.error()))
            return done(std::move(result));
        // With members some of it is done, and a repeat would tell less.
        if (attempts > 1 && result.error().members.empty())
            return settle([=] { underPresentMap<T>(settle, write, done, attempts - 1); });
        result.error().error = {
            base::Reason::PartitionUnavailable, "the workers and this coordinator do not have the same map", {}};
        done(std::move(result));
    });
}

} // namespace fremis::coordinator

#include "shared/routing/shares.h"

#include <algorithm>
#include <numeric>

namespace fremis::routing {

namespace {

// Larger fraction first; the fractions of two capped groups never meet, as capped shares have none.
bool largerRest(const Share& a, const Share& b) { return a.rest * b.divisor > b.rest * a.divisor; }

} // namespace

std::vector<Share> exactShares(std::span<const int> weights, int partitions, int replication) {
    std::vector<Share> shares(weights.size());
    std::vector<bool> full(weights.size(), false);
    std::int64_t copies = std::int64_t{partitions} * replication;
    std::int64_t total = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
    for (bool again = true; again;) {
        again = false;
        const std::int64_t copiesNow = copies;
        const std::int64_t totalNow = total;
        for (std::size_t n = 0; n < weights.size(); ++n) {
            if (full[n])
                continue;
            if (copiesNow * weights[n] >= std::int64_t{partitions} * totalNow) {
                shares[n] = {partitions, 0, 1};
                full[n] = again = true;
                copies -= partitions;
                total -= weights[n];
                continue;
            }
            const std::int64_t scaled = copiesNow * weights[n];
            shares[n] = {static_cast<int>(scaled / totalNow), scaled % totalNow, totalNow};
        }
    }
    return shares;
}

int roundUps(std::span<const Share> shares, int partitions, int replication) {
    int given = 0;
    for (const Share& share : shares)
        given += share.whole;
    return partitions * replication - given;
}

std::vector<int> roundShares(std::span<const Share> shares, std::span<const int> held, int partitions, int replication,
                             Objective objective) {
    std::vector<int> targets;
    std::vector<std::size_t> order;
    for (std::size_t n = 0; n < shares.size(); ++n) {
        targets.push_back(shares[n].whole);
        if (shares[n].rest > 0)
            order.push_back(n);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const bool keepsA = held[a] > shares[a].whole;
        const bool keepsB = held[b] > shares[b].whole;
        if (objective != Objective::Balance && keepsA != keepsB)
            return keepsA;
        if (largerRest(shares[a], shares[b]) || largerRest(shares[b], shares[a]))
            return largerRest(shares[a], shares[b]);
        return keepsA && !keepsB;
    });
    const int ups = roundUps(shares, partitions, replication);
    for (int i = 0; i < ups; ++i)
        ++targets[order[static_cast<std::size_t>(i)]];
    return targets;
}

} // namespace fremis::routing

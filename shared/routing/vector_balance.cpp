// Objective::Vectors: shares of vectors instead of shares of partitions.
#include "shared/routing/contiguous.h"
#include "shared/routing/plan_parts.h"

#include <algorithm>
#include <numeric>

namespace fremis::routing {

namespace {

using Load = std::int64_t;
using Wide = __int128; // products of two loads

// Vectors count 1024; an empty partition still weighs 1, so that nodes of an empty cluster get even counts.
Load weightOf(const PartitionVectors& vectors, std::size_t partition) {
    constexpr std::uint64_t kMostVectors = std::uint64_t{1} << 40; // 256 of them stay below 2^59
    return static_cast<Load>(std::min(vectors[partition], kMostVectors) * 1024 + 1);
}

// `total` times the sum of the shares over the partitions, rounded down. Whole numbers: every machine decides alike.
Load partOf(Load total, Wide shareSum, Wide divisor, int partitions) {
    return static_cast<Load>(Wide{total} * shareSum / (divisor * partitions));
}

// Capped shares are whole, all others have one divisor.
std::int64_t commonDivisor(std::span<const Share> shares) {
    std::int64_t divisor = 1;
    for (const Share& share : shares)
        divisor = std::max(divisor, share.divisor);
    return divisor;
}

Wide scaled(const Share& share, std::int64_t divisor) {
    return (Wide{share.whole} * share.divisor + share.rest) * (divisor / share.divisor);
}

class VectorBalancer {
public:
    VectorBalancer(const AssignTask& task, std::span<const Share> shares, const PartitionVectors& vectors)
        : m_task(task), m_vectors(vectors) {
        Load total = 0;
        for (int p = 0; p < task.partitions; ++p)
            total += weightOf(vectors, static_cast<std::size_t>(p));
        const std::int64_t divisor = commonDivisor(shares);
        for (std::size_t n = 0; n < task.seats.size(); ++n) {
            m_wanted.push_back(partOf(total, scaled(shares[n], divisor), divisor, task.partitions));
            m_now.push_back(task.seats[n].held | task.seats[n].pinned);
            m_load.push_back(loadOf(m_now[n]));
        }
    }

    Assignment run() {
        fitCopies();
        const int mostSteps = 4 * m_task.partitions * m_task.replication; // each shrinks the sum; the bound is a belt
        for (int i = 0; i < mostSteps && improve(); ++i) {
        }
        return std::move(m_now);
    }

private:
    [[nodiscard]] Load loadOf(const PartitionSet& set) const {
        Load load = 0;
        for (std::size_t p = 0; p < set.size(); ++p)
            load += set[p] ? weightOf(m_vectors, p) : 0;
        return load;
    }

    [[nodiscard]] Load excess(std::size_t n) const { return m_load[n] - m_wanted[n]; }

    [[nodiscard]] bool sharesPlace(std::size_t to, std::size_t from, std::size_t partition) const {
        const Seat& seat = m_task.seats[to];
        for (std::size_t n = 0; n < m_now.size(); ++n) {
            const Seat& other = m_task.seats[n];
            const bool together =
                (m_task.spreadHosts && other.host == seat.host) || (m_task.spreadZones && other.zone == seat.zone);
            if (n != to && n != from && together && m_now[n][partition])
                return true;
        }
        return false;
    }

    void give(std::size_t to, std::size_t partition) {
        m_now[to].set(partition);
        m_load[to] += weightOf(m_vectors, partition);
    }
    void take(std::size_t from, std::size_t partition) {
        m_now[from].reset(partition);
        m_load[from] -= weightOf(m_vectors, partition);
    }

    // Exactly `replication` copies of each partition, the heaviest partitions first.
    void fitCopies() {
        std::vector<std::size_t> order(static_cast<std::size_t>(m_task.partitions));
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [this](std::size_t a, std::size_t b) { return m_vectors[a] > m_vectors[b]; });
        for (const std::size_t p : order) {
            while (copiesOf(p) > m_task.replication)
                take(fullestHolder(p), p);
            while (copiesOf(p) < m_task.replication)
                give(emptiestFor(p), p);
        }
    }

    [[nodiscard]] int copiesOf(std::size_t partition) const {
        return static_cast<int>(
            std::count_if(m_now.begin(), m_now.end(), [partition](const PartitionSet& s) { return s[partition]; }));
    }

    [[nodiscard]] std::size_t fullestHolder(std::size_t partition) const {
        std::size_t best = m_now.size();
        for (std::size_t n = 0; n < m_now.size(); ++n)
            if (m_now[n][partition] && !m_task.seats[n].pinned[partition] &&
                (best == m_now.size() || excess(n) > excess(best)))
                best = n;
        return best; // there is one: pins are no more than replicas
    }

    [[nodiscard]] std::size_t emptiestFor(std::size_t partition) const {
        std::size_t best = m_now.size();
        bool bestApart = false;
        for (std::size_t n = 0; n < m_now.size(); ++n) {
            if (m_now[n][partition])
                continue;
            const bool apart = !sharesPlace(n, n, partition);
            if (best == m_now.size() || (apart && !bestApart) || (apart == bestApart && excess(n) < excess(best))) {
                best = n;
                bestApart = apart;
            }
        }
        return best;
    }

    // One step towards the shares: the move, or where none helps the exchange, that shrinks the sum of squared
    // distances most. When w vectors change sides, it shrinks by 2 w (excess(from) - excess(to) - w).
    bool improve() {
        Step best;
        forEachPair([&](std::size_t from, std::size_t to, Load distance) {
            if (m_now[from].count() > 1)
                consider({from, to, kNone, kNone, 0}, distance, best, false);
        });
        if (best.gain == 0)
            forEachPair([&](std::size_t from, std::size_t to, Load distance) {
                consider({from, to, kNone, kNone, 0}, distance, best, true);
            });
        if (best.gain == 0)
            return false;
        take(best.from, best.there);
        give(best.to, best.there);
        if (best.back != kNone) {
            take(best.to, best.back);
            give(best.from, best.back);
        }
        return true;
    }

    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    struct Step {
        std::size_t from = 0;
        std::size_t to = 0;
        std::size_t there = kNone; // partition that goes to `to`
        std::size_t back = kNone;  // and one that comes back
        Wide gain = 0;
    };

    template<class Visit> void forEachPair(Visit visit) const {
        for (std::size_t from = 0; from < m_now.size(); ++from)
            for (std::size_t to = 0; to < m_now.size(); ++to)
                if (excess(from) > excess(to) && isOff(from, to))
                    visit(from, to, excess(from) - excess(to));
    }

    void consider(Step step, Load distance, Step& best, bool exchange) const {
        if (Wide{distance} * distance <= 4 * best.gain)
            return; // not even half the distance would gain more
        const PartitionSet there = m_now[step.from] & ~m_now[step.to] & ~m_task.seats[step.from].pinned;
        const PartitionSet back = m_now[step.to] & ~m_now[step.from] & ~m_task.seats[step.to].pinned;
        for (step.there = 0; step.there < there.size(); ++step.there) {
            if (!there[step.there])
                continue;
            const Load weight = weightOf(m_vectors, step.there);
            if (!exchange)
                offer(step, weight, weight, distance, best);
            for (step.back = 0; exchange && step.back < back.size(); ++step.back) {
                const Load returned = weightOf(m_vectors, step.back);
                if (back[step.back])
                    offer(step, weight - returned, weight + returned, distance, best);
            }
            step.back = kNone;
        }
    }

    // `shifted` vectors change sides, for which `copied` travel. Partitions of nearly equal size are not worth
    // exchanging: dozens of nodes would swap most of what they hold for a fraction of a partition each.
    void offer(Step step, Load shifted, Load copied, Load distance, Step& best) const {
        constexpr Load kMostCopiesPerShift = 8;
        step.gain = Wide{shifted} * (distance - shifted);
        const bool better =
            shifted > 0 && shifted < distance && shifted >= copied / kMostCopiesPerShift && step.gain > best.gain;
        if (better && !sharesPlace(step.to, step.from, step.there) &&
            (step.back == kNone || !sharesPlace(step.from, step.to, step.back)))
            best = step;
    }

    // Within 2 % of its share a node is left in peace: perfect balance is not worth the copying.
    [[nodiscard]] bool isOff(std::size_t from, std::size_t to) const {
        constexpr Load kNearEnough = 50; // 1/50
        return excess(from) > m_wanted[from] / kNearEnough || -excess(to) > m_wanted[to] / kNearEnough;
    }

    const AssignTask& m_task;
    const PartitionVectors& m_vectors;
    std::vector<Load> m_wanted;
    std::vector<Load> m_load;
    Assignment m_now;
};

// Cuts the line where the vectors reach the nodes' shares, every node getting at least one partition.
Assignment cutLine(const AssignTask& task, std::span<const Share> shares, const std::vector<Load>& upTo,
                   const std::vector<std::size_t>& order) {
    Assignment assignment(task.seats.size());
    const std::int64_t divisor = commonDivisor(shares);
    Wide shareSum = 0;
    int begin = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        shareSum += scaled(shares[order[i]], divisor);
        const Load wanted = partOf(upTo.back(), shareSum, divisor, task.partitions);
        const int nodesLeft = static_cast<int>(order.size() - i) - 1;
        int end = begin + 1;
        while (end < task.partitions - nodesLeft &&
               upTo[static_cast<std::size_t>(end)] + upTo[static_cast<std::size_t>(end) + 1] <= 2 * wanted)
            ++end; // to the cut nearest the share
        if (nodesLeft == 0)
            end = task.partitions;
        for (int p = begin; p < end; ++p)
            assignment[order[i]].set(static_cast<std::size_t>(p));
        begin = end;
    }
    return assignment;
}

} // namespace

Assignment balanceVectors(const AssignTask& task, std::span<const Share> shares, const PartitionVectors& vectors) {
    return VectorBalancer(task, shares, vectors).run();
}

Assignment lineByVectors(const AssignTask& task, std::span<const Share> shares, const PartitionVectors& vectors) {
    std::vector<Load> upTo{0};
    for (int p = 0; p < task.partitions; ++p)
        upTo.push_back(upTo.back() + weightOf(vectors, static_cast<std::size_t>(p)));
    const std::vector<std::size_t> kept = lineOrder(task);
    std::vector<std::size_t> fresh;
    for (std::size_t n = 0; n < task.seats.size(); ++n)
        if (task.seats[n].held.none())
            fresh.push_back(n);
    std::optional<Assignment> best;
    Load least = 0;
    for (std::size_t place = 0; place <= kept.size(); ++place) {
        std::vector<std::size_t> order = kept;
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), fresh.begin(), fresh.end());
        Assignment cut = cutLine(task, shares, upTo, order);
        Load moved = 0;
        for (std::size_t n = 0; n < cut.size(); ++n)
            for (std::size_t p = 0; p < cut[n].size(); ++p)
                moved += cut[n][p] && !task.seats[n].held[p] ? weightOf(vectors, p) : 0;
        if (!best || moved < least) {
            best = std::move(cut);
            least = moved;
        }
    }
    return *best;
}

} // namespace fremis::routing

#include "shared/routing/block_moves.h"

#include <algorithm>
#include <tuple>

namespace fremis::routing {

namespace {

struct Block {
    std::size_t from = 0; // == to: the copies come from nowhere that stays
    std::size_t to = 0;
    Range range;
    int addedRanges = 0;
    bool alone = false; // nothing beside it can follow
    [[nodiscard]] bool betterThan(const Block& other) const { return rank() < other.rank(); }

private:
    // Growing blocks are taken from low to high, so that none of their neighbours is left over alone; others by length.
    [[nodiscard]] std::tuple<int, bool, int, int, std::size_t, std::size_t> rank() const {
        return {addedRanges, alone, alone ? -range.size() : 0, range.first, from, to};
    }
};

bool holds(const PartitionSet& set, int partition) {
    return partition >= 0 && partition < base::kPartitionCount && set[static_cast<std::size_t>(partition)];
}

int neighbours(const PartitionSet& set, const Range& range) {
    return (holds(set, range.first - 1) ? 1 : 0) + (holds(set, range.last + 1) ? 1 : 0);
}

class BlockMover {
public:
    explicit BlockMover(const AssignTask& task) : m_task(task) {
        for (const Seat& seat : task.seats) {
            m_now.push_back(seat.held);
            m_movable.push_back(seat.held & ~seat.pinned);
        }
    }

    Assignment run() {
        countCopies();
        dropSurplusCopies();
        placePins();
        while (const auto block = bestMissing())
            place(*block);
        while (const auto block = bestTransfer())
            place(*block);
        return std::move(m_now);
    }

private:
    [[nodiscard]] int lacks(std::size_t n) const { return m_task.seats[n].target - static_cast<int>(m_now[n].count()); }

    void countCopies() {
        m_copies.assign(static_cast<std::size_t>(m_task.partitions), 0);
        for (const PartitionSet& set : m_now)
            for (std::size_t p = 0; p < m_copies.size(); ++p)
                m_copies[p] += set[p] ? 1 : 0;
    }

    [[nodiscard]] PartitionSet withCopies(bool tooFew) const {
        PartitionSet set;
        for (std::size_t p = 0; p < m_copies.size(); ++p)
            set[p] = tooFew ? m_copies[p] < m_task.replication : m_copies[p] > m_task.replication;
        return set;
    }

    // Fewer replicas wanted: those who hold too much give up first, at the ends of their ranges.
    void dropSurplusCopies() {
        for (std::size_t n = 0; n < m_now.size(); ++n)
            while (lacks(n) < 0) {
                const auto runs = rangesOf(m_now[n] & m_movable[n] & withCopies(false));
                if (runs.empty())
                    break;
                const Range longest = *std::max_element(runs.begin(), runs.end(),
                                                        [](const Range& a, const Range& b) { return a.size() < b.size(); });
                const int size = std::min(-lacks(n), longest.size());
                const bool fromLeft = !holds(m_now[n], longest.first - 1);
                const Range block = fromLeft ? Range{longest.first, longest.first + size - 1}
                                             : Range{longest.last - size + 1, longest.last};
                m_now[n] &= ~setOf(block);
                countCopies();
            }
    }

    void placePins() {
        for (std::size_t n = 0; n < m_now.size(); ++n)
            m_now[n] |= m_task.seats[n].pinned;
        countCopies();
    }

    // Partitions that `to` must not get: it has them, or a copy elsewhere shares its host or zone. `from` gives its copy up.
    [[nodiscard]] PartitionSet barred(std::size_t to, std::size_t from) const {
        PartitionSet set = m_now[to];
        if (m_task.replication == 1)
            return set;
        const Seat& seat = m_task.seats[to];
        for (std::size_t n = 0; n < m_now.size(); ++n) {
            const Seat& other = m_task.seats[n];
            const bool together = (m_task.spreadHosts && other.host == seat.host) || (m_task.spreadZones && other.zone == seat.zone);
            if (n != from && together)
                set |= m_now[n];
        }
        return set;
    }

    std::optional<Block> bestMissing() const {
        std::optional<Block> best;
        const PartitionSet missing = withCopies(true);
        if (missing.none())
            return best;
        for (std::size_t to = 0; to < m_now.size(); ++to)
            if (lacks(to) > 0)
                offer(missing & ~barred(to, to), to, to, lacks(to), best);
        return best;
    }

    std::optional<Block> bestTransfer() const {
        std::optional<Block> best;
        for (std::size_t from = 0; from < m_now.size(); ++from) {
            if (lacks(from) >= 0)
                continue;
            for (std::size_t to = 0; to < m_now.size(); ++to)
                if (lacks(to) > 0)
                    offer(m_now[from] & m_movable[from] & ~barred(to, from), from, to, std::min(lacks(to), -lacks(from)), best);
        }
        return best;
    }

    void offer(const PartitionSet& candidates, std::size_t from, std::size_t to, int most, std::optional<Block>& best) const {
        const PartitionSet others = surplusBeside(from) & ~m_now[to];
        for (const Range& run : rangesOf(candidates)) {
            const int size = std::min(most, run.size());
            for (const Range& range : {Range{run.first, run.first + size - 1}, Range{run.last - size + 1, run.last}}) {
                Block block{from, to, range, 1 - neighbours(m_now[to], range)};
                if (from != to)
                    block.addedRanges += neighbours(m_now[from], range) - 1;
                block.alone = neighbours(others, range) == 0;
                if (!best || block.betterThan(*best))
                    best = block;
            }
        }
    }

    // What others than `from` still have to give: a block at such a place can grow into one range later.
    [[nodiscard]] PartitionSet surplusBeside(std::size_t from) const {
        PartitionSet set;
        for (std::size_t n = 0; n < m_now.size(); ++n)
            if (n != from && lacks(n) < 0)
                set |= m_now[n] & m_movable[n];
        return set;
    }

    void place(const Block& block) {
        const PartitionSet set = setOf(block.range);
        m_now[block.to] |= set;
        if (block.from != block.to)
            m_now[block.from] &= ~set;
        else
            countCopies();
    }

    const AssignTask& m_task;
    Assignment m_now;
    std::vector<PartitionSet> m_movable; // originals that may go
    std::vector<int> m_copies;           // by partition
};

} // namespace

Assignment moveBlocks(const AssignTask& task) { return BlockMover(task).run(); }

} // namespace fremis::routing

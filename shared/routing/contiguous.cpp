#include "shared/routing/contiguous.h"

#include <algorithm>
#include <array>
#include <map>

namespace fremis::routing {

namespace {

// Counts of a seat's partitions before each place, for overlaps in constant time.
class Prefix {
public:
    Prefix(const PartitionSet& set, int partitions) {
        for (int p = 0; p < partitions; ++p)
            m_before[static_cast<std::size_t>(p) + 1] = m_before[static_cast<std::size_t>(p)] + (set[static_cast<std::size_t>(p)] ? 1 : 0);
    }
    // Partitions of the set among `size` places from `begin`; the line goes round.
    [[nodiscard]] int within(int begin, int size, int partitions) const {
        const int first = begin % partitions;
        const int end = first + size;
        if (end <= partitions)
            return between(first, end);
        return between(first, partitions) + between(0, end - partitions);
    }

private:
    [[nodiscard]] int between(int begin, int end) const {
        return m_before[static_cast<std::size_t>(end)] - m_before[static_cast<std::size_t>(begin)];
    }
    std::array<int, base::kPartitionCount + 1> m_before{};
};

enum class Rounding { Down, Up, Free };

// New nodes of one kind (same share, no pins): which of them comes first does not matter.
struct Kind {
    std::vector<std::size_t> seats;
};

class LineSolver {
public:
    explicit LineSolver(const LineTask& line) : m_line(line), m_task(line.task), m_ups(roundUps(line.shares, m_task.partitions, m_task.replication)) {
        for (const Seat& seat : m_task.seats) {
            m_held.emplace_back(seat.held, m_task.partitions);
            m_pinned.emplace_back(seat.pinned, m_task.partitions);
        }
        chooseRoundings();
        groupFresh();
    }

    std::optional<LinePlan> run() {
        m_best.assign(stateCount(), kUnknown);
        State state{0, std::vector<int>(m_kinds.size(), 0), 0, 0};
        if (best(state) == kImpossible)
            return std::nullopt;
        LinePlan plan;
        plan.assignment.resize(m_task.seats.size());
        while (!isEnd(state))
            follow(state, plan);
        return plan;
    }

private:
    static constexpr int kUnknown = -1;
    static constexpr int kImpossible = -2;
    static constexpr std::size_t kMostCombinations = 4096;

    struct State {
        std::size_t kept;          // placed so far
        std::vector<int> fresh;    // placed so far, by kind
        int ups;                   // partitions more given out so far
        int place;                 // where the next stretch begins; follows from the others
    };
    struct Step {
        std::size_t seat;
        int size;
        std::size_t kind; // m_kinds.size() = a kept seat
        int up;
    };

    void chooseRoundings() {
        std::vector<std::size_t> order;
        m_rounding.assign(m_line.shares.size(), Rounding::Down);
        for (std::size_t n = 0; n < m_line.shares.size(); ++n)
            if (m_line.shares[n].rest > 0)
                order.push_back(n);
        if (!m_line.largerRestsFirst || order.empty() || m_ups == 0) {
            for (const std::size_t n : order)
                m_rounding[n] = Rounding::Free;
            return;
        }
        const auto larger = [this](std::size_t a, std::size_t b) {
            return m_line.shares[a].rest * m_line.shares[b].divisor > m_line.shares[b].rest * m_line.shares[a].divisor;
        };
        std::stable_sort(order.begin(), order.end(), larger);
        const std::size_t last = order[static_cast<std::size_t>(m_ups) - 1];
        for (const std::size_t n : order)
            m_rounding[n] = larger(n, last) ? Rounding::Up : (larger(last, n) ? Rounding::Down : Rounding::Free);
    }

    void groupFresh() {
        std::map<std::pair<int, std::int64_t>, std::vector<std::size_t>> groups;
        std::size_t combinations = 1;
        for (const std::size_t seat : m_line.fresh)
            groups[{m_line.shares[seat].whole, m_line.shares[seat].rest}].push_back(seat);
        bool pins = false;
        for (const std::size_t seat : m_line.fresh)
            pins = pins || m_task.seats[seat].pinned.any();
        for (const auto& [share, seats] : groups)
            combinations *= seats.size() + 1;
        if (pins || combinations > kMostCombinations) { // then in order of their ids
            for (const std::size_t seat : m_line.fresh)
                m_kinds.push_back({{seat}});
            m_freshInOrder = true;
            return;
        }
        for (auto& [share, seats] : groups)
            m_kinds.push_back({std::move(seats)});
    }

    [[nodiscard]] std::size_t stateCount() const {
        std::size_t count = (m_line.kept.size() + 1) * static_cast<std::size_t>(m_ups + 1);
        if (m_freshInOrder)
            return count * (m_kinds.size() + 1);
        for (const Kind& kind : m_kinds)
            count *= kind.seats.size() + 1;
        return count;
    }

    [[nodiscard]] std::size_t indexOf(const State& state) const {
        std::size_t index = state.kept * static_cast<std::size_t>(m_ups + 1) + static_cast<std::size_t>(state.ups);
        if (m_freshInOrder)
            return index * (m_kinds.size() + 1) + freshPlaced(state);
        for (std::size_t k = 0; k < m_kinds.size(); ++k)
            index = index * (m_kinds[k].seats.size() + 1) + static_cast<std::size_t>(state.fresh[k]);
        return index;
    }

    [[nodiscard]] std::size_t freshPlaced(const State& state) const {
        std::size_t placed = 0;
        for (const int count : state.fresh)
            placed += static_cast<std::size_t>(count);
        return placed;
    }

    [[nodiscard]] bool isEnd(const State& state) const {
        return state.kept == m_line.kept.size() && freshPlaced(state) == m_line.fresh.size();
    }

    [[nodiscard]] std::vector<Step> stepsFrom(const State& state) const {
        std::vector<Step> steps;
        if (state.kept < m_line.kept.size())
            addSteps(state, m_line.kept[state.kept], m_kinds.size(), steps);
        if (m_line.append && state.kept < m_line.kept.size())
            return steps;
        for (std::size_t k = 0; k < m_kinds.size(); ++k) {
            if (state.fresh[k] < static_cast<int>(m_kinds[k].seats.size())) {
                addSteps(state, m_kinds[k].seats[static_cast<std::size_t>(state.fresh[k])], k, steps);
                if (m_freshInOrder)
                    break;
            }
        }
        return steps;
    }

    void addSteps(const State& state, std::size_t seat, std::size_t kind, std::vector<Step>& steps) const {
        const int whole = m_line.shares[seat].whole;
        if (m_rounding[seat] != Rounding::Down && state.ups < m_ups)
            steps.push_back({seat, whole + 1, kind, 1});
        if (m_rounding[seat] != Rounding::Up)
            steps.push_back({seat, whole, kind, 0});
    }

    [[nodiscard]] State after(const State& state, const Step& step) const {
        State next = state;
        if (step.kind == m_kinds.size())
            ++next.kept;
        else
            ++next.fresh[step.kind];
        next.ups += step.up;
        next.place += step.size;
        return next;
    }

    // Copies that stay when `step` is taken and everything after it is done best.
    int valueOf(const State& state, const Step& step) {
        const int partitions = m_task.partitions;
        const Seat& seat = m_task.seats[step.seat];
        if (m_pinned[step.seat].within(state.place, step.size, partitions) != static_cast<int>(seat.pinned.count()))
            return kImpossible;
        const int rest = best(after(state, step));
        return rest == kImpossible ? kImpossible : rest + m_held[step.seat].within(state.place, step.size, partitions);
    }

    int best(const State& state) {
        if (isEnd(state))
            return state.ups == m_ups ? 0 : kImpossible;
        int& known = m_best[indexOf(state)];
        if (known != kUnknown)
            return known;
        int most = kImpossible;
        for (const Step& step : stepsFrom(state))
            most = std::max(most, valueOf(state, step));
        return m_best[indexOf(state)] = most;
    }

    void follow(State& state, LinePlan& plan) {
        const int wanted = best(state);
        for (const Step& step : stepsFrom(state)) {
            if (valueOf(state, step) != wanted)
                continue;
            for (int i = 0; i < step.size; ++i)
                plan.assignment[step.seat].set(static_cast<std::size_t>((state.place + i) % m_task.partitions));
            plan.order.push_back(step.seat);
            state = after(state, step);
            return;
        }
    }

    const LineTask& m_line;
    const AssignTask& m_task;
    int m_ups;
    std::vector<Prefix> m_held;
    std::vector<Prefix> m_pinned;
    std::vector<Rounding> m_rounding;
    std::vector<Kind> m_kinds;
    bool m_freshInOrder = false;
    std::vector<int> m_best; // by state: most copies that can stay from here on
};

} // namespace

std::vector<std::size_t> lineOrder(const AssignTask& task) {
    struct Item {
        std::size_t seat;
        int first;
        int middle; // sum of partitions over their number, in 1/256
    };
    std::vector<Item> items;
    for (std::size_t n = 0; n < task.seats.size(); ++n) {
        int sum = 0;
        int first = -1;
        for (int p = 0; p < task.partitions; ++p)
            if (task.seats[n].held[static_cast<std::size_t>(p)]) {
                sum += p;
                first = first < 0 ? p : first;
            }
        if (first >= 0)
            items.push_back({n, first, 256 * sum / static_cast<int>(task.seats[n].held.count())});
    }
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return std::pair(a.middle, a.first) < std::pair(b.middle, b.first); });
    // One layer after the other: each takes the next node that does not overlap the layer so far.
    std::vector<std::size_t> order;
    std::vector<bool> taken(items.size(), false);
    while (order.size() < items.size()) {
        PartitionSet layer;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (taken[i] || (layer & task.seats[items[i].seat].held).any())
                continue;
            layer |= task.seats[items[i].seat].held;
            taken[i] = true;
            order.push_back(items[i].seat);
        }
    }
    return order;
}

std::optional<LinePlan> assignLine(const LineTask& task) { return LineSolver(task).run(); }

} // namespace fremis::routing

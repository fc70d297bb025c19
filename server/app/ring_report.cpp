// `ring report`: how even a map is, what a failure does to it, and what it costs.
#include "server/app/ring_reports.h"
#include "server/app/ring_svg.h"
#include "shared/hashing/bounded_loads.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <numeric>

namespace fremis::app::ring {

using hashing::Balance;
using hashing::Method;
using hashing::NodeIndex;
using hashing::Placement;
using hashing::Scheme;

namespace {

constexpr std::size_t kDefaultKeys = 100'000;
constexpr std::size_t kTimedHashes = 1u << 14;
constexpr std::size_t kHottest = 10;

std::vector<std::uint64_t> countsOf(const Placement& placement, const Keys& keys,
                                    std::span<const std::uint64_t> hashes) {
    std::vector<std::uint64_t> loads(placement.nodes().size(), 0);
    for (std::size_t i = 0; i < hashes.size(); ++i)
        loads[placement.ownerOf(hashes[i])] += keys.counts.empty() ? 1 : keys.counts[i];
    return loads;
}

/// What a lookup costs, in units of about 25 ns. Not measured: the same report has to try the same failures everywhere.
std::size_t lookupCost(const Placement& placement) {
    const std::size_t nodes = placement.nodes().size();
    switch (placement.scheme()) {
    case Scheme::Rendezvous:
        return 1 + nodes / 50;
    case Scheme::WeightedRendezvous:
        return 2 + nodes / 25;
    case Scheme::MultiProbe:
        return 8;
    default:
        return 1;
    }
}

/// Removals are costly to try on a large map; this many fit half a second or so.
std::size_t failuresToTry(const Placement& placement) {
    const std::size_t lookups = placement.arcs().empty() ? kDefaultKeys * lookupCost(placement) : 1000;
    const std::size_t work = std::max<std::size_t>(placement.memoryBytes() / 8, lookups);
    return std::clamp<std::size_t>(5'000'000 / work, 4, 100);
}

void addBalance(Report& report, const Balance& balance) {
    const std::string method = balance.method == Method::Exact ? "exact, over the whole hash space"
                                                               : "counted on " + std::to_string(balance.keys) + " keys";
    report.facts.push_back({"method", "shares are", method});
    report.facts.push_back({"deviation", "sd/mean", Decimal{balance.deviation, 4}});
    report.facts.push_back({"least", "min/mean", Decimal{balance.least, 4}});
    report.facts.push_back({"most", "max/mean", Decimal{balance.most, 4}});
}

void addFailures(Report& report, const std::vector<hashing::Failure>& failures) {
    if (failures.empty())
        return;
    std::vector<std::uint64_t> receivers;
    double largest = 0;
    double survivors = 0;
    for (const hashing::Failure& failure : failures) {
        receivers.push_back(failure.receivers);
        largest += failure.largest / static_cast<double>(failures.size());
        survivors = std::max(survivors, failure.betweenSurvivors);
    }
    const auto [least, most] = std::minmax_element(receivers.begin(), receivers.end());
    const double mean = static_cast<double>(std::accumulate(receivers.begin(), receivers.end(), std::uint64_t{0})) /
                        static_cast<double>(receivers.size());
    report.facts.push_back({"failures_tried", "nodes let die", std::uint64_t{failures.size()}});
    report.facts.push_back({"receivers_least", "receivers when one dies, least", *least});
    report.facts.push_back({"receivers_mean", "receivers when one dies, mean", Decimal{mean, 1}});
    report.facts.push_back({"receivers_most", "receivers when one dies, most", *most});
    report.facts.push_back({"largest_part", "largest part one receiver takes, mean", Decimal{largest, 3}});
    report.facts.push_back({"between_survivors", "moved between survivors, most", Decimal{survivors, 5}});
}

Table nodeTable(const Placement& map, const Balance& balance, const std::vector<std::uint64_t>& loads,
                const std::vector<hashing::Failure>& failures, const std::vector<hashing::Overlap>& overlaps) {
    Table table{"nodes",
                "",
                {{"node", "node"},
                 {"weight", "weight"},
                 {"share", "share"},
                 {"relative", "of its ideal"},
                 {"load", "load"},
                 {"receivers", "receivers"},
                 {"partners", "replica partners"}},
                {}};
    for (NodeIndex i = 0; i < map.nodes().size(); ++i) {
        const auto failure = std::find_if(failures.begin(), failures.end(), [&](const auto& f) { return f.node == i; });
        table.rows.push_back({map.nodes()[i].id, hashing::weightText(map.nodes()[i].weight),
                              Decimal{balance.shares[i], 5}, Decimal{balance.relative[i], 4}, loads[i],
                              failure == failures.end() ? Cell() : Cell(std::uint64_t{failure->receivers}),
                              overlaps.empty() ? Cell() : Cell(std::uint64_t{overlaps[i].partners})});
    }
    return table;
}

std::optional<Table> hottestKeys(const Placement& map, const Keys& keys, std::span<const std::uint64_t> hashes) {
    if (keys.counts.empty())
        return std::nullopt;
    std::vector<std::size_t> order(keys.names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t shown = std::min(kHottest, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                      [&](std::size_t a, std::size_t b) {
                          return keys.counts[a] != keys.counts[b] ? keys.counts[a] > keys.counts[b]
                                                                  : keys.names[a] < keys.names[b];
                      });
    Table table{"hottest", "Hottest keys", {{"key", "key"}, {"count", "count"}, {"node", "node"}}, {}};
    for (std::size_t i = 0; i < shown; ++i)
        table.rows.push_back(
            {keys.names[order[i]], keys.counts[order[i]], map.nodes()[map.ownerOf(hashes[order[i]])].id});
    return table;
}

/// What --epsilon makes of the loads: keys that went past full nodes, and the fullest node.
Outcome<void> addBounded(Report& report, const hashing::PlacementPtr& map, const Keys& keys, std::uint32_t epsilon) {
    auto loads = hashing::BoundedLoads::create(map, {epsilon});
    if (!loads)
        return usage(loads.error().message);
    for (const std::string& key : keys.names)
        if (!loads->place(key))
            return usage("there is no node to place keys on");
    double most = 0;
    for (NodeIndex i = 0; i < map->nodes().size(); ++i)
        most = std::max(most, static_cast<double>(loads->load(i)) * static_cast<double>(map->nodes().totalWeight()) /
                                  (static_cast<double>(loads->keys()) * map->nodes()[i].weight));
    report.facts.push_back({"bounded_most", "max/mean under the bound", Decimal{most, 4}});
    report.facts.push_back({"bounded_skips", "full nodes passed", loads->skips()});
    return {};
}

Outcome<void> saveShares(const std::string& file, const Placement& map, const Balance& balance) {
    BarChart chart{"Share of each node, " + std::string(infoOf(map.scheme()).title),
                   "Bars show each node's share of the keys relative to its weighted ideal, which is 1.",
                   "share / ideal",
                   {},
                   1.0,
                   "ideal",
                   3};
    for (NodeIndex i = 0; i < map.nodes().size(); ++i)
        chart.bars.push_back({map.nodes()[i].id, balance.relative[i]});
    return saveSvg(file, svgOf(chart));
}

struct Input {
    hashing::PlacementPtr map;
    Keys keys;
    std::vector<std::uint64_t> hashes;
};

Outcome<Input> inputOf(const Options& options) {
    auto nodes = nodesOf(options);
    if (!nodes)
        return tl::unexpected(std::move(nodes.error()));
    auto map = placementOf(options, options.scheme.value_or(Scheme::Ring), std::move(*nodes));
    if (!map)
        return tl::unexpected(std::move(map.error()));
    auto keys = readKeys(options.keys.value_or(std::to_string(kDefaultKeys)));
    if (!keys)
        return tl::unexpected(std::move(keys.error()));
    auto hashes = hashesOf(*keys, *options.schemeOptions.hash);
    return Input{std::move(*map), std::move(*keys), std::move(hashes)};
}

} // namespace

double nanosecondsPerLookup(const Placement& placement, std::span<const std::uint64_t> hashes) {
    using Clock = std::chrono::steady_clock;
    double best = std::numeric_limits<double>::infinity();
    volatile std::uint64_t sink = 0; // keeps the lookups
    for (int round = 0; round < 5; ++round) {
        std::uint64_t sum = 0;
        const auto start = Clock::now();
        for (const std::uint64_t hash : hashes)
            sum += placement.ownerOf(hash);
        const std::chrono::duration<double, std::nano> took = Clock::now() - start;
        sink = sink + sum;
        best = std::min(best, took.count() / static_cast<double>(hashes.size()));
    }
    return best;
}

Outcome<void> saveSvg(const std::string& file, const std::string& svg) {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out << svg;
    out.close();
    if (!out)
        return tl::unexpected(Fault{Exit::CheckFailed, "cannot write " + file});
    return {};
}

Outcome<Report> balanceReport(const Streams& streams, const Options& options) {
    auto input = inputOf(options);
    if (!input)
        return tl::unexpected(std::move(input.error()));
    const Placement& map = *input->map;
    const bool countKeys = options.keys.has_value();
    const Balance balance = hashing::balanceOf(map, countKeys ? input->hashes : std::span<const std::uint64_t>());
    const auto progress = progressOn(streams, options, "letting nodes die");
    const auto failures = hashing::failures(
        map, map.arcs().empty() && map.table().owners.empty() ? input->hashes : std::vector<std::uint64_t>(),
        failuresToTry(map), progress);
    if (progress)
        progress(1);
    std::vector<hashing::Overlap> overlaps;
    if (options.replicas > 1)
        overlaps = hashing::replicaOverlaps(
            map, options.replicas, options.spread,
            std::span(input->hashes).first(std::min<std::size_t>(input->hashes.size(), 20'000)));

    Report report{"ring-report", {}, {}, {}};
    report.facts = {{"scheme", "scheme", std::string(infoOf(map.scheme()).token)},
                    {"nodes", "nodes", std::uint64_t{map.nodes().size()}},
                    {"hash", "hash", std::string(map.options().hash->name)},
                    {"keys", "keys", input->keys.source}};
    addBalance(report, balance);
    addFailures(report, failures);
    report.facts.push_back({"bytes", "memory, bytes", std::uint64_t{map.memoryBytes()}});
    const auto timed = std::span(input->hashes).first(std::min(kTimedHashes, input->hashes.size()));
    report.facts.push_back({"ns_per_lookup", "ns per lookup", Decimal{nanosecondsPerLookup(map, timed), 1}});
    if (options.epsilon)
        if (auto done = addBounded(report, input->map, input->keys, *options.epsilon); !done)
            return tl::unexpected(std::move(done.error()));
    report.tables.push_back(nodeTable(map, balance, countsOf(map, input->keys, input->hashes), failures, overlaps));
    if (auto hottest = hottestKeys(map, input->keys, input->hashes))
        report.tables.push_back(std::move(*hottest));
    if (map.scheme() == Scheme::Slots && map.nodes().size() > 32)
        report.notes.push_back("256 slots are near perfect to 24 nodes and fine to 48; 256 nodes is the ceiling.");
    if (options.svg)
        if (auto saved = saveShares(*options.svg, map, balance); !saved)
            return tl::unexpected(std::move(saved.error()));
    return report;
}

} // namespace fremis::app::ring

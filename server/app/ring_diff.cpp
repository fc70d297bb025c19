// `ring diff`, `ring simulate` and `ring compare`: what changes move.
#include "server/app/ring_reports.h"
#include "server/app/ring_svg.h"

#include <algorithm>

namespace fremis::app::ring {

using hashing::Movement;
using hashing::NodeSet;
using hashing::Placement;
using hashing::PlacementPtr;
using hashing::Scheme;

namespace {

std::string methodText(const Movement& movement) {
    return movement.method == hashing::Method::Exact ? "exact, over the whole hash space"
                                                     : "counted on " + std::to_string(movement.keys) + " keys";
}

Outcome<std::vector<std::uint64_t>> sampleOf(const Options& options) {
    if (!options.keys)
        return std::vector<std::uint64_t>();
    auto keys = readKeys(*options.keys);
    if (!keys)
        return tl::unexpected(std::move(keys.error()));
    return hashesOf(*keys, *options.schemeOptions.hash);
}

Table pairTable(const Movement& movement) {
    Table table{"pairs", "", {{"from", "from"}, {"to", "to"}, {"share", "share of all keys"}}, {}};
    for (const Movement::Pair& pair : movement.pairs)
        table.rows.push_back({pair.from, pair.to, Decimal{pair.share, 6}});
    return table;
}

// A scheme with a history reaches the other set from this one by changes, as a cluster would: departures, weights,
// joins, each in the order of ids. A scheme of sets is simply built.
Outcome<PlacementPtr> changedTo(const Options& options, const PlacementPtr& from, const NodeSet& to) {
    if (infoOf(from->scheme()).setBased)
        return placementOf(options, from->scheme(), to);
    PlacementPtr map = from;
    const auto step = [&](base::Result<PlacementPtr> next) -> Outcome<void> {
        if (!next)
            return usage(std::string(infoOf(from->scheme()).token) + ": " + next.error().message);
        map = std::move(*next);
        return {};
    };
    const auto old = from->nodes().nodes();
    for (auto node = old.rbegin(); node != old.rend(); ++node) // jump can only let its last one go
        if (to.find(node->id) == hashing::kNoNode)
            if (auto done = step(map->remove(node->id)); !done)
                return tl::unexpected(std::move(done.error()));
    for (const hashing::Node& node : to.nodes()) {
        const hashing::NodeIndex known = map->nodes().find(node.id);
        if (known != hashing::kNoNode && map->nodes()[known].weight == node.weight)
            continue;
        if (auto done = step(known == hashing::kNoNode ? map->add(node) : map->weight(node.id, node.weight)); !done)
            return tl::unexpected(std::move(done.error()));
    }
    return map;
}

std::string changeText(const Change& change) {
    switch (change.kind) {
    case Change::Kind::Join:
        return "join " + change.node.id + " (weight " + hashing::weightText(change.node.weight) + ")";
    case Change::Kind::Leave:
        return "leave " + change.node.id;
    case Change::Kind::Weight:
        return "weight of " + change.node.id + " to " + hashing::weightText(change.node.weight);
    }
    return {};
}

base::Result<PlacementPtr> applied(const Placement& map, const Change& change) {
    switch (change.kind) {
    case Change::Kind::Join:
        return map.add(change.node);
    case Change::Kind::Leave:
        return map.remove(change.node.id);
    case Change::Kind::Weight:
        return map.weight(change.node.id, change.node.weight);
    }
    return base::fail(base::Reason::InvalidParams, "no such change");
}

Cell ratio(double value, double by) {
    return by > 0 ? Cell(Decimal{value / by, 3}) : Cell();
}

/// One row of `ring compare`: balance, one join, one departure.
std::vector<Cell> comparedRow(const Placement& map, std::span<const std::uint64_t> hashes,
                              std::span<const std::uint64_t> timed) {
    const auto balance = hashing::balanceOf(map, hashes);
    std::string newcomer = "newcomer";
    while (map.nodes().find(newcomer) != hashing::kNoNode)
        newcomer += '+';
    const auto joined = map.add({.id = newcomer, .weight = map.nodes()[0].weight});
    const std::string leaver = map.nodes()[static_cast<hashing::NodeIndex>(map.nodes().size() / 2)].id;
    auto left = map.remove(leaver);
    const bool any = left.has_value();
    for (const hashing::Node& node : map.nodes().nodes())
        if (!left)
            left = map.remove(node.id);
    const auto moved = [&](const base::Result<PlacementPtr>& next) -> Cell {
        if (!next || (*next)->nodes().empty())
            return {};
        const auto movement = hashing::diff(map, **next, hashes);
        return movement ? ratio(movement->moved, movement->ideal) : Cell();
    };
    return {std::string(infoOf(map.scheme()).token),
            infoOf(map.scheme()).weights,
            any,
            Decimal{nanosecondsPerLookup(map, timed), 1},
            std::uint64_t{map.memoryBytes()},
            Decimal{balance.deviation, 4},
            Decimal{balance.most, 4},
            moved(joined),
            moved(left)};
}

Outcome<void> saveCompared(const std::string& file, const Table& table) {
    BarChart chart{"Load of the fullest node above the mean",
                   "Bars show how much more than the mean the fullest node holds, for each scheme on the same nodes.",
                   "% above the mean",
                   {},
                   {},
                   "",
                   1};
    for (const auto& row : table.rows)
        if (const auto* most = std::get_if<Decimal>(&row[6]))
            chart.bars.push_back({std::get<std::string>(row[0]), std::max(0.0, 100 * (most->value - 1))});
    return saveSvg(file, svgOf(chart));
}

} // namespace

Outcome<Report> diffReport(const Streams&, const Options& options) {
    if (!options.from || !options.to)
        return usage("ring diff needs --from NODES and --to NODES");
    auto from = readNodes(*options.from);
    auto to = readNodes(*options.to);
    auto sample = sampleOf(options);
    if (!from || !to || !sample)
        return tl::unexpected(!from ? std::move(from.error())
                              : !to ? std::move(to.error())
                                    : std::move(sample.error()));
    auto before = placementOf(options, options.scheme.value_or(Scheme::Ring), std::move(*from));
    if (!before)
        return tl::unexpected(std::move(before.error()));
    auto after = changedTo(options, *before, *to);
    if (!after)
        return tl::unexpected(std::move(after.error()));
    const auto movement = hashing::diff(**before, **after, *sample);
    if (!movement)
        return usage(movement.error().message);
    Report report{"ring-diff", {}, {}, {}};
    report.facts = {{"scheme", "scheme", std::string(infoOf((*before)->scheme()).token)},
                    {"method", "shares are", methodText(*movement)},
                    {"moved", "moved", Decimal{movement->moved, 6}},
                    {"ideal", "ideal", Decimal{movement->ideal, 6}},
                    {"ratio", "moved / ideal", ratio(movement->moved, movement->ideal)},
                    {"between_survivors", "between unchanged nodes", Decimal{movement->betweenSurvivors, 6}}};
    report.tables.push_back(pairTable(*movement));
    return report;
}

Outcome<Report> simulateReport(const Streams& streams, const Options& options) {
    if (options.changes.empty())
        return usage("ring simulate needs --join NODE, --leave ID or --weight ID:W, as often as you like");
    auto nodes = nodesOf(options);
    auto sample = sampleOf(options);
    if (!nodes || !sample)
        return tl::unexpected(!nodes ? std::move(nodes.error()) : std::move(sample.error()));
    auto map = placementOf(options, options.scheme.value_or(Scheme::Ring), std::move(*nodes));
    if (!map)
        return tl::unexpected(std::move(map.error()));
    const auto progress = progressOn(streams, options, "simulating");
    Table table{"steps",
                "",
                {{"step", "step"},
                 {"change", "change"},
                 {"moved", "moved"},
                 {"ideal", "ideal"},
                 {"ratio", "moved/ideal"},
                 {"between_survivors", "between others"},
                 {"receivers", "pairs"},
                 {"most", "max/mean after"}},
                {}};
    for (const Change& change : options.changes) {
        if (progress)
            progress(static_cast<double>(table.rows.size()) / static_cast<double>(options.changes.size()));
        auto next = applied(**map, change);
        if (!next)
            return usage(changeText(change) + ": " + next.error().message);
        const auto movement = hashing::diff(**map, **next, *sample);
        if (!movement)
            return usage(movement.error().message);
        const auto balance = hashing::balanceOf(**next, *sample);
        table.rows.push_back({std::uint64_t{table.rows.size() + 1}, changeText(change), Decimal{movement->moved, 5},
                              Decimal{movement->ideal, 5}, ratio(movement->moved, movement->ideal),
                              Decimal{movement->betweenSurvivors, 5}, std::uint64_t{movement->pairs.size()},
                              balance.shares.empty() ? Cell() : Cell(Decimal{balance.most, 4})});
        *map = std::move(*next);
    }
    if (progress)
        progress(1);
    Report report{
        "ring-simulate", {{"scheme", "scheme", std::string(infoOf((*map)->scheme()).token)}}, {std::move(table)}, {}};
    return report;
}

Outcome<Report> compareReport(const Streams& streams, const Options& options) {
    auto nodes = nodesOf(options);
    auto sample = sampleOf(options);
    if (!nodes || !sample)
        return tl::unexpected(!nodes ? std::move(nodes.error()) : std::move(sample.error()));
    const auto timed = hashing::sampleHashes(std::size_t{1} << 15);
    const auto counted = sample->empty() ? hashing::sampleHashes(200'000) : *sample;
    const auto progress = progressOn(streams, options, "comparing");
    Table table{"schemes",
                "",
                {{"scheme", "scheme"},
                 {"weights", "weights"},
                 {"any_removal", "any may leave"},
                 {"ns", "ns/lookup"},
                 {"bytes", "bytes"},
                 {"deviation", "sd/mean"},
                 {"most", "max/mean"},
                 {"join_ratio", "join moved/ideal"},
                 {"leave_ratio", "leave moved/ideal"}},
                {}};
    Report report{"ring-compare", {{"nodes", "nodes", std::uint64_t{nodes->size()}}}, {}, {}};
    for (const hashing::SchemeInfo& info : hashing::schemeTable()) {
        if (progress)
            progress(static_cast<double>(&info - hashing::schemeTable().data()) /
                     static_cast<double>(hashing::schemeTable().size()));
        const auto map = hashing::makePlacement(info.scheme, *nodes, options.schemeOptions);
        if (!map) {
            report.notes.push_back(std::string(info.token) + " is left out: " + map.error().message + ".");
            continue;
        }
        const bool exact = sample->empty() && (!(*map)->arcs().empty() || !(*map)->table().owners.empty());
        table.rows.push_back(comparedRow(**map, exact ? std::span<const std::uint64_t>() : counted, timed));
    }
    if (progress)
        progress(1);
    report.notes.push_back(
        "Deviations of hrw, jump, memento and multi-probe are counted on keys and so contain the noise of counting.");
    if (options.svg)
        if (auto saved = saveCompared(*options.svg, table); !saved)
            return tl::unexpected(std::move(saved.error()));
    report.tables.push_back(std::move(table));
    return report;
}

} // namespace fremis::app::ring

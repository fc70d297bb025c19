// `ring partition` and `ring locate`: where one key goes.
#include "server/app/ring_reports.h"
#include "shared/hashing/fixed_log2.h"
#include "shared/hashing/jump.h"
#include "shared/hashing/partition.h"
#include "shared/hashing/point_table.h"
#include "shared/hashing/text.h"
#include "shared/routing/config_file.h"
#include "shared/routing/partition_map.h"

namespace fremis::app::ring {

using hashing::Placement;
using hashing::Scheme;

namespace {

// The place the scheme's own rule looks at, in words, so that a result can be followed by hand.
std::string placeText(const Placement& placement, std::uint64_t hash) {
    const hashing::NodeIndex owner = placement.ownerOf(hash);
    const std::string& id = placement.nodes()[owner].id;
    switch (placement.scheme()) {
    case Scheme::Modulo:
        return "hash mod " + std::to_string(placement.nodes().size()) + " = " +
               std::to_string(hash % placement.nodes().size());
    case Scheme::Slots:
        return "slot " + std::to_string((hash >> 32) & 255);
    case Scheme::Ring:
    case Scheme::PlacedRing: {
        const auto arcs = placement.arcs();
        for (const Placement::Arc& arc : arcs)
            if (arc.end >= hash)
                return "point " + hashing::hexText(arc.end) + " is the first at or after it";
        return "point " + hashing::hexText(arcs.front().end) + ", the first of all: nothing comes after the hash";
    }
    case Scheme::Rendezvous:
        return "score " + hashing::hexText(hashing::mix64(hash ^ placement.hashOf(id))) + ", the largest";
    case Scheme::WeightedRendezvous: {
        const double log = static_cast<double>(hashing::negativeLog2(hashing::mix64(hash ^ placement.hashOf(id)))) /
                           288230376151711744.0;
        return "-log2(u)/w = " + decimalText(log * 100 / placement.nodes()[owner].weight, 6) + ", the least";
    }
    case Scheme::Jump:
    case Scheme::Memento:
        return "bucket " +
               std::to_string(hashing::jumpBucket(hash, static_cast<std::uint32_t>(placement.nodes().size())));
    case Scheme::Maglev: {
        const std::uint32_t size = placement.options().tableSize;
        return "entry " + std::to_string(hash % size) + " of " + std::to_string(size);
    }
    case Scheme::MultiProbe:
        return "the nearest point to any of " + std::to_string(placement.options().probes) + " probes";
    }
    return {};
}

Outcome<std::string> ownersFromConfig(const std::string& file, base::Partition partition) {
    const auto config = routing::loadConfig(file);
    if (!config)
        return badConfig(config.error().message);
    const routing::PartitionMap& map = config->map;
    std::string owners;
    for (const std::uint16_t node : map.owners(partition))
        owners += (owners.empty() ? "" : " ") + map.nodes()[node].label();
    return owners.empty() ? "none: a gap in the file" : owners;
}

} // namespace

Outcome<Report> partitionReport(const Streams&, const Options& options) {
    if (options.words.size() != 2)
        return usage("ring partition takes a keyspace and a face_id (an empty one is written '')");
    const std::string& keyspace = options.words[0];
    const std::string& faceId = options.words[1];
    const std::string text = keyspace + "-" + faceId;
    const auto digest = hashing::sha1(text);
    const base::Partition partition = hashing::partitionOf(keyspace, faceId);
    Report report{"ring-partition", {}, {}, {}};
    report.facts = {{"text", "hashed text", text},
                    {"digest", "SHA-1", hashing::hexText(digest)},
                    {"byte", "digest byte 3", hashing::hexText(std::span(digest).subspan(3, 1))},
                    {"partition", "partition", std::uint64_t{partition}},
                    {"leaf", "anti-entropy leaf (byte 4)", std::uint64_t{hashing::placeOf(keyspace, faceId).leaf}},
                    {"rule", "rule", std::string(hashing::kPartitionRule)}};
    if (options.config) {
        auto owners = ownersFromConfig(*options.config, partition);
        if (!owners)
            return tl::unexpected(std::move(owners.error()));
        report.facts.push_back({"owners", "owners", std::move(*owners)});
    }
    return report;
}

Outcome<Report> locateReport(const Streams&, const Options& options) {
    if (!options.key || !options.words.empty())
        return usage("ring locate needs --key K");
    auto nodes = nodesOf(options);
    if (!nodes)
        return tl::unexpected(std::move(nodes.error()));
    auto placement = placementOf(options, options.scheme.value_or(Scheme::Ring), std::move(*nodes));
    if (!placement)
        return tl::unexpected(std::move(placement.error()));
    const Placement& map = **placement;
    const std::uint64_t hash = map.hashOf(*options.key);
    Report report{"ring-locate", {}, {}, {}};
    report.facts = {{"scheme", "scheme", std::string(infoOf(map.scheme()).token)},
                    {"key", "key", *options.key},
                    {"h64", "hash (" + std::string(map.options().hash->name) + ")", hashing::hexText(hash)},
                    {"place", "place", placeText(map, hash)}};
    Table table{
        "owners", "", {{"rank", "rank"}, {"node", "node"}, {"zone", "zone"}, {"rack", "rack"}, {"host", "host"}}, {}};
    const auto list = map.ownersOf(hash, options.replicas, options.spread);
    for (std::size_t i = 0; i < list.nodes.size(); ++i) {
        const hashing::Node& node = map.nodes()[list.nodes[i]];
        table.rows.push_back({std::uint64_t{i + 1}, node.id, node.zone, node.rack, node.host});
    }
    report.tables.push_back(std::move(table));
    if (!list.complete)
        report.notes.push_back("Fewer nodes than copies asked for: the list has them all.");
    return report;
}

} // namespace fremis::app::ring

#include "shared/hashing/vectors.h"

#include "shared/hashing/hash_ring.h"
#include "shared/hashing/jump.h"
#include "shared/hashing/maglev.h"
#include "shared/hashing/partition.h"
#include "shared/hashing/text.h"

#include <algorithm>
#include <array>

namespace fremis::hashing {

namespace {

class Checks {
public:
    void add(std::string group, std::string name, std::string expected, std::string actual) {
        m_checks.push_back({std::move(group), std::move(name), std::move(expected), std::move(actual)});
    }
    [[nodiscard]] std::vector<VectorCheck> take() { return std::move(m_checks); }

private:
    std::vector<VectorCheck> m_checks;
};

PlacementPtr placementOf(Scheme scheme, const NodeSet& nodes, const SchemeOptions& options = {}) {
    auto made = makePlacement(scheme, nodes, options);
    return made ? *made : nullptr;
}

void checkPartitions(Checks& checks) {
    struct Row {
        std::string_view keyspace;
        std::string_view faceId;
        std::string_view digestStart;
        int partition;
    };
    static constexpr std::array kRows{
        Row{"default", "1234567891", "4e2adb05", 5},
        Row{"default", "1234567892", "6ff8cb88", 136},
        Row{"default", "1234567893", "67d12a88", 136},
        Row{"default", "273006345433645057", "1342fcc7", 199},
        Row{"employee", "7", "7feb362b", 43},
        Row{"default", "1", "8c6993f0", 240},
        Row{"default", "7", "12471345", 69},
        Row{"default", "007", "09138f29", 41},
        Row{"default", "alice", "325b8926", 38},
        Row{"a-b", "c", "e088d9e3", 227},
        Row{"a", "b-c", "e088d9e3", 227},
        Row{"k", "", "33ae84eb", 235},
        Row{"ks", "wajah-\xC3\xA9", "8dce49de", 222},
        Row{"ks", "wajah-e\xCC\x81", "06844bfe", 254},
        Row{"ks", "\xF0\x9F\x98\x80", "bcad6585", 133},
        Row{"default", "18446744073709551615", "75bf2395", 149},
    };
    for (const Row& row : kRows) {
        const std::string text = std::string(row.keyspace) + "-" + std::string(row.faceId);
        const std::string start = hexText(h64(text)).substr(0, 8);
        checks.add("partition", text, std::string(row.digestStart) + " " + std::to_string(row.partition),
                   start + " " + std::to_string(partitionOf(row.keyspace, row.faceId)));
    }
}

void checkRingPoints(Checks& checks) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kPoints{{
        {"node2", "196e337f78ae2ca8"},
        {"node1", "7f38d76c2590d845"},
        {"node1", "e044094e8f172e7b"},
        {"node3", "e503b09e10857297"},
        {"node3", "ebb6732b4afc860e"},
        {"node2", "ed51638da4e6b151"},
    }};
    SchemeOptions options;
    options.pointsPerNode = 2;
    const auto ring = placementOf(Scheme::Ring, NodeSet::numbered(3), options);
    const auto arcs = ring->arcs();
    for (std::size_t i = 0; i < kPoints.size(); ++i)
        checks.add("ring points", "point " + std::to_string(i + 1),
                   std::string(kPoints[i].first) + " " + std::string(kPoints[i].second),
                   i < arcs.size() ? ring->nodes()[arcs[i].owner].id + " " + hexText(arcs[i].end) : "absent");
}

std::string ownersText(const Placement& placement, std::string_view key) {
    std::string text;
    for (const NodeIndex node : placement.ownersOf(placement.hashOf(key), 3).nodes)
        text += (text.empty() ? "" : " ") + placement.nodes()[node].id;
    return text;
}

void checkOwnerLists(Checks& checks) {
    struct Row {
        std::string_view key;
        std::string_view hash;
        std::string_view owners;
    };
    static constexpr std::array kRing{
        Row{"default-1234567891", "4e2adb0503adc65c", "node1 node3 node2"},
        Row{"a-b-c", "e088d9e3f737c091", "node3 node2 node1"},
        Row{"k10", "f527c79294c5f400", "node2 node1 node3"},
    };
    static constexpr std::array kRendezvous{
        Row{"default-1234567891", "", "node1 node3 node2"},
        Row{"default-1234567892", "", "node3 node1 node2"},
        Row{"employee-7", "", "node2 node1 node3"},
    };
    SchemeOptions options;
    options.pointsPerNode = 2;
    const auto ring = placementOf(Scheme::Ring, NodeSet::numbered(3), options);
    for (const Row& row : kRing)
        checks.add("ring owners", std::string(row.key), std::string(row.hash) + " " + std::string(row.owners),
                   hexText(h64(row.key)) + " " + ownersText(*ring, row.key));
    for (const Scheme scheme : {Scheme::Rendezvous, Scheme::WeightedRendezvous}) {
        const auto placement = placementOf(scheme, NodeSet::numbered(3));
        for (const Row& row : kRendezvous)
            checks.add(std::string(infoOf(scheme).token) + " owners", std::string(row.key), std::string(row.owners),
                       ownersText(*placement, row.key));
    }
}

void checkJump(Checks& checks) {
    struct Row {
        std::uint64_t key;
        std::uint32_t buckets;
        std::uint32_t bucket;
    };
    static constexpr std::array kRows{Row{1, 1, 0}, Row{42, 57, 43}, Row{0xDEAD10CC, 666, 361}, Row{256, 1024, 520}};
    for (const Row& row : kRows)
        checks.add("jump", std::to_string(row.key) + " of " + std::to_string(row.buckets), std::to_string(row.bucket),
                   std::to_string(jumpBucket(row.key, row.buckets)));
}

void checkMaglev(Checks& checks) {
    SchemeOptions options;
    options.tableSize = 13;
    const auto maglev = placementOf(Scheme::Maglev, NodeSet::numbered(3), options);
    std::string actual;
    for (const NodeIndex node : maglev->table().owners)
        actual += (actual.empty() ? "" : " ") + std::to_string(node + 1);
    checks.add("maglev table", "M = 13", "3 1 1 2 3 1 2 3 2 2 3 1 1", actual);
}

constexpr std::size_t kGoldenKeys = 100'000;

/// SHA-256 over the answers for k0..k99999 joined by LF, and how often `counted` was the answer.
template<class AnswerOf>
std::string goldenOf(const std::vector<std::uint64_t>& hashes, std::string_view counted, const AnswerOf& answerOf) {
    std::string joined;
    std::size_t count = 0;
    for (const std::uint64_t hash : hashes) {
        const std::string answer = answerOf(hash);
        count += answer == counted ? 1 : 0;
        joined.append(joined.empty() ? "" : "\n").append(answer);
    }
    return hexText(sha256(joined)).substr(0, 16) + " " + std::to_string(count);
}

std::string goldenOf(const std::vector<std::uint64_t>& hashes, std::string_view counted, const Placement& placement) {
    return goldenOf(hashes, counted, [&](std::uint64_t hash) { return placement.nodes()[placement.ownerOf(hash)].id; });
}

void checkMovement(Checks& checks, const std::vector<std::uint64_t>& hashes, const Placement& before,
                   const Placement& after) {
    std::size_t moved = 0;
    std::size_t toTenth = 0;
    const NodeIndex tenth = after.nodes().find("node10");
    for (const std::uint64_t hash : hashes) {
        const NodeIndex owner = after.ownerOf(hash);
        const bool moves = owner != before.ownerOf(hash);
        moved += moves ? 1 : 0;
        toTenth += moves && owner == tenth ? 1 : 0;
    }
    checks.add("movement", "ring, node10 to weight 2: moved, of them to node10", "7834 7834",
               std::to_string(moved) + " " + std::to_string(toTenth));
}

void checkGolden(Checks& checks, const std::function<void(double)>& progress) {
    std::vector<std::uint64_t> hashes(kGoldenKeys);
    for (std::size_t i = 0; i < kGoldenKeys; ++i)
        hashes[i] = h64("k" + std::to_string(i));
    const auto tell = [&](double done) { progress ? progress(done) : void(); };
    const NodeSet ten = NodeSet::numbered(10);
    const auto ring = placementOf(Scheme::Ring, ten);
    const std::string group = "golden digest";
    checks.add(group, "ring v=160, node1", "25f80fa2058458a8 11187", goldenOf(hashes, "node1", *ring));
    tell(0.2);
    checks.add(group, "hrw, node1", "8f13a33d6c58861a 10178",
               goldenOf(hashes, "node1", *placementOf(Scheme::Rendezvous, ten)));
    tell(0.4);
    checks.add(group, "jump n=10, bucket 0", "53f6301f2c89fbf0 9945",
               goldenOf(hashes, "0", [](std::uint64_t hash) { return std::to_string(jumpBucket(hash, 10)); }));
    tell(0.6);
    checks.add(group, "maglev 65537, node1", "d35ab5cc0d62e8d8 10187",
               goldenOf(hashes, "node1", *placementOf(Scheme::Maglev, ten)));
    tell(0.8);
    const auto slots = goldenOf(hashes, "", [](std::uint64_t hash) { return std::to_string((hash >> 32) & 255); });
    checks.add(group, "slots", "2b591d5974b1b4de", slots.substr(0, 16));
    const auto heavier = ring->weight("node10", 200);
    if (heavier) {
        checks.add(group, "ring, node10 at weight 2, node10", "d0fc6195974c44ad 18236",
                   goldenOf(hashes, "node10", **heavier));
        checkMovement(checks, hashes, *ring, **heavier);
    }
    tell(1.0);
}

} // namespace

std::vector<VectorCheck> checkVectors(const std::function<void(double)>& progress) {
    Checks checks;
    checkPartitions(checks);
    checkRingPoints(checks);
    checkOwnerLists(checks);
    checkJump(checks);
    checkMaglev(checks);
    checkGolden(checks, progress);
    return checks.take();
}

} // namespace fremis::hashing

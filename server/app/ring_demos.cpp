#include "server/app/ring_demos.h"

#include "shared/hashing/hash_ring.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace fremis::app::ring {

using hashing::NodeIndex;
using hashing::NodeSet;
using hashing::PlacementPtr;
using hashing::SchemeOptions;

namespace {

NodeSet lettered(int count) {
    std::vector<hashing::Node> nodes;
    for (int i = 0; i < count; ++i)
        nodes.push_back({.id = std::string(1, static_cast<char>('A' + i))});
    return *NodeSet::create(std::move(nodes));
}

// Options of the lessons are constants that a ring always accepts.
PlacementPtr ringOf(const NodeSet& nodes, std::uint32_t points, const hashing::KeyHash& hash) {
    SchemeOptions options;
    options.pointsPerNode = points;
    options.hash = &hash;
    return *hashing::HashRing::create(nodes, options);
}

std::uint64_t movedIntegers(std::uint64_t keys, std::uint64_t before, std::uint64_t after) {
    std::uint64_t moved = 0;
    for (std::uint64_t key = 0; key < keys; ++key)
        moved += key % before != key % after ? 1 : 0;
    return moved;
}

std::uint64_t remainder(const hashing::Md5Digest& digest, std::uint64_t divisor) {
    std::uint64_t rest = 0;
    for (const std::uint8_t byte : digest)
        rest = (rest * 256 + byte) % divisor;
    return rest;
}

std::vector<std::uint64_t> loadsOf(const hashing::Placement& placement, std::span<const std::uint64_t> hashes) {
    std::vector<std::uint64_t> loads(placement.nodes().size(), 0);
    for (const std::uint64_t hash : hashes)
        ++loads[placement.ownerOf(hash)];
    return loads;
}

std::vector<std::uint64_t> md5Hashes(std::uint64_t keys) {
    std::vector<std::uint64_t> hashes;
    for (std::uint64_t i = 0; i < keys; ++i)
        hashes.push_back(hashing::md5KeyHash().of("k" + std::to_string(i)));
    return hashes;
}

void fillRingPart(ModnLesson& lesson) {
    const auto hashes = md5Hashes(lesson.md5Keys);
    const auto before = ringOf(lettered(3), 100, hashing::md5KeyHash());
    const auto after = ringOf(lettered(4), 100, hashing::md5KeyHash());
    lesson.ringBefore = loadsOf(*before, hashes);
    lesson.ringAfter = loadsOf(*after, hashes);
    for (const std::uint64_t hash : hashes) {
        const NodeIndex to = after->ownerOf(hash); // A, B, C have the same indices in both
        if (to == before->ownerOf(hash))
            continue;
        ++lesson.ringMoved;
        lesson.ringMovedBetweenOldNodes += to != 3 ? 1 : 0;
    }
}

VnodesLesson::Row deviationOf(const NodeSet& nodes, std::uint32_t points, std::span<const std::uint64_t> hashes) {
    const auto balance = hashing::balanceOf(*ringOf(nodes, points, hashing::md5KeyHash()), hashes);
    return {points, balance.deviation, balance.most, 1 / std::sqrt(static_cast<double>(points))};
}

} // namespace

ModnLesson modnLesson(const hashing::Progress& progress) {
    ModnLesson lesson;
    lesson.integerMoved3To4 = movedIntegers(lesson.integerKeys, 3, 4);
    lesson.integerMoved10To11 = movedIntegers(lesson.integerKeys, 10, 11);
    if (progress)
        progress(0.5);
    for (std::uint64_t i = 0; i < lesson.md5Keys; ++i) {
        const auto digest = hashing::md5("k" + std::to_string(i));
        lesson.md5Moved3To4 += remainder(digest, 3) != remainder(digest, 4) ? 1 : 0;
        lesson.md5Moved10To11 += remainder(digest, 10) != remainder(digest, 11) ? 1 : 0;
    }
    fillRingPart(lesson);
    if (progress)
        progress(1);
    return lesson;
}

WorkedLesson workedLesson() {
    using Ring = std::map<int, std::string>;
    const auto ownerOn = [](const Ring& ring, int key) {
        const auto at = ring.lower_bound(key); // a key equal to a position belongs to it
        return at == ring.end() ? ring.begin()->second : at->second;
    };
    const Ring three{{150, "N1"}, {520, "N2"}, {880, "N3"}};
    Ring four = three;
    four.emplace(300, "N4");
    WorkedLesson lesson;
    for (const int key : {100, 149, 150, 151, 519, 900})
        lesson.examples.push_back({key, ownerOn(three, key)});
    std::map<std::string, std::uint64_t> before;
    std::map<std::string, std::uint64_t> after;
    for (int key = 0; key < 1000; ++key) {
        const std::string from = ownerOn(three, key);
        const std::string to = ownerOn(four, key);
        ++before[from];
        ++after[to];
        lesson.moduloMoved += key % 3 != key % 4 ? 1 : 0;
        if (from == to)
            continue;
        if (lesson.moved++ == 0)
            lesson.firstMoved = key;
        lesson.lastMoved = key;
        lesson.from = from;
        lesson.to = to;
    }
    for (const char* node : {"N1", "N2", "N3"})
        lesson.before.push_back(before[node]);
    for (const char* node : {"N1", "N2", "N3", "N4"})
        lesson.after.push_back(after[node]);
    return lesson;
}

VnodesLesson vnodesLesson(const hashing::Progress& progress) {
    const auto hashes = md5Hashes(10'000);
    VnodesLesson lesson;
    const std::array<std::uint32_t, 9> all{1, 2, 5, 10, 20, 50, 100, 200, 500};
    for (const std::uint32_t points : all) {
        lesson.ten.push_back(deviationOf(lettered(10), points, hashes));
        if (progress)
            progress(static_cast<double>(lesson.ten.size()) / all.size());
    }
    for (const std::uint32_t points : {1u, 200u})
        lesson.three.push_back(deviationOf(lettered(3), points, hashes));
    return lesson;
}

FailureLesson failureLesson(const hashing::Progress& progress) {
    FailureLesson lesson;
    const NodeSet nodes = NodeSet::numbered(100);
    double done = 0;
    for (const std::uint32_t points : {1u, 10u, 100u, 160u}) {
        const auto ring = ringOf(nodes, points, hashing::sha1KeyHash());
        const auto failures = hashing::failures(*ring, {}, nodes.size(), [&](double part) {
            if (progress)
                progress((done + part) / 4);
        });
        done += 1;
        FailureLesson::Row row{points, nodes.size(), 0, 0, 0, 0};
        for (const hashing::Failure& failure : failures) {
            row.least = std::min<std::uint64_t>(row.least, failure.receivers);
            row.most = std::max<std::uint64_t>(row.most, failure.receivers);
            row.mean += static_cast<double>(failure.receivers) / static_cast<double>(failures.size());
            row.largestPart += failure.largest / static_cast<double>(failures.size());
            if (nodes[failure.node].id == "node1")
                row.ofNode1 = failure.receivers;
            if (points == 100)
                lesson.receivers.push_back(failure.receivers);
        }
        lesson.rows.push_back(row);
    }
    if (progress)
        progress(1);
    return lesson;
}

} // namespace fremis::app::ring

#include "shared/hashing/analysis.h"
#include "shared/hashing/jump.h"
#include "shared/hashing/point_table.h"
#include "shared/hashing/rendezvous.h"
#include "shared/hashing/rendezvous_kernels.h"
#include "tests/unit/hashing/avx512_emulated.h"
#include "tests/unit/hashing/support.h"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace fremis::hashing;
using namespace fremis::hashing::test;

namespace {

std::vector<Node> sixNodes(bool weights) {
    std::vector<Node> nodes;
    for (int i = 1; i <= 6; ++i)
        nodes.push_back({.id = "node" + std::to_string(i),
                         .weight = weights ? static_cast<std::uint32_t>(50 * i) : kUnitWeight,
                         .zone = "z" + std::to_string(i % 3)});
    return nodes;
}

/// 1 / odd mod 2^64, by Newton: each step doubles the bits that are right.
std::uint64_t inverseOf(std::uint64_t odd) {
    std::uint64_t x = odd;
    for (int i = 0; i < 6; ++i)
        x *= 2 - odd * x;
    return x;
}

} // namespace

class DeterminismTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void setBasedSchemes_data() {
        QTest::addColumn<int>("scheme");
        QTest::addColumn<QByteArray>("hash");
        for (const Scheme scheme : schemesWhere(&SchemeInfo::setBased))
            for (const char* hash : {"sha1", "weak-top", "weak-low"})
                QTest::addRow("%s over %s", infoOf(scheme).token.data(), hash)
                    << static_cast<int>(scheme) << QByteArray(hash);
    }
    static SchemeOptions optionsFor(const QByteArray& hash) {
        SchemeOptions options;
        options.tableSize = 251;
        options.pointsPerNode = 20;
        options.hash = hash == "sha1" ? &sha1KeyHash() : hash == "weak-top" ? &weakTopHash() : &weakLowHash();
        return options;
    }

    void all720OrdersOfSixNodesGiveOneMap_data() { setBasedSchemes_data(); }
    void all720OrdersOfSixNodesGiveOneMap() {
        QFETCH(int, scheme);
        QFETCH(QByteArray, hash);
        const auto kind = static_cast<Scheme>(scheme);
        const SchemeOptions options = optionsFor(hash);
        auto nodes = sixNodes(infoOf(kind).weights);
        const auto reference = make(kind, *NodeSet::create(nodes), options);
        const auto hashes = sampleHashes(300);
        const auto owners = ownersOfKeys(*reference, hashes);
        const std::string bytes = reference->serialise();
        std::sort(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.id < b.id; });
        do {
            auto map = make(kind, NodeSet(), options);
            for (const Node& node : nodes)
                map = *map->add(node);
            QVERIFY(map->serialise() == bytes);
            QVERIFY(ownersOfKeys(*map, hashes) == owners);
        } while (std::next_permutation(nodes.begin(), nodes.end(),
                                       [](const Node& a, const Node& b) { return a.id < b.id; }));
    }

    void everyWalkToTheSameSetGivesOneMap_data() { setBasedSchemes_data(); }
    void everyWalkToTheSameSetGivesOneMap() {
        QFETCH(int, scheme);
        QFETCH(QByteArray, hash);
        const auto kind = static_cast<Scheme>(scheme);
        const auto hashes = sampleHashes(300);
        QVERIFY(rc::check([&] {
            const SchemeOptions options = optionsFor(hash);
            auto map = make(kind, *NodeSet::create(sixNodes(infoOf(kind).weights)), options);
            const auto owners = ownersOfKeys(*map, hashes);
            std::vector<std::string> guests;
            for (int step = 0; step < 10; ++step) { // joins and leaves of others, in any order
                if (guests.empty() || *rc::gen::arbitrary<bool>()) {
                    guests.push_back("guest" + std::to_string(step));
                    map = *map->add({.id = guests.back()});
                } else {
                    const auto at = guests.begin() +
                                    *rc::gen::inRange<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(guests.size()));
                    map = *map->remove(*at);
                    guests.erase(at);
                }
            }
            for (const std::string& guest : guests)
                map = *map->remove(guest);
            RC_ASSERT(ownersOfKeys(*map, hashes) == owners);
        }));
    }

    // With 256 positions nearly all points collide: no exception, and who owns a key is still decided by the tie rule
    // alone.
    void collidingRingPointsGoToTheSmallerId_data() {
        QTest::addColumn<bool>("top");
        QTest::newRow("collisions in the top byte") << true;
        QTest::newRow("collisions in the low byte") << false;
    }
    void collidingRingPointsGoToTheSmallerId() {
        QFETCH(bool, top);
        QVERIFY(rc::check([&] {
            SchemeOptions options;
            options.hash = top ? &weakTopHash() : &weakLowHash();
            options.pointsPerNode = *rc::gen::inRange(1u, 200u);
            const auto ring =
                make(Scheme::Ring, someNodes(Scheme::Ring, *rc::gen::inRange<std::size_t>(1, 20)), options);
            std::vector<std::pair<std::uint64_t, NodeIndex>> points; // the definition, without index or sorting tricks
            for (NodeIndex i = 0; i < ring->nodes().size(); ++i) {
                const Node& node = ring->nodes()[i];
                const std::uint64_t count =
                    std::max<std::uint64_t>(1, (options.pointsPerNode * std::uint64_t{node.weight} + 50) / 100);
                for (std::uint64_t number = 0; number < count; ++number)
                    points.emplace_back(options.hash->of(node.id + "#" + std::to_string(number)), i);
            }
            std::sort(points.begin(), points.end());
            for (std::uint64_t key = 0; key < 600; ++key) {
                const std::uint64_t hash = key < 256 ? (top ? key << 56 : key) : mix64(key);
                const auto at =
                    std::find_if(points.begin(), points.end(), [&](const auto& point) { return point.first >= hash; });
                RC_ASSERT(ring->ownerOf(hash) == (at == points.end() ? points.front() : *at).second);
            }
        }));
    }
    void addThenRemoveRestoresTheMapThroughCollisions_data() {
        QTest::addColumn<int>("scheme");
        for (const SchemeInfo& info : schemeTable())
            if (info.scheme != Scheme::PlacedRing) // keeps its history: a guest leaves traces within the one percent
                QTest::addRow("%s", info.token.data()) << static_cast<int>(info.scheme);
    }
    void addThenRemoveRestoresTheMapThroughCollisions() {
        QFETCH(int, scheme);
        const auto kind = static_cast<Scheme>(scheme);
        const auto hashes = sampleHashes(500);
        QVERIFY(rc::check([&] {
            SchemeOptions options = optionsFor("weak-top");
            const std::size_t count = *rc::gen::inRange<std::size_t>(1, 12);
            const auto before =
                make(kind, kind == Scheme::Slots ? NodeSet::numbered(count) : someNodes(kind, count), options);
            const auto after = *(*before->add({.id = "guest"}))->remove("guest");
            if (kind == Scheme::Slots) { // the freed slots come back to nodes that lack one, perhaps others
                RC_ASSERT(balanceOf(*after).most <= balanceOf(*before).most + 1e-9);
                return;
            }
            RC_ASSERT(ownersOfKeys(*after, hashes) == ownersOfKeys(*before, hashes));
        }));
    }

    void thePointIndexFindsWhatABinarySearchFinds_data() {
        QTest::addColumn<quint64>("mask"); // bits of the positions that vary: few make points crowd and collide
        QTest::newRow("anywhere") << ~quint64{0};
        QTest::newRow("256 places, all over the circle") << quint64{0xFF00000000000000};
        QTest::newRow("all in the first bucket") << quint64{0xFFFF};
        QTest::newRow("in two far buckets") << quint64{0x800000000000FFFF};
    }
    void thePointIndexFindsWhatABinarySearchFinds() {
        QFETCH(quint64, mask);
        QVERIFY(rc::check([mask] {
            std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
            std::vector<PointTable::Point> points(*rc::gen::inRange<std::size_t>(1, 700));
            for (std::size_t i = 0; i < points.size(); ++i)
                points[i] = {random() & mask, static_cast<NodeIndex>(i)};
            if (random() % 4 == 0)
                points[random() % points.size()].position = ~std::uint64_t{0};
            const PointTable table(points);
            std::stable_sort(points.begin(), points.end(),
                             [](const auto& a, const auto& b) { return a.position < b.position; });
            std::vector<std::uint64_t> hashes{0, ~std::uint64_t{0}};
            for (const auto& point : points)
                hashes.insert(hashes.end(), {point.position - 1, point.position, point.position + 1, random()});
            for (const std::uint64_t hash : hashes) {
                const auto at = std::lower_bound(points.begin(), points.end(), hash,
                                                 [](const auto& point, std::uint64_t h) { return point.position < h; });
                RC_ASSERT(table.successor(hash) == static_cast<std::size_t>(at - points.begin()));
                RC_ASSERT(table.ownerOf(hash) == (at == points.end() ? points.front() : *at).node);
            }
            RC_ASSERT(table.memoryBytes() <= points.size() * (12 + 16) + 16); // one sentinel and one bucket more
        }));
    }

    void jumpFollowsItsDefinition() {
        const auto definition = [](std::uint64_t key, std::int64_t buckets) { // figure 1 of arXiv 1406.2294
            std::int64_t bucket = -1;
            std::int64_t next = 0;
            while (next < buckets) {
                bucket = next;
                key = key * 2862933555777941757ull + 1;
                next = static_cast<std::int64_t>(
                    static_cast<double>(bucket + 1) *
                    (static_cast<double>(std::int64_t{1} << 31) / static_cast<double>((key >> 33) + 1)));
            }
            return static_cast<std::uint32_t>(bucket);
        };
        auto keys = sampleHashes(20'000);
        // Keys whose first quotient is 1, 2 or 4: the next bucket comes out whole, where rounding is a tie.
        constexpr std::uint64_t kMultiplier = 2862933555777941757ull;
        for (const std::uint64_t divisor : {std::uint64_t{1} << 31, std::uint64_t{1} << 30, std::uint64_t{1} << 29})
            for (std::uint64_t low = 0; low < 1000; ++low)
                keys.push_back((((divisor - 1) << 33) + low * 8'589'934 - 1) * inverseOf(kMultiplier));
        for (const std::uint64_t key : keys)
            for (const std::uint32_t buckets : {1u, 2u, 3u, 10u, 100u, 1000u, 65536u, 0x7FFFFFFFu})
                QCOMPARE(jumpBucket(key, buckets), definition(key, buckets));
    }

    static std::vector<RendezvousKernel> allKernels() {
        std::vector<RendezvousKernel> kernels(rendezvousKernels().begin(), rendezvousKernels().end());
        kernels.push_back(emulatedAvx512Kernel());
        return kernels;
    }
    void everyKernelFindsTheSameOwner() {
        const auto kernels = allKernels();
        QVERIFY(kernels.size() >= 2);
        QCOMPARE(kernels[0].name, std::string_view("scalar"));
        std::mt19937_64 random(42);
        for (std::size_t n = 1; n <= 1100; n += n < 70 ? 1 : 103) {
            std::vector<std::uint64_t> seeds(n);
            for (std::size_t i = 0; i < n; ++i)
                seeds[i] = random() % 3 == 0 && i > 0 ? seeds[random() % i] : random(); // equal ones tie
            for (int key = 0; key < 200; ++key)
                compareKernels(kernels, seeds, random());
        }
    }
    static void compareKernels(std::span<const RendezvousKernel> kernels, const std::vector<std::uint64_t>& seeds,
                               std::uint64_t key) {
        const std::size_t best = kernels[0].best(seeds.data(), seeds.size(), key);
        for (const RendezvousKernel& kernel : kernels)
            QCOMPARE(kernel.best(seeds.data(), seeds.size(), key), best);
    }
    // Ranks that differ in their last bits only, or lie just above zero, where an estimate from below wraps around, or
    // just below 2^64: seeds are made for them by running the mixer backwards.
    void kernelsDecideCloseRacesExactly() {
        const auto kernels = allKernels();
        std::mt19937_64 random(7);
        for (int round = 0; round < 3000; ++round) {
            const std::size_t n = 1 + random() % 130;
            const std::uint64_t key = random();
            const std::uint64_t common = round % 3 == 0 ? 0 : round % 3 == 1 ? ~std::uint64_t{0} : random();
            const unsigned spread = static_cast<unsigned>(random() % 64); // of this many low bits
            std::vector<std::uint64_t> ranks(n);
            std::vector<std::uint64_t> seeds(n);
            for (std::size_t i = 0; i < n; ++i) {
                ranks[i] = common ^ (random() & ((std::uint64_t{1} << spread) - 1));
                seeds[i] = key ^ seedOfRank(ranks[i]);
            }
            const auto best = std::max_element(ranks.begin(), ranks.end()) - ranks.begin();
            for (const RendezvousKernel& kernel : kernels)
                QCOMPARE(kernel.best(seeds.data(), n, key), static_cast<std::size_t>(best));
        }
    }
    static std::uint64_t seedOfRank(std::uint64_t rank) {
        std::uint64_t x = rank * inverseOf(0x94d049bb133111ebull);
        x ^= (x >> 27) ^ (x >> 54);
        return x * inverseOf(0xbf58476d1ce4e5b9ull);
    }

    // ownerOf() rules nodes out by bounds; the definition computes every logarithm.
    void weightedRendezvousFollowsItsDefinition() {
        const auto kernels = allKernels();
        QVERIFY(rc::check([&kernels] {
            const std::size_t count = *rc::gen::inRange<std::size_t>(1, 150);
            const std::uint32_t heaviest = *rc::gen::element(kUnitWeight, 101u, 400u, kMaxWeight);
            const std::uint32_t lightest = *rc::gen::element(kMinWeight, heaviest / 2, heaviest);
            std::vector<Node> nodes;
            for (std::size_t i = 0; i < count; ++i)
                nodes.push_back({.id = std::to_string(i), .weight = *rc::gen::inRange(lightest, heaviest + 1)});
            const auto made = make(Scheme::WeightedRendezvous, *NodeSet::create(nodes));
            const auto& map = dynamic_cast<const WeightedRendezvous&>(*made);
            for (const std::uint64_t hash : sampleHashes(500)) {
                const NodeIndex owner = map.ownerByDefinition(hash);
                for (const RendezvousKernel& kernel : kernels)
                    RC_ASSERT(map.ownerBy(kernel, hash) == owner);
                std::vector<NodeIndex> order;
                map.preference(hash, 2, order);
                RC_ASSERT(order[0] == owner);
            }
        }));
    }
    // A custom hash gives the id's own bits, so that contenders come as close, and wrap, as a test likes.
    void weightedRendezvousFollowsItsDefinitionInCloseRaces() {
        static constexpr KeyHash asNumber{"as-number", [](std::string_view text) {
                                              return static_cast<std::uint64_t>(std::stoull(std::string(text)));
                                          }};
        const auto kernels = allKernels();
        SchemeOptions options;
        options.hash = &asNumber;
        std::mt19937_64 random(11);
        for (int round = 0; round < 2000; ++round) {
            const std::uint64_t hash = random();
            const unsigned spread = static_cast<unsigned>(40 + random() % 24); // no id twice
            const std::uint64_t common = round % 2 == 0 ? 0 : ~std::uint64_t{0};
            std::vector<Node> nodes;
            for (std::size_t i = 0; i < 60; ++i) {
                const std::uint64_t rank = (i < 30 ? common : ~common) ^ (random() >> (64 - spread));
                const std::uint64_t seed = rendezvousSeed(hash) ^ seedOfRank(rank);
                const std::uint64_t id = seed ^ (seed >> 30) ^ (seed >> 60);
                nodes.push_back({.id = std::to_string(id), .weight = 100 + static_cast<std::uint32_t>(random() % 3)});
            }
            const auto made = make(Scheme::WeightedRendezvous, *NodeSet::create(nodes), options);
            const auto& map = dynamic_cast<const WeightedRendezvous&>(*made);
            for (const RendezvousKernel& kernel : kernels)
                QCOMPARE(map.ownerBy(kernel, hash), map.ownerByDefinition(hash));
        }
    }
    void weightedRendezvousWithEqualWeightsIsPlainRendezvous() {
        const auto plain = make(Scheme::Rendezvous, NodeSet::numbered(700)); // more than one block of bounds
        const auto weighted = make(Scheme::WeightedRendezvous, NodeSet::numbered(700));
        const auto hashes = sampleHashes(3000);
        QVERIFY(ownersOfKeys(*plain, hashes) == ownersOfKeys(*weighted, hashes));
    }
};

QTEST_GUILESS_MAIN(DeterminismTest)
#include "determinism_test.moc"

#include "shared/hashing/analysis.h"
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

    void everyKernelFindsTheSameOwner() {
        std::vector<RendezvousKernel> kernels(rendezvousKernels().begin(), rendezvousKernels().end());
        kernels.push_back(emulatedAvx512Kernel());
        QVERIFY(kernels.size() >= 2);
        QCOMPARE(kernels[0].name, std::string_view("scalar"));
        std::mt19937_64 random(42);
        for (std::size_t n = 1; n <= 70; ++n) {
            std::vector<std::uint64_t> ids(n);
            std::vector<std::uint64_t> factors(n);
            for (std::size_t i = 0; i < n; ++i) {
                ids[i] = random() % 3 == 0 && i > 0 ? ids[random() % i] : random(); // equal ids tie
                factors[i] = (std::uint64_t{1} << 31) / (1 + random() % kMaxWeight);
            }
            for (int key = 0; key < 200; ++key)
                compareKernels(kernels, ids, factors, random());
        }
    }
    static void compareKernels(std::span<const RendezvousKernel> kernels, const std::vector<std::uint64_t>& ids,
                               const std::vector<std::uint64_t>& factors, std::uint64_t key) {
        const std::size_t n = ids.size();
        std::vector<std::uint64_t> expected(n);
        const std::size_t best = kernels[0].best(ids.data(), n, key);
        const std::size_t least = kernels[0].bounds(ids.data(), factors.data(), n, key, expected.data());
        const std::size_t within = kernels[0].countAtMost(expected.data(), n, expected[n / 2]);
        for (const RendezvousKernel& kernel : kernels) {
            std::vector<std::uint64_t> bounds(n);
            QCOMPARE(kernel.best(ids.data(), n, key), best);
            QCOMPARE(kernel.bounds(ids.data(), factors.data(), n, key, bounds.data()), least);
            QVERIFY(bounds == expected);
            QCOMPARE(kernel.countAtMost(bounds.data(), n, expected[n / 2]), within);
        }
    }

    // ownerOf() rules nodes out by bounds; the definition computes every logarithm.
    void weightedRendezvousFollowsItsDefinition() {
        QVERIFY(rc::check([] {
            const std::size_t count = *rc::gen::inRange<std::size_t>(1, 40);
            const std::uint32_t heaviest = *rc::gen::element(kUnitWeight, 101u, 400u, kMaxWeight);
            std::vector<Node> nodes;
            for (std::size_t i = 0; i < count; ++i)
                nodes.push_back({.id = std::to_string(i), .weight = *rc::gen::inRange(kMinWeight, heaviest + 1)});
            const auto made = make(Scheme::WeightedRendezvous, *NodeSet::create(nodes));
            const auto& map = dynamic_cast<const WeightedRendezvous&>(*made);
            for (const std::uint64_t hash : sampleHashes(500)) {
                const NodeIndex owner = map.ownerByDefinition(hash);
                RC_ASSERT(map.ownerOf(hash) == owner);
                std::vector<NodeIndex> order;
                map.preference(hash, 2, order);
                RC_ASSERT(order[0] == owner);
            }
        }));
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

// Faults that other implementations shipped, one test each; the case's name is the public report.
#include "shared/hashing/analysis.h"
#include "shared/hashing/hash_ring.h"
#include "tests/unit/hashing/support.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace fremis::hashing;
using namespace fremis::hashing::test;

namespace {

// Two nodes whose points collide: every position of one is a position of the other.
std::uint64_t samePositions(std::string_view text) {
    const std::size_t mark = text.find('#');
    return mark == std::string_view::npos ? h64(text) : h64(text.substr(mark));
}
constexpr KeyHash kSamePositions{"same-positions", &samePositions};

SchemeOptions colliding() {
    SchemeOptions options;
    options.hash = &kSamePositions;
    return options;
}

NodeSet withWeights(const std::map<std::string, std::uint32_t>& weights) {
    std::vector<Node> nodes;
    for (const auto& [id, weight] : weights)
        nodes.push_back({.id = id, .weight = weight});
    return *NodeSet::create(nodes);
}

} // namespace

class RegressionsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // stathat/consistent#5: the ring is a map from position to node, so of two colliding nodes the one added last wins,
    // and two processes that added them in different order disagree.
    void stathatConsistent5_ownerDependsOnInsertionOrder() {
        const auto empty = make(Scheme::Ring, NodeSet(), colliding());
        const auto ab = *(*empty->add({.id = "a"}))->add({.id = "b"});
        const auto ba = *(*empty->add({.id = "b"}))->add({.id = "a"});
        for (const std::uint64_t hash : sampleHashes(1000)) {
            QCOMPARE(ab->nodes()[ab->ownerOf(hash)].id, std::string("a"));
            QCOMPARE(ba->nodes()[ba->ownerOf(hash)].id, std::string("a"));
        }
    }
    // apache/pekko#3279, akka.net#8294: adding a node whose point is taken throws, or the point is lost for both.
    void pekko3279AndAkkaNet8294_collidingPointsThrow() {
        const auto one = make(Scheme::Ring, NodeSet::numbered(1, "a"), colliding());
        const auto two = one->add({.id = "b"});
        QVERIFY(two.has_value());
        QCOMPARE(dynamic_cast<const HashRing&>(**two).points().size(), std::size_t{320});
    }
    // awesomized/libmemcached#41: equal positions sort by chance (an unstable sort with an incomplete comparison), so
    // clients differ.
    void libmemcached41_equalPointsSortByChance() {
        SchemeOptions options = colliding();
        options.pointsPerNode = 1000;
        const auto ring = make(Scheme::Ring, NodeSet::numbered(50, "a"), options);
        const PointTable& points = dynamic_cast<const HashRing&>(*ring).points();
        QCOMPARE(points.size(), std::size_t{50'000});
        for (std::size_t i = 1; i < points.size(); ++i)
            QVERIFY(points.position(i - 1) < points.position(i) ||
                    (points.position(i - 1) == points.position(i) && points.node(i - 1) < points.node(i)));
    }
    // ultrabug/uhashring#6: removing a node deletes the colliding points of the other one too.
    void uhashring6_removalDeletesTheOthersPoints() {
        const auto one = make(Scheme::Ring, NodeSet::numbered(1, "b"), colliding());
        const auto back = *(*one->add({.id = "a"}))->remove("a");
        QCOMPARE(dynamic_cast<const HashRing&>(*back).points().size(), std::size_t{160});
        QVERIFY(back->serialise() == one->serialise());
        for (const std::uint64_t hash : sampleHashes(100))
            QCOMPARE(back->ownerOf(hash), one->ownerOf(hash));
    }
    // envoyproxy/envoy#5846: ring sizes from rounded-up weights, so shares drift from weights, worst for many light
    // hosts.
    void envoy5846_ringSharesIgnoreWeights() {
        std::map<std::string, std::uint32_t> weights;
        for (int i = 0; i < 40; ++i)
            weights["light" + std::to_string(i)] = 25;
        weights["heavy"] = 1000;
        const auto ring = make(Scheme::Ring, withWeights(weights));
        std::size_t points = 0;
        for (const Node& node : ring->nodes().nodes())
            points += HashRing::pointsOf(160, node.weight);
        QCOMPARE(points, std::size_t{40 * 40 + 1600});
        const auto balance = balanceOf(*ring);
        QVERIFY(std::abs(balance.relative[ring->nodes().find("heavy")] - 1) < 4 / std::sqrt(1600.0));
    }
    // envoyproxy/envoy#6035: Maglev applies weights to the turn in a way that skips light hosts for whole rounds.
    void envoy6035_maglevSharesIgnoreWeights() {
        for (const std::uint32_t heavy : {200u, 300u, 1000u, 10000u}) {
            const auto maglev = make(Scheme::Maglev, withWeights({{"a", 100}, {"b", 100}, {"c", heavy}}));
            for (const double relative : balanceOf(*maglev).relative)
                QVERIFY2(std::abs(relative - 1) < 0.01, qPrintable(QString::number(relative)));
        }
    }
};

QTEST_GUILESS_MAIN(RegressionsTest)
#include "regressions_test.moc"

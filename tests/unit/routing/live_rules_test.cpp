#include "shared/routing/live_rules.h"

#include <QtTest>

using namespace fremis::routing;

namespace {

Address at(const std::string& text) { return *Address::parse(text); }

PartitionMap halves(const std::string& first, const std::string& second) {
    return PartitionMap(ClusterConfig{{{at(first), {0, 127}, {}, {}}, {at(second), {128, 255}, {}, {}}}, {}, {}});
}

NodeFacts holding(const PartitionSet& set, std::uint64_t each = 10) {
    NodeFacts facts;
    facts.reportedPartitions = set;
    facts.vectors = PartitionVectors{};
    for (std::size_t p = 0; p < set.size(); ++p)
        (*facts.vectors)[p] = set[p] ? each : 0;
    return facts;
}

std::vector<std::string> lines(const std::vector<Problem>& problems) {
    std::vector<std::string> texts;
    for (const Problem& problem : problems)
        texts.push_back(std::string(idOf(problem.rule)) + " " + std::string(wordOf(problem.severity)) + ": " + problem.message);
    return texts;
}

} // namespace

class LiveRulesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aHealthyClusterHasNothingToSay() {
        LiveFacts facts;
        facts.running = halves("a:1", "b:1");
        facts.nodes = {{at("a:1"), holding(setOf({0, 127}))}, {at("b:1"), holding(setOf({128, 255}))}};
        facts.textWhenRead = facts.textNow = "x";
        QCOMPARE(lines(checkLive(halves("a:1", "b:1"), facts)), std::vector<std::string>{"V19 info: the draft equals the running config"});
    }

    void seesDriftSilenceAndImbalance() {
        LiveFacts facts;
        facts.nodes = {{at("a:1"), holding(setOf({0, 99}), 100)}, {at("b:1"), holding(setOf({128, 255}))}};
        facts.nodes[at("b:1")].answers = false;
        QCOMPARE(lines(checkLive(halves("a:1", "b:1"), facts)),
                 (std::vector<std::string>{"V13 warning: a:1 reports partitions 0-99, the config says 0-127",
                                           "V16 warning: b:1 does not answer",
                                           "V15 warning: vectors are spread unevenly: a:1 holds 1.77 times its share"}));
    }

    void seesAFileThatChangedMeanwhile() {
        LiveFacts facts;
        facts.textWhenRead = "a";
        facts.textNow = "b";
        QCOMPARE(lines(checkLive(halves("a:1", "b:1"), facts)), std::vector<std::string>{"V18 error: the file changed since it was read"});
    }

    void refusesToOrphanData() {
        LiveFacts facts;
        facts.running = halves("a:1", "b:1");
        facts.nodes = {{at("a:1"), holding(setOf({0, 127}))}, {at("b:1"), holding(setOf({128, 255}))}};
        const PartitionMap draft = halves("a:1", "c:1");
        QCOMPARE(lines(checkLive(draft, facts)),
                 std::vector<std::string>{"V17 error: partitions 128-255 go from b:1 to c:1, which holds none of their vectors"});
        const auto orphans = orphansBetween(*facts.running, draft, facts.nodes);
        QCOMPARE(orphans.size(), std::size_t{128});
        QVERIFY(orphans.front().onlyCopy);
        const auto refused = checkDataMoved(orphans, {});
        QVERIFY(!refused);
        QCOMPARE(refused.error().reason, fremis::base::Reason::DataNotMoved);
        QVERIFY(refused.error().message.find("128-255") != std::string::npos);
        QVERIFY(!checkDataMoved(orphans, {setOf({128, 254}), {}}));
        QVERIFY(checkDataMoved(orphans, {setOf({128, 200}), setOf({201, 255})}));
    }

    void acceptsWhatHasBeenCopied() {
        const PartitionMap before = halves("a:1", "b:1");
        const std::map<Address, NodeFacts> nodes{{at("a:1"), holding(setOf({0, 127}))},
                                                 {at("b:1"), holding(setOf({128, 255}))},
                                                 {at("c:1"), holding(setOf({128, 255}), 9)}};
        QVERIFY(orphansBetween(before, halves("a:1", "c:1"), nodes).empty());
    }

    void emptyPartitionsMayGoAnywhere() {
        const PartitionMap before = halves("a:1", "b:1");
        QVERIFY(orphansBetween(before, halves("c:1", "d:1"), {{at("a:1"), holding({}, 0)}, {at("b:1"), holding({}, 0)}}).empty());
    }

    void tellsALostOnlyCopyFromAThinOne() {
        const auto with = [](const std::string& second) {
            return PartitionMap(ClusterConfig{{{at("a:1"), {0, 255}, {}, {}}, {at(second), {0, 255}, {}, {}}}, {}, {}});
        };
        const std::map<Address, NodeFacts> nodes{{at("a:1"), holding(setOf({0, 255}))}, {at("b:1"), holding(setOf({0, 255}))}};
        const auto orphans = orphansBetween(with("b:1"), with("c:1"), nodes);
        QCOMPARE(orphans.size(), std::size_t{256});
        QVERIFY(!orphans.front().onlyCopy);
        QVERIFY(!checkDataMoved(orphans, {}));
        QVERIFY(checkDataMoved(orphans, {}, true)); // a still has everything
    }

    void seesDataThatLeavesWithTheLastHolder() {
        const PartitionMap both(ClusterConfig{{{at("a:1"), {0, 255}, {}, {}}, {at("b:1"), {0, 255}, {}, {}}}, {}, {}});
        const PartitionMap one(ClusterConfig{{{at("a:1"), {0, 255}, {}, {}}}, {}, {}});
        const auto orphans = orphansBetween(both, one, {{at("a:1"), holding({}, 0)}, {at("b:1"), holding(setOf({3, 4}))}});
        QCOMPARE(orphans.size(), std::size_t{2});
        QCOMPARE(orphans.front().from, at("b:1"));
        QCOMPARE(orphans.front().to, at("a:1"));
        QVERIFY(orphans.front().onlyCopy);
    }
};

QTEST_GUILESS_MAIN(LiveRulesTest)
#include "live_rules_test.moc"

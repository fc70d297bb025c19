#include "shared/routing/config_reader.h"
#include "shared/routing/partition_map.h"

#include <QtTest>

using namespace fremis::routing;

namespace {

Address at(std::string_view text) { return *Address::parse(text); }

ClusterConfig twoReplicas() {
    return {{{at("b:1"), {0, 99}, "second", std::nullopt},
             {at("a:1"), {100, 255}, std::nullopt, Weight::hundredths(250)},
             {at("c:1"), {0, 255}, std::nullopt, std::nullopt},
             {at("B:1"), {200, 255}, std::nullopt, std::nullopt}},
            std::nullopt,
            std::nullopt};
}

} // namespace

class PartitionMapTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void listsOwnersRangesAndNodes() {
        const PartitionMap map(twoReplicas());
        QCOMPARE(map.nodes().size(), std::size_t{3});
        QCOMPARE(map.nodes()[0].label(), std::string("second"));
        QCOMPARE(map.nodes()[0].ranges(), (std::vector<Range>{{0, 99}, {200, 255}}));
        QCOMPARE(map.nodes()[1].weight.text(), std::string("2.5"));
        const auto owners = map.owners(200);
        QCOMPARE(std::vector<std::uint16_t>(owners.begin(), owners.end()), (std::vector<std::uint16_t>{0, 1, 2}));
        QVERIFY(map.isComplete());
        QCOMPARE(map.expectedOwners(0), 2);
        QCOMPARE(map.expectedOwners(200), 3);
    }

    void findsNodesByNameAndAnySpelling() {
        const PartitionMap map(twoReplicas());
        QCOMPARE(map.findNode("second"), std::optional<std::size_t>(0));
        QCOMPARE(map.findNode("A:1"), std::optional<std::size_t>(1));
        QVERIFY(!map.findNode("d:1"));
        QVERIFY(!map.findNode("nonsense"));
    }

    void showsGaps() {
        const PartitionMap map(ClusterConfig{{{at("a:1"), {0, 200}, {}, {}}}, {}, {}});
        QVERIFY(!map.isComplete());
        QCOMPARE(rangesText(~map.covered()), std::string("201-255"));
        QVERIFY(map.owners(255).empty());
        QVERIFY(PartitionMap().nodes().empty());
    }

    void copiesShareTheirData() {
        const PartitionMap map(twoReplicas());
        const PartitionMap copy = map; // NOLINT: the copy is the subject
        QCOMPARE(copy.nodes().data(), map.nodes().data());
    }

    void namesWhoLeavesAndJoins() {
        ClusterConfig after = twoReplicas();
        after.entries[3].address = at("d:1");
        const auto changes = changesBetween(PartitionMap(twoReplicas()), PartitionMap(after));
        QCOMPARE(changes.size(), std::size_t{56});
        QCOMPARE(int(changes.front().partition), 200);
        QCOMPARE(changes.front().leaves, std::vector<Address>{at("b:1")});
        QCOMPARE(changes.front().joins, std::vector<Address>{at("d:1")});
    }

    void epochDependsOnMeaningOnly() {
        const std::string first = "version: v1\nnodes:\n- {address: a:1, partition_start: 0, partition_end: 99}\n"
                                  "- {address: b:1, partition_start: 100, partition_end: 255}\n";
        const std::string same = "# other order, quoting, weight written out, host in capitals, range in two pieces\n"
                                 "nodes:\n  - partition_start: 200\n    partition_end: 255\n    address: 'B:1'\n    weight: 1\n"
                                 "  - {address: b:1, partition_start: 100, partition_end: 199}\n"
                                 "  - {address: a:1, partition_start: 0, partition_end: 99}\n"
                                 "allow_partial_search: false\nversion: \"v1\"\n";
        const std::string epoch = epochOf(*readConfig(first).config);
        QCOMPARE(epoch.size(), std::size_t{16});
        QCOMPARE(epochOf(*readConfig(same).config), epoch);
        for (const char* more : {"replication: 1\n", "allow_partial_search: true\n"})
            QVERIFY(epochOf(*readConfig(first + more).config) != epoch);
        const std::string moved = "version: v1\nnodes:\n- {address: a:1, partition_start: 0, partition_end: 98}\n"
                                  "- {address: b:1, partition_start: 99, partition_end: 255}\n";
        QVERIFY(epochOf(*readConfig(moved).config) != epoch);
    }

    void epochIsTheSameOnEveryMachine() {
        const ClusterConfig config{{{at("w1:4003"), {0, 127}, {}, {}}, {at("w2:4003"), {128, 255}, {}, {}}}, {}, {}};
        QCOMPARE(canonicalText(config), std::string("fremis-config/1\nreplication -\nallow_partial_search false\n"
                                                    "node w1:4003 weight 1 partitions 0-127 name \n"
                                                    "node w2:4003 weight 1 partitions 128-255 name \n"));
        QCOMPARE(epochOf(config), std::string("d69ad19967b8aa66"));
    }

    void readsPartitionLists_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("meaning");
        const auto row = [](const char* text, const char* meaning) {
            QTest::addRow("%s", text) << QByteArray(text) << QByteArray(meaning);
        };
        row("182-207, 5", "5, 182-207");
        row("0-255", "0-255");
        row(" 1 - 2 ,3", "1-3");
        for (const char* bad : {"", ",", "1,", "2-1", "256", "0-256", "-1", "1--2", "01", "0x1", "a"})
            row(bad, "refused");
    }
    void readsPartitionLists() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, meaning);
        const auto set = parsePartitionList(text.toStdString());
        QCOMPARE(QByteArray::fromStdString(set ? rangesText(*set) : "refused"), meaning);
    }

    void knowsAddressesInAllSpellings() {
        QCOMPARE(at("[0:0::1]:4003"), at("[::1]:4003"));
        QCOMPARE(at("HOST:4003"), at("host:4003"));
        QVERIFY(at("host:4003") != at("host:4004"));
        QCOMPARE(at("HOST:4003").text(), std::string("HOST:4003"));
        QVERIFY(at("127.8.8.8:1").isLocal());
        QVERIFY(!at("127.example.org:1").isLocal());
    }
};

QTEST_GUILESS_MAIN(PartitionMapTest)
#include "partition_map_test.moc"

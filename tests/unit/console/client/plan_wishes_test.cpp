#include "console/client/entry_order.h"
#include "console/client/map_preview.h"
#include "console/client/plan_wishes.h"
#include "shared/routing/config_file.h"

#include <QtTest>

using namespace fremis;
using namespace fremis::console;

namespace {

const QByteArray kThree("version: \"v1\"\nnodes:\n"
                        "  - {address: \"a:1\", partition_start: 0, partition_end: 84, name: one}\n"
                        "  - {address: \"b:1\", partition_start: 85, partition_end: 169, name: two}\n"
                        "  - {address: \"c:1\", partition_start: 170, partition_end: 255, name: three}\n");

routing::PartitionMap mapOf(const QByteArray& text) {
    const auto file = routing::loadConfigText(text.toStdString(), "config.yml");
    return file ? file->map : routing::PartitionMap();
}

PlanWishes threeNodes() {
    PlanWishes wishes;
    wishes.setStart(mapOf(kThree));
    return wishes;
}

} // namespace

class PlanWishesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFourthNodeMovesTheBound();
    void leavingAndWeightsReachTheRequest();
    void aJoiningNodeCanBeTakenBack();
    void badAddressesAndWeightsSayWhy();
    void pinsAreRead();
    void wishesSurviveANewStart();
    void resetForgetsAll();
    void previewKeepsThePlacesOfNodes();
    void previewClassesByTheMapAlone();
    void sortMovesEntriesWithTheirComments();
    void sortRefusesWhatItCannotRead();
};

void PlanWishesTest::aFourthNodeMovesTheBound() {
    PlanWishes wishes = threeNodes();
    QVERIFY(wishes.addNode(QStringLiteral(" d:1 ")));
    const auto plan = routing::makePlan(wishes.request(std::nullopt));
    QVERIFY(plan);
    QCOMPARE(plan->figures.moved, 64);
    QCOMPARE(plan->figures.lowerBound, 64);
}

void PlanWishesTest::leavingAndWeightsReachTheRequest() {
    PlanWishes wishes = threeNodes();
    wishes.setFate(QStringLiteral("a:1"), NodeFate::Leaves);
    wishes.setFate(QStringLiteral("b:1"), NodeFate::Empties);
    QVERIFY(wishes.setWeight(QStringLiteral("c:1"), QStringLiteral("2.5")));
    wishes.maxMoves = 10;
    const auto request = wishes.request(std::nullopt);
    QCOMPARE(request.remove.size(), 1U);
    QCOMPARE(request.drain.size(), 1U);
    QCOMPARE(request.change.size(), 1U);
    QCOMPARE(request.change[0].weight->hundredths(), 250);
    QCOMPARE(*request.maxMoves, 10);
    wishes.mode = routing::PlanMode::Contiguous; // has no cap
    QVERIFY(!wishes.request(std::nullopt).maxMoves);
}

void PlanWishesTest::aJoiningNodeCanBeTakenBack() {
    PlanWishes wishes = threeNodes();
    QVERIFY(wishes.addNode(QStringLiteral("d:1")));
    QCOMPARE(wishes.nodes().size(), 4U);
    wishes.setFate(QStringLiteral("d:1"), NodeFate::Leaves);
    QCOMPARE(wishes.nodes().size(), 3U);
}

void PlanWishesTest::badAddressesAndWeightsSayWhy() {
    PlanWishes wishes = threeNodes();
    QVERIFY(!wishes.addNode(QStringLiteral("no-port")));
    QVERIFY(!wishes.addNode(QStringLiteral("A:1"))); // the same as a:1
    QVERIFY(!wishes.setWeight(QStringLiteral("a:1"), QStringLiteral("-1")));
    QCOMPARE(wishes.nodes().size(), 3U);
    QVERIFY(!wishes.nodes()[0].weightIsNew);
}

void PlanWishesTest::pinsAreRead() {
    PlanWishes wishes = threeNodes();
    QVERIFY(wishes.setPins(QStringLiteral("0-1: three; 7: b:1")));
    const auto pins = wishes.request(std::nullopt).pins;
    QCOMPARE(pins.size(), 3U);
    QCOMPARE(QString::fromStdString(pins.at(1).front().text()), QStringLiteral("c:1"));
    QVERIFY(!wishes.setPins(QStringLiteral("0-1: nobody")));
    QVERIFY(!wishes.setPins(QStringLiteral("0-1")));
    QCOMPARE(wishes.request(std::nullopt).pins.size(), 3U); // as they were
    QVERIFY(wishes.setPins({}));
    QVERIFY(wishes.request(std::nullopt).pins.empty());
}

void PlanWishesTest::wishesSurviveANewStart() {
    PlanWishes wishes = threeNodes();
    wishes.setFate(QStringLiteral("a:1"), NodeFate::Empties);
    QVERIFY(wishes.addNode(QStringLiteral("d:1")));
    QByteArray changed = kThree;
    changed.replace("84", "80").replace("85", "81");
    wishes.setStart(mapOf(changed));
    QCOMPARE(wishes.find(QStringLiteral("a:1"))->fate, NodeFate::Empties);
    QCOMPARE(wishes.find(QStringLiteral("d:1"))->fate, NodeFate::Joins);
}

void PlanWishesTest::resetForgetsAll() {
    PlanWishes wishes = threeNodes();
    QVERIFY(wishes.addNode(QStringLiteral("d:1")));
    wishes.setFate(QStringLiteral("a:1"), NodeFate::Leaves);
    wishes.mode = routing::PlanMode::Contiguous;
    wishes.reset();
    QCOMPARE(wishes.nodes().size(), 3U);
    QCOMPARE(wishes.nodes()[0].fate, NodeFate::Stays);
    QVERIFY(wishes.request(std::nullopt).remove.empty());
}

void PlanWishesTest::previewKeepsThePlacesOfNodes() {
    auto live = std::make_shared<Snapshot>();
    for (const auto* address : {"c:1", "a:1", "gone:1"}) {
        NodeView node;
        node.address = QLatin1String(address);
        node.assigned = hashing::PartitionSet::all();
        live->nodes.push_back(node);
    }
    const auto preview = previewOf(live, mapOf(kThree));
    QCOMPARE(preview->nodes.size(), 4U);
    QCOMPARE(preview->nodes[0].address, QStringLiteral("c:1"));
    QCOMPARE(preview->nodes[3].address, QStringLiteral("b:1"));
    QVERIFY(preview->nodes[2].assigned.empty());
    QCOMPARE(preview->partitions[0].owners, std::vector<int>{1});
    QCOMPARE(preview->partitions[100].owners, std::vector<int>{3});
    QCOMPARE(preview->partitions[255].owners, std::vector<int>{0});
}

void PlanWishesTest::previewClassesByTheMapAlone() {
    auto config = *routing::readConfig(kThree.toStdString()).config;
    config.entries[0].range.last = 80;  // a gap
    config.entries[1].range.last = 171; // more than enough
    config.replication = 1;
    const auto preview = previewOf({}, routing::PartitionMap(config));
    QCOMPARE(preview->partitions[82].health, PartitionClass::Gap);
    QCOMPARE(preview->partitions[171].health, PartitionClass::Over);
    QCOMPARE(preview->partitions[0].health, PartitionClass::Ok);
    QCOMPARE(preview->counts.of(PartitionClass::Gap), 4);
}

void PlanWishesTest::sortMovesEntriesWithTheirComments() {
    const auto sorted =
        sortedByPartition("version: v1\nnodes:\n"
                          "  # the second\n  - address: b:1\n    partition_start: 128\n    partition_end: 255\n"
                          "\n"
                          "  - address: a:1 # first\n    partition_start: 0\n    partition_end: 127");
    QVERIFY(sorted);
    QCOMPARE(QString::fromStdString(*sorted),
             QStringLiteral("version: v1\nnodes:\n"
                            "  - address: a:1 # first\n    partition_start: 0\n    partition_end: 127\n"
                            "\n"
                            "  # the second\n  - address: b:1\n    partition_start: 128\n    partition_end: 255"));
    QCOMPARE(*sortedByPartition(kThree.toStdString()), kThree.toStdString()); // sorted already: every byte stays
    const auto flow =
        sortedByPartition("nodes: [{partition_start: 9, address: b}, {partition_start: 1, address: a}]\n");
    QVERIFY(flow);
    QCOMPARE(QString::fromStdString(*flow),
             QStringLiteral("nodes: [{partition_start: 1, address: a}, {partition_start: 9, address: b}]\n"));
}

void PlanWishesTest::sortRefusesWhatItCannotRead() {
    QVERIFY(!sortedByPartition("nodes:\n  - address: a:1\n"));
    QVERIFY(!sortedByPartition("nodes: 7\n"));
    QVERIFY(!sortedByPartition("nodes: [\n"));
}

QTEST_GUILESS_MAIN(PlanWishesTest)
#include "plan_wishes_test.moc"

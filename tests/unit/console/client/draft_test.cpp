#include "console/client/config_draft.h"
#include "console/client/plan_adapter.h"
#include "console/client/snapshot_builder.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace fremis::console;
using fremis::hashing::PartitionRange;
namespace routing = fremis::routing;

namespace {

constexpr Instant kNow{1'767'600'000'000};
const QByteArray kText = "# our site\n"
                         "version: \"v1\"   # keep\n"
                         "nodes:\n"
                         "  - address: \"a:1\"\n"
                         "    partition_start: 0\n"
                         "    partition_end: 127\n"
                         "    name: \"worker-3\"\n"
                         "  - address: \"b:1\"\n"
                         "    partition_start: 128\n"
                         "    partition_end: 255\n"
                         "    name: \"worker-5\"\n";

PartitionSet setOf(int first, int last) {
    PartitionSet set;
    set.insert(PartitionRange{static_cast<Partition>(first), static_cast<Partition>(last)});
    return set;
}

/// Both nodes answer; each holds ten vectors of each of its partitions.
SnapshotPtr clusterOf(const QByteArray& text, const QStringList& silent = {}) {
    Observations seen;
    const auto view = configViewOf({u"e"_s, {}, text, {}, {}});
    if (!view)
        qFatal("%s", view.error().message.c_str());
    seen.config.set(*view, kNow);
    for (const auto& node : (**view).map.nodes()) {
        const auto address = QString::fromStdString(node.address.text());
        auto& observed = seen.nodes[address];
        if (silent.contains(address)) {
            observed.failedPolls = 2;
            continue;
        }
        Health health;
        health.state = u"ACTIVE"_s;
        health.partitions = PartitionSet(node.partitions);
        observed.health.set(health, kNow);
        auto load = std::make_shared<VectorLoad>();
        for (std::size_t partition = 0; partition < 256; ++partition)
            if (node.partitions[partition])
                load->partitions[partition] = 10;
        observed.load.set(load, kNow);
    }
    return makeSnapshot(seen, {}, kNow, {});
}

bool has(const ConfigDraft& draft, routing::Rule rule, routing::Severity severity) {
    for (const auto& problem : draft.problems())
        if (problem.rule == rule && problem.severity == severity)
            return true;
    return false;
}

/// worker-3 gives 28 partitions to worker-5.
void giveAway(ConfigDraft& draft) {
    QVERIFY(draft.apply({routing::setEnd(0, 99), routing::setStart(1, 100)}));
}

} // namespace

class DraftTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void editsKeepEveryOtherByte();
    void undoAndRedoAreChanges();
    void typingIsAChangeToo();
    void gapsBlockApplying();
    void quickFixesMendTheDraft();
    void orphansBlockApplyingUntilAnsweredFor();
    void anotherMapNeedsAnotherAnswer();
    void orphansNeedVectorsToBeKnown();
    void aChangedFileBlocksApplying();
    void silentNodesAreWarnedAbout();
    void driftCanBeAdopted();
    void theRunningConfigIsNoChange();
    void changesAreToldInWords();
    void diffsAreMinimal_data();
    void diffsAreMinimal();
    void plansBecomeDrafts();
    void plansMatchTheirTable_data();
    void plansMatchTheirTable();
    void onlyTheLatestPlanIsAnswered();
    void planStepsLeadFromBeforeToAfter();
    void planCsvHasALineForEachMove();
};

void DraftTest::editsKeepEveryOtherByte() {
    ConfigDraft draft;
    draft.open(kText, "\"e\"");
    QVERIFY(!draft.isChanged() && !draft.canApply());
    giveAway(draft);
    auto expected = kText;
    expected.replace("partition_end: 127", "partition_end: 99").replace("partition_start: 128", "partition_start: 100");
    QCOMPARE(draft.text(), expected);
    QVERIFY(draft.isChanged() && draft.canApply());
    QVERIFY(draft.epoch() != draft.baseEpoch() && !draft.epoch().isEmpty());
}

void DraftTest::undoAndRedoAreChanges() {
    ConfigDraft draft;
    draft.open(kText, {});
    QSignalSpy changes(&draft, &ConfigDraft::changed);
    const auto change = draft.apply({routing::setEnd(0, 99)});
    QVERIFY(change);
    const auto edited = draft.text();
    QVERIFY(draft.patch(change->inverse()));
    QCOMPARE(draft.text(), kText);
    QVERIFY(!draft.patch(change->inverse()));
    QVERIFY(draft.patch(*change));
    QCOMPARE(draft.text(), edited);
    QCOMPARE(changes.size(), 3);
}

void DraftTest::typingIsAChangeToo() {
    ConfigDraft draft;
    draft.open(kText, {});
    auto typed = kText;
    typed.replace("127", "12"); // half way
    const auto change = draft.replaceText(typed);
    QVERIFY(change);
    QCOMPARE(draft.text(), typed);
    QCOMPARE(change->patches.size(), 1U);
    QVERIFY(change->patches[0].removed.size() + change->patches[0].inserted.size() <= 3);
    QVERIFY(draft.patch(change->inverse()));
    QCOMPARE(draft.text(), kText);
    QVERIFY(draft.replaceText("nonsense: ["));
    QVERIFY(!draft.map() && draft.epoch().isEmpty() && !draft.canApply());
    QVERIFY(has(draft, routing::Rule::Syntax, routing::Severity::Error));
}

void DraftTest::gapsBlockApplying() {
    ConfigDraft draft;
    draft.open(kText, {});
    QVERIFY(draft.apply({routing::setEnd(0, 99)}));
    QVERIFY(has(draft, routing::Rule::Gap, routing::Severity::Error));
    QVERIFY(!draft.canApply());
    QVERIFY(draft.problems().front().severity == routing::Severity::Error);
}

void DraftTest::quickFixesMendTheDraft() {
    ConfigDraft draft;
    draft.open(kText, {});
    QVERIFY(draft.apply({routing::setEnd(0, 99)}));
    QCOMPARE(draft.problems().front().rule, routing::Rule::Gap);
    QVERIFY(!draft.problems().front().fixes.empty());
    QVERIFY(draft.fix(0, 0));
    QVERIFY(!has(draft, routing::Rule::Gap, routing::Severity::Error));
    QVERIFY(draft.map());
    QVERIFY(!draft.fix(99, 0));
}

void DraftTest::orphansBlockApplyingUntilAnsweredFor() {
    ConfigDraft draft;
    draft.open(kText, {});
    draft.setSnapshot(clusterOf(kText));
    giveAway(draft);
    QVERIFY(has(draft, routing::Rule::OrphanedData, routing::Severity::Error));
    QCOMPARE(draft.orphaned(), setOf(100, 127));
    QVERIFY(!draft.canApply() && draft.needsForce());
    draft.acknowledge(setOf(100, 126));
    QVERIFY(!draft.canApply()); // one is missing
    draft.acknowledge(setOf(100, 127));
    QVERIFY(draft.canApply() && draft.needsForce());
    QVERIFY(has(draft, routing::Rule::OrphanedData, routing::Severity::Warning));
    draft.setSnapshot(clusterOf(kText)); // the next poll does not take it back
    QVERIFY(draft.canApply());
}

void DraftTest::anotherMapNeedsAnotherAnswer() {
    ConfigDraft draft;
    draft.open(kText, {});
    draft.setSnapshot(clusterOf(kText));
    giveAway(draft);
    draft.acknowledge(PartitionSet::all());
    QVERIFY(draft.canApply());
    QVERIFY(draft.apply({routing::setEnd(0, 98), routing::setStart(1, 99)}));
    QVERIFY(!draft.canApply() && draft.acknowledged().empty());
}

void DraftTest::orphansNeedVectorsToBeKnown() {
    ConfigDraft draft;
    draft.open(kText, {});
    draft.setSnapshot(clusterOf(kText, {u"a:1"_s}));
    giveAway(draft);
    QVERIFY(draft.orphaned().empty());
    QCOMPARE(draft.untoldNodes(), QStringList{u"worker-3"_s}); // so the page says that nobody knows
}

void DraftTest::aChangedFileBlocksApplying() {
    ConfigDraft draft;
    draft.open(kText, {});
    QVERIFY(draft.apply({routing::setName(0, std::string("other"))}));
    draft.setPresentText(kText);
    QVERIFY(draft.canApply());
    draft.setPresentText(kText + "# somebody else\n");
    QVERIFY(has(draft, routing::Rule::FileChanged, routing::Severity::Error));
    QVERIFY(!draft.canApply());
    draft.open(kText + "# somebody else\n", {});
    QVERIFY(!has(draft, routing::Rule::FileChanged, routing::Severity::Error));
}

void DraftTest::silentNodesAreWarnedAbout() {
    ConfigDraft draft;
    draft.open(kText, {});
    draft.setSnapshot(clusterOf(kText, {u"b:1"_s}));
    QVERIFY(has(draft, routing::Rule::NoAnswer, routing::Severity::Warning));
}

void DraftTest::driftCanBeAdopted() {
    ConfigDraft draft;
    draft.open(kText, {});
    auto moved = kText;
    moved.replace("127", "99").replace("128", "100");
    draft.setSnapshot(clusterOf(moved)); // the workers run other ranges
    std::size_t drift = 0;
    while (drift < draft.problems().size() && draft.problems()[drift].rule != routing::Rule::Drift)
        ++drift;
    QVERIFY(drift < draft.problems().size());
    QCOMPARE(draft.problems()[drift].fixes.size(), 1U);
    QVERIFY(draft.fix(drift, 0));
    QVERIFY(draft.text() != kText);
}

void DraftTest::theRunningConfigIsNoChange() {
    ConfigDraft draft;
    draft.open(kText, {});
    draft.setSnapshot(clusterOf(kText));
    QVERIFY(has(draft, routing::Rule::NoChange, routing::Severity::Info));
    giveAway(draft);
    QVERIFY(!has(draft, routing::Rule::NoChange, routing::Severity::Info));
}

void DraftTest::changesAreToldInWords() {
    ConfigDraft draft;
    draft.open(kText, {});
    QVERIFY(draft.changesInWords().isEmpty());
    giveAway(draft);
    const auto words = draft.changesInWords();
    QCOMPARE(words.size(), 1);
    QVERIFY2(words[0].startsWith("worker-3 gives 28 partition"_L1) && words[0].endsWith("to worker-5: 100-127."_L1),
             qPrintable(words[0]));
}

void DraftTest::diffsAreMinimal_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QString>("expected"); // ' ', '-', '+' for each row
    QTest::newRow("equal") << QByteArray("a\nb\n") << QByteArray("a\nb\n") << u"  "_s;
    QTest::newRow("a line in the middle") << QByteArray("a\nb\nc\n") << QByteArray("a\nx\nc\n") << u" -+ "_s;
    QTest::newRow("a line more") << QByteArray("a\nc\n") << QByteArray("a\nb\nc\n") << u" + "_s;
    QTest::newRow("from nothing") << QByteArray() << QByteArray("a\n") << u"+"_s;
    QTest::newRow("to nothing") << QByteArray("a\nb\n") << QByteArray() << u"--"_s;
    QTest::newRow("two places") << QByteArray("a\nb\nc\nd\ne\n") << QByteArray("x\nb\nc\nd\ny\n") << u"-+   -+"_s;
    QTest::newRow("no last line end") << QByteArray("a\nb") << QByteArray("a\nc") << u" -+"_s;
}

void DraftTest::diffsAreMinimal() {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QString, expected);
    QString kinds;
    QStringList oldLines;
    QStringList newLines;
    for (const auto& line : diffLines(before, after)) {
        kinds += line.kind == DiffLine::Kind::Same ? u' ' : line.kind == DiffLine::Kind::Removed ? u'-' : u'+';
        if (line.before > 0) {
            oldLines.append(line.text);
            QCOMPARE(line.before, static_cast<int>(oldLines.size()));
        }
        if (line.after > 0) {
            newLines.append(line.text);
            QCOMPARE(line.after, static_cast<int>(newLines.size()));
        }
    }
    QCOMPARE(kinds, expected);
}

void DraftTest::plansBecomeDrafts() {
    ConfigDraft draft;
    draft.open(kText, {});
    auto request = planRequestOf(*clusterOf(kText));
    QVERIFY(request && request->vectors);
    request->add = {{*routing::Address::parse("c:1"), std::string("worker-6"), {}, {}}};
    const auto plan = routing::makePlan(*request);
    QVERIFY(plan);
    QVERIFY(draft.assign(plan->after));
    QCOMPARE(draft.epoch(), QString::fromStdString(plan->epochAfter));
    QVERIFY(draft.text().startsWith("# our site\nversion: \"v1\"   # keep\n"));
}

void DraftTest::plansMatchTheirTable_data() {
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("multi");
    QTest::newRow("2 -> 3") << 2 << 85;
    QTest::newRow("4 -> 5") << 4 << 51;
    QTest::newRow("12 -> 13") << 12 << 19;
}

void DraftTest::plansMatchTheirTable() {
    QFETCH(int, nodes);
    QFETCH(int, multi);
    std::vector<routing::NodeWish> wishes;
    for (int number = 0; number < nodes; ++number)
        wishes.push_back({*routing::Address::parse("n" + std::to_string(number) + ":1"), {}, {}, {}});
    routing::PlanRequest request;
    const auto even = routing::evenConfig(wishes);
    QVERIFY(even);
    request.current = routing::PartitionMap(*even);
    request.add = {{*routing::Address::parse("new:1"), {}, {}, {}}};
    PlanAdapter adapter;
    QSignalSpy ready(&adapter, &PlanAdapter::ready);
    adapter.compute(request);
    QVERIFY(adapter.isComputing());
    QVERIFY(ready.wait(20'000));
    QVERIFY(adapter.outcome().plan && !adapter.isComputing());
    QCOMPARE(adapter.outcome().plan->figures.moved, multi);
}

void DraftTest::onlyTheLatestPlanIsAnswered() {
    PlanAdapter adapter;
    QSignalSpy ready(&adapter, &PlanAdapter::ready);
    auto request = *planRequestOf(*clusterOf(kText));
    request.add = {{*routing::Address::parse("c:1"), {}, {}, {}}};
    for (int number = 0; number < 5; ++number)
        adapter.compute(request);
    request.add.clear();
    request.remove = {*routing::Address::parse("nobody:1")};
    adapter.compute(request);
    QTRY_VERIFY_WITH_TIMEOUT(!adapter.isComputing(), 20'000);
    QCOMPARE(ready.size(), 1);
    QVERIFY(!adapter.outcome().plan && !adapter.outcome().problem.isEmpty());
}

void DraftTest::planStepsLeadFromBeforeToAfter() {
    auto request = *planRequestOf(*clusterOf(kText));
    request.add = {{*routing::Address::parse("c:1"), {}, {}, {}}};
    const auto plan = routing::makePlan(request);
    QVERIFY(plan);
    QVERIFY(waveCount(*plan) > 1);
    QVERIFY(routing::changesBetween(mapAfterWave(*plan, 0), request.current).empty());
    const routing::PartitionMap after(plan->after);
    std::size_t left = routing::changesBetween(mapAfterWave(*plan, 0), after).size();
    for (int wave = 1; wave <= waveCount(*plan); ++wave) {
        const auto now = routing::changesBetween(mapAfterWave(*plan, wave), after).size();
        QVERIFY(now < left);
        left = now;
    }
    QCOMPARE(left, 0U);
}

void DraftTest::planCsvHasALineForEachMove() {
    auto request = *planRequestOf(*clusterOf(kText));
    request.add = {{*routing::Address::parse("c:1"), {}, {}, {}}};
    const auto plan = routing::makePlan(request);
    QVERIFY(plan);
    const auto csv = planCsv(*plan).split('\n');
    QCOMPARE(csv.size(), static_cast<qsizetype>(plan->moves.size()) + 3); // comment, header, end
    QVERIFY(csv[0].startsWith("# plan "));
    QCOMPARE(csv[1], "wave,kind,partition,from,to,vectors,bytes,reason");
    QVERIFY(csv[2].contains(",c:1,10,"));
}

QTEST_GUILESS_MAIN(DraftTest)
#include "draft_test.moc"

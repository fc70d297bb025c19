#include "console/client/demo_transport.h"
#include "console/client/snapshot_builder.h"
#include "console/client/snapshot_csv.h"
#include "console/models/compare_model.h"
#include "console/models/event_model.h"
#include "console/models/keyspace_model.h"
#include "console/models/node_model.h"
#include "console/models/partition_map_model.h"
#include "console/models/plan_model.h"
#include "console/models/problem_model.h"
#include "console/models/queue_model.h"
#include "console/models/table_export.h"
#include "shared/routing/config_reader.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace fremis::console;

namespace {

constexpr Instant kNow{1'767'600'000'000};

/// Observations that change at random: nodes come and go, die, tell more or less.
class RandomCluster {
public:
    explicit RandomCluster(quint32 seed) : m_random(seed) {}

    SnapshotPtr next() {
        Observations seen;
        std::string yaml = "version: v1\nnodes:\n";
        int first = 0;
        const int nodes = 1 + static_cast<int>(m_random.bounded(6));
        for (int number = 0; number < nodes; ++number) {
            const int last = number == nodes - 1 ? 255 : first + static_cast<int>(m_random.bounded(40));
            // Numbers are drawn, so that nodes come, go and change places.
            const int id = (number * 7 + m_shift) % 23;
            const auto address = "n" + std::to_string(id) + ":1";
            yaml += "  - {address: \"" + address + "\", partition_start: " + std::to_string(first) +
                    ", partition_end: " + std::to_string(last) + "}\n";
            first = last + 1;
            observe(seen, QString::fromStdString(address));
        }
        m_shift += m_random.bounded(4) == 0;
        if (const auto view = configViewOf({u"e"_s, {}, QByteArray::fromStdString(yaml), {}, {}}))
            seen.config.set(*view, m_now);
        Keyspaces keyspaces;
        for (quint32 number = 0; number < m_random.bounded(5U); ++number)
            keyspaces.list.append({u"k%1"_s.arg((number + m_random.bounded(3U)) * 3 + number),
                                   {},
                                   m_random.bounded(100U),
                                   m_random.bounded(100U),
                                   m_now,
                                   {}});
        if (m_random.bounded(3) > 0)
            seen.keyspaces.set(unique(keyspaces), m_now);
        m_now += 1s;
        m_last = makeSnapshot(seen, {}, m_now, m_last);
        return m_last;
    }

private:
    static Keyspaces unique(Keyspaces keyspaces) {
        QStringList names;
        keyspaces.list.removeIf([&names](const Keyspace& one) {
            const bool twice = names.contains(one.name);
            names.append(one.name);
            return twice;
        });
        return keyspaces;
    }

    void observe(Observations& seen, const QString& address) {
        auto& node = seen.nodes[address];
        if (m_random.bounded(3) > 0) {
            Health health;
            health.state = m_random.bounded(3) > 0 ? u"ACTIVE"_s : u"LOADING"_s;
            node.health.set(health, m_now);
        }
        node.failedPolls = static_cast<int>(m_random.bounded(3));
        if (m_random.bounded(2)) {
            auto load = std::make_shared<VectorLoad>();
            for (auto& vectors : load->partitions)
                if (m_random.bounded(2))
                    load->total += vectors.emplace(m_random.bounded(50U));
            node.load.set(load, m_now);
        }
        if (m_random.bounded(2)) {
            auto queue = seen.queue.valueOr({});
            QueueDepth depth;
            depth.address = address;
            depth.ops = m_random.bounded(4U);
            queue.totalOps += depth.ops;
            queue.nodes.append(depth);
            seen.queue.set(queue, m_now);
        }
    }

    QRandomGenerator m_random;
    Instant m_now = kNow;
    SnapshotPtr m_last;
    int m_shift = 0;
};

SnapshotPtr healthy(std::initializer_list<const char*> down = {}) {
    Observations seen;
    const auto view =
        configViewOf({u"e"_s,
                      {},
                      "version: v1\nnodes:\n"
                      "  - {address: \"a:1\", partition_start: 0, partition_end: 181, name: alpha}\n"
                      "  - {address: \"b:1\", partition_start: 182, partition_end: 255, name: worker-7}\n",
                      {},
                      {}});
    seen.config.set(*view, kNow);
    for (const auto& address : {u"a:1"_s, u"b:1"_s}) {
        Health health;
        health.state = u"ACTIVE"_s;
        seen.nodes[address].health.set(health, kNow);
        auto load = std::make_shared<VectorLoad>();
        load->partitions.fill(1204);
        load->total = 1204;
        seen.nodes[address].load.set(load, kNow);
    }
    for (const auto* address : down)
        seen.nodes[QLatin1StringView(address)].failedPolls = 2;
    return makeSnapshot(seen, {}, kNow, {});
}

} // namespace

class ModelsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void randomSnapshotsNeverResetAModel();
    void modelsShowWhatTheSnapshotSays();
    void twoNodesStandSideBySide();
    void aForecastIsShownWhereThereIsOne();
    void selectionSurvivesRowsThatMove();
    void theMapChangesOnlyWhatChanged();
    void theMapIsQuietWhenNothingChanges();
    void theMapSaysItInWords();
    void theMapFindsProblemsInBothDirections();
    void plannedOwnersAreMarked();
    void unknownIsADashAndNoNumber();
    void problemsAreOrderedBySeverity();
    void planMovesAreGrouped();
    void eventsComeAndGoWithTheLog();
    void tablesAreExportedAsShown();
    void theMapIsExportedWhole();
};

void ModelsTest::randomSnapshotsNeverResetAModel() {
    constexpr auto kMode = QAbstractItemModelTester::FailureReportingMode::Fatal;
    PartitionMapModel map;
    NodeModel nodes;
    QueueModel queue;
    KeyspaceModel keyspaces;
    QList<QAbstractItemModel*> models{&map, &nodes, &queue, &keyspaces};
    std::vector<std::unique_ptr<QAbstractItemModelTester>> testers;
    std::vector<std::unique_ptr<QSignalSpy>> resets;
    for (auto* model : models) {
        testers.push_back(std::make_unique<QAbstractItemModelTester>(model, kMode));
        resets.push_back(std::make_unique<QSignalSpy>(model, &QAbstractItemModel::modelReset));
    }
    RandomCluster cluster(7);
    int most = 0;
    for (int step = 0; step < 400; ++step) {
        const auto snapshot = step % 50 == 49 ? SnapshotPtr() : cluster.next();
        map.setSnapshot(snapshot);
        nodes.setSnapshot(snapshot);
        queue.setSnapshot(snapshot);
        keyspaces.setSnapshot(snapshot);
        QCOMPARE(nodes.rowCount(), snapshot ? static_cast<int>(snapshot->nodes.size()) : 0);
        for (int row = 0; row < nodes.rowCount(); ++row)
            QCOMPARE(nodes.keyAt(row), snapshot->nodes[static_cast<std::size_t>(row)].address);
        most = std::max(most, nodes.rowCount());
    }
    QVERIFY(most > 3);
    for (const auto& reset : resets)
        QCOMPARE(reset->size(), 0);
}

void ModelsTest::modelsShowWhatTheSnapshotSays() {
    NodeModel nodes;
    nodes.setSnapshot(healthy({"b:1"}));
    const auto state = nodes.index(1, nodes.columnOf("state"));
    QCOMPARE(state.data(NodeModel::StateRole).toInt(), static_cast<int>(NodeState::Down));
    QCOMPARE(state.data(ToneRole).toInt(), static_cast<int>(Tone::Critical));
    QCOMPARE(nodes.index(1, nodes.columnOf("ranges")).data().toString(), u"182-255"_s);
    QCOMPARE(nodes.index(1, nodes.columnOf("partitions")).data(ValueRole).toInt(), 74);
    QCOMPARE(nodes.index(0, nodes.columnOf("name")).data().toString(), u"alpha"_s);
    QCOMPARE(nodes.headerData(0, Qt::Horizontal, ValueRole).toByteArray(), "state");
    QCOMPARE(nodes.rowOf(u"b:1"_s), 1);
    QCOMPARE(nodes.rowOf(u"nobody"_s), -1);
}

void ModelsTest::selectionSurvivesRowsThatMove() {
    KeyspaceModel model;
    const auto of = [](std::initializer_list<const char*> names) {
        auto snapshot = std::make_shared<Snapshot>();
        Keyspaces keyspaces;
        for (const auto* name : names)
            keyspaces.list.append({QLatin1StringView(name), {}, 1, 1, {}, {}});
        snapshot->keyspaces.set(keyspaces, kNow);
        return snapshot;
    };
    model.setSnapshot(of({"a", "b", "c"}));
    const QPersistentModelIndex selected(model.index(2, 0));
    model.setSnapshot(of({"c", "x", "b"}));
    QVERIFY(selected.isValid());
    QCOMPARE(selected.row(), 0);
    QCOMPARE(selected.data().toString(), u"c"_s);
    model.setSnapshot(of({"x"}));
    QVERIFY(!selected.isValid());
}

void ModelsTest::theMapChangesOnlyWhatChanged() {
    PartitionMapModel map;
    map.setSnapshot(healthy());
    QSignalSpy changes(&map, &QAbstractItemModel::dataChanged);
    map.setSnapshot(healthy({"b:1"}));
    QCOMPARE(changes.size(), 1);
    const auto top = changes[0][0].toModelIndex();
    const auto bottom = changes[0][1].toModelIndex();
    QCOMPARE(top.row(), 182 / 16);
    QCOMPARE(bottom.row(), 15);
    QCOMPARE(map.indexOf(181).data(PartitionMapModel::ClassRole).toInt(), static_cast<int>(PartitionClass::Ok));
    QCOMPARE(map.indexOf(182).data(PartitionMapModel::ClassRole).toInt(), static_cast<int>(PartitionClass::AtRisk));
}

void ModelsTest::theMapIsQuietWhenNothingChanges() {
    PartitionMapModel map;
    map.setSnapshot(healthy());
    QSignalSpy changes(&map, &QAbstractItemModel::dataChanged);
    map.setSnapshot(healthy());
    QCOMPARE(changes.size(), 0);
}

void ModelsTest::theMapSaysItInWords() {
    PartitionMapModel map;
    map.setSnapshot(healthy({"b:1"}));
    QCOMPARE(map.indexOf(182).data(Qt::AccessibleTextRole).toString(),
             u"Partition 182, at risk, owner worker-7 down, 0 of 1 healthy, 1,204 vectors"_s);
    QCOMPARE(map.indexOf(182).data().toString(), u"182"_s);
    QCOMPARE(map.indexOf(182).data(PartitionMapModel::FillOwnerRole).toString(), u"b:1"_s);
    QCOMPARE(map.indexOf(182).data(PartitionMapModel::FillOwnerIndexRole).toInt(), 1);
    QCOMPARE(map.headerData(1, Qt::Vertical).toString(), u"16"_s);
    QCOMPARE(map.headerData(15, Qt::Horizontal).toString(), u"+15"_s);
    map.setHexadecimal(true);
    QCOMPARE(map.indexOf(182).data().toString(), u"B6"_s);
    const PartitionMapModel empty;
    QCOMPARE(empty.index(0, 0).data(Qt::AccessibleTextRole).toString(), u"Partition 0, unknown, vectors unknown"_s);
    QVERIFY(!empty.index(0, 0).data(PartitionMapModel::VectorsRole).isValid());
}

void ModelsTest::theMapFindsProblemsInBothDirections() {
    PartitionMapModel map;
    map.setSnapshot(healthy({"b:1"}));
    QCOMPARE(map.nextProblem(0), Partition{182});
    QCOMPARE(map.nextProblem(255), Partition{182});
    QCOMPARE(map.nextProblem(182, false), Partition{255});
    map.setSnapshot(healthy());
    QVERIFY(!map.nextProblem(0));
}

void ModelsTest::plannedOwnersAreMarked() {
    PartitionMapModel map;
    map.setSnapshot(healthy());
    const auto view = configViewOf({u"e"_s,
                                    {},
                                    "version: v1\nnodes:\n"
                                    "  - {address: \"a:1\", partition_start: 0, partition_end: 189}\n"
                                    "  - {address: \"b:1\", partition_start: 190, partition_end: 255}\n",
                                    {},
                                    {}});
    QVERIFY(view);
    map.setPlanned((**view).map);
    QVERIFY(map.indexOf(185).data(PartitionMapModel::IsPlannedRole).toBool());
    QCOMPARE(map.indexOf(185).data(PartitionMapModel::PlannedOwnersRole).toStringList(), QStringList{u"a:1"_s});
    QVERIFY(!map.indexOf(190).data(PartitionMapModel::IsPlannedRole).toBool());
    map.setPlanned({});
    QVERIFY(!map.indexOf(185).data(PartitionMapModel::IsPlannedRole).toBool());
}

void ModelsTest::unknownIsADashAndNoNumber() {
    NodeModel nodes;
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->nodes.emplace_back().address = u"a:1"_s;
    nodes.setSnapshot(snapshot);
    for (const auto* key : {"vectors", "share", "skew", "ram", "gpu", "loaded", "queue", "poll_p50", "version",
                            "uptime", "clock_skew", "age"}) {
        const auto cell = nodes.index(0, nodes.columnOf(key));
        QCOMPARE(cell.data().toString(), u"-"_s);
        QVERIFY2(!cell.data(ValueRole).isValid(), key);
        QCOMPARE(cell.data(ToneRole).toInt(), static_cast<int>(Tone::Unknown));
    }
}

void ModelsTest::problemsAreOrderedBySeverity() {
    ProblemModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    auto reading = fremis::routing::readConfig("version: v1\nnodes:\n"
                                               "  - {address: \"a:1\", partition_start: 0, partition_end: 100}\n"
                                               "  - {address: \"b:1\", partition_start: 90, partition_end: 200}\n");
    QVERIFY(reading.problems.size() >= 2);
    model.setProblems(reading.problems);
    QCOMPARE(model.rowCount(), static_cast<int>(reading.problems.size()));
    QCOMPARE(model.errors(), 1);
    QCOMPARE(model.index(0, 0).data(ProblemModel::SeverityRole).toInt(), 0);
    QCOMPARE(model.index(0, 1).data().toString(), u"V07"_s);
    QVERIFY(!model.index(0, 0).data(ProblemModel::FixesRole).toStringList().isEmpty());
    model.setProblems({});
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(resets.size(), 0);
}

void ModelsTest::planMovesAreGrouped() {
    PlanModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto address = [](const char* text) { return *fremis::routing::Address::parse(text); };
    fremis::routing::PlanRequest request;
    const auto even = fremis::routing::evenConfig({{address("a:1"), {}, {}, {}}, {address("b:1"), {}, {}, {}}});
    QVERIFY(even);
    request.current = fremis::routing::PartitionMap(*even);
    request.add = {{address("c:1"), {}, {}, {}}};
    const auto plan = fremis::routing::makePlan(request);
    QVERIFY(plan);
    model.setPlan(*plan);
    int partitions = 0;
    for (int row = 0; row < model.rowCount(); ++row)
        partitions += model.index(row, model.columnOf("count")).data(ValueRole).toInt();
    QCOMPARE(partitions, 85);
    QCOMPARE(model.index(0, model.columnOf("to")).data().toString(), u"c:1"_s);
    QCOMPARE(model.index(0, model.columnOf("vectors")).data().toString(), u"-"_s);
    model.setPlan({});
    QCOMPARE(model.rowCount(), 0);
}

void ModelsTest::eventsComeAndGoWithTheLog() {
    EventLog log;
    log.add({0, kNow, Severity::Critical, u"worker-7"_s, u"down"_s, {}, {}});
    EventModel model(log);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.setUtc(true);
    QCOMPARE(model.index(0, EventModel::TimeColumn).data().toString(), u"2026-01-05 08:00:00"_s);
    for (std::size_t number = 0; number < EventLog::kMost; ++number)
        log.add({0, kNow + 1s * static_cast<int>(number), Severity::Info, u"x"_s, QString::number(number), {}, {}});
    QCOMPARE(model.rowCount(), static_cast<int>(EventLog::kMost));
    QCOMPARE(model.index(0, EventModel::TextColumn).data().toString(), u"0"_s);
    log.clear();
    // It looks at every row at each change, so it comes when there are few.
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    for (const auto* text : {"one", "two"})
        log.add({0, kNow, Severity::Warning, u"x"_s, QLatin1StringView(text), {}, {}});
    QCOMPARE(model.index(1, EventModel::TextColumn).data().toString(), u"two"_s);
    log.clear();
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(resets.size(), 0);
}

void ModelsTest::tablesAreExportedAsShown() {
    NodeModel nodes;
    nodes.setSnapshot(healthy({"b:1"}));
    QSortFilterProxyModel proxy;
    proxy.setSourceModel(&nodes);
    proxy.setSortRole(ValueRole);
    proxy.sort(nodes.columnOf("partitions"));
    const QList<int> columns{nodes.columnOf("name"), nodes.columnOf("partitions"), nodes.columnOf("queue")};
    QCOMPARE(tableCsv(proxy, {u"units: count"_s}, columns),
             QByteArray("# units: count\nname,partitions,queue\nworker-7,74,\nalpha,182,\n"));
    const auto all = tableCsv(nodes).split('\n');
    QCOMPARE(all[0].count(','), nodes.columnCount() - 1);
    QCOMPARE(all.size(), 4); // header, two rows, the end
}

void ModelsTest::theMapIsExportedWhole() {
    const auto lines = partitionsCsv(*healthy({"b:1"})).split('\n');
    QCOMPARE(lines.size(), 259); // comment, header, 256, the end
    QCOMPARE(lines[1], "partition,class,owners,healthy,expected,vectors,queued");
    QCOMPARE(lines[2], "0,ok,a:1,1,1,1204,");
    QCOMPARE(lines[257], "255,at_risk,b:1,0,1,1204,");
}

void ModelsTest::twoNodesStandSideBySide() {
    NodeModel nodes;
    nodes.setSnapshot(healthy({"b:1"}));
    CompareModel comparison;
    QAbstractItemModelTester tester(&comparison, QAbstractItemModelTester::FailureReportingMode::QtTest);
    comparison.set(nodes, nodes.keyAt(0), nodes.keyAt(1));
    QCOMPARE(comparison.rowCount(), nodes.columnCount() - 1); // the names are the titles
    QCOMPARE(comparison.headerData(1, Qt::Horizontal).toString(), u"alpha"_s);
    const int row = comparison.rowOf(u"partitions"_s);
    QCOMPARE(comparison.cell(row, 1).value.toInt() + comparison.cell(row, 3).value.toInt(),
             comparison.cell(row, 2).value.toInt());
    QCOMPARE(comparison.cell(row, 3).value.toInt(), 74 - 182);
    QCOMPARE(comparison.cell(comparison.rowOf(u"ranges"_s), 3).text, u"differs"_s);
    QCOMPARE(comparison.cell(comparison.rowOf(u"gpu"_s), 3).tone, Tone::Unknown);
    comparison.set(nodes, nodes.keyAt(0), u"nobody"_s);
    QCOMPARE(comparison.rowCount(), 0);
}

void ModelsTest::aForecastIsShownWhereThereIsOne() {
    NodeModel nodes;
    const auto snapshot = healthy({});
    const auto address = snapshot->nodes[0].address;
    const auto cell = [&nodes] { return nodes.cell(0, nodes.columnOf("full_in")); };
    nodes.setSnapshot(snapshot, {{address, 9.2}});
    QCOMPARE(cell().text, u"about 9 d"_s);
    QCOMPARE(cell().value.toDouble(), 9.2);
    QCOMPARE(cell().tone, Tone::Plain);
    nodes.setSnapshot(snapshot, {{address, 0.25}});
    QCOMPARE(cell().text, u"about 6 h"_s);
    QCOMPARE(cell().tone, Tone::Warning);
    nodes.setSnapshot(snapshot);
    QCOMPARE(cell().text, u"-"_s);
    QVERIFY(!cell().value.isValid() && !cell().hint.isEmpty());
}

QTEST_GUILESS_MAIN(ModelsTest)
#include "models_test.moc"

#include "console/ui/pages/nodes/nodes_page.h"
#include "console/ui/pages/planner/planner_page.h"
#include "console/ui/panel/bottom_panel.h"
#include "console/ui/widgets/data_table.h"
#include "tests/gui/console_fixture.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QTabWidget>

using namespace fremis::console;
using namespace fremis::console::ui;
using fremis::tests::Console;

namespace {

constexpr int kPatienceMs = 20'000;

class Nodes : public Console {
public:
    explicit Nodes(DemoScenario scenario = calmScenario()) : Console(std::move(scenario)) {
        ready = connectAndWait();
        window->openPage(QStringLiteral("nodes"));
        page = qobject_cast<NodesPage*>(window->page(QStringLiteral("nodes")));
    }
    QString address(int node) { return session.snapshot()->nodes[std::size_t(node)].address; }
    void choose(const QStringList& addresses) { session.selection().selectNodes(addresses); }
    void run(const char* action) { window->actions().find(QLatin1String(action))->trigger(); }
    QString rows(const char* table) { return QString::fromUtf8(find<DataTable>(table)->csv(QStringLiteral("t"))); }

    bool ready = false;
    NodesPage* page = nullptr;
};

} // namespace

class NodesPageTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNameOfTheOperatorIsShownAndKept();
    void maintenanceMutesNoticesAndChangesNoRouting();
    void twoNodesAreCompared();
    void theLastRequestsOfANodeAreListed();
    void emptyingANodeOpensItsPlan();
    void sortAndFilterSurviveARestart();
};

void NodesPageTest::aNameOfTheOperatorIsShownAndKept() {
    Nodes console;
    QVERIFY(console.ready);
    Profile profile = console.demo.profile();
    profile.id.clear();
    const auto id = console.profiles.save(profile);
    QVERIFY(id);
    profile.id = *id;
    console.session.open(profile, KeyPair());
    QVERIFY(console.waitFor([](const Snapshot& s) { return s.config && s.nodes.size() == 7; }));
    const QString address = console.address(2);
    console.choose({address});
    console.dialogs.texts.push_back(QStringLiteral("rack 4, left"));
    console.run("nodes.rename");
    QTRY_VERIFY_WITH_TIMEOUT(console.rows("nodes.table").contains(QStringLiteral("rack 4, left")), kPatienceMs);
    QCOMPARE(console.session.snapshot()->find(address)->label(), QStringLiteral("rack 4, left"));
    QCOMPARE(console.profiles.find(*id)->aliases.value(address), QStringLiteral("rack 4, left"));
    console.dialogs.texts.push_back(address);
    console.run("nodes.rename");
    QTRY_VERIFY_WITH_TIMEOUT(console.profiles.find(*id)->aliases.isEmpty(), kPatienceMs);
    QCOMPARE(console.session.snapshot()->find(address)->label(), QStringLiteral("worker-3"));
}

void NodesPageTest::maintenanceMutesNoticesAndChangesNoRouting() {
    Nodes console;
    QVERIFY(console.ready);
    const QByteArray config = (**console.session.snapshot()->config).text;
    QSignalSpy raised(&console.session.alerts(), &AlertEngine::raised);
    const QString address = console.address(1);
    console.choose({address});
    console.run("nodes.maintenance");
    QVERIFY(console.session.snapshot()->find(address)->inMaintenance);
    QVERIFY(console.window->actions().find(QStringLiteral("nodes.maintenance"))->isChecked());
    QVERIFY(console.rows("nodes.table").contains(QStringLiteral("(maintenance)")));

    console.fail(QStringLiteral("worker-2"), DemoFault::Dead);
    console.fail(QStringLiteral("worker-5"), DemoFault::Dead);
    const auto saysOther = [&raised] {
        return std::any_of(raised.begin(), raised.end(), [](const QList<QVariant>& arguments) {
            return arguments.first().value<Alert>().text.startsWith(QStringLiteral("worker-5 is down"));
        });
    };
    QTRY_VERIFY_WITH_TIMEOUT(saysOther(), kPatienceMs);
    QVERIFY(console.waitFor([&](const Snapshot& s) { return s.find(address)->state == NodeState::Down; }));
    QTRY_VERIFY_WITH_TIMEOUT(console.rows("panel.activity").contains(QStringLiteral("worker-5 is down")), kPatienceMs);
    QVERIFY(!console.rows("panel.activity").contains(QStringLiteral("worker-2 is down")));
    // Its partitions count as they did: no routing changes, and the map says what is so.
    QCOMPARE((**console.session.snapshot()->config).text, config);
    QVERIFY(!console.session.snapshot()->find(address)->assigned.empty());
    QVERIFY(console.session.snapshot()->counts.of(PartitionClass::Thin) > 0);

    console.run("nodes.maintenance");
    QVERIFY(!console.session.snapshot()->find(address)->inMaintenance);
}

void NodesPageTest::twoNodesAreCompared() {
    Nodes console;
    QVERIFY(console.ready);
    QVERIFY(!console.window->actions().find(QStringLiteral("nodes.compare"))->isEnabled());
    console.choose({console.address(0), console.address(3)});
    console.run("nodes.compare");
    QCOMPARE(console.find<QTabWidget>("nodes.tabs")->currentWidget(),
             static_cast<QWidget*>(console.find<DataTable>("nodes.compare.table")));
    const CompareModel& model = console.page->comparison();
    QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), QStringLiteral("worker-1"));
    QCOMPARE(model.headerData(2, Qt::Horizontal).toString(), QStringLiteral("worker-4"));
    const int row = model.rowOf(QStringLiteral("partitions"));
    QVERIFY(row >= 0);
    const auto& nodes = console.session.snapshot()->nodes;
    QCOMPARE(model.cell(row, 3).value.toInt(), nodes[3].assigned.count() - nodes[0].assigned.count());
    QCOMPARE(model.cell(model.rowOf(QStringLiteral("version")), 3).text, QStringLiteral("same"));
    QCOMPARE(model.cell(model.rowOf(QStringLiteral("ranges")), 3).text, QStringLiteral("differs"));
    QCOMPARE(model.rowOf(QStringLiteral("name")), -1);
    console.choose({console.address(0)});
    QCOMPARE(model.rowCount(), 0);
}

void NodesPageTest::theLastRequestsOfANodeAreListed() {
    Nodes console;
    QVERIFY(console.ready);
    console.choose({console.address(1)});
    auto* table = console.find<DataTable>("nodes.requests");
    console.find<QTabWidget>("nodes.tabs")->setCurrentWidget(table);
    QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() >= 3, kPatienceMs);
    QVERIFY(console.rows("nodes.requests").contains(QStringLiteral("worker-2")));
    QVERIFY(!console.rows("nodes.requests").contains(QStringLiteral("worker-3")));
    // It goes on without beginning anew, and ends at fifty.
    const int before = table->model()->rowCount();
    QSignalSpy reset(table->model(), &QAbstractItemModel::modelReset);
    QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > before, kPatienceMs);
    QCOMPARE(reset.count(), 0);
    QVERIFY(table->model()->rowCount() <= 50);
    console.choose({console.address(4)});
    QTRY_VERIFY_WITH_TIMEOUT(console.rows("nodes.requests").contains(QStringLiteral("worker-5")), kPatienceMs);
    QVERIFY(!console.rows("nodes.requests").contains(QStringLiteral("worker-2")));
}

void NodesPageTest::emptyingANodeOpensItsPlan() {
    Nodes console;
    QVERIFY(console.ready);
    const QString address = console.address(2);
    console.choose({address});
    console.run("nodes.prepare");
    QCOMPARE(console.window->currentPage(), QStringLiteral("planner"));
    auto* planner = qobject_cast<PlannerPage*>(console.window->page(QStringLiteral("planner")));
    QTRY_VERIFY_WITH_TIMEOUT(!planner->isComputing() && planner->plan() && planner->plan()->figures.moved > 0,
                             kPatienceMs);
    QCOMPARE(planner->wishes().find(address)->fate, NodeFate::Empties);
}

void NodesPageTest::sortAndFilterSurviveARestart() {
    Nodes console;
    QVERIFY(console.ready);
    auto* table = console.find<DataTable>("nodes.table");
    int vectors = -1;
    for (int column = 0; column < table->model()->columnCount(); ++column)
        if (table->model()->headerData(column, Qt::Horizontal, ValueRole).toByteArray() == "vectors")
            vectors = column;
    table->sortByColumn(vectors, Qt::DescendingOrder);
    console.find<QLineEdit>("nodes.filter")->setText(QStringLiteral("worker"));
    console.window->saveLayout();

    console.window = std::make_unique<MainWindow>(console.session, console.theme, console.dialogs);
    console.window->show();
    console.window->openPage(QStringLiteral("nodes"));
    table = console.find<DataTable>("nodes.table");
    QCOMPARE(console.find<QLineEdit>("nodes.filter")->text(), QStringLiteral("worker"));
    QCOMPARE(table->proxy().sortColumn(), vectors);
    QCOMPARE(table->proxy().sortOrder(), Qt::DescendingOrder);
    QCOMPARE(table->model()->rowCount(), 7);
    console.find<QLineEdit>("nodes.filter")->setText(QStringLiteral("/worker-[12]$/"));
    QCOMPARE(table->model()->rowCount(), 2);
    console.find<QLineEdit>("nodes.filter")->setText(QStringLiteral("/worker-[12/"));
    QCOMPARE(table->model()->rowCount(), 0);
}

FREMIS_GUI_MAIN(NodesPageTest)
#include "nodes_page_test.moc"

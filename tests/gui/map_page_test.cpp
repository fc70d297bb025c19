#include "console/ui/pages/map/finder.h"
#include "console/ui/pages/map/map_page.h"
#include "console/ui/pages/planner/planner_page.h"
#include "console/ui/views/partition_map_view.h"
#include "tests/gui/console_fixture.h"

#include <QAccessible>
#include <QLineEdit>
#include <QMenu>
#include <QSet>

using namespace fremis::console;
using namespace fremis::console::ui;
using fremis::tests::Console;

namespace {

struct MapConsole : Console {
    explicit MapConsole(DemoScenario scenario = calmScenario()) : Console(std::move(scenario)) {
        window->openPage(QStringLiteral("map"));
        page = qobject_cast<MapPage*>(window->page(QStringLiteral("map")));
        view = &page->view();
        view->setFocus();
    }
    [[nodiscard]] int current() const { return view->currentIndex().data(PartitionMapModel::PartitionRole).toInt(); }
    [[nodiscard]] QImage cell(int partition) const {
        const QRect rect = view->visualRect(view->model()->index(partition / 16, partition % 16));
        return view->viewport()->grab(rect).toImage();
    }
    MapPage* page;
    PartitionMapView* view;
};

int inkShare(const QImage& image, const QColor& color) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            count += std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green()) +
                         std::abs(pixel.blue() - color.blue()) <
                     12;
        }
    return 100 * count / (image.width() * image.height());
}

} // namespace

class MapPageTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theMenuAssignsInTheDraftAndPreparesAMove();
    void everyCellFitsAtTheDesignedSize();
    void cellsHaveTheColourOfTheirOwner();
    void aPartitionAtRiskLooksDifferentAndSaysSo();
    void arrowsWrapAtTheEndsOfRows();
    void tabLeavesTheMap();
    void nGoesFromProblemToProblem();
    void aDragSelectsARunOfNumbers();
    void aDoubleClickSelectsTheOwnersRange();
    void lensesSwitchByKey();
    void theFilterLineSelects();
    void theFinderNamesThePartitionOfAFace();
    void csvHasARowForEachPartition();
    void theSelectionSurvivesARefresh();
    void all256CellsHaveNames();
};

void MapPageTest::everyCellFitsAtTheDesignedSize() {
    MapConsole console;
    QVERIFY(console.connectAndWait());
    console.window->resize(1280, 800);
    QCoreApplication::processEvents();
    const QRect last = console.view->visualRect(console.view->model()->index(15, 15));
    QVERIFY(console.view->viewport()->rect().contains(last));
    QVERIFY(last.width() >= PartitionMapView::kCell.width());
}

void MapPageTest::cellsHaveTheColourOfTheirOwner() {
    MapConsole console;
    QVERIFY(console.connectAndWait());
    for (const int partition : {0, 100, 255}) {
        const int owner = console.session.snapshot()->partitions[std::size_t(partition)].owners.front();
        QVERIFY(inkShare(console.cell(partition), Theme::nodeFill(owner).fill) > 40);
    }
}

void MapPageTest::aPartitionAtRiskLooksDifferentAndSaysSo() {
    auto scenario = Console::calmScenario();
    scenario.replication = 1;
    MapConsole console(scenario);
    QVERIFY(console.connectAndWait());
    const QImage before = console.cell(255);
    console.fail(QStringLiteral("worker-7"), DemoFault::Dead);
    QVERIFY(console.waitFor([](const Snapshot& s) {
        return s.partitions[255].health == PartitionClass::AtRisk && s.counts.nodesDown == 1;
    }));
    QTRY_VERIFY(inkShare(console.cell(255), console.theme.colors().critical) >
                inkShare(before, console.theme.colors().critical));
    const QString name = console.view->model()->index(15, 15).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(name.contains(QStringLiteral("down")), qPrintable(name));
}

void MapPageTest::arrowsWrapAtTheEndsOfRows() {
    MapConsole console;
    QVERIFY(console.connectAndWait());
    console.view->goTo(15);
    QTest::keyClick(console.view, Qt::Key_Right);
    QCOMPARE(console.current(), 16);
    QTest::keyClick(console.view, Qt::Key_Left);
    QCOMPARE(console.current(), 15);
    QTest::keyClick(console.view, Qt::Key_Home);
    QCOMPARE(console.current(), 0);
    QTest::keyClick(console.view, Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(console.current(), 255);
    QTest::keyClick(console.view, Qt::Key_Right);
    QCOMPARE(console.current(), 255);
    QTest::keyClick(console.view, Qt::Key_Up);
    QCOMPARE(console.current(), 239);
}

void MapPageTest::tabLeavesTheMap() {
    MapConsole console;
    QVERIFY(console.connectAndWait());
    console.window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(console.window.get()));
    console.view->setFocus();
    console.view->goTo(3);
    QTest::keyClick(console.view, Qt::Key_Tab);
    QVERIFY(!console.view->hasFocus());
    QCOMPARE(console.current(), 3);
}

void MapPageTest::nGoesFromProblemToProblem() {
    auto scenario = Console::calmScenario();
    scenario.replication = 1;
    MapConsole console(scenario);
    QVERIFY(console.connectAndWait());
    console.fail(QStringLiteral("worker-7"), DemoFault::Dead);
    QVERIFY(console.waitFor([](const Snapshot& s) { return s.counts.of(PartitionClass::AtRisk) > 1; }));
    const auto lost = console.session.snapshot()->all(PartitionClass::AtRisk).ranges();
    console.view->goTo(0);
    QTRY_VERIFY(console.view->model()->index(15, 15).data(PartitionMapModel::ClassRole).toInt() ==
                int(PartitionClass::AtRisk));
    QTest::keyClick(console.view, Qt::Key_N);
    QCOMPARE(console.current(), int(lost.front().first));
    QTest::keyClick(console.view, Qt::Key_N);
    QCOMPARE(console.current(), int(lost.front().first) + 1);
    QTest::keyClick(console.view, Qt::Key_N, Qt::ShiftModifier);
    QCOMPARE(console.current(), int(lost.front().first));
}

void MapPageTest::aDragSelectsARunOfNumbers() {
    MapConsole console;
    QVERIFY(console.connectAndWait());
    const auto centre = [&](int partition) {
        return console.view->visualRect(console.view->model()->index(partition / 16, partition % 16)).center();
    };
    QTest::mousePress(console.view->viewport(), Qt::LeftButton, {}, centre(14));
    QTest::mouseMove(console.view->viewport(), centre(17));
    QMouseEvent move(QEvent::MouseMove, centre(18), console.view->viewport()->mapToGlobal(centre(18)), Qt::NoButton,
                     Qt::LeftButton, {});
    QApplication::sendEvent(console.view->viewport(), &move);
    QTest::mouseRelease(console.view->viewport(), Qt::LeftButton, {}, centre(18));
    QCOMPARE(QString::fromStdString(console.session.selection().current().partitions.text()), QStringLiteral("14-18"));
}

void MapPageTest::aDoubleClickSelectsTheOwnersRange() {
    MapConsole console;
    QVERIFY(console.connectAndWait());
    const QPoint at = console.view->visualRect(console.view->model()->index(6, 4)).center();
    QTest::mouseDClick(console.view->viewport(), Qt::LeftButton, {}, at);
    const auto chosen = console.session.selection().current().partitions;
    QVERIFY(chosen.contains(100) && chosen.count() > 1);
    const auto& partitions = console.session.snapshot()->partitions;
    for (const auto& range : chosen.ranges())
        for (int p = range.first; p <= range.last; ++p)
            QCOMPARE(partitions[std::size_t(p)].owners, partitions[100].owners);
}

void MapPageTest::lensesSwitchByKey() {
    MapConsole console;
    QVERIFY(console.connectAndWait());
    for (const auto& [key, lens] : {std::pair{Qt::Key_2, Lens::Load},
                                    {Qt::Key_3, Lens::Health},
                                    {Qt::Key_4, Lens::Queue},
                                    {Qt::Key_1, Lens::Owner}}) {
        const QImage before = console.cell(40);
        QTest::keyClick(console.view, key);
        QCOMPARE(console.view->lens(), lens);
        QVERIFY(console.cell(40) != before);
    }
}

void MapPageTest::theFilterLineSelects() {
    MapConsole console;
    QVERIFY(console.connectAndWait());
    auto* line = console.find<QLineEdit>("map.filter");
    line->setFocus();
    QTest::keyClicks(line, QStringLiteral("182-184, 5"));
    QCOMPARE(QString::fromStdString(console.session.selection().current().partitions.text()),
             QStringLiteral("5, 182-184"));
    QCOMPARE(console.view->selected().count(), 4);
}

void MapPageTest::theFinderNamesThePartitionOfAFace() {
    MapConsole console;
    QVERIFY(console.connectAndWait());
    console.page->finder().ask(QStringLiteral("default"), QStringLiteral("1234567891"));
    QCOMPARE(int(*console.page->finder().partition()), 5);
    QVERIFY(console.view->selected().contains(5));
    console.page->finder().ask(QStringLiteral("employee"), QStringLiteral("7"));
    QCOMPARE(int(*console.page->finder().partition()), 43);
    console.page->finder().ask(QStringLiteral("a/b"), QStringLiteral("7"));
    QVERIFY(!console.page->finder().partition());
}

void MapPageTest::csvHasARowForEachPartition() {
    MapConsole console;
    QVERIFY(console.connectAndWait());
    const auto lines = console.page->csv().split('\n');
    QCOMPARE(lines.size(), 256 + 3); // comment, head, rows, and what follows the last line end
    QVERIFY(lines[1].startsWith("partition,state,owners"));
    QVERIFY(lines[2].startsWith("0,"));
}

void MapPageTest::theSelectionSurvivesARefresh() {
    MapConsole console;
    QVERIFY(console.connectAndWait());
    console.view->goTo(77);
    const auto number = console.session.snapshot()->number;
    console.fail(QStringLiteral("worker-2"), DemoFault::Dead);
    QVERIFY(console.waitFor([number](const Snapshot& s) { return s.number > number && s.counts.nodesDown == 1; }));
    QCOMPARE(console.view->selected().count(), 1);
    QCOMPARE(console.current(), 77);
}

void MapPageTest::all256CellsHaveNames() {
    MapConsole console;
    QVERIFY(console.connectAndWait());
    QAccessibleInterface* table = QAccessible::queryAccessibleInterface(console.view);
    QVERIFY(table && table->tableInterface());
    QSet<QString> names;
    for (int row = 0; row < 16; ++row)
        for (int column = 0; column < 16; ++column) {
            const QString name = table->tableInterface()->cellAt(row, column)->text(QAccessible::Name);
            QVERIFY(name.contains(QString::number(row * 16 + column)));
            names.insert(name);
        }
    QCOMPARE(names.size(), 256);
}

void MapPageTest::theMenuAssignsInTheDraftAndPreparesAMove() {
    Console console;
    QVERIFY(console.connectAndWait());
    MainWindow& window = *console.window;
    window.openPage(QStringLiteral("map"));
    auto* page = qobject_cast<MapPage*>(window.page(QStringLiteral("map")));
    PartitionSet chosen;
    chosen.insert(5);
    chosen.insert(6);
    console.session.selection().selectPartitions(chosen);
    const auto menuOf = [&](const char* title) -> QMenu* {
        Q_EMIT page->view().menuAsked(QPoint(10, 10));
        for (QMenu* menu : page->findChildren<QMenu*>())
            if (menu->isVisible())
                for (QAction* action : menu->actions())
                    if (action->menu() && action->text() == QLatin1String(title))
                        return action->menu();
        return nullptr;
    };
    const auto trigger = [](QMenu* menu, const QString& text) {
        for (QAction* action : menu->actions())
            if (action->text() == text)
                action->trigger();
        menu->parentWidget()->close();
    };
    QMenu* assign = menuOf("Assign to (draft)");
    QVERIFY(assign && assign->isEnabled());
    QCOMPARE(assign->actions().size(), 7);
    trigger(assign, QStringLiteral("worker-6"));
    QCOMPARE(window.currentPage(), QStringLiteral("config"));
    const auto map = window.desk().draft().map();
    QVERIFY(map);
    const auto node = map->findNode("worker-6");
    for (const int partition : {5, 6}) {
        const auto owners = map->owners(fremis::base::Partition(partition));
        QVERIFY(std::find(owners.begin(), owners.end(), std::uint16_t(*node)) != owners.end());
        QCOMPARE(owners.size(), 2U); // in the place of one that had it
    }
    QVERIFY(window.desk().history().undoText().contains(QStringLiteral("5-6")));
    window.desk().history().undo();
    window.openPage(QStringLiteral("map"));
    console.session.selection().selectPartitions(chosen);
    QMenu* move = menuOf("Prepare a move to");
    QVERIFY(move && move->isEnabled());
    trigger(move, QStringLiteral("worker-6"));
    QCOMPARE(window.currentPage(), QStringLiteral("planner"));
    auto* planner = qobject_cast<PlannerPage*>(window.page(QStringLiteral("planner")));
    const auto plansIt = [planner] {
        if (planner->isComputing() || !planner->plan())
            return false;
        const auto& moves = planner->plan()->moves;
        return std::count_if(moves.begin(), moves.end(), [](const fremis::routing::PlanMove& one) {
                   return (one.partition == 5 || one.partition == 6) && one.to &&
                          one.to->text().starts_with("worker-6");
               }) == 2;
    };
    QTRY_VERIFY(plansIt());
}

FREMIS_GUI_MAIN(MapPageTest)
#include "map_page_test.moc"

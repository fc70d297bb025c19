#include "console/ui/pages/config/config_page.h"
#include "console/ui/pages/planner/planner_page.h"
#include "console/ui/views/partition_map_view.h"
#include "console/ui/widgets/data_table.h"
#include "console/ui/widgets/info_banner.h"
#include "shared/routing/plan_output.h"
#include "tests/gui/console_fixture.h"

#include <QAccessible>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QSpinBox>

using namespace fremis;
using namespace fremis::console;
using namespace fremis::console::ui;
using fremis::tests::Console;

namespace {

struct PlannerConsole : Console {
    explicit PlannerConsole(int nodes = 3) : Console(scenarioOf(nodes)) {
        window->openPage(QStringLiteral("planner"));
        page = qobject_cast<PlannerPage*>(window->page(QStringLiteral("planner")));
    }
    static DemoScenario scenarioOf(int nodes) {
        auto scenario = calmScenario();
        scenario.nodes = nodes;
        scenario.replication = 1;
        return scenario;
    }
    [[nodiscard]] bool ready() { return connectAndWait() && planned(); }
    [[nodiscard]] bool planned() {
        return QTest::qWaitFor([this] { return !page->isComputing() && page->plan().has_value(); }, 20'000);
    }
    [[nodiscard]] bool add(const QString& address) {
        dialogs.texts.push_back(address);
        window->actions().find(QStringLiteral("planner.add"))->trigger();
        return QTest::qWaitFor([this, address] { return page->wishes().find(address) != nullptr; }) && planned();
    }
    [[nodiscard]] QString headline() { return find<InfoBanner>("planner.headline")->text(); }
    [[nodiscard]] QAction* action(const char* id) { return window->actions().find(QLatin1String(id)); }
    PlannerPage* page;
};

} // namespace

class PlannerPageTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutWishesNothingMoves();
    void aFourthNodeMovesTheBoundAndSaysSo();
    void oneRangePerNodeSaysWhatInsertingSaves();
    void theSliderWalksTheWaves();
    void tFlipsWhileItIsHeld();
    void leavingNodesGiveEverythingUp();
    void impossiblePlansSayWhy();
    void badPinsStayRed();
    void theMovesAreListed();
    void thePlanGoesIntoTheDraft();
    void thePlanStartsFromTheDraft();
    void theOutputsAreFiles();
    void everyFocusableWidgetHasAName();
};

void PlannerPageTest::withoutWishesNothingMoves() {
    PlannerConsole console;
    QCOMPARE(console.page->states().state(), StateStack::State::FirstRun);
    QVERIFY(console.ready());
    QCOMPARE(console.page->plan()->figures.moved, 0);
    QVERIFY(!console.action("planner.send")->isEnabled());
    QVERIFY(console.headline().startsWith(QStringLiteral("Nothing has to move")));
}

void PlannerPageTest::aFourthNodeMovesTheBoundAndSaysSo() {
    PlannerConsole console;
    QVERIFY(console.ready());
    QVERIFY(console.add(QStringLiteral("worker-4.demo:4003")));
    QCOMPARE(console.page->plan()->figures.moved, 64);
    QVERIFY2(console.headline().startsWith(QStringLiteral("64 partition")), qPrintable(console.headline()));
    QVERIFY2(console.headline().contains(QStringLiteral("at least 64")), qPrintable(console.headline()));
    QVERIFY(console.action("planner.send")->isEnabled());
}

void PlannerPageTest::oneRangePerNodeSaysWhatInsertingSaves() {
    PlannerConsole console(2);
    QVERIFY(console.ready());
    auto* mode = console.find<QComboBox>("planner.mode");
    mode->setCurrentIndex(1);
    QVERIFY(console.add(QStringLiteral("worker-3.demo:4003")));
    QCOMPARE(console.page->plan()->mode, routing::PlanMode::Contiguous);
    QCOMPARE(console.page->plan()->figures.moved, 85);
    const QString advice = console.find<QLabel>("planner.advice")->text();
    QVERIFY2(advice.contains(QStringLiteral("moves 85 instead of 127")), qPrintable(advice));
}

void PlannerPageTest::theSliderWalksTheWaves() {
    PlannerConsole console;
    QVERIFY(console.ready());
    QVERIFY(console.add(QStringLiteral("worker-4.demo:4003")));
    auto* slider = console.find<QSlider>("planner.step");
    auto* map = console.find<PartitionMapView>("planner.map");
    const auto owned = [map] {
        int count = 0;
        for (int cell = 0; cell < 256; ++cell)
            count += map->model()->index(cell / 16, cell % 16).data(PartitionMapModel::FillOwnerRole).toString() ==
                     QStringLiteral("worker-4.demo:4003");
        return count;
    };
    QCOMPARE(slider->value(), slider->maximum());
    QVERIFY(slider->maximum() > 1);
    QCOMPARE(owned(), 64);
    slider->setValue(1);
    QVERIFY(owned() > 0 && owned() < 64);
    slider->setValue(0);
    QCOMPARE(owned(), 0);
}

void PlannerPageTest::tFlipsWhileItIsHeld() {
    PlannerConsole console;
    QVERIFY(console.ready());
    QVERIFY(console.add(QStringLiteral("worker-4.demo:4003")));
    auto* map = console.find<PartitionMapView>("planner.map");
    const auto owners = [map] {
        QStringList all;
        for (int cell = 0; cell < 256; ++cell)
            all.append(map->model()->index(cell / 16, cell % 16).data(PartitionMapModel::FillOwnerRole).toString());
        return all;
    };
    const QStringList after = owners();
    QTest::keyPress(map, Qt::Key_T);
    QVERIFY(owners() != after);
    QTest::keyRelease(map, Qt::Key_T);
    QCOMPARE(owners(), after);
}

void PlannerPageTest::leavingNodesGiveEverythingUp() {
    PlannerConsole console(4);
    QVERIFY(console.ready());
    auto* wishes = console.find<DataTable>("planner.wishes");
    wishes->selectRow(1);
    const QString key = wishes->currentKey();
    console.action("planner.leave")->trigger();
    QVERIFY(console.planned());
    const auto& nodes = console.page->plan()->nodes;
    const auto left = std::find_if(nodes.begin(), nodes.end(), [&key](const auto& node) {
        return QString::fromStdString(node.address.text()) == key;
    });
    QVERIFY(left != nodes.end());
    QVERIFY(left->after.none());
    QCOMPARE(console.page->plan()->figures.moved, int(left->before.count()));
}

void PlannerPageTest::impossiblePlansSayWhy() {
    PlannerConsole console;
    QVERIFY(console.ready());
    console.find<QSpinBox>("planner.replication")->setValue(9);
    QTRY_VERIFY(console.headline().startsWith(QStringLiteral("There is no such plan")));
    QVERIFY(!console.action("planner.send")->isEnabled());
    console.find<QSpinBox>("planner.replication")->setValue(2);
    QVERIFY(console.planned());
    QVERIFY(console.page->plan()->figures.moved >= 256);
}

void PlannerPageTest::badPinsStayRed() {
    PlannerConsole console;
    QVERIFY(console.ready());
    auto* pins = console.find<QLineEdit>("planner.pins");
    pins->setText(QStringLiteral("0-3: nobody"));
    Q_EMIT pins->editingFinished();
    QVERIFY(pins->toolTip().contains(QStringLiteral("nobody")));
    pins->setText(QStringLiteral("0-3: worker-3"));
    Q_EMIT pins->editingFinished();
    QVERIFY(console.planned());
    QTRY_COMPARE(console.page->plan()->figures.moved, 8); // four there, and four back for the balance
}

void PlannerPageTest::theMovesAreListed() {
    PlannerConsole console;
    QVERIFY(console.ready());
    QVERIFY(console.add(QStringLiteral("worker-4.demo:4003")));
    console.page->setView(PlannerPage::View::Moves);
    auto* moves = console.find<DataTable>("planner.moves");
    int count = 0;
    for (int row = 0; row < moves->proxy().rowCount(); ++row)
        count += moves->proxy().index(row, 3).data(ValueRole).toInt();
    QCOMPARE(count, 64);
    moves->setFocus();
    moves->selectRow(0);
    const auto chosen = console.session.selection().current().partitions;
    QCOMPARE(QString::fromStdString(chosen.text()), moves->proxy().index(0, 2).data().toString());
}

void PlannerPageTest::thePlanGoesIntoTheDraft() {
    PlannerConsole console;
    QVERIFY(console.ready());
    const auto running = console.demo.world().config().epoch();
    QVERIFY(console.add(QStringLiteral("worker-4.demo:4003")));
    console.action("planner.send")->trigger();
    QCOMPARE(console.window->currentPage(), QStringLiteral("config"));
    QCOMPARE(console.window->desk().draft().epoch(), QString::fromStdString(console.page->plan()->epochAfter));
    QVERIFY(!console.window->desk().draft().orphaned().empty()); // the data has not moved yet
    QCOMPARE(console.demo.world().config().epoch(), running);
    QVERIFY(console.window->desk().history().canUndo());
}

void PlannerPageTest::thePlanStartsFromTheDraft() {
    PlannerConsole console;
    QVERIFY(console.ready());
    const auto& document = console.window->desk().draft().document();
    const int end = std::stoi(*document.value(0, "partition_end"));
    QVERIFY(console.window->desk().edit({routing::setEnd(0, end - 20), routing::setStart(1, end - 19)},
                                        QStringLiteral("Move")));
    console.page->setStart(PlannerPage::Start::Draft);
    QVERIFY(console.planned());
    QTRY_COMPARE(QString::fromStdString(console.page->plan()->epochBefore), console.window->desk().draft().epoch());
    QCOMPARE(console.page->plan()->figures.moved, 20);
}

void PlannerPageTest::theOutputsAreFiles() {
    PlannerConsole console;
    QVERIFY(console.ready());
    QVERIFY(console.add(QStringLiteral("worker-4.demo:4003")));
    QTemporaryDir folder;
    const auto saved = [&](const QString& name, const std::function<void()>& run) {
        console.dialogs.texts.push_back(folder.filePath(name));
        run();
        QFile file(folder.filePath(name));
        const bool isThere = QTest::qWaitFor([&file] { return file.exists(); });
        return isThere && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const auto json = saved(QStringLiteral("p.json"), [&] { console.action("planner.json")->trigger(); });
    const auto read = routing::parsePlanJson(json.toStdString());
    QVERIFY(read);
    QCOMPARE(read->epochAfter, console.page->plan()->epochAfter);
    QVERIFY(routing::reversePlan(*read));
    const auto english = saved(QStringLiteral("en.md"), [&] { console.action("planner.runbook-en")->trigger(); });
    const auto indonesian = saved(QStringLiteral("id.md"), [&] { console.action("planner.runbook-id")->trigger(); });
    QVERIFY(!english.isEmpty() && !indonesian.isEmpty() && english != indonesian);
    const auto csv = saved(QStringLiteral("p.csv"), [&] { console.page->exportCsv(); });
    QCOMPARE(csv.count('\n'), 64 + 2);
}

void PlannerPageTest::everyFocusableWidgetHasAName() {
    PlannerConsole console;
    QVERIFY(console.ready());
    int checked = 0;
    for (const auto view : {PlannerPage::View::Map, PlannerPage::View::Moves, PlannerPage::View::Nodes}) {
        console.page->setView(view);
        for (QWidget* widget : console.page->findChildren<QWidget*>()) {
            if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisible())
                continue;
            QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
            const bool isInner = widget->objectName().startsWith(QStringLiteral("qt_")); // the line of a spin box
            QVERIFY2(isInner || (accessible && !accessible->text(QAccessible::Name).isEmpty()),
                     qPrintable(QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                                widget->objectName()));
            ++checked;
        }
    }
    QVERIFY(checked > 30);
}

FREMIS_GUI_MAIN(PlannerPageTest)
#include "planner_page_test.moc"

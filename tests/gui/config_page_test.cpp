#include "console/ui/pages/config/apply_sheet.h"
#include "console/ui/pages/config/config_page.h"
#include "console/ui/pages/config/merge_sheet.h"
#include "console/ui/views/config_editor.h"
#include "console/ui/views/diff_view.h"
#include "console/ui/views/partition_map_view.h"
#include "console/ui/views/step_bar.h"
#include "console/ui/widgets/data_table.h"
#include "console/ui/widgets/info_banner.h"
#include "tests/gui/console_fixture.h"

#include <QAccessible>
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

using namespace fremis;
using namespace fremis::console;
using namespace fremis::console::ui;
using fremis::tests::Console;

namespace {

using State = ApplySequence::State;

struct ConfigConsole : Console {
    explicit ConfigConsole(DemoScenario scenario = singleCopies()) : Console(std::move(scenario)) {
        window->openPage(QStringLiteral("config"));
        page = qobject_cast<ConfigPage*>(window->page(QStringLiteral("config")));
    }
    /// One owner for each partition: moving a boundary orphans data.
    static DemoScenario singleCopies() {
        auto scenario = calmScenario();
        scenario.replication = 1;
        return scenario;
    }
    [[nodiscard]] bool ready() {
        if (!connectAndWait())
            return false;
        window->desk().dropKept(); // of another test
        return QTest::qWaitFor([this] { return window->desk().isOpen() && desk().draft().map().has_value(); });
    }
    [[nodiscard]] DraftDesk& desk() { return window->desk(); }
    [[nodiscard]] QAction* action(const char* id) { return window->actions().find(QLatin1String(id)); }
    [[nodiscard]] QString text() { return QString::fromUtf8(desk().draft().text()); }
    [[nodiscard]] QAbstractItemModel& table() { return find<DataTable>("config.table")->proxy(); }
    [[nodiscard]] bool has(routing::Rule rule) {
        const auto& problems = desk().draft().problems();
        return std::any_of(problems.begin(), problems.end(),
                           [rule](const auto& problem) { return problem.rule == rule; });
    }
    bool select(routing::Rule rule) {
        auto* problems = find<DataTable>("config.problems");
        const QString id = QString::fromStdString(std::string(routing::idOf(rule)));
        for (int row = 0; row < problems->proxy().rowCount(); ++row)
            if (problems->proxy().index(row, 1).data().toString() == id) {
                problems->selectRow(row);
                return true;
            }
        return false;
    }
    /// Partition 36 goes from the first node to the second, which holds none of it.
    bool moveABoundary() {
        const auto& document = desk().draft().document();
        const int end = std::stoi(*document.value(0, "partition_end"));
        return desk()
            .edit({routing::setEnd(0, end - 1), routing::setStart(1, end)}, QStringLiteral("Move"))
            .has_value();
    }
    void setRunningText(const QByteArray& yaml) {
        const ConfigWrite write{yaml, (**session.snapshot()->config).etag, false, true};
        bool done = false;
        session.client().writeConfig(session.snapshot()->coordinatorUrl(), write, window.get(),
                                     [&done](const CallResult<ConfigChange>& result) { done = result.has_value(); });
        QVERIFY(QTest::qWaitFor([&done] { return done; }));
    }
    ConfigPage* page;
};

QPushButton* visibleButton(QWidget* parent, const char* name) {
    auto* button = parent->findChild<QPushButton*>(QLatin1String(name));
    return button && button->isVisible() ? button : nullptr;
}

} // namespace

class ConfigPageTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutAConnectionItSaysHowToGetOne();
    void theDraftIsTheRunningConfig();
    void threeEpochsAreShown();
    void aCellIsEditedWithoutTouchingTheRest();
    void typingIsOneStepAndUndoTakesItBack();
    void undoActsOnThisPageOnly();
    void aGapBlocksApplyUntilAQuickFix();
    void f8WalksTheProblems();
    void squigglesNameTheProblem();
    void thePreviewShowsTheDraft();
    void splitSortInsertAndRemoveAreSteps();
    void orphanedDataNeedsAnAcknowledgementThatNamesIt();
    void nothingIsWrittenBeforeDiffAndImpactWereSeen();
    void aClosedLockStopsTheWrite();
    void applyAndRollBack();
    void aRefusalLeavesTheOldMapAndSaysWhy();
    void aChangeByOthersIsSeenAndMerged();
    void whereBothChangedTheSameLinesTheOperatorChooses();
    void reloadAsksBeforeItDropsADraft();
    void aDraftIsKeptAndOffered();
    void anUnreadableTextKeepsThePageAlive();
    void everyFocusableWidgetHasAName();
};

void ConfigPageTest::withoutAConnectionItSaysHowToGetOne() {
    ConfigConsole console;
    QCOMPARE(console.page->states().state(), StateStack::State::FirstRun);
}

void ConfigPageTest::theDraftIsTheRunningConfig() {
    ConfigConsole console;
    QVERIFY(console.ready());
    QCOMPARE(console.page->states().state(), StateStack::State::Ready);
    QCOMPARE(console.desk().draft().text(), (**console.session.snapshot()->config).text);
    QCOMPARE(console.table().rowCount(), int(console.desk().draft().document().entryCount()));
    QVERIFY(console.has(routing::Rule::NoChange));
    QVERIFY(!console.action("config.apply")->isEnabled());
    QVERIFY(console.action("config.apply")->toolTip().contains(QStringLiteral("changes nothing")));
}

void ConfigPageTest::threeEpochsAreShown() {
    ConfigConsole console;
    QVERIFY(console.ready());
    const QString running = console.session.snapshot()->status->configEpoch.left(8);
    QCOMPARE(console.find<QLabel>("config.epoch.running")->text(), running);
    QCOMPARE(console.find<QLabel>("config.epoch.file")->text(), QStringLiteral("unknown"));
    QCOMPARE(console.find<QLabel>("config.epoch.draft")->text(), running);
    QVERIFY(console.moveABoundary());
    const QString draft = console.find<QLabel>("config.epoch.draft")->text();
    QVERIFY2(draft.endsWith(QStringLiteral("1 change(s)")) || draft.endsWith(QStringLiteral("1 change")),
             qPrintable(draft));
    QVERIFY(!draft.startsWith(running));
}

void ConfigPageTest::aCellIsEditedWithoutTouchingTheRest() {
    ConfigConsole console;
    QVERIFY(console.ready());
    const QStringList before = console.text().split(QLatin1Char('\n'));
    QAbstractItemModel& table = console.table();
    QVERIFY(table.setData(table.index(2, 3), QStringLiteral("renamed"), Qt::EditRole));
    const QStringList after = console.text().split(QLatin1Char('\n'));
    QCOMPARE(after.size(), before.size());
    int changed = 0;
    for (qsizetype line = 0; line < before.size(); ++line)
        changed += before[line] != after[line];
    QCOMPARE(changed, 1);
    QVERIFY(console.text().contains(QStringLiteral("renamed")));
    QCOMPARE(table.index(2, 3).data().toString(), QStringLiteral("renamed"));
}

void ConfigPageTest::typingIsOneStepAndUndoTakesItBack() {
    ConfigConsole console;
    QVERIFY(console.ready());
    const QString before = console.text();
    console.page->setView(ConfigPage::View::Text);
    auto* editor = console.find<ConfigEditor>("config.text");
    editor->moveCursor(QTextCursor::Start);
    QTest::keyClicks(editor, QStringLiteral("# hello"));
    QCOMPARE(console.text(), QStringLiteral("# hello") + before);
    QCOMPARE(console.desk().history().count(), 1);
    console.action("edit.undo")->trigger();
    QCOMPARE(console.text(), before);
    QCOMPARE(QString::fromUtf8(editor->source()), before);
    console.action("edit.redo")->trigger();
    QCOMPARE(console.text(), QStringLiteral("# hello") + before);
}

void ConfigPageTest::undoActsOnThisPageOnly() {
    ConfigConsole console;
    QVERIFY(console.ready());
    QVERIFY(console.moveABoundary());
    QVERIFY(console.action("edit.undo")->isEnabled());
    console.window->openPage(QStringLiteral("map"));
    QVERIFY(!console.action("edit.undo")->isEnabled());
    console.window->openPage(QStringLiteral("config"));
    QVERIFY(console.action("edit.undo")->isEnabled());
}

void ConfigPageTest::aGapBlocksApplyUntilAQuickFix() {
    ConfigConsole console;
    QVERIFY(console.ready());
    const QByteArray before = console.desk().draft().text();
    const int end = std::stoi(*console.desk().draft().document().value(0, "partition_end"));
    QVERIFY(console.desk().edit({routing::setEnd(0, end - 1)}, QStringLiteral("Gap")));
    QVERIFY(console.has(routing::Rule::Gap));
    QVERIFY(!console.action("config.apply")->isEnabled());
    QVERIFY(console.select(routing::Rule::Gap));
    auto* fix = visibleButton(console.page, "config.fix.0");
    QVERIFY(fix);
    QVERIFY(fix->text().contains(QString::number(end)));
    QTest::mouseClick(fix, Qt::LeftButton);
    QVERIFY(!console.has(routing::Rule::Gap));
    QCOMPARE(console.desk().draft().text(), before);
}

void ConfigPageTest::f8WalksTheProblems() {
    ConfigConsole console;
    QVERIFY(console.ready());
    QVERIFY(
        console.desk().edit({routing::SetValue{std::size_t(1), "partition_end", "999", false}}, QStringLiteral("Bad")));
    console.action("config.next-problem")->trigger();
    auto* problems = console.find<DataTable>("config.problems");
    QVERIFY(problems->currentIndex().isValid());
    QCOMPARE(problems->currentIndex().row(), 0);
    console.action("config.previous-problem")->trigger();
    QCOMPARE(problems->currentIndex().row(), problems->proxy().rowCount() - 1);
}

void ConfigPageTest::squigglesNameTheProblem() {
    ConfigConsole console;
    QVERIFY(console.ready());
    QVERIFY(
        console.desk().edit({routing::SetValue{std::size_t(1), "partition_end", "999", false}}, QStringLiteral("Bad")));
    auto* editor = console.find<ConfigEditor>("config.text");
    QVERIFY(!editor->extraSelections().isEmpty());
    QCOMPARE(editor->extraSelections().front().format.underlineStyle(), QTextCharFormat::WaveUnderline);
    QCOMPARE(editor->extraSelections().front().cursor.selectedText(), QStringLiteral("999"));
    const int line = editor->extraSelections().front().cursor.blockNumber() + 1;
    QVERIFY(editor->messagesAt(line).startsWith(QStringLiteral("V05")));
}

void ConfigPageTest::thePreviewShowsTheDraft() {
    ConfigConsole console;
    QVERIFY(console.ready());
    console.page->setView(ConfigPage::View::Map);
    auto* map = console.find<PartitionMapView>("config.map");
    const int end = std::stoi(*console.desk().draft().document().value(0, "partition_end"));
    const QModelIndex cell = map->model()->index(end / 16, end % 16);
    const QString before = cell.data(PartitionMapModel::FillOwnerRole).toString();
    QVERIFY(console.moveABoundary());
    QVERIFY(cell.data(PartitionMapModel::FillOwnerRole).toString() != before);
    QVERIFY(console.desk().edit({routing::setStart(1, end + 1)}, QStringLiteral("Gap")));
    QCOMPARE(cell.data(PartitionMapModel::FillOwnerRole).toString(),
             console.table().index(1, 0).data().toString()); // errors: the last good one
}

void ConfigPageTest::splitSortInsertAndRemoveAreSteps() {
    ConfigConsole console;
    QVERIFY(console.ready());
    const int rows = console.table().rowCount();
    console.dialogs.texts.push_back(QStringLiteral("worker-9.demo:4003"));
    console.action("config.insert")->trigger();
    QTRY_COMPARE(console.table().rowCount(), rows + 1);
    QVERIFY(console.desk().draft().map()->isComplete());
    console.action("config.split")->trigger();
    for (const auto& node : console.desk().draft().map()->nodes())
        QVERIFY(node.partitions.count() >= 256U / std::size_t(rows + 1));
    console.find<DataTable>("config.table")->selectRow(0);
    console.action("config.remove")->trigger();
    QCOMPARE(console.table().rowCount(), rows);
    QVERIFY(console.has(routing::Rule::Gap));
    console.action("edit.undo")->trigger();
    QCOMPARE(console.table().rowCount(), rows + 1);
    console.action("config.revert")->trigger();
    QCOMPARE(console.table().rowCount(), rows);
    QVERIFY(!console.desk().draft().isChanged());
    QVERIFY(console.desk().history().canUndo()); // even that can be undone
}

void ConfigPageTest::orphanedDataNeedsAnAcknowledgementThatNamesIt() {
    ConfigConsole console;
    QVERIFY(console.ready());
    auto* box = console.find<QCheckBox>("config.acknowledge");
    QVERIFY(!box->isVisible());
    QVERIFY(console.moveABoundary());
    const QString orphaned = QString::fromStdString(console.desk().draft().orphaned().text());
    QVERIFY(orphaned != QStringLiteral("none"));
    QVERIFY(box->isVisible());
    QVERIFY(box->text().contains(orphaned));
    QVERIFY(!console.action("config.apply")->isEnabled());
    QVERIFY(console.action("config.apply")->toolTip().contains(orphaned));
    QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
    QVERIFY(console.action("config.apply")->isEnabled());
    QVERIFY(console.desk().draft().needsForce());
    // It counts for this map only.
    QVERIFY(console.desk().edit({routing::setName(0, std::string("other"))}, QStringLiteral("Name")));
    const int end = std::stoi(*console.desk().draft().document().value(0, "partition_end"));
    QVERIFY(console.desk().edit({routing::setEnd(0, end - 1), routing::setStart(1, end)}, QStringLiteral("Move on")));
    QVERIFY(!box->isChecked());
    QVERIFY(!console.action("config.apply")->isEnabled());
}

void ConfigPageTest::nothingIsWrittenBeforeDiffAndImpactWereSeen() {
    ConfigConsole console;
    QVERIFY(console.ready());
    const auto epoch = console.demo.world().config().epoch();
    QVERIFY(console.desk().edit({routing::setName(0, std::string("other"))}, QStringLiteral("Name")));
    QVERIFY(!console.action("config.write")->isEnabled());
    console.action("config.write")->trigger();
    console.action("config.apply")->trigger();
    QVERIFY(console.page->isApplying());
    QCOMPARE(console.page->sheet().sequence().state(), State::Diff);
    auto* diff = console.find<DiffView>("apply.diff");
    QVERIFY(diff->isVisible());
    QCOMPARE(diff->added(), 1);
    QVERIFY(!console.action("config.write")->isEnabled());
    QTest::mouseClick(visibleButton(console.page, "apply.next"), Qt::LeftButton);
    QTRY_COMPARE(console.page->sheet().sequence().state(), State::Impact);
    QVERIFY(console.action("config.write")->isEnabled());
    QCOMPARE(console.demo.world().config().epoch(), epoch);
    QTest::mouseClick(visibleButton(console.page, "apply.back"), Qt::LeftButton);
    QVERIFY(!console.page->isApplying());
    QVERIFY(!console.action("config.write")->isEnabled());
    QCOMPARE(console.demo.world().config().epoch(), epoch);
}

void ConfigPageTest::aClosedLockStopsTheWrite() {
    ConfigConsole console;
    QVERIFY(console.ready());
    QVERIFY(console.desk().edit({routing::setName(0, std::string("other"))}, QStringLiteral("Name")));
    console.action("config.apply")->trigger();
    QTest::mouseClick(visibleButton(console.page, "apply.next"), Qt::LeftButton);
    QTRY_COMPARE(console.page->sheet().sequence().state(), State::Impact);
    console.window->lock().close();
    auto* next = visibleButton(console.page, "apply.next");
    QVERIFY(!next->isEnabled());
    QVERIFY(!next->toolTip().isEmpty());
    console.window->lock().open(false);
    QVERIFY(next->isEnabled());
}

void ConfigPageTest::applyAndRollBack() {
    ConfigConsole console;
    QVERIFY(console.ready());
    console.page->sheet().setVerifyTimes(Milliseconds(10), Milliseconds(10'000));
    const auto before = console.demo.world().config().epoch();
    const QByteArray textBefore = console.desk().draft().text();
    QVERIFY(console.moveABoundary());
    console.desk().draft().acknowledge(console.desk().draft().orphaned());
    const auto wanted = console.desk().draft().epoch();
    const QByteArray textAfter = console.desk().draft().text();
    console.action("config.apply")->trigger();
    QTest::mouseClick(visibleButton(console.page, "apply.next"), Qt::LeftButton);
    QTRY_COMPARE(console.page->sheet().sequence().state(), State::Impact);
    QTest::mouseClick(visibleButton(console.page, "apply.next"), Qt::LeftButton);
    QTRY_COMPARE(console.page->sheet().sequence().state(), State::Applied);
    QCOMPARE(QString::fromStdString(console.demo.world().config().epoch()), wanted);
    QCOMPARE(console.find<StepBar>("apply.steps")->state(3), StepBar::State::Done);
    QCOMPARE(console.find<InfoBanner>("apply.verdict")->severity(), ui::Severity::Ok);
    QVERIFY(!console.desk().draft().isChanged());
    const auto& events = console.session.events().events();
    QVERIFY(std::any_of(events.begin(), events.end(), [&](const Event& event) { return event.epochAfter == wanted; }));
    QTest::mouseClick(visibleButton(console.page, "apply.roll-back"), Qt::LeftButton);
    QTRY_COMPARE(console.page->sheet().sequence().state(), State::RolledBack);
    QCOMPARE(console.demo.world().config().epoch(), before);
    QCOMPARE(console.desk().draft().baseText(), textBefore);
    QCOMPARE(console.desk().draft().text(), textAfter); // the work is not lost
    QVERIFY(console.waitFor(
        [&](const Snapshot& s) { return s.status && s.status->configEpoch == QString::fromStdString(before); }));
    QTRY_COMPARE(console.desk().draft().baseText(), textBefore);
}

void ConfigPageTest::aRefusalLeavesTheOldMapAndSaysWhy() {
    ConfigConsole console;
    QVERIFY(console.ready());
    QVERIFY(console.desk().edit({routing::setName(0, std::string("mine"))}, QStringLiteral("Name")));
    console.action("config.apply")->trigger();
    QCOMPARE(console.page->sheet().sequence().state(), State::Diff);
    // Somebody else is faster.
    QByteArray other = console.desk().draft().baseText();
    other.replace("\"worker-3\"", "\"worker-x\"");
    console.setRunningText(other);
    const auto epoch = console.demo.world().config().epoch();
    QTest::mouseClick(visibleButton(console.page, "apply.next"), Qt::LeftButton);
    QTRY_COMPARE(console.page->sheet().sequence().state(), State::Failed);
    QCOMPARE(console.page->sheet().sequence().problemToken(), QStringLiteral("config_changed"));
    QVERIFY(console.find<InfoBanner>("apply.verdict")->text().contains(QStringLiteral("Nothing was changed")));
    QVERIFY(!visibleButton(console.page, "apply.roll-back"));
    QCOMPARE(console.demo.world().config().epoch(), epoch);
    QTest::mouseClick(visibleButton(console.page, "apply.back"), Qt::LeftButton);
    QVERIFY(!console.page->isApplying());
    QVERIFY(console.desk().draft().isChanged());
}

void ConfigPageTest::whereBothChangedTheSameLinesTheOperatorChooses() {
    for (const bool mine : {true, false}) {
        ConfigConsole console;
        QVERIFY(console.ready());
        const QByteArray base = console.desk().draft().text();
        QVERIFY(console.moveABoundary());
        const QByteArray draft = console.desk().draft().text();
        QByteArray theirs = base; // the same boundary, elsewhere, and a line of their own
        const int end = std::stoi(*console.desk().draft().document().value(0, "partition_end")) + 1;
        theirs.replace("partition_end: " + QByteArray::number(end), "partition_end: " + QByteArray::number(end - 3));
        theirs.replace("partition_start: " + QByteArray::number(end + 1),
                       "partition_start: " + QByteArray::number(end - 2));
        theirs += "# theirs\n";
        console.setRunningText(theirs);
        QTRY_VERIFY(console.has(routing::Rule::FileChanged));
        QVERIFY(console.select(routing::Rule::FileChanged));
        QVERIFY(visibleButton(console.page, "config.fix.0"));
        visibleButton(console.page, "config.fix.0")->click();
        auto* sheet = console.find<MergeSheet>("config.merge");
        QTRY_VERIFY(sheet->isVisible());
        QCOMPARE(console.desk().draft().text(), draft); // not before the choice
        QVERIFY(sheet->conflicts() >= 1);
        for (int conflict = 0; conflict < sheet->conflicts(); ++conflict)
            sheet->choose(conflict, mine);
        console.find<QPushButton>("config.merge.ok")->click();
        QVERIFY(!sheet->isVisible());
        QVERIFY(!console.has(routing::Rule::FileChanged));
        QCOMPARE(console.desk().draft().text(), mine ? draft + "# theirs\n" : theirs);
    }
}

void ConfigPageTest::aChangeByOthersIsSeenAndMerged() {
    ConfigConsole console;
    QVERIFY(console.ready());
    QVERIFY(console.desk().edit({routing::setName(0, std::string("mine"))}, QStringLiteral("Name")));
    QByteArray other = console.desk().draft().baseText();
    other.replace("\"worker-6\"", "\"theirs\"");
    QVERIFY(other != console.desk().draft().baseText());
    console.setRunningText(other);
    QTRY_VERIFY(console.has(routing::Rule::FileChanged));
    QVERIFY(!console.action("config.apply")->isEnabled());
    QVERIFY(console.select(routing::Rule::FileChanged));
    auto* merge = visibleButton(console.page, "config.fix.0");
    QVERIFY(merge);
    QTest::mouseClick(merge, Qt::LeftButton);
    QVERIFY(!console.has(routing::Rule::FileChanged));
    QCOMPARE(console.desk().draft().baseText(), other);
    QVERIFY(console.text().contains(QStringLiteral("mine")));
    QVERIFY(console.text().contains(QStringLiteral("theirs")));
}

void ConfigPageTest::reloadAsksBeforeItDropsADraft() {
    ConfigConsole console;
    QVERIFY(console.ready());
    QVERIFY(console.moveABoundary());
    console.dialogs.confirmations.push_back(false);
    console.action("config.reload")->trigger();
    QTRY_COMPARE(console.dialogs.asked.size(), 1U);
    QVERIFY(console.desk().draft().isChanged());
    console.dialogs.confirmations.push_back(true);
    console.action("config.reload")->trigger();
    QTRY_VERIFY(!console.desk().draft().isChanged());
}

void ConfigPageTest::aDraftIsKeptAndOffered() {
    QByteArray text;
    {
        ConfigConsole console;
        QVERIFY(console.ready());
        QVERIFY(console.desk().edit({routing::setName(0, std::string("unfinished"))}, QStringLiteral("Name")));
        text = console.desk().draft().text();
        console.desk().keep();
    }
    ConfigConsole console;
    QVERIFY(console.connectAndWait());
    auto* banner = console.find<InfoBanner>("config.kept");
    QTRY_VERIFY(banner->isVisible());
    QVERIFY(console.desk().draft().text() != text);
    QTest::mouseClick(banner->findChild<QToolButton*>(QStringLiteral("action")), Qt::LeftButton);
    QCOMPARE(console.desk().draft().text(), text);
    QVERIFY(!banner->isVisible());
    console.action("edit.undo")->trigger();
    QVERIFY(!console.desk().draft().isChanged());
}

void ConfigPageTest::anUnreadableTextKeepsThePageAlive() {
    ConfigConsole console;
    QVERIFY(console.ready());
    for (const QByteArray& text :
         {QByteArray(), QByteArray("nodes: [\n"), QByteArray("\t- x"), QByteArray("version: v2\nnodes: 3\n"),
          QByteArray("nodes:\n  - 1\n  - {address: x}\n")}) {
        QVERIFY(console.desk().setText(text, QStringLiteral("Broken")));
        QVERIFY(!console.action("config.apply")->isEnabled());
        QVERIFY(!console.action("config.split")->isEnabled());
        console.action("config.sort")->trigger();
        for (const auto view :
             {ConfigPage::View::Table, ConfigPage::View::Text, ConfigPage::View::Map, ConfigPage::View::Diff}) {
            console.page->setView(view);
            QCoreApplication::processEvents();
        }
    }
    console.action("config.revert")->trigger();
    QVERIFY(!console.desk().draft().isChanged());
}

void ConfigPageTest::everyFocusableWidgetHasAName() {
    ConfigConsole console;
    QVERIFY(console.ready());
    QVERIFY(console.moveABoundary());
    console.desk().draft().acknowledge(console.desk().draft().orphaned());
    int checked = 0;
    const auto check = [&] {
        for (QWidget* widget : console.page->findChildren<QWidget*>()) {
            if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisible())
                continue;
            QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
            QVERIFY2(accessible && !accessible->text(QAccessible::Name).isEmpty(),
                     qPrintable(QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                                widget->objectName()));
            ++checked;
        }
    };
    for (const auto view :
         {ConfigPage::View::Table, ConfigPage::View::Text, ConfigPage::View::Map, ConfigPage::View::Diff}) {
        console.page->setView(view);
        check();
    }
    console.action("config.apply")->trigger();
    check();
    QVERIFY(checked > 40);
}

FREMIS_GUI_MAIN(ConfigPageTest)
#include "config_page_test.moc"

#include "console/ui/pages/page.h"
#include "console/ui/pages/page_list.h"
#include "console/ui/shell/cluster_bar.h"
#include "console/ui/shell/confirm_dialog.h"
#include "console/ui/shell/connect_dialog.h"
#include "console/ui/shell/manual.h"
#include "tests/gui/console_fixture.h"

#include <QDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTextBrowser>

using namespace fremis::console;
using namespace fremis::console::ui;
using fremis::tests::Console;

class ShellTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutAConnectionEveryPageSaysHowToGetOne();
    void countsOfTheBarAreThoseOfTheSnapshot();
    void aDeadNodeShowsOnBarRailAndVerdict();
    void pausedIsSaidOnThePage();
    void productionStartsLocked();
    void aLockedActionSaysWhy();
    void twoActionsNeverShareAKey();
    void aTypedConfirmationNeedsTheWord();
    void addressesOfCoordinators_data();
    void addressesOfCoordinators();
    void pagesOpenByTheirKeys();
    void helpOpensTheSectionOfThePage();
    void theManualHasASectionForEachPage();
};

void ShellTest::withoutAConnectionEveryPageSaysHowToGetOne() {
    Console console;
    QSignalSpy asked(console.window.get(), &MainWindow::connectAsked);
    for (const QString& id : {QStringLiteral("overview"), QStringLiteral("map"), QStringLiteral("nodes")}) {
        console.window->openPage(id);
        Page* page = console.window->page(id);
        QCOMPARE(page->states().state(), StateStack::State::FirstRun);
        QCOMPARE(page->states().text(), QStringLiteral("Connect to see this."));
    }
    QTest::mouseClick(
        console.window->page(QStringLiteral("nodes"))->findChild<QPushButton*>(QStringLiteral("state.action")),
        Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
}

void ShellTest::countsOfTheBarAreThoseOfTheSnapshot() {
    Console console;
    QVERIFY(console.connectAndWait());
    QCOMPARE(console.find<CountButton>("bar.nodes")->value(), QStringLiteral("7/7"));
    QCOMPARE(console.find<CountButton>("bar.ok")->value(), QStringLiteral("256 ok"));
    QCOMPARE(console.find<CountButton>("bar.risk")->value(), QStringLiteral("0 AT RISK"));
    QCOMPARE(console.window->page(console.window->currentPage())->states().state(), StateStack::State::Ready);
}

void ShellTest::aDeadNodeShowsOnBarRailAndVerdict() {
    auto scenario = Console::calmScenario();
    scenario.replication = 1;
    Console console(scenario);
    QVERIFY(console.connectAndWait());
    console.fail(QStringLiteral("worker-7"), DemoFault::Dead);
    QVERIFY(console.waitFor([](const Snapshot& snapshot) {
        return snapshot.counts.of(PartitionClass::AtRisk) > 0 && snapshot.counts.nodesDown == 1;
    }));
    const int lost = console.session.snapshot()->counts.of(PartitionClass::AtRisk);
    QCOMPARE(console.find<CountButton>("bar.risk")->value(), QStringLiteral("%1 AT RISK").arg(lost));
    QVERIFY(console.find<QWidget>("overview.verdict")
                ->accessibleName()
                .contains(QStringLiteral("cannot be searched: worker-7 is down")));
    QVERIFY(console.find<QWidget>("rail.map")->accessibleName().contains(QString::number(lost)));
    QTest::mouseClick(console.find<CountButton>("bar.risk"), Qt::LeftButton);
    QCOMPARE(console.window->currentPage(), QStringLiteral("map"));
    QCOMPARE(console.session.selection().current().partitions, console.session.snapshot()->all(PartitionClass::AtRisk));
}

void ShellTest::pausedIsSaidOnThePage() {
    Console console;
    QVERIFY(console.connectAndWait());
    console.window->actions().find(QStringLiteral("view.pause"))->trigger();
    Page* page = console.window->page(QStringLiteral("overview"));
    QTRY_VERIFY(page->strip().startsWith(QStringLiteral("Refresh paused.")));
}

void ShellTest::productionStartsLocked() {
    Console console;
    Profile profile = console.demo.profile();
    profile.environment = Environment::Production;
    console.session.open(profile, KeyPair());
    QVERIFY(console.window->lock().isClosed());
    console.window->actions().find(QStringLiteral("cluster.lock"))->trigger();
    QVERIFY(!console.window->lock().isClosed());
    QVERIFY(console.window->lock().remaining().has_value());
}

void ShellTest::aLockedActionSaysWhy() {
    ActionRegistry actions;
    bool ran = false;
    QAction* action =
        actions.add({QStringLiteral("test.write"), "Write", nullptr, {}, {}, ui::Menu::None, Effect::Mutates},
                    [&ran] { ran = true; });
    actions.setLocked(true, QStringLiteral("Locked for a test"));
    QVERIFY(!action->isEnabled());
    QVERIFY(action->toolTip().contains(QStringLiteral("Locked for a test")));
    action->trigger();
    QVERIFY(!ran);
    actions.setLocked(false, {});
    action->trigger();
    QVERIFY(ran);
}

void ShellTest::twoActionsNeverShareAKey() {
    Console console;
    QHash<QKeySequence, QString> taken;
    for (const ActionRegistry::Entry& entry : console.window->actions().entries())
        for (const QKeySequence& key : entry.action->shortcuts()) {
            if (key.isEmpty())
                continue;
            QVERIFY2(!taken.contains(key), qPrintable(entry.spec.id + QStringLiteral(" and ") + taken.value(key)));
            taken.insert(key, entry.spec.id);
        }
    QVERIFY(taken.size() > 10);
    QCOMPARE(console.window->actions().rebind(QStringLiteral("help.about"), {QKeySequence(QStringLiteral("F5"))}),
             QStringLiteral("view.refresh"));
}

void ShellTest::aTypedConfirmationNeedsTheWord() {
    Theme theme;
    Confirmation question;
    question.text = QStringLiteral("Delete it?");
    question.yes = QStringLiteral("Delete");
    question.typed = QStringLiteral("Visitors");
    ConfirmDialog dialog(theme, question, nullptr);
    auto* yes = dialog.findChild<QPushButton*>(QStringLiteral("confirm.yes"));
    auto* line = dialog.findChild<QLineEdit*>(QStringLiteral("confirm.typed"));
    QVERIFY(!yes->isEnabled());
    line->setText(QStringLiteral("visitor"));
    QVERIFY(!yes->isEnabled());
    line->setText(QStringLiteral(" visitors "));
    QVERIFY(yes->isEnabled());
}

void ShellTest::addressesOfCoordinators_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("first");
    QTest::newRow("host and port") << "127.0.0.1:4005"
                                   << "http://127.0.0.1:4005";
    QTest::newRow("host alone gets the usual port") << "coordinator.local"
                                                    << "http://coordinator.local:4005";
    QTest::newRow("tls") << "https://a:443, https://b:443"
                         << "https://a:443";
    QTest::newRow("path is refused") << "http://a:1/x"
                                     << "";
    QTest::newRow("user is refused") << "http://me:secret@a:1"
                                     << "";
    QTest::newRow("other scheme is refused") << "ftp://a:1"
                                             << "";
    QTest::newRow("nothing") << " , "
                             << "";
}

void ShellTest::addressesOfCoordinators() {
    QFETCH(QString, text);
    QFETCH(QString, first);
    const auto urls = parseCoordinators(text);
    QCOMPARE(urls.has_value(), !first.isEmpty());
    if (urls)
        QCOMPARE(urls->front().toString(), first);
}

void ShellTest::pagesOpenByTheirKeys() {
    Console console;
    console.window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(console.window.get()));
    QTest::keyClick(console.window.get(), Qt::Key_3, Qt::ControlModifier);
    QCOMPARE(console.window->currentPage(), QStringLiteral("nodes"));
    QTest::keyClick(console.window.get(), Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(console.window->currentPage(), QStringLiteral("map"));
}

void ShellTest::helpOpensTheSectionOfThePage() {
    Console console;
    console.window->openPage(QStringLiteral("queue"));
    console.window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(console.window.get()));
    QTest::keyClick(console.window.get(), Qt::Key_F1);
    const auto* text = console.find<QTextBrowser>("manual.text");
    QVERIFY(text != nullptr);
    QCOMPARE(text->textCursor().block().text(), QStringLiteral("Write queue"));
}

void ShellTest::theManualHasASectionForEachPage() {
    for (const auto& language : {QStringLiteral("en"), QStringLiteral("id")}) {
        const QString text = manualText(language);
        for (const PageEntry& page : allPages())
            QVERIFY2(!manualHeading(text, page.id).isEmpty(), qPrintable(language + QStringLiteral(": ") + page.id));
    }
    QVERIFY(manualText(QStringLiteral("en")) != manualText(QStringLiteral("id")));
    QCOMPARE(manualHeading(manualText(QStringLiteral("en")), QStringLiteral("no such page")), QString());
}

FREMIS_GUI_MAIN(ShellTest)
#include "shell_test.moc"

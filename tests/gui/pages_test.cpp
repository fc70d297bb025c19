#include "console/ui/pages/page.h"
#include "console/ui/pages/try/photo_view.h"
#include "console/ui/pages/try/try_page.h"
#include "console/ui/panel/bottom_panel.h"
#include "console/ui/widgets/data_table.h"
#include "tests/gui/console_fixture.h"

#include <QBuffer>
#include <QHeaderView>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QToolButton>

using namespace fremis::console;
using namespace fremis::console::ui;
using fremis::tests::Console;

namespace {

QByteArray picture() {
    QImage image(64, 48, QImage::Format_RGB32);
    image.fill(Qt::darkGreen);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

} // namespace

class PagesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPageHasItsStates();
    void aHungClusterIsSaidToBeOld();
    void theQueueFillsWhileANodeIsDown();
    void aKeyspaceIsMadeAndDeletedWithItsTypedName();
    void facesAreListedByPages();
    void recognitionWithoutAllPartitionsNeverSaysNoMatch();
    void aPartialAnswerNamesWhatIsMissing();
    void enrolThenRecognise();
    void photosAreForgottenWhenThePageIsLeft();
    void whatIsNoPictureIsRefused();
    void lockedEnrolmentIsNotSent();
    void tablesSortUnknownLastInBothOrders();
    void csvQuotesWhatLooksLikeAFormula();
    void problemsListTheSameAsTheMap();
    void theOverviewNeverScrollsSideways_data();
    void theOverviewNeverScrollsSideways();
};

void PagesTest::everyPageHasItsStates() {
    Console console;
    for (const QString& id : console.window->pageIds()) {
        console.window->openPage(id);
        Page* page = console.window->page(id);
        QVERIFY2(page->states().state() == StateStack::State::FirstRun ||
                     page->states().state() == StateStack::State::Ready,
                 qPrintable(id));
    }
    QVERIFY(console.connectAndWait());
    for (const QString& id : console.window->pageIds()) {
        console.window->openPage(id);
        QCOMPARE(console.window->page(id)->states().state(), StateStack::State::Ready);
        QVERIFY(!console.window->page(id)->accessibleName().isEmpty());
    }
}

void PagesTest::aHungClusterIsSaidToBeOld() {
    Console console;
    QVERIFY(console.connectAndWait());
    for (const QString& address : console.demo.world().addresses())
        console.fail(address, DemoFault::Hangs);
    console.fail(QStringLiteral("coordinator"), DemoFault::Hangs);
    Page* page = console.window->page(QStringLiteral("overview"));
    QTRY_VERIFY_WITH_TIMEOUT(page->strip().startsWith(QStringLiteral("Last data ")), 20'000);
}

void PagesTest::theQueueFillsWhileANodeIsDown() {
    auto scenario = Console::calmScenario();
    scenario.enrollmentsPerSecond = 200;
    Console console(scenario);
    QVERIFY(console.connectAndWait());
    console.window->openPage(QStringLiteral("queue"));
    console.fail(QStringLiteral("worker-2"), DemoFault::Dead);
    QVERIFY(console.waitFor([](const Snapshot& s) { return s.counts.queued.value_or(0) > 0; }));
    auto* table = console.find<DataTable>("queue.table");
    QCOMPARE(table->model()->rowCount(), 7);
    QVERIFY(table->csv(QStringLiteral("test")).contains("worker-2"));
    QTRY_VERIFY(console.find<QWidget>("rail.queue")->accessibleName().contains(QStringLiteral("to look at")));
}

void PagesTest::aKeyspaceIsMadeAndDeletedWithItsTypedName() {
    Console console;
    QVERIFY(console.connectAndWait());
    console.window->openPage(QStringLiteral("keyspaces"));
    console.dialogs.texts.push_back(QStringLiteral("guests"));
    console.window->actions().find(QStringLiteral("keyspaces.create"))->trigger();
    const auto has = [](const Snapshot& s) {
        return std::any_of(s.keyspaces->list.begin(), s.keyspaces->list.end(),
                           [](const Keyspace& k) { return k.name == QStringLiteral("guests"); });
    };
    QVERIFY(console.waitFor(has));
    console.session.selection().selectKeyspace(QStringLiteral("guests"));
    console.dialogs.confirmations.push_back(true);
    console.window->actions().find(QStringLiteral("keyspaces.delete"))->trigger();
    QCOMPARE(console.dialogs.asked.size(), std::size_t(1));
    QCOMPARE(console.dialogs.asked.front().confirmation.typed, QStringLiteral("guests"));
    QVERIFY(!console.dialogs.asked.front().confirmation.environment.isEmpty());
    QVERIFY(console.waitFor([&](const Snapshot& s) { return !has(s); }));
}

void PagesTest::facesAreListedByPages() {
    Console console;
    QVERIFY(console.connectAndWait());
    console.window->openPage(QStringLiteral("keyspaces"));
    console.session.selection().selectKeyspace(QStringLiteral("default"));
    QTest::mouseClick(console.find<QToolButton>("keyspaces.faces.load"), Qt::LeftButton);
    auto* note = console.find<QListWidget>("keyspaces.faces.list");
    QTRY_VERIFY(console.find<QToolButton>("keyspaces.faces.load")->isEnabled());
    QVERIFY(note->count() <= 100);
}

void PagesTest::recognitionWithoutAllPartitionsNeverSaysNoMatch() {
    const QByteArray partial = R"({"result":{"face_recognition":{"candidates":[]}},
        "coverage":{"partitions_total":256,"partitions_searched":230,"complete":false,
                    "failed_nodes":[{"address":"worker-7:4003","partitions":[{"start":182,"end":207}],"reason":"refused"}]}})";
    const QString title = recognitionTitle(readTryReply(partial), 0.5);
    QCOMPARE(title, QStringLiteral("Best of 230 of 256 partitions: nothing there"));
    const QByteArray complete = R"({"result":{"face_recognition":{"candidates":[]}},
        "coverage":{"partitions_total":256,"partitions_searched":256,"complete":true}})";
    QVERIFY(recognitionTitle(readTryReply(complete), 0.5).startsWith(QStringLiteral("No match")));
}

void PagesTest::aPartialAnswerNamesWhatIsMissing() {
    const TryReply reply =
        readTryReply(R"({"result":{"face_recognition":{"candidates":[{"face_id":"18446744073709551615",
        "variation":"18446744073709551614","similarity":0.91,"score":0.6}]}},
        "coverage":{"partitions_total":256,"partitions_searched":230,"complete":false,
                    "failed_nodes":[{"address":"worker-7:4003",
                                     "partitions":[{"start":5,"end":5},{"start":182,"end":207}],
                                     "reason":"refused"}]}})");
    QCOMPARE(reply.candidates.front().faceId, QStringLiteral("18446744073709551615"));
    const QString warning = coverageWarning(reply);
    QVERIFY(warning.contains(QStringLiteral("230 of 256")));
    QVERIFY(warning.contains(QStringLiteral("worker-7:4003")));
    QVERIFY2(warning.contains(QStringLiteral("(partitions 5, 182-207)")), qPrintable(warning));
    QVERIFY(recognitionTitle(reply, 0.5).startsWith(QStringLiteral("Best of 230 of 256 partitions")));
    QVERIFY(!readTryReply("no json").readable);
    QVERIFY(readTryReply("[]").candidates.empty());
}

void PagesTest::enrolThenRecognise() {
    Console console;
    QVERIFY(console.connectAndWait());
    console.window->openPage(QStringLiteral("try"));
    auto* page = qobject_cast<TryPage*>(console.window->page(QStringLiteral("try")));
    QCOMPARE(page->photo().setBytes(picture()), QString());
    page->setMode(TryPage::Mode::Enrol);
    page->send();
    QTRY_VERIFY(!page->reply().faceId.isEmpty());
    const QString face = page->reply().faceId;
    QVERIFY(page->title().contains(face));
    page->setMode(TryPage::Mode::Recognise);
    QVERIFY(!page->shownRequest().contains(QString::fromLatin1(picture().toBase64())));
    page->send();
    QTRY_VERIFY(!page->reply().candidates.empty());
    QCOMPARE(page->reply().candidates.front().faceId, face);
    QVERIFY(page->title().startsWith(face));
}

void PagesTest::photosAreForgottenWhenThePageIsLeft() {
    Console console;
    QVERIFY(console.connectAndWait());
    console.window->openPage(QStringLiteral("try"));
    auto* page = qobject_cast<TryPage*>(console.window->page(QStringLiteral("try")));
    QCOMPARE(page->photo().setBytes(picture()), QString());
    QVERIFY(!page->photo().isEmpty());
    console.window->openPage(QStringLiteral("map"));
    QVERIFY(page->photo().isEmpty());
}

void PagesTest::whatIsNoPictureIsRefused() {
    Theme theme;
    PhotoView view(theme);
    QVERIFY(!view.setBytes("GIF89a and more").isEmpty());
    QVERIFY(!view.setBytes(picture().left(40)).isEmpty());
    QVERIFY(view.isEmpty());
}

void PagesTest::lockedEnrolmentIsNotSent() {
    Console console;
    QVERIFY(console.connectAndWait());
    console.window->openPage(QStringLiteral("try"));
    auto* page = qobject_cast<TryPage*>(console.window->page(QStringLiteral("try")));
    QCOMPARE(page->photo().setBytes(picture()), QString());
    page->setMode(TryPage::Mode::Enrol);
    auto* send = console.find<QPushButton>("try.send");
    QVERIFY(send->isEnabled());
    console.window->lock().close();
    QVERIFY(!send->isEnabled());
    QVERIFY(send->toolTip().contains(QStringLiteral("Locked")));
}

void PagesTest::tablesSortUnknownLastInBothOrders() {
    Console console;
    QVERIFY(console.connectAndWait());
    console.window->openPage(QStringLiteral("nodes"));
    auto* table = console.find<DataTable>("nodes.table");
    int gpu = -1;
    for (int column = 0; column < table->model()->columnCount(); ++column)
        if (table->model()->headerData(column, Qt::Horizontal, ValueRole).toByteArray() == "vectors")
            gpu = column;
    QVERIFY(gpu >= 0);
    for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        table->sortByColumn(gpu, order);
        QVariant before;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QVariant value = table->model()->index(row, gpu).data(ValueRole);
            if (row > 0 && before.isValid() && value.isValid())
                QVERIFY(order == Qt::AscendingOrder ? before.toULongLong() <= value.toULongLong()
                                                    : before.toULongLong() >= value.toULongLong());
            QVERIFY(row == 0 || before.isValid() || !value.isValid());
            before = value;
        }
    }
}

void PagesTest::csvQuotesWhatLooksLikeAFormula() {
    QStandardItemModel model(1, 3);
    model.setItem(0, 0, new QStandardItem(QStringLiteral("=cmd()")));
    model.setItem(0, 1, new QStandardItem(QStringLiteral("a \"b\", c")));
    model.setItem(0, 2, new QStandardItem(QStringLiteral("-5")));
    model.item(0, 2)->setData(-5, ValueRole); // a number, as the console's tables have it
    Theme theme;
    DataTable table(theme, model, QStringLiteral("test"));
    const QByteArray csv = table.csv(QStringLiteral("two\nlines"));
    QVERIFY(csv.startsWith("# two lines"));
    QVERIFY(csv.contains("'=cmd()"));
    QVERIFY(csv.contains("\"a \"\"b\"\", c\""));
    QVERIFY(csv.contains(",-5"));
}

void PagesTest::problemsListTheSameAsTheMap() {
    auto scenario = Console::calmScenario();
    scenario.replication = 1;
    Console console(scenario);
    QVERIFY(console.connectAndWait());
    console.fail(QStringLiteral("worker-4"), DemoFault::Dead);
    QVERIFY(console.waitFor(
        [](const Snapshot& s) { return s.counts.of(PartitionClass::AtRisk) > 0 && s.counts.nodesDown == 1; }));
    auto* panel = console.find<BottomPanel>("panel");
    panel->openTab(BottomPanel::Problems);
    auto* table = console.find<DataTable>("panel.problems");
    QTRY_VERIFY(table->model()->rowCount() >= 2);
    Q_EMIT table->keyActivated(table->model()->index(0, 0).data(KeyRole).toString());
    QCOMPARE(console.window->currentPage(), QStringLiteral("map"));
    QCOMPARE(console.session.selection().current().partitions, console.session.snapshot()->all(PartitionClass::AtRisk));
}

void PagesTest::theOverviewNeverScrollsSideways_data() {
    QTest::addColumn<QString>("language");
    QTest::newRow("English") << QStringLiteral("en");
    QTest::newRow("Indonesian") << QStringLiteral("id");
}

void PagesTest::theOverviewNeverScrollsSideways() {
    QFETCH(QString, language);
    Console console;
    console.language.set(language);
    console.window->resize(1280, 800);
    QVERIFY(console.connectAndWait());
    auto* table = console.find<DataTable>("overview.nodes");
    QTRY_COMPARE(table->model()->rowCount(), 7);
    console.fail(QStringLiteral("worker-2"), DemoFault::Dead);
    QVERIFY(console.waitFor([](const Snapshot& s) { return s.counts.nodesDown == 1; }));
    QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
    // The word of its state stands in full.
    const QModelIndex state = table->model()->index(1, 0);
    QCOMPARE(state.data().toString(), wordOf(NodeState::Down));
    QVERIFY(table->sizeHintForIndex(state).width() <= table->columnWidth(0));
    QVERIFY(table->columnWidth(table->horizontalHeader()->logicalIndexAt(table->viewport()->width() - 4)) > 30);
}

FREMIS_GUI_MAIN(PagesTest)
#include "pages_test.moc"

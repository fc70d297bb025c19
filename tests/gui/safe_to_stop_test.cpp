#include "console/ui/pages/nodes/nodes_page.h"
#include "console/ui/pages/safe_to_stop.h"
#include "tests/gui/console_fixture.h"

using namespace fremis::console;
using namespace fremis::console::ui;
using fremis::tests::Console;

class SafeToStopTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNodeWithFullReservesMayStop();
    void aNodeThatAloneOwnsPartitionsMayNot();
    void aPeerWithOtherCountsIsNoReserve();
    void unknownCountsAsNo();
    void thePageSaysIt();
};

void SafeToStopTest::aNodeWithFullReservesMayStop() {
    Console console;
    QVERIFY(console.connectAndWait());
    const Snapshot& snapshot = *console.session.snapshot();
    for (const NodeView& node : snapshot.nodes) {
        const StopVerdict verdict = safeToStop(snapshot, node);
        QVERIFY2(verdict.isSafe, qPrintable(verdict.missing.join(QLatin1Char(' '))));
    }
}

void SafeToStopTest::aNodeThatAloneOwnsPartitionsMayNot() {
    auto scenario = Console::calmScenario();
    scenario.singleCopies = true;
    Console console(scenario);
    QVERIFY(console.connectAndWait());
    const Snapshot& snapshot = *console.session.snapshot();
    const StopVerdict verdict = safeToStop(snapshot, snapshot.nodes.back());
    QVERIFY(!verdict.isSafe);
    QVERIFY(verdict.partitions.contains(190));
    QVERIFY(verdict.missing.front().contains(QStringLiteral("182-207")));
}

void SafeToStopTest::aPeerWithOtherCountsIsNoReserve() {
    Console console;
    QVERIFY(console.connectAndWait());
    Snapshot snapshot = *console.session.snapshot();
    const int owner = snapshot.partitions[10].owners.front();
    const int other = snapshot.partitions[10].owners.back();
    QVERIFY(owner != other);
    auto load = std::make_shared<VectorLoad>(**snapshot.nodes[std::size_t(other)].load);
    load->partitions[10] = *load->partitions[10] - 1;
    snapshot.nodes[std::size_t(other)].load.value = load;
    const StopVerdict verdict = safeToStop(snapshot, snapshot.nodes[std::size_t(owner)]);
    QVERIFY(!verdict.isSafe);
    QCOMPARE(verdict.partitions.count(), 1);
    QVERIFY(verdict.partitions.contains(10));
}

void SafeToStopTest::unknownCountsAsNo() {
    Console console;
    QVERIFY(console.connectAndWait());
    Snapshot snapshot = *console.session.snapshot();
    snapshot.nodes.front().queue.value.reset();
    QVERIFY(!safeToStop(snapshot, snapshot.nodes.front()).isSafe);
    snapshot = *console.session.snapshot();
    for (NodeView& node : snapshot.nodes)
        node.load.value.reset();
    QVERIFY(!safeToStop(snapshot, snapshot.nodes.front()).isSafe);
}

void SafeToStopTest::thePageSaysIt() {
    auto scenario = Console::calmScenario();
    scenario.singleCopies = true;
    Console console(scenario);
    QVERIFY(console.connectAndWait());
    console.window->openPage(QStringLiteral("nodes"));
    auto* page = qobject_cast<NodesPage*>(console.window->page(QStringLiteral("nodes")));
    console.session.selection().selectNodes({console.session.snapshot()->nodes.back().address});
    QVERIFY(page->stopVerdict().startsWith(QStringLiteral("No, worker-7 must not be stopped now")));
    console.session.selection().selectNodes({console.session.snapshot()->nodes.front().address});
    QVERIFY(page->stopVerdict().startsWith(QStringLiteral("Yes, worker-1 can be stopped")));
}

FREMIS_GUI_MAIN(SafeToStopTest)
#include "safe_to_stop_test.moc"

#include "console/ui/pages/map/map_page.h"
#include "console/ui/shell/confirm_dialog.h"
#include "console/ui/views/partition_map_view.h"
#include "tests/gui/console_fixture.h"

#include <QClipboard>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>

using namespace fremis::console;
using namespace fremis::console::ui;
using fremis::tests::Console;

/// What needs a real window system: focus that a window manager gives, dragging, the clipboard.
class FocusTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void dragSelectsALinearRange();
    void dragWithCtrlAndShiftSelectsARectangle();
    void tabLeavesTheMapAndComesBack();
    void theRingIsWhereTheFocusIs();
    void theTypedConfirmationTakesWhatIsPasted();

private:
    struct MapConsole : Console {
        MapPage* page = nullptr;
        PartitionMapView* view = nullptr;
        [[nodiscard]] bool ready();
        [[nodiscard]] QPoint cell(int partition) const {
            return view->visualRect(view->model()->index(partition / 16, partition % 16)).center();
        }
        void drag(int from, int to, Qt::KeyboardModifiers modifiers);
    };
};

bool FocusTest::MapConsole::ready() {
    if (!connectAndWait())
        return false;
    window->openPage(QStringLiteral("map"));
    page = qobject_cast<MapPage*>(window->page(QStringLiteral("map")));
    view = &page->view();
    window->activateWindow();
    return QTest::qWaitForWindowActive(window.get());
}

void FocusTest::MapConsole::drag(int from, int to, Qt::KeyboardModifiers modifiers) {
    QTest::mousePress(view->viewport(), Qt::LeftButton, modifiers, cell(from));
    const int steps = 5;
    for (int step = 1; step <= steps; ++step) {
        const QPointF at = QPointF(cell(from)) + (QPointF(cell(to)) - QPointF(cell(from))) * step / steps;
        const QPoint here = at.toPoint();
        QMouseEvent move(QEvent::MouseMove, here, view->viewport()->mapToGlobal(here), Qt::NoButton, Qt::LeftButton,
                         modifiers);
        QCoreApplication::sendEvent(view->viewport(), &move);
    }
    QTest::mouseRelease(view->viewport(), Qt::LeftButton, modifiers, cell(to));
}

void FocusTest::initTestCase() {
    QCOMPARE(QGuiApplication::platformName(), QStringLiteral("xcb"));
}

void FocusTest::dragSelectsALinearRange() {
    MapConsole console;
    QVERIFY(console.ready());
    console.drag(20, 55, Qt::NoModifier);
    QCOMPARE(QString::fromStdString(console.view->selected().text()), QStringLiteral("20-55"));
    QCOMPARE(console.session.selection().current().partitions.count(), 36);
}

void FocusTest::dragWithCtrlAndShiftSelectsARectangle() {
    MapConsole console;
    QVERIFY(console.ready());
    console.drag(20, 20, Qt::NoModifier);
    QCOMPARE(console.view->selected().count(), 1);
    console.drag(34, 69, Qt::ControlModifier | Qt::ShiftModifier);
    const PartitionSet chosen = console.view->selected();
    for (const int partition : {34, 37, 50, 66, 69})
        QVERIFY(chosen.contains(Partition(partition)));
    QVERIFY(!chosen.contains(45)); // a range by number would have it
}

void FocusTest::tabLeavesTheMapAndComesBack() {
    MapConsole console;
    QVERIFY(console.ready());
    console.view->setFocus();
    QTRY_VERIFY(console.view->hasFocus());
    QTest::keyClick(console.view, Qt::Key_Tab);
    QWidget* next = QApplication::focusWidget();
    QVERIFY(next && next != console.view && !console.view->isAncestorOf(next));
    QTest::keyClick(next, Qt::Key_Backtab);
    QTRY_VERIFY(console.view->hasFocus());
    int tabs = 0;
    do {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        ++tabs;
    } while (tabs < 200 && !console.view->hasFocus());
    QVERIFY2(tabs > 5 && tabs < 200, qPrintable(QString::number(tabs)));
}

void FocusTest::theRingIsWhereTheFocusIs() {
    MapConsole console;
    QVERIFY(console.ready());
    auto* rail = console.find<QWidget>("rail.nodes");
    const QColor accent = console.theme.colors().accent;
    const auto ringed = [accent](QWidget* widget) {
        const QImage picture = widget->grab().toImage();
        int found = 0;
        for (int x = 0; x < picture.width(); ++x)
            for (int y = 0; y < picture.height(); ++y)
                found += picture.pixelColor(x, y) == accent;
        return found > 2 * picture.width() / 2;
    };
    console.view->setFocus();
    QTRY_VERIFY(console.view->hasFocus());
    QVERIFY(!ringed(rail));
    rail->setFocus(Qt::TabFocusReason);
    QTRY_VERIFY(rail->hasFocus());
    QVERIFY(ringed(rail));
}

void FocusTest::theTypedConfirmationTakesWhatIsPasted() {
    Theme theme;
    theme.setMode(Theme::Mode::Light);
    Confirmation question;
    question.title = question.text = QStringLiteral("Discard the queue?");
    question.yes = QStringLiteral("Discard");
    question.typed = QStringLiteral("worker-7");
    ConfirmDialog dialog(theme, question, nullptr);
    dialog.show();
    dialog.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    auto* line = dialog.findChild<QLineEdit*>(QStringLiteral("confirm.typed"));
    auto* yes = dialog.findChild<QPushButton*>(QStringLiteral("confirm.yes"));
    QTRY_VERIFY(line->hasFocus());
    QVERIFY(!yes->isEnabled());
    QGuiApplication::clipboard()->setText(QStringLiteral("Worker-7 "));
    QTest::keySequence(line, QKeySequence::Paste);
    QTRY_COMPARE(line->text(), QStringLiteral("Worker-7 "));
    QVERIFY(yes->isEnabled()); // neither case nor a blank at the end matters
    line->clear();
    QGuiApplication::clipboard()->setText(QStringLiteral("worker-8"));
    QTest::keySequence(line, QKeySequence::Paste);
    QVERIFY(!yes->isEnabled());
}

FREMIS_GUI_MAIN(FocusTest)
#include "focus_test.moc"

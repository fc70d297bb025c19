#include "console/ui/pages/page.h"
#include "console/ui/shell/command_palette.h"
#include "console/ui/shell/confirm_dialog.h"
#include "console/ui/shell/connect_dialog.h"
#include "tests/gui/console_fixture.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QLabel>
#include <QScrollBar>

using namespace fremis::console;
using namespace fremis::console::ui;
using fremis::tests::Console;

namespace {

bool isReached(const QWidget* widget) {
    return widget->focusPolicy() & Qt::TabFocus && widget->isEnabled() && widget->isVisible() &&
           !widget->focusProxy() && !widget->objectName().startsWith(QLatin1String("qt_"));
}

QString nameOf(QWidget* widget) {
    const QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
    return face ? face->text(QAccessible::Name) : QString();
}

QString pathOf(const QWidget* widget) {
    QStringList path;
    for (; widget; widget = widget->parentWidget())
        path.prepend(
            QStringLiteral("%1(%2)").arg(QLatin1String(widget->metaObject()->className()), widget->objectName()));
    return path.join(QLatin1Char('/'));
}

QStringList nameless(QWidget* root) {
    QStringList found;
    for (QWidget* widget : root->findChildren<QWidget*>())
        if (isReached(widget) && nameOf(widget).isEmpty())
            found.append(pathOf(widget));
    return found;
}

/// Texts that do not fit their widget.
QStringList clipped(QWidget* root) {
    QStringList found;
    for (QLabel* label : root->findChildren<QLabel*>()) {
        if (!label->isVisible() || label->wordWrap() || label->text().isEmpty() ||
            label->inherits("fremis::console::ui::ElidedLabel"))
            continue;
        if (label->width() + 1 < label->sizeHint().width() || label->height() + 1 < label->fontMetrics().height())
            found.append(QStringLiteral("%1 \"%2\"").arg(pathOf(label), label->text()));
    }
    for (QAbstractButton* button : root->findChildren<QAbstractButton*>()) {
        if (!button->isVisible() || button->text().isEmpty())
            continue;
        if (button->width() + 1 < button->sizeHint().width() || button->height() + 1 < button->fontMetrics().height())
            found.append(QStringLiteral("%1 \"%2\"").arg(pathOf(button), button->text()));
    }
    return found;
}

} // namespace

class AuditTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFocusableWidgetHasAName();
    void dialogsHaveNames();
    void theKeyboardWalkComesBack();
    void noTextIsClipped_data();
    void noTextIsClipped();
    void objectNamesAreUnique();
    void whatMutatesIsLockedWithoutException();
    void shownStatesHaveAWordNotOnlyAColour();
};

void AuditTest::everyFocusableWidgetHasAName() {
    Console console;
    QVERIFY(console.connectAndWait());
    int seen = 0;
    for (const QString& id : console.window->pageIds()) {
        console.window->openPage(id);
        QCoreApplication::processEvents();
        const QStringList found = nameless(console.window.get());
        QVERIFY2(found.isEmpty(), qPrintable(id + QStringLiteral(": ") + found.join(QStringLiteral("\n"))));
        for (QWidget* widget : console.window->findChildren<QWidget*>())
            seen += isReached(widget);
    }
    QVERIFY(seen > 100);
}

void AuditTest::dialogsHaveNames() {
    Theme theme;
    theme.setMode(Theme::Mode::Light);
    Confirmation question;
    question.title = question.text = question.yes = question.typed = QStringLiteral("word");
    ConfirmDialog confirm(theme, question, nullptr);
    ConnectDialog connection(theme, Profile(), true, nullptr);
    ActionRegistry actions;
    actions.add({QStringLiteral("a"), "Action", nullptr, {}});
    CommandPalette palette(theme, actions, nullptr, {}, nullptr);
    for (QDialog* dialog :
         {static_cast<QDialog*>(&confirm), static_cast<QDialog*>(&connection), static_cast<QDialog*>(&palette)}) {
        dialog->show();
        QVERIFY(QTest::qWaitForWindowExposed(dialog));
        const QStringList found = nameless(dialog);
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QStringLiteral("\n"))));
        dialog->close();
    }
}

void AuditTest::theKeyboardWalkComesBack() {
    Console console;
    QVERIFY(console.connectAndWait());
    console.window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(console.window.get()));
    for (const QString& id : console.window->pageIds()) {
        console.window->openPage(id);
        QCoreApplication::processEvents();
        QTest::keyClick(console.window.get(), Qt::Key_Tab);
        QWidget* start = QApplication::focusWidget();
        QVERIFY2(start, qPrintable(id));
        QWidget* at = nullptr;
        QSet<QWidget*> visited;
        int tabs = 0;
        for (; tabs < 200 && at != start; ++tabs) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            at = QApplication::focusWidget();
            QVERIFY2(at, qPrintable(id));
            QVERIFY2(at == start || !visited.contains(at),
                     qPrintable(id + QStringLiteral(": trapped at ") + pathOf(at)));
            visited.insert(at);
        }
        QVERIFY2(tabs < 200 && visited.size() > 5, qPrintable(id));
        QVERIFY2(std::any_of(visited.begin(), visited.end(),
                             [&](QWidget* widget) { return console.window->page(id)->isAncestorOf(widget); }),
                 qPrintable(id));
    }
}

void AuditTest::noTextIsClipped_data() {
    QTest::addColumn<QString>("language");
    QTest::addColumn<double>("factor");
    for (const auto* language : {"en", "id"})
        for (const double factor : {1.0, 1.25, 1.5})
            QTest::addRow("%s at %d %%", language, int(factor * 100)) << QString::fromLatin1(language) << factor;
}

void AuditTest::noTextIsClipped() {
    QFETCH(QString, language);
    QFETCH(double, factor);
    const QFont normal = QApplication::font();
    QFont large = normal;
    {
        Console console;
        large.setPointSizeF(QApplication::font().pointSizeF() * factor);
        QApplication::setFont(large);
        console.window = std::make_unique<MainWindow>(console.session, console.theme, console.dialogs);
        console.window->show();
        console.language.set(language);
        QVERIFY(console.connectAndWait());
        QStringList found;
        for (const QString& id : console.window->pageIds()) {
            console.window->openPage(id);
            QCoreApplication::processEvents();
            QCoreApplication::processEvents();
            found.append(clipped(console.window.get()));
        }
        found.removeDuplicates();
        QApplication::setFont(normal);
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QStringLiteral("\n"))));
    }
}

void AuditTest::objectNamesAreUnique() {
    Console console;
    QVERIFY(console.connectAndWait());
    for (const QString& id : console.window->pageIds())
        console.window->openPage(id);
    QHash<QString, const QWidget*> names;
    const auto widgets = console.window->findChildren<QWidget*>();
    int dotted = 0;
    for (const QWidget* widget : widgets) {
        const QString& name = widget->objectName();
        if (!name.contains(QLatin1Char('.')) || name.startsWith(QLatin1String("state.")))
            continue;
        ++dotted;
        QVERIFY2(!names.contains(name),
                 qPrintable(pathOf(widget) + QStringLiteral(" and ") + pathOf(names.value(name))));
        names.insert(name, widget);
    }
    QVERIFY(dotted > 60);
}

void AuditTest::whatMutatesIsLockedWithoutException() {
    Console console;
    QVERIFY(console.connectAndWait());
    for (const QString& id : console.window->pageIds())
        console.window->openPage(id);
    console.window->lock().close();
    int mutating = 0;
    for (const ActionRegistry::Entry& entry : console.window->actions().entries()) {
        if (entry.spec.effect != Effect::Mutates)
            continue;
        ++mutating;
        QVERIFY2(!entry.action->isEnabled(), qPrintable(entry.spec.id));
        QVERIFY(entry.action->toolTip().contains(QStringLiteral("Locked")));
    }
    QVERIFY(mutating >= 4);
    const auto calls = console.session.calls();
    QVERIFY(std::none_of(calls.begin(), calls.end(),
                         [](const CallRecord& call) { return call.method != QLatin1String("GET"); }));
}

void AuditTest::shownStatesHaveAWordNotOnlyAColour() {
    Console console;
    QVERIFY(console.connectAndWait());
    console.fail(QStringLiteral("worker-5"), DemoFault::Dead);
    QVERIFY(console.waitFor([](const Snapshot& s) { return s.counts.nodesDown == 1; }));
    console.window->openPage(QStringLiteral("map"));
    const auto chipSaysDown = [&console] {
        const auto chips = console.window->findChildren<QAbstractButton*>();
        return std::any_of(chips.begin(), chips.end(), [](const QAbstractButton* chip) {
            return chip->accessibleName().contains(QStringLiteral("worker-5")) &&
                   chip->accessibleName().contains(QStringLiteral("down"));
        });
    };
    QTRY_VERIFY(chipSaysDown());
    QVERIFY(console.find<QWidget>("bar.nodes")->accessibleName().contains(QStringLiteral("6/7")));
}

FREMIS_GUI_MAIN(AuditTest)
#include "audit_test.moc"

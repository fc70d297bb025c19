#include "console/client/network_transport.h"
#include "console/ui/pages/page.h"
#include "console/ui/shell/connect_dialog.h"
#include "console/ui/shell/keys_dialog.h"
#include "console/ui/shell/no_transport.h"
#include "console/ui/widgets/property_list.h"
#include "tests/gui/console_fixture.h"

#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTableWidget>
#include <QTcpServer>

using namespace fremis::console;
using namespace fremis::console::ui;
using fremis::tests::Console;

namespace {

QKeySequence key(const char* text) {
    return QKeySequence(QLatin1String(text));
}

} // namespace

class ShellWindowsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSnapshotIsShownAndCannotBeChanged();
    void aSavedSnapshotGoesThroughAFile();
    void nobodyIsAskedBesideASnapshot();
    void aKeyIsGivenAndKept();
    void aTakenKeyIsRefusedByName();
    void keysGoBackToWhatWasDelivered();
    void aTestOfTheConnectionNamesEachStep();
};

void ShellWindowsTest::aSnapshotIsShownAndCannotBeChanged() {
    Console console;
    QVERIFY(console.connectAndWait());
    const auto recorded = readSnapshotFile(console.session.snapshotFile());
    QVERIFY(recorded);
    console.session.openRecorded(*recorded);
    MainWindow& window = *console.window;
    QVERIFY(window.windowTitle().contains(QStringLiteral("SNAPSHOT")));
    QVERIFY(console.find<QLabel>("status.text")->accessibleName().contains(QStringLiteral("Nothing here is live")));
    QVERIFY(window.lock().isBarred());
    window.lock().toggle();
    QVERIFY(window.lock().isClosed());
    int mutating = 0;
    for (const QString& id : window.pageIds()) {
        window.openPage(id);
        QVERIFY(window.page(id)->strip().contains(QStringLiteral("Nothing here is live")));
    }
    for (const ActionRegistry::Entry& entry : window.actions().entries()) {
        if (entry.spec.effect != Effect::Mutates)
            continue;
        ++mutating;
        QVERIFY2(!entry.action->isEnabled(), qPrintable(entry.spec.id));
        QVERIFY2(window.actions().whyDisabled(entry.spec.id).contains(QStringLiteral("snapshot")),
                 qPrintable(entry.spec.id));
    }
    QVERIFY(mutating >= 4);
    QVERIFY(!window.actions().find(QStringLiteral("view.refresh"))->isEnabled());
    QVERIFY(!window.actions().find(QStringLiteral("config.apply"))->isEnabled());
    QVERIFY(window.actions().find(QStringLiteral("file.close-snapshot"))->isEnabled());
    QCOMPARE(console.session.snapshot()->nodes.size(), 7U);
    console.connectOnly(); // live again
    QTRY_VERIFY(!window.lock().isBarred());
    QVERIFY(!window.windowTitle().contains(QStringLiteral("SNAPSHOT")));
    QVERIFY(!window.actions().find(QStringLiteral("file.close-snapshot"))->isEnabled());
}

void ShellWindowsTest::aSavedSnapshotGoesThroughAFile() {
    Console console;
    QVERIFY(console.connectAndWait());
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("state.fremis-snapshot"));
    console.dialogs.texts.push_back(path);
    console.window->actions().find(QStringLiteral("file.save-snapshot"))->trigger();
    QTRY_VERIFY(QFile::exists(path));
    QString chosen;
    connect(console.window.get(), &MainWindow::snapshotChosen, this, [&chosen](const QString& file) { chosen = file; });
    console.dialogs.texts.push_back(path);
    console.window->actions().find(QStringLiteral("file.snapshot"))->trigger();
    QTRY_COMPARE(chosen, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY(!bytes.contains("test-secret"));
    const auto read = readSnapshotFile(bytes);
    QVERIFY(read);
    QCOMPARE(read->snapshot->counts.nodesOk, 7);
}

void ShellWindowsTest::nobodyIsAskedBesideASnapshot() {
    NoTransport nobody;
    bool answered = false;
    nobody.send({}, this, [&answered](const HttpReply& reply) {
        answered = true;
        QCOMPARE(int(reply.error), int(TransportError::Refused));
    });
    QVERIFY(!answered);
    QTRY_VERIFY(answered);
}

void ShellWindowsTest::aKeyIsGivenAndKept() {
    Console console;
    ActionRegistry& actions = console.window->actions();
    KeysDialog dialog(console.theme, actions, console.window.get());
    dialog.choose(QStringLiteral("view.panel"));
    QVERIFY(dialog.assign(key("Ctrl+Alt+B")).isEmpty());
    QCOMPARE(actions.find(QStringLiteral("view.panel"))->shortcuts(), QList<QKeySequence>{key("Ctrl+Alt+B")});
    auto* table = dialog.findChild<QTableWidget*>(QStringLiteral("shortcuts.table"));
    QVERIFY(table->item(table->currentRow(), 0)->text().startsWith(QStringLiteral("Ctrl+Alt+B")));
    // The next start of the program.
    MainWindow next(console.session, console.theme, console.dialogs);
    QCOMPARE(next.actions().find(QStringLiteral("view.panel"))->shortcuts(), QList<QKeySequence>{key("Ctrl+Alt+B")});
    // A page that comes later keeps off a key that was given away meanwhile.
    dialog.choose(QStringLiteral("view.inspector"));
    QVERIFY(dialog.assign(key("F4")).isEmpty());
    console.window->openPage(QStringLiteral("metrics"));
    QVERIFY(!actions.find(QStringLiteral("metrics.tables"))->shortcuts().contains(key("F4")));
    QCOMPARE(actions.find(QStringLiteral("view.inspector"))->shortcut(), key("F4"));
}

void ShellWindowsTest::aTakenKeyIsRefusedByName() {
    Console console;
    ActionRegistry& actions = console.window->actions();
    KeysDialog dialog(console.theme, actions, console.window.get());
    dialog.choose(QStringLiteral("view.panel"));
    QVERIFY(dialog.assign(key("Ctrl+K")).contains(QStringLiteral("Search or run")));
    QVERIFY(dialog.assign(key("x")).contains(QStringLiteral("letter")));
    QCOMPARE(actions.find(QStringLiteral("view.panel"))->shortcut(), key("Ctrl+J"));
    QVERIFY(actions.chosenKeys().isEmpty());
}

void ShellWindowsTest::keysGoBackToWhatWasDelivered() {
    Console console;
    ActionRegistry& actions = console.window->actions();
    KeysDialog dialog(console.theme, actions, console.window.get());
    dialog.choose(QStringLiteral("view.panel"));
    QVERIFY(dialog.assign({}).isEmpty());
    QVERIFY(actions.find(QStringLiteral("view.panel"))->shortcut().isEmpty());
    dialog.findChild<QPushButton*>(QStringLiteral("shortcuts.reset"))->click();
    QCOMPARE(actions.find(QStringLiteral("view.panel"))->shortcut(), key("Ctrl+J"));
    QVERIFY(dialog.assign(key("Ctrl+Alt+B")).isEmpty());
    dialog.choose(QStringLiteral("view.inspector"));
    QVERIFY(dialog.assign(key("Ctrl+J")).isEmpty()); // free by now
    dialog.findChild<QPushButton*>(QStringLiteral("shortcuts.reset-all"))->click();
    QCOMPARE(actions.find(QStringLiteral("view.panel"))->shortcut(), key("Ctrl+J"));
    QCOMPARE(actions.find(QStringLiteral("view.inspector"))->shortcut(), key("Ctrl+I"));
    QSettings settings;
    settings.beginGroup(QStringLiteral("keys"));
    QVERIFY(settings.allKeys().isEmpty());
}

void ShellWindowsTest::aTestOfTheConnectionNamesEachStep() {
    Theme theme;
    theme.setMode(Theme::Mode::Light);
    Language language;
    language.set(QStringLiteral("en"));
    fremis::base::SystemClock clock;
    NetworkTransport network;
    ClusterClient client(network, clock);
    ConnectionCheck check(client);
    QTcpServer silent; // its port is free again, so nobody listens there
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    const int port = silent.serverPort();
    silent.close();
    Profile profile;
    profile.coordinators = {QUrl(QStringLiteral("http://127.0.0.1:%1").arg(port))};
    ConnectDialog dialog(theme, profile, true, nullptr);
    dialog.watch(check);
    connect(&dialog, &ConnectDialog::testAsked, this, [&check](const Profile& asked) { check.start(asked); });
    dialog.show();
    dialog.findChild<QPushButton*>(QStringLiteral("connect.test"))->click();
    QTRY_VERIFY(!check.isRunning());
    const auto& lines = dialog.findChild<PropertyList*>(QStringLiteral("connect.steps"))->properties();
    QCOMPARE(lines.size(), 5U);
    QVERIFY(lines[0].label.contains(QStringLiteral("127.0.0.1")) && lines[0].value.contains(QStringLiteral("ok")));
    QVERIFY(lines[1].value.contains(QStringLiteral("failed")));
    for (std::size_t step = 2; step < lines.size(); ++step)
        QVERIFY(lines[step].value.contains(QStringLiteral("skipped")));
    dialog.close();
}

FREMIS_GUI_MAIN(ShellWindowsTest)
#include "shell_windows_test.moc"

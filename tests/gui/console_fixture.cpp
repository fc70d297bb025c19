#include "tests/gui/console_fixture.h"

#include <QSettings>

namespace fremis::tests {

using namespace console;
using namespace console::ui;

namespace {

constexpr int kPatienceMs = 20'000;

template<class Fact> bool waitUntil(Fact fact) {
    return QTest::qWaitFor(fact, kPatienceMs);
}

} // namespace

void QueuedDialogs::confirm(QWidget*, const Confirmation& question, std::function<void(bool)> done) {
    asked.push_back({question});
    if (confirmations.empty()) {
        QTest::qFail(qPrintable(QStringLiteral("unexpected question: ") + question.text), __FILE__, __LINE__);
        return;
    }
    const bool yes = confirmations.front();
    confirmations.pop_front();
    QMetaObject::invokeMethod(
        qApp, [done = std::move(done), yes] { done(yes); }, Qt::QueuedConnection);
}

void QueuedDialogs::openFile(QWidget*, const QString&, const QString&, std::function<void(QString)> done) {
    answer(std::move(done));
}

void QueuedDialogs::saveFile(QWidget*, const QString&, const QString&, const QString&,
                             std::function<void(QString)> done) {
    answer(std::move(done));
}

void QueuedDialogs::askText(QWidget*, const QString&, const QString&, const QString&,
                            std::function<void(QString)> done) {
    answer(std::move(done));
}

void QueuedDialogs::answer(std::function<void(QString)> done) {
    if (texts.empty()) {
        QTest::qFail("unexpected question for a file or text", __FILE__, __LINE__);
        return;
    }
    const QString text = texts.front();
    texts.pop_front();
    QMetaObject::invokeMethod(
        qApp, [done = std::move(done), text] { done(text); }, Qt::QueuedConnection);
}

DemoScenario Console::calmScenario() {
    DemoScenario scenario;
    scenario.nodes = 7;
    scenario.replication = 2;
    scenario.vectors = 100'000;
    scenario.enrollmentsPerSecond = 0;
    scenario.singleCopies = false;
    return scenario;
}

Console::Console(DemoScenario scenario)
    : demo(std::move(scenario), clock), profiles(m_folder.filePath(QStringLiteral("profiles.json"))),
      session({demo, clock, secrets, profiles}) {
    QSettings().clear();
    theme.setMode(Theme::Mode::Light);
    theme.setAnimated(false);
    theme.install();
    language.set(QStringLiteral("en"));
    window = std::make_unique<MainWindow>(session, theme, dialogs);
    window->show();
}

Console::~Console() = default;

void Console::connectOnly() {
    Profile profile = demo.profile();
    profile.interval = Milliseconds(500);
    session.open(profile, KeyPair{QStringLiteral("test"), QByteArrayLiteral("test-secret")});
}

bool Console::connectAndWait() {
    connectOnly();
    return waitFor([](const Snapshot& snapshot) {
        return snapshot.config && snapshot.status && snapshot.queue && snapshot.keyspaces && !snapshot.nodes.empty() &&
               std::all_of(snapshot.nodes.begin(), snapshot.nodes.end(),
                           [](const NodeView& node) { return node.vectors() && node.resources; });
    });
}

bool Console::waitFor(const std::function<bool(const Snapshot&)>& fact) {
    return waitUntil([&] { return session.snapshot() && fact(*session.snapshot()); });
}

void Console::fail(const QString& node, DemoFault fault) {
    demo.world().setFault(node, fault);
}

void prepareGuiTest() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setApplicationName(
        QStringLiteral("fremis-n-console-test-%1").arg(QCoreApplication::applicationPid()));
    QCoreApplication::setOrganizationName(QStringLiteral("fremis-n"));
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!.*propagateSizeHints).*$")));
}

} // namespace fremis::tests

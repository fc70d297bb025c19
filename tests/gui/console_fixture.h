#pragma once

#include "console/client/demo_transport.h"
#include "console/ui/shell/chosen_transport.h"
#include "console/ui/shell/dialogs.h"
#include "console/ui/shell/language.h"
#include "console/ui/shell/main_window.h"
#include "console/ui/shell/session.h"
#include "console/ui/shell/theme.h"

#include <QApplication>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <deque>

namespace fremis::tests {

/// Answers each question with the next prepared answer; a question nobody expected fails the test.
class QueuedDialogs final : public console::ui::Dialogs {
public:
    struct Asked {
        console::ui::Confirmation confirmation;
    };
    void confirm(QWidget*, const console::ui::Confirmation& question, std::function<void(bool)> done) override;
    void openFile(QWidget*, const QString&, const QString&, std::function<void(QString)> done) override;
    void saveFile(QWidget*, const QString&, const QString&, const QString&, std::function<void(QString)> done) override;
    void askText(QWidget*, const QString&, const QString&, const QString&, std::function<void(QString)> done) override;

    std::deque<bool> confirmations;
    std::deque<QString> texts; ///< for files and texts
    std::vector<Asked> asked;

private:
    void answer(std::function<void(QString)> done);
};

/// A whole console on a demo cluster, as the program builds it. Thread: GUI.
class Console {
public:
    explicit Console(console::DemoScenario scenario = calmScenario());
    ~Console();
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    /// Seven nodes with two copies of everything; nothing goes wrong.
    [[nodiscard]] static console::DemoScenario calmScenario();

    /// Connects and waits for a snapshot in which every node has told its vectors; false after 20 s.
    [[nodiscard]] bool connectAndWait();
    void connectOnly();
    /// Waits until `fact` holds of the newest snapshot.
    [[nodiscard]] bool waitFor(const std::function<bool(const console::Snapshot&)>& fact);
    void fail(const QString& node, console::DemoFault fault);
    template<class W> W* find(const char* name) { return window->findChild<W*>(QLatin1String(name)); }

private:
    QTemporaryDir m_folder;

public:
    base::SystemClock clock;
    console::ui::Theme theme;
    console::ui::Language language;
    console::DemoTransport demo;
    console::SessionStore secrets;
    console::ProfileStore profiles;
    console::ui::Session session;
    QueuedDialogs dialogs;
    std::unique_ptr<console::ui::MainWindow> window;
};

/// What every GUI test begins with.
void prepareGuiTest();

} // namespace fremis::tests

// Qt itself warns of what an offscreen screen cannot do; everything else fails the test.
#define FREMIS_GUI_MAIN(TestClass)                                                                                     \
    int main(int argc, char** argv) {                                                                                  \
        fremis::tests::prepareGuiTest();                                                                               \
        QApplication application(argc, argv);                                                                          \
        TestClass test;                                                                                                \
        return QTest::qExec(&test, argc, argv);                                                                        \
    }

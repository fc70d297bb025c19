#include "console/ui/inspector/inspector.h"
#include "console/ui/panel/bottom_panel.h"
#include "console/ui/shell/header_bar.h"
#include "console/ui/shell/main_window.h"
#include "console/ui/shell/manual.h"

#include <QApplication>
#include <QLocale>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>

namespace fremis::console::ui {
namespace {

QKeySequence key(const char* text) {
    return QKeySequence(QLatin1String(text));
}

struct MenuTitle {
    Menu menu;
    const char* title;
};
constexpr std::array<MenuTitle, 7> kMenus = {{{Menu::File, QT_TRANSLATE_NOOP("Actions", "&File")},
                                              {Menu::Edit, QT_TRANSLATE_NOOP("Actions", "&Edit")},
                                              {Menu::View, QT_TRANSLATE_NOOP("Actions", "&View")},
                                              {Menu::Cluster, QT_TRANSLATE_NOOP("Actions", "&Cluster")},
                                              {Menu::Plan, QT_TRANSLATE_NOOP("Actions", "&Plan")},
                                              {Menu::Tools, QT_TRANSLATE_NOOP("Actions", "&Tools")},
                                              {Menu::Help, QT_TRANSLATE_NOOP("Actions", "&Help")}}};

} // namespace

void MainWindow::addActions() {
    const auto current = [this] { return page(m_current); };
    m_actions.add({QStringLiteral("file.connect"),
                   QT_TRANSLATE_NOOP("Actions", "&Connect..."),
                   QT_TRANSLATE_NOOP("Actions", "Connect to a coordinator"),
                   QStringLiteral("plug"),
                   {key("Ctrl+O")},
                   Menu::File},
                  [this] { Q_EMIT connectAsked(); });
    m_actions.add({QStringLiteral("file.demo"),
                   QT_TRANSLATE_NOOP("Actions", "Open the &demo cluster"),
                   QT_TRANSLATE_NOOP("Actions", "A cluster that exists in memory only"),
                   QStringLiteral("play"),
                   {},
                   Menu::File},
                  [this] { Q_EMIT demoChosen(); });
    m_actions.add({QStringLiteral("file.demo-real"),
                   QT_TRANSLATE_NOOP("Actions", "Start a demo cluster on this &computer"),
                   QT_TRANSLATE_NOOP("Actions", "Real servers with an empty store, until the console is closed"),
                   QStringLiteral("play"),
                   {},
                   Menu::File},
                  [this] { Q_EMIT realDemoChosen(); });
    m_actions.add({QStringLiteral("file.disconnect"),
                   QT_TRANSLATE_NOOP("Actions", "&Disconnect"),
                   nullptr,
                   QStringLiteral("close"),
                   {},
                   Menu::File},
                  [this] { m_session.close(); });
    m_actions.add({QStringLiteral("file.snapshot"),
                   QT_TRANSLATE_NOOP("Actions", "Open s&napshot..."),
                   QT_TRANSLATE_NOOP("Actions", "Shows the saved state of a cluster; nothing of it can be changed"),
                   QStringLiteral("open"),
                   {key("Ctrl+Shift+O")},
                   Menu::File},
                  [this] { openSnapshotFile(); });
    m_actions.add({QStringLiteral("file.close-snapshot"),
                   QT_TRANSLATE_NOOP("Actions", "C&lose the snapshot"),
                   QT_TRANSLATE_NOOP("Actions", "Back to what was open before"),
                   QStringLiteral("close"),
                   {},
                   Menu::File},
                  [this] { Q_EMIT snapshotClosed(); });
    m_actions.add({QStringLiteral("file.save-snapshot"),
                   QT_TRANSLATE_NOOP("Actions", "&Save a snapshot..."),
                   QT_TRANSLATE_NOOP("Actions", "What is known of the cluster now, without pictures and secrets"),
                   QStringLiteral("export"),
                   {},
                   Menu::File},
                  [this] { saveSnapshotFile(); });
    m_actions.add({QStringLiteral("file.export-csv"),
                   QT_TRANSLATE_NOOP("Actions", "Export as C&SV..."),
                   QT_TRANSLATE_NOOP("Actions", "What the page shows, with its filter and order"),
                   QStringLiteral("export"),
                   {key("Ctrl+E")},
                   Menu::File},
                  [current] { current()->exportCsv(); });
    m_actions.add({QStringLiteral("file.export-png"),
                   QT_TRANSLATE_NOOP("Actions", "Export as &picture..."),
                   nullptr,
                   QStringLiteral("photo"),
                   {key("Ctrl+Shift+E")},
                   Menu::File},
                  [current] { current()->exportPng(); });
    m_actions.add(
        {QStringLiteral("file.quit"), QT_TRANSLATE_NOOP("Actions", "&Quit"), nullptr, {}, {key("Ctrl+Q")}, Menu::File},
        [this] { close(); });
    m_actions.add({QStringLiteral("edit.filter"),
                   QT_TRANSLATE_NOOP("Actions", "&Filter"),
                   nullptr,
                   QStringLiteral("search"),
                   {key("Ctrl+F")},
                   Menu::Edit},
                  [current] { current()->focusFilter(); });
    m_actions.add({QStringLiteral("view.refresh"),
                   QT_TRANSLATE_NOOP("Actions", "&Refresh now"),
                   nullptr,
                   QStringLiteral("refresh"),
                   {key("F5"), key("Ctrl+R")},
                   Menu::View},
                  [this] { m_session.poller().refreshNow(); });
    m_actions.add({QStringLiteral("view.pause"),
                   QT_TRANSLATE_NOOP("Actions", "&Pause refresh"),
                   nullptr,
                   QStringLiteral("pause"),
                   {key("Ctrl+Shift+R")},
                   Menu::View,
                   Effect::Looks,
                   true},
                  [this] { m_session.poller().isPaused() ? m_session.poller().resume() : m_session.poller().pause(); });
    m_actions.add({QStringLiteral("view.inspector"),
                   QT_TRANSLATE_NOOP("Actions", "&Inspector"),
                   nullptr,
                   QStringLiteral("inspector"),
                   {key("Ctrl+I")},
                   Menu::View,
                   Effect::Looks,
                   true},
                  [this] { setInspectorShown(!m_inspector->isVisible()); });
    m_actions.find(QStringLiteral("view.inspector"))->setChecked(true);
    m_actions.add({QStringLiteral("view.panel"),
                   QT_TRANSLATE_NOOP("Actions", "&Bottom panel"),
                   nullptr,
                   QStringLiteral("dock"),
                   {key("Ctrl+J")},
                   Menu::View,
                   Effect::Looks,
                   true},
                  [this] { m_panel->isVisible() ? m_panel->hide() : m_panel->openTab(m_panel->currentTab()); });
    m_actions.add({QStringLiteral("view.back"),
                   QT_TRANSLATE_NOOP("Actions", "Selection &back"),
                   nullptr,
                   {},
                   {key("Alt+Left")},
                   Menu::View},
                  [this] { m_session.selection().goBack(); });
    m_actions.add({QStringLiteral("view.forward"),
                   QT_TRANSLATE_NOOP("Actions", "Selection f&orward"),
                   nullptr,
                   {},
                   {key("Alt+Right")},
                   Menu::View},
                  [this] { m_session.selection().goForward(); });
    m_actions.add({QStringLiteral("view.fullscreen"),
                   QT_TRANSLATE_NOOP("Actions", "F&ull screen"),
                   nullptr,
                   {},
                   {key("F11")},
                   Menu::View,
                   Effect::Looks,
                   true},
                  [this] { isFullScreen() ? showNormal() : showFullScreen(); });
    m_actions.add({QStringLiteral("view.palette"),
                   QT_TRANSLATE_NOOP("Actions", "&Search or run..."),
                   nullptr,
                   QStringLiteral("search"),
                   {key("Ctrl+K"), key("Ctrl+Shift+P")},
                   Menu::Tools},
                  [this] { openPalette(); });
    for (const auto& [id, text, mode] :
         {std::tuple{"view.theme.system", QT_TRANSLATE_NOOP("Actions", "Theme: like the &desktop"),
                     Theme::Mode::System},
          std::tuple{"view.theme.light", QT_TRANSLATE_NOOP("Actions", "Theme: &light"), Theme::Mode::Light},
          std::tuple{"view.theme.dark", QT_TRANSLATE_NOOP("Actions", "Theme: d&ark"), Theme::Mode::Dark}})
        m_actions.add({QLatin1String(id), text, nullptr, {}, {}, Menu::View}, [this, mode = mode] {
            m_theme.setMode(mode);
            QSettings().setValue(QStringLiteral("theme"), int(mode));
        });
    m_actions.add({QStringLiteral("view.language.en"),
                   QT_TRANSLATE_NOOP("Actions", "Language: &English"),
                   nullptr,
                   {},
                   {},
                   Menu::View},
                  [this] { Q_EMIT languageChosen(QStringLiteral("en")); });
    m_actions.add({QStringLiteral("view.language.id"),
                   QT_TRANSLATE_NOOP("Actions", "Language: &Indonesian"),
                   nullptr,
                   {},
                   {},
                   Menu::View},
                  [this] { Q_EMIT languageChosen(QStringLiteral("id")); });
    m_actions.add({QStringLiteral("cluster.lock"),
                   QT_TRANSLATE_NOOP("Actions", "&Read-only"),
                   QT_TRANSLATE_NOOP("Actions", "While it is on, nothing that changes the cluster can be run"),
                   QStringLiteral("lock"),
                   {key("Ctrl+Shift+L")},
                   Menu::Cluster,
                   Effect::Looks,
                   true},
                  [this] { m_lock.toggle(); });
    m_actions.add({QStringLiteral("help.about"),
                   QT_TRANSLATE_NOOP("Actions", "&About FREMIS Console"),
                   nullptr,
                   QStringLiteral("info"),
                   {},
                   Menu::Help},
                  [this] { showAbout(); });
    m_actions.add({QStringLiteral("help.manual"),
                   QT_TRANSLATE_NOOP("Actions", "&Manual"),
                   nullptr,
                   QStringLiteral("help"),
                   {key("F1")},
                   Menu::Help},
                  [this] { manualWindow(QLocale().name().left(2), currentPage(), this)->show(); });
    m_actions.add({QStringLiteral("help.shortcuts"),
                   QT_TRANSLATE_NOOP("Actions", "&Keys..."),
                   QT_TRANSLATE_NOOP("Actions", "Which keys do what, and other keys for it"),
                   QStringLiteral("help"),
                   {},
                   Menu::Help},
                  [this] { showShortcuts(); });
    for (const ActionRegistry::Entry& entry : m_actions.entries())
        addAction(entry.action);
}

void MainWindow::addPageActions() {
    for (const PageEntry& entry : m_entries)
        addAction(m_actions.add(
            {QStringLiteral("page.") + entry.id, entry.title, nullptr, entry.icon, {entry.key}, Menu::View},
            [this, id = entry.id] { openPage(id); }));
}

void MainWindow::addNewActions() {
    for (const ActionRegistry::Entry& entry : m_actions.entries())
        if (!QWidget::actions().contains(entry.action))
            addAction(entry.action);
    buildMenus();
}

void MainWindow::buildMenus() {
    QMenuBar& bar = m_header->menus();
    bar.clear();
    for (const auto& [menu, title] : kMenus) {
        QMenu* made = nullptr;
        for (const ActionRegistry::Entry& entry : m_actions.entries()) {
            if (entry.spec.menu != menu)
                continue;
            if (!made)
                made = bar.addMenu(QCoreApplication::translate("Actions", title));
            made->addAction(entry.action);
        }
        if (made)
            made->setToolTipsVisible(true);
    }
}

void MainWindow::fillProfileMenu() {
    QMenu& menu = m_header->profileMenu();
    menu.clear();
    for (const Profile& profile : m_session.profiles().profiles())
        menu.addAction(profile.name, this, [this, id = profile.id] { Q_EMIT profileChosen(id); });
    if (!menu.isEmpty())
        menu.addSeparator();
    for (const auto* id : {"file.connect", "file.demo", "file.demo-real", "file.disconnect"})
        menu.addAction(m_actions.find(QLatin1String(id)));
}

} // namespace fremis::console::ui

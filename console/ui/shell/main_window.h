#pragma once

#include "console/ui/pages/config/draft_desk.h"
#include "console/ui/pages/page_list.h"
#include "console/ui/shell/lock.h"
#include "console/ui/shell/session.h"

#include <QMainWindow>

#include <map>

class QSplitter;
class QStackedWidget;
class QTimer;

namespace fremis::console::ui {

class BottomPanel;
class ClusterBar;
class HeaderBar;
class InfoBanner;
class Inspector;
class Rail;
class SlideOver;
class StatusStrip;
class Toasts;

/// The window: header, cluster bar, rail, pages, inspector, bottom panel, status line. Pages are made when first shown.
/// Thread: GUI.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// The arguments outlive it.
    MainWindow(Session& session, Theme& theme, Dialogs& dialogs, QWidget* parent = nullptr);
    ~MainWindow() override;

    void openPage(const QString& id);
    [[nodiscard]] QString currentPage() const;
    [[nodiscard]] Page* page(const QString& id); ///< makes it; null: no such page
    [[nodiscard]] QStringList pageIds() const;
    [[nodiscard]] ActionRegistry& actions() { return m_actions; }
    [[nodiscard]] Lock& lock() { return m_lock; }
    [[nodiscard]] DraftDesk& desk() { return m_desk; }
    /// Once a second by itself: ages and what is stale.
    void tick();

    /// False: a strip says that secrets go with the session, and why.
    void showSecretsKept(bool kept, const QString& why);

    /// A toast or card, and a line of the activity.
    void notify(Severity severity, const QString& text, const QString& details);

    void saveLayout();
    void restoreLayout();

Q_SIGNALS:
    void languageChosen(const QString& language); ///< "en", "id"
    void profileChosen(const QString& profileId);
    void demoChosen();
    void realDemoChosen();
    void connectAsked();
    void snapshotChosen(const QString& file);
    void snapshotClosed(); ///< back to what was open before
    void keychainAsked();  ///< try again

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void addActions();
    void addPageActions();
    void addNewActions(); ///< those a page has brought
    void buildMenus();
    void buildLayout();
    void connectParts();
    void fillProfileMenu();
    void openPalette();
    void showAbout();
    void showShortcuts();
    void openSnapshotFile();
    void saveSnapshotFile();
    [[nodiscard]] QString recordedText() const;
    void showSnapshot();
    void refreshStatus();
    void refreshTitle();
    void adaptToWidth();
    void setInspectorShown(bool shown);
    void placeInspector(bool overPage);
    void onOpened();
    void tellAlert(const Alert& alert);
    void tell(Severity severity, const QString& text); ///< what the alerts have noted among the events
    [[nodiscard]] PageContext contextForPages();

    Session& m_session;
    Theme& m_theme;
    Dialogs& m_dialogs;
    ActionRegistry m_actions;
    Lock m_lock;
    DraftDesk m_desk;
    const std::vector<PageEntry> m_entries;
    std::map<QString, Page*> m_pages;
    QString m_current;

    HeaderBar* m_header = nullptr;
    ClusterBar* m_bar = nullptr;
    InfoBanner* m_secretsBanner = nullptr;
    Rail* m_rail = nullptr;
    QStackedWidget* m_stack = nullptr;
    QSplitter* m_across = nullptr;
    QSplitter* m_down = nullptr;
    Inspector* m_inspector = nullptr;
    BottomPanel* m_panel = nullptr;
    StatusStrip* m_status = nullptr;
    Toasts* m_toasts = nullptr;
    QTimer* m_seconds = nullptr;
    SlideOver* m_slideOver = nullptr; ///< holds the inspector of a narrow window
    int m_inspectorWidth = 290;
    bool m_inspectorWanted = true; ///< beside the page, where there is room
};

} // namespace fremis::console::ui

#pragma once

#include "console/client/profile.h"
#include "console/ui/shell/action_registry.h"
#include "console/ui/shell/theme.h"

#include <QWidget>

class QMenu;
class QMenuBar;
class QPushButton;
class QToolButton;

namespace fremis::console::ui {

class Badge;

/// The first line: menus, search, profile, environment, lock; over it the frame line in the profile's colour.
/// Thread: GUI.
class HeaderBar final : public QWidget {
    Q_OBJECT

public:
    HeaderBar(const Theme& theme, ActionRegistry& actions, QWidget* parent = nullptr);
    [[nodiscard]] QMenuBar& menus() { return *m_menus; }
    [[nodiscard]] QMenu& profileMenu() { return *m_profileMenu; }
    /// Nothing: not connected.
    void setProfile(const std::optional<Profile>& profile);
    /// Not empty: what is shown was recorded, and when; the frame is grey.
    void setRecorded(const QString& when);
    void setOpenPlane(bool open); ///< nobody has to authenticate: badge OPEN

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    /// Leaves out words where there is no room for them: first those of the search, then of the lock.
    void fit();
    void shorten(int step);

    const Theme& m_theme;
    ActionRegistry& m_actions;
    std::optional<Profile> m_profile;
    bool m_openPlane = false;
    QString m_recorded;
    QMenuBar* m_menus;
    QPushButton* m_search;
    QToolButton* m_profileButton;
    QMenu* m_profileMenu;
    Badge* m_environment;
    Badge* m_open;
    QToolButton* m_lock;
};

} // namespace fremis::console::ui

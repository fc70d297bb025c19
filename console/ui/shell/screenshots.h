#pragma once

#include "console/ui/shell/main_window.h"

#include <QObject>

namespace fremis::console::ui {

/// Opens every page once, as soon as the cluster has answered; saves pictures where a folder is given. Thread: GUI.
class PageTour final : public QObject {
    Q_OBJECT

public:
    /// `folder` empty: no pictures. `suffix` is part of the files' names: "en-light".
    PageTour(MainWindow& window, Session& session, QString folder, QString suffix, QObject* parent = nullptr);

Q_SIGNALS:
    void finished(bool complete);

private:
    void onSnapshot();
    void next();

    MainWindow& m_window;
    Session& m_session;
    const QString m_folder;
    const QString m_suffix;
    QStringList m_left;
    int m_seen = 0;
    bool m_started = false;
    bool m_complete = true;
};

} // namespace fremis::console::ui

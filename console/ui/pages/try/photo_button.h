#pragma once

#include "console/ui/pages/page.h"

#include <QToolButton>

class QMenu;

namespace fremis::console::ui {

class PhotoView;

/// Photos that the page remembers, in memory only.
struct PhotoMemory {
    QByteArray last;   ///< that was sent last
    bool keep = false; ///< until the program ends, instead of until the page is left
    void forget();
};

/// The ways in which a photo comes into a view, as a menu. Thread: GUI.
class PhotoButton final : public QToolButton {
    Q_OBJECT

public:
    /// The arguments outlive it. `name`: of the button; its actions are named below it.
    PhotoButton(const PageContext& context, PhotoView& view, PhotoMemory& memory, const QString& name);
    void retranslate(const QString& title);
    void open();

Q_SIGNALS:
    void refused(const QString& why);

private:
    void take(const QByteArray& bytes);
    void refresh();
    QAction* add(const char* id);

    const PageContext m_context;
    PhotoView& m_view;
    PhotoMemory& m_memory;
    QMenu* m_menu;
    QMenu* m_samples;
    QAction* m_open;
    QAction* m_paste;
    QAction* m_last;
    QAction* m_clear;
    QAction* m_keep;
};

} // namespace fremis::console::ui

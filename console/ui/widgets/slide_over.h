#pragma once

#include "console/ui/shell/theme.h"

#include <QFrame>
#include <QPointer>

class QToolButton;
class QVBoxLayout;

namespace fremis::console::ui {

/// A side column of a narrow window: it lies over the right edge of `area` instead of taking its room, until it is
/// closed with its button or Esc. Thread: GUI.
class SlideOver final : public QFrame {
    Q_OBJECT

public:
    /// `area` and this have the same parent.
    SlideOver(const Theme& theme, QWidget* area);

    /// Takes `content` out of where it was; give() hands it back.
    void hold(QWidget* content);
    /// The content, without a place; null when it holds none.
    [[nodiscard]] QWidget* give();
    [[nodiscard]] bool isHolding() const { return m_content; }
    void open();
    void dismiss();

Q_SIGNALS:
    void closed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void place();
    void retranslate();

    const Theme& m_theme;
    QWidget* m_area;
    QVBoxLayout* m_layout;
    QToolButton* m_close;
    QWidget* m_content = nullptr;
    QPointer<QWidget> m_before; ///< had the focus
};

} // namespace fremis::console::ui

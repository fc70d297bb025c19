#pragma once

#include "console/ui/shell/theme.h"

#include <QWidget>

class QVBoxLayout;

namespace fremis::console::ui {

/// Messages over the lower right corner: success for 4 s (longer while hovered), errors until closed. Thread: GUI.
class Toasts final : public QWidget {
    Q_OBJECT

public:
    static constexpr int kMost = 4;

    /// Over `parent`, and follows its size.
    Toasts(const Theme& theme, QWidget* parent);
    void add(Severity severity, const QString& text, const QString& details);
    [[nodiscard]] int count() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    const Theme& m_theme;
    QVBoxLayout* m_layout;
};

} // namespace fremis::console::ui

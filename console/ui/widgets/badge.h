#pragma once

#include "console/ui/shell/theme.h"

#include <QWidget>

namespace fremis::console::ui {

/// A small plate with one word: environment, lock, OPEN. Thread: GUI.
class Badge : public QWidget {
    Q_OBJECT

public:
    enum class Look { Tinted, Solid };

    explicit Badge(const Theme& theme, QWidget* parent = nullptr);
    void set(const QString& text, Severity severity, Look look = Look::Tinted);
    /// In a colour of its own, as of a profile.
    void set(const QString& text, const QColor& color);
    [[nodiscard]] QString text() const { return m_text; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void setText(const QString& text);

    const Theme& m_theme;
    QString m_text;
    Severity m_severity = Severity::Info;
    Look m_look = Look::Tinted;
    QColor m_color;
};

} // namespace fremis::console::ui

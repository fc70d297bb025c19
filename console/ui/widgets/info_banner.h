#pragma once

#include "console/ui/shell/theme.h"

#include <QFrame>

class QLabel;
class QToolButton;

namespace fremis::console::ui {

/// A strip above a page's content: icon, one sentence, at most one action. Thread: GUI.
class InfoBanner : public QFrame {
    Q_OBJECT

public:
    explicit InfoBanner(const Theme& theme, QWidget* parent = nullptr);

    /// Plain text: what comes from the cluster may hold markup.
    void show(Severity severity, const QString& text, const QString& details = {});
    void setAction(const QString& text);
    void setCloseable(bool closeable);
    [[nodiscard]] QString text() const;
    [[nodiscard]] Severity severity() const { return m_severity; }

Q_SIGNALS:
    void actionTriggered();
    void closed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void paintIcon();
    void retranslate();

    const Theme& m_theme;
    Severity m_severity = Severity::Info;
    QLabel* m_icon;
    QLabel* m_text;
    QToolButton* m_action;
    QToolButton* m_close;
};

} // namespace fremis::console::ui

#pragma once

#include "console/ui/shell/theme.h"

#include <QWidget>

class QButtonGroup;

namespace fremis::console::ui {

/// A few choices side by side, one of them chosen. Left and Right walk them. Thread: GUI.
class Segmented final : public QWidget {
    Q_OBJECT

public:
    explicit Segmented(const Theme& theme, QWidget* parent = nullptr);
    void addChoice(const QString& id);
    void setText(int choice, const QString& text, const QString& hint = {});
    void setCurrent(int choice);
    [[nodiscard]] int current() const;

Q_SIGNALS:
    void chosen(int choice);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    QButtonGroup* m_group;
};

} // namespace fremis::console::ui

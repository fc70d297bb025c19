#pragma once

#include "console/ui/shell/theme.h"

#include <QPlainTextEdit>

#include <vector>

namespace fremis::console::ui {

/// Plain text of fixed width with line numbers beside it. Tab leaves it. Thread: GUI.
class CodeView : public QPlainTextEdit {
    Q_OBJECT

public:
    /// A line with a background of its own, and a sign beside its number.
    struct Mark {
        int line = 0; ///< from 0
        QColor background;
        QString sign; ///< "+", "-"; the tint alone would tell by colour only
    };

    explicit CodeView(const Theme& theme, QWidget* parent = nullptr);

    /// Number of each line, 0 for none; empty: 1, 2, 3...
    void setNumbers(std::vector<int> numbers);
    void setMarks(std::vector<Mark> marks);
    /// Lines with a dot of that severity beside them, by line from 0.
    void setDots(std::vector<std::pair<int, Severity>> dots);
    [[nodiscard]] const Theme& theme() const { return m_theme; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    class Gutter;
    void paintGutter(const QRect& rect);
    void placeGutter();
    void drawFocusRing();
    [[nodiscard]] int gutterWidth() const;
    [[nodiscard]] int numberOf(int line) const;
    [[nodiscard]] const Mark* markAt(int line) const;

    const Theme& m_theme;
    Gutter* m_gutter;
    std::vector<int> m_numbers;
    std::vector<Mark> m_marks;
    std::vector<std::pair<int, Severity>> m_dots;
};

} // namespace fremis::console::ui

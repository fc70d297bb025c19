#pragma once

#include "console/client/text_diff.h"
#include "console/ui/shell/theme.h"

#include <QWidget>

class QLabel;

namespace fremis::console::ui {

class CodeView;

/// Two texts side by side, line by line, scrolled together. Thread: GUI.
class DiffView final : public QWidget {
    Q_OBJECT

public:
    /// `name` becomes its object name, its two sides are `name`.before and `name`.after.
    DiffView(const Theme& theme, const QString& name, QWidget* parent = nullptr);

    /// Titles over the two sides.
    void setTitles(const QString& before, const QString& after);
    void setDiff(const std::vector<DiffLine>& lines);
    [[nodiscard]] int removed() const { return m_removed; }
    [[nodiscard]] int added() const { return m_added; }
    /// The first changed line is in sight.
    void showFirstChange();

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Side {
        QLabel* title;
        CodeView* text;
    };
    void fill();
    void retranslate();

    const Theme& m_theme;
    Side m_before;
    Side m_after;
    std::vector<DiffLine> m_lines;
    int m_removed = 0;
    int m_added = 0;
    int m_firstChange = 0;
};

} // namespace fremis::console::ui

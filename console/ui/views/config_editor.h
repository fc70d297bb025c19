#pragma once

#include "console/ui/views/code_view.h"
#include "shared/routing/problem.h"

#include <QByteArray>

namespace fremis::console::ui {

class YamlHighlighter;

/// A config.yml as text: highlighted, with a wave under each problem. What the operator types leaves as whole sources
/// in which every other byte is as it was. Undo and redo are left to whoever holds the draft. Thread: GUI.
class ConfigEditor final : public CodeView {
    Q_OBJECT

public:
    explicit ConfigEditor(const Theme& theme, QWidget* parent = nullptr);

    /// Cursor and scroll position stay where the text allows. Sources that are no UTF-8 are shown but cannot be edited.
    void setSource(const QByteArray& source);
    [[nodiscard]] const QByteArray& source() const { return m_source; }
    void setProblems(const std::vector<routing::Problem>& problems);
    /// Line and column from 1.
    void goTo(int line, int column);
    /// What the problems of a line (from 1) say; empty: none.
    [[nodiscard]] QString messagesAt(int line) const;

Q_SIGNALS:
    void edited(const QByteArray& source);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void takeEdit();
    void underline();
    [[nodiscard]] QTextCursor spanOf(const routing::Problem& problem) const;

    YamlHighlighter* m_highlighter;
    QByteArray m_source;
    QString m_shown;
    std::vector<routing::Problem> m_problems;
    bool m_setting = false;
};

} // namespace fremis::console::ui

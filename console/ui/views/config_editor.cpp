#include "console/ui/views/config_editor.h"

#include "console/client/editor_text.h"
#include "console/models/routing_words.h"
#include "console/ui/views/yaml_highlighter.h"

#include <QHelpEvent>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolTip>

#include <algorithm>

namespace fremis::console::ui {
namespace {

Severity shownSeverity(routing::Severity severity) {
    return severity == routing::Severity::Error     ? Severity::Critical
           : severity == routing::Severity::Warning ? Severity::Warning
                                                    : Severity::Info;
}

bool isUndoKey(const QKeyEvent& event) {
    return event.matches(QKeySequence::Undo) || event.matches(QKeySequence::Redo);
}

} // namespace

ConfigEditor::ConfigEditor(const Theme& theme, QWidget* parent)
    : CodeView(theme, parent), m_highlighter(new YamlHighlighter(theme, document())) {
    connect(this, &QPlainTextEdit::textChanged, this, &ConfigEditor::takeEdit);
    connect(&theme, &Theme::changed, this, &ConfigEditor::underline);
}

void ConfigEditor::setSource(const QByteArray& source) {
    if (source == m_source && !m_shown.isNull())
        return;
    m_source = source;
    const EditorText shown = editorText(source);
    setReadOnly(!shown.isExact);
    if (shown.text == m_shown)
        return;
    m_shown = shown.text.isNull() ? QStringLiteral("") : shown.text;
    const int position = textCursor().position();
    const int scrolled = verticalScrollBar()->value();
    m_setting = true;
    setPlainText(m_shown);
    m_setting = false;
    QTextCursor cursor = textCursor();
    cursor.setPosition(std::min(position, int(m_shown.size())));
    setTextCursor(cursor);
    verticalScrollBar()->setValue(scrolled);
    underline();
}

void ConfigEditor::takeEdit() {
    if (m_setting)
        return;
    QString now = document()->toRawText();
    now.replace(QChar::ParagraphSeparator, QLatin1Char('\n'));
    if (now == m_shown)
        return;
    m_source = sourceAfterEdit(m_source, m_shown, now);
    m_shown = now;
    Q_EMIT edited(m_source);
}

void ConfigEditor::setProblems(const std::vector<routing::Problem>& problems) {
    m_problems = problems;
    underline();
}

QTextCursor ConfigEditor::spanOf(const routing::Problem& problem) const {
    const QTextBlock block = document()->findBlockByNumber(problem.line - 1);
    QTextCursor cursor(block);
    const QString text = block.text();
    int from = std::clamp(problem.column - 1, 0, int(text.size()));
    int to = from;
    while (to < text.size() && !text[to].isSpace() && text[to] != QLatin1Char(','))
        ++to;
    if (to == from) { // nothing there: the whole line
        from = 0;
        to = int(text.size());
    }
    cursor.setPosition(block.position() + from);
    cursor.setPosition(block.position() + to, QTextCursor::KeepAnchor);
    return cursor;
}

void ConfigEditor::underline() {
    QList<QTextEdit::ExtraSelection> waves;
    std::vector<std::pair<int, Severity>> dots;
    for (const routing::Problem& problem : m_problems) {
        if (problem.line < 1 || problem.line > blockCount())
            continue;
        QTextEdit::ExtraSelection wave;
        wave.cursor = spanOf(problem);
        wave.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        wave.format.setUnderlineColor(theme().severity(shownSeverity(problem.severity)));
        waves.append(wave);
        const int line = problem.line - 1;
        if (std::none_of(dots.begin(), dots.end(), [line](const auto& dot) { return dot.first == line; }))
            dots.emplace_back(line, shownSeverity(problem.severity)); // errors come first
    }
    setExtraSelections(waves);
    setDots(std::move(dots));
}

void ConfigEditor::goTo(int line, int column) {
    const QTextBlock block = document()->findBlockByNumber(std::clamp(line, 1, blockCount()) - 1);
    QTextCursor cursor(block);
    cursor.setPosition(block.position() + std::clamp(column - 1, 0, int(block.length()) - 1));
    setTextCursor(cursor);
    centerCursor();
}

QString ConfigEditor::messagesAt(int line) const {
    QStringList messages;
    for (const routing::Problem& problem : m_problems)
        if (problem.line == line)
            messages.append(QStringLiteral("%1: %2").arg(QString::fromStdString(std::string(idOf(problem.rule))),
                                                         sentenceOf(problem.wording)));
    return messages.join(QLatin1Char('\n'));
}

bool ConfigEditor::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && isUndoKey(*static_cast<QKeyEvent*>(event))) {
        event->ignore(); // the draft's own undo has the key
        return true;
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QPoint at = viewport()->mapFromGlobal(help->globalPos());
        QToolTip::showText(help->globalPos(), messagesAt(cursorForPosition(at).blockNumber() + 1).toHtmlEscaped(),
                           this);
        return true;
    }
    return CodeView::event(event);
}

void ConfigEditor::keyPressEvent(QKeyEvent* event) {
    if (isUndoKey(*event))
        event->ignore();
    else
        CodeView::keyPressEvent(event);
}

} // namespace fremis::console::ui

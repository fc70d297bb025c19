#include "console/ui/views/diff_view.h"

#include "console/ui/views/code_view.h"
#include "console/ui/views/yaml_highlighter.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QScrollBar>
#include <QTextBlock>

#include <algorithm>

namespace fremis::console::ui {
namespace {

/// One column of the diff, padded so that equal lines stand beside each other.
struct DiffColumn {
    QStringList lines;
    std::vector<int> numbers;
    std::vector<CodeView::Mark> marks;

    void add(const QString& text, int number) {
        lines.append(text);
        numbers.push_back(number);
    }
    void mark(const QColor& color, const QString& sign) { marks.push_back({int(lines.size()) - 1, color, sign}); }
};

void padTo(DiffColumn& column, qsizetype rows, const QColor& color) {
    while (column.lines.size() < rows) {
        column.add({}, 0);
        column.mark(color, {});
    }
}

void showIn(CodeView& view, DiffColumn column) {
    view.setNumbers(std::move(column.numbers));
    view.setPlainText(column.lines.join(QLatin1Char('\n')));
    view.setMarks(std::move(column.marks));
}

} // namespace

DiffView::DiffView(const Theme& theme, const QString& name, QWidget* parent)
    : QWidget(parent),
      m_theme(theme), m_before{new QLabel(this), new CodeView(theme, this)}, m_after{new QLabel(this),
                                                                                     new CodeView(theme, this)} {
    setObjectName(name);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(1);
    grid->setVerticalSpacing(space::kTiny);
    int column = 0;
    for (const Side& side : {m_before, m_after}) {
        side.text->setReadOnly(true);
        side.text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        side.title->setTextFormat(Qt::PlainText);
        side.title->setIndent(space::kSmall);
        new YamlHighlighter(theme, side.text->document());
        grid->addWidget(side.title, 0, column);
        grid->addWidget(side.text, 1, column);
        grid->setColumnStretch(column++, 1);
    }
    m_before.text->setObjectName(name + QStringLiteral(".before"));
    m_after.text->setObjectName(name + QStringLiteral(".after"));
    const auto together = [](QScrollBar* one, QScrollBar* other) {
        connect(one, &QScrollBar::valueChanged, other, &QScrollBar::setValue);
        connect(other, &QScrollBar::valueChanged, one, &QScrollBar::setValue);
    };
    together(m_before.text->verticalScrollBar(), m_after.text->verticalScrollBar());
    together(m_before.text->horizontalScrollBar(), m_after.text->horizontalScrollBar());
    connect(&theme, &Theme::changed, this, &DiffView::fill);
    retranslate();
}

void DiffView::setTitles(const QString& before, const QString& after) {
    m_before.title->setText(before);
    m_after.title->setText(after);
}

void DiffView::setDiff(const std::vector<DiffLine>& lines) {
    if (lines == m_lines)
        return;
    m_lines = lines;
    fill();
}

// Removed lines stand beside the added ones that take their place.
void DiffView::fill() {
    const QColor gone = m_theme.tint(Severity::Critical);
    const QColor fresh = m_theme.tint(Severity::Ok);
    const QColor none = m_theme.colors().raised;
    DiffColumn before;
    DiffColumn after;
    m_removed = m_added = 0;
    m_firstChange = -1;
    for (const DiffLine& line : m_lines) {
        if (line.kind == DiffLine::Kind::Same) {
            const qsizetype rows = std::max(before.lines.size(), after.lines.size());
            padTo(before, rows, none);
            padTo(after, rows, none);
            before.add(line.text, line.before);
            after.add(line.text, line.after);
            continue;
        }
        if (m_firstChange < 0)
            m_firstChange = int(before.lines.size());
        if (line.kind == DiffLine::Kind::Removed) {
            before.add(line.text, line.before);
            before.mark(gone, QStringLiteral("-"));
            ++m_removed;
        } else {
            after.add(line.text, line.after);
            after.mark(fresh, QStringLiteral("+"));
            ++m_added;
        }
    }
    const qsizetype rows = std::max(before.lines.size(), after.lines.size());
    padTo(before, rows, none);
    padTo(after, rows, none);
    showIn(*m_before.text, std::move(before));
    showIn(*m_after.text, std::move(after));
}

void DiffView::showFirstChange() {
    const int line = std::max(0, m_firstChange - 3);
    m_after.text->verticalScrollBar()->setValue(line);
}

void DiffView::retranslate() {
    m_before.text->setAccessibleName(tr("Text before"));
    m_after.text->setAccessibleName(tr("Text after"));
}

void DiffView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace fremis::console::ui

#include "console/ui/views/code_view.h"

#include <QFontDatabase>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>

#include <algorithm>

namespace fremis::console::ui {

/// The strip left of the text.
class CodeView::Gutter final : public QWidget {
public:
    explicit Gutter(CodeView* view) : QWidget(view), m_view(view) {}

protected:
    void paintEvent(QPaintEvent* event) override { m_view->paintGutter(event->rect()); }

private:
    CodeView* m_view;
};

CodeView::CodeView(const Theme& theme, QWidget* parent)
    : QPlainTextEdit(parent), m_theme(theme), m_gutter(new Gutter(this)) {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QPlainTextEdit::font().pointSizeF());
    setFont(font);
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
    document()->setDocumentMargin(space::kTiny);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeView::placeGutter);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        if (dy != 0)
            m_gutter->scroll(0, dy);
        else
            m_gutter->update(0, rect.y(), m_gutter->width(), rect.height());
    });
    connect(&theme, &Theme::changed, this, [this] {
        m_gutter->update();
        viewport()->update();
    });
    placeGutter();
}

void CodeView::setNumbers(std::vector<int> numbers) {
    m_numbers = std::move(numbers);
    placeGutter();
    m_gutter->update();
}

void CodeView::setMarks(std::vector<Mark> marks) {
    m_marks = std::move(marks);
    m_gutter->update();
    viewport()->update();
}

void CodeView::setDots(std::vector<std::pair<int, Severity>> dots) {
    m_dots = std::move(dots);
    m_gutter->update();
}

int CodeView::numberOf(int line) const {
    if (m_numbers.empty())
        return line + 1;
    return std::size_t(line) < m_numbers.size() ? m_numbers[std::size_t(line)] : 0;
}

const CodeView::Mark* CodeView::markAt(int line) const {
    const auto found =
        std::find_if(m_marks.begin(), m_marks.end(), [line](const Mark& mark) { return mark.line == line; });
    return found == m_marks.end() ? nullptr : &*found;
}

int CodeView::gutterWidth() const {
    const int most = m_numbers.empty() ? blockCount() : *std::max_element(m_numbers.begin(), m_numbers.end());
    const int digits = std::max(2, int(QString::number(most).size()));
    return digits * fontMetrics().horizontalAdvance(QLatin1Char('9')) + 3 * space::kSmall;
}

void CodeView::placeGutter() {
    const int width = gutterWidth();
    setViewportMargins(width, 0, 0, 0);
    const QRect area = contentsRect();
    m_gutter->setGeometry(area.left(), area.top(), width, area.height());
}

void CodeView::paintGutter(const QRect& rect) {
    const ThemeColors& c = m_theme.colors();
    QPainter painter(m_gutter);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect, c.raised);
    painter.setFont(font());
    const int width = m_gutter->width();
    const int height = fontMetrics().height();
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    for (; block.isValid() && top <= rect.bottom(); block = block.next()) {
        const double lineHeight = blockBoundingRect(block).height();
        const int line = block.blockNumber();
        const Mark* mark = markAt(line);
        if (mark)
            painter.fillRect(QRectF(0, top, width, lineHeight), mark->background);
        const bool isCurrent = !isReadOnly() && line == textCursor().blockNumber();
        painter.setPen(isCurrent || mark ? c.text : c.muted);
        if (const int number = numberOf(line); number > 0)
            painter.drawText(QRectF(0, top, width - space::kSmall, height), Qt::AlignRight, QString::number(number));
        if (mark)
            painter.drawText(QRectF(space::kTiny, top, space::kMedium, height), Qt::AlignLeft, mark->sign);
        for (const auto& [at, severity] : m_dots) {
            if (at != line)
                continue;
            painter.setPen(Qt::NoPen);
            painter.setBrush(m_theme.severity(severity));
            painter.drawEllipse(QPointF(space::kSmall, top + lineHeight / 2), 3.5, 3.5);
        }
        top += lineHeight;
    }
}

void CodeView::paintEvent(QPaintEvent* event) {
    {
        QPainter painter(viewport());
        QTextBlock block = firstVisibleBlock();
        for (; block.isValid(); block = block.next()) {
            const QRectF rect = blockBoundingGeometry(block).translated(contentOffset());
            if (rect.top() > viewport()->height())
                break;
            const QRectF whole(0, rect.top(), viewport()->width(), rect.height());
            if (const Mark* mark = markAt(block.blockNumber()))
                painter.fillRect(whole, mark->background);
            else if (!isReadOnly() && hasFocus() && block == textCursor().block())
                painter.fillRect(whole, m_theme.colors().raised);
        }
    }
    QPlainTextEdit::paintEvent(event);
    if (hasFocus())
        drawFocusRing();
}

void CodeView::drawFocusRing() {
    QPainter painter(viewport());
    painter.setPen(QPen(m_theme.colors().accent, 2));
    painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
}

void CodeView::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    placeGutter();
}

void CodeView::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        placeGutter();
}

} // namespace fremis::console::ui

#include "console/ui/views/yaml_highlighter.h"

#include <QRegularExpression>

namespace fremis::console::ui {
namespace {

/// Where a comment begins: at # after a blank or at the start, outside quotes; the length when there is none.
qsizetype commentStart(const QString& text) {
    QChar quote;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const QChar c = text[at];
        if (!quote.isNull()) {
            if (c == quote)
                quote = {};
        } else if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
            quote = c;
        } else if (c == QLatin1Char('#') && (at == 0 || text[at - 1].isSpace())) {
            return at;
        }
    }
    return text.size();
}

} // namespace

YamlHighlighter::YamlHighlighter(const Theme& theme, QTextDocument* document)
    : QSyntaxHighlighter(document), m_theme(theme) {
    connect(&theme, &Theme::changed, this, &YamlHighlighter::rehighlight);
}

void YamlHighlighter::highlightBlock(const QString& text) {
    static const QRegularExpression kKey(QStringLiteral("[A-Za-z_][A-Za-z0-9_]*(?=\\s*:(\\s|$))"));
    static const QRegularExpression kNumber(QStringLiteral("(?<=[:\\s])\\d+(\\.\\d+)?(?=[\\s,}]|$)"));
    static const QRegularExpression kText(QStringLiteral("\"[^\"]*\"|'[^']*'"));
    const ThemeColors& c = m_theme.colors();
    const qsizetype comment = commentStart(text);
    const auto paint = [&](const QRegularExpression& pattern, const QColor& ink) {
        for (auto match = pattern.globalMatch(text); match.hasNext();)
            if (const auto found = match.next(); found.capturedStart() < comment)
                setFormat(int(found.capturedStart()), int(found.capturedLength()), ink);
    };
    paint(kKey, c.accent);
    paint(kNumber, c.warning);
    paint(kText, c.ok);
    setFormat(int(comment), int(text.size() - comment), c.muted);
}

} // namespace fremis::console::ui

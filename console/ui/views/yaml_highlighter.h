#pragma once

#include "console/ui/shell/theme.h"

#include <QSyntaxHighlighter>

namespace fremis::console::ui {

/// Keys, numbers, quoted texts and comments of a config.yml in ink of their own. Thread: GUI.
class YamlHighlighter final : public QSyntaxHighlighter {
    Q_OBJECT

public:
    YamlHighlighter(const Theme& theme, QTextDocument* document);

protected:
    void highlightBlock(const QString& text) override;

private:
    const Theme& m_theme;
};

} // namespace fremis::console::ui

#include "console/ui/widgets/age_label.h"

#include "console/ui/widgets/format.h"

#include <QEvent>

namespace fremis::console::ui {

AgeLabel::AgeLabel(const Theme& theme, QWidget* parent) : QLabel(parent), m_theme(theme) {
    setTextFormat(Qt::PlainText);
    connect(&theme, &Theme::changed, this, &AgeLabel::refresh);
    refresh();
}

void AgeLabel::setAge(std::optional<std::chrono::milliseconds> age, std::chrono::milliseconds staleAfter) {
    m_age = age;
    m_stale = age && *age > staleAfter;
    refresh();
}

void AgeLabel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        setMinimumWidth(0);
        refresh();
    }
    QLabel::changeEvent(event);
}

void AgeLabel::refresh() {
    const ThemeColors& c = m_theme.colors();
    setInk(*this, m_stale ? c.warning : (m_age ? c.muted : c.unknown));
    setText(m_age ? ageText(*m_age) : tr("no data yet"));
    setMinimumWidth(std::max(minimumWidth(), sizeHint().width())); // what is beside it stays where it is
}

} // namespace fremis::console::ui

#include "console/ui/pages/config/epoch_strip.h"

#include "console/ui/widgets/flow_layout.h"

#include <QHBoxLayout>
#include <QLabel>

namespace fremis::console::ui {

EpochStrip::EpochStrip(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    auto* layout = new FlowLayout(this, space::kLarge);
    layout->setContentsMargins(space::kLarge, 0, space::kMedium, space::kTiny);
    const std::array<const char*, 3> names{"config.epoch.file", "config.epoch.running", "config.epoch.draft"};
    for (std::size_t part = 0; part < m_parts.size(); ++part) {
        m_parts[part] = {new QLabel(this), new QLabel(this)};
        m_parts[part].title->setForegroundRole(QPalette::PlaceholderText);
        m_parts[part].value->setObjectName(QLatin1String(names[part]));
        auto* holder = new QWidget(this); // a title and its value stay on one line
        auto* pair = new QHBoxLayout(holder);
        pair->setContentsMargins(0, 0, 0, 0);
        pair->setSpacing(space::kTiny);
        for (QLabel* label : {m_parts[part].title, m_parts[part].value}) {
            label->setTextFormat(Qt::PlainText);
            pair->addWidget(label);
        }
        layout->addWidget(holder);
    }
    connect(&theme, &Theme::changed, this, &EpochStrip::refresh);
}

void EpochStrip::set(const Epochs& epochs) {
    if (epochs == m_epochs)
        return;
    m_epochs = epochs;
    refresh();
}

void EpochStrip::show(const Part& part, const QString& value, std::optional<Severity> severity, const QString& hint) {
    setInk(*part.value, severity ? m_theme.severity(*severity) : m_theme.colors().text);
    part.value->setText(value);
    part.value->setAccessibleName(part.title->text() + QLatin1Char(' ') + value);
    part.value->setToolTip(hint);
}

void EpochStrip::refresh() {
    const auto known = [](const QString& epoch) { return epoch.isEmpty() ? tr("unknown", "epoch") : epoch.left(8); };
    const auto& e = m_epochs;
    const bool differs = !e.file.isEmpty() && !e.running.isEmpty() && e.file != e.running;
    const auto ofFile = e.file.isEmpty() ? std::optional(Severity::Unknown) : std::nullopt;
    const auto ofRunning = e.running.isEmpty() ? std::optional(Severity::Unknown) : std::nullopt;
    show(m_parts[0], known(e.file), differs ? std::optional(Severity::Warning) : ofFile,
         e.file.isEmpty() ? tr("Only the coordinator sees its file.") : e.file);
    show(m_parts[1], known(e.running), differs ? std::optional(Severity::Warning) : ofRunning,
         e.running.isEmpty() ? tr("No coordinator has told its map.") : e.running);
    QString draft = e.draft.isEmpty() ? tr("has errors", "draft") : e.draft.left(8);
    if (e.changes > 0)
        draft += QStringLiteral(" · ") + tr("%n change(s)", "", e.changes);
    const auto ofDraft = e.draft.isEmpty() ? std::optional(Severity::Critical)
                         : e.changes > 0   ? std::optional(Severity::Info)
                                           : std::nullopt;
    show(m_parts[2], draft, ofDraft, e.source);
}

void EpochStrip::retranslate() {
    m_parts[0].title->setText(tr("File", "epoch"));
    m_parts[1].title->setText(tr("Running", "epoch"));
    m_parts[2].title->setText(tr("Draft", "epoch"));
    refresh();
}

} // namespace fremis::console::ui

#include "console/ui/shell/action_registry.h"

#include "console/ui/shell/icons.h"

#include <QCoreApplication>

namespace fremis::console::ui {
namespace {

QString translated(const char* text) {
    return text ? QCoreApplication::translate("Actions", text) : QString();
}

} // namespace

QAction* ActionRegistry::add(ActionSpec spec, std::function<void()> triggered) {
    Q_ASSERT_X(!find(spec.id), "ActionRegistry::add", qPrintable(spec.id));
    auto* action = new QAction(this);
    action->setObjectName(spec.id);
    action->setShortcuts(spec.keys);
    action->setCheckable(spec.checkable);
    if (!spec.icon.isEmpty())
        action->setIcon(icon(spec.icon));
    if (triggered)
        connect(action, &QAction::triggered, this, [run = std::move(triggered)] { run(); });
    m_entries.push_back({std::move(spec), action, true, {}});
    refresh(m_entries.back());
    return action;
}

QAction* ActionRegistry::find(const QString& id) const {
    const Entry* entry = entryOf(id);
    return entry ? entry->action : nullptr;
}

void ActionRegistry::setAvailable(const QString& id, bool available, const QString& reason) {
    Entry* entry = entryOf(id);
    if (!entry)
        return;
    entry->available = available;
    entry->unavailableReason = available ? QString() : reason;
    refresh(*entry);
}

void ActionRegistry::setLocked(bool locked, const QString& reason) {
    const bool changes = m_locked != locked;
    m_locked = locked;
    m_lockReason = reason;
    for (Entry& entry : m_entries)
        refresh(entry);
    if (changes)
        Q_EMIT lockChanged(locked);
}

QString ActionRegistry::whyDisabled(const QString& id) const {
    const Entry* entry = entryOf(id);
    if (!entry)
        return {};
    if (m_locked && entry->spec.effect == Effect::Mutates)
        return m_lockReason;
    return entry->unavailableReason;
}

QString ActionRegistry::rebind(const QString& id, const QList<QKeySequence>& keys) {
    Entry* entry = entryOf(id);
    if (!entry)
        return {};
    for (const Entry& other : m_entries) {
        if (other.spec.id == id)
            continue;
        for (const QKeySequence& key : keys)
            if (!key.isEmpty() && other.action->shortcuts().contains(key))
                return other.spec.id;
    }
    entry->action->setShortcuts(keys);
    refresh(*entry);
    return {};
}

void ActionRegistry::retranslate() {
    for (Entry& entry : m_entries)
        refresh(entry);
}

void ActionRegistry::refresh(Entry& entry) {
    const QString disabled = whyDisabled(entry.spec.id);
    entry.action->setText(translated(entry.spec.text));
    entry.action->setEnabled(entry.available && !(m_locked && entry.spec.effect == Effect::Mutates));
    QString hint = entry.spec.hint ? translated(entry.spec.hint) : entry.action->text().remove(QLatin1Char('&'));
    if (const QKeySequence key = entry.action->shortcut(); !key.isEmpty())
        hint += QStringLiteral(" (%1)").arg(key.toString(QKeySequence::NativeText));
    if (!disabled.isEmpty())
        hint += QLatin1Char('\n') + disabled;
    entry.action->setToolTip(hint);
    entry.action->setStatusTip(hint);
}

ActionRegistry::Entry* ActionRegistry::entryOf(const QString& id) {
    const auto found =
        std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& e) { return e.spec.id == id; });
    return found == m_entries.end() ? nullptr : &*found;
}

const ActionRegistry::Entry* ActionRegistry::entryOf(const QString& id) const {
    return const_cast<ActionRegistry*>(this)->entryOf(id);
}

} // namespace fremis::console::ui

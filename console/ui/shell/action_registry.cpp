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
    action->setShortcuts(freeKeys(spec.id, m_chosen.value(spec.id, spec.keys)));
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
    if (const QString holder = holderOf(keys, id); !holder.isEmpty())
        return holder;
    entry->action->setShortcuts(keys);
    if (keys == entry->spec.keys)
        m_chosen.remove(id);
    else
        m_chosen.insert(id, keys);
    refresh(*entry);
    Q_EMIT keysChanged();
    return {};
}

QString ActionRegistry::holderOf(const QList<QKeySequence>& keys, const QString& except) const {
    for (const Entry& other : m_entries)
        for (const QKeySequence& key : keys)
            if (other.spec.id != except && !key.isEmpty() && other.action->shortcuts().contains(key))
                return other.spec.id;
    return {};
}

QList<QKeySequence> ActionRegistry::freeKeys(const QString& id, const QList<QKeySequence>& wanted) const {
    QList<QKeySequence> keys;
    for (const QKeySequence& key : wanted)
        if (holderOf({key}, id).isEmpty())
            keys.append(key);
    return keys;
}

void ActionRegistry::setChosenKeys(const QHash<QString, QList<QKeySequence>>& keys) {
    m_chosen = keys;
    // First all lose theirs, so that two actions can change places.
    for (Entry& entry : m_entries)
        entry.action->setShortcuts(QList<QKeySequence>());
    for (const bool chosen : {true, false})
        for (Entry& entry : m_entries)
            if (m_chosen.contains(entry.spec.id) == chosen)
                entry.action->setShortcuts(freeKeys(entry.spec.id, m_chosen.value(entry.spec.id, entry.spec.keys)));
    for (Entry& entry : m_entries)
        refresh(entry);
    Q_EMIT keysChanged();
}

QString ActionRegistry::resetKeys(const QString& id) {
    const Entry* entry = entryOf(id);
    return entry ? rebind(id, entry->spec.keys) : QString();
}

void ActionRegistry::resetAllKeys() {
    setChosenKeys({});
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

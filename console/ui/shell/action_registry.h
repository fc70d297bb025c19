#pragma once

#include <QAction>
#include <QHash>
#include <QKeySequence>
#include <QObject>
#include <QString>

#include <functional>
#include <vector>

namespace fremis::console::ui {

/// Whether an action changes the cluster or a file. A closed lock disables those that do.
enum class Effect { Looks, Mutates };
/// Where an action stands in the menu bar; None: palette and pages only.
enum class Menu { None, File, Edit, View, Cluster, Plan, Tools, Help };

struct ActionSpec {
    QString id;                 ///< dotted, stable: settings and tests name it
    const char* text = nullptr; ///< QT_TRANSLATE_NOOP("Actions", ...)
    const char* hint = nullptr; ///< one sentence, same context; may be null
    QString icon;               ///< name in resources/icons, may be empty
    QList<QKeySequence> keys = {};
    Menu menu = Menu::None;
    Effect effect = Effect::Looks;
    bool checkable = false;
};

/// Every QAction of the console. Menus, palette, lock and the test that no write is unguarded read it. Thread: GUI.
class ActionRegistry : public QObject {
    Q_OBJECT

public:
    struct Entry {
        ActionSpec spec;
        QAction* action = nullptr;
        bool available = true;
        QString unavailableReason;
    };

    using QObject::QObject;

    /// `spec.id` is new. The action is disabled while it is unavailable, or mutates and the lock is closed.
    QAction* add(ActionSpec spec, std::function<void()> triggered = {});
    /// Null when there is none.
    [[nodiscard]] QAction* find(const QString& id) const;
    [[nodiscard]] const std::vector<Entry>& entries() const { return m_entries; }

    void setAvailable(const QString& id, bool available, const QString& reason = {});
    void setLocked(bool locked, const QString& reason);
    [[nodiscard]] bool isLocked() const { return m_locked; }
    /// Why it cannot be used now; empty when it can.
    [[nodiscard]] QString whyDisabled(const QString& id) const;

    /// Gives an action other keys. Returns the id of the action that has one of them already, and then changes nothing.
    [[nodiscard]] QString rebind(const QString& id, const QList<QKeySequence>& keys);
    /// Keys that a user has chosen, by id, also of actions that are added later. What another action took over by it
    /// loses that key.
    void setChosenKeys(const QHash<QString, QList<QKeySequence>>& keys);
    [[nodiscard]] const QHash<QString, QList<QKeySequence>>& chosenKeys() const { return m_chosen; }
    /// Back to the keys the action was made with. Returns what rebind() would.
    [[nodiscard]] QString resetKeys(const QString& id);
    void resetAllKeys();
    /// Texts again, after a change of language.
    void retranslate();

Q_SIGNALS:
    void lockChanged(bool locked);
    void keysChanged();

private:
    void refresh(Entry& entry);
    [[nodiscard]] QString holderOf(const QList<QKeySequence>& keys, const QString& except) const;
    [[nodiscard]] QList<QKeySequence> freeKeys(const QString& id, const QList<QKeySequence>& wanted) const;
    [[nodiscard]] Entry* entryOf(const QString& id);
    [[nodiscard]] const Entry* entryOf(const QString& id) const;

    std::vector<Entry> m_entries;
    bool m_locked = false;
    QString m_lockReason;
    QHash<QString, QList<QKeySequence>> m_chosen;
};

} // namespace fremis::console::ui

#pragma once

#include "console/client/profile.h"

#include <QObject>

namespace fremis::console {

/// The profiles of this user, in one file that is replaced whole at each change. Their order is the order shown.
/// Thread: GUI.
class ProfileStore : public QObject {
    Q_OBJECT
public:
    /// `file`: like profiles.json in the settings folder; it need not exist yet.
    explicit ProfileStore(QString file, QObject* parent = nullptr);

    /// Fails when the file is there and cannot be read; it is then left as it is and save() refuses to overwrite it.
    [[nodiscard]] base::Status load();

    [[nodiscard]] const QList<Profile>& profiles() const { return m_profiles; }
    [[nodiscard]] std::optional<Profile> find(const QString& idOrName) const;
    /// The one used last, if it still exists.
    [[nodiscard]] QString lastUsed() const { return m_lastUsed; }

    /// Adds it, or replaces the one with its id. An empty id is made up. Returns the id.
    [[nodiscard]] base::Result<QString> save(Profile profile);
    [[nodiscard]] base::Status remove(const QString& id);
    [[nodiscard]] base::Status move(const QString& id, int toIndex);
    [[nodiscard]] base::Status setLastUsed(const QString& id);

    /// Adds profiles of an exported file; those with a known id get a new one. Returns the new ids.
    [[nodiscard]] base::Result<QStringList> importJson(const QByteArray& json);

Q_SIGNALS:
    void changed();

private:
    [[nodiscard]] base::Status write();

    const QString m_file;
    QList<Profile> m_profiles;
    QString m_lastUsed;
    bool m_unreadable = false;
};

} // namespace fremis::console

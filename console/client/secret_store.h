#pragma once

#include "shared/base/error.h"

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QString>

#include <functional>
#include <optional>

namespace fremis::console {

/// The key pair that signs calls. Its secret is never logged, exported or saved outside a SecretStore.
struct KeyPair {
    QString accessKey;
    QByteArray secretKey;
    [[nodiscard]] bool isEmpty() const { return accessKey.isEmpty() || secretKey.isEmpty(); }
    bool operator==(const KeyPair&) const = default;
};

/// Where key pairs rest, one for each profile id. Answers come from the event loop, never from inside the call, and not
/// once `context` is gone. Thread: GUI.
class SecretStore : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    using Done = std::function<void(base::Status)>;
    using Read = std::function<void(base::Result<std::optional<KeyPair>>)>;

    /// Whether secrets outlive the program; the failure's message says why not.
    virtual void check(QObject* context, Done done) = 0;
    virtual void read(const QString& profileId, QObject* context, Read done) = 0;
    virtual void write(const QString& profileId, const KeyPair& keys, QObject* context, Done done) = 0;
    virtual void remove(const QString& profileId, QObject* context, Done done) = 0;
    [[nodiscard]] virtual bool isPersistent() const = 0;
};

/// Keeps secrets as long as the program runs.
class SessionStore final : public SecretStore {
    Q_OBJECT
public:
    using SecretStore::SecretStore;
    void check(QObject* context, Done done) override;
    void read(const QString& profileId, QObject* context, Read done) override;
    void write(const QString& profileId, const KeyPair& keys, QObject* context, Done done) override;
    void remove(const QString& profileId, QObject* context, Done done) override;
    [[nodiscard]] bool isPersistent() const override { return false; }

private:
    QHash<QString, KeyPair> m_keys;
};

/// The desktop's keychain, one item for each profile. check() writes, reads and deletes a dummy item, as the keychain
/// cannot be asked whether it is there.
class KeychainStore final : public SecretStore {
    Q_OBJECT
public:
    explicit KeychainStore(QString service = QStringLiteral("fremis-n-console"), QObject* parent = nullptr);
    void check(QObject* context, Done done) override;
    void read(const QString& profileId, QObject* context, Read done) override;
    void write(const QString& profileId, const KeyPair& keys, QObject* context, Done done) override;
    void remove(const QString& profileId, QObject* context, Done done) override;
    [[nodiscard]] bool isPersistent() const override { return true; }

private:
    const QString m_service;
};

} // namespace fremis::console

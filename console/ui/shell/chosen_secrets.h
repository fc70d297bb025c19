#pragma once

#include "console/client/secret_store.h"

namespace fremis::console::ui {

/// The desktop's keychain where it works, else this session's memory; never a file. Thread: GUI.
class ChosenSecrets final : public SecretStore {
    Q_OBJECT

public:
    /// Both outlive it. Until check() has ended, the session's store is used.
    ChosenSecrets(SecretStore& lasting, SecretStore& session, QObject* parent = nullptr);
    /// Tries the lasting store and uses it from then on if it works.
    void check(QObject* context, Done done) override;
    void read(const QString& profileId, QObject* context, Read done) override;
    void write(const QString& profileId, const KeyPair& keys, QObject* context, Done done) override;
    void remove(const QString& profileId, QObject* context, Done done) override;
    [[nodiscard]] bool isPersistent() const override { return m_chosen->isPersistent(); }

Q_SIGNALS:
    void changed();

private:
    SecretStore& m_lasting;
    SecretStore& m_session;
    SecretStore* m_chosen;
};

} // namespace fremis::console::ui

#include "console/ui/shell/chosen_secrets.h"

namespace fremis::console::ui {

ChosenSecrets::ChosenSecrets(SecretStore& lasting, SecretStore& session, QObject* parent)
    : SecretStore(parent), m_lasting(lasting), m_session(session), m_chosen(&session) {}

void ChosenSecrets::check(QObject* context, Done done) {
    m_lasting.check(context, [this, done = std::move(done)](const base::Status& works) {
        m_chosen = works ? &m_lasting : &m_session;
        Q_EMIT changed();
        done(works);
    });
}

void ChosenSecrets::read(const QString& profileId, QObject* context, Read done) {
    m_chosen->read(profileId, context, std::move(done));
}

void ChosenSecrets::write(const QString& profileId, const KeyPair& keys, QObject* context, Done done) {
    m_chosen->write(profileId, keys, context, std::move(done));
}

void ChosenSecrets::remove(const QString& profileId, QObject* context, Done done) {
    m_chosen->remove(profileId, context, std::move(done));
}

} // namespace fremis::console::ui

#include "console/client/secret_store.h"

#include <QTimer>

namespace fremis::console {

namespace {

/// From the event loop, unless the context is gone by then.
template<class Call> void later(QObject* context, Call call) {
    QTimer::singleShot(0, context, std::move(call));
}

} // namespace

void SessionStore::check(QObject* context, Done done) {
    later(context, [done = std::move(done)] { done({}); });
}

void SessionStore::read(const QString& profileId, QObject* context, Read done) {
    const auto found = m_keys.constFind(profileId);
    std::optional<KeyPair> keys;
    if (found != m_keys.constEnd())
        keys = *found;
    later(context, [done = std::move(done), keys = std::move(keys)] { done(keys); });
}

void SessionStore::write(const QString& profileId, const KeyPair& keys, QObject* context, Done done) {
    m_keys.insert(profileId, keys);
    later(context, [done = std::move(done)] { done({}); });
}

void SessionStore::remove(const QString& profileId, QObject* context, Done done) {
    m_keys.remove(profileId);
    later(context, [done = std::move(done)] { done({}); });
}

} // namespace fremis::console

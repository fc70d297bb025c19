#include "console/client/json_reader.h"
#include "console/client/secret_store.h"

#include <QPointer>
#include <qt6keychain/keychain.h>

namespace fremis::console {

using namespace Qt::StringLiterals;
using base::fail;
using base::Reason;

namespace {

constexpr auto kDummyKey = "availability-check";

base::Status statusOf(const QKeychain::Job& job) {
    if (job.error() == QKeychain::NoError)
        return {};
    return fail(Reason::Internal, "the keychain does not work: " + job.errorString().toStdString());
}

/// Runs a job (it deletes itself) and tells its end, unless `context` is gone.
template<class Job, class Finished> void run(Job* job, QObject* context, Finished finished) {
    job->setInsecureFallback(false);
    const QPointer<QObject> receiver(context);
    QObject::connect(job, &QKeychain::Job::finished, job, [job, receiver, finished = std::move(finished)] {
        if (receiver)
            finished(*job);
    });
    job->start();
}

QByteArray toText(const KeyPair& keys) {
    return QJsonDocument(
               QJsonObject{{u"access_key"_s, keys.accessKey}, {u"secret_key"_s, QString::fromUtf8(keys.secretKey)}})
        .toJson(QJsonDocument::Compact);
}

base::Result<std::optional<KeyPair>> fromText(const QByteArray& text) {
    auto keys = readJson(text, [](const JsonReader& json) {
        return KeyPair{json.text("access_key"_L1), json.text("secret_key"_L1).toUtf8()};
    });
    if (!keys) // its message could quote the secret
        return fail(Reason::CorruptData, "the keychain's item is damaged");
    return std::optional(std::move(*keys));
}

} // namespace

KeychainStore::KeychainStore(QString service, QObject* parent) : SecretStore(parent), m_service(std::move(service)) {}

void KeychainStore::check(QObject* context, Done done) {
    const auto key = QString::fromLatin1(kDummyKey);
    const KeyPair dummy{key, "dummy"};
    const QPointer<QObject> receiver(context);
    write(key, dummy, this, [this, key, dummy, receiver, done = std::move(done)](const base::Status& written) {
        if (!receiver)
            return;
        if (!written)
            return done(written);
        read(key, this, [this, key, dummy, receiver, done](const base::Result<std::optional<KeyPair>>& found) {
            if (!receiver)
                return;
            if (!found)
                return done(tl::unexpected(found.error()));
            if (*found != dummy)
                return done(fail(Reason::Internal, "the keychain does not give back what it was given"));
            remove(key, receiver, done);
        });
    });
}

void KeychainStore::read(const QString& profileId, QObject* context, Read done) {
    auto* job = new QKeychain::ReadPasswordJob(m_service);
    job->setKey(profileId);
    run(job, context, [done = std::move(done)](const QKeychain::ReadPasswordJob& finished) {
        if (finished.error() == QKeychain::EntryNotFound)
            return done(std::optional<KeyPair>());
        if (const auto status = statusOf(finished); !status)
            return done(tl::unexpected(status.error()));
        done(fromText(finished.binaryData()));
    });
}

void KeychainStore::write(const QString& profileId, const KeyPair& keys, QObject* context, Done done) {
    auto* job = new QKeychain::WritePasswordJob(m_service);
    job->setKey(profileId);
    job->setBinaryData(toText(keys));
    run(job, context, [done = std::move(done)](const QKeychain::Job& finished) { done(statusOf(finished)); });
}

void KeychainStore::remove(const QString& profileId, QObject* context, Done done) {
    auto* job = new QKeychain::DeletePasswordJob(m_service);
    job->setKey(profileId);
    run(job, context, [done = std::move(done)](const QKeychain::Job& finished) {
        done(finished.error() == QKeychain::EntryNotFound ? base::Status() : statusOf(finished));
    });
}

} // namespace fremis::console

#include "console/client/draft_store.h"

#include "shared/routing/cluster_config.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

constexpr auto kFormat = "fremis-draft/1"_L1;
constexpr qint64 kMostBytes = 4 * static_cast<qint64>(routing::kMaxConfigBytes); // two texts in base64

QString encoded(const QByteArray& bytes) {
    return QString::fromLatin1(bytes.toBase64());
}

QByteArray decoded(const QJsonValue& value) {
    return QByteArray::fromBase64(value.toString().toLatin1());
}

} // namespace

QString DraftStore::fileOf(const QString& cluster) const {
    const auto digest = QCryptographicHash::hash(cluster.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    return m_folder + u'/' + QString::fromLatin1(digest) + u".draft.json"_s;
}

base::Status DraftStore::save(const QString& cluster, const SavedDraft& draft) const {
    const QJsonObject json{
        {u"format"_s, kFormat},           {u"base"_s, encoded(draft.base)},
        {u"text"_s, encoded(draft.text)}, {u"etag"_s, QString::fromLatin1(draft.etag)},
        {u"path"_s, draft.path},          {u"saved_at_ms"_s, static_cast<qint64>(draft.savedAt.count())}};
    QSaveFile file(fileOf(cluster));
    if (QDir().mkpath(m_folder) && file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(json).toJson()) > 0 &&
        file.commit())
        return {};
    return base::fail(base::Reason::Internal, (fileOf(cluster) + u": "_s + file.errorString()).toStdString());
}

std::optional<SavedDraft> DraftStore::load(const QString& cluster) const {
    QFile file(fileOf(cluster));
    if (!file.open(QIODevice::ReadOnly) || file.size() > kMostBytes)
        return std::nullopt;
    const auto json = QJsonDocument::fromJson(file.readAll()).object();
    if (json.value(u"format"_s).toString() != kFormat)
        return std::nullopt;
    return SavedDraft{decoded(json.value(u"base"_s)), decoded(json.value(u"text"_s)),
                      json.value(u"etag"_s).toString().toLatin1(), json.value(u"path"_s).toString(),
                      Instant(json.value(u"saved_at_ms"_s).toInteger())};
}

void DraftStore::remove(const QString& cluster) const {
    QFile::remove(fileOf(cluster));
}

} // namespace fremis::console

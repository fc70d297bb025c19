#include "console/client/profile_store.h"

#include "console/client/json_reader.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QUuid>

#include <algorithm>

namespace fremis::console {

using namespace Qt::StringLiterals;
using base::fail;
using base::Reason;

namespace {

constexpr qint64 kMostProfileBytes = 4 * 1024 * 1024;

QString newId() {
    return QUuid::createUuid().toString(QUuid::WithoutBraces);
}

} // namespace

ProfileStore::ProfileStore(QString file, QObject* parent) : QObject(parent), m_file(std::move(file)) {}

base::Status ProfileStore::load() {
    QFile file(m_file);
    if (!file.exists())
        return {};
    m_unreadable = true;
    if (!file.open(QIODevice::ReadOnly) || file.size() > kMostProfileBytes)
        return fail(Reason::InvalidParams, "cannot read " + m_file.toStdString());
    const auto json = file.readAll();
    auto profiles = profilesFromJson(json);
    if (!profiles)
        return tl::unexpected(profiles.error().in(m_file.toStdString()));
    m_unreadable = false;
    m_profiles = std::move(*profiles);
    m_lastUsed = QJsonDocument::fromJson(json).object().value("last_used"_L1).toString();
    Q_EMIT changed();
    return {};
}

base::Status ProfileStore::write() {
    if (m_unreadable)
        return fail(Reason::InvalidParams, m_file.toStdString() + " could not be read and is left as it is");
    auto document = QJsonDocument::fromJson(profilesToJson(m_profiles)).object();
    document.insert("last_used"_L1, m_lastUsed);
    if (!QDir().mkpath(QFileInfo(m_file).absolutePath()))
        return fail(Reason::InvalidParams, "cannot make the folder of " + m_file.toStdString());
    QSaveFile file(m_file);
    const auto json = QJsonDocument(document).toJson();
    if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size() || !file.commit())
        return fail(Reason::InvalidParams,
                    "cannot write " + m_file.toStdString() + ": " + file.errorString().toStdString());
    Q_EMIT changed();
    return {};
}

std::optional<Profile> ProfileStore::find(const QString& idOrName) const {
    const auto isIt = [&idOrName](const Profile& profile) { return profile.id == idOrName; };
    auto found = std::find_if(m_profiles.begin(), m_profiles.end(), isIt);
    if (found == m_profiles.end())
        found = std::find_if(m_profiles.begin(), m_profiles.end(),
                             [&idOrName](const Profile& profile) { return profile.name == idOrName; });
    return found == m_profiles.end() ? std::nullopt : std::optional(*found);
}

base::Result<QString> ProfileStore::save(Profile profile) {
    if (profile.id.isEmpty())
        profile.id = newId();
    const auto id = profile.id;
    const auto before = m_profiles;
    const auto found =
        std::find_if(m_profiles.begin(), m_profiles.end(), [&id](const Profile& present) { return present.id == id; });
    if (found == m_profiles.end())
        m_profiles.append(std::move(profile));
    else
        *found = std::move(profile);
    if (auto written = write(); !written) {
        m_profiles = before;
        return tl::unexpected(written.error());
    }
    return id;
}

base::Status ProfileStore::remove(const QString& id) {
    const auto before = m_profiles;
    m_profiles.removeIf([&id](const Profile& profile) { return profile.id == id; });
    auto written = write();
    if (!written)
        m_profiles = before;
    return written;
}

base::Status ProfileStore::move(const QString& id, int toIndex) {
    const auto before = m_profiles;
    for (qsizetype at = 0; at < m_profiles.size(); ++at) {
        if (m_profiles[at].id != id)
            continue;
        m_profiles.move(at, std::clamp<qsizetype>(toIndex, 0, m_profiles.size() - 1));
        break;
    }
    auto written = write();
    if (!written)
        m_profiles = before;
    return written;
}

base::Status ProfileStore::setLastUsed(const QString& id) {
    m_lastUsed = id;
    return write();
}

base::Result<QStringList> ProfileStore::importJson(const QByteArray& json) {
    auto imported = profilesFromJson(json);
    if (!imported)
        return tl::unexpected(imported.error());
    const auto before = m_profiles;
    QStringList ids;
    for (auto& profile : *imported) {
        if (profile.id.isEmpty() || find(profile.id))
            profile.id = newId();
        ids.append(profile.id);
        m_profiles.append(profile);
    }
    if (auto written = write(); !written) {
        m_profiles = before;
        return tl::unexpected(written.error());
    }
    return ids;
}

} // namespace fremis::console

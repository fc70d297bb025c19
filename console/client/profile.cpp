#include "console/client/profile.h"

#include "console/client/json_reader.h"

#include <QCoreApplication>

#include <array>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array kEnvironments{"dev"_L1, "lab"_L1, "staging"_L1, "production"_L1};
constexpr std::array kSources{"coordinator"_L1, "file"_L1, "manual"_L1};
constexpr auto kProfilesFormat = "fremis-profiles/1"_L1;
constexpr int kMostReplicas = 256;

template<class Enum, class Tokens> Enum enumOf(const JsonReader& json, QLatin1StringView key, const Tokens& tokens) {
    const auto word = json.text(key);
    if (word.isEmpty())
        return Enum(0);
    for (std::size_t at = 0; at < tokens.size(); ++at)
        if (word == tokens[at])
            return static_cast<Enum>(at);
    json.fail(key, u"is not a word this program knows"_s);
    return Enum(0);
}

QJsonObject toJson(const AlertThresholds& limits) {
    return {{u"ram_warning"_s, limits.ramWarning},        {u"ram_critical"_s, limits.ramCritical},
            {u"gpu_memory"_s, limits.gpuMemory},          {u"queue_ops"_s, limits.queueOps},
            {u"queue_age_s"_s, limits.queueAgeSeconds},   {u"skew_percent"_s, limits.skewPercent},
            {u"clock_skew_s"_s, limits.clockSkewSeconds}, {u"silent_intervals"_s, limits.silentIntervals}};
}

AlertThresholds thresholdsOf(const JsonReader& json) {
    AlertThresholds limits;
    limits.ramWarning = json.number("ram_warning"_L1).value_or(limits.ramWarning);
    limits.ramCritical = json.number("ram_critical"_L1).value_or(limits.ramCritical);
    limits.gpuMemory = json.number("gpu_memory"_L1).value_or(limits.gpuMemory);
    limits.queueOps = json.integer("queue_ops"_L1).value_or(limits.queueOps);
    limits.queueAgeSeconds = static_cast<int>(json.integer("queue_age_s"_L1).value_or(limits.queueAgeSeconds));
    limits.skewPercent = json.number("skew_percent"_L1).value_or(limits.skewPercent);
    limits.clockSkewSeconds = json.number("clock_skew_s"_L1).value_or(limits.clockSkewSeconds);
    limits.silentIntervals = static_cast<int>(json.integer("silent_intervals"_L1).value_or(limits.silentIntervals));
    return limits;
}

QJsonArray textsOf(const QList<QUrl>& urls) {
    QJsonArray list;
    for (const auto& url : urls)
        list.append(url.toString(QUrl::RemoveUserInfo));
    return list;
}

QList<QUrl> urlsOf(const JsonReader& json, QLatin1StringView key) {
    QList<QUrl> urls;
    for (const auto& text : json.texts(key)) {
        const QUrl url(text, QUrl::StrictMode);
        if (url.isValid() && !url.host().isEmpty() && (url.scheme() == "http"_L1 || url.scheme() == "https"_L1))
            urls.append(url.adjusted(QUrl::RemoveUserInfo));
        else
            json.fail(key, u"holds something that is not an http or https address"_s);
    }
    return urls;
}

QJsonObject toJson(const QHash<QString, QString>& texts) {
    QJsonObject object;
    for (auto it = texts.begin(); it != texts.end(); ++it)
        object.insert(it.key(), it.value());
    return object;
}

QHash<QString, QString> textMapOf(const JsonReader& json, QLatin1StringView key) {
    QHash<QString, QString> texts;
    const auto object = json.object(key).json();
    for (auto it = object.begin(); it != object.end(); ++it)
        texts.insert(it.key(), it->toString());
    return texts;
}

QJsonObject toJson(const Profile& profile) {
    QJsonObject json{
        {u"id"_s, profile.id},
        {u"name"_s, profile.name},
        {u"folder"_s, profile.folder},
        {u"colour"_s, profile.colour},
        {u"environment"_s, tokenOf(profile.environment)},
        {u"coordinators"_s, textsOf(profile.coordinators)},
        {u"orchestrators"_s, textsOf(profile.orchestrators)},
        {u"ca_file"_s, profile.caFile},
        {u"fingerprint"_s, QString::fromLatin1(profile.fingerprint.toHex())},
        {u"node_source"_s, QString(kSources[static_cast<std::size_t>(profile.nodeSource)])},
        {u"config_path"_s, profile.configPath},
        {u"nodes"_s, QJsonArray::fromStringList(profile.manualNodes)},
        {u"rewrites"_s, toJson(profile.rewrites)},
        {u"aliases"_s, toJson(profile.aliases)},
        {u"maintenance"_s, QJsonArray::fromStringList(profile.maintenance)},
        {u"interval_ms"_s, qint64{profile.interval.count()}},
        {u"thresholds"_s, toJson(profile.thresholds)},
    };
    if (profile.replication)
        json.insert(u"replication"_s, *profile.replication);
    if (profile.monitoringPort)
        json.insert(u"monitoring_port"_s, *profile.monitoringPort);
    return json;
}

std::optional<int> smallNumber(const JsonReader& json, QLatin1StringView key, int least, int most) {
    const auto number = json.integer(key);
    if (!number)
        return std::nullopt;
    if (*number < least || *number > most)
        json.fail(key, u"is out of range"_s);
    return static_cast<int>(*number);
}

Profile profileOf(const JsonReader& json) {
    Profile profile;
    profile.id = json.text("id"_L1);
    profile.name = json.text("name"_L1);
    profile.folder = json.text("folder"_L1);
    profile.colour = smallNumber(json, "colour"_L1, 0, 7).value_or(0);
    profile.environment = enumOf<Environment>(json, "environment"_L1, kEnvironments);
    profile.coordinators = urlsOf(json, "coordinators"_L1);
    profile.orchestrators = urlsOf(json, "orchestrators"_L1);
    profile.caFile = json.text("ca_file"_L1);
    profile.fingerprint = QByteArray::fromHex(json.text("fingerprint"_L1).toLatin1());
    profile.nodeSource = enumOf<NodeSource>(json, "node_source"_L1, kSources);
    profile.configPath = json.text("config_path"_L1);
    profile.manualNodes = json.texts("nodes"_L1);
    profile.rewrites = textMapOf(json, "rewrites"_L1);
    profile.aliases = textMapOf(json, "aliases"_L1);
    profile.maintenance = json.texts("maintenance"_L1);
    profile.replication = smallNumber(json, "replication"_L1, 1, kMostReplicas);
    profile.interval =
        std::clamp(Milliseconds(json.integer("interval_ms"_L1).value_or(2000)), kLeastPollInterval, kMostPollInterval);
    profile.monitoringPort = smallNumber(json, "monitoring_port"_L1, 1, 65535);
    profile.thresholds = thresholdsOf(json.object("thresholds"_L1));
    if (profile.name.isEmpty())
        json.fail("name"_L1, u"is missing"_s);
    return profile;
}

} // namespace

QString tokenOf(Environment environment) {
    return kEnvironments[static_cast<std::size_t>(environment)];
}

QString wordOf(Environment environment) {
    switch (environment) {
    case Environment::Dev:
        return QCoreApplication::translate("Environment", "DEVELOPMENT");
    case Environment::Lab:
        return QCoreApplication::translate("Environment", "LAB");
    case Environment::Staging:
        return QCoreApplication::translate("Environment", "STAGING");
    case Environment::Production:
        break;
    }
    return QCoreApplication::translate("Environment", "PRODUCTION");
}

QUrl Profile::urlOf(const QString& address) const {
    const auto reachable = rewrites.value(address, address);
    const auto scheme = coordinators.isEmpty() ? u"http"_s : coordinators.first().scheme();
    return QUrl(scheme + u"://"_s + reachable, QUrl::StrictMode);
}

QByteArray profilesToJson(const QList<Profile>& profiles) {
    QJsonArray list;
    for (const auto& profile : profiles)
        list.append(toJson(profile));
    return QJsonDocument(QJsonObject{{u"format"_s, QString(kProfilesFormat)}, {u"profiles"_s, list}}).toJson();
}

base::Result<QList<Profile>> profilesFromJson(const QByteArray& json) {
    return readJson(
        json,
        [](const JsonReader& file) {
            if (file.text("format"_L1) != kProfilesFormat)
                file.fail("format"_L1, u"is not that of profiles"_s);
            QList<Profile> profiles;
            for (const auto& one : file.objects("profiles"_L1))
                profiles.append(profileOf(one));
            return profiles;
        },
        base::Reason::InvalidJson);
}

} // namespace fremis::console

#include "console/client/snapshot_file.h"

#include "console/client/json_reader.h"
#include "console/client/snapshot_builder.h"

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

constexpr auto kSnapshotFormat = "fremis-snapshot/1"_L1;

bool isKept(const QString& path) {
    static const QStringList paths{u"/v1/healthcheck"_s,    u"/health"_s,
                                   u"/v1/loaded-vectors"_s, u"/v1/resource-stats"_s,
                                   u"/v1/cluster/status"_s, u"/v1/cluster/nodes"_s,
                                   u"/v1/cluster/queue"_s,  u"/v1/cluster/config"_s,
                                   u"/v1/face/keyspace"_s,  u"/v1/get-limit-usage"_s};
    return paths.contains(path);
}

/// One recorded answer.
struct Recorded {
    Instant at{0};
    QByteArray body;
    QByteArray etag;
};

QHash<QString, Recorded> recordedIn(const JsonReader& program) {
    QHash<QString, Recorded> answers;
    const auto object = program.object("answers"_L1);
    for (const auto& path : object.json().keys()) {
        const auto answer = object.object(QLatin1StringView(path.toLatin1()));
        answers.insert(path, {Instant(answer.integer("at_ms"_L1).value_or(0)), answer.text("body"_L1).toUtf8(),
                              answer.text("etag"_L1).toLatin1()});
    }
    return answers;
}

/// Lets `take` have the answer of a path when it is there and can be read.
template<class Read, class Take>
void use(const QHash<QString, Recorded>& answers, const QString& path, Read read, Take take) {
    const auto found = answers.constFind(path);
    if (found == answers.constEnd())
        return;
    if (auto value = read(found->body))
        take(std::move(*value), found->at);
}

void takeHealth(const QHash<QString, Recorded>& answers, Known<Health>& health) {
    for (const auto& path : {u"/v1/healthcheck"_s, u"/health"_s})
        if (const auto found = answers.constFind(path); found != answers.constEnd())
            return health.set(readHealth(found->body), found->at);
}

void takeCoordinator(const JsonReader& json, Observations& seen) {
    const auto answers = recordedIn(json);
    CoordinatorObservation coordinator;
    coordinator.url = QUrl(json.text("url"_L1));
    coordinator.lastError = json.text("last_error"_L1);
    coordinator.failedPolls = coordinator.lastError.isEmpty() ? 0 : 1;
    takeHealth(answers, coordinator.health);
    const auto set = [](auto& known) { return [&known](auto value, Instant at) { known.set(std::move(value), at); }; };
    use(answers, u"/v1/cluster/status"_s, readClusterStatus, set(coordinator.status));
    use(answers, u"/v1/cluster/nodes"_s, readClusterNodes, set(seen.told));
    use(answers, u"/v1/cluster/queue"_s, readClusterQueue, set(seen.queue));
    use(answers, u"/v1/face/keyspace"_s, readKeyspaces, set(seen.keyspaces));
    use(answers, u"/v1/get-limit-usage"_s, readLimits, set(seen.limits));
    const auto etag = answers.value(u"/v1/cluster/config"_s).etag;
    use(
        answers, u"/v1/cluster/config"_s, [&etag](const QByteArray& body) { return readRunningConfig(body, etag); },
        [&seen](const RunningConfig& running, Instant at) {
            if (auto view = configViewOf(running))
                seen.config.set(std::move(*view), at);
        });
    seen.coordinators.push_back(std::move(coordinator));
}

void takeNode(const JsonReader& json, Observations& seen) {
    const auto answers = recordedIn(json);
    auto& node = seen.nodes[json.text("address"_L1)];
    node.lastError = json.text("last_error"_L1);
    node.failedPolls = static_cast<int>(json.integer("failed_polls"_L1).value_or(0));
    if (const auto at = json.integer("last_answer_at_ms"_L1))
        node.lastAnswerAt = Instant(*at);
    takeHealth(answers, node.health);
    use(answers, u"/v1/loaded-vectors"_s, readVectorLoad, [&node](VectorLoad load, Instant at) {
        node.load.set(std::make_shared<const VectorLoad>(std::move(load)), at);
    });
    use(answers, u"/v1/resource-stats"_s, readResources,
        [&node](Resources resources, Instant at) { node.resources.set(std::move(resources), at); });
}

} // namespace

AnswerKeeper::AnswerKeeper(ClusterClient& client, QObject* parent) : QObject(parent) {
    connect(&client, &ClusterClient::answered, this, &AnswerKeeper::keep);
}

void AnswerKeeper::keep(const QUrl& url, const HttpReply& reply, Instant at) {
    const bool isState = reply.status == 200 || reply.status == 503;
    if (isState && isKept(url.path()))
        m_answers[url.authority()][url.path()] = {at, reply.status, reply.body, reply.header("ETag")};
}

QJsonObject AnswerKeeper::answersOf(const QUrl& base) const {
    QJsonObject answers;
    const auto kept = m_answers.value(base.authority());
    for (auto it = kept.begin(); it != kept.end(); ++it)
        answers.insert(it.key(), QJsonObject{{u"at_ms"_s, qint64{it->at.count()}},
                                             {u"body"_s, QString::fromUtf8(it->body)},
                                             {u"etag"_s, QString::fromLatin1(it->etag)}});
    return answers;
}

QByteArray AnswerKeeper::save(const Snapshot& snapshot, const Profile& profile) const {
    QJsonArray coordinators;
    for (const auto& coordinator : snapshot.coordinators)
        coordinators.append(QJsonObject{{u"url"_s, coordinator.url.toString(QUrl::RemoveUserInfo)},
                                        {u"last_error"_s, coordinator.lastError},
                                        {u"answers"_s, answersOf(coordinator.url)}});
    QJsonArray nodes;
    for (const auto& node : snapshot.nodes) {
        QJsonObject saved{{u"address"_s, node.address},
                          {u"last_error"_s, node.lastError},
                          {u"failed_polls"_s, node.failedPolls},
                          {u"answers"_s, answersOf(node.url)}};
        if (node.lastAnswerAt)
            saved.insert(u"last_answer_at_ms"_s, qint64{node.lastAnswerAt->count()});
        nodes.append(saved);
    }
    const QJsonObject file{{u"format"_s, QString(kSnapshotFormat)},
                           {u"taken_at_ms"_s, qint64{snapshot.takenAt.count()}},
                           {u"profile"_s, QJsonDocument::fromJson(profilesToJson({profile})).object()},
                           {u"coordinators"_s, coordinators},
                           {u"nodes"_s, nodes}};
    return QJsonDocument(file).toJson(QJsonDocument::Compact);
}

base::Result<RecordedSnapshot> readSnapshotFile(const QByteArray& file) {
    if (file.size() > kMostSnapshotBytes)
        return base::fail(base::Reason::InvalidJson, "the snapshot is too large");
    Profile profile;
    Observations seen;
    const auto takenAt = readJson(
        file,
        [&](const JsonReader& json) {
            if (json.text("format"_L1) != kSnapshotFormat)
                json.fail("format"_L1, u"is not that of snapshots"_s);
            const auto saved = QJsonDocument(json.object("profile"_L1).json()).toJson();
            const auto profiles = profilesFromJson(saved);
            if (!profiles || profiles->size() != 1)
                json.fail("profile"_L1, u"cannot be read"_s);
            else
                profile = profiles->first();
            for (const auto& coordinator : json.objects("coordinators"_L1))
                takeCoordinator(coordinator, seen);
            for (const auto& node : json.objects("nodes"_L1))
                takeNode(node, seen);
            return Instant(json.integer("taken_at_ms"_L1).value_or(0));
        },
        base::Reason::InvalidJson);
    if (!takenAt)
        return tl::unexpected(takenAt.error());
    auto snapshot = std::make_shared<Snapshot>(*makeSnapshot(seen, profile, *takenAt, {}));
    snapshot->isRecorded = true;
    return RecordedSnapshot{snapshot, profile.name};
}

} // namespace fremis::console

#include "console/client/cluster_client.h"

#include "console/client/bytes.h"
#include "console/client/json_reader.h"
#include "shared/http/signature.h"

#include <QCoreApplication>
#include <QPointer>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kParseElsewhere = 64 * 1024;
/// A search may wait for a slow worker, a keyspace for all of them.
constexpr Milliseconds kActionTimeout{15'000};

/// Path and query as they go on the request line.
QByteArray targetOf(const QUrl& url) {
    return url.toEncoded(QUrl::RemoveScheme | QUrl::RemoveAuthority | QUrl::RemoveFragment);
}

/// Without the query's values: they name people.
QString loggedUrl(QUrl url) {
    QStringList keys;
    const QUrlQuery query(url);
    for (const auto& [key, value] : query.queryItems())
        keys.append(key + u"=..."_s);
    url.setQuery(QString());
    url.setUserInfo(QString());
    return url.toDisplayString() + (keys.isEmpty() ? QString() : u'?' + keys.join(u'&'));
}

CallRecord recordOf(const HttpRequest& request, const HttpReply& reply, Instant startedAt) {
    CallRecord record;
    record.startedAt = startedAt;
    record.took = reply.took;
    record.method = QString::fromLatin1(request.method);
    record.url = loggedUrl(request.url);
    record.status = reply.status;
    if (reply.status == 0 || reply.status >= 400) {
        const auto failure = failureOf(reply);
        record.error = failure.token.isEmpty() ? textOf(failure) : failure.token;
    }
    record.sentBytes = request.body.size();
    record.receivedBytes = reply.body.size();
    return record;
}

CallFailure unreadable(const HttpReply& reply, const base::Error& error) {
    CallFailure failure = failureOf(reply);
    failure.kind = CallFailure::Kind::Unreadable;
    failure.description = QString::fromStdString(error.message);
    return failure;
}

bool isSuccess(const HttpReply& reply) {
    return reply.status >= 200 && reply.status < 300;
}

ClusterClient::RawCall get(QString path) {
    ClusterClient::RawCall call;
    call.path = std::move(path);
    return call;
}

ClusterClient::RawCall send(QByteArray method, QString path, const QJsonObject& body) {
    ClusterClient::RawCall call;
    call.method = std::move(method);
    call.path = std::move(path);
    call.body = QJsonDocument(body).toJson(QJsonDocument::Compact);
    call.timeout = kActionTimeout;
    return call;
}

ClusterClient::RawCall administer(QByteArray method, QString path, const QJsonObject& body) {
    auto call = send(std::move(method), std::move(path), body);
    call.administers = true;
    return call;
}

} // namespace

QUrl urlOf(const QUrl& base, const ClusterClient::RawCall& call) {
    QUrl url = base;
    url.setPath(call.path);
    QUrlQuery query;
    for (const auto& [key, value] : call.query)
        query.addQueryItem(key, QString::fromLatin1(QUrl::toPercentEncoding(value)));
    if (!query.isEmpty())
        url.setQuery(query.query(QUrl::FullyEncoded), QUrl::StrictMode);
    return url;
}

ClusterClient::ClusterClient(Transport& transport, const base::Clock& clock, QObject* parent)
    : QObject(parent), m_transport(transport), m_clock(clock), m_parsers(std::make_unique<QThreadPool>()) {
    m_parsers->setMaxThreadCount(1);
}

ClusterClient::~ClusterClient() {
    m_parsers->waitForDone();
}

void ClusterClient::setKeyPair(const KeyPair& keys) {
    m_keys = keys;
}

void ClusterClient::cancelAll() {
    ++m_generation;
    m_transport.abortAll();
}

QString ClusterClient::signerOf(const RawCall& call) const {
    return call.administers || m_signReads ? m_keys.accessKey : QString();
}

QList<Header> ClusterClient::headersFor(const RawCall& call, const QByteArray& target) const {
    auto headers = call.headers;
    if (!call.body.isEmpty())
        headers.append(Header("Content-Type", "application/json"));
    if (!signerOf(call).isEmpty()) {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(m_clock.sinceEpoch()).count();
        const http::SignedParts parts{viewOf(call.method), viewOf(target), viewOf(call.body)};
        const auto value =
            http::authorizationFor(m_keys.accessKey.toStdString(), m_keys.secretKey.toStdString(), parts, seconds);
        headers.append(Header("Authorization", QByteArray::fromStdString(value)));
    }
    return headers;
}

void ClusterClient::send(const QUrl& base, RawCall call, QObject* context, Replied done) {
    HttpRequest request;
    request.method = call.method;
    request.url = urlOf(base, call);
    request.headers = headersFor(call, targetOf(request.url));
    request.body = std::move(call.body);
    request.timeout = call.timeout.value_or(m_timeout);
    HttpRequest logged = request; // shares the body
    const auto startedAt = m_clock.sinceEpoch();
    const QPointer<QObject> receiver(context);
    m_transport.send(std::move(request), this,
                     [this, receiver, generation = m_generation, startedAt, logged = std::move(logged),
                      done = std::move(done)](HttpReply reply) {
                         Q_EMIT finished(recordOf(logged, reply, startedAt));
                         if (generation != m_generation)
                             return;
                         if (logged.method == "GET" && reply.status > 0)
                             Q_EMIT answered(logged.url, reply, m_clock.sinceEpoch());
                         if (receiver)
                             done(std::move(reply));
                     });
}

template<class T, class Read>
void ClusterClient::finish(HttpReply reply, QObject* context, Read read, const CallDone<T>& done) {
    const auto resultOf = [read](const HttpReply& answered) -> CallResult<T> {
        base::Result<T> value = read(answered);
        if (value)
            return std::move(*value);
        return tl::unexpected(unreadable(answered, value.error()));
    };
    if (reply.body.size() <= kParseElsewhere)
        return done(resultOf(reply));
    const QPointer<QObject> receiver(context);
    m_parsers->start([this, receiver, generation = m_generation, resultOf, done, reply = std::move(reply)] {
        auto result = std::make_shared<CallResult<T>>(resultOf(reply));
        QMetaObject::invokeMethod(this, [this, receiver, generation, done, result] {
            if (receiver && generation == m_generation)
                done(std::move(*result));
        });
    });
}

template<class T, class Read>
void ClusterClient::ask(const QUrl& base, RawCall call, QObject* context, Read read, CallDone<T> done) {
    send(base, std::move(call), context, [this, context, read, done = std::move(done)](HttpReply reply) {
        if (!isSuccess(reply))
            return done(tl::unexpected(failureOf(reply)));
        finish<T>(std::move(reply), context, read, done);
    });
}

void ClusterClient::health(const QUrl& base, QObject* context, CallDone<Health> done) {
    const auto take = [done](const HttpReply& reply) {
        // 503 carries the state of a program that is not ready.
        if (!isSuccess(reply) && (reply.status != 503 || readHealth(reply.body).state.isEmpty()))
            return done(tl::unexpected(failureOf(reply)));
        done(readHealth(reply.body));
    };
    send(base, get(u"/v1/healthcheck"_s), context, [this, base, context, take](const HttpReply& reply) {
        if (reply.status == 404 || reply.status == 405)
            return send(base, get(u"/health"_s), context, take);
        take(reply);
    });
}

void ClusterClient::vectorLoad(const QUrl& base, QObject* context, CallDone<VectorLoad> done) {
    ask<VectorLoad>(
        base, get(u"/v1/loaded-vectors"_s), context, [](const HttpReply& reply) { return readVectorLoad(reply.body); },
        std::move(done));
}

void ClusterClient::resources(const QUrl& base, QObject* context, CallDone<Resources> done) {
    ask<Resources>(
        base, get(u"/v1/resource-stats"_s), context, [](const HttpReply& reply) { return readResources(reply.body); },
        std::move(done));
}

void ClusterClient::limits(const QUrl& base, QObject* context, CallDone<Limits> done) {
    ask<Limits>(
        base, get(u"/v1/get-limit-usage"_s), context, [](const HttpReply& reply) { return readLimits(reply.body); },
        std::move(done));
}

void ClusterClient::metrics(const QUrl& base, QObject* context, CallDone<QHash<QString, double>> done) {
    ask<QHash<QString, double>>(
        base, get(u"/metrics"_s), context,
        [](const HttpReply& reply) -> base::Result<QHash<QString, double>> { return readMetrics(reply.body); },
        std::move(done));
}

void ClusterClient::clusterStatus(const QUrl& base, QObject* context, CallDone<ClusterStatus> done) {
    ask<ClusterStatus>(
        base, get(u"/v1/cluster/status"_s), context,
        [](const HttpReply& reply) { return readClusterStatus(reply.body); }, std::move(done));
}

void ClusterClient::clusterNodes(const QUrl& base, QObject* context, CallDone<ClusterNodes> done) {
    ask<ClusterNodes>(
        base, get(u"/v1/cluster/nodes"_s), context, [](const HttpReply& reply) { return readClusterNodes(reply.body); },
        std::move(done));
}

void ClusterClient::clusterQueue(const QUrl& base, QObject* context, CallDone<ClusterQueue> done) {
    ask<ClusterQueue>(
        base, get(u"/v1/cluster/queue"_s), context, [](const HttpReply& reply) { return readClusterQueue(reply.body); },
        std::move(done));
}

void ClusterClient::actOnQueue(const QUrl& base, const QueueAction& action, QObject* context,
                               CallDone<QueueActionReply> done) {
    QJsonObject body{{u"node"_s, action.node}, {u"action"_s, action.action}};
    if (!action.opIds.isEmpty())
        body.insert(u"op_ids"_s, QJsonArray::fromStringList(action.opIds));
    if (!action.cursor.isEmpty())
        body.insert(u"cursor"_s, action.cursor);
    if (action.force)
        body.insert(u"force"_s, true);
    ask<QueueActionReply>(
        base, administer("POST", u"/v1/cluster/queue"_s, body), context,
        [](const HttpReply& reply) { return readQueueActionReply(reply.body); }, std::move(done));
}

void ClusterClient::runningConfig(const QUrl& base, QObject* context, CallDone<RunningConfig> done) {
    ask<RunningConfig>(
        base, get(u"/v1/cluster/config"_s), context,
        [](const HttpReply& reply) { return readRunningConfig(reply.body, reply.header("ETag")); }, std::move(done));
}

void ClusterClient::writeConfig(const QUrl& base, const ConfigWrite& write, QObject* context,
                                CallDone<ConfigChange> done) {
    auto call = administer(
        "PUT", u"/v1/cluster/config"_s,
        {{u"yaml"_s, QString::fromUtf8(write.yaml)}, {u"dry_run"_s, write.dryRun}, {u"force"_s, write.force}});
    call.headers.append(Header("If-Match", write.ifMatch));
    ask<ConfigChange>(
        base, std::move(call), context, [](const HttpReply& reply) { return readConfigChange(reply.body); },
        std::move(done));
}

void ClusterClient::reload(const QUrl& base, QObject* context, CallDone<ConfigChange> done) {
    ask<ConfigChange>(
        base, administer("POST", u"/v1/cluster/reload"_s, {}), context,
        [](const HttpReply& reply) { return readConfigChange(reply.body); }, std::move(done));
}

void ClusterClient::repairReport(const QUrl& base, QObject* context, CallDone<RepairReport> done) {
    ask<RepairReport>(
        base, get(u"/v1/cluster/repair"_s), context,
        [](const HttpReply& reply) { return readRepairReport(reply.body); }, std::move(done));
}

void ClusterClient::startRepair(const QUrl& base, const PartitionSet& partitions, QObject* context,
                                CallDone<RepairReport> done) {
    QJsonArray list;
    for (int partition = 0; partition < base::kPartitionCount; ++partition)
        if (partitions.contains(static_cast<base::Partition>(partition)))
            list.append(partition);
    ask<RepairReport>(
        base, administer("POST", u"/v1/cluster/repair"_s, {{u"partitions"_s, list}}), context,
        [](const HttpReply& reply) { return readRepairReport(reply.body); }, std::move(done));
}

void ClusterClient::keyspaces(const QUrl& base, QObject* context, CallDone<Keyspaces> done) {
    ask<Keyspaces>(
        base, get(u"/v1/face/keyspace"_s), context, [](const HttpReply& reply) { return readKeyspaces(reply.body); },
        std::move(done));
}

void ClusterClient::createKeyspace(const QUrl& base, const QString& name, std::optional<double> matchThreshold,
                                   QObject* context, CallDone<QByteArray> done) {
    QJsonObject body{{u"keyspace"_s, name}};
    if (matchThreshold)
        body.insert(u"additional_params"_s, QJsonObject{{u"match_threshold"_s, *matchThreshold}});
    ask<QByteArray>(
        base, console::send("POST", u"/v1/face/keyspace"_s, body), context,
        [](const HttpReply& reply) -> base::Result<QByteArray> { return reply.body; }, std::move(done));
}

void ClusterClient::deleteKeyspace(const QUrl& base, const QString& name, QObject* context, CallDone<QByteArray> done) {
    ask<QByteArray>(
        base, console::send("POST", u"/v1/face/delete-keyspace"_s, {{u"keyspace"_s, name}}), context,
        [](const HttpReply& reply) -> base::Result<QByteArray> { return reply.body; }, std::move(done));
}

void ClusterClient::allowedMethods(const QUrl& base, const QString& path, QObject* context,
                                   CallDone<QStringList> done) {
    RawCall call;
    call.method = "OPTIONS";
    call.path = path;
    ask<QStringList>(
        base, std::move(call), context,
        [](const HttpReply& reply) -> base::Result<QStringList> {
            QStringList methods;
            for (const auto& method : reply.header("Allow").split(','))
                methods.append(QString::fromLatin1(method.trimmed()));
            return methods;
        },
        std::move(done));
}

void ClusterClient::call(const QUrl& base, RawCall call, QObject* context, CallDone<RawAnswer> done) {
    if (!call.timeout)
        call.timeout = kActionTimeout;
    ask<RawAnswer>(
        base, std::move(call), context,
        [](const HttpReply& reply) -> base::Result<RawAnswer> {
            return RawAnswer{reply.status, reply.body, reply.headers, reply.took};
        },
        std::move(done));
}

} // namespace fremis::console

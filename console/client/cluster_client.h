#pragma once

#include "console/client/call.h"
#include "console/client/cluster_replies.h"
#include "console/client/secret_store.h"
#include "shared/base/clock.h"

#include <QObject>
#include <QThreadPool>
#include <QUrlQuery>

#include <memory>

namespace fremis::console {

struct ConfigWrite {
    QByteArray yaml;
    QByteArray ifMatch; ///< RunningConfig::etag
    bool dryRun = false;
    bool force = false; ///< also when partitions go to nodes without their vectors
};

/// What an operator does to the writes that wait for a node.
struct QueueAction {
    QString node;       ///< its address as the config writes it
    QString action;     ///< retry, pause, resume, list, drop, discard
    QStringList opIds;  ///< of retry (none: all) and drop
    QString cursor;     ///< of list
    bool force = false; ///< of discard
};

/// Every call of a console, each to the program at `base` (a coordinator or a worker). Results come from the event
/// loop, once, and not after cancelAll() or once `context` is gone. Large answers are parsed on a thread of their own.
/// Calls that change the cluster are signed with the key pair; others where signReads() says so. Thread: GUI.
class ClusterClient : public QObject {
    Q_OBJECT
public:
    struct RawCall {
        QByteArray method = "GET";
        QString path; ///< "/v1/face/recognition"
        QList<std::pair<QString, QString>> query;
        QByteArray body; ///< JSON, or empty
        QList<Header> headers;
        bool administers = false; ///< must be signed
        std::optional<Milliseconds> timeout;
    };

    /// `transport` and `clock` outlive it.
    ClusterClient(Transport& transport, const base::Clock& clock, QObject* parent = nullptr);
    ~ClusterClient() override;

    void setKeyPair(const KeyPair& keys);
    [[nodiscard]] bool hasKeyPair() const { return !m_keys.isEmpty(); }
    void setTimeout(Milliseconds timeout) { m_timeout = timeout; }
    [[nodiscard]] Milliseconds timeout() const { return m_timeout; }
    /// Sign reads and client calls too: where client_auth is `required`.
    void setSignReads(bool sign) { m_signReads = sign; }
    /// Whose signature such a call gets; empty: none.
    [[nodiscard]] QString signerOf(const RawCall& call) const;
    /// Drops all running calls and every answer still to come; raises generation().
    void cancelAll();
    [[nodiscard]] quint64 generation() const { return m_generation; }

    /// /v1/healthcheck, and /health where that is missing. A 503 with a body is a result, not a failure.
    void health(const QUrl& base, QObject* context, CallDone<Health> done);
    void vectorLoad(const QUrl& base, QObject* context, CallDone<VectorLoad> done);
    void resources(const QUrl& base, QObject* context, CallDone<Resources> done);
    void limits(const QUrl& base, QObject* context, CallDone<Limits> done);
    /// `base` with the monitoring port.
    void metrics(const QUrl& base, QObject* context, CallDone<QHash<QString, double>> done);

    void clusterStatus(const QUrl& base, QObject* context, CallDone<ClusterStatus> done);
    void clusterNodes(const QUrl& base, QObject* context, CallDone<ClusterNodes> done);
    void clusterQueue(const QUrl& base, QObject* context, CallDone<ClusterQueue> done);
    void actOnQueue(const QUrl& base, const QueueAction& action, QObject* context, CallDone<QueueActionReply> done);
    void runningConfig(const QUrl& base, QObject* context, CallDone<RunningConfig> done);
    void writeConfig(const QUrl& base, const ConfigWrite& write, QObject* context, CallDone<ConfigChange> done);
    void reload(const QUrl& base, QObject* context, CallDone<ConfigChange> done);
    void repairReport(const QUrl& base, QObject* context, CallDone<RepairReport> done);
    void startRepair(const QUrl& base, const PartitionSet& partitions, QObject* context, CallDone<RepairReport> done);

    void keyspaces(const QUrl& base, QObject* context, CallDone<Keyspaces> done);
    /// `matchThreshold`: cosine -1..1; nothing: the model pack's.
    void createKeyspace(const QUrl& base, const QString& name, std::optional<double> matchThreshold, QObject* context,
                        CallDone<QByteArray> done);
    void deleteKeyspace(const QUrl& base, const QString& name, QObject* context, CallDone<QByteArray> done);

    /// The methods that OPTIONS of a path allows; an action is offered only when its method is among them.
    void allowedMethods(const QUrl& base, const QString& path, QObject* context, CallDone<QStringList> done);

    struct RawAnswer {
        int status = 0;
        QByteArray body;
        QList<Header> headers;
        Milliseconds took{0};
    };
    /// Any endpoint; a failure for every status but 2xx.
    void call(const QUrl& base, RawCall call, QObject* context, CallDone<RawAnswer> done);

Q_SIGNALS:
    /// After each request, also one that failed.
    void finished(const fremis::console::CallRecord& record);
    /// After each request of a read (GET) that was answered, before its result; not for those of an earlier generation.
    void answered(const QUrl& url, const fremis::console::HttpReply& reply, fremis::console::Instant at);

private:
    using Replied = std::function<void(HttpReply)>;
    void send(const QUrl& base, RawCall call, QObject* context, Replied done);
    [[nodiscard]] QList<Header> headersFor(const RawCall& call, const QByteArray& target) const;
    template<class T, class Read>
    void ask(const QUrl& base, RawCall call, QObject* context, Read read, CallDone<T> done);
    template<class T, class Read> void finish(HttpReply reply, QObject* context, Read read, const CallDone<T>& done);

    Transport& m_transport;
    const base::Clock& m_clock;
    KeyPair m_keys;
    Milliseconds m_timeout{2000};
    bool m_signReads = false;
    quint64 m_generation = 1;
    std::unique_ptr<QThreadPool> m_parsers;
};

/// Where a call goes: base, path and percent-encoded query.
[[nodiscard]] QUrl urlOf(const QUrl& base, const ClusterClient::RawCall& call);
/// What a reply that is not 2xx, or none at all, means.
[[nodiscard]] CallFailure failureOf(const HttpReply& reply);
/// One line: what happened, with the reason a program gave.
[[nodiscard]] QString textOf(const CallFailure& failure);

} // namespace fremis::console

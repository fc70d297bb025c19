#pragma once

#include "console/client/cluster_client.h"
#include "console/client/snapshot.h"
#include "shared/wire/replies.h"

#include <QObject>

namespace fremis::console {

/// What went over the wire, fit to be shown: pictures and secrets cut out.
struct FaceTrace {
    Milliseconds took{0};
    int status = 0;
    QString request;  ///< redacted JSON
    QString response; ///< redacted JSON
    QString curl;     ///< see curlText()
};

template<class T> struct FaceOutcome {
    CallResult<T> result;
    FaceTrace trace;
    /// Also of a 503 `incomplete_search`: what was not searched.
    std::optional<wire::Coverage> coverage;
};
template<class T> using FaceDone = std::function<void(FaceOutcome<T>)>;

struct RecogniseOptions {
    QString keyspace;
    int candidates = 5;
    std::optional<bool> allowPartial;
};

/// One node's part of a recognition that was sent to each node by itself.
struct NodeTiming {
    QString address;
    Milliseconds began{0}; ///< since the first call of the round
    Milliseconds took{0};
    std::optional<double> bestSimilarity; ///< nothing: no candidate, or no answer
    QString problem;                      ///< empty when it answered
};

/// Who will get an enrolment, known before it is sent.
struct EnrollPreview {
    Partition partition = 0;
    QStringList owners;      ///< addresses
    QStringList willQueue;   ///< owners that are away: the coordinator queues for them
    bool isPossible = false; ///< an owner takes writes now
};
[[nodiscard]] EnrollPreview previewEnrollment(const Snapshot& snapshot, const QString& keyspace, const QString& faceId);

/// Calls with faces. Pictures are held in memory for the call alone. Results come from the event loop and not once
/// `context` is gone. Thread: GUI.
class FaceCalls : public QObject {
    Q_OBJECT
public:
    /// `client` outlives it.
    explicit FaceCalls(ClusterClient& client, QObject* parent = nullptr);
    /// For the curl texts; the secret is never in them.
    void setAccessKey(const QString& accessKey) { m_accessKey = accessKey; }

    void recognise(const QUrl& base, const QByteArray& image, const RecogniseOptions& options, QObject* context,
                   FaceDone<wire::RecognitionReply> done);
    /// The same photo to each node directly, at most four at a time; one call of `done` with all, in order of `nodes`.
    void recogniseByNode(const std::vector<NodeView>& nodes, const QByteArray& image, const RecogniseOptions& options,
                         QObject* context, std::function<void(std::vector<NodeTiming>)> done);
    void match(const QUrl& base, const QByteArray& imageA, const QByteArray& imageB, QObject* context,
               FaceDone<wire::MatchV1Reply> done);
    /// An empty `faceId` lets the server make one.
    void enroll(const QUrl& base, const QByteArray& image, const QString& keyspace, const QString& faceId,
                QObject* context, FaceDone<wire::EnrollmentReply> done);
    void get(const QUrl& base, const QString& keyspace, const QString& faceId, QObject* context,
             FaceDone<wire::GetEnrollmentReply> done);
    void list(const QUrl& base, const QString& keyspace, const QString& cursor, int limit, QObject* context,
              FaceDone<wire::ListEnrollmentsReply> done);
    void remove(const QUrl& base, const QString& keyspace, const QString& faceId, QObject* context,
                FaceDone<wire::DeleteEnrollmentReply> done);

private:
    template<class T, class Read>
    void run(const QUrl& base, ClusterClient::RawCall call, QObject* context, Read read, FaceDone<T> done);

    ClusterClient& m_client;
    QString m_accessKey;
};

/// One recognition over and over, for its spread in time: at most 100 times, four at a time. Thread: GUI.
class RecognitionRun : public QObject {
    Q_OBJECT
public:
    static constexpr int kMost = 100;
    static constexpr int kAtOnce = 4;
    RecognitionRun(FaceCalls& calls, QObject* parent = nullptr);

    void start(const QUrl& base, const QByteArray& image, const RecogniseOptions& options, int times);
    void cancel(); ///< no more calls begin; those under way are waited for
    [[nodiscard]] bool isRunning() const { return m_underWay > 0 || m_left > 0; }
    [[nodiscard]] int done() const { return static_cast<int>(m_times.size()) + m_failed; }
    [[nodiscard]] int failed() const { return m_failed; }
    [[nodiscard]] std::optional<Milliseconds> percentile(int percent) const; ///< of the answered ones

Q_SIGNALS:
    void progressed();
    void finished();

private:
    void next();

    FaceCalls& m_calls;
    QUrl m_base;
    QByteArray m_image;
    RecogniseOptions m_options;
    std::vector<Milliseconds> m_times;
    int m_left = 0;
    int m_underWay = 0;
    int m_failed = 0;
};

} // namespace fremis::console

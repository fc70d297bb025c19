#include "console/client/face_calls.h"

#include "console/client/bytes.h"
#include "console/client/curl_text.h"
#include "console/client/json_reader.h"
#include "console/client/redaction.h"
#include "shared/hashing/partition.h"
#include "shared/wire/reply_readers.h"

#include <QPointer>

#include <algorithm>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

constexpr int kNodesAtOnce = 4;
constexpr Milliseconds kTimeout{15'000}; ///< a model may be busy with others' photos

QString base64Of(const QByteArray& image) {
    return QString::fromLatin1(image.toBase64());
}

ClusterClient::RawCall post(const QString& path, const QJsonObject& body) {
    ClusterClient::RawCall call;
    call.method = "POST";
    call.path = path;
    call.body = QJsonDocument(body).toJson(QJsonDocument::Compact);
    call.timeout = kTimeout;
    return call;
}

ClusterClient::RawCall get(const QString& path, const QList<std::pair<QString, QString>>& query) {
    ClusterClient::RawCall call;
    call.path = path;
    call.query = query;
    return call;
}

ClusterClient::RawCall recognitionCall(const QByteArray& image, const RecogniseOptions& options) {
    QJsonObject params{{u"candidateCount"_s, options.candidates}};
    if (options.allowPartial)
        params.insert(u"allow_partial_search"_s, *options.allowPartial);
    return post(u"/v1/face/recognition"_s,
                {{u"image"_s, base64Of(image)}, {u"keyspace"_s, options.keyspace}, {u"additional_params"_s, params}});
}

std::optional<wire::Coverage> coverageOf(const QByteArray& body) {
    std::optional<wire::Coverage> coverage;
    const auto read = readJson(body, [&coverage](const JsonReader& reply) {
        if (!reply.has("coverage"_L1))
            return true;
        const auto json = reply.object("coverage"_L1);
        coverage.emplace();
        coverage->partitionsSearched = static_cast<int>(json.integer("partitions_searched"_L1).value_or(0));
        coverage->vectorsSearched = json.count("vectors_searched"_L1).value_or(0);
        coverage->configEpoch = json.text("config_epoch"_L1).toStdString();
        for (const auto& failed : json.objects("failed_nodes"_L1)) {
            wire::FailedNode node{failed.text("address"_L1).toStdString(), {}, failed.text("reason"_L1).toStdString()};
            for (const auto& range : failed.ranges("partitions"_L1).value_or(PartitionSet()).ranges())
                node.partitions.push_back({range.first, range.last});
            coverage->failedNodes.push_back(std::move(node));
        }
        return true;
    });
    return read ? coverage : std::nullopt;
}

} // namespace

EnrollPreview previewEnrollment(const Snapshot& snapshot, const QString& keyspace, const QString& faceId) {
    EnrollPreview preview;
    preview.partition = hashing::partitionOf(keyspace.toStdString(), faceId.toStdString());
    for (const int owner : snapshot.partitions[preview.partition].owners) {
        const auto& node = snapshot.nodes[static_cast<std::size_t>(owner)];
        preview.owners.append(node.address);
        const bool takesWrites =
            node.state == NodeState::Ok || node.state == NodeState::CatchingUp || node.state == NodeState::Draining;
        if (!takesWrites)
            preview.willQueue.append(node.address);
        preview.isPossible = preview.isPossible || takesWrites;
    }
    return preview;
}

FaceCalls::FaceCalls(ClusterClient& client, QObject* parent) : QObject(parent), m_client(client) {}

template<class T, class Read>
void FaceCalls::run(const QUrl& base, ClusterClient::RawCall call, QObject* context, Read read, FaceDone<T> done) {
    FaceTrace trace;
    trace.request = call.body.isEmpty() ? QString() : redactedBody(call.body);
    trace.curl = curlText(base, call, m_accessKey);
    const auto begun = std::chrono::steady_clock::now();
    m_client.call(base, std::move(call), context,
                  [trace, read, done = std::move(done), begun](CallResult<ClusterClient::RawAnswer> answer) mutable {
                      trace.took = std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now() - begun);
                      if (!answer) {
                          trace.status = answer.error().status;
                          trace.response = redactedBody(answer.error().body);
                          const auto coverage = coverageOf(answer.error().body);
                          return done({tl::unexpected(std::move(answer.error())), trace, coverage});
                      }
                      trace.took = answer->took;
                      trace.status = answer->status;
                      trace.response = redactedBody(answer->body);
                      base::Result<T> reply = read(viewOf(answer->body));
                      if (reply)
                          return done({std::move(*reply), trace, coverageOf(answer->body)});
                      CallFailure failure;
                      failure.kind = CallFailure::Kind::Unreadable;
                      failure.status = answer->status;
                      failure.description = QString::fromStdString(reply.error().message);
                      done({tl::unexpected(std::move(failure)), trace, {}});
                  });
}

void FaceCalls::recognise(const QUrl& base, const QByteArray& image, const RecogniseOptions& options, QObject* context,
                          FaceDone<wire::RecognitionReply> done) {
    run<wire::RecognitionReply>(base, recognitionCall(image, options), context, wire::readRecognition, std::move(done));
}

void FaceCalls::recogniseByNode(const std::vector<NodeView>& nodes, const QByteArray& image,
                                const RecogniseOptions& options, QObject* context,
                                std::function<void(std::vector<NodeTiming>)> done) {
    struct Round {
        std::vector<NodeView> nodes;
        std::vector<NodeTiming> timings;
        std::size_t next = 0;
        std::size_t answered = 0;
        std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
        std::function<void()> ask;
    };
    auto round = std::make_shared<Round>();
    round->nodes = nodes;
    for (const auto& node : nodes)
        round->timings.push_back({node.address, Milliseconds(0), Milliseconds(0), {}, {}});
    if (nodes.empty()) {
        QMetaObject::invokeMethod(
            context, [done] { done({}); }, Qt::QueuedConnection);
        return;
    }
    round->ask = [this, weak = std::weak_ptr(round), image, options, context = QPointer(context), done] {
        const auto shared = weak.lock();
        if (!shared || !context || shared->next >= shared->nodes.size())
            return;
        const auto at = shared->next++;
        shared->timings[at].began =
            std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now() - shared->begun);
        recognise(shared->nodes[at].url, image, options, context,
                  [shared, at, done](const FaceOutcome<wire::RecognitionReply>& outcome) {
                      auto& timing = shared->timings[at];
                      timing.took = outcome.trace.took;
                      if (!outcome.result)
                          timing.problem = textOf(outcome.result.error());
                      else if (!outcome.result->candidates.empty())
                          timing.bestSimilarity = outcome.result->candidates.front().similarity;
                      if (++shared->answered == shared->nodes.size())
                          return done(shared->timings);
                      shared->ask();
                  });
    };
    for (int number = 0; number < kNodesAtOnce; ++number)
        round->ask();
}

void FaceCalls::match(const QUrl& base, const QByteArray& imageA, const QByteArray& imageB, QObject* context,
                      FaceDone<wire::MatchV1Reply> done) {
    const QJsonObject body{{u"image_a"_s, QJsonObject{{u"content"_s, base64Of(imageA)}}},
                           {u"image_b"_s, QJsonObject{{u"content"_s, base64Of(imageB)}}}};
    run<wire::MatchV1Reply>(base, post(u"/v1/face/match"_s, body), context, wire::readMatchV1, std::move(done));
}

void FaceCalls::enroll(const QUrl& base, const QByteArray& image, const QString& keyspace, const QString& faceId,
                       QObject* context, FaceDone<wire::EnrollmentReply> done) {
    QJsonObject body{{u"image"_s, base64Of(image)}, {u"keyspace"_s, keyspace}};
    if (!faceId.isEmpty())
        body.insert(u"additional_params"_s, QJsonObject{{u"face_id"_s, faceId}});
    run<wire::EnrollmentReply>(base, post(u"/v1/face/enrollment"_s, body), context, wire::readEnrollment,
                               std::move(done));
}

void FaceCalls::get(const QUrl& base, const QString& keyspace, const QString& faceId, QObject* context,
                    FaceDone<wire::GetEnrollmentReply> done) {
    run<wire::GetEnrollmentReply>(
        base, console::get(u"/v1/face/enrollment"_s, {{u"keyspace"_s, keyspace}, {u"face_id"_s, faceId}}), context,
        wire::readGetEnrollment, std::move(done));
}

void FaceCalls::list(const QUrl& base, const QString& keyspace, const QString& cursor, int limit, QObject* context,
                     FaceDone<wire::ListEnrollmentsReply> done) {
    QList<std::pair<QString, QString>> query{{u"keyspace"_s, keyspace}, {u"limit"_s, QString::number(limit)}};
    if (!cursor.isEmpty())
        query.append({u"cursor"_s, cursor});
    run<wire::ListEnrollmentsReply>(base, console::get(u"/v1/face/enrollments"_s, query), context,
                                    wire::readListEnrollments, std::move(done));
}

void FaceCalls::remove(const QUrl& base, const QString& keyspace, const QString& faceId, QObject* context,
                       FaceDone<wire::DeleteEnrollmentReply> done) {
    run<wire::DeleteEnrollmentReply>(
        base, post(u"/v1/face/delete-enrollment"_s, {{u"keyspace"_s, keyspace}, {u"face_ids"_s, QJsonArray{faceId}}}),
        context, wire::readDeleteEnrollment, std::move(done));
}

RecognitionRun::RecognitionRun(FaceCalls& calls, QObject* parent) : QObject(parent), m_calls(calls) {}

void RecognitionRun::start(const QUrl& base, const QByteArray& image, const RecogniseOptions& options, int times) {
    if (isRunning())
        return;
    m_base = base;
    m_image = image;
    m_options = options;
    m_times.clear();
    m_failed = 0;
    m_left = std::clamp(times, 1, kMost);
    for (int number = 0; number < kAtOnce; ++number)
        next();
}

void RecognitionRun::next() {
    if (m_left == 0)
        return;
    --m_left;
    ++m_underWay;
    m_calls.recognise(m_base, m_image, m_options, this, [this](const FaceOutcome<wire::RecognitionReply>& outcome) {
        --m_underWay;
        if (outcome.result)
            m_times.push_back(outcome.trace.took);
        else
            ++m_failed;
        next();
        Q_EMIT progressed();
        if (isRunning())
            return;
        m_image.clear(); // pictures stay no longer than needed
        Q_EMIT finished();
    });
}

void RecognitionRun::cancel() {
    m_left = 0;
}

std::optional<Milliseconds> RecognitionRun::percentile(int percent) const {
    if (m_times.empty())
        return std::nullopt;
    auto sorted = m_times;
    std::sort(sorted.begin(), sorted.end());
    return sorted[(sorted.size() - 1) * static_cast<std::size_t>(std::clamp(percent, 0, 100)) / 100];
}

} // namespace fremis::console

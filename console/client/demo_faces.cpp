#include "console/client/demo_replies.h"
#include "console/client/demo_world.h"
#include "shared/hashing/partition.h"
#include "shared/wire/replies.h"
#include "shared/wire/requests.h"

#include <QCryptographicHash>
#include <QUrlQuery>

#include <algorithm>

/// The client plane of the demonstration. It has no model: two photos are of one person when they are the same file.
namespace fremis::console {

using namespace Qt::StringLiterals;
using base::Reason;
using demo::failure;
using demo::json;

namespace {

constexpr double kSame = 0.97;
constexpr double kSameScore = 0.91;

QByteArray digestOf(const wire::ImageInput& image) {
    return QCryptographicHash::hash(QByteArray::fromStdString(image.base64), QCryptographicHash::Sha256);
}

/// Strangers are alike by chance: 0.05..0.35, the same each time.
double likeness(const QByteArray& a, const QByteArray& b) {
    if (a == b)
        return kSame;
    const auto mixed = QCryptographicHash::hash(std::min(a, b) + std::max(a, b), QCryptographicHash::Sha256);
    return 0.05 + 0.3 * static_cast<double>(static_cast<unsigned char>(mixed.at(0))) / 255.0;
}

/// Scores are 32-bit floats wherever they come from.
double scoreOf(double similarity) {
    return static_cast<double>(static_cast<float>(similarity * kSameScore / kSame));
}

wire::DetectedFace someFace() {
    wire::DetectedFace face;
    face.top = 40;
    face.left = 40;
    face.width = 120;
    face.height = 150;
    face.score = 0.99;
    face.used = true;
    return face;
}

base::KeyspaceName nameOf(const QString& keyspace) {
    return base::KeyspaceName::trusted(keyspace.toStdString());
}

std::vector<std::pair<std::string, std::string>> queryOf(const HttpRequest& request) {
    std::vector<std::pair<std::string, std::string>> pairs;
    const QUrlQuery query(request.url);
    for (const auto& [key, value] : query.queryItems(QUrl::FullyDecoded))
        pairs.emplace_back(key.toStdString(), value.toStdString());
    return pairs;
}

} // namespace

HttpReply DemoWorld::answerFaces(const HttpRequest& request, const Node* worker) {
    const auto path = request.url.path();
    const bool get = request.method == "GET";
    if (path == "/v1/face/keyspace"_L1)
        return get ? keyspaces() : createKeyspace(request);
    if (path == "/v1/face/delete-keyspace"_L1)
        return deleteKeyspace(request);
    if (path == "/v1/face/enrollment"_L1)
        return get ? getFace(request) : enrollFace(request);
    if (path == "/v1/face/enrollments"_L1)
        return listFaces(request);
    if (path == "/v1/face/recognition"_L1)
        return recognise(request, worker);
    if (path == "/v1/face/match"_L1)
        return matchFaces(request);
    if (path == "/v1/face/delete-enrollment"_L1)
        return deleteFaces(request);
    return failure(Reason::NotFound, "no such path");
}

HttpReply DemoWorld::createKeyspace(const HttpRequest& request) {
    const auto asked = wire::parseCreateKeyspace(viewOf(request.body));
    if (!asked)
        return failure(asked.error());
    const auto name = QString::fromStdString(asked->keyspace.text());
    const bool created = !m_keyspaces.contains(name);
    m_keyspaces[name];
    m_keyspaceCreatedAt.try_emplace(name, m_now);
    return json(wire::toJson(wire::CreateKeyspaceReply{asked->keyspace, created, "1", asked->matchThreshold, {}}));
}

HttpReply DemoWorld::deleteKeyspace(const HttpRequest& request) {
    const auto asked = wire::parseDeleteKeyspace(viewOf(request.body));
    if (!asked)
        return failure(asked.error());
    const auto found = m_keyspaces.find(QString::fromStdString(asked->keyspace.text()));
    if (found == m_keyspaces.end())
        return failure(Reason::KeyspaceNotFound, "there is no such keyspace");
    const auto faces = found->second.size();
    m_keyspaceCreatedAt.erase(found->first);
    m_keyspaces.erase(found);
    return json(wire::toJson(wire::DeleteKeyspaceReply{asked->keyspace, faces, {}}));
}

HttpReply DemoWorld::enrollFace(const HttpRequest& request) {
    const auto asked = wire::parseEnrollment(viewOf(request.body));
    if (!asked)
        return failure(asked.error());
    const auto id = asked->faceId ? *asked->faceId : base::FaceId::trusted(std::to_string(++m_lastId + 1'000'000));
    const auto keyspace = QString::fromStdString(asked->keyspace.text());
    if (!m_keyspaces.contains(keyspace))
        return failure(Reason::KeyspaceNotFound, "there is no such keyspace");
    const auto partition = hashing::partitionOf(asked->keyspace.text(), id.text());
    if (!searchable().contains(partition))
        return failure(Reason::PartitionUnavailable, "no replica of the face's partition is there");
    wire::Replication replication;
    for (auto& node : m_nodes) {
        if (!assignedTo(node).contains(partition))
            continue;
        const bool there = stateOf(node) != "DOWN"_L1 && !node.loadingSince;
        there ? ++replication.acked : ++replication.queued;
        there ? ++node.vectors[partition] : ++node.queued;
        if (!there)
            node.oldestQueued = node.oldestQueued.value_or(m_now);
    }
    const auto variation = ++m_lastId;
    m_keyspaces[keyspace][QString::fromStdString(id.text())] = {digestOf(asked->image), m_now, variation};
    return json(wire::toJson(wire::EnrollmentReply{id, base::Variation(variation), {someFace()}, replication}));
}

HttpReply DemoWorld::recognise(const HttpRequest& request, const Node* worker) const {
    const auto asked = wire::parseRecognition(viewOf(request.body));
    if (!asked)
        return failure(asked.error());
    const auto* image = std::get_if<wire::ImageInput>(&asked->probe);
    const auto keyspace = m_keyspaces.find(QString::fromStdString(asked->keyspace.text()));
    if (!image)
        return failure(Reason::ImageMissing, "the demonstration recognises photos only");
    if (keyspace == m_keyspaces.end())
        return failure(Reason::KeyspaceNotFound, "there is no such keyspace");
    // A worker that is asked directly searches what it owns, and says nothing of coverage.
    const auto reached = worker ? assignedTo(*worker) : searchable();
    wire::RecognitionReply reply;
    for (const auto& [id, face] : keyspace->second) {
        if (!reached.contains(hashing::partitionOf(asked->keyspace.text(), id.toStdString())))
            continue;
        const double similarity = likeness(face.digest, digestOf(*image));
        reply.candidates.push_back({base::FaceId::trusted(id.toStdString()), similarity,
                                    base::Variation(face.variation), scoreOf(similarity)});
    }
    std::sort(reply.candidates.begin(), reply.candidates.end(), [](const auto& a, const auto& b) {
        return a.score != b.score ? a.score > b.score : a.faceId < b.faceId;
    });
    if (reply.candidates.size() > static_cast<std::size_t>(asked->candidateCount))
        reply.candidates.erase(reply.candidates.begin() + asked->candidateCount, reply.candidates.end());
    reply.faces = std::vector{someFace()};
    if (worker)
        return json(wire::toJson(reply));
    wire::Coverage coverage;
    coverage.partitionsSearched = reached.count();
    coverage.vectorsSearched = totalVectors();
    coverage.configEpoch = m_config.epoch();
    for (const auto& node : m_nodes) {
        const auto missing = assignedTo(node) - reached;
        if (missing.empty())
            continue;
        wire::FailedNode failed{node.address.toStdString(), {}, "Connection refused"};
        for (const auto& range : missing.ranges())
            failed.partitions.push_back({range.first, range.last});
        coverage.failedNodes.push_back(std::move(failed));
    }
    reply.coverage = coverage;
    if (coverage.complete() || asked->allowPartialSearch.value_or(false))
        return json(wire::toJson(reply));
    const base::Error incomplete{Reason::IncompleteSearch, "not every partition could be searched", {}};
    return failure(incomplete, "\"coverage\":" + wire::toJson(coverage));
}

HttpReply DemoWorld::matchFaces(const HttpRequest& request) const {
    const auto asked = wire::parseMatchV1(viewOf(request.body));
    if (!asked)
        return failure(asked.error());
    const double similarity = likeness(digestOf(asked->imageA), digestOf(asked->imageB));
    return json(wire::toJson(wire::MatchV1Reply{similarity >= 0.5, similarity, scoreOf(similarity)}));
}

HttpReply DemoWorld::getFace(const HttpRequest& request) const {
    const auto query = queryOf(request);
    const auto asked = wire::parseGetEnrollment(query);
    if (!asked)
        return failure(asked.error());
    const auto keyspace = m_keyspaces.find(QString::fromStdString(asked->keyspace.text()));
    if (keyspace == m_keyspaces.end())
        return failure(Reason::KeyspaceNotFound, "there is no such keyspace");
    const auto face = keyspace->second.find(QString::fromStdString(asked->faceId.text()));
    if (face == keyspace->second.end())
        return failure(Reason::FaceNotFound, "there is no such face");
    const auto partition = hashing::partitionOf(asked->keyspace.text(), asked->faceId.text());
    return json(wire::toJson(
        wire::GetEnrollmentReply{asked->keyspace,
                                 asked->faceId,
                                 partition,
                                 face->second.at,
                                 {{base::Variation(face->second.variation), face->second.at, 21.4, "demo-512"}}}));
}

HttpReply DemoWorld::listFaces(const HttpRequest& request) const {
    const auto query = queryOf(request);
    const auto asked = wire::parseListEnrollments(query);
    if (!asked)
        return failure(asked.error());
    const auto keyspace = m_keyspaces.find(QString::fromStdString(asked->keyspace.text()));
    if (keyspace == m_keyspaces.end())
        return failure(Reason::KeyspaceNotFound, "there is no such keyspace");
    wire::ListEnrollmentsReply reply{nameOf(keyspace->first), {}, {}, {}};
    std::vector<wire::ListedFace> faces;
    for (const auto& [id, face] : keyspace->second)
        faces.push_back({base::FaceId::trusted(id.toStdString()),
                         hashing::partitionOf(asked->keyspace.text(), id.toStdString()), 1, face.at});
    std::sort(faces.begin(), faces.end(), [](const auto& a, const auto& b) {
        return a.partition != b.partition ? a.partition < b.partition : a.faceId < b.faceId;
    });
    // Its cursor is the number of faces that were listed.
    const auto first = std::min<std::size_t>(faces.size(), QByteArray::fromStdString(asked->cursor).toULongLong());
    const auto end = std::min(faces.size(), first + static_cast<std::size_t>(asked->limit));
    reply.faces.assign(faces.begin() + static_cast<std::ptrdiff_t>(first),
                       faces.begin() + static_cast<std::ptrdiff_t>(end));
    if (end < faces.size())
        reply.nextCursor = std::to_string(end);
    return json(wire::toJson(reply));
}

HttpReply DemoWorld::deleteFaces(const HttpRequest& request) {
    const auto asked = wire::parseDeleteEnrollment(viewOf(request.body));
    if (!asked)
        return failure(asked.error());
    const auto keyspace = m_keyspaces.find(QString::fromStdString(asked->keyspace.text()));
    if (keyspace == m_keyspaces.end())
        return failure(Reason::KeyspaceNotFound, "there is no such keyspace");
    wire::DeleteEnrollmentReply reply;
    for (const auto& id : asked->faceIds)
        if (keyspace->second.erase(QString::fromStdString(id.text())) > 0)
            reply.deleted.push_back(id);
    return json(wire::toJson(reply));
}

} // namespace fremis::console

#include "tests/sim/write_worker.h"

#include "shared/hashing/partition.h"
#include "shared/http/signature.h"
#include "shared/storage/id_generator.h"
#include "shared/storage/operation_codec.h"
#include "shared/storage/shown_keyspaces.h"
#include "shared/wire/base64.h"
#include "shared/wire/replies.h"

#include <QtGlobal>

#include <cmath>
#include <numeric>
#include <semaphore>
#include <thread>

namespace fremis::sim {

namespace plane = wire::internal;
using base::Reason;
using base::Result;
using coordinator::Call;
using coordinator::Response;

namespace {

/// Starts something that answers through a callback, on whatever thread, and waits for it.
template<class T, class Start> Result<T> await(Start start) {
    std::binary_semaphore answered(0);
    std::optional<Result<T>> answer;
    start([&](Result<T> result) {
        answer.emplace(std::move(result));
        answered.release();
    });
    answered.acquire();
    return std::move(*answer);
}

class SimPhotos final : public engine::PhotoModel {
public:
    void analyse(std::vector<std::string> base64Photos, const vision::Options&, engine::RequestContext,
                 Done done) override {
        std::vector<vision::Analysis> analyses;
        for (auto& photo : base64Photos) {
            const auto bytes = wire::decodeBase64(photo);
            if (!bytes)
                return done(tl::unexpected(bytes.error()));
            vision::Face face;
            face.used = true;
            face.norm = 1.0F;
            face.embedding = embeddingOf({bytes->begin(), bytes->end()});
            analyses.push_back({{face}, 0, 0, {}});
        }
        done(std::move(analyses));
    }
};

std::vector<plane::Record> encoded(const std::vector<storage::Operation>& operations) {
    std::vector<plane::Record> records;
    for (const auto& operation : operations)
        records.push_back(storage::encode(operation));
    return records;
}

hashing::PartitionSet setOf(const std::vector<wire::PartitionRange>& ranges) {
    hashing::PartitionSet set;
    for (const auto& range : ranges)
        set.insert({range.start, range.end});
    return set;
}

std::vector<wire::PartitionRange> rangesOf(const hashing::PartitionSet& set) {
    std::vector<wire::PartitionRange> ranges;
    for (const auto& range : set.ranges())
        ranges.push_back({range.first, range.last});
    return ranges;
}

Response refusal(const base::Error& error, std::string_view members = {}) {
    return {error.status(), wire::errorBody(error, "sim", members)};
}

template<class Body> Response responseOf(const Result<Body>& body) {
    return body ? Response{200, toJson(*body)} : refusal(body.error());
}

} // namespace

std::string photoOf(const std::string& person) {
    return wire::encodeBase64({reinterpret_cast<const std::uint8_t*>(person.data()), person.size()});
}

std::vector<float> embeddingOf(const std::string& person) {
    Chance chance(std::hash<std::string>()(person));
    std::vector<float> values;
    double square = 0;
    for (int i = 0; i < kSimDimension; ++i) {
        values.push_back(static_cast<float>(chance.between(-1'000, 1'000)) + 0.5F);
        square += double{values.back()} * double{values.back()};
    }
    for (auto& value : values)
        value = static_cast<float>(double{value} / std::sqrt(square));
    return values;
}

/// One process.
struct WriteWorker::Life {
    Life(WriteWorker& worker, std::unique_ptr<engine::Node> made)
        : owner(worker), clock(worker.m_clock), node(std::move(made)),
          faceIds(clock, [this] { return node->writer(); }), enrolment(*node, photos, faceIds, clock, {}, std::nullopt),
          removal(*node), keyspaces(*node, clock, std::nullopt), replication(*node), antiEntropy(*node),
          cluster(clock, {std::string(kSimSpace), kSimDimension}) {}

    WriteWorker& owner;
    const base::Clock& clock;
    std::unique_ptr<engine::Node> node;
    SimPhotos photos;
    storage::FaceIdGenerator faceIds;
    engine::Enrolment enrolment;
    engine::Removal removal;
    engine::Keyspaces keyspaces;
    engine::Replication replication;
    engine::AntiEntropy antiEntropy;
    engine::ClusterView cluster;
    http::NonceCache nonces;

    /// The request, when it is whole and of no outdated map; else `refused` is the answer.
    template<class Message>
    std::optional<Message> accepted(Result<Message> message, const std::string& epoch, Response& refused) {
        const auto current = message ? cluster.checkEpoch(epoch) : tl::unexpected(message.error());
        if (current)
            return std::move(*message);
        refused = refusal(current.error());
        return std::nullopt;
    }
    template<class Message> std::optional<Message> acceptedWrite(Result<Message> message, Response& refused) {
        const auto epoch = message ? message->head.epoch : std::string();
        auto write = accepted(std::move(message), epoch, refused);
        if (write)
            node->observe(write->head.seen);
        return write;
    }

    [[nodiscard]] Response health() {
        const auto status = node->status();
        wire::Health body;
        body.state = engine::nameOf(status.state);
        body.loadedPercent = status.loadedPercent();
        body.role = "worker";
        body.version = "1.0.0";
        body.time = clock.sinceEpoch();
        body.vectorsLoaded = status.vectorsLoaded;
        body.vectorsExpected = status.vectorsExpected;
        body.partitions = rangesOf(owner.m_partitions);
        body.space = std::string(kSimSpace);
        body.clientAuth = "open";
        body.internalPort = owner.internalPort();
        return {200, wire::toJson(body)};
    }

    [[nodiscard]] Response probe(const Call& call) {
        const auto parsed = plane::parseProbe(call.body);
        if (!parsed)
            return refusal(parsed.error());
        if (const auto greeted = cluster.greet(*parsed); !greeted)
            return refusal(greeted.error());
        node->observe(parsed->seen);
        const auto identity = node->identity();
        const auto status = node->status();
        plane::ProbeReply body;
        body.node = identity->nodeId;
        body.generation = identity->generation;
        body.version = "1.0.0";
        body.state = engine::nameOf(status.state);
        body.loadedPercent = status.loadedPercent();
        body.vectorsLoaded = status.vectorsLoaded;
        body.space = kSimSpace;
        body.dimension = kSimDimension;
        body.partitionRule = hashing::kPartitionRule;
        body.partitions = rangesOf(owner.m_partitions);
        body.clockMs = clock.sinceEpoch().count();
        body.lastVersion = node->lastVersion();
        body.seen = node->greatestVersion();
        body.epoch = cluster.epoch();
        body.heard = cluster.heard();
        return {200, plane::toJson(body)};
    }

    [[nodiscard]] Response recognise(const Call& call) {
        const auto request = wire::parseRecognition(call.body);
        if (!request)
            return refusal(request.error());
        const auto keyspace = node->keyspace(request->keyspace);
        const auto ready = keyspace ? node->searchable() : tl::unexpected(keyspace.error());
        const auto partitions = ready ? node->partitions(request->partitions) : tl::unexpected(ready.error());
        if (!partitions)
            return refusal(partitions.error());
        const auto& probe = std::get<wire::EmbeddingInput>(request->probe);
        const auto found = node->index().snapshot()->search(
            {keyspace->incarnation, probe.values, request->candidateCount, *partitions, 1});
        if (!found)
            return refusal(found.error());
        wire::RecognitionReply body;
        for (const auto& hit : found->hits.front())
            body.candidates.push_back(
                {base::FaceId::trusted(hit.face), (1.0 + double{hit.score}) / 2, hit.variation, double{hit.score}});
        body.vectorsSearched = found->vectorsSearched;
        body.partitionsSearched = rangesOf(*partitions);
        return {200, wire::toJson(body)};
    }

    [[nodiscard]] Response enrol(const Call& call) {
        Response refused;
        auto asked = acceptedWrite(plane::parseEnrollment(call.body), refused);
        if (!asked)
            return refused;
        auto enrolled = await<engine::Enrolled>([&](auto done) {
            enrolment.originate(std::move(asked->body), asked->head.opId, asked->newFace, {}, done);
        });
        if (!enrolled)
            return refusal(enrolled.error());
        auto& row = enrolled->operation.row;
        if (enrolled->isRepeat)
            if (auto stored = node->store().row(row.incarnation, row.face, row.variation); stored && *stored)
                row = std::move(**stored);
        return {200, plane::toJson(plane::EnrollmentWritten{{enrolled->face, enrolled->variation, {}, {}},
                                                            {storage::encode(enrolled->operation)}})};
    }

    [[nodiscard]] Response removeFaces(const Call& call) {
        Response refused;
        auto asked = acceptedWrite(plane::parseDeleteEnrollment(call.body), refused);
        if (!asked)
            return refused;
        std::vector<storage::OpId> opIds;
        for (const auto& face : asked->body.faceIds)
            opIds.push_back(plane::faceOpId(asked->head.opId, face));
        auto removed = await<engine::FacesRemoved>([&](auto done) {
            removal.removeFaces(std::move(asked->body), {opIds, asked->evenIfAbsent}, done);
        });
        if (!removed)
            return refusal(removed.error());
        const plane::FacesDeleted body{
            {std::move(removed->deleted), {}}, std::move(removed->failed), encoded(removed->operations)};
        if (!removed->error)
            return {200, plane::toJson(body)};
        if (body.operations.empty())
            return refusal(*removed->error);
        const auto members = plane::toJson(body);
        return refusal(*removed->error, std::string_view(members).substr(1, members.size() - 2));
    }

    [[nodiscard]] Response createKeyspace(const Call& call) {
        Response refused;
        const auto asked = acceptedWrite(plane::parseCreateKeyspace(call.body), refused);
        if (!asked)
            return refused;
        const auto made =
            await<engine::KeyspaceCreated>([&](auto done) { keyspaces.create(asked->body, asked->head.opId, done); });
        if (!made)
            return refusal(made.error());
        return {200,
                plane::toJson(plane::KeyspaceCreated{
                    {made->keyspace.name, made->created, made->keyspace.incarnation, made->keyspace.matchThreshold, {}},
                    encoded(made->operations)})};
    }

    [[nodiscard]] Response deleteKeyspace(const Call& call) {
        Response refused;
        const auto asked = acceptedWrite(plane::parseDeleteKeyspace(call.body), refused);
        if (!asked)
            return refused;
        const auto removed =
            await<engine::KeyspaceRemoved>([&](auto done) { keyspaces.remove(asked->body, asked->head.opId, done); });
        if (!removed)
            return refusal(removed.error());
        return {200, plane::toJson(plane::KeyspaceDeleted{{asked->body.keyspace, removed->faces, {}},
                                                          {storage::encode(removed->operation)}})};
    }

    [[nodiscard]] Response apply(const Call& call) {
        Response refused;
        auto message = plane::parseApply(call.body);
        const auto epoch = message ? message->epoch : std::string();
        const auto asked = accepted(std::move(message), epoch, refused);
        if (!asked)
            return refused;
        return responseOf(await<plane::ApplyReply>([&](auto done) { replication.apply(*asked, done); }));
    }

    [[nodiscard]] Response collect(const Call& call) {
        Response refused;
        auto message = plane::parseCollect(call.body);
        const auto epoch = message ? message->epoch : std::string();
        const auto asked = accepted(std::move(message), epoch, refused);
        if (!asked)
            return refused;
        return responseOf(
            replication.collect(setOf(asked->partitions), asked->horizon).map([] { return plane::CollectReply(); }));
    }

    template<class Asked, class Read> [[nodiscard]] Response read(const Result<Asked>& asked, Read reading) {
        return asked ? responseOf(reading(*asked)) : refusal(asked.error());
    }
};

WriteWorker::WriteWorker(const SimEnvironment& environment, std::uint16_t port, hashing::PartitionSet partitions,
                         std::chrono::milliseconds skew, std::uint8_t id)
    : m_clock(environment, skew), m_port(port), m_partitions(partitions) {
    m_disk->identity.nodeId.fill(id);
    m_disk->identity.writer = id;
}

WriteWorker::~WriteWorker() = default;

void WriteWorker::start() {
    engine::Node::Options options;
    options.owned = m_partitions;
    options.space = {std::string(kSimSpace), kSimDimension};
    options.index.dimension = kSimDimension;
    auto node = engine::Node::create(test::openMemoryStore(m_disk, m_clock), options, m_clock,
                                     [](int, const base::Error& why) { qFatal("%s", why.message.c_str()); });
    if (!node)
        qFatal("%s", node.error().message.c_str());
    ++m_lives;
    m_life = std::make_unique<Life>(*this, std::move(*node));
    m_life->node->start();
    while (m_life->node->status().state != engine::NodeState::Active)
        std::this_thread::yield(); // it fills its index
}

void WriteWorker::kill() {
    m_life.reset();
}

Response WriteWorker::answer(const Call& call, const std::string& nonce) {
    auto& life = *m_life;
    if (call.plane == Call::Plane::Internal) {
        const auto now = std::chrono::duration_cast<std::chrono::seconds>(m_clock.sinceEpoch()).count();
        if (const auto fresh = life.nonces.use("sim", nonce, now); !fresh)
            return refusal(fresh.error());
    }
    if (call.target == "/livez")
        return life.health();
    if (call.target == "/v1/face/recognition")
        return life.recognise(call);
    if (call.target == plane::kProbePath)
        return life.probe(call);
    if (call.target == plane::kEnrollmentPath)
        return life.enrol(call);
    if (call.target == plane::kDeleteEnrollmentPath)
        return life.removeFaces(call);
    if (call.target == plane::kKeyspacePath)
        return life.createKeyspace(call);
    if (call.target == plane::kDeleteKeyspacePath)
        return life.deleteKeyspace(call);
    if (call.target == plane::kApplyPath)
        return life.apply(call);
    if (call.target == plane::kCollectPath)
        return life.collect(call);
    auto& digests = life.antiEntropy;
    if (call.target == plane::kDigestsPath)
        return life.read(plane::parseDigests(call.body),
                         [&](const auto& asked) { return digests.digests(setOf(asked.partitions)); });
    if (call.target == plane::kLeavesPath)
        return life.read(plane::parseLeaves(call.body), [&](const auto& asked) { return digests.leaves(asked); });
    if (call.target == plane::kRowsPath)
        return life.read(plane::parseRows(call.body), [&](const auto& asked) { return digests.rows(asked); });
    if (call.target == plane::kKeyspaceRecordsPath)
        return responseOf(digests.keyspaceRecords());
    qFatal("the simulated worker does not know %s", call.target.c_str());
}

std::string WriteWorker::keyspaces() const {
    std::string text;
    for (const auto& record : m_disk->keyspaces.records())
        text += record.name.text() + " " + record.incarnation + "\n";
    return text;
}

std::string WriteWorker::contentOf(base::Partition partition) {
    std::set<std::string> lines; // the numbers of keyspaces, which order a disk, are its own
    const storage::ShownKeyspaces shown(m_disk->keyspaces);
    for (const auto& [key, face] : m_disk->faces) {
        const auto* keyspace = shown.find(key.keyspace);
        if (key.partition != partition || !keyspace)
            continue;
        const auto add = [&, &id = key.face](const std::string& what, base::Version version) {
            lines.insert(keyspace->incarnation + " " + id + " " + what + " " + plane::textOf(version) + "\n");
        };
        if (face.tombstone)
            add("gone", *face.tombstone);
        for (const auto& [variation, version] : face.variationTombstones)
            add(std::to_string(variation) + " gone", version);
        for (const auto& [variation, row] : face.rows)
            add(std::to_string(variation), row.version);
    }
    return std::accumulate(lines.begin(), lines.end(), std::string());
}

} // namespace fremis::sim

// The internal plane of real workers, as a coordinator uses it. Two workers stand for two replicas; rows named B… are
// those of the corpus.
#include "shared/base/clock.h"
#include "shared/hashing/partition.h"
#include "shared/http/signature.h"
#include "shared/storage/operation_codec.h"
#include "shared/wire/internal.h"
#include "tests/contract/sequences.h"
#include "tests/support/postgres_server.h"

#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QStandardPaths>

#include <cmath>

using namespace fremis;
using namespace fremis::test;
namespace plane = wire::internal;
using plane::ApplyEffect;
using plane::IndexState;

namespace {

constexpr int kDimension = 512;
const std::string kAccess = "TEST_ACCESS";
const std::string kSecret = "TEST_SECRET_OF_THE_PAIR";
const std::string kFace = "1234567891"; ///< of partition 5 in "default"; "1234567892" is of 136
constexpr base::Partition kPartition = 5;
const std::string kEpoch = "e1";

/// What one call answered.
struct Reply {
    int status = 0;
    std::string body;
    [[nodiscard]] QString error() const {
        return QJsonDocument::fromJson(QByteArray::fromStdString(body))
            .object()
            .value(QStringLiteral("error"))
            .toString();
    }
};

/// A worker and a client of its internal plane.
class Worker {
public:
    static std::unique_ptr<Worker> start(AppOptions options, bool pair) {
        if (pair) {
            options.environment["FREMISN_ACCESS_KEY"] = kAccess;
            options.environment["FREMISN_SECRET_KEY"] = kSecret;
        }
        auto app = AppProcess::startReady(std::move(options));
        if (!app)
            qFatal("%s", app.error().detail.c_str());
        return std::make_unique<Worker>(std::move(*app), pair);
    }
    Worker(std::unique_ptr<AppProcess> process, bool pair)
        : app(std::move(process)), client(app->port()), m_pair(pair),
          m_internalPort(client.get(QStringLiteral("/livez")).body.value(QStringLiteral("internal_port")).toInt()),
          m_plane("127.0.0.1", m_internalPort) {
        m_plane.setDeadline(std::chrono::seconds(120)); // a whole database may be read
    }

    [[nodiscard]] int internalPort() const { return m_internalPort; }
    [[nodiscard]] HttpClient& plane() { return m_plane; }

    Reply post(std::string_view path, const std::string& body) {
        HttpHeaders headers{{"Content-Type", "application/json"}};
        if (m_pair)
            headers.emplace_back("Authorization", signature(path, body));
        return postWith(path, body, headers);
    }
    Reply postWith(std::string_view path, const std::string& body, const HttpHeaders& headers) {
        const auto response = m_plane.send("POST", path, body, headers);
        return response ? Reply{response->status, response->body} : Reply{0, response.error().message};
    }
    static std::string signature(std::string_view path, const std::string& body, std::int64_t shift = 0,
                                 const std::string& secret = kSecret) {
        const auto now = base::SystemClock().sinceEpoch().count() / 1000 + shift;
        return http::authorizationFor(kAccess, secret, {"POST", path, body}, now);
    }
    /// A message, and the reply's reader.
    template<class Message, class Read> auto call(std::string_view path, const Message& message, Read read) {
        const auto reply = post(path, plane::toJson(message));
        auto value = read(reply.body);
        if (reply.status != 200 || !value)
            qFatal("%s: %d %s", std::string(path).c_str(), reply.status, reply.body.c_str());
        return std::move(*value);
    }
    plane::ApplyReply applyAll(const std::vector<plane::Record>& records, bool mend = false) {
        return call(plane::kApplyPath, plane::ApplyRequest{kEpoch, records, mend}, plane::readApply);
    }
    ApplyEffect apply(const storage::Operation& operation) {
        return applyAll({storage::encode(operation)}).outcomes.front().effect;
    }
    plane::DigestsReply digests(std::vector<wire::PartitionRange> partitions = {{0, 255}}) {
        return call(plane::kDigestsPath, plane::DigestsRequest{std::move(partitions)}, plane::readDigests);
    }
    plane::ProbeReply probe(const std::string& epoch = kEpoch, std::uint8_t coordinator = 1) {
        return call(plane::kProbePath, probeOf(epoch, coordinator), plane::readProbe);
    }
    static plane::ProbeRequest probeOf(const std::string& epoch = kEpoch, std::uint8_t coordinator = 1) {
        plane::ProbeRequest request;
        request.coordinator = {coordinator};
        request.epoch = epoch;
        request.clockMs = base::SystemClock().sinceEpoch().count();
        request.partitionRule = hashing::kPartitionRule;
        return request;
    }
    std::string incarnation(const char* keyspace = "default") {
        for (const auto entry : client.get(QStringLiteral("/v1/face/keyspace")).array("keyspaces"))
            if (entry.toObject().value(QStringLiteral("keyspace")).toString() == QString::fromUtf8(keyspace))
                return entry.toObject().value(QStringLiteral("incarnation")).toString().toStdString();
        return {};
    }

    std::unique_ptr<AppProcess> app;
    FaceClient client;

private:
    const bool m_pair;
    const int m_internalPort;
    HttpClient m_plane;
};

plane::WriteHead head(std::uint8_t number) {
    return {plane::Id{7, number}, kEpoch};
}

storage::AddVariation addition(const std::string& incarnation, const std::string& face, std::uint64_t variation) {
    const auto now = base::SystemClock().sinceEpoch();
    storage::AddVariation add{{incarnation,
                               base::FaceId::trusted(face),
                               base::Variation(variation),
                               hashing::partitionOf("default", face),
                               {static_cast<std::uint64_t>(now.count()) << 16, variation},
                               "",
                               std::vector<float>(kDimension, 0.0F),
                               4.0,
                               now},
                              {}};
    add.row.embedding[variation % kDimension] = 1.0F;
    return add;
}

wire::Enrollment photoOf(const char* file, const std::string& face) {
    return {{photoBase64(file).toStdString()}, base::KeyspaceName::trusted("default"), base::FaceId::trusted(face), {}};
}

bool sameRoots(const plane::DigestsReply& a, const plane::DigestsReply& b) {
    return a.keyspaces == b.keyspaces &&
           std::ranges::equal(a.partitions, b.partitions, {}, &plane::PartitionDigest::root,
                              &plane::PartitionDigest::root);
}

} // namespace

class InternalPlaneTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { FREMIS_NEEDS_FETCHED_DATA(photo("jesper.jpg") && modelPack("fp-mfn512")); }
    void init() {
        FREMIS_NEEDS_FETCHED_DATA(photo("jesper.jpg") && modelPack("fp-mfn512"));
        m_one = Worker::start({}, true);
        m_space = m_one->probe().space;
    }
    void cleanup() {
        for (auto* worker : {&m_one, &m_two}) {
            if (!*worker)
                continue;
            (*worker)->app->terminate();
            QVERIFY((*worker)->app->waitExit() == 0);
            worker->reset();
        }
        m_postgres.reset();
    }

    void onThePublicPortThereIsNoInternalPlane() { // B93
        QVERIFY(m_one->internalPort() > 0);
        QVERIFY(m_one->internalPort() != m_one->app->port());
        for (const auto path : {plane::kProbePath, plane::kApplyPath, plane::kEnrollmentPath})
            VERIFY_ERROR(m_one->client.postText(std::string(path).c_str(), "{}"), 404, "not_found");
        QCOMPARE(m_one->post("/v1/face/keyspace", "{}").status, 404);
        QCOMPARE(m_one->post("/livez", "{}").status, 404);
    }

    void everyCallNeedsTheSignatureOfThePair() {
        const auto body = plane::toJson(Worker::probeOf());
        const HttpHeaders type{{"Content-Type", "application/json"}};
        const auto with = [&](const std::string& authorization) {
            auto headers = type;
            headers.emplace_back("Authorization", authorization);
            return m_one->postWith(plane::kProbePath, body, headers);
        };
        for (const auto path : {plane::kProbePath, plane::kApplyPath, plane::kDigestsPath, plane::kCollectPath}) {
            const auto none = m_one->postWith(path, body, type);
            QCOMPARE(none.status, 401);
            QCOMPARE(none.error(), QStringLiteral("unauthorized"));
        }
        QCOMPARE(with(Worker::signature(plane::kProbePath, body, 0, "ANOTHER_SECRET")).error(),
                 QStringLiteral("unauthorized"));
        QCOMPARE(with(Worker::signature(plane::kApplyPath, body)).error(), QStringLiteral("unauthorized"));
        QCOMPARE(with(Worker::signature(plane::kProbePath, body + " ")).error(), QStringLiteral("unauthorized"));
        QCOMPARE(with("Bearer " + kSecret).error(), QStringLiteral("unauthorized"));
        QCOMPARE(with(Worker::signature(plane::kProbePath, body, 400)).error(), QStringLiteral("clock_skew"));
        const auto once = Worker::signature(plane::kProbePath, body);
        QCOMPARE(with(once).status, 200);
        QCOMPARE(with(once).error(), QStringLiteral("replayed"));
    }

    void withoutAPairItIsOnLoopbackOnlyAndOpen() {
        auto alone = Worker::start({}, false);
        const auto reply = alone->probe();
        QCOMPARE(reply.state, std::string("ACTIVE"));
        QFile table(QStringLiteral("/proc/net/tcp"));
        QVERIFY(table.open(QIODevice::ReadOnly));
        const auto lines = table.readAll();
        const auto port = QByteArray::number(alone->internalPort(), 16).toUpper().rightJustified(4, '0');
        QVERIFY2(lines.contains("0100007F:" + port + " 00000000:0000 0A"), lines.constData());
        QVERIFY2(!lines.contains("00000000:" + port + " 00000000:0000 0A"), lines.constData());
        alone->app->terminate();
        QVERIFY(alone->app->waitExit() == 0);
    }

    void aPortMayBeChosen() {
        const int port = m_one->internalPort();
        AppOptions options;
        options.arguments = {"--listen-port-internal", std::to_string(port)};
        auto taken = AppProcess::start(options);
        QVERIFY(taken.has_value());
        QVERIFY((*taken)->waitExit().value_or(0) != 0); // the port is another worker's
    }

    void thePairMayDoAllOnAClientPlaneWithKeys() {
        AppOptions options;
        options.arguments = {"--client-auth", "required", "--client-keys-file",
                             FREMIS_SOURCE_DIR "/resources/config/client-keys.yml"};
        auto guarded = Worker::start(options, true);
        const std::string body = "{\"keyspace\":\"default\",\"face_ids\":[\"7\"]}";
        const char* path = "/v1/face/delete-enrollment";
        VERIFY_ERROR(guarded->client.postText(path, body), 401, "unauthorized");
        VERIFY_OK(guarded->client.postText(path, body, {{"Authorization", Worker::signature(path, body)}}));
        VERIFY_ERROR(guarded->client.postText(path, body, {{"Authorization", "Bearer " + kSecret}}), 401,
                     "unauthorized");
        guarded->app->terminate();
        QVERIFY(guarded->app->waitExit() == 0);
    }

    void aProbeTellsWhoTheWorkerIsAndWhatItHeard() {
        auto request = Worker::probeOf();
        request.pending = {plane::Id{9}};
        request.lowWater = base::Version{5, 6};
        const auto first = m_one->call(plane::kProbePath, request, plane::readProbe);
        QVERIFY(first.node != plane::Id());
        QCOMPARE(first.generation, 1u);
        QCOMPARE(first.state, std::string("ACTIVE"));
        QCOMPARE(first.dimension, kDimension);
        QCOMPARE(first.partitionRule, std::string(hashing::kPartitionRule));
        QCOMPARE(first.partitions, (std::vector<wire::PartitionRange>{{0, 255}}));
        QCOMPARE(first.epoch, kEpoch);
        QVERIFY(std::abs(first.clockMs - base::SystemClock().sinceEpoch().count()) < 10'000);
        const auto second = m_one->probe(kEpoch, 2); // another coordinator hears of the first
        QVERIFY(second.node == first.node);
        QCOMPARE(second.heard.size(), 2u);
        QVERIFY(second.heard[0].pending == request.pending && second.heard[0].lowWater == request.lowWater);
        QVERIFY(second.lastVersion >= first.lastVersion);
        const auto newest = addition7().row.version;
        QCOMPARE(m_one->apply(addition7()), ApplyEffect::Applied);
        QVERIFY(m_one->probe().lastVersion == newest);
        // The id stays with the data, the generation rises.
        AppOptions options;
        options.dataDir = m_one->app->dataDir();
        m_one->app->kill();
        auto again = Worker::start(options, true);
        const auto third = again->probe();
        QVERIFY(third.node == first.node);
        QCOMPARE(third.generation, 2u);
        QVERIFY(third.lastVersion == newest);
        QCOMPARE(third.vectorsLoaded, 1u);
        again->app->kill();
        m_one.reset();
    }

    void onlyTheInstanceThatIsMeantDoesAnything() {
        const auto probe = m_one->probe();
        const auto own = plane::instanceOf(probe.node, probe.generation);
        QCOMPARE(m_one->client.get(QStringLiteral("/livez")).text("instance"), QString::fromStdString(own));
        const std::string deletion = R"({"keyspace":"default","face_ids":["7"]})";
        const plane::CreateKeyspaceRequest creation{head(1), {base::KeyspaceName::trusted("meant"), {}}};
        const auto create = [&](const std::string& instance) {
            const auto body = plane::toJson(creation);
            return m_one->postWith(plane::kKeyspacePath, body,
                                   {{"Content-Type", "application/json"},
                                    {"Authorization", Worker::signature(plane::kKeyspacePath, body)},
                                    {std::string(plane::kInstanceHeader), instance}});
        };
        for (const auto& other : {plane::instanceOf(probe.node, probe.generation + 1),
                                  plane::instanceOf(plane::Id{7}, probe.generation), std::string("x")}) {
            VERIFY_ERROR(m_one->client.postText("/v1/face/delete-enrollment", deletion,
                                                {{std::string(plane::kInstanceHeader), other}}),
                         421, "other_instance");
            const auto refused = create(other);
            QCOMPARE(refused.status, 421);
            QCOMPARE(refused.error(), QStringLiteral("other_instance"));
        }
        QVERIFY(m_one->incarnation("meant").empty());
        VERIFY_OK(m_one->client.postText("/v1/face/delete-enrollment", deletion,
                                         {{std::string(plane::kInstanceHeader), own}}));
        QCOMPARE(create(own).status, 200);
        QVERIFY(!m_one->incarnation("meant").empty());
    }

    void aCoordinatorOfAnotherKindIsNotAdmitted() { // B95
        auto request = Worker::probeOf();
        request.space = "another";
        QCOMPARE(m_one->post(plane::kProbePath, plane::toJson(request)).error(), QStringLiteral("space_mismatch"));
        request.space = m_space;
        request.dimension = 128;
        QCOMPARE(m_one->post(plane::kProbePath, plane::toJson(request)).error(), QStringLiteral("dimension_mismatch"));
        request.dimension = kDimension;
        request.partitionRule = "crc32-mod128";
        QCOMPARE(m_one->post(plane::kProbePath, plane::toJson(request)).error(), QStringLiteral("rule_mismatch"));
        request.partitionRule = hashing::kPartitionRule;
        request.protocol = 99;
        QCOMPARE(m_one->post(plane::kProbePath, plane::toJson(request)).error(), QStringLiteral("protocol_mismatch"));
        request.protocol = plane::kProtocol;
        QCOMPARE(m_one->post(plane::kProbePath, plane::toJson(request)).status, 200);
    }

    void anOutdatedMapIsRefused() { // B95
        (void)m_one->probe("e1");
        (void)m_one->probe("e2");
        const auto stale = m_one->post(plane::kApplyPath,
                                       plane::toJson(plane::ApplyRequest{"e1", {storage::encode(addition7())}, false}));
        QCOMPARE(stale.status, 409);
        QCOMPARE(stale.error(), QStringLiteral("stale_epoch"));
        plane::EnrollmentRequest enrolment{head(1), photoOf("jesper.jpg", kFace), false};
        QCOMPARE(m_one->post(plane::kEnrollmentPath, plane::toJson(enrolment)).error(), QStringLiteral("stale_epoch"));
        QCOMPARE(m_one->client.face(QString::fromStdString(kFace), QStringLiteral("default")).status, 404);
    }

    void operationsThatDoNotFitHaveTokensOfTheirOwn() { // B95
        auto ahead = addition7();
        ahead.row.version.stamp += std::uint64_t{3'600'000} << 16;
        QCOMPARE(m_one->apply(ahead), ApplyEffect::VersionAhead);
        auto space = addition7();
        space.row.space = "another";
        QCOMPARE(m_one->apply(space), ApplyEffect::SpaceMismatch);
        auto dimension = addition7();
        dimension.row.embedding.resize(128);
        QCOMPARE(m_one->apply(dimension), ApplyEffect::DimensionMismatch);
        auto nan = addition7();
        nan.row.embedding[0] = std::nanf("");
        QCOMPARE(m_one->apply(nan), ApplyEffect::EmbeddingInvalid);
        QCOMPARE(m_one->probe().vectorsLoaded, 0u);
        QCOMPARE(m_one->apply(addition7()), ApplyEffect::Applied);
    }

    void operationsOfForeignPartitionsAreRefused() { // B94
        AppOptions options;
        options.arguments = {"--partition-start=0", "--partition-end=127"};
        m_two = Worker::start(options, true);
        const auto foreign = storage::encode(addition("1234567892", 1));
        const auto all = m_two->post(plane::kApplyPath, plane::toJson(plane::ApplyRequest{kEpoch, {foreign}, false}));
        QCOMPARE(all.status, 421);
        QCOMPARE(all.error(), QStringLiteral("not_owner"));
        const auto some = m_two->applyAll({foreign, storage::encode(addition7())});
        QCOMPARE(some.outcomes[0].effect, ApplyEffect::NotOwner);
        QCOMPARE(some.outcomes[1].effect, ApplyEffect::Applied);
        const plane::EnrollmentRequest enrolment{head(1), photoOf("jesper.jpg", "1234567892"), false};
        QCOMPARE(m_two->post(plane::kEnrollmentPath, plane::toJson(enrolment)).error(), QStringLiteral("not_owner"));
        QCOMPARE(m_two->probe().vectorsLoaded, 1u);
        QCOMPARE(m_two->post(plane::kDigestsPath, plane::toJson(plane::DigestsRequest{{{0, 255}}})).error(),
                 QStringLiteral("not_owner"));
    }

    void whatIsOriginatedOnOneIsAppliedOnTheOther_data() {
        QTest::addColumn<bool>("postgres");
        QTest::newRow("SQLite") << false;
        if (PostgresServer::isInstalled())
            QTest::newRow("PostgreSQL") << true;
        else if (fetchedDataIsRequired())
            QFAIL("PostgreSQL is needed");
    }
    void whatIsOriginatedOnOneIsAppliedOnTheOther() {
        QFETCH(const bool, postgres);
        m_two = Worker::start(postgres ? onPostgres() : AppOptions(), true);
        const auto jesper = photoOf("jesper.jpg", kFace);
        const plane::EnrollmentRequest enrolment{head(1), jesper, true};
        const auto enrolled = m_one->call(plane::kEnrollmentPath, enrolment, plane::readEnrollmentWritten);
        QCOMPARE(enrolled.reply.faceId.text(), kFace);
        QCOMPARE(enrolled.operations.size(), 1u);
        QCOMPARE(m_two->applyAll(enrolled.operations).outcomes[0].effect, ApplyEffect::Applied);
        QVERIFY(sameRoots(m_one->digests(), m_two->digests()));
        const auto found =
            m_two->client.recognise(QString::fromStdString(jesper.image.base64), QStringLiteral("default"));
        QCOMPARE(idsOf(found.candidates()), QStringList{QString::fromStdString(kFace)});

        // A repeat, here or there, gets the first answer and makes nothing new.
        for (auto* worker : {m_one.get(), m_two.get()}) {
            const auto again = worker->call(plane::kEnrollmentPath, enrolment, plane::readEnrollmentWritten);
            QVERIFY(again.reply.variation == enrolled.reply.variation);
            QVERIFY(again.operations == enrolled.operations);
            QCOMPARE(worker->probe().vectorsLoaded, 1u);
        }
        // Another operation with the generated id is told that it is taken.
        const plane::EnrollmentRequest taken{head(2), jesper, true};
        QCOMPARE(m_one->post(plane::kEnrollmentPath, plane::toJson(taken)).error(), QStringLiteral("face_exists"));
        const plane::EnrollmentRequest more{head(3), jesper, false};
        const auto second = m_one->call(plane::kEnrollmentPath, more, plane::readEnrollmentWritten);
        QVERIFY(second.reply.variation != enrolled.reply.variation);

        const plane::DeleteVariationRequest variation{
            head(4), {jesper.keyspace, *jesper.faceId, {enrolled.reply.variation, base::Variation(1)}}};
        const auto lessOne = m_one->call(plane::kDeleteVariationPath, variation, plane::readVariationsDeleted);
        QCOMPARE(lessOne.reply.deleted.size(), 1u);
        QCOMPARE(lessOne.operations.size(), 1u); // what was not there leaves nothing to apply
        QVERIFY(!lessOne.reply.faceDeleted);

        const plane::DeleteEnrollmentRequest faces{
            head(5), {jesper.keyspace, {*jesper.faceId, base::FaceId::trusted("nobody")}}};
        const auto deleted = m_one->call(plane::kDeleteEnrollmentPath, faces, plane::readFacesDeleted);
        QCOMPARE(deleted.reply.deleted, (std::vector{*jesper.faceId}));
        QCOMPARE(deleted.operations.size(), 1u);
        const auto deletedAgain = m_one->call(plane::kDeleteEnrollmentPath, faces, plane::readFacesDeleted);
        QVERIFY(deletedAgain.reply.deleted == deleted.reply.deleted && deletedAgain.operations == deleted.operations);

        // The other replica gets all of it backwards and twice.
        for (int again = 0; again < 2; ++again)
            for (const auto* operations :
                 {&deleted.operations, &lessOne.operations, &second.operations, &enrolled.operations})
                (void)m_two->applyAll(*operations);
        QVERIFY(sameRoots(m_one->digests(), m_two->digests()));
        QCOMPARE(m_two->probe().vectorsLoaded, 0u);

        // Enrolled again after the delete, it is there at once.
        const auto back = m_two->call(plane::kEnrollmentPath, plane::EnrollmentRequest{head(6), jesper, false},
                                      plane::readEnrollmentWritten);
        QCOMPARE(m_one->applyAll(back.operations).outcomes[0].effect, ApplyEffect::Applied);
        QVERIFY(sameRoots(m_one->digests(), m_two->digests()));
        QCOMPARE(m_one->probe().vectorsLoaded, 1u);
    }

    void keyspacesAreOriginatedAndApplied() {
        m_two = Worker::start({}, true);
        const auto name = base::KeyspaceName::trusted("employee");
        const plane::CreateKeyspaceRequest create{head(1), {name, 0.45}};
        const auto created = m_one->call(plane::kKeyspacePath, create, plane::readKeyspaceCreated);
        QVERIFY(created.reply.created);
        QVERIFY(created.reply.matchThreshold == 0.45);
        for (const auto& outcome : m_two->applyAll(created.operations).outcomes)
            QVERIFY(plane::isConfirmed(outcome.effect));
        QVERIFY(sameRoots(m_one->digests(), m_two->digests()));
        QCOMPARE(m_two->incarnation("employee"), created.reply.incarnation);
        const auto known = m_one->call(plane::kKeyspacePath, plane::CreateKeyspaceRequest{head(2), {name, {}}},
                                       plane::readKeyspaceCreated);
        QVERIFY(!known.reply.created);
        QCOMPARE(known.operations.size(), 1u);

        auto inIt = photoOf("jesper.jpg", "7");
        inIt.keyspace = name;
        const auto enrolled = m_one->call(plane::kEnrollmentPath, plane::EnrollmentRequest{head(3), inIt, false},
                                          plane::readEnrollmentWritten);
        const plane::DeleteKeyspaceRequest drop{head(4), {name}};
        const auto dropped = m_one->call(plane::kDeleteKeyspacePath, drop, plane::readKeyspaceDeleted);
        QCOMPARE(dropped.reply.facesDeleted, 1u);
        const auto unknown = plane::DeleteKeyspaceRequest{head(5), {name}};
        QCOMPARE(m_one->post(plane::kDeleteKeyspacePath, plane::toJson(unknown)).error(),
                 QStringLiteral("keyspace_not_found"));
        const auto next = m_one->call(plane::kKeyspacePath, plane::CreateKeyspaceRequest{head(6), {name, {}}},
                                      plane::readKeyspaceCreated);
        QVERIFY(next.reply.created && next.reply.incarnation != created.reply.incarnation);
        // A repeat of the drop, after the name is used again, still speaks of the first one.
        const auto droppedAgain = m_one->call(plane::kDeleteKeyspacePath, drop, plane::readKeyspaceDeleted);
        QVERIFY(droppedAgain.operations == dropped.operations && droppedAgain.reply.facesDeleted == 1);
        QCOMPARE(m_one->incarnation("employee"), next.reply.incarnation);

        // Elsewhere the new life arrives first; the late enrolment into the old one is not for it.
        QVERIFY(plane::isConfirmed(m_two->applyAll(next.operations).outcomes[0].effect));
        (void)m_two->applyAll(enrolled.operations);
        QVERIFY(plane::isConfirmed(m_two->applyAll(dropped.operations).outcomes[0].effect));
        auto later = std::get<storage::AddVariation>(*storage::decode(enrolled.operations[0]));
        later.opId = {}; // not known as a repeat
        QCOMPARE(m_two->apply(later), ApplyEffect::StaleIncarnation);
        QVERIFY(sameRoots(m_one->digests(), m_two->digests()));
        QCOMPARE(m_two->incarnation("employee"), next.reply.incarnation);
        QCOMPARE(m_two->probe().vectorsLoaded, 0u);
    }

    void aReplicaIsMendedByDigestsLeavesAndRows() {
        m_two = Worker::start({}, true);
        std::vector<plane::Record> records;
        for (std::uint64_t i = 0; i < 300; ++i)
            records.push_back(storage::encode(addition("face-" + std::to_string(i), i + 1)));
        (void)m_one->applyAll(records);
        records.erase(records.begin() + 100, records.begin() + 110);
        (void)m_two->applyAll(records);
        const auto one = m_one->digests();
        const auto two = m_two->digests();
        int mended = 0;
        for (std::size_t i = 0; i < one.partitions.size(); ++i) {
            if (one.partitions[i].root == two.partitions[i].root)
                continue;
            const auto partition = one.partitions[i].partition;
            plane::LeavesRequest leaves{partition, {}};
            for (std::uint16_t node = 256; node < 512; ++node)
                leaves.nodes.push_back(node);
            const auto ours = m_one->call(plane::kLeavesPath, leaves, plane::readLeaves);
            const auto theirs = m_two->call(plane::kLeavesPath, leaves, plane::readLeaves);
            plane::RowsRequest rows{partition, {}, {}, 1};
            for (std::size_t leaf = 0; leaf < 256; ++leaf)
                if (ours.digests[leaf] != theirs.digests[leaf])
                    rows.leaves.push_back(static_cast<std::uint8_t>(leaf));
            QVERIFY(!rows.leaves.empty());
            for (;;) {
                const auto page = m_one->call(plane::kRowsPath, rows, plane::readRows);
                for (const auto& outcome : m_two->applyAll(page.records, true).outcomes)
                    mended += outcome.effect == ApplyEffect::Applied;
                if (!page.nextCursor)
                    break;
                rows.cursor = *page.nextCursor;
            }
        }
        QCOMPARE(mended, 10);
        QVERIFY(sameRoots(m_one->digests(), m_two->digests()));
        QVERIFY(m_one->post(plane::kKeyspaceRecordsPath, "{}").status == 200);
    }

    void whatIsDoneBehindItsBackInTheDatabaseShows() {
        if (QStandardPaths::findExecutable(QStringLiteral("sqlite3")).isEmpty())
            QSKIP("needs the program sqlite3");
        QCOMPARE(m_one->apply(addition7()), ApplyEffect::Applied);
        const auto digest = [&] { return m_one->digests({{kPartition, kPartition}}).partitions.front(); };
        const auto before = digest();
        QCOMPARE(before.rows, 1u);
        QCOMPARE(before.index, IndexState::Equal);
        sql("UPDATE enrollments SET embedding = zeroblob(2048)");
        const auto altered = digest();
        QVERIFY(altered.root != before.root);
        QCOMPARE(altered.degraded, 1u);
        QCOMPARE(altered.index, IndexState::Different);
        QCOMPARE(m_one->probe().vectorsLoaded, 0u);
        QCOMPARE(m_one->applyAll({storage::encode(addition7())}, true).outcomes[0].effect, ApplyEffect::Applied);
        QVERIFY(digest().root == before.root);
        sql("DELETE FROM enrollments");
        QVERIFY(digest().root != before.root);
        QCOMPARE(m_one->applyAll({storage::encode(addition7())}, true).outcomes[0].effect, ApplyEffect::Applied);
        QVERIFY(digest().root == before.root);
    }

    void tombstonesAreCollectedAndLateOperationsRefused() {
        const auto late = addition7();
        QCOMPARE(m_one->apply(late), ApplyEffect::Applied);
        storage::DeleteFace gone{late.row.incarnation, late.row.face, late.row.partition, late.row.version, {}};
        gone.version.stamp += 1;
        QCOMPARE(m_one->apply(gone), ApplyEffect::Applied);
        plane::CollectRequest collect{kEpoch, {{0, 255}}, gone.version};
        collect.horizon.stamp += 1;
        QCOMPARE(m_one->post(plane::kCollectPath, plane::toJson(collect)).status, 200);
        QCOMPARE(m_one->digests({{kPartition, kPartition}}).partitions.front().tombstones, 0u);
        QCOMPARE(m_one->apply(late), ApplyEffect::BehindHorizon);
        collect.horizon.stamp += std::uint64_t{3'600'000} << 16;
        QCOMPARE(m_one->post(plane::kCollectPath, plane::toJson(collect)).error(), QStringLiteral("version_ahead"));
    }

    void bodiesThatMakeNoSenseAreRefused() {
        for (const auto path :
             {plane::kProbePath, plane::kEnrollmentPath, plane::kDeleteEnrollmentPath, plane::kDeleteVariationPath,
              plane::kKeyspacePath, plane::kDeleteKeyspacePath, plane::kApplyPath, plane::kDigestsPath,
              plane::kLeavesPath, plane::kRowsPath, plane::kCollectPath})
            for (const char* body : {"", "[]", "{}", "{\"epoch\":7}", "{\"partitions\":[{\"start\":-1}]}"}) {
                const auto reply = m_one->post(path, body);
                QVERIFY2(reply.status == 400, (std::string(path) + body + reply.body).c_str());
                QVERIFY(!reply.error().isEmpty());
            }
        const auto huge = m_one->applyAll({std::string(100'000, 'x')});
        QCOMPARE(huge.outcomes[0].effect, ApplyEffect::Damaged);
        QCOMPARE(m_one->probe().state, std::string("ACTIVE"));
    }

private:
    [[nodiscard]] storage::AddVariation addition(const std::string& face, std::uint64_t variation) {
        auto add = ::addition(m_one->incarnation(), face, variation);
        add.row.space = m_space;
        return add;
    }
    /// The same each time.
    [[nodiscard]] const storage::AddVariation& addition7() {
        if (!m_seven || m_sevenOf != m_one->app->pid()) {
            m_seven = addition(kFace, 7);
            m_sevenOf = m_one->app->pid();
        }
        return *m_seven;
    }
    void sql(const char* statement) {
        QProcess sqlite;
        sqlite.start(QStringLiteral("sqlite3"),
                     {QString::fromStdString(m_one->app->dataDir()) + QStringLiteral("/store.db"),
                      QString::fromUtf8(statement)});
        QVERIFY2(sqlite.waitForFinished() && sqlite.exitCode() == 0, sqlite.readAllStandardError().constData());
    }
    [[nodiscard]] AppOptions onPostgres() {
        m_postgres = std::move(*PostgresServer::start());
        AppOptions options;
        options.arguments = {"--storage",     "postgres",
                             "--db-address",  "127.0.0.1",
                             "--db-port",     std::to_string(m_postgres->port()),
                             "--db-name",     *m_postgres->createDatabase(),
                             "--db-username", m_postgres->user()};
        options.environment["FREMISN_DB_PASSWORD"] = m_postgres->password();
        return options;
    }

    std::unique_ptr<PostgresServer> m_postgres;
    std::unique_ptr<Worker> m_one;
    std::unique_ptr<Worker> m_two;
    std::string m_space;
    std::optional<storage::AddVariation> m_seven;
    pid_t m_sevenOf = -1;
};

QTEST_GUILESS_MAIN(InternalPlaneTest)
#include "internal_plane_test.moc"

// Two replicas by way of the engine alone: what one applies, in which order and how often, and what their digests say.
#include "server/engine/anti_entropy.h"
#include "server/engine/replication.h"
#include "shared/hashing/partition.h"
#include "shared/storage/operation_codec.h"
#include "shared/storage/sqlite/sqlite_store.h"
#include "tests/support/gated_store.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include <rapidcheck.h>

#include <cmath>
#include <future>
#include <random>

using namespace fremis;
using engine::NodeState;
using wire::internal::ApplyEffect;
using wire::internal::IndexState;

namespace {

constexpr int kDimension = 4;
const storage::EnrollmentStore::Space kSpace{"test-space", kDimension};

class Replica {
public:
    Replica() { open(true); }

    void open(bool start) {
        antiEntropy.reset();
        node.reset();
        auto opened = storage::openSqlite({.directory = directory.path().toStdString(), .vfs = {}, .clock = nullptr});
        if (!opened)
            qFatal("%s", opened.error().message.c_str());
        auto gated = std::make_unique<test::GatedStore>(std::move(*opened));
        store = gated.get();
        engine::Node::Options options;
        options.space = kSpace;
        options.owned = owned;
        options.index.dimension = kDimension;
        node = std::move(*engine::Node::create(std::move(gated), options, clock, {}));
        antiEntropy.emplace(*node);
        if (start) {
            node->start();
            waitFor(NodeState::Active);
        }
    }
    void waitFor(NodeState state) const {
        if (!QTest::qWaitFor([&] { return node->status().state == state; }, 20'000))
            qFatal("the node does not reach its state");
    }
    [[nodiscard]] base::Result<wire::internal::ApplyReply> applyAll(const std::vector<storage::Operation>& operations,
                                                                    bool mend = false) {
        wire::internal::ApplyRequest request{"e", {}, mend};
        for (const auto& operation : operations)
            request.operations.push_back(storage::encode(operation));
        std::promise<base::Result<wire::internal::ApplyReply>> promise;
        engine::Replication replication(*node);
        replication.apply(request, [&](auto reply) { promise.set_value(std::move(reply)); });
        return promise.get_future().get();
    }
    [[nodiscard]] ApplyEffect apply(const storage::Operation& operation, bool mend = false) {
        return applyAll({operation}, mend)->outcomes.front().effect;
    }
    [[nodiscard]] wire::internal::DigestsReply digests() { return *antiEntropy->digests(node->options().owned); }
    [[nodiscard]] wire::internal::PartitionDigest digest(base::Partition partition) {
        hashing::PartitionSet one;
        one.insert(partition);
        return antiEntropy->digests(one)->partitions.front();
    }
    [[nodiscard]] std::vector<storage::Operation> rows(base::Partition partition, int limit) {
        wire::internal::RowsRequest request{partition, {}, {}, limit};
        for (int leaf = 0; leaf < 256; ++leaf)
            request.leaves.push_back(static_cast<std::uint8_t>(leaf));
        std::vector<storage::Operation> operations;
        for (;;) {
            const auto page = *antiEntropy->rows(request);
            for (const auto& record : page.records)
                operations.push_back(*storage::decode(record));
            if (!page.nextCursor)
                return operations;
            request.cursor = *page.nextCursor;
        }
    }
    [[nodiscard]] std::vector<storage::Operation> keyspaceRecords() const {
        std::vector<storage::Operation> operations;
        const auto reply = antiEntropy->keyspaceRecords();
        for (const auto& record : reply->records)
            operations.push_back(*storage::decode(record));
        return operations;
    }
    /// SQL past the store, as an accident or an intruder would.
    void sql(const char* statement) const {
        QProcess sqlite;
        sqlite.start(QStringLiteral("sqlite3"),
                     {directory.path() + QStringLiteral("/store.db"), QString::fromUtf8(statement)});
        if (!sqlite.waitForFinished() || sqlite.exitCode() != 0)
            qFatal("%s", sqlite.readAllStandardError().constData());
    }
    [[nodiscard]] std::string incarnation(const char* keyspace = "default") const {
        return node->keyspace(base::KeyspaceName::trusted(keyspace))->incarnation;
    }

    const base::SystemClock clock;
    hashing::PartitionSet owned = hashing::PartitionSet::all();
    QTemporaryDir directory;
    test::GatedStore* store = nullptr;
    std::unique_ptr<engine::Node> node;
    std::optional<engine::AntiEntropy> antiEntropy;
};

/// A version `ago` before now; greater ones are newer.
base::Version versionAt(std::chrono::milliseconds ago, std::uint64_t writer = 7) {
    const auto now = base::SystemClock().sinceEpoch();
    return {static_cast<std::uint64_t>((now - ago).count()) << 16, writer};
}

struct Maker {
    std::string incarnation;
    std::string keyspace = "default";
    /// Frozen, so that a row made twice is the same row.
    base::Version origin = versionAt(std::chrono::hours(1));

    [[nodiscard]] base::Version version(int time) const {
        return {origin.stamp + (static_cast<std::uint64_t>(time) << 16), 7};
    }
    [[nodiscard]] storage::AddVariation add(const std::string& face, std::uint64_t variation, int time) const {
        const float angle = static_cast<float>(variation % 6);
        return {{incarnation,
                 base::FaceId::trusted(face),
                 base::Variation(variation),
                 hashing::partitionOf(keyspace, face),
                 version(time),
                 kSpace.name,
                 {std::cos(angle), std::sin(angle), 0, 0},
                 4.0,
                 std::chrono::milliseconds(1'767'225'600'000)},
                {}};
    }
    [[nodiscard]] storage::DeleteFace remove(const std::string& face, int time) const {
        return {incarnation, base::FaceId::trusted(face), hashing::partitionOf(keyspace, face), version(time), {}};
    }
    [[nodiscard]] storage::DeleteVariation remove(const std::string& face, std::uint64_t variation, int time) const {
        return {incarnation,
                base::FaceId::trusted(face),
                base::Variation(variation),
                hashing::partitionOf(keyspace, face),
                version(time),
                {}};
    }
};

constexpr base::Partition kPartition = 5; // of "1234567891" in "default"
const std::string kFace = "1234567891";

bool sameDigests(const wire::internal::DigestsReply& a, const wire::internal::DigestsReply& b) {
    return a.keyspaces == b.keyspaces &&
           std::ranges::equal(a.partitions, b.partitions, {}, &wire::internal::PartitionDigest::root,
                              &wire::internal::PartitionDigest::root);
}

} // namespace

class ReplicationTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refusalsHaveTokensOfTheirOwn() {
        Replica replica;
        const Maker make{replica.incarnation()};
        const auto good = make.add(kFace, 1, 1);
        auto ahead = good;
        ahead.row.version = versionAt(-std::chrono::hours(1));
        QCOMPARE(replica.apply(ahead), ApplyEffect::VersionAhead);
        auto nearlyAhead = make.remove("other", 1);
        nearlyAhead.version = versionAt(-std::chrono::seconds(50));
        QCOMPARE(replica.apply(nearlyAhead), ApplyEffect::Applied);
        auto space = good;
        space.row.space = "another";
        QCOMPARE(replica.apply(space), ApplyEffect::SpaceMismatch);
        auto longer = good;
        longer.row.embedding.push_back(0);
        QCOMPARE(replica.apply(longer), ApplyEffect::DimensionMismatch);
        auto nan = good;
        nan.row.embedding[0] = std::nanf("");
        QCOMPARE(replica.apply(nan), ApplyEffect::EmbeddingInvalid);
        auto zero = good;
        zero.row.embedding = {0, 0, 0, 0};
        QCOMPARE(replica.apply(zero), ApplyEffect::EmbeddingInvalid);
        auto elsewhere = good;
        elsewhere.row.partition = 6;
        QCOMPARE(replica.apply(elsewhere), ApplyEffect::Invalid);
        auto unknown = good;
        unknown.row.incarnation = "NOBODYKNOWSTHISONE";
        QCOMPARE(replica.apply(unknown), ApplyEffect::KeyspaceUnknown);
        QCOMPARE(replica.node->index().counts().vectors, 0u);
        QCOMPARE(replica.apply(good), ApplyEffect::Applied);
        QCOMPARE(replica.apply(good), ApplyEffect::Already);
        QCOMPARE(replica.apply(make.remove(kFace, 2)), ApplyEffect::Applied);
        QCOMPARE(replica.apply(good), ApplyEffect::Stale);
    }

    void aDamagedRecordDoesNotDisturbTheOthers() {
        Replica replica;
        const Maker make{replica.incarnation()};
        wire::internal::ApplyRequest request{"e", {}, false};
        request.operations = {storage::encode(make.add(kFace, 1, 1)), storage::encode(make.add(kFace, 2, 2)), ""};
        request.operations[1][30] ^= 1;
        std::promise<base::Result<wire::internal::ApplyReply>> promise;
        engine::Replication replication(*replica.node);
        replication.apply(request, [&](auto reply) { promise.set_value(std::move(reply)); });
        const auto reply = promise.get_future().get();
        QVERIFY(reply.has_value());
        QCOMPARE(reply->outcomes[0].effect, ApplyEffect::Applied);
        QCOMPARE(reply->outcomes[1].effect, ApplyEffect::Damaged);
        QCOMPARE(reply->outcomes[2].effect, ApplyEffect::Damaged);
        QCOMPARE(replica.node->index().counts().vectors, 1u);
    }

    void foreignPartitionsAreRefused() {
        Replica replica;
        replica.owned = {};
        replica.owned.insert(kPartition);
        replica.open(true);
        const Maker make{replica.incarnation()};
        const auto foreign = make.add("1234567892", 1, 1); // of partition 136
        const auto all = replica.applyAll({foreign, foreign});
        QVERIFY(!all);
        QCOMPARE(all.error().reason, base::Reason::NotOwner);
        const auto some = replica.applyAll({foreign, make.add(kFace, 1, 1)});
        QCOMPARE(some->outcomes[0].effect, ApplyEffect::NotOwner);
        QCOMPARE(some->outcomes[1].effect, ApplyEffect::Applied);
        QCOMPARE(*replica.store->countRows(hashing::PartitionSet::all()), 1u);
        QCOMPARE(replica.antiEntropy->digests(hashing::PartitionSet::all()).error().reason, base::Reason::NotOwner);
    }

    void whatComesWhileLoadingIsStoredAndFound() {
        Replica replica;
        const Maker make{replica.incarnation()};
        QCOMPARE(replica.apply(make.add("stays", 1, 1)), ApplyEffect::Applied);
        QCOMPARE(replica.apply(make.add("goes", 1, 1)), ApplyEffect::Applied);
        replica.open(false);
        replica.store->closeGate();
        replica.node->start();
        QTRY_VERIFY(replica.store->scanWaits());
        QCOMPARE(replica.node->status().state, NodeState::Loading);
        QCOMPARE(replica.apply(make.add("comes", 1, 2)), ApplyEffect::Applied);
        QCOMPARE(replica.apply(make.remove("goes", 2)), ApplyEffect::Applied);
        QCOMPARE(replica.apply(make.add("goes", 2, 1)), ApplyEffect::Stale);
        replica.store->openGate();
        replica.waitFor(NodeState::Active);
        QCOMPARE(replica.node->index().counts().vectors, 2u);
        for (const auto& digest : replica.digests().partitions)
            QCOMPARE(digest.index, IndexState::Equal);
    }

    void anyOrderAndAnyRepetitionGiveEqualDigests() {
        Replica first;
        Replica second;
        int round = 0;
        QVERIFY(rc::check("replicas that got the same operations have the same digests", [&] {
            const auto keyspace = "k" + std::to_string(++round);
            const auto name = base::KeyspaceName::trusted(keyspace);
            const auto count = *rc::gen::inRange(1, 25);
            std::vector<storage::Operation> operations;
            const Maker old{"OLD" + keyspace, keyspace};
            Maker young{"YOUNG" + keyspace, keyspace};
            young.origin = old.origin;
            operations.emplace_back(storage::CreateKeyspace{name, old.incarnation, {}, old.version(0), {}, {}});
            operations.emplace_back(storage::CreateKeyspace{name, young.incarnation, 0.5, old.version(500), {}, {}});
            if (*rc::gen::arbitrary<bool>())
                operations.emplace_back(storage::DropKeyspace{name, old.incarnation, {}, old.version(400), {}});
            for (int i = 0; i < count; ++i) {
                const auto& make = *rc::gen::arbitrary<bool>() ? old : young;
                const auto face = std::string(1, static_cast<char>('a' + *rc::gen::inRange(0, 3)));
                const auto variation = static_cast<std::uint64_t>(*rc::gen::inRange(1, 4));
                const auto time =
                    *rc::gen::inRange(1, 300) * 2 + i; // may collide: one operation is then the other's repeat
                switch (*rc::gen::inRange(0, 4)) {
                case 0:
                    operations.emplace_back(make.remove(face, time));
                    break;
                case 1:
                    operations.emplace_back(make.remove(face, variation, time));
                    break;
                default:
                    operations.emplace_back(make.add(face, variation, time));
                }
            }
            std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
            const auto feed = [&](Replica& replica) {
                auto sequence = operations;
                for (const auto& operation : operations)
                    if (random() % 3 == 0)
                        sequence.push_back(operation);
                std::ranges::shuffle(sequence, random);
                while (!sequence.empty()) { // what waits for its keyspace goes round again
                    std::vector<storage::Operation> waiting;
                    const auto reply = replica.applyAll(sequence);
                    RC_ASSERT(reply.has_value());
                    for (std::size_t i = 0; i < sequence.size(); ++i) {
                        RC_ASSERT(reply->outcomes[i].effect != ApplyEffect::Invalid);
                        if (reply->outcomes[i].effect == ApplyEffect::KeyspaceUnknown)
                            waiting.push_back(sequence[i]);
                    }
                    sequence = std::move(waiting);
                }
            };
            feed(first);
            feed(second);
            hashing::PartitionSet touched;
            for (const char* face : {"a", "b", "c"})
                touched.insert(hashing::partitionOf(keyspace, face));
            const auto digests = *first.antiEntropy->digests(touched);
            RC_ASSERT(sameDigests(digests, *second.antiEntropy->digests(touched)));
            for (const auto& digest : digests.partitions)
                RC_ASSERT(digest.index == IndexState::Equal);
        }));
    }

    void aDeleteThatComesLateLeavesWhatIsNewer() {
        Replica replica;
        const Maker make{replica.incarnation()};
        const auto vectors = [&] { return replica.node->index().counts().vectors; };
        QVERIFY(replica.applyAll({make.add(kFace, 1, 1), make.add(kFace, 2, 5), make.add(kFace, 3, 6)}).has_value());
        QCOMPARE(replica.apply(make.remove(kFace, 2, 4)), ApplyEffect::Applied); // older than the variation
        QCOMPARE(vectors(), 3u);
        QCOMPARE(replica.apply(make.remove(kFace, 0)), ApplyEffect::Applied); // older than all
        QCOMPARE(vectors(), 3u);
        QCOMPARE(replica.apply(make.remove(kFace, 3)), ApplyEffect::Applied); // older than two of three
        QCOMPARE(vectors(), 2u);
        QCOMPARE(replica.digest(kPartition).index, IndexState::Equal);
    }

    void anEmptyReplicaIsFilledFromTheRowsOfAnother() {
        Replica full;
        QCOMPARE(
            full.apply(storage::DropKeyspace{
                base::KeyspaceName::trusted("default"), full.incarnation(), {}, versionAt(std::chrono::hours(2)), {}}),
            ApplyEffect::Applied);
        const Maker make{full.incarnation()};
        std::vector<storage::Operation> operations;
        for (int i = 0; i < 40; ++i)
            operations.emplace_back(make.add("face-" + std::to_string(i), 1 + static_cast<std::uint64_t>(i), 1));
        operations.emplace_back(make.add("face-1", 99, 2));
        operations.emplace_back(make.remove("face-2", 3));
        operations.emplace_back(make.remove("face-1", 99, 3));
        operations.emplace_back(make.remove("never-seen", 3));
        operations.emplace_back(storage::CreateKeyspace{
            base::KeyspaceName::trusted("employee"), "EMPLOYEE1", 0.5, make.version(1), {}, {}});
        operations.emplace_back(
            storage::CreateKeyspace{base::KeyspaceName::trusted("gone"), "GONE1", {}, make.version(1), {}, {}});
        operations.emplace_back(
            storage::DropKeyspace{base::KeyspaceName::trusted("gone"), "GONE1", {}, make.version(2), {}});
        operations.emplace_back(Maker{"EMPLOYEE1", "employee", make.origin}.add("7", 1, 2));
        QVERIFY(full.applyAll(operations).has_value());
        const auto wanted = full.digests();
        for (int limit = 1; limit <= 512; limit *= 8) {
            Replica empty;
            QVERIFY(empty.applyAll(full.keyspaceRecords(), true).has_value());
            for (const auto& digest : wanted.partitions)
                if (const auto rows = full.rows(digest.partition, limit); !rows.empty())
                    QVERIFY(empty.applyAll(rows, true).has_value());
            QVERIFY(sameDigests(wanted, empty.digests()));
            QCOMPARE(empty.node->index().counts().vectors, full.node->index().counts().vectors);
        }
    }

    void whatIsDoneBehindTheWorkersBackShowsAndIsMended_data() {
        QTest::addColumn<QByteArray>("sql");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("degraded");
        QTest::newRow("a row removed") << QByteArray("DELETE FROM enrollments WHERE face_id = '1234567891'") << 0 << 0;
        QTest::newRow("an embedding changed")
            << QByteArray("UPDATE enrollments SET embedding = zeroblob(16) WHERE face_id = '1234567891'") << 0 << 1;
        QTest::newRow("a version raised")
            << QByteArray("UPDATE enrollments SET stamp = stamp + 1 WHERE face_id = '1234567891'") << 0 << 1;
        QTest::newRow("a version lowered")
            << QByteArray("UPDATE enrollments SET stamp = stamp - 1 WHERE face_id = '1234567891'") << 0 << 1;
        QTest::newRow("a row added")
            << QByteArray("INSERT INTO enrollments (keyspace_id, partition, face_id, variation, stamp, writer, "
                          "created_at, space_id, norm, checksum, embedding) SELECT keyspace_id, partition, face_id, "
                          "variation + 1, stamp, writer, created_at, space_id, norm, checksum, embedding FROM "
                          "enrollments WHERE face_id = '1234567891'")
            << 1 << 1;
    }
    void whatIsDoneBehindTheWorkersBackShowsAndIsMended() {
        if (QStandardPaths::findExecutable(QStringLiteral("sqlite3")).isEmpty())
            QSKIP("needs the program sqlite3");
        QFETCH(QByteArray, sql);
        QFETCH(int, rows);
        QFETCH(int, degraded);
        Replica whole;
        Replica hurt;
        const Maker make{whole.incarnation()};
        for (auto* replica : {&whole, &hurt})
            QCOMPARE(replica->apply(make.add(kFace, 1, 1)), ApplyEffect::Applied);
        const auto before = whole.digest(kPartition);
        QVERIFY(before.root == hurt.digest(kPartition).root);
        hurt.sql(sql.constData());
        const auto seen = hurt.digest(kPartition);
        QCOMPARE(seen.rows, static_cast<std::uint64_t>(rows));
        QCOMPARE(seen.degraded, static_cast<std::uint64_t>(degraded));
        QCOMPARE(seen.root == before.root, rows == 1);
        QCOMPARE(seen.index, rows == 1 ? IndexState::Equal : IndexState::Different);
        QCOMPARE(hurt.node->index().counts().vectors, static_cast<std::uint64_t>(rows));
        QVERIFY(hurt.applyAll(whole.rows(kPartition, 512), true).has_value());
        const auto mended = hurt.digest(kPartition);
        QVERIFY(mended.root == before.root);
        QCOMPARE(mended.index, IndexState::Equal);
        QCOMPARE(hurt.node->index().counts().vectors, 1u);
    }

    void aRowLostFromTheIndexComesBackFromTheDatabase() {
        Replica replica;
        const Maker make{replica.incarnation()};
        QCOMPARE(replica.apply(make.add(kFace, 1, 1)), ApplyEffect::Applied);
        const auto before = replica.digest(kPartition).root;
        // Out of the index behind its back: the digest, which is of the database, is the same, and the index follows
        // it.
        replica.node->index().removeVariation({replica.incarnation(), kPartition, kFace}, base::Variation(1));
        const auto seen = replica.digest(kPartition);
        QVERIFY(seen.root == before);
        QCOMPARE(seen.indexRows, 0u);
        QCOMPARE(seen.index, IndexState::Different);
        QCOMPARE(replica.digest(kPartition).index, IndexState::Equal);
        QCOMPARE(replica.node->index().counts().vectors, 1u);
    }

    void theHorizonStopsWhatIsLateButNotMends() {
        Replica whole;
        Replica other;
        const Maker make{whole.incarnation()};
        for (auto* replica : {&whole, &other}) {
            QVERIFY(replica->applyAll({make.add(kFace, 1, 1), make.add(kFace, 2, 2), make.remove(kFace, 2, 3)})
                        .has_value());
            engine::Replication replication(*replica->node);
            hashing::PartitionSet one;
            one.insert(kPartition);
            QVERIFY(replication.collect(one, make.version(10)).has_value());
            QCOMPARE(replica->digest(kPartition).tombstones, 0u);
            QCOMPARE(replication.collect(one, versionAt(-std::chrono::hours(1))).error().reason,
                     base::Reason::VersionAhead);
        }
        QCOMPARE(other.apply(make.add(kFace, 2, 2)), ApplyEffect::BehindHorizon);
        QCOMPARE(other.apply(make.remove(kFace, 4)), ApplyEffect::BehindHorizon);
        QVERIFY(whole.digest(kPartition).root == other.digest(kPartition).root);
        // A row that this replica lost, older than the horizon, comes back from another one.
        if (QStandardPaths::findExecutable(QStringLiteral("sqlite3")).isEmpty())
            return;
        other.sql("DELETE FROM enrollments");
        QVERIFY(whole.digest(kPartition).root != other.digest(kPartition).root);
        QCOMPARE(other.apply(make.add(kFace, 1, 1)), ApplyEffect::BehindHorizon);
        QVERIFY(other.applyAll(whole.rows(kPartition, 512), true).has_value());
        QVERIFY(whole.digest(kPartition).root == other.digest(kPartition).root);
    }

    void leavesLeadToTheRowsThatDiffer() {
        Replica replica;
        const Maker make{replica.incarnation()};
        for (int i = 0; i < 30; ++i)
            QCOMPARE(replica.apply(make.add("x" + std::to_string(i), 1, 1)), ApplyEffect::Applied);
        QCOMPARE(replica.apply(make.add(kFace, 1, 1)), ApplyEffect::Applied);
        const auto leaf = hashing::placeOf("default", kFace).leaf;
        const auto digestsOf = [&](std::vector<std::uint16_t> nodes) {
            return replica.antiEntropy->leaves({kPartition, std::move(nodes)})->digests;
        };
        const auto node = static_cast<std::uint16_t>(256 + leaf);
        const auto before = digestsOf({1, node});
        QVERIFY(before[0] == replica.digest(kPartition).root);
        QVERIFY(before == digestsOf({1, node}));
        QCOMPARE(replica.apply(make.add(kFace, 2, 2)), ApplyEffect::Applied);
        const auto after = digestsOf({1, node});
        QVERIFY(after[0] != before[0] && after[1] != before[1]);
        QCOMPARE(replica.antiEntropy->rows({kPartition, {leaf}, {}, 512})->records.size(), 2u);
        QCOMPARE(
            replica.antiEntropy->rows({kPartition, {static_cast<std::uint8_t>(leaf + 1)}, {}, 512})->records.size(),
            0u);
        QCOMPARE(replica.antiEntropy->rows({kPartition, {leaf}, "garbage", 512}).error().reason,
                 base::Reason::InvalidCursor);
    }

    void digestsDuringWritesAreHonest() {
        Replica replica;
        const Maker make{replica.incarnation()};
        std::atomic<bool> stop = false;
        std::thread writer([&] {
            for (int i = 0; !stop; ++i)
                QVERIFY(replica.apply(make.add(kFace, static_cast<std::uint64_t>(i % 50), i)) != ApplyEffect::Invalid);
        });
        for (int i = 0; i < 50; ++i)
            QVERIFY(replica.digest(kPartition).index != IndexState::Different);
        stop = true;
        writer.join();
        QCOMPARE(replica.digest(kPartition).index, IndexState::Equal);
    }
};

QTEST_GUILESS_MAIN(ReplicationTest)
#include "replication_test.moc"

#include "shared/storage/batch.h"
#include "shared/storage/durable_file.h"
#include "shared/storage/group_commit.h"
#include "shared/storage/migrations.h"
#include "shared/storage/node_id.h"
#include "shared/storage/postgres/pg_copy.h"
#include "shared/storage/row_codec.h"
#include "tests/unit/storage/store_fixture.h"

#include <rapidcheck.h>
#include <sys/stat.h>

#include <future>
#include <limits>

using namespace fremis;
using namespace fremis::storage;
using namespace fremis::storage::test;

namespace {

void put16(std::string& bytes, int value) {
    bytes += {static_cast<char>(value >> 8), static_cast<char>(value)};
}
void put32(std::string& bytes, std::uint32_t value) {
    put16(bytes, static_cast<int>(value >> 16));
    put16(bytes, static_cast<int>(value & 0xffff));
}

/// The bytes COPY BINARY sends for these rows.
std::string copyStream(const std::vector<std::vector<std::string>>& rows) {
    std::string bytes("PGCOPY\n\377\r\n\0", 11);
    put32(bytes, 0);
    put32(bytes, 0);
    for (const auto& row : rows) {
        put16(bytes, static_cast<int>(row.size()));
        for (const auto& field : row) {
            put32(bytes, static_cast<std::uint32_t>(field.size()));
            bytes += field;
        }
    }
    put16(bytes, -1);
    return bytes;
}

std::span<const std::byte> spanOf(std::string_view bytes) {
    return std::as_bytes(std::span(bytes));
}

/// Stands in for a store whose commits the test holds and counts.
class HeldStore final : public EnrollmentStore {
public:
    base::Result<std::vector<Outcome>> commit(std::span<const Operation> operations) override {
        std::unique_lock lock(m_mutex);
        m_batches.push_back(operations.size());
        m_wake.notify_all();
        m_wake.wait(lock, [this] { return m_open; });
        for (const auto& operation : operations)
            if (std::get<AddVariation>(operation).row.variation.value() == m_poison)
                return base::fail(base::Reason::Internal, "cannot digest it");
        return std::vector<Outcome>(operations.size());
    }
    void release() {
        const std::lock_guard lock(m_mutex);
        m_open = true;
        m_wake.notify_all();
    }
    void waitForBatch(std::size_t count) {
        std::unique_lock lock(m_mutex);
        m_wake.wait(lock, [&] { return m_batches.size() >= count; });
    }
    void setPoison(std::uint64_t variation) { m_poison = variation; }
    [[nodiscard]] std::vector<std::size_t> batches() {
        const std::lock_guard lock(m_mutex);
        return m_batches;
    }

    base::Result<std::vector<KeyspaceRecord>> keyspaces() override { return {}; }
    base::Result<std::optional<FaceRecord>> face(const std::string&, const base::FaceId&) override {
        return std::nullopt;
    }
    base::Result<FacePage> list(const std::string&, const std::optional<FacePosition>&, const hashing::PartitionSet&,
                                std::size_t) override {
        return {};
    }
    base::Result<std::vector<KeyspaceCounts>> counts(const hashing::PartitionSet&) override { return {}; }
    base::Result<std::uint64_t> countRows(const hashing::PartitionSet&) override { return {}; }
    base::Result<ScanReport> scan(const hashing::PartitionSet&, const RowVisitor&, ScanProgress*) override {
        return {};
    }
    base::Result<ScanReport> walk(base::Partition, const std::optional<RowPosition>&, const RowVisitor&) override {
        return {};
    }
    base::Result<std::optional<Enrollment>> row(const std::string&, const base::FaceId&, base::Variation) override {
        return std::nullopt;
    }
    base::Result<std::vector<Operation>> keyspaceHistory() override { return {}; }
    base::Status scanTombstones(const hashing::PartitionSet&, const TombstoneVisitor&) override { return {}; }
    base::Result<base::Version> lastVersion() override { return {}; }
    base::Result<StoreIdentity> identity() override { return {}; }
    base::Result<std::optional<Space>> storedSpace() override { return std::nullopt; }
    base::Status claimSpace(const Space&) override { return {}; }
    base::Status raiseHorizon(const hashing::PartitionSet&, base::Version) override { return {}; }
    base::Result<base::Version> horizon(base::Partition) override { return base::Version(); }
    base::Result<std::uint64_t> erasePartitions(const hashing::PartitionSet&) override { return {}; }
    base::Result<std::optional<std::string>> setting(const std::string&) override { return std::nullopt; }
    base::Status setSetting(const std::string&, const std::string&) override { return {}; }
    base::Status ping() override { return {}; }
    StoreHealth health() const override { return {}; }
    base::Status purgeErased() override { return {}; }

private:
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_open = false;
    std::uint64_t m_poison = 0;
    std::vector<std::size_t> m_batches;
};

} // namespace

class StorageRulesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void columnsKeepTheOrderOfUnsignedNumbers() {
        QVERIFY(rc::check("shifted columns order as the numbers do", [](std::uint64_t a, std::uint64_t b) {
            RC_ASSERT((toColumn(a) < toColumn(b)) == (a < b));
            RC_ASSERT(fromColumn(toColumn(a)) == a);
        }));
        QCOMPARE(toColumn(0), std::numeric_limits<std::int64_t>::min());
        QCOMPARE(toColumn(std::numeric_limits<std::uint64_t>::max()), std::numeric_limits<std::int64_t>::max());
    }

    void aRowsChecksumSeesEachBitOfEachField() {
        auto row = Ops{"incarnation"}.add("face", 5, 6).row;
        const auto sum = checksumOf(row);
        const auto changed = [&](auto change) {
            auto copy = row;
            change(copy);
            return checksumOf(copy) != sum;
        };
        QVERIFY(changed([](Enrollment& r) { r.incarnation = "incarnatioo"; }));
        QVERIFY(changed([](Enrollment& r) {
            r.face = base::FaceId::trusted("fac");
            r.space = "e" + r.space;
        }));
        QVERIFY(changed([](Enrollment& r) { r.variation = base::Variation(4); }));
        QVERIFY(changed([](Enrollment& r) { r.partition ^= 1; }));
        QVERIFY(changed([](Enrollment& r) { r.version.writer ^= 1; }));
        QVERIFY(changed([](Enrollment& r) { std::swap(r.version.writer, r.version.stamp); }));
        QVERIFY(changed([](Enrollment& r) { r.norm += 1e-9; }));
        QVERIFY(changed([](Enrollment& r) { r.createdAt += std::chrono::milliseconds(1); }));
        QVERIFY(changed([](Enrollment& r) { r.embedding.back() = std::nextafter(r.embedding.back(), 2.0F); }));
        row.face = base::FaceId::trusted(std::string(600, 'x')); // longer than the block that is hashed at once
        const auto longSum = checksumOf(row);
        row.face = base::FaceId::trusted(std::string(599, 'x') + 'y');
        QVERIFY(checksumOf(row) != longSum);
    }

    void checksumsStayAsTheyWereWritten() {
        // Bytes on disk depend on this number: if it changes, every stored row reads as damaged.
        Enrollment row{"0123456789ABCDEFGHJKMNPQRS",
                       base::FaceId::trusted("1234567891"),
                       base::Variation(9183746501928374650U),
                       5,
                       {0x0123456789abcdefU, 42},
                       "fp-mfn512-bgr-1",
                       {1.0F, -0.5F, 0.25F, 0.0F},
                       4.1,
                       std::chrono::milliseconds(1'767'600'000'000)};
        QCOMPARE(checksumOf(row), std::int64_t{kGoldenChecksum});
    }

    void rowsWithValuesThatAreNotFiniteAreRefusedEvenWithARightChecksum() {
        for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::infinity()}) {
            auto row = Ops{"i"}.add("f", 1, 1).row;
            row.embedding[7] = bad;
            StoredRow stored{row.incarnation, row.face.text(),        1,        row.partition,         row.version,
                             row.space,       bytesOf(row.embedding), row.norm, row.createdAt.count(), 0};
            stored.checksum = checksumOf(stored);
            RowDecoder decoder(StoreFixture::kDimension);
            QVERIFY(!decoder.decode(stored));
            row.embedding[7] = 0.5F;
            stored.checksum = checksumOf(stored);
            QVERIFY(decoder.decode(stored));
            const std::string notUtf8("\xC3\x28");
            stored.face = notUtf8;
            stored.checksum = checksumOf(stored);
            QVERIFY(!decoder.decode(stored));
        }
    }

    void incarnationsAreDerivedFromNameAndLastDrop() {
        const auto name = base::KeyspaceName::trusted("default");
        const auto first = deriveIncarnation(name, {});
        QCOMPARE(first, std::string(kGoldenIncarnation)); // all stores of a cluster begin with it: it never changes
        QCOMPARE(first.size(), 26U);
        QVERIFY(deriveIncarnation(name, version(1)) != first);
        QVERIFY(deriveIncarnation(base::KeyspaceName::trusted("defaults"), {}) != first);
    }

    void anIncarnationOfAnotherNameIsRefused() {
        KeyspaceRegistry keyspaces;
        keyspaces.ensureDefault({});
        const CreateKeyspace stolen{base::KeyspaceName::trusted("a"),
                                    deriveIncarnation(base::KeyspaceName::trusted("default"), {}),
                                    {},
                                    version(5),
                                    {},
                                    {}};
        QCOMPARE(keyspaces.apply(stolen).effect, Effect::Invalid);
        for (const auto& bad : {std::string("with space"), std::string("new\nline"), std::string(65, 'x')}) {
            auto create = stolen;
            create.incarnation = bad;
            QCOMPARE(keyspaces.apply(create).effect, Effect::Invalid);
        }
    }

    void theDefaultKeyspaceLivesWhateverIsDropped() {
        QVERIFY(rc::check("default is always there", [] {
            KeyspaceRegistry keyspaces;
            keyspaces.ensureDefault({});
            const auto name = base::KeyspaceName::trusted("default");
            for (const auto stamp :
                 *rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(1, 20))) {
                const auto shown = keyspaces.current("default")->text;
                (void)keyspaces.apply(
                    DropKeyspace{name, *rc::gen::arbitrary<bool>() ? shown : "other", {}, version(stamp), {}});
                RC_ASSERT(keyspaces.current("default") != nullptr);
            }
        }));
    }

    void writesGatherWhileACommitIsUnderWayAndAreAnsweredInOrder() {
        HeldStore store;
        std::vector<int> order;
        GroupCommit commits(store, {.batch = 4, .waiting = 8});
        const Ops ops{"i"};
        QVERIFY(commits.submit(ops.add("f", 1, 1), [&](const auto&) { order.push_back(0); }));
        store.waitForBatch(1);
        for (int i = 1; i <= 8; ++i)
            QVERIFY(commits.submit(ops.add("f", 1, 1), [&order, i](const auto&) { order.push_back(i); }));
        QVERIFY(!commits.submit(ops.add("f", 1, 1), [&](const auto&) { order.push_back(-1); })); // full
        QCOMPARE(commits.waiting(), 8U);
        store.release();
        commits.stop(); // finishes what it accepted
        QCOMPARE(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
        QCOMPARE(store.batches(), (std::vector<std::size_t>{1, 4, 4}));
        QVERIFY(!commits.submit(ops.add("f", 1, 1), [&](const auto&) { order.push_back(-1); }));
        const auto refused = commits.commit(ops.add("f", 1, 1));
        QCOMPARE(refused.error().reason, base::Reason::Overloaded);
    }

    void oneOperationThatTheStoreCannotTakeDoesNotFailItsNeighbours() {
        HeldStore store;
        store.setPoison(13);
        GroupCommit commits(store, {.batch = 16, .waiting = 16});
        std::vector<bool> good(4);
        const Ops ops{"i"};
        QVERIFY(commits.submit(ops.add("first", 1, 1), [](const auto&) {}));
        store.waitForBatch(1);
        for (std::size_t i = 0; i < good.size(); ++i)
            QVERIFY(commits.submit(ops.add("f", i == 2 ? 13 : 1, 1),
                                   [&good, i](const auto& outcome) { good[i] = outcome.has_value(); }));
        store.release();
        commits.stop();
        QCOMPARE(good, (std::vector<bool>{true, true, false, true}));
    }

    void aCopyStreamReadsTheSameInAnyPieces() {
        QVERIFY(rc::check("rows of a COPY stream do not depend on how it was cut", [] {
            auto rows =
                *rc::gen::container<std::vector<std::vector<std::string>>>(rc::gen::container<std::vector<std::string>>(
                    3, rc::gen::container<std::string>(rc::gen::arbitrary<char>())));
            const auto bytes = copyStream(rows);
            PgCopyParser parser(3);
            std::vector<std::vector<std::string>> read;
            for (std::size_t at = 0; at < bytes.size();) {
                const auto size = *rc::gen::inRange<std::size_t>(1, 40);
                const std::string piece = bytes.substr(at, size); // a copy, so that a field kept too long shows in asan
                RC_ASSERT(parser.feed(spanOf(piece), [&](PgCopyParser::Row row) {
                    std::vector<std::string> fields;
                    for (const auto& field : row)
                        fields.emplace_back(pgText(field));
                    read.push_back(std::move(fields));
                    return true;
                }));
                at += size;
            }
            RC_ASSERT(parser.atEnd());
            RC_ASSERT(read == rows);
        }));
    }

    void aBrokenCopyStreamIsRefused() {
        const auto good = copyStream({{"a", "b"}});
        const auto feed = [](std::string_view bytes) {
            PgCopyParser parser(2);
            return parser.feed(spanOf(bytes), [](PgCopyParser::Row) { return true; });
        };
        QVERIFY(feed(good));
        auto bad = good;
        bad[0] = 'X';
        QVERIFY(!feed(bad));
        bad = good;
        bad[20] = 9; // number of fields
        QVERIFY(!feed(bad));
        bad = good;
        bad[21] = 0x7f; // length of a field
        QVERIFY(!feed(bad));
        QVERIFY(rc::check("no bytes hurt the parser", [](const std::vector<char>& bytes) {
            auto stream =
                std::string("PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19) + std::string(bytes.begin(), bytes.end());
            PgCopyParser parser(2);
            (void)parser.feed(spanOf(stream), [](PgCopyParser::Row) { return true; });
        }));
    }

    void copyNumbersAreBigEndian() {
        QCOMPARE(pgInteger(spanOf(std::string_view("\xFF\xFE", 2))), -2);
        QCOMPARE(pgInteger(spanOf(std::string_view("\x00\x00\x01\x00", 4))), 256);
        QCOMPARE(pgInteger(spanOf(std::string_view("\x80\x00\x00\x00\x00\x00\x00\x00", 8))),
                 std::numeric_limits<std::int64_t>::min());
        QCOMPARE(pgDouble(spanOf(std::string_view("\x3F\xF8\x00\x00\x00\x00\x00\x00", 8))), 1.5);
    }

    void aNodeIdIsMadeOnceAndKept() {
        QTemporaryDir directory;
        const std::filesystem::path path = directory.path().toStdString() + "/made/here";
        const auto first = loadOrCreateNodeId(path);
        QVERIFY(first);
        QVERIFY(loadOrCreateNodeId(path).value() == *first);
        QCOMPARE(hexOf(*first).size(), 32U);
        QCOMPARE(writerOf({0, 0, 0, 0, 0, 0, 1, 2, 9}), 258U);
        struct stat info {};
        QCOMPARE(::stat((path / "node-id").c_str(), &info), 0);
        QCOMPARE(info.st_mode & 0777, 0600U);
        QVERIFY(writePrivateFile(path / "node-id", "not an id"));
        const auto refused = loadOrCreateNodeId(path);
        QVERIFY(!refused);
        QCOMPARE(refused.error().reason, base::Reason::BadStore);
    }

    void migrationsAreNumberedFromOne() {
        for (const auto migrations : {sqliteMigrations(), postgresMigrations()}) {
            QVERIFY(!migrations.empty());
            for (std::size_t i = 0; i < migrations.size(); ++i)
                QCOMPARE(migrations[i].number, static_cast<int>(i) + 1);
        }
    }

private:
    static constexpr std::int64_t kGoldenChecksum = 1830838466089063152;
    static constexpr const char* kGoldenIncarnation = "RNFW3K2WARSBKXKAH1M7168W2D";
};

QTEST_GUILESS_MAIN(StorageRulesTest)
#include "storage_rules_test.moc"

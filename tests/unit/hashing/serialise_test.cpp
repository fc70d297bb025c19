#include "shared/hashing/analysis.h"
#include "shared/hashing/text.h"
#include "tests/unit/hashing/support.h"

#include <QtTest>

#include <random>

using namespace fremis::hashing;
using namespace fremis::hashing::test;
using fremis::base::Reason;

namespace {

// A map with a past: nodes came and went, so that a history-based scheme has one to keep.
PlacementPtr walked(Scheme scheme, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    SchemeOptions options;
    options.pointsPerNode = 10;
    options.tableSize = 251;
    auto map = make(scheme, NodeSet(), options);
    for (int step = 0; step < 20; ++step) {
        const bool leave = !map->nodes().empty() && random() % 3 == 0;
        if (!leave) {
            const auto weight = infoOf(scheme).weights ? static_cast<std::uint32_t>(50 + random() % 200) : kUnitWeight;
            map = *map->add(
                {.id = "node" + std::to_string(step), .weight = weight, .zone = "z", .rack = "r", .host = "h"});
        } else if (auto next = map->remove(map->nodes()[static_cast<NodeIndex>(random() % map->nodes().size())].id)) {
            map = *next;
        }
    }
    return map;
}

std::string withChecksum(std::string content) {
    const Sha256Digest digest = sha256(content);
    return content.append(reinterpret_cast<const char*>(digest.data()), digest.size());
}

} // namespace

class SerialiseTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void allSchemes_data() {
        QTest::addColumn<int>("scheme");
        for (const SchemeInfo& info : schemeTable())
            QTest::addRow("%s", info.token.data()) << static_cast<int>(info.scheme);
    }
    void aRoundTripGivesTheSameMap_data() { allSchemes_data(); }
    void aRoundTripGivesTheSameMap() {
        QFETCH(int, scheme);
        const auto hashes = sampleHashes(2000);
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const auto map = walked(static_cast<Scheme>(scheme), seed);
            const std::string bytes = map->serialise();
            const auto copy = *Placement::deserialise(bytes);
            QCOMPARE(copy->scheme(), map->scheme());
            QVERIFY(copy->nodes() == map->nodes());
            QVERIFY(ownersOfKeys(*copy, hashes) == ownersOfKeys(*map, hashes));
            QVERIFY(copy->serialise() == bytes);
            // The copy must also have the same future.
            const auto next = *map->add({.id = "next"});
            QVERIFY((*copy->add({.id = "next"}))->serialise() == next->serialise());
        }
    }
    void everyTruncationIsAnError_data() { allSchemes_data(); }
    void everyTruncationIsAnError() {
        QFETCH(int, scheme);
        const std::string bytes = walked(static_cast<Scheme>(scheme), 1)->serialise();
        for (std::size_t length = 0; length < bytes.size(); ++length)
            QCOMPARE(Placement::deserialise(std::string_view(bytes).substr(0, length)).error().reason,
                     Reason::CorruptData);
    }
    void everyAlteredByteIsAnError_data() { allSchemes_data(); }
    void everyAlteredByteIsAnError() {
        QFETCH(int, scheme);
        std::string bytes = walked(static_cast<Scheme>(scheme), 1)->serialise();
        for (char& byte : bytes) {
            byte = static_cast<char>(byte ^ 0x20);
            QCOMPARE(Placement::deserialise(bytes).error().reason, Reason::CorruptData);
            byte = static_cast<char>(byte ^ 0x20);
        }
        QVERIFY(!Placement::deserialise(bytes + "x"));
    }
    // A correct checksum over nonsense: whatever comes out must be a sane map or an error.
    void nonsenseWithAGoodChecksumIsAnErrorOrASaneMap_data() { allSchemes_data(); }
    void nonsenseWithAGoodChecksumIsAnErrorOrASaneMap() {
        QFETCH(int, scheme);
        const std::string bytes = walked(static_cast<Scheme>(scheme), 1)->serialise();
        const std::string content = bytes.substr(0, bytes.size() - 32);
        std::mt19937_64 random(9);
        int refused = 0;
        for (int round = 0; round < 3000; ++round) {
            std::string damaged = content;
            for (std::uint64_t i = 0; i <= random() % 3; ++i) {
                const std::size_t at = random() % damaged.size();
                if (random() % 4 == 0)
                    damaged.erase(at, 1 + random() % 8);
                else // small values make counts and indices that are nearly right
                    damaged[at] = static_cast<char>(random() % 2 == 0 ? random() % 256 : random() % 4);
            }
            const auto map = Placement::deserialise(withChecksum(damaged));
            if (!map) {
                QCOMPARE(map.error().reason, Reason::CorruptData);
                ++refused;
                continue;
            }
            for (const std::uint64_t hash : sampleHashes(50)) {
                const NodeIndex owner = (*map)->ownerOf(hash);
                QVERIFY((*map)->nodes().empty() ? owner == kNoNode : owner < (*map)->nodes().size());
            }
        }
        QVERIFY(refused > 0);
    }
    void aMapOfACustomHashNeedsThatHash() {
        SchemeOptions options;
        options.hash = &weakTopHash();
        const auto map = make(Scheme::Ring, NodeSet::numbered(3), options);
        QVERIFY(!Placement::deserialise(map->serialise()));
        const auto copy = *Placement::deserialise(map->serialise(), &weakTopHash());
        QVERIFY(ownersOfKeys(*copy, sampleHashes(100)) == ownersOfKeys(*map, sampleHashes(100)));
    }
    // The layout is on disks: this digest changes only together with the magic number.
    void theLayoutIsFrozen() {
        std::string all;
        for (const SchemeInfo& info : schemeTable()) {
            SchemeOptions options;
            options.tableSize = 251;
            auto map = make(info.scheme, NodeSet::numbered(5), options);
            if (info.scheme != Scheme::Jump)
                map = *map->remove("node2");
            all += map->serialise();
        }
        QCOMPARE(QString::fromStdString(hexText(sha256(all)).substr(0, 16)), QStringLiteral("a116d299596b285d"));
    }
};

QTEST_GUILESS_MAIN(SerialiseTest)
#include "serialise_test.moc"

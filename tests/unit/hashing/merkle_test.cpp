#include "shared/hashing/merkle.h"
#include "shared/hashing/partition.h"
#include "shared/hashing/text.h"

#include <QtTest>

#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <set>

using namespace fremis::hashing;
using fremis::base::Variation;
using fremis::base::Version;

namespace {

struct Row {
    std::uint8_t leaf;
    MerkleKey key;
    std::uint64_t version;
    [[nodiscard]] Sha256Digest hash() const {
        const std::array<float, 2> embedding{1.0f, static_cast<float>(version)};
        return merkleRowHash(key, Version{version, 7}, version % 5 == 0, embedding);
    }
};

Row rowOf(int face, int variation, std::uint64_t version) {
    const std::string faceId = "face" + std::to_string(face);
    return {placeOf("default", faceId).leaf,
            {faceId, Variation(static_cast<std::uint64_t>(variation)), "incarnation1"},
            version};
}

using Rows = std::map<std::pair<int, int>, std::uint64_t>; // (face, variation) -> version

MerkleTree treeOf(const Rows& rows, bool backwards = false) {
    MerkleTree tree;
    std::vector<Row> list;
    for (const auto& [id, version] : rows)
        list.push_back(rowOf(id.first, id.second, version));
    if (backwards)
        std::reverse(list.begin(), list.end());
    for (const Row& row : list)
        tree.put(row.leaf, row.key, row.hash());
    return tree;
}

Rows someRows() {
    Rows rows;
    const int count = *rc::gen::inRange(0, 200);
    for (int i = 0; i < count; ++i)
        rows[{*rc::gen::inRange(0, 100), *rc::gen::inRange(0, 3)}] = *rc::gen::inRange<std::uint64_t>(1, 100);
    return rows;
}

} // namespace

class MerkleTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void equalSetsHaveEqualRootsInAnyOrder() {
        QVERIFY(rc::check([] {
            const Rows rows = someRows();
            const MerkleTree forwards = treeOf(rows);
            const MerkleTree backwards = treeOf(rows, true);
            RC_ASSERT(forwards.root() == backwards.root());
            RC_ASSERT(forwards.rows() == rows.size());
            RC_ASSERT(forwards.differingLeaves(backwards).empty());
        }));
    }
    // Random edits, some of them undone: the difference names exactly the leaves and rows that differ in the end, and a
    // tree changed step by step with its digests read in between equals one built at once.
    void theDifferenceNamesExactlyTheDifferingRows() {
        QVERIFY(rc::check([] {
            const Rows before = someRows();
            MerkleTree edited = treeOf(before);
            Rows after = before;
            const int edits = *rc::gen::inRange(0, 30);
            for (int i = 0; i < edits; ++i) {
                const std::pair<int, int> id{*rc::gen::inRange(0, 100), *rc::gen::inRange(0, 3)};
                const Row row = rowOf(id.first, id.second, *rc::gen::inRange<std::uint64_t>(1, 100));
                if (*rc::gen::arbitrary<bool>()) {
                    edited.put(row.leaf, row.key, row.hash());
                    after[id] = row.version;
                } else {
                    RC_ASSERT(edited.erase(row.leaf, row.key) == (after.erase(id) == 1));
                }
                if (i % 3 == 0)
                    (void)edited.root();
            }
            RC_ASSERT(edited.root() == treeOf(after).root());

            std::set<std::uint8_t> leaves;
            std::map<MerkleKey, MerkleDifference::Kind> rows;
            const auto note = [&](const std::pair<int, int>& id, MerkleDifference::Kind kind) {
                const Row row = rowOf(id.first, id.second, 1);
                leaves.insert(row.leaf);
                rows[row.key] = kind;
            };
            for (const auto& [id, version] : before)
                if (!after.contains(id))
                    note(id, MerkleDifference::Kind::OnlyOurs);
                else if (after.at(id) != version)
                    note(id, MerkleDifference::Kind::Differs);
            for (const auto& [id, version] : after)
                if (!before.contains(id))
                    note(id, MerkleDifference::Kind::OnlyTheirs);

            const MerkleTree original = treeOf(before);
            const auto found = original.differingLeaves(edited);
            RC_ASSERT(std::vector<std::uint8_t>(leaves.begin(), leaves.end()) == found);
            std::map<MerkleKey, MerkleDifference::Kind> foundRows;
            for (const std::uint8_t leaf : found)
                for (const auto& difference : differingRows(original.leafRows(leaf), edited.leafRows(leaf)))
                    foundRows[difference.key] = difference.kind;
            RC_ASSERT(foundRows == rows);
        }));
    }
    void oneDifferingRowCostsOnePathOfDigests() {
        MerkleTree ours;
        MerkleTree theirs;
        for (int face = 0; face < 1000; ++face) {
            const Row row = rowOf(face, 0, 1);
            ours.put(row.leaf, row.key, row.hash());
            theirs.put(row.leaf, row.key, rowOf(face, 0, face == 500 ? 2 : 1).hash());
        }
        std::size_t asked = 0;
        std::vector<std::uint8_t> leaves;
        std::vector<std::size_t> nodes{1};
        while (!nodes.empty()) {
            asked += nodes.size();
            std::vector<Sha256Digest> digests;
            for (const std::size_t node : nodes)
                digests.push_back(theirs.digest(node));
            nodes = *merkleStep(ours, nodes, digests, leaves);
        }
        QCOMPARE(asked, std::size_t{1 + 2 * 8});
        QVERIFY(leaves == std::vector<std::uint8_t>{rowOf(500, 0, 1).leaf});
    }
    void aStepRefusesDigestsThatDoNotFit() {
        const MerkleTree tree;
        std::vector<std::uint8_t> leaves;
        const Sha256Digest digest{};
        QVERIFY(!merkleStep(tree, std::vector<std::size_t>{1, 2}, std::vector{digest}, leaves));
        QVERIFY(!merkleStep(tree, std::vector<std::size_t>{0}, std::vector{digest}, leaves));
        QVERIFY(!merkleStep(tree, std::vector<std::size_t>{512}, std::vector{digest}, leaves));
    }

    // Computed independently from the definition (Python's hashlib), so that replicas of another make agree.
    void aRowsHashFollowsTheDefinition() {
        const MerkleKey key{"alice", Variation(258), "01JH0Z5M8Q3V7A"};
        const std::array<float, 3> embedding{0.5f, -1.0f, 3.25f};
        QCOMPARE(hexText(embeddingDigest(embedding)),
                 std::string("dbc55a600c3a3542d397361a9f89bf284c44c110aa57cc93ccc410c48e195081"));
        QCOMPARE(hexText(merkleRowHash(key, Version{0x0123456789abcdefull, 42}, false, embedding)),
                 std::string("1955f99edb7398e003feb76223bcc52fa92b501ad67d546845e173688928152c"));
        const MerkleKey face{"alice", std::nullopt, "01JH0Z5M8Q3V7A"};
        QCOMPARE(hexText(merkleRowHash(face, Version{1, 2}, true, std::span<const float>())),
                 std::string("3b379dbe86075534e9086497a7fb99094d37108cfb92c641c809828adcc5e409"));
    }
    void theRootFollowsTheDefinition() {
        QCOMPARE(hexText(MerkleTree().root()),
                 std::string("259ca0ef3ecb66bb9f02e2ca9de6c7ff13951ad824ece4c680555cfef4321d17"));
        MerkleTree tree;
        const MerkleKey key{"alice", Variation(258), "01JH0Z5M8Q3V7A"};
        const std::array<float, 3> embedding{0.5f, -1.0f, 3.25f};
        QCOMPARE(placeOf("default", "alice"), (FacePlace{38, 207}));
        tree.put(207, key, merkleRowHash(key, Version{0x0123456789abcdefull, 42}, false, embedding));
        const MerkleKey face{"alice", std::nullopt, "01JH0Z5M8Q3V7A"};
        tree.put(207, face, merkleRowHash(face, Version{1, 2}, true, std::span<const float>()));
        QCOMPARE(tree.leafRows(207).front().key, face); // a face's own tombstone sorts before its variations
        QCOMPARE(hexText(tree.root()), std::string("2f46f6e9fee5c0c8a87636fb7d8641482b31ce86c232ef23a8d66096783e7e4b"));
    }
    void everyFieldOfARowCounts() {
        const MerkleKey key{"ab", Variation(1), "c"};
        const std::array<float, 1> embedding{1.0f};
        std::set<Sha256Digest> hashes;
        const auto add = [&](const MerkleKey& k, Version version, bool tombstone, float value) {
            const std::array<float, 1> values{value};
            hashes.insert(merkleRowHash(k, version, tombstone, values));
        };
        add(key, {1, 1}, false, 1);
        add({"a", Variation(1), "cb"}, {1, 1}, false, 1); // lengths keep fields apart
        add({"ab", Variation(2), "c"}, {1, 1}, false, 1);
        add({"ab", std::nullopt, "c"}, {1, 1}, false, 1);
        add(key, {2, 1}, false, 1);
        add(key, {1, 2}, false, 1);
        add(key, {1, 1}, true, 1);
        add(key, {1, 1}, false, -1);
        QCOMPARE(hashes.size(), std::size_t{8});
        QCOMPARE(merkleRowHash(key, {1, 1}, false, embedding),
                 merkleRowHash(key, {1, 1}, false, embeddingDigest(embedding)));
    }
    void clearingGivesTheEmptyTree() {
        MerkleTree tree = treeOf({{{1, 1}, 1}, {{2, 1}, 1}});
        QVERIFY(tree.root() != MerkleTree().root());
        tree.clear();
        QVERIFY(tree.root() == MerkleTree().root());
        QCOMPARE(tree.rows(), std::size_t{0});
    }
};

QTEST_GUILESS_MAIN(MerkleTest)
#include "merkle_test.moc"

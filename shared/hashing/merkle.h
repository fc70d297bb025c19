#pragma once

#include "shared/base/ids.h"
#include "shared/base/version.h"
#include "shared/hashing/hash.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fremis::hashing {

/// Leaves of one partition's tree: leaf = placeOf(keyspace, face_id).leaf.
inline constexpr std::size_t kMerkleLeaves = 256;

/// Names a row inside a partition. Rows sort by (face_id, variation, incarnation); a row without a variation (the
/// tombstone of a whole face) sorts before all variations of its face.
struct MerkleKey {
    std::string faceId;
    std::optional<base::Variation> variation;
    std::string incarnation;
    auto operator<=>(const MerkleKey&) const = default;
};

/// SHA-256 over a row: six fields, each a big-endian uint32 length and its bytes: incarnation, face_id, variation (8
/// bytes big-endian, or empty), version (stamp and writer, 8 bytes big-endian each), tombstone (one byte, 0 or 1),
/// SHA-256 of the embedding as float32 little-endian (of nothing for a tombstone). Replicas on any platform agree on
/// it.
[[nodiscard]] Sha256Digest merkleRowHash(const MerkleKey& key, base::Version version, bool tombstone,
                                         std::span<const float> embedding);
/// The same with the embedding's digest at hand, as stores keep it.
[[nodiscard]] Sha256Digest merkleRowHash(const MerkleKey& key, base::Version version, bool tombstone,
                                         const Sha256Digest& embeddingDigest);
[[nodiscard]] Sha256Digest embeddingDigest(std::span<const float> embedding);

struct MerkleRow {
    MerkleKey key;
    Sha256Digest hash;
    bool operator==(const MerkleRow&) const = default;
};

/// The digest tree of one partition: 256 leaves over its rows, a leaf = SHA-256 over its rows' hashes in key order (of
/// nothing when it has none), inner node = SHA-256(left || right). Two replicas with the same rows have the same root
/// whatever the order of their writes. put() and erase() cost one leaf and eight inner nodes, paid at the next read of
/// the tree. Thread: one at a time (reading digests may recompute).
class MerkleTree {
public:
    /// Adds the row or replaces its hash. A row whose hash is unchanged costs nothing.
    void put(std::uint8_t leaf, MerkleKey key, const Sha256Digest& rowHash);
    /// False when there was no such row.
    bool erase(std::uint8_t leaf, const MerkleKey& key);
    void clear();
    [[nodiscard]] std::size_t rows() const;

    [[nodiscard]] const Sha256Digest& root() const { return digest(1); }
    /// Digest of a tree node, 1..511: 1 is the root, node n has the children 2n and 2n+1, leaf l is node 256 + l.
    [[nodiscard]] const Sha256Digest& digest(std::size_t node) const;
    /// The rows of a leaf in key order.
    [[nodiscard]] std::span<const MerkleRow> leafRows(std::uint8_t leaf) const { return m_rows[leaf]; }

    /// Leaves whose rows differ, ascending. Equal trees compare one digest.
    [[nodiscard]] std::vector<std::uint8_t> differingLeaves(const MerkleTree& other) const;

private:
    void touch(std::uint8_t leaf);

    std::array<std::vector<MerkleRow>, kMerkleLeaves> m_rows;
    mutable std::array<std::optional<Sha256Digest>, 2 * kMerkleLeaves> m_digests; // empty = to be computed; [0] unused
};

/// The same walk against a tree on another machine: ask for the digest of node 1, then for what each step returns,
/// until it returns nothing. `theirs` holds their digests of `nodes` in the same order; leaves that differ are appended
/// to `leaves`. At most 1 + 2 * 8 * d digests travel for d differing leaves. Fails with Reason::InvalidParams on sizes
/// or numbers out of range.
[[nodiscard]] base::Result<std::vector<std::size_t>> merkleStep(const MerkleTree& ours,
                                                                std::span<const std::size_t> nodes,
                                                                std::span<const Sha256Digest> theirs,
                                                                std::vector<std::uint8_t>& leaves);

/// One row that two replicas do not share equally.
struct MerkleDifference {
    enum class Kind { OnlyOurs, OnlyTheirs, Differs };
    MerkleKey key;
    Kind kind;
    bool operator==(const MerkleDifference&) const = default;
};
/// The rows in which two leaves differ, in key order. Both lists are in key order.
[[nodiscard]] std::vector<MerkleDifference> differingRows(std::span<const MerkleRow> ours,
                                                          std::span<const MerkleRow> theirs);

} // namespace fremis::hashing

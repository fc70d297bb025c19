#include "shared/hashing/merkle.h"

#include <algorithm>
#include <bit>

namespace fremis::hashing {

namespace {

void appendBigEndian(std::string& out, std::uint64_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; --i)
        out.push_back(static_cast<char>(value >> (8 * i)));
}

void appendField(std::string& out, std::string_view bytes) {
    appendBigEndian(out, bytes.size(), 4);
    out.append(bytes);
}

std::string_view viewOf(const Sha256Digest& digest) {
    return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

auto placeOfKey(std::vector<MerkleRow>& rows, const MerkleKey& key) {
    return std::lower_bound(rows.begin(), rows.end(), key,
                            [](const MerkleRow& row, const MerkleKey& k) { return row.key < k; });
}

Sha256Digest leafDigest(std::span<const MerkleRow> rows) {
    std::string hashes;
    hashes.reserve(rows.size() * sizeof(Sha256Digest));
    for (const MerkleRow& row : rows)
        hashes.append(viewOf(row.hash));
    return sha256(hashes);
}

} // namespace

Sha256Digest embeddingDigest(std::span<const float> embedding) {
    std::string bytes;
    bytes.reserve(embedding.size() * sizeof(float));
    for (const float value : embedding) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        for (int i = 0; i < 4; ++i)
            bytes.push_back(static_cast<char>(bits >> (8 * i)));
    }
    return sha256(bytes);
}

Sha256Digest merkleRowHash(const MerkleKey& key, base::Version version, bool tombstone,
                           const Sha256Digest& embeddingDigest) {
    std::string variation;
    if (key.variation)
        appendBigEndian(variation, key.variation->value(), 8);
    std::string stamp;
    appendBigEndian(stamp, version.stamp, 8);
    appendBigEndian(stamp, version.writer, 8);
    std::string row;
    for (const std::string_view field :
         {std::string_view(key.incarnation), std::string_view(key.faceId), std::string_view(variation),
          std::string_view(stamp), std::string_view(tombstone ? "\1" : "\0", 1), viewOf(embeddingDigest)})
        appendField(row, field);
    return sha256(row);
}

Sha256Digest merkleRowHash(const MerkleKey& key, base::Version version, bool tombstone,
                           std::span<const float> embedding) {
    return merkleRowHash(key, version, tombstone, embeddingDigest(embedding));
}

void MerkleTree::put(std::uint8_t leaf, MerkleKey key, const Sha256Digest& rowHash) {
    auto& rows = m_rows[leaf];
    const auto at = placeOfKey(rows, key);
    if (at == rows.end() || at->key != key)
        rows.insert(at, {std::move(key), rowHash});
    else if (at->hash == rowHash)
        return;
    else
        at->hash = rowHash;
    touch(leaf);
}

bool MerkleTree::erase(std::uint8_t leaf, const MerkleKey& key) {
    auto& rows = m_rows[leaf];
    const auto at = placeOfKey(rows, key);
    if (at == rows.end() || at->key != key)
        return false;
    rows.erase(at);
    touch(leaf);
    return true;
}

void MerkleTree::clear() {
    for (auto& rows : m_rows)
        rows.clear();
    m_digests.fill(std::nullopt);
}

std::size_t MerkleTree::rows() const {
    std::size_t sum = 0;
    for (const auto& rows : m_rows)
        sum += rows.size();
    return sum;
}

void MerkleTree::touch(std::uint8_t leaf) {
    for (std::size_t node = kMerkleLeaves + leaf; node > 0; node /= 2)
        m_digests[node].reset();
}

const Sha256Digest& MerkleTree::digest(std::size_t node) const {
    auto& slot = m_digests[node];
    if (!slot) {
        if (node >= kMerkleLeaves) {
            slot = leafDigest(m_rows[node - kMerkleLeaves]);
        } else {
            const std::string children = std::string(viewOf(digest(2 * node))).append(viewOf(digest(2 * node + 1)));
            slot = sha256(children);
        }
    }
    return *slot;
}

std::vector<std::uint8_t> MerkleTree::differingLeaves(const MerkleTree& other) const {
    std::vector<std::uint8_t> leaves;
    std::vector<std::size_t> nodes{1};
    while (!nodes.empty()) {
        std::vector<Sha256Digest> theirs;
        theirs.reserve(nodes.size());
        for (const std::size_t node : nodes)
            theirs.push_back(other.digest(node));
        nodes = std::move(*merkleStep(*this, nodes, theirs, leaves)); // cannot fail: the numbers are its own
    }
    return leaves;
}

base::Result<std::vector<std::size_t>> merkleStep(const MerkleTree& ours, std::span<const std::size_t> nodes,
                                                  std::span<const Sha256Digest> theirs,
                                                  std::vector<std::uint8_t>& leaves) {
    const bool possible =
        nodes.size() == theirs.size() &&
        std::all_of(nodes.begin(), nodes.end(), [](std::size_t node) { return node >= 1 && node < 2 * kMerkleLeaves; });
    if (!possible)
        return base::fail(base::Reason::InvalidParams, "the digests do not belong to the nodes asked for");
    std::vector<std::size_t> next;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (ours.digest(nodes[i]) == theirs[i])
            continue;
        if (nodes[i] >= kMerkleLeaves) {
            leaves.push_back(static_cast<std::uint8_t>(nodes[i] - kMerkleLeaves));
        } else {
            next.push_back(2 * nodes[i]);
            next.push_back(2 * nodes[i] + 1);
        }
    }
    return next;
}

std::vector<MerkleDifference> differingRows(std::span<const MerkleRow> ours, std::span<const MerkleRow> theirs) {
    using Kind = MerkleDifference::Kind;
    std::vector<MerkleDifference> found;
    while (!ours.empty() || !theirs.empty()) {
        const bool takeOurs = theirs.empty() || (!ours.empty() && ours.front().key <= theirs.front().key);
        const bool takeTheirs = ours.empty() || (!theirs.empty() && theirs.front().key <= ours.front().key);
        if (takeOurs && !takeTheirs)
            found.push_back({ours.front().key, Kind::OnlyOurs});
        else if (takeTheirs && !takeOurs)
            found.push_back({theirs.front().key, Kind::OnlyTheirs});
        else if (ours.front().hash != theirs.front().hash)
            found.push_back({ours.front().key, Kind::Differs});
        ours = ours.subspan(takeOurs ? 1 : 0);
        theirs = theirs.subspan(takeTheirs ? 1 : 0);
    }
    return found;
}

} // namespace fremis::hashing

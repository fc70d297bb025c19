#include "server/engine/anti_entropy.h"

#include "shared/base/log.h"
#include "shared/hashing/partition.h"
#include "shared/storage/operation_codec.h"
#include "shared/wire/base64.h"

#include <algorithm>
#include <set>

namespace fremis::engine {

using base::fail;
using base::Reason;
using base::Result;
using base::Status;
using wire::internal::IndexState;

namespace {

constexpr int kTries = 4;
constexpr std::size_t kPageBytes = 8u << 20;

/// The name of a row's keyspace; rows come in runs of one keyspace.
class KeyspaceNames {
public:
    explicit KeyspaceNames(const KeyspaceCatalog& catalog) : m_catalog(catalog) {}
    /// Empty when the keyspace is not shown any more.
    [[nodiscard]] const std::string& of(std::string_view incarnation) {
        if (incarnation != m_incarnation) {
            const auto name = m_catalog.nameOf(incarnation);
            m_incarnation = incarnation;
            m_name = name ? name->text() : std::string();
        }
        return m_name;
    }

private:
    const KeyspaceCatalog& m_catalog;
    std::string m_incarnation;
    std::string m_name;
};

/// A sum over rows that does not depend on their order.
class RowSum {
public:
    void add(std::string_view incarnation, std::string_view face, base::Variation variation) {
        std::string key(incarnation); // no id has a control character
        key.append(1, '\n').append(face).append(1, '\n').append(variation.text());
        m_sum += hashing::xxh64(key);
        ++m_rows;
    }
    [[nodiscard]] std::uint64_t rows() const { return m_rows; }
    bool operator==(const RowSum&) const = default;

private:
    std::uint64_t m_sum = 0;
    std::uint64_t m_rows = 0;
};

/// A tombstone's place in a leaf. A row written after the tombstone of its own variation has the same face, variation
/// and incarnation; the mark, which no incarnation has, keeps the two apart.
hashing::MerkleKey keyOf(const storage::TombstoneView& tombstone) {
    return {std::string(tombstone.face), tombstone.variation, std::string(tombstone.incarnation) + '\x7f'};
}

hashing::Sha256Digest hashOf(const storage::TombstoneView& tombstone) {
    return hashing::merkleRowHash(
        {std::string(tombstone.face), tombstone.variation, std::string(tombstone.incarnation)}, tombstone.version, true,
        std::span<const float>());
}

storage::AddVariation operationOf(const storage::EnrollmentView& row) {
    return {{std::string(row.incarnation),
             base::FaceId::trusted(std::string(row.face)),
             row.variation,
             row.partition,
             row.version,
             std::string(row.space),
             {row.embedding.begin(), row.embedding.end()},
             row.norm,
             row.createdAt},
            {},
            false,
            false};
}

storage::Operation operationOf(const storage::TombstoneView& tombstone) {
    auto face = base::FaceId::trusted(std::string(tombstone.face));
    std::string incarnation(tombstone.incarnation);
    if (tombstone.variation)
        return storage::DeleteVariation{std::move(incarnation),
                                        std::move(face),
                                        *tombstone.variation,
                                        tombstone.partition,
                                        tombstone.version,
                                        {},
                                        false};
    return storage::DeleteFace{
        std::move(incarnation), std::move(face), tombstone.partition, tombstone.version, {}, false};
}

/// Where a page ended: among the tombstones, which come first, or the rows.
struct Place {
    bool inRows = false;
    storage::RowPosition at; ///< of a whole face's tombstone: variation 0 and wholeFace
    bool wholeFace = false;
    [[nodiscard]] auto order() const { return std::tuple(at.incarnation, at.face, !wholeFace, at.variation); }
};

/// "kind incarnation variation face": an incarnation has no blank, a face id may.
std::string cursorOf(const Place& place) {
    const char* kind = place.inRows ? "row " : place.wholeFace ? "face " : "variation ";
    const auto text = kind + place.at.incarnation + ' ' + std::to_string(place.at.variation) + ' ' + place.at.face;
    return wire::encodeBase64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

Result<std::optional<Place>> placeOf(const std::string& cursor) {
    if (cursor.empty())
        return std::nullopt;
    const auto bytes = wire::decodeBase64(cursor);
    std::string_view rest =
        bytes ? std::string_view(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : std::string_view();
    const auto word = [&rest] {
        const auto found = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(rest.size(), found.size() + 1));
        return found;
    };
    const auto kind = word();
    Place place{kind == "row", {}, kind == "face"};
    place.at.incarnation = word();
    const auto variation = base::Variation::parse(word());
    place.at.face = rest;
    if (!variation || rest.empty() || !(place.inRows || place.wholeFace || kind == "variation"))
        return fail(Reason::InvalidCursor, "the cursor is not whole");
    place.at.variation = variation->value();
    return place;
}

Place placeOf(const storage::TombstoneView& tombstone) {
    return {false,
            {std::string(tombstone.incarnation), std::string(tombstone.face),
             tombstone.variation.value_or(base::Variation(0)).value()},
            !tombstone.variation};
}

} // namespace

Status AntiEntropy::checkOwned(base::Partition partition) const {
    if (m_node.owns(partition))
        return {};
    return fail(Reason::NotOwner, "this worker does not own the partition " + std::to_string(partition));
}

Result<AntiEntropy::Reading> AntiEntropy::read(base::Partition partition) const {
    const auto mark = m_node.quietMark(partition);
    const auto fillings = m_node.fillings();
    Reading reading;
    reading.digest.partition = partition;
    const auto horizon = m_node.store().horizon(partition);
    if (!horizon)
        return tl::unexpected(horizon.error());
    reading.digest.horizon = *horizon;
    hashing::MerkleTree tree;
    KeyspaceNames names(m_node.catalog());
    RowSum stored;
    const auto walked = m_node.store().walk(partition, std::nullopt, [&](const storage::EnrollmentView& row) {
        hashing::MerkleKey key{std::string(row.face), row.variation, std::string(row.incarnation)};
        const auto hash = hashing::merkleRowHash(key, row.version, false, row.embedding);
        tree.put(hashing::placeOf(names.of(row.incarnation), row.face).leaf, std::move(key), hash);
        stored.add(row.incarnation, row.face, row.variation);
        return !m_cancelled;
    });
    if (!walked)
        return tl::unexpected(walked.error());
    hashing::PartitionSet one;
    one.insert(partition);
    const auto scanned = m_node.store().scanTombstones(one, [&](const storage::TombstoneView& tombstone) {
        tree.put(hashing::placeOf(names.of(tombstone.incarnation), tombstone.face).leaf, keyOf(tombstone),
                 hashOf(tombstone));
        ++reading.digest.tombstones;
        return !m_cancelled;
    });
    if (!scanned)
        return tl::unexpected(scanned.error());
    if (m_cancelled)
        return fail(Reason::NotReady, "stopping");
    RowSum indexed;
    const auto snapshot = m_node.index().snapshot();
    for (const auto& keyspace : m_node.catalog().all())
        snapshot->visitRows(keyspace.incarnation, partition, [&](std::string_view face, base::Variation variation) {
            indexed.add(keyspace.incarnation, face, variation);
        });
    for (std::size_t node = 1; node < reading.tree.size(); ++node)
        reading.tree[node] = tree.digest(node);
    reading.digest.root = tree.root();
    reading.digest.rows = walked->rows;
    reading.digest.degraded = walked->degraded;
    reading.digest.indexRows = indexed.rows();
    reading.sameRows = stored == indexed;
    if (!m_node.searchable() || m_node.fillings() != fillings)
        reading.digest.index = IndexState::Loading;
    if (mark && m_node.quietMark(partition) == mark)
        reading.mark = mark;
    return reading;
}

/// Tries until nothing was written meanwhile, a few times.
Result<AntiEntropy::Reading> AntiEntropy::readQuietly(base::Partition partition) const {
    auto reading = read(partition);
    for (int again = 1; again < kTries && reading && !reading->mark; ++again)
        reading = read(partition);
    return reading;
}

Result<wire::internal::DigestsReply> AntiEntropy::digests(const hashing::PartitionSet& partitions) {
    const auto foreign = partitions - m_node.options().owned;
    if (!foreign.empty())
        return fail(Reason::NotOwner, "this worker does not own the partitions " + foreign.text());
    const std::scoped_lock lock(m_mutex);
    wire::internal::DigestsReply reply;
    for (int number = 0; number < base::kPartitionCount; ++number) {
        const auto partition = static_cast<base::Partition>(number);
        if (!partitions.contains(partition))
            continue;
        auto reading = readQuietly(partition);
        if (!reading)
            return tl::unexpected(reading.error());
        auto& digest = reading->digest;
        if (digest.index != IndexState::Loading && !reading->mark) {
            digest.index = IndexState::Busy;
        } else if (digest.index != IndexState::Loading && !reading->sameRows) {
            const auto aligned = m_node.alignIndex(partition);
            if (!aligned && aligned.error().reason != Reason::NotReady)
                return tl::unexpected(aligned.error());
            digest.index = aligned ? IndexState::Different : IndexState::Loading;
        }
        if (reading->mark)
            m_trees[partition] = {*reading->mark, reading->tree};
        else
            m_trees.erase(partition);
        reply.partitions.push_back(digest);
    }
    const auto keyspaces = keyspaceRecords();
    if (!keyspaces)
        return tl::unexpected(keyspaces.error());
    reply.keyspaces = keyspaces->digest;
    return reply;
}

Result<wire::internal::LeavesReply> AntiEntropy::leaves(const wire::internal::LeavesRequest& request) {
    if (const auto owned = checkOwned(request.partition); !owned)
        return tl::unexpected(owned.error());
    const std::scoped_lock lock(m_mutex);
    auto kept = m_trees.find(request.partition);
    Tree fresh;
    if (kept == m_trees.end() || m_node.quietMark(request.partition) != kept->second.mark) {
        auto reading = readQuietly(request.partition);
        if (!reading)
            return tl::unexpected(reading.error());
        fresh = reading->tree;
        if (reading->mark)
            m_trees[request.partition] = {*reading->mark, fresh};
    } else {
        fresh = kept->second.tree;
    }
    wire::internal::LeavesReply reply;
    for (const auto node : request.nodes)
        reply.digests.push_back(fresh[node]);
    return reply;
}

Result<wire::internal::RowsReply> AntiEntropy::rows(const wire::internal::RowsRequest& request) const {
    if (const auto owned = checkOwned(request.partition); !owned)
        return tl::unexpected(owned.error());
    const auto after = placeOf(request.cursor);
    if (!after)
        return tl::unexpected(after.error());
    const std::set<std::uint8_t> leaves(request.leaves.begin(), request.leaves.end());
    const auto limit = static_cast<std::size_t>(request.limit);
    KeyspaceNames names(m_node.catalog());
    const auto isWanted = [&](std::string_view incarnation, std::string_view face) {
        return leaves.contains(hashing::placeOf(names.of(incarnation), face).leaf);
    };
    wire::internal::RowsReply reply;
    std::size_t bytes = 0;
    Place last;
    bool more = false;
    /// False: the page is full, and there is more.
    const auto take = [&](Place place, const storage::Operation& operation) {
        if (reply.records.size() >= limit || bytes >= kPageBytes) {
            more = true;
            return false;
        }
        reply.records.push_back(storage::encode(operation));
        bytes += reply.records.back().size();
        last = std::move(place);
        return true;
    };
    if (!*after || !(*after)->inRows) {
        // The store gives tombstones in no order: the smallest ones after the cursor make the page.
        std::map<decltype(Place().order()), std::pair<Place, storage::Operation>> page;
        hashing::PartitionSet one;
        one.insert(request.partition);
        const auto scanned = m_node.store().scanTombstones(one, [&](const storage::TombstoneView& tombstone) {
            auto place = placeOf(tombstone);
            if (!isWanted(tombstone.incarnation, tombstone.face) || (*after && place.order() <= (*after)->order()))
                return true;
            page.emplace(place.order(), std::pair(place, operationOf(tombstone)));
            if (page.size() > limit + 1)
                page.erase(std::prev(page.end()));
            return true;
        });
        if (!scanned)
            return tl::unexpected(scanned.error());
        for (auto& [order, entry] : page)
            if (!take(std::move(entry.first), entry.second))
                break;
    }
    if (!more) {
        const bool inside = *after && (*after)->inRows;
        const auto walked = m_node.store().walk(
            request.partition, inside ? std::optional((*after)->at) : std::nullopt,
            [&](const storage::EnrollmentView& row) {
                if (!isWanted(row.incarnation, row.face))
                    return true;
                return take({true, {std::string(row.incarnation), std::string(row.face), row.variation.value()}, false},
                            operationOf(row));
            });
        if (!walked)
            return tl::unexpected(walked.error());
    }
    if (more)
        reply.nextCursor = cursorOf(last);
    return reply;
}

Result<wire::internal::KeyspaceRecordsReply> AntiEntropy::keyspaceRecords() const {
    auto history = m_node.store().keyspaceHistory();
    if (!history)
        return tl::unexpected(history.error());
    wire::internal::KeyspaceRecordsReply reply;
    std::string digested;
    for (auto& operation : *history) {
        reply.records.push_back(storage::encode(operation));
        if (auto* create = std::get_if<storage::CreateKeyspace>(&operation))
            create->createdAt = {}; // each replica has its own
        digested += storage::encode(operation);
    }
    reply.digest = hashing::sha256(digested);
    return reply;
}

} // namespace fremis::engine

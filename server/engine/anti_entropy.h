#pragma once

#include "server/engine/node.h"
#include "shared/hashing/merkle.h"
#include "shared/wire/internal.h"

#include <atomic>
#include <map>

namespace fremis::engine {

/// The digests by which replicas find where they differ, and the rows that mend it.
///
/// A digest is made of what lies in the database at that moment, never of what this process remembers, so a row that
/// was removed or changed behind its back shows. Cost of a partition: one read of its rows and one SHA-256 of each,
/// about 3 µs a row on disk cache; while it lasts, about 150 bytes of memory a row. What stays between calls is the 511
/// tree digests of each partition read last (16 KiB each, 4 MiB for all), used again only for partitions that this
/// process has not written to since. Blocking; thread: any, calls take turns.
class AntiEntropy {
public:
    explicit AntiEntropy(Node& node) : m_node(node) {}

    /// Reads the partitions anew, compares the index with each and aligns it when they differ. NotOwner.
    [[nodiscard]] base::Result<wire::internal::DigestsReply> digests(const hashing::PartitionSet& partitions);
    [[nodiscard]] base::Result<wire::internal::LeavesReply> leaves(const wire::internal::LeavesRequest& request);
    /// A page of at most `limit` records and about 8 MiB. InvalidCursor.
    [[nodiscard]] base::Result<wire::internal::RowsReply> rows(const wire::internal::RowsRequest& request) const;
    [[nodiscard]] base::Result<wire::internal::KeyspaceRecordsReply> keyspaceRecords() const;
    /// Ends readings under way, and all later ones, with NotReady.
    void cancel() { m_cancelled = true; }

private:
    using Tree = std::array<hashing::Sha256Digest, 2 * hashing::kMerkleLeaves>;
    struct Reading {
        wire::internal::PartitionDigest digest;
        Tree tree;
        std::optional<std::uint64_t>
            mark;              ///< Node::quietMark() before and after; none: something was written meanwhile
        bool sameRows = false; ///< index and store
    };
    [[nodiscard]] base::Result<Reading> read(base::Partition partition) const;
    [[nodiscard]] base::Result<Reading> readQuietly(base::Partition partition) const;
    [[nodiscard]] base::Status checkOwned(base::Partition partition) const;

    Node& m_node;
    std::atomic<bool> m_cancelled = false;
    std::mutex m_mutex; ///< guards m_trees; one bulk read at a time
    struct Kept {
        std::uint64_t mark = 0;
        Tree tree;
    };
    std::map<base::Partition, Kept> m_trees;
};

} // namespace fremis::engine

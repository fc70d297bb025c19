// The part of IndexCore that clears away what writes leave behind.
#include "shared/index/index_core.h"

namespace fremis::index {

namespace {

constexpr std::size_t kRowsPerPiece = 64; ///< overwritten between two looks at the queue, without holding up writers
constexpr int kMovesPerPiece = 8;         ///< rows copied while writers wait: a few microseconds

} // namespace

void IndexCore::onWork(std::function<void()> wake) {
    const std::scoped_lock lock(m_wakeMutex);
    m_wake = std::move(wake);
}

void IndexCore::wake() const {
    const std::scoped_lock lock(m_wakeMutex);
    if (m_wake)
        m_wake();
}

bool IndexCore::tend() {
    const bool spare = m_store.floats.prepareSpare() | m_store.codes.prepareSpare();
    return reclaimRows() || reclaimOther() || moveSparse() || spare;
}

bool IndexCore::tidy() const {
    const std::scoped_lock lock(m_writing);
    return m_retired.empty() && m_sparse.empty();
}

/// Rows at the head of the queue: nobody sees them, nobody may fill them yet, so they are overwritten without the lock.
/// Blocks and partitions that are freed come later in the queue than their rows, and only the calling thread frees.
bool IndexCore::reclaimRows() {
    std::vector<RowRef> rows;
    const auto seen = m_epochs.oldestSeen(); // before the lock: readers must not hold up writers through it
    {
        const std::scoped_lock lock(m_writing);
        while (rows.size() < kRowsPerPiece && !m_retired.empty() && m_retired.front().kind == Retired::Kind::Row &&
               m_retired.front().epoch <= seen) {
            rows.push_back(m_retired.front().row);
            m_retired.pop_front();
        }
    }
    for (const auto row : rows)
        row.block().wipe(m_store, row.slot());
    const std::scoped_lock lock(m_writing);
    for (const auto row : rows)
        row.block().owner->returnSlot(row);
    m_hasRetired.store(!m_retired.empty(), std::memory_order_release);
    return !rows.empty();
}

bool IndexCore::reclaimOther() {
    using Kind = Retired::Kind;
    Retired entry{};
    const auto seen = m_epochs.oldestSeen();
    {
        const std::scoped_lock lock(m_writing);
        if (m_retired.empty() || m_retired.front().kind == Kind::Row || m_retired.front().epoch > seen)
            return false;
        entry = m_retired.front();
        m_retired.pop_front();
        if (entry.kind == Kind::BlockUnlink || entry.kind == Kind::PartitionUnlink ||
            entry.kind == Kind::KeyspaceUnlink) {
            unlinkNow(entry);
            return true;
        }
        if (entry.kind == Kind::PartitionFree)
            std::erase(m_sparse, static_cast<PartitionRows*>(entry.what));
        if (entry.kind == Kind::KeyspaceFree)
            std::erase_if(m_sparse, [&](const auto* partition) { return &partition->keyspace() == entry.what; });
    }
    freeNow(entry);
    return true;
}

/// A reader that entered before this moment may stand on what is unlinked, though it sees none of its rows. So it is
/// freed when all readers have entered after it: the next step of the index marks that moment.
void IndexCore::unlinkNow(const Retired& entry) {
    using Kind = Retired::Kind;
    Kind next = Kind::BlockFree;
    if (entry.kind == Kind::BlockUnlink) {
        auto& block = *static_cast<Block*>(entry.what);
        block.owner->unlink(block);
    } else if (entry.kind == Kind::PartitionUnlink) {
        auto& partition = *static_cast<PartitionRows*>(entry.what);
        partition.keyspace().unlink(partition);
        next = Kind::PartitionFree;
    } else {
        m_directory.unlink(*static_cast<KeyspaceRows*>(entry.what));
        next = Kind::KeyspaceFree;
    }
    const auto epoch = m_epochs.current() + 1;
    m_retired.push_back({epoch, next, {}, entry.what});
    m_epochs.publish(epoch);
}

void IndexCore::freeNow(const Retired& entry) {
    switch (entry.kind) {
    case Retired::Kind::Face: {
        auto* const face = static_cast<Face*>(entry.what);
        m_store.otherBytes -= static_cast<std::int64_t>(face->bytes());
        Face::destroy(face);
        break;
    }
    case Retired::Kind::BlockFree:
        Block::destroy(m_store, static_cast<Block*>(entry.what));
        break;
    case Retired::Kind::PartitionFree: {
        const std::unique_ptr<PartitionRows> partition(static_cast<PartitionRows*>(entry.what));
        partition->destroyRows(m_store);
        break;
    }
    case Retired::Kind::KeyspaceFree: {
        const std::unique_ptr<KeyspaceRows> keyspace(static_cast<KeyspaceRows*>(entry.what));
        keyspace->destroyRows(m_store);
        break;
    }
    default:
        break; // rows and unlinking have their own ways
    }
}

bool IndexCore::moveSparse() {
    const std::scoped_lock lock(m_writing);
    if (m_sparse.empty())
        return false;
    PartitionRows& partition = *m_sparse.front();
    if (!partition.dropped() && !partition.keyspace().dropped() && partition.sparse()) {
        const auto epoch = m_epochs.current() + 1;
        const bool moved = partition.moveTogether(m_store, kMovesPerPiece, epoch, m_retired);
        m_epochs.publish(epoch);
        m_hasRetired.store(!m_retired.empty(), std::memory_order_release);
        if (moved)
            return true;
    }
    partition.stopMoving();
    partition.waitsForMoving = false;
    m_sparse.pop_front();
    return true;
}

} // namespace fremis::index

#pragma once

#include "shared/index/face_table.h"

#include <deque>

namespace fremis::index {

class KeyspaceRows;

/// Something that left the state `epoch` and goes away in steps once no reader sees an older state.
struct Retired {
    enum class Kind {
        Row,             ///< overwrite it, then its slot may be filled again
        Face,            ///< free it
        BlockUnlink,     ///< take it out of its partition's list; readers may still stand on it: it becomes BlockFree
        BlockFree,       ///< free it
        PartitionUnlink, ///< likewise, with all rows that are left in it
        PartitionFree,
        KeyspaceUnlink, ///< likewise
        KeyspaceFree,
    };
    std::uint64_t epoch;
    Kind kind;
    RowRef row;           ///< Row
    void* what = nullptr; ///< all others
};
using RetireQueue = std::deque<Retired>; ///< rising epochs

/// The rows of one partition of one keyspace. Readers: first(), visibleAt(), olderAt(). All else is for one writer at a
/// time.
class PartitionRows {
public:
    PartitionRows(KeyspaceRows& keyspace, base::Partition number, std::uint64_t born, PartitionRows* older);
    PartitionRows(const PartitionRows&) = delete;
    PartitionRows& operator=(const PartitionRows&) = delete;

    [[nodiscard]] bool visibleAt(std::uint64_t epoch) const {
        return m_born <= epoch && epoch < m_died.load(std::memory_order_acquire);
    }
    /// The partition of the same number that was dropped before this one was made.
    [[nodiscard]] PartitionRows* older() const { return m_older.load(std::memory_order_acquire); }
    [[nodiscard]] Block* first() const { return m_first.load(std::memory_order_acquire); }

    [[nodiscard]] KeyspaceRows& keyspace() const { return m_keyspace; }
    [[nodiscard]] base::Partition number() const { return m_number; }
    [[nodiscard]] std::uint64_t live() const { return m_live; }
    [[nodiscard]] const FaceTable& faces() const { return m_faces; }
    [[nodiscard]] bool dropped() const { return m_died.load(std::memory_order_relaxed) != kForever; }
    void drop(std::uint64_t epoch) { m_died.store(epoch, std::memory_order_release); }
    void setOlder(PartitionRows* older) { m_older.store(older, std::memory_order_release); }

    [[nodiscard]] static RowRef findRow(const Face& face, std::uint64_t variation);
    /// The face with this text, made when it is not there. Throws std::bad_alloc, changing nothing.
    [[nodiscard]] Face& faceFor(RowStore& store, std::string_view text, std::uint32_t hash);
    /// Takes back a face that got no row.
    void forgetIfEmpty(RowStore& store, Face& face);
    /// A slot nobody can see; nothing when there is no memory.
    [[nodiscard]] RowRef takeSlot(RowStore& store);
    void returnSlot(RowRef slot);
    /// From `epoch` on, the written slot is a row of the face.
    void publish(RowRef slot, Face& face, std::uint64_t variation, std::uint64_t epoch);
    /// From `epoch` on, the row is not there. A face and a block that lost their last row retire too. Without memory
    /// for the queue the process ends: it must not forget to erase a row.
    void retire(RowRef row, std::uint64_t epoch, RetireQueue& retired) noexcept;
    /// Takes a dead block out of the list.
    void unlink(Block& block);

    /// Less than half of the slots are used: worth moving rows together.
    [[nodiscard]] bool sparse() const { return m_capacity >= 4 && m_live * 2 < m_capacity; }
    /// Moves up to `rows` rows out of the emptiest block, as one step under `epoch`. False when it cannot.
    [[nodiscard]] bool moveTogether(RowStore& store, int rows, std::uint64_t epoch, RetireQueue& retired);
    /// Lets a half emptied block be filled again.
    void stopMoving();
    bool waitsForMoving = false; ///< is in the index's list of sparse partitions

    /// Frees all rows and faces; nobody sees them.
    void destroyRows(RowStore& store);

private:
    [[nodiscard]] Block* addBlock(RowStore& store);
    [[nodiscard]] Block* emptiestBlock() const;
    void openBlock(Block& block) noexcept;
    void closeBlock(Block& block);
    static void unchain(RowRef row);
    [[nodiscard]] bool moveRow(RowStore& store, RowRef from, std::uint64_t epoch, RetireQueue& retired);

    KeyspaceRows& m_keyspace;
    const base::Partition m_number;
    const std::uint64_t m_born;
    std::atomic<std::uint64_t> m_died{kForever};
    std::atomic<PartitionRows*> m_older;
    std::atomic<Block*> m_first{nullptr};
    Block* m_last = nullptr;
    Block* m_moving = nullptr;  ///< the block that moveTogether() empties
    std::vector<Block*> m_open; ///< blocks with free slots
    FaceTable m_faces;
    std::uint64_t m_live = 0;
    std::uint64_t m_capacity = 0; ///< slots of blocks that are not dead
};

} // namespace fremis::index

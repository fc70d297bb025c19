#include "shared/index/partition_rows.h"

#include "shared/index/directory.h"

#include <algorithm>
#include <bit>

namespace fremis::index {

PartitionRows::PartitionRows(KeyspaceRows& keyspace, base::Partition number, std::uint64_t born, PartitionRows* older)
    : m_keyspace(keyspace), m_number(number), m_born(born), m_older(older) {}

RowRef PartitionRows::findRow(const Face& face, std::uint64_t variation) {
    for (RowRef row = face.first; row; row = row.block().meta[row.slot()].next)
        if (row.block().meta[row.slot()].variation == variation)
            return row;
    return {};
}

Face& PartitionRows::faceFor(RowStore& store, std::string_view text, std::uint32_t hash) {
    if (Face* const face = m_faces.find(text, hash))
        return *face;
    const auto before = m_faces.bytes();
    m_faces.reserveOne();
    store.otherBytes += static_cast<std::int64_t>(m_faces.bytes() - before);
    Face* const face = Face::create(text, hash);
    store.otherBytes += static_cast<std::int64_t>(face->bytes());
    m_faces.insert(face);
    return *face;
}

void PartitionRows::forgetIfEmpty(RowStore& store, Face& face) {
    if (face.rows != 0)
        return;
    m_faces.erase(&face);
    store.otherBytes -= static_cast<std::int64_t>(face.bytes());
    Face::destroy(&face);
}

/// Blocks double with the partition from one row to 64, so that a keyspace of a few rows costs little more than its
/// rows.
Block* PartitionRows::addBlock(RowStore& store) {
    const auto capacity = static_cast<unsigned>(std::bit_floor(std::clamp<std::uint64_t>(m_live, 1, kBlockRows)));
    Block* const block = Block::create(store, *this, capacity);
    if (block == nullptr)
        return nullptr;
    block->previous = m_last;
    (m_last != nullptr ? m_last->next : m_first).store(block, std::memory_order_release);
    m_last = block;
    m_capacity += capacity;
    openBlock(*block);
    return block;
}

RowRef PartitionRows::takeSlot(RowStore& store) {
    Block* const block = m_open.empty() ? addBlock(store) : m_open.back();
    if (block == nullptr)
        return {};
    const RowRef slot(block, static_cast<unsigned>(std::countr_zero(block->free)));
    block->free &= ~slot.bit();
    if (block->free == 0)
        closeBlock(*block);
    return slot;
}

void PartitionRows::returnSlot(RowRef slot) {
    Block& block = slot.block();
    block.free |= slot.bit();
    openBlock(block);
}

/// Neither a block on its way out nor the one that is being emptied takes new rows.
void PartitionRows::openBlock(Block& block) noexcept {
    if (block.open || block.dead || &block == m_moving || block.free == 0)
        return;
    m_open.push_back(&block);
    block.open = true;
}

void PartitionRows::closeBlock(Block& block) {
    if (!block.open)
        return;
    block.open = false;
    std::erase(m_open, &block);
}

void PartitionRows::publish(RowRef slot, Face& face, std::uint64_t variation, std::uint64_t epoch) {
    Block& block = slot.block();
    RowMeta& meta = block.meta[slot.slot()];
    meta.face = &face;
    meta.variation = variation;
    meta.next = std::exchange(face.first, slot);
    ++face.rows;
    block.faceHashes[slot.slot()] = face.hash;
    ++m_live;
    // See Block::visibleAt for the order.
    block.changed.store(epoch, std::memory_order_release);
    meta.born.store(epoch, std::memory_order_release);
    meta.died.store(kForever, std::memory_order_release);
    block.live.store(block.live.load(std::memory_order_relaxed) | slot.bit(), std::memory_order_release);
}

void PartitionRows::unchain(RowRef row) {
    RowMeta& meta = row.block().meta[row.slot()];
    RowRef* link = &meta.face->first;
    while (*link != row)
        link = &link->block().meta[link->slot()].next;
    *link = std::exchange(meta.next, RowRef());
    --meta.face->rows;
}

void PartitionRows::retire(RowRef row, std::uint64_t epoch, RetireQueue& retired) noexcept {
    using Kind = Retired::Kind;
    Block& block = row.block();
    RowMeta& meta = block.meta[row.slot()];
    Face* const face = meta.face;
    retired.push_back({epoch, Kind::Row, row});
    unchain(row);
    m_keyspace.forgetInGraphs(row);
    --m_live;
    block.changed.store(epoch, std::memory_order_release);
    meta.died.store(epoch, std::memory_order_release);
    const auto live = block.live.load(std::memory_order_relaxed) & ~row.bit();
    block.live.store(live, std::memory_order_release);
    if (face->rows == 0) {
        m_faces.erase(face);
        retired.push_back({epoch, Kind::Face, {}, face});
    }
    if (live == 0) {
        block.dead = true;
        closeBlock(block);
        m_capacity -= block.capacity;
        if (m_moving == &block)
            m_moving = nullptr;
        retired.push_back({epoch, Kind::BlockUnlink, {}, &block});
    }
}

// A reader may stand on the block: its own `next` stays as it is.
void PartitionRows::unlink(Block& block) {
    Block* const next = block.next.load(std::memory_order_relaxed);
    (block.previous != nullptr ? block.previous->next : m_first).store(next, std::memory_order_release);
    (next != nullptr ? next->previous : m_last) = block.previous;
}

Block* PartitionRows::emptiestBlock() const {
    const auto used = [](const Block& block) {
        return static_cast<double>(std::popcount(block.live.load(std::memory_order_relaxed))) / block.capacity;
    };
    Block* emptiest = nullptr;
    for (Block* block = m_first.load(std::memory_order_relaxed); block != nullptr;
         block = block->next.load(std::memory_order_relaxed))
        if (!block->dead && (emptiest == nullptr || used(*block) < used(*emptiest)))
            emptiest = block;
    return emptiest;
}

bool PartitionRows::moveTogether(RowStore& store, int rows, std::uint64_t epoch, RetireQueue& retired) {
    if (m_moving == nullptr) {
        m_moving = emptiestBlock();
        closeBlock(*m_moving);
    }
    const Block* const moving = m_moving;
    for (; rows > 0 && m_moving == moving; --rows) {
        const auto live = moving->live.load(std::memory_order_relaxed);
        if (!moveRow(store, RowRef(m_moving, static_cast<unsigned>(std::countr_zero(live))), epoch, retired))
            return false;
    }
    return true;
}

void PartitionRows::stopMoving() {
    if (Block* const block = std::exchange(m_moving, nullptr))
        openBlock(*block);
}

bool PartitionRows::moveRow(RowStore& store, RowRef from, std::uint64_t epoch, RetireQueue& retired) {
    const RowRef to = takeSlot(store);
    if (!to)
        return false;
    auto copied = from.block().read(store, from.slot());
    if (copied)
        copied = to.block().write(store, to.slot());
    store.inHand.wipe(store.layout);
    if (!copied) {
        returnSlot(to);
        return false;
    }
    const RowMeta& meta = from.block().meta[from.slot()];
    publish(to, *meta.face, meta.variation, epoch);
    retire(from, epoch, retired);
    return true;
}

void PartitionRows::destroyRows(RowStore& store) {
    Block* block = m_first.load(std::memory_order_relaxed);
    while (block != nullptr)
        Block::destroy(store, std::exchange(block, block->next.load(std::memory_order_relaxed)));
    m_faces.forEach([&](Face* face) {
        store.otherBytes -= static_cast<std::int64_t>(face->bytes());
        Face::destroy(face);
    });
    store.otherBytes -= static_cast<std::int64_t>(m_faces.bytes());
}

} // namespace fremis::index

#include "shared/index/block.h"

#include <bit>

namespace fremis::index {

namespace {

constexpr std::size_t kDescriptionPerRow = sizeof(RowMeta) + 2 * sizeof(float) + sizeof(std::uint32_t);

std::size_t descriptionBytes(unsigned capacity) {
    return sizeof(Block) + (capacity * kDescriptionPerRow + kRowAlign - 1) / kRowAlign * kRowAlign;
}

std::size_t heapRowBytes(const RowStore& store, unsigned capacity) {
    if (capacity == kBlockRows)
        return 0;
    const auto& layout = store.layout;
    return capacity * ((layout.floatsInFile ? 0 : layout.floatBytes()) + (layout.keepsCodes ? layout.codeStride : 0));
}

template<class T> T* takeZeroed(SlabPool& pool, unsigned capacity, std::size_t bytes) {
    if (capacity == kBlockRows)
        return static_cast<T*>(pool.take());
    void* const memory = std::aligned_alloc(kRowAlign, bytes);
    if (memory != nullptr)
        std::memset(memory, 0, bytes);
    return static_cast<T*>(memory);
}

void giveBack(SlabPool& pool, unsigned capacity, void* rows, std::size_t bytes) {
    if (rows == nullptr)
        return;
    if (capacity == kBlockRows)
        return pool.give(rows);
    explicit_bzero(rows, bytes);
    std::free(rows);
}

} // namespace

Face* Face::create(std::string_view text, std::uint32_t hash) {
    void* const memory = ::operator new(sizeof(Face) + text.size());
    Face* const face = new (memory) Face;
    face->hash = hash;
    face->length = static_cast<std::uint8_t>(text.size());
    std::memcpy(face + 1, text.data(), text.size());
    return face;
}

void Face::destroy(Face* face) {
    explicit_bzero(face + 1, face->length);
    ::operator delete(face);
}

RowStore::RowStore(const RowLayout& rowLayout, std::unique_ptr<RowFile> rowFile)
    : layout(rowLayout), floats(kBlockRows * rowLayout.floatBytes()), codes(kBlockRows * rowLayout.codeStride),
      file(std::move(rowFile)), inHand(rowLayout) {}

Block* Block::create(RowStore& store, PartitionRows& owner, unsigned capacity) {
    void* const memory = std::aligned_alloc(alignof(Block), descriptionBytes(capacity));
    if (memory == nullptr)
        return nullptr;
    Block* const block = new (memory) Block;
    block->owner = &owner;
    block->capacity = static_cast<std::uint8_t>(capacity);
    block->free = capacity == kBlockRows ? ~std::uint64_t{0} : (std::uint64_t{1} << capacity) - 1;
    block->meta = reinterpret_cast<RowMeta*>(block + 1);
    std::uninitialized_default_construct_n(block->meta, capacity);
    block->scales = reinterpret_cast<float*>(block->meta + capacity);
    block->errors = block->scales + capacity;
    block->faceHashes = reinterpret_cast<std::uint32_t*>(block->errors + capacity);
    store.otherBytes += static_cast<std::int64_t>(descriptionBytes(capacity) + heapRowBytes(store, capacity));
    if (!block->takeRows(store)) {
        destroy(store, block);
        return nullptr;
    }
    return block;
}

bool Block::takeRows(RowStore& store) {
    const auto& layout = store.layout;
    if (layout.floatsInFile)
        fileOffset = store.file->take(capacity * layout.floatBytes());
    else if (floats = takeZeroed<float>(store.floats, capacity, capacity * layout.floatBytes()); floats == nullptr)
        return false;
    if (!layout.keepsCodes)
        return true;
    codes = takeZeroed<std::int8_t>(store.codes, capacity, capacity * layout.codeStride);
    return codes != nullptr;
}

void Block::destroy(RowStore& store, Block* block) {
    const auto& layout = store.layout;
    const unsigned capacity = block->capacity;
    if (layout.floatsInFile)
        store.file->give(block->fileOffset, capacity * layout.floatBytes());
    giveBack(store.floats, capacity, block->floats, capacity * layout.floatBytes());
    giveBack(store.codes, capacity, block->codes, capacity * layout.codeStride);
    store.otherBytes -= static_cast<std::int64_t>(descriptionBytes(capacity) + heapRowBytes(store, capacity));
    delete[] block->graphNumbers;
    std::free(block); // trivially destructible, its arrays too
}

// The writer stores `changed` before `live`, both with release. So with `live` read first, a `changed` of at most E
// says that the value read is the one of E: a later one would have brought its `changed` along, and an older one would
// contradict that E was read from the writer after it.
std::uint64_t Block::visibleAt(std::uint64_t epoch) const {
    const std::uint64_t mask = live.load(std::memory_order_acquire);
    if (changed.load(std::memory_order_acquire) <= epoch)
        return mask;
    std::uint64_t visible = 0;
    for (unsigned slot = 0; slot < capacity; ++slot) {
        // A slot is filled again by storing `born`, then `died`: who sees the new `died` sees the new `born`.
        const auto died = meta[slot].died.load(std::memory_order_acquire);
        const auto born = meta[slot].born.load(std::memory_order_acquire);
        if (born <= epoch && epoch < died)
            visible |= std::uint64_t{1} << slot;
    }
    return visible;
}

base::Status Block::write(RowStore& store, unsigned slot) {
    const auto& layout = store.layout;
    const QuantizedRow& row = store.inHand;
    const std::span<const float> numbers(row.floats.get(), layout.floatStride);
    if (layout.floatsInFile) {
        if (auto written = store.file->write(fileOffsetOf(layout, slot), numbers); !written)
            return written;
    } else {
        std::copy(numbers.begin(), numbers.end(), floats + slot * layout.floatStride);
    }
    if (layout.keepsCodes)
        std::copy_n(row.codes.get(), layout.codeStride, codeRow(layout, slot));
    scales[slot] = row.quality.scale;
    errors[slot] = row.quality.error;
    return {};
}

base::Status Block::read(RowStore& store, unsigned slot) const {
    const auto& layout = store.layout;
    QuantizedRow& row = store.inHand;
    row.quality = {scales[slot], errors[slot]};
    if (layout.keepsCodes)
        std::copy_n(codeRow(layout, slot), layout.codeStride, row.codes.get());
    if (layout.floatsInFile)
        return store.file->read(fileOffsetOf(layout, slot), {row.floats.get(), layout.floatStride});
    std::copy_n(floatRow(layout, slot), layout.floatStride, row.floats.get());
    return {};
}

void Block::wipe(RowStore& store, unsigned slot) {
    const auto& layout = store.layout;
    if (layout.floatsInFile)
        store.file->wipe(fileOffsetOf(layout, slot), layout.floatBytes());
    else
        explicit_bzero(floats + slot * layout.floatStride, layout.floatBytes());
    if (layout.keepsCodes)
        explicit_bzero(codeRow(layout, slot), layout.codeStride);
}

} // namespace fremis::index

#pragma once

#include "shared/index/quantizer.h"
#include "shared/index/row_file.h"
#include "shared/index/slab_pool.h"

#include <atomic>

namespace fremis::index {

class PartitionRows;
struct Block;

/// A place for a row: a block, which is aligned to 64 bytes, and a number below 64, in one word.
class RowRef {
public:
    RowRef() = default;
    RowRef(Block* block, unsigned slot) : m_bits(reinterpret_cast<std::uintptr_t>(block) | slot) {}
    [[nodiscard]] Block& block() const { return *reinterpret_cast<Block*>(m_bits & ~kSlotMask); }
    [[nodiscard]] unsigned slot() const { return static_cast<unsigned>(m_bits & kSlotMask); }
    [[nodiscard]] std::uint64_t bit() const { return std::uint64_t{1} << slot(); }
    explicit operator bool() const { return m_bits != 0; }
    bool operator==(const RowRef&) const = default;

private:
    static constexpr std::uintptr_t kSlotMask = kBlockRows - 1;
    std::uintptr_t m_bits = 0;
};

/// An identity with at least one row. The text follows the struct. Immutable but for the writer's fields.
struct Face {
    RowRef first; ///< writer: the row added last, whose RowMeta::next leads to the others
    std::uint32_t rows = 0;
    std::uint32_t hash = 0;
    std::uint8_t length = 0;

    [[nodiscard]] std::string_view text() const { return {reinterpret_cast<const char*>(this + 1), length}; }
    [[nodiscard]] std::size_t bytes() const { return sizeof(Face) + length; }
    [[nodiscard]] static Face* create(std::string_view text, std::uint32_t hash); ///< throws std::bad_alloc
    static void destroy(Face* face);
};

inline constexpr std::uint64_t kForever = ~std::uint64_t{0};

/// A row without its numbers. A snapshot of epoch E sees the row when born <= E < died. The other fields are written
/// before a row is born and stay until no snapshot can see it.
struct RowMeta {
    std::atomic<std::uint64_t> born{0};
    std::atomic<std::uint64_t> died{0};
    Face* face = nullptr;
    std::uint64_t variation = 0;
    RowRef next; ///< writer: next row of the face
};

/// Memory of all blocks of one index.
struct RowStore {
    explicit RowStore(const RowLayout& rowLayout, std::unique_ptr<RowFile> rowFile);
    const RowLayout layout;
    SlabPool floats; ///< of full blocks
    SlabPool codes;
    const std::unique_ptr<RowFile> file;
    std::atomic<std::int64_t> otherBytes{0}; ///< small blocks, descriptions, ids, tables
    QuantizedRow inHand;                     ///< writer: the row being added or moved
};

/// Up to 64 rows in a row: the unit of scanning, allocation and release. Readers use the atomics, and of the rest only
/// what belongs to rows they see; all else is the writer's.
struct alignas(64) Block {
    std::atomic<std::uint64_t> live{0};    ///< bit per row that is there now
    std::atomic<std::uint64_t> changed{0}; ///< epoch of the last change of `live`, stored before it
    std::atomic<Block*> next{nullptr};
    float* floats = nullptr; ///< null when they are in the file
    std::int8_t* codes = nullptr;
    float* scales = nullptr;
    float* errors = nullptr;
    RowMeta* meta = nullptr; // until here one cache line: what a scan reads

    std::uint32_t* faceHashes = nullptr;
    std::uint32_t* graphNumbers =
        nullptr; ///< Hnsw: of each row in the first, then in the second graph; null when in none
    Block* previous = nullptr;
    PartitionRows* owner = nullptr;
    std::uint64_t fileOffset = 0;
    std::uint64_t free = 0; ///< bit per slot that may be filled
    std::uint8_t capacity = 0;
    bool open = false; ///< in the partition's list of blocks with free slots
    bool dead = false; ///< without rows, on its way out

    /// Null when there is no memory.
    [[nodiscard]] static Block* create(RowStore& store, PartitionRows& owner, unsigned capacity);
    /// Overwrites and frees everything.
    static void destroy(RowStore& store, Block* block);

    /// The rows a snapshot of this epoch sees. Never waits.
    [[nodiscard]] std::uint64_t visibleAt(std::uint64_t epoch) const;
    [[nodiscard]] const float* floatRow(const RowLayout& layout, unsigned slot) const {
        return floats + slot * layout.floatStride;
    }
    [[nodiscard]] std::uint64_t fileOffsetOf(const RowLayout& layout, unsigned slot) const {
        return fileOffset + slot * layout.floatBytes();
    }
    [[nodiscard]] std::int8_t* codeRow(const RowLayout& layout, unsigned slot) const {
        return codes + slot * layout.codeStride;
    }

    /// Writes numbers and quality of the row in hand into a free slot.
    [[nodiscard]] base::Status write(RowStore& store, unsigned slot);
    /// Takes a row in hand.
    [[nodiscard]] base::Status read(RowStore& store, unsigned slot) const;
    /// Overwrites the numbers of a slot nobody can see.
    void wipe(RowStore& store, unsigned slot);

private:
    [[nodiscard]] bool takeRows(RowStore& store);
};

} // namespace fremis::index

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace fremis::index {

/// Zeroed pieces of one size, cut from mappings that the kernel backs with 2 MB pages (scans are a fifth faster than on
/// 4 KB pages). A piece given back is zero for the next taker and its memory is the system's again. Thread: any.
class SlabPool {
public:
    explicit SlabPool(std::size_t pieceBytes); ///< a multiple of 4096
    ~SlabPool();
    SlabPool(const SlabPool&) = delete;
    SlabPool& operator=(const SlabPool&) = delete;

    [[nodiscard]] void* take(); ///< null when there is no memory
    void give(void* piece);
    /// Maps and touches the next slab ahead, so that no taker waits for the kernel to clear 2 MB. Does nothing when one
    /// is ready or while the pool is small. True when it mapped one.
    bool prepareSpare();
    [[nodiscard]] bool wantsSpare() const;
    /// Pieces in use and the spare.
    [[nodiscard]] std::uint64_t bytes() const;

private:
    struct Slab {
        std::vector<std::uint32_t> free;
    };
    char* slabOf(const void* piece) const;
    char* mapSlab() const;
    bool addSlab();

    const std::size_t m_pieceBytes;
    std::size_t m_slabBytes = 0;
    std::uint32_t m_piecesPerSlab = 0;
    mutable std::mutex m_mutex;
    std::unordered_map<char*, Slab> m_slabs;
    std::vector<char*> m_withRoom; ///< slabs with free pieces
    char* m_spare = nullptr;
    std::uint64_t m_taken = 0;
};

} // namespace fremis::index

#include "shared/index/slab_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace fremis::index {

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kSmallPage = 4096;
constexpr std::size_t kMostHugePages = 8;
constexpr std::size_t kWasteDivisor = 16; // at most 1/16 of a slab may stay unused
constexpr std::size_t kSlabsBeforeSpare = 8;

std::size_t slabBytesFor(std::size_t pieceBytes) {
    std::size_t best = kHugePage;
    while (best < pieceBytes)
        best *= 2;
    for (std::size_t bytes = best; bytes <= std::max(best, kMostHugePages * kHugePage); bytes *= 2)
        if (bytes % pieceBytes <= bytes / kWasteDivisor)
            return bytes;
    return best;
}

} // namespace

SlabPool::SlabPool(std::size_t pieceBytes)
    : m_pieceBytes(pieceBytes), m_slabBytes(slabBytesFor(pieceBytes)),
      m_piecesPerSlab(static_cast<std::uint32_t>(m_slabBytes / pieceBytes)) {}

SlabPool::~SlabPool() {
    for (const auto& [base, slab] : m_slabs)
        munmap(base, m_slabBytes);
    if (m_spare != nullptr)
        munmap(m_spare, m_slabBytes);
}

char* SlabPool::slabOf(const void* piece) const {
    return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(piece) & ~(std::uintptr_t{m_slabBytes} - 1));
}

/// A slab aligned to its own size (a power of two), so that a piece knows its slab.
char* SlabPool::mapSlab() const {
    const std::size_t bytes = 2 * m_slabBytes;
    void* const mapped =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        return nullptr;
    char* const begin = static_cast<char*>(mapped);
    char* const slab = slabOf(begin + m_slabBytes - 1);
    if (slab != begin)
        munmap(begin, static_cast<std::size_t>(slab - begin));
    if (const auto rest = static_cast<std::size_t>(begin + bytes - (slab + m_slabBytes)); rest != 0)
        munmap(slab + m_slabBytes, rest);
    madvise(slab, m_slabBytes, MADV_HUGEPAGE); // refused on kernels without it: small pages then
    return slab;
}

bool SlabPool::addSlab() {
    char* const base = m_spare != nullptr ? std::exchange(m_spare, nullptr) : mapSlab();
    if (base == nullptr)
        return false;
    auto& slab = m_slabs[base];
    for (std::uint32_t piece = m_piecesPerSlab; piece-- > 0;)
        slab.free.push_back(piece);
    m_withRoom.push_back(base);
    return true;
}

void* SlabPool::take() {
    const std::scoped_lock lock(m_mutex);
    if (m_withRoom.empty() && !addSlab())
        return nullptr;
    char* const base = m_withRoom.back();
    auto& free = m_slabs.find(base)->second.free;
    const std::uint32_t piece = free.back();
    free.pop_back();
    if (free.empty())
        m_withRoom.pop_back();
    ++m_taken;
    return base + piece * m_pieceBytes;
}

void SlabPool::give(void* piece) {
    char* const at = static_cast<char*>(piece);
    // Outside the lock: a taker must not wait for the kernel.
    if (madvise(at, m_pieceBytes, MADV_DONTNEED) != 0)
        explicit_bzero(at, m_pieceBytes);
    char* const base = slabOf(at);
    {
        const std::scoped_lock lock(m_mutex);
        --m_taken;
        auto& free = m_slabs.find(base)->second.free;
        free.push_back(static_cast<std::uint32_t>(static_cast<std::size_t>(at - base) / m_pieceBytes));
        if (free.size() == 1)
            m_withRoom.insert(m_withRoom.begin(), base);
        if (free.size() < m_piecesPerSlab)
            return;
        std::erase(m_withRoom, base);
        m_slabs.erase(base);
    }
    munmap(base, m_slabBytes);
}

bool SlabPool::wantsSpare() const {
    const std::scoped_lock lock(m_mutex);
    return m_spare == nullptr && m_slabs.size() >= kSlabsBeforeSpare;
}

bool SlabPool::prepareSpare() {
    if (!wantsSpare())
        return false;
    char* const slab = mapSlab();
    if (slab == nullptr)
        return false;
    for (std::size_t at = 0; at < m_slabBytes; at += kSmallPage)
        static_cast<volatile char*>(slab)[at] = 0;
    const std::scoped_lock lock(m_mutex);
    m_spare = slab; // one thread prepares
    return true;
}

std::uint64_t SlabPool::bytes() const {
    const std::scoped_lock lock(m_mutex);
    return m_taken * m_pieceBytes + (m_spare != nullptr ? m_slabBytes : 0);
}

} // namespace fremis::index

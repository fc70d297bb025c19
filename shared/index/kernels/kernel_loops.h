#pragma once

// The loops around the tiles, the same for every instruction set. Only templates of the including file's own types and
// functions of internal linkage: see kernels.h.
#include "shared/index/kernels/kernels.h"

#include <xmmintrin.h>

namespace fremis::index {
namespace {

constexpr std::size_t kPrefetchAhead = 4096;
constexpr std::size_t kCacheLine = 64;
// Queries that stay in the first-level cache (32 KiB on most CPUs) while a block's rows pass by.
constexpr std::size_t kQueryBytesInCache = 16 * 1024;

/// Where the line kPrefetchAhead behind `row` will come from: the same rows, or what follows them.
inline const char* aheadOf(const char* row, const char* end, const void* next) {
    const auto left = static_cast<std::size_t>(end - row);
    if (left > kPrefetchAhead || next == nullptr)
        return row + kPrefetchAhead;
    return static_cast<const char*>(next) + (kPrefetchAhead - left);
}

/// One query, row after row with a prefetch ahead: as fast as memory delivers.
template<class Isa, class Element, class Sum>
inline void scanRows(const Element* query, const Element* rows, std::size_t stride, std::size_t count, const void* next,
                     Sum* sums) {
    const char* const end = reinterpret_cast<const char*>(rows + count * stride);
    for (std::size_t r = 0; r < count; ++r) {
        const Element* const row = rows + r * stride;
        sums[r] = Isa::dot(query, row, stride, aheadOf(reinterpret_cast<const char*>(row), end, next));
    }
}

/// Fetches what comes next into the second-level cache, a piece at each call, while a block is worked on.
class NextBlock {
public:
    NextBlock(const void* next, std::size_t bytes, std::size_t calls)
        : m_at(static_cast<const char*>(next)), m_end(m_at + (next != nullptr ? bytes : 0)),
          m_step((bytes / kCacheLine / calls + 1) * kCacheLine) {}
    void fetchPiece() {
        const char* const stop = m_at + m_step < m_end ? m_at + m_step : m_end;
        for (; m_at < stop; m_at += kCacheLine)
            _mm_prefetch(m_at, _MM_HINT_T1);
    }

private:
    const char* m_at;
    const char* m_end;
    std::size_t m_step;
};

/// Some queries against at most Isa::kTileRows rows.
template<class Isa>
inline void tileRows(const std::uint8_t* queries, std::size_t queryCount, const std::int8_t* rows, std::size_t stride,
                     std::size_t rowCount, NextBlock& nextBlock, std::int32_t* dots) {
    typename Isa::Offset offsets[Isa::kTileRows * Isa::kMostOffsets];
    const std::size_t perRow = Isa::offsetsPerRow(stride);
    for (std::size_t r = 0; r < rowCount; ++r)
        Isa::makeOffsets(rows + r * stride, stride, offsets + r * perRow);
    std::size_t q = 0;
    if (rowCount == Isa::kTileRows)
        for (; q + Isa::kTileQueries <= queryCount; q += Isa::kTileQueries) {
            Isa::template tile<Isa::kTileQueries, Isa::kTileRows>(queries + q * stride, rows, stride, offsets,
                                                                  dots + q * kBlockRows);
            nextBlock.fetchPiece();
        }
    for (; q < queryCount; ++q) {
        for (std::size_t r = 0; r < rowCount; ++r)
            Isa::template tile<1, 1>(queries + q * stride, rows + r * stride, stride, offsets + r * perRow,
                                     dots + q * kBlockRows + r);
        nextBlock.fetchPiece();
    }
}

/// All queries against all rows of a block: a few queries stay in the first-level cache while the rows pass by, which
/// are in the second-level cache after the first time.
template<class Isa>
inline void tileBlock(const std::uint8_t* queries, std::size_t queryCount, const std::int8_t* rows, std::size_t stride,
                      std::size_t count, const void* next, std::size_t nextBytes, std::int32_t* dots) {
    std::size_t group = kQueryBytesInCache / stride / Isa::kTileQueries * Isa::kTileQueries;
    if (group == 0)
        group = Isa::kTileQueries;
    const std::size_t rowSteps = (count + Isa::kTileRows - 1) / Isa::kTileRows;
    NextBlock nextBlock(next, nextBytes, rowSteps * ((queryCount + Isa::kTileQueries - 1) / Isa::kTileQueries));
    for (std::size_t q = 0; q < queryCount; q += group) {
        const std::size_t inGroup = group < queryCount - q ? group : queryCount - q;
        for (std::size_t r = 0; r < count; r += Isa::kTileRows) {
            const std::size_t rowCount = Isa::kTileRows < count - r ? Isa::kTileRows : count - r;
            tileRows<Isa>(queries + q * stride, inGroup, rows + r * stride, stride, rowCount, nextBlock,
                          dots + q * kBlockRows + r);
        }
    }
}

} // namespace
} // namespace fremis::index

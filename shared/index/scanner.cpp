#include "shared/index/scanner.h"

#include <xmmintrin.h>

#include <bit>
#include <numeric>

namespace fremis::index {

namespace {

constexpr std::uint64_t kAllRows = ~std::uint64_t{0};

/// Calls visit(first, count, last) for each run of set bits.
template<class Visit> void forEachRun(std::uint64_t mask, Visit&& visit) {
    while (mask != 0) {
        const auto first = static_cast<unsigned>(std::countr_zero(mask));
        const auto count = static_cast<unsigned>(std::countr_one(mask >> first));
        mask &= first + count == kBlockRows ? 0 : kAllRows << (first + count);
        visit(first, count, mask == 0);
    }
}

template<class Visit> void forEachBit(std::uint64_t mask, Visit&& visit) {
    for (; mask != 0; mask &= mask - 1)
        visit(static_cast<unsigned>(std::countr_zero(mask)));
}

} // namespace

struct Scanner::Scratch {
    Scratch(const RowLayout& layout, std::size_t queries)
        : codes(alignedArray<std::int8_t>(kBlockRows * layout.codeStride)),
          row(alignedArray<float>(layout.floatStride)), dots(alignedArray<std::int32_t>(queries * kBlockRows)) {}
    AlignedArray<std::int8_t> codes; ///< zero behind the dimension
    AlignedArray<float> row;
    AlignedArray<std::int32_t> dots;
    std::array<float, kBlockRows> scores{};
    std::array<float, kBlockRows> scales{};
    std::array<float, kBlockRows> errors{};
};

Scanner::Scanner(const RowStore& store, const PreparedQueries& queries, std::size_t first, std::size_t count, int k,
                 std::uint64_t epoch)
    : m_kernels(bestKernels()), m_store(store), m_layout(store.layout), m_queries(queries), m_first(first),
      m_epoch(epoch), m_scratch(std::make_unique<Scratch>(store.layout, count)) {
    m_state.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        m_state.push_back(
            {errorBound(m_layout, query(i).fineQuality), errorBound(m_layout, query(i).coarseQuality), TopFaces(k),
             CandidateList(k, [this, i](const Candidate& candidate) { return exactScore(i, candidate); })});
}

Scanner::~Scanner() = default;

void Scanner::scan(const PartitionRows& partition) {
    const auto scanBlock = m_state.size() > 1    ? &Scanner::scanTile
                           : m_layout.keepsCodes ? &Scanner::scanCodes
                                                 : &Scanner::scanFloats;
    for (const Block* block = partition.first(); block != nullptr;) {
        const Block* const next = block->next.load(std::memory_order_acquire);
        if (next != nullptr)
            fetchAhead(*next);
        if (const auto visible = block->visibleAt(m_epoch); visible != 0) {
            m_rowsSeen += static_cast<std::uint64_t>(std::popcount(visible));
            (this->*scanBlock)(*block, visible, next);
        }
        block = next;
    }
}

/// Blocks lie anywhere in memory: what a scan reads of them beside their rows is fetched while the block before is
/// worked on. `next` itself has been fetched as `afterNext`.
void Scanner::fetchAhead(const Block& next) const {
    if (const Block* const afterNext = next.next.load(std::memory_order_acquire))
        _mm_prefetch(reinterpret_cast<const char*>(afterNext), _MM_HINT_T0);
    if (m_state.size() == 1 && !m_layout.keepsCodes)
        return;
    for (const float* const of : {next.scales, next.errors})
        for (unsigned slot = 0; slot < next.capacity; slot += kRowAlign / sizeof(float))
            _mm_prefetch(reinterpret_cast<const char*>(of + slot), _MM_HINT_T0);
}

void Scanner::scanFloats(const Block& block, std::uint64_t visible, const Block* next) {
    auto& scores = m_scratch->scores;
    const float* const nextRows = next == nullptr ? nullptr : next->floats;
    forEachRun(visible, [&](unsigned first, unsigned count, bool last) {
        m_kernels.dotRows(query(0).floats, block.floatRow(m_layout, first), m_layout.floatStride, count,
                          last ? nextRows : nullptr, &scores[first]);
    });
    TopFaces& top = m_state.front().top;
    forEachBit(visible, [&](unsigned slot) {
        if (scores[slot] >= top.threshold())
            top.offer({scores[slot], block.meta[slot].face, block.meta[slot].variation});
    });
}

/// What select() reads, for 64 rows. A full block has it in place; else only visible rows may be read, as others are
/// being written perhaps.
Scanner::Dense Scanner::denseQualities(const Block& block, std::uint64_t visible) {
    Dense dense;
    if (visible == kAllRows) {
        dense.scales = block.scales;
        dense.errors = block.errors;
        dense.count = kBlockRows;
        std::iota(dense.slots.begin(), dense.slots.end(), std::uint8_t{0});
        return dense;
    }
    Scratch& scratch = *m_scratch;
    forEachBit(visible, [&](unsigned slot) {
        scratch.scales[dense.count] = block.scales[slot];
        scratch.errors[dense.count] = block.errors[slot];
        dense.slots[dense.count++] = static_cast<std::uint8_t>(slot);
    });
    dense.scales = scratch.scales.data();
    dense.errors = scratch.errors.data();
    return dense;
}

void Scanner::scanCodes(const Block& block, std::uint64_t visible, const Block* next) {
    const PreparedQuery& asked = query(0);
    OfQuery& state = m_state.front();
    const std::int8_t* const nextRows = next == nullptr ? nullptr : next->codes;
    std::int32_t* const dots = m_scratch->dots.get();
    unsigned done = 0;
    forEachRun(visible, [&](unsigned first, unsigned count, bool last) {
        m_kernels.dotCodes(asked.fine, block.codeRow(m_layout, first), m_layout.codeStride, count,
                           last ? nextRows : nullptr, dots + done);
        done += count;
    });
    const Dense dense = denseQualities(block, visible);
    const auto selected =
        m_kernels.select({dots, dense.scales, dense.errors, asked.fineQuality.scale, state.fineBound.errorFactor,
                          state.candidates.threshold() - state.fineBound.slack});
    forEachBit(selected & dense.mask(), [&](unsigned j) { addCandidate(0, block, dense.slots[j], dots[j]); });
}

/// Stored codes, or codes made on the way: for many queries that costs less than multiplying floats.
void Scanner::denseCodes(const Block& block, Dense& dense) {
    if (m_layout.keepsCodes && dense.count == kBlockRows) {
        dense.codes = block.codes;
        return;
    }
    std::int8_t* const codes = m_scratch->codes.get();
    for (unsigned j = 0; j < dense.count; ++j) {
        std::int8_t* const to = codes + j * m_layout.codeStride;
        if (m_layout.keepsCodes)
            std::memcpy(to, block.codeRow(m_layout, dense.slots[j]), m_layout.codeStride);
        else
            m_kernels.quantize(block.floatRow(m_layout, dense.slots[j]), m_layout.floatStride, 1.0F / dense.scales[j],
                               to);
    }
    dense.codes = codes;
}

void Scanner::scanTile(const Block& block, std::uint64_t visible, const Block* next) {
    Dense dense = denseQualities(block, visible);
    denseCodes(block, dense);
    const void* nextRows = nullptr;
    if (next != nullptr)
        nextRows = m_layout.keepsCodes ? static_cast<const void*>(next->codes) : next->floats;
    const std::size_t nextBytes =
        next == nullptr ? 0 : next->capacity * (m_layout.keepsCodes ? m_layout.codeStride : m_layout.floatBytes());
    std::int32_t* const dots = m_scratch->dots.get();
    m_kernels.dotTile(query(0).coarse, m_state.size(), dense.codes, m_layout.codeStride, dense.count, nextRows,
                      nextBytes, dots);
    for (std::size_t i = 0; i < m_state.size(); ++i) {
        OfQuery& state = m_state[i];
        const float threshold = m_layout.keepsCodes ? state.candidates.threshold() : state.top.threshold();
        const auto selected =
            m_kernels.select({dots + i * kBlockRows, dense.scales, dense.errors, query(i).coarseQuality.scale,
                              state.coarseBound.errorFactor, threshold - state.coarseBound.slack});
        forEachBit(selected & dense.mask(), [&](unsigned j) { offer(i, block, dense, j); });
    }
}

/// A row that passed the coarse look; its codes are in the cache. With the fine bound few rows are left, whose floats
/// or face may have to come from memory.
void Scanner::offer(std::size_t i, const Block& block, const Dense& dense, unsigned j) {
    std::int32_t dot = 0;
    m_kernels.dotCodes(query(i).fine, dense.codes + j * m_layout.codeStride, m_layout.codeStride, 1, nullptr, &dot);
    const unsigned slot = dense.slots[j];
    if (m_layout.keepsCodes)
        return addCandidate(i, block, slot, dot);
    OfQuery& state = m_state[i];
    if (boundsOf(i, block, slot, dot).upper < state.top.threshold())
        return;
    float score = 0;
    m_kernels.dotRows(query(i).floats, block.floatRow(m_layout, slot), m_layout.floatStride, 1, nullptr, &score);
    state.top.offer({score, block.meta[slot].face, block.meta[slot].variation});
}

Scanner::Bounds Scanner::boundsOf(std::size_t i, const Block& block, unsigned slot, std::int32_t dot) const {
    const ErrorBound& bound = m_state[i].fineBound;
    const float approximate = static_cast<float>(dot) * (block.scales[slot] * query(i).fineQuality.scale);
    const float error = block.errors[slot] * bound.errorFactor + bound.slack;
    return {approximate - error, approximate + error};
}

void Scanner::addCandidate(std::size_t i, const Block& block, unsigned slot, std::int32_t dot) {
    CandidateList& candidates = m_state[i].candidates;
    if (const Bounds bounds = boundsOf(i, block, slot, dot); bounds.upper >= candidates.threshold())
        candidates.add({bounds.lower, bounds.upper, block.meta[slot].face, &block, slot});
}

base::Result<float> Scanner::exactScore(std::size_t i, const Candidate& candidate) {
    return index::exactScore(m_store, query(i).floats, *candidate.block, candidate.slot, m_scratch->row.get());
}

base::Result<std::vector<FoundRow>> Scanner::take(std::size_t i) {
    OfQuery& state = m_state[i];
    if (m_layout.keepsCodes)
        return state.candidates.resolve();
    return state.top.take();
}

base::Result<const float*> floatsOf(const RowStore& store, const Block& block, unsigned slot, float* rowScratch) {
    if (!store.layout.floatsInFile)
        return block.floatRow(store.layout, slot);
    const auto read = store.file->read(block.fileOffsetOf(store.layout, slot), {rowScratch, store.layout.floatStride});
    if (!read)
        return tl::unexpected(read.error());
    return rowScratch;
}

base::Result<float> exactScore(const RowStore& store, const float* query, const Block& block, unsigned slot,
                               float* rowScratch) {
    const auto row = floatsOf(store, block, slot, rowScratch);
    if (!row)
        return tl::unexpected(row.error());
    float score = 0;
    bestKernels().dotRows(query, *row, store.layout.floatStride, 1, nullptr, &score);
    return score;
}

} // namespace fremis::index

#pragma once

// Included by files that are compiled for newer instruction sets: nothing here may bring in inline functions, or the
// linker could take their copies for the whole program.
#include <cstddef>
#include <cstdint>

namespace fremis::index {

/// Rows of one block. A kernel sees at most so many.
inline constexpr std::size_t kBlockRows = 64;
/// A row of floats or codes is padded with zeros to a multiple of so many bytes and starts at such an address.
inline constexpr std::size_t kRowAlign = 64;
/// No row has more floats or codes.
inline constexpr std::size_t kMostStride = 8192;
/// A code of a coarse query, -31..31, is stored as code + 32.
inline constexpr int kCoarseZero = 32;
inline constexpr int kCoarseMax = 31;

/// Which rows of a block can still matter: row r can when
///   dots[r] * (scales[r] * queryScale) + errors[r] * errorFactor >= threshold
/// All arrays hold kBlockRows entries.
struct Selection {
    const std::int32_t* dots;
    const float* scales;
    const float* errors;
    float queryScale;
    float errorFactor;
    float threshold;
};

/// The loops that read the rows, one set per instruction set. `stride` is the distance of rows in elements. `next`:
/// what will be read after these rows, or null; only a hint.
///
/// All sets give the same bits. A float score is defined as: lane j (0..7) adds the products q[i]*x[i] for i = j, j+8,
/// ... in rising order, each product rounded before it is added (no fused multiply-add), then
/// ((l0+l4)+(l2+l6)) + ((l1+l5)+(l3+l7)). A score therefore depends on its two vectors alone, not on the row's place,
/// its neighbours, or how many queries are asked at once. Integer sums are exact in any order.
struct Kernels {
    const char* name;

    /// scores[r] = <query, row r>
    void (*dotRows)(const float* query, const float* rows, std::size_t stride, std::size_t count, const void* next,
                    float* scores);

    /// dots[r] = <query, row r> for codes -127..127.
    void (*dotCodes)(const std::int8_t* query, const std::int8_t* rows, std::size_t stride, std::size_t count,
                     const void* next, std::int32_t* dots);

    /// dots[q * kBlockRows + r] = <query q - kCoarseZero, row r> for coarse queries (1..63, unsigned; where rows are
    /// zero any number will do) and codes -127..127. `nextBytes`: how much of `next` to fetch meanwhile.
    void (*dotTile)(const std::uint8_t* queries, std::size_t queryCount, const std::int8_t* rows, std::size_t stride,
                    std::size_t count, const void* next, std::size_t nextBytes, std::int32_t* dots);

    /// codes[i] = row[i] * inverseScale, rounded to the nearest (ties to even); |row[i] * inverseScale| < 127.5.
    /// `count`: a multiple of 16.
    void (*quantize)(const float* row, std::size_t count, float inverseScale, std::int8_t* codes);

    /// Bit r is set when row r can matter.
    std::uint64_t (*select)(const Selection& selection);
};

const Kernels& baselineKernels(); ///< SSE2, on every x86-64
const Kernels& avx2Kernels();
const Kernels& avx512Kernels(); ///< AVX-512 F, BW, DQ, VL, VNNI

bool cpuHasAvx2();
bool cpuHasAvx512Vnni();

/// The fastest set this CPU runs. Thread: any.
const Kernels& bestKernels();

} // namespace fremis::index

#include "shared/hashing/fixed_log2.h"

#include <array>
#include <bit>

namespace fremis::hashing {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kOne = std::uint64_t{1} << 63; // 1.0 with 63 fractional bits

// log2 of y / 2^63 in [1, 2) with 63 fractional bits, one per squaring (Knuth, TAOCP 1, 1.2.2, exercise 25). An error
// made in step i counts 2^-i of itself, so truncating costs less than 2^-61 in all. Only used for the tables.
constexpr std::uint64_t log2BySquaring(std::uint64_t y) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 63; ++i) {
        const Wide square = Wide{y} * y;
        const bool twoOrMore = (square >> 127) != 0;
        bits = (bits << 1) | (twoOrMore ? 1u : 0u);
        y = static_cast<std::uint64_t>(square >> (twoOrMore ? 64 : 63));
    }
    return bits;
}

// A factor c a little above 1 / (1 + k / Steps), so that y * c falls into [1, 1 + 1/Steps + 2^-Bits), and -log2(c).
struct Step {
    std::uint32_t factor;
    std::uint64_t log;
};

template<std::size_t Count, int StepBits, int FactorBits> constexpr std::array<Step, Count> makeSteps() {
    std::array<Step, Count> steps{};
    for (std::size_t k = 0; k < Count; ++k) {
        const std::uint64_t numerator = std::uint64_t{1} << (StepBits + FactorBits);
        const std::uint64_t denominator = (std::uint64_t{1} << StepBits) + k;
        const std::uint64_t factor = (numerator + denominator - 1) / denominator;
        const bool isOne = factor == std::uint64_t{1} << FactorBits;
        // c is in (1/2, 1): -log2(c) = 1 - log2(2 c)
        steps[k] = {static_cast<std::uint32_t>(factor), isOne ? 0 : kOne - log2BySquaring(factor << (64 - FactorBits))};
    }
    return steps;
}

constexpr auto kCoarse = makeSteps<128, 7, 14>();
constexpr auto kFine =
    makeSteps<136, 14, 30>(); // after the coarse step y is below 1 + 2^-7 + 2^-14 + rounding: k <= 131

// log2(1 + t) for t = x / 2^63 below 2^-13.8: four terms of the series; the fifth is below 2^-70.
std::uint64_t log2NearOne(std::uint64_t x) {
    constexpr std::uint64_t kLog2E = 0xB8AA3B295C17F0BCull; // log2(e) with 63 fractional bits
    const auto times = [](std::uint64_t a, std::uint64_t b) { return static_cast<std::uint64_t>((Wide{a} * b) >> 63); };
    const std::uint64_t x2 = times(x, x);
    const std::uint64_t x3 = times(x2, x);
    const std::uint64_t series = x - x2 / 2 + x3 / 3 - times(x2, x2) / 4;
    return times(series, kLog2E);
}

} // namespace

std::uint64_t negativeLog2(std::uint64_t score) noexcept {
    const std::uint64_t odd = 2 * (score >> 8) + 1; // u * 2^57
    const int zeros = std::countl_zero(odd);
    const std::uint64_t y = odd << zeros; // odd = y / 2^63 * 2^(63 - zeros)
    const Step& coarse = kCoarse[(y >> 56) & 127];
    const auto y1 = static_cast<std::uint64_t>((Wide{y} * coarse.factor) >> 14);
    const Step& fine = kFine[(y1 - kOne) >> 49];
    const auto y2 = static_cast<std::uint64_t>((Wide{y1} * fine.factor) >> 30);
    const std::uint64_t fraction = coarse.log + fine.log + log2NearOne(y2 - kOne);
    return (static_cast<std::uint64_t>(zeros - 6) << 58) - (fraction >> 5); // 57 - (63 - zeros) whole parts
}

} // namespace fremis::hashing

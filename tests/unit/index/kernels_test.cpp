#include "shared/index/aligned.h"
#include "shared/index/kernels/kernels.h"
#include "tests/unit/index/index_fixtures.h"

#include <QtTest>

#include <bit>

namespace fremis::index {
/// kernels_avx512.cpp compiled with its intrinsics translated to what this CPU has.
const Kernels& emulatedAvx512Kernels();
} // namespace fremis::index

using namespace fremis::index;
using namespace fremis::index::testing;

namespace {

struct Data {
    std::size_t stride; // elements, fit for floats and codes
    std::size_t queryCount;
    AlignedArray<float> rows = alignedArray<float>(kBlockRows * stride);
    AlignedArray<float> query = alignedArray<float>(stride);
    AlignedArray<std::int8_t> codes = alignedArray<std::int8_t>(kBlockRows * stride);
    AlignedArray<std::int8_t> queryCodes = alignedArray<std::int8_t>(stride);
    AlignedArray<std::uint8_t> coarse = alignedArray<std::uint8_t>(queryCount * stride);
};

template<class T, class Make> void fill(AlignedArray<T>& array, std::size_t count, Make&& make) {
    for (std::size_t i = 0; i < count; ++i)
        array[i] = static_cast<T>(make());
}

Data makeData(std::size_t stride, std::size_t queryCount, const char* kind, unsigned seed) {
    Data data{stride, queryCount};
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    const bool greatest = std::string_view(kind) == "greatest sums";
    const bool extreme = greatest || std::string_view(kind) == "extreme";
    const auto number = [&] {
        return extreme ? normal(random) * std::exp2(std::clamp(normal(random) * 30, -60.0F, 40.0F))
                       : normal(random) * 0.05F;
    };
    const auto code = [&] {
        return greatest ? 127 : extreme ? (random() % 2 == 0 ? 127 : -127) : static_cast<int>(random() % 255) - 127;
    };
    fill(data.rows, kBlockRows * stride, number);
    fill(data.query, stride, number);
    fill(data.codes, kBlockRows * stride, code);
    fill(data.queryCodes, stride, code);
    fill(data.coarse, queryCount * stride, [&] { return extreme ? 63 : 1 + static_cast<int>(random() % 63); });
    if (greatest)
        std::fill_n(data.coarse.get(), stride, std::uint8_t{1}); // the first query: the least of all sums
    return data;
}

template<class T> bool sameBits(std::span<const T> left, std::span<const T> right) {
    return std::memcmp(left.data(), right.data(), left.size_bytes()) == 0;
}

} // namespace

class KernelsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void floatScoresAreTheDefinitionBitForBit_data() { cases(); }
    void floatScoresAreTheDefinitionBitForBit() {
        const auto [kernels, data, count] = caseOfRow();
        std::array<float, kBlockRows> scores{};
        kernels->dotRows(data.query.get(), data.rows.get(), data.stride, count, data.rows.get(), scores.data());
        for (std::size_t r = 0; r < count; ++r) {
            const float expected =
                scoreByDefinition({data.query.get(), data.stride}, {data.rows.get() + r * data.stride, data.stride});
            QCOMPARE(std::bit_cast<std::uint32_t>(scores[r]), std::bit_cast<std::uint32_t>(expected));
        }
    }
    void codeSumsAreExact_data() { cases(); }
    void codeSumsAreExact() {
        const auto [kernels, data, count] = caseOfRow();
        std::array<std::int32_t, kBlockRows> dots{};
        kernels->dotCodes(data.queryCodes.get(), data.codes.get(), data.stride, count, nullptr, dots.data());
        for (std::size_t r = 0; r < count; ++r)
            QCOMPARE(dots[r], plainDot(data.queryCodes.get(), data.codes.get() + r * data.stride, data.stride));
    }
    void tileDotsAreExact_data() { cases(); }
    void tileDotsAreExact() {
        const auto [kernels, data, count] = caseOfRow();
        std::vector<std::int32_t> dots(data.queryCount * kBlockRows, -1);
        kernels->dotTile(data.coarse.get(), data.queryCount, data.codes.get(), data.stride, count, data.codes.get(),
                         4096, dots.data());
        for (std::size_t q = 0; q < data.queryCount; ++q)
            for (std::size_t r = 0; r < kBlockRows; ++r)
                QCOMPARE(dots[q * kBlockRows + r],
                         r < count ? plainDot(data.coarse.get() + q * data.stride, data.codes.get() + r * data.stride,
                                              data.stride, kCoarseZero)
                                   : -1);
    }
    void codesAreTheSameOnAll_data() { cases(); }
    void codesAreTheSameOnAll() {
        const auto [kernels, data, count] = caseOfRow();
        for (std::size_t r = 0; r < count; ++r) {
            const std::span row(data.rows.get() + r * data.stride, data.stride);
            float greatest = 0;
            for (const float value : row)
                greatest = std::max(greatest, std::fabs(value));
            const float inverse = 1.0F / (greatest / 127.0F);
            std::vector<std::int8_t> codes(data.stride);
            kernels->quantize(row.data(), row.size(), inverse, codes.data());
            for (std::size_t i = 0; i < row.size(); ++i)
                QCOMPARE(int(codes[i]), int(std::nearbyint(row[i] * inverse)));
        }
    }
    void selectsTheSameRowsOnAll_data() { cases(); }
    void selectsTheSameRowsOnAll() {
        const auto [kernels, data, count] = caseOfRow();
        std::mt19937 random(5);
        std::uniform_real_distribution<float> uniform(0, 1e-3F);
        std::array<std::int32_t, kBlockRows> dots{};
        std::array<float, kBlockRows> scales{};
        std::array<float, kBlockRows> errors{};
        for (std::size_t r = 0; r < kBlockRows; ++r) {
            dots[r] = static_cast<std::int32_t>(random() % 200'000) - 100'000;
            scales[r] = uniform(random);
            errors[r] = uniform(random);
        }
        for (const float threshold : {-std::numeric_limits<float>::infinity(), -0.01F, 0.0F, 0.02F}) {
            const Selection selection{dots.data(), scales.data(), errors.data(), 0.01F, 1.5F, threshold};
            QCOMPARE(kernels->select(selection), plainSelect(selection));
        }
    }

private:
    struct Case {
        const Kernels* kernels;
        Data data;
        std::size_t count;
    };
    static void cases() {
        QTest::addColumn<const Kernels*>("kernels");
        QTest::addColumn<std::size_t>("stride");
        QTest::addColumn<std::size_t>("queries");
        QTest::addColumn<std::size_t>("count");
        QTest::addColumn<QByteArray>("kind");
        std::vector<std::pair<QByteArray, const Kernels*>> sets{{"baseline", &baselineKernels()},
                                                                {"avx512 emulated", &emulatedAvx512Kernels()}};
        if (cpuHasAvx2())
            sets.emplace_back("avx2", &avx2Kernels());
        if (cpuHasAvx512Vnni())
            sets.emplace_back("avx512", &avx512Kernels());
        for (const auto& [name, kernels] : sets)
            for (const std::size_t stride : {std::size_t{64}, std::size_t{192}, std::size_t{512}, kMostStride})
                for (const std::size_t queries : {1, 5, stride == kMostStride ? 7 : 64}) // long rows take long
                    for (const std::size_t count : {1, 3, 63, 64})
                        for (const char* kind : {"usual", "extreme", "greatest sums"})
                            QTest::addRow("%s, %zu numbers, %zu queries, %zu rows, %s", name.constData(), stride,
                                          queries, count, kind)
                                << kernels << stride << queries << count << QByteArray(kind);
    }
    static Case caseOfRow() {
        QFETCH(const Kernels*, kernels);
        QFETCH(std::size_t, stride);
        QFETCH(std::size_t, queries);
        QFETCH(std::size_t, count);
        QFETCH(QByteArray, kind);
        return {kernels, makeData(stride, queries, kind.constData(), 7), count};
    }
    static std::int32_t plainDot(const auto* a, const std::int8_t* b, std::size_t length, int zero = 0) {
        std::int32_t sum = 0;
        for (std::size_t i = 0; i < length; ++i)
            sum += (a[i] - zero) * b[i];
        return sum;
    }
    static std::uint64_t plainSelect(const Selection& s) {
        std::uint64_t mask = 0;
        for (std::size_t r = 0; r < kBlockRows; ++r) {
            const float approximate = static_cast<float>(s.dots[r]) * (s.scales[r] * s.queryScale);
            const float error = s.errors[r] * s.errorFactor;
            if (approximate + error >= s.threshold)
                mask |= std::uint64_t{1} << r;
        }
        return mask;
    }
};

QTEST_GUILESS_MAIN(KernelsTest)
#include "kernels_test.moc"

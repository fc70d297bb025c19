#include "shared/metrics/window_timer.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fremis::metrics {

namespace {

// Buckets as in an HDR histogram: each doubling of the duration has kSubBuckets of equal width, so a bucket is at most
// 1/kSubBuckets of its value wide. Microseconds below kSubBuckets have a bucket each.
constexpr std::uint64_t kSubBuckets = 32;
constexpr int kSubBits = 5;
constexpr std::uint64_t kMaxMicroseconds = 120'000'000;

constexpr std::size_t bucketOf(std::uint64_t microseconds) {
    if (microseconds < kSubBuckets)
        return static_cast<std::size_t>(microseconds);
    const int shift = static_cast<int>(std::bit_width(microseconds)) - 1 - kSubBits;
    const auto octave = static_cast<std::uint64_t>(shift) + 1;
    return static_cast<std::size_t>(octave * kSubBuckets + ((microseconds >> shift) - kSubBuckets));
}

constexpr std::size_t kBuckets = bucketOf(kMaxMicroseconds) + 1;

/// The middle of a bucket.
double microsecondsOf(std::size_t bucket) {
    if (bucket < kSubBuckets)
        return static_cast<double>(bucket);
    const auto shift = static_cast<int>(bucket / kSubBuckets) - 1;
    const double lower = std::ldexp(static_cast<double>(kSubBuckets + bucket % kSubBuckets), shift);
    return lower + (std::ldexp(1.0, shift) - 1.0) / 2.0;
}

std::uint64_t clampedMicroseconds(std::chrono::nanoseconds duration) {
    const auto rounded = (duration.count() + 500) / 1000;
    return static_cast<std::uint64_t>(std::clamp<std::int64_t>(rounded, 1, kMaxMicroseconds));
}

/// Nearest-rank quantiles of the counts.
std::array<double, kQuantiles.size()> quantilesOf(const std::vector<std::uint64_t>& counts, std::uint64_t total) {
    std::array<double, kQuantiles.size()> result{};
    std::size_t bucket = 0;
    std::uint64_t seen = counts.empty() ? 0 : counts[0];
    for (std::size_t i = 0; i < kQuantiles.size(); ++i) {
        const auto rank = static_cast<std::uint64_t>(std::ceil(kQuantiles[i].rank * static_cast<double>(total)));
        while (seen < rank && bucket + 1 < counts.size())
            seen += counts[++bucket];
        result[i] = microsecondsOf(bucket) / 1000.0;
    }
    return result;
}

} // namespace

WindowTimer::WindowTimer(const base::Clock& clock) : m_clock(clock) {
    // Allocated here, not at the first duration: the hot path stays free of allocation.
    for (Slot& slot : m_slots)
        slot.counts.resize(kBuckets);
}

std::int64_t WindowTimer::currentSecond() const {
    return std::chrono::floor<std::chrono::seconds>(m_clock.steady().time_since_epoch()).count();
}

void WindowTimer::observe(std::chrono::nanoseconds duration) {
    const auto microseconds = clampedMicroseconds(duration);
    const std::scoped_lock lock(m_mutex);
    const auto second = currentSecond();
    Slot& slot = m_slots[static_cast<std::size_t>(second) % m_slots.size()];
    if (slot.second != second) {
        std::fill(slot.counts.begin(), slot.counts.end(), 0U);
        slot.second = second;
    }
    ++slot.counts[bucketOf(microseconds)];
    ++m_count;
    m_sumMilliseconds += static_cast<double>(microseconds) / 1000.0;
}

WindowTimer::Snapshot WindowTimer::snapshot() const {
    std::vector<std::uint64_t> counts(kBuckets);
    std::uint64_t total = 0;
    Snapshot snapshot;
    {
        const std::scoped_lock lock(m_mutex);
        const auto oldest = currentSecond() - kWindow.count() + 1;
        for (const Slot& slot : m_slots) {
            if (slot.second < oldest)
                continue;
            for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
                counts[bucket] += slot.counts[bucket];
                total += slot.counts[bucket];
            }
        }
        snapshot.count = m_count;
        snapshot.sumMilliseconds = m_sumMilliseconds;
    }
    if (total > 0)
        snapshot.milliseconds = quantilesOf(counts, total);
    return snapshot;
}

} // namespace fremis::metrics

#pragma once

#include "shared/hashing/rendezvous_order.h"

#include <cmath>

namespace fremis::hashing {

/// floor(x) + 1, 1 <= x < 2^31.
[[nodiscard]] inline double nextWhole(double x) noexcept {
#if defined(__FMA__) || !defined(__SSE2__)
    return std::trunc(x) + 1; // one instruction; a sum might be contracted with the product that made x
#else
    // At 2^52 a double has no room for a fraction, so the sum is x - 1/2 rounded to a whole number, and that is
    // floor(x); a whole x is a tie, which may go down. A third of the time of converting to an integer and back.
    const double next = (x + (0x1p52 - 0.5)) - (0x1p52 - 1);
    if (next == x) [[unlikely]]
        return x + 1;
    return next;
#endif
}

/// Jump consistent hash (Lamping and Veach 2014, arXiv 1406.2294, figure 1). 1 <= buckets < 2^31; returns
/// 0..buckets-1. Whole numbers below 2^31 are exact as doubles, and the one division is of IEEE doubles, exact to the
/// last bit on every platform.
[[nodiscard]] inline std::uint32_t jumpBucket(std::uint64_t key, std::uint32_t buckets) noexcept {
    const double end = buckets;
    double after = 1; // the bucket + 1
    for (;;) {
        key = key * 2862933555777941757ull + 1;
        const auto divisor = static_cast<double>(static_cast<std::int64_t>(key >> 33) + 1);
        const double next = after * (static_cast<double>(std::int64_t{1} << 31) / divisor);
        if (next >= end)
            return static_cast<std::uint32_t>(after) - 1;
        after = nextWhole(next);
    }
}

/// Jump hashing over a table bucket -> node. A node that joins gets a new last bucket; only the node of the last bucket
/// may leave.
class Jump final : public Placement {
public:
    [[nodiscard]] static base::Result<PlacementPtr> create(NodeSet nodes, const SchemeOptions& options = {});
    [[nodiscard]] static base::Result<PlacementPtr> restore(NodeSet nodes, const SchemeOptions& options,
                                                            class ByteReader& state);

    [[nodiscard]] Scheme scheme() const override { return Scheme::Jump; }
    [[nodiscard]] NodeIndex ownerOf(std::uint64_t hash) const noexcept override {
        return m_buckets.empty() ? kNoNode : m_buckets[jumpBucket(hash, static_cast<std::uint32_t>(m_buckets.size()))];
    }
    void preference(std::uint64_t hash, std::size_t wanted, std::vector<NodeIndex>& out) const override {
        m_order.after(ownerOf(hash), hash, wanted, out);
    }
    [[nodiscard]] base::Result<PlacementPtr> add(Node node) const override;
    [[nodiscard]] base::Result<PlacementPtr> remove(std::string_view id) const override;
    [[nodiscard]] base::Result<PlacementPtr> weight(std::string_view id, std::uint32_t hundredths) const override;
    [[nodiscard]] std::size_t memoryBytes() const override { return m_buckets.size() * sizeof(NodeIndex); }
    /// The node of each bucket.
    [[nodiscard]] std::span<const NodeIndex> buckets() const { return m_buckets; }

private:
    Jump(NodeSet nodes, const SchemeOptions& options, std::vector<NodeIndex> buckets);
    void writeState(ByteWriter& out) const override;

    std::vector<NodeIndex> m_buckets;
    RendezvousOrder m_order;
};

} // namespace fremis::hashing

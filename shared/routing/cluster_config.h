#pragma once

#include "shared/routing/address.h"
#include "shared/routing/range.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fremis::routing {

inline constexpr int kMaxAddresses = 256;
inline constexpr std::size_t kMaxConfigBytes = 1024 * 1024;
/// Enough for eight copies of 256 partitions, however they are scattered; an entry takes about 25 us to read.
inline constexpr std::size_t kMaxConfigEntries = 2048;

/// A node's share of the load relative to the others, 0.01..100 in steps of 0.01. Kept as an integer, because a plan must
/// come out the same on every machine.
class Weight {
public:
    constexpr Weight() = default;
    /// "1", "0.5", "2.25": plain decimal, at most two digits after the point, 0.01..100. Empty when it is anything else.
    [[nodiscard]] static std::optional<Weight> parse(std::string_view text);
    [[nodiscard]] static constexpr Weight hundredths(int value) { return Weight(value); } ///< 1..10000
    [[nodiscard]] constexpr int hundredths() const { return m_hundredths; }
    [[nodiscard]] std::string text() const; ///< shortest form: "1", "0.5"
    auto operator<=>(const Weight&) const = default;

private:
    constexpr explicit Weight(int value) : m_hundredths(value) {}
    int m_hundredths = 100;
};

/// One item of `nodes`. Several entries may share an address: together they are one node.
struct NodeEntry {
    Address address;
    Range range;
    std::optional<std::string> name;
    std::optional<Weight> weight;
    bool operator==(const NodeEntry&) const = default;
};

/// What a config.yml of version v1 says, in the order of the file.
struct ClusterConfig {
    std::vector<NodeEntry> entries;
    std::optional<int> replication; ///< owners each partition must have
    std::optional<bool> allowPartialSearch;
    bool operator==(const ClusterConfig&) const = default;
};

/// One text for all files that mean the same: nodes by address, ranges merged, defaults filled in; no comments, no order.
[[nodiscard]] std::string canonicalText(const ClusterConfig& config);

/// Names a map: the first 16 hexadecimal digits of SHA-256 over canonicalText().
[[nodiscard]] std::string epochOf(const ClusterConfig& config);

} // namespace fremis::routing

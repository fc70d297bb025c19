#pragma once

#include "shared/base/error.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fremis::hashing {

/// Weights are integer hundredths, so that no platform rounds them differently: 100 is weight 1.
inline constexpr std::uint32_t kUnitWeight = 100;
inline constexpr std::uint32_t kMinWeight = 1;     ///< 0.01
inline constexpr std::uint32_t kMaxWeight = 10000; ///< 100.00
inline constexpr std::size_t kMaxNodes = 65536;

/// A node's place in its NodeSet, which is sorted by id.
using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = 0xFFFFFFFFu;

/// A node of a cluster. Empty host, rack or zone means "not known". A rack is inside its zone: equal rack names in two
/// zones are two racks. Hosts are named cluster-wide.
struct Node {
    std::string id; ///< 1..255 bytes, compared byte for byte
    std::uint32_t weight = kUnitWeight;
    std::string zone{};
    std::string rack{};
    std::string host{};
    bool operator==(const Node&) const = default;
};

/// "2", "0.5", "1.25" as hundredths: plain decimal, no sign, no leading zero, at most two decimals. Fails outside
/// 0.01..100.
[[nodiscard]] base::Result<std::uint32_t> parseWeight(std::string_view text);
/// 150 as "1.5".
[[nodiscard]] std::string weightText(std::uint32_t hundredths);

/// Nodes sorted by id, each id once, each weight in range. A value: changes return another set.
/// Errors: Reason::InvalidParams, or Reason::NotFound for an id that is not there.
class NodeSet {
public:
    NodeSet() = default;
    [[nodiscard]] static base::Result<NodeSet> create(std::vector<Node> nodes);
    /// node1, node2, .. node`count`, all of weight 1: what the published vectors use.
    [[nodiscard]] static NodeSet numbered(std::size_t count, std::string_view prefix = "node");

    [[nodiscard]] std::span<const Node> nodes() const { return m_nodes; }
    [[nodiscard]] std::size_t size() const { return m_nodes.size(); }
    [[nodiscard]] bool empty() const { return m_nodes.empty(); }
    [[nodiscard]] const Node& operator[](NodeIndex index) const { return m_nodes[index]; }
    /// kNoNode when absent.
    [[nodiscard]] NodeIndex find(std::string_view id) const;
    [[nodiscard]] std::uint64_t totalWeight() const;
    [[nodiscard]] bool hasEqualWeights() const;

    [[nodiscard]] base::Result<NodeSet> with(Node node) const;
    [[nodiscard]] base::Result<NodeSet> without(std::string_view id) const;
    [[nodiscard]] base::Result<NodeSet> withWeight(std::string_view id, std::uint32_t hundredths) const;

    bool operator==(const NodeSet&) const = default;

private:
    std::vector<Node> m_nodes;
};

} // namespace fremis::hashing

#include "shared/hashing/node_set.h"

#include <algorithm>
#include <charconv>

namespace fremis::hashing {

using base::fail;
using base::Reason;

namespace {

constexpr std::size_t kMaxNameBytes = 255;

[[nodiscard]] base::Status check(const Node& node) {
    if (node.id.empty() || node.id.size() > kMaxNameBytes)
        return fail(Reason::InvalidParams, "a node id has 1 to 255 bytes");
    if (std::max({node.zone.size(), node.rack.size(), node.host.size()}) > kMaxNameBytes)
        return fail(Reason::InvalidParams, "a zone, rack or host name is longer than 255 bytes");
    if (node.weight < kMinWeight || node.weight > kMaxWeight)
        return fail(Reason::InvalidParams, "a weight is not in 0.01..100");
    return {};
}

constexpr auto byId = [](const Node& a, const Node& b) { return a.id < b.id; };

} // namespace

base::Result<std::uint32_t> parseWeight(std::string_view text) {
    const auto bad = [] {
        return fail(Reason::InvalidParams, "a weight is a number in 0.01..100 with at most two decimals");
    };
    const std::size_t point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    std::string fraction(point == std::string_view::npos ? std::string_view() : text.substr(point + 1));
    if (whole.empty() || (whole.size() > 1 && whole.front() == '0') ||
        (point != std::string_view::npos && fraction.empty()) || fraction.size() > 2)
        return bad();
    fraction.resize(2, '0');
    const std::string digits = std::string(whole) + fraction;
    if (digits.find_first_not_of("0123456789") != std::string::npos)
        return bad();
    std::uint32_t hundredths = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), hundredths);
    if (error != std::errc() || hundredths < kMinWeight || hundredths > kMaxWeight)
        return bad();
    return hundredths;
}

std::string weightText(std::uint32_t hundredths) {
    std::string text = std::to_string(hundredths / 100);
    if (const std::uint32_t rest = hundredths % 100; rest != 0) {
        text += '.';
        text += static_cast<char>('0' + rest / 10);
        if (rest % 10 != 0)
            text += static_cast<char>('0' + rest % 10);
    }
    return text;
}

base::Result<NodeSet> NodeSet::create(std::vector<Node> nodes) {
    if (nodes.size() > kMaxNodes)
        return fail(Reason::InvalidParams, "more than " + std::to_string(kMaxNodes) + " nodes");
    for (const Node& node : nodes)
        if (auto status = check(node); !status)
            return tl::unexpected(std::move(status.error()));
    std::sort(nodes.begin(), nodes.end(), byId);
    const auto twin =
        std::adjacent_find(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.id == b.id; });
    if (twin != nodes.end())
        return fail(Reason::InvalidParams, "node " + twin->id + " is there twice");
    NodeSet set;
    set.m_nodes = std::move(nodes);
    return set;
}

NodeSet NodeSet::numbered(std::size_t count, std::string_view prefix) {
    NodeSet set;
    set.m_nodes.reserve(count);
    for (std::size_t i = 1; i <= count; ++i)
        set.m_nodes.push_back({.id = std::string(prefix) + std::to_string(i)});
    std::sort(set.m_nodes.begin(), set.m_nodes.end(), byId);
    return set;
}

NodeIndex NodeSet::find(std::string_view id) const {
    const auto at = std::lower_bound(m_nodes.begin(), m_nodes.end(), id,
                                     [](const Node& node, std::string_view wanted) { return node.id < wanted; });
    return at != m_nodes.end() && at->id == id ? static_cast<NodeIndex>(at - m_nodes.begin()) : kNoNode;
}

std::uint64_t NodeSet::totalWeight() const {
    std::uint64_t sum = 0;
    for (const Node& node : m_nodes)
        sum += node.weight;
    return sum;
}

bool NodeSet::hasEqualWeights() const {
    return std::all_of(m_nodes.begin(), m_nodes.end(),
                       [&](const Node& node) { return node.weight == m_nodes[0].weight; });
}

base::Result<NodeSet> NodeSet::with(Node node) const {
    if (find(node.id) != kNoNode)
        return fail(Reason::InvalidParams, "node " + node.id + " is there already");
    std::vector<Node> nodes = m_nodes;
    nodes.push_back(std::move(node));
    return create(std::move(nodes));
}

base::Result<NodeSet> NodeSet::without(std::string_view id) const {
    const NodeIndex index = find(id);
    if (index == kNoNode)
        return fail(Reason::NotFound, "there is no node " + std::string(id));
    NodeSet rest = *this;
    rest.m_nodes.erase(rest.m_nodes.begin() + index);
    return rest;
}

base::Result<NodeSet> NodeSet::withWeight(std::string_view id, std::uint32_t hundredths) const {
    const NodeIndex index = find(id);
    if (index == kNoNode)
        return fail(Reason::NotFound, "there is no node " + std::string(id));
    NodeSet changed = *this;
    changed.m_nodes[index].weight = hundredths;
    if (auto status = check(changed.m_nodes[index]); !status)
        return tl::unexpected(std::move(status.error()));
    return changed;
}

} // namespace fremis::hashing

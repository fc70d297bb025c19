#include "shared/hashing/placed_ring.h"

#include "shared/hashing/codec.h"
#include "shared/hashing/token_editor.h"

#include <algorithm>

namespace fremis::hashing {

using base::fail;
using base::Reason;

namespace {

[[nodiscard]] base::Status check(const NodeSet& nodes, const SchemeOptions& options) {
    if (options.tokensPerNode < 2 || options.tokensPerNode > 1024)
        return fail(Reason::InvalidParams, "a placed ring has 2 to 1024 tokens per node");
    if (nodes.size() * options.tokensPerNode > 4'000'000)
        return fail(Reason::InvalidParams, "the placed ring would have more than 4000000 tokens");
    return {};
}

std::vector<PointTable::Point> pointsOf(std::span<const PlacedRing::Token> tokens) {
    std::vector<PointTable::Point> points;
    points.reserve(tokens.size());
    for (const PlacedRing::Token& token : tokens)
        points.push_back({token.end, token.node});
    return points;
}

} // namespace

base::Result<PlacementPtr> PlacedRing::create(NodeSet nodes, const SchemeOptions& options) {
    if (auto status = check(nodes, options); !status)
        return tl::unexpected(std::move(status.error()));
    std::vector<Token> tokens;
    if (!nodes.empty())
        tokens = TokenEditor::evenRounds(nodes, *options.hash, options.tokensPerNode);
    return PlacementPtr(new PlacedRing(std::move(nodes), options, tokens));
}

base::Result<PlacementPtr> PlacedRing::restore(NodeSet nodes, const SchemeOptions& options, ByteReader& state) {
    if (!check(nodes, options))
        return corrupt("token counts");
    const std::uint32_t count = state.u32();
    if (!state.ok() || state.left() != std::uint64_t{count} * 12 || count != nodes.size() * options.tokensPerNode)
        return corrupt("token counts");
    std::vector<Token> tokens;
    tokens.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t end = state.u64();
        const NodeIndex node = state.u32();
        if (node >= nodes.size() || (!tokens.empty() && end <= tokens.back().end))
            return corrupt("a token out of order or without a node");
        tokens.push_back({end, node});
    }
    return PlacementPtr(new PlacedRing(std::move(nodes), options, tokens));
}

PlacedRing::PlacedRing(NodeSet set, const SchemeOptions& options, std::span<const Token> tokens)
    : Placement(std::move(set), options), m_points(pointsOf(tokens)) {}

std::vector<PlacedRing::Token> PlacedRing::tokensFor(const NodeSet& set) const {
    std::vector<Token> tokens;
    tokens.reserve(m_points.size());
    for (std::size_t i = 0; i < m_points.size(); ++i)
        tokens.push_back({m_points.position(i), set.find(nodes()[m_points.node(i)].id)});
    return tokens;
}

base::Result<PlacementPtr> PlacedRing::add(Node node) const {
    const std::string id = node.id;
    auto set = nodes().with(std::move(node));
    if (!set)
        return tl::unexpected(std::move(set.error()));
    if (nodes().empty())
        return create(std::move(*set), options());
    if (auto status = check(*set, options()); !status)
        return tl::unexpected(std::move(status.error()));
    TokenEditor editor(tokensFor(*set), *set);
    editor.join(set->find(id), options().tokensPerNode);
    editor.settle();
    return PlacementPtr(new PlacedRing(std::move(*set), options(), editor.take()));
}

base::Result<PlacementPtr> PlacedRing::remove(std::string_view id) const {
    auto set = nodes().without(id);
    if (!set)
        return tl::unexpected(std::move(set.error()));
    if (set->empty())
        return create(std::move(*set), options());
    TokenEditor editor(tokensFor(*set), *set);
    editor.fillGaps();
    editor.settle();
    return PlacementPtr(new PlacedRing(std::move(*set), options(), editor.take()));
}

base::Result<PlacementPtr> PlacedRing::weight(std::string_view id, std::uint32_t hundredths) const {
    auto set = nodes().withWeight(id, hundredths);
    if (!set)
        return tl::unexpected(std::move(set.error()));
    TokenEditor editor(tokensFor(*set), *set);
    editor.settle();
    return PlacementPtr(new PlacedRing(std::move(*set), options(), editor.take()));
}

void PlacedRing::writeState(ByteWriter& out) const {
    out.u32(static_cast<std::uint32_t>(m_points.size()));
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        out.u64(m_points.position(i));
        out.u32(m_points.node(i));
    }
}

} // namespace fremis::hashing

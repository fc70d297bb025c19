#pragma once

#include "shared/hashing/placed_ring.h"

namespace fremis::hashing {

/// Moves the tokens of a PlacedRing. Works on the tokens of a ring in ascending order of `end`, all ends different, at
/// least two. All arithmetic is of integers, all choices have a tie rule: the same input gives the same tokens
/// everywhere. Internal.
class TokenEditor {
public:
    using Token = PlacedRing::Token;

    /// `tokens` name nodes of `nodes`, whose weights set the targets; a node may have none yet.
    TokenEditor(std::vector<Token> tokens, const NodeSet& nodes);

    /// Gives `node`, which has no token, `count` arcs that together are its share, taken from the nodes above theirs.
    void join(NodeIndex node, std::uint32_t count);
    /// Hands the arcs of tokens that name kNoNode to the neighbours on either side, the emptier one getting more.
    void fillGaps();
    /// Slides tokens until every node is within 0.9 % of its share.
    void settle();
    [[nodiscard]] std::vector<Token> take() { return std::move(m_tokens); }

    /// `count` tokens a node in rounds of shuffled nodes, every arc in proportion to its node's weight.
    [[nodiscard]] static std::vector<Token> evenRounds(const NodeSet& nodes, const KeyHash& hash, std::uint32_t count);

private:
    __extension__ using Signed = __int128;
    /// The boundary at token `index`: `back` moves it towards its own arc (its node gives), else away (its node takes).
    struct Slide {
        std::size_t index;
        bool back;
        std::uint64_t room; // the giving arc's length
        NodeIndex partner;
    };

    [[nodiscard]] std::size_t before(std::size_t i) const { return i == 0 ? m_tokens.size() - 1 : i - 1; }
    [[nodiscard]] std::size_t after(std::size_t i) const { return i + 1 == m_tokens.size() ? 0 : i + 1; }
    [[nodiscard]] std::uint64_t length(std::size_t i) const { return m_tokens[i].end - m_tokens[before(i)].end; }
    [[nodiscard]] Signed target(NodeIndex node) const;
    [[nodiscard]] Signed excess(NodeIndex node) const { return m_shares[node] - target(node); }
    /// excess / target in units of 2^-32.
    [[nodiscard]] Signed deviation(NodeIndex node) const;
    /// What arc i can give without going below its node's target or losing most of itself; `reserved` is spoken for.
    [[nodiscard]] std::uint64_t spare(std::size_t i, std::uint64_t reserved) const;
    void cut(NodeIndex node, Signed wanted);
    void insertAt(std::size_t boundary, std::uint64_t fromLeft, std::uint64_t fromRight, NodeIndex node);
    void closeGap(std::size_t first, std::size_t last);
    [[nodiscard]] bool improve(NodeIndex node);
    void slide(const Slide& chosen, NodeIndex giver, NodeIndex taker, std::uint64_t amount);
    [[nodiscard]] std::uint64_t amountFor(NodeIndex giver, NodeIndex taker, std::uint64_t room,
                                          bool giverDecides) const;
    void sort();

    std::vector<Token> m_tokens;
    const NodeSet& m_nodes;
    const std::uint64_t m_totalWeight;
    std::vector<Signed> m_shares;
};

} // namespace fremis::hashing

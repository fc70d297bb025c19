#include "shared/hashing/token_editor.h"

#include <algorithm>

namespace fremis::hashing {

namespace {

__extension__ using Signed = __int128;

constexpr Signed kCircle = Signed{1} << 64;
constexpr Signed kTolerance = (Signed{1} << 32) * 9 / 1000; // 0.9 %, in the units of deviation()

std::uint64_t magnitude(Signed x) {
    return static_cast<std::uint64_t>(x < 0 ? -x : x);
}

} // namespace

TokenEditor::TokenEditor(std::vector<Token> tokens, const NodeSet& nodes)
    : m_tokens(std::move(tokens)), m_nodes(nodes), m_totalWeight(nodes.totalWeight()), m_shares(nodes.size(), 0) {
    for (std::size_t i = 0; i < m_tokens.size(); ++i)
        if (m_tokens[i].node != kNoNode)
            m_shares[m_tokens[i].node] += length(i);
}

Signed TokenEditor::target(NodeIndex node) const {
    return kCircle * m_nodes[node].weight / m_totalWeight;
}

Signed TokenEditor::deviation(NodeIndex node) const {
    return (excess(node) << 32) / target(node);
}

// Three quarters at most: an arc that shrinks to nothing is a token that no longer spreads its node's keys.
std::uint64_t TokenEditor::spare(std::size_t i, std::uint64_t reserved) const {
    const Signed over = excess(m_tokens[i].node) - reserved;
    return over <= 0 ? 0 : static_cast<std::uint64_t>(std::min<Signed>(over, length(i) - length(i) / 4));
}

void TokenEditor::join(NodeIndex node, std::uint32_t count) {
    for (std::uint32_t left = count; left > 0; --left)
        cut(node, -excess(node) / left);
}

// A new token at a boundary takes from both sides of it, so `count` tokens can draw on twice as many nodes.
void TokenEditor::cut(NodeIndex node, Signed wanted) {
    std::size_t best = 0;
    std::uint64_t bestLeft = 0;
    std::uint64_t bestRight = 0;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < m_tokens.size(); ++i) {
        const std::size_t next = after(i);
        const std::uint64_t left = spare(i, 0);
        const std::uint64_t right = spare(next, m_tokens[next].node == m_tokens[i].node ? left : 0);
        if (Signed{left} + right > Signed{bestLeft} + bestRight) {
            best = i;
            bestLeft = left;
            bestRight = right;
        }
        if (length(i) > length(longest))
            longest = i;
    }
    const Signed offered = Signed{bestLeft} + bestRight;
    if (offered == 0) { // nobody is above its share; settle() will mend what this takes
        const auto half = std::max<std::uint64_t>(1, length(longest) / 2);
        const auto amount = wanted <= 0 ? std::uint64_t{1} : static_cast<std::uint64_t>(std::min<Signed>(wanted, half));
        return insertAt(longest, amount, 0, node);
    }
    const Signed taken = std::clamp<Signed>(wanted, 1, offered);
    const auto fromLeft = static_cast<std::uint64_t>((taken >> 1) * bestLeft / (offered >> 1 == 0 ? 1 : offered >> 1));
    const auto clamped = std::min<Signed>(std::min<Signed>(fromLeft, bestLeft), taken);
    const auto rest = std::min<Signed>(taken - clamped, bestRight);
    if (clamped + rest > 0)
        insertAt(best, static_cast<std::uint64_t>(clamped), static_cast<std::uint64_t>(rest), node);
}

void TokenEditor::insertAt(std::size_t boundary, std::uint64_t fromLeft, std::uint64_t fromRight, NodeIndex node) {
    Token& left = m_tokens[boundary];
    const Token added{left.end + fromRight, node};
    m_shares[left.node] -= fromLeft;
    m_shares[m_tokens[after(boundary)].node] -= fromRight;
    m_shares[node] += Signed{fromLeft} + fromRight;
    left.end -= fromLeft;
    m_tokens.push_back(added);
    sort();
}

void TokenEditor::sort() {
    std::sort(m_tokens.begin(), m_tokens.end(), [](const Token& a, const Token& b) { return a.end < b.end; });
}

void TokenEditor::fillGaps() {
    // Starting behind a token that stays makes every gap one run.
    const auto stays = std::find_if(m_tokens.begin(), m_tokens.end(), [](const Token& t) { return t.node != kNoNode; });
    if (stays == m_tokens.end())
        return;
    std::rotate(m_tokens.begin(), stays, m_tokens.end());
    for (std::size_t i = 0; i < m_tokens.size(); ++i) {
        std::size_t last = i;
        while (last + 1 < m_tokens.size() && m_tokens[last + 1].node == kNoNode)
            ++last;
        if (last > i)
            closeGap(i + 1, last);
        i = last;
    }
    std::erase_if(m_tokens, [](const Token& token) { return token.node == kNoNode; });
    sort();
}

// The run first..last between token first-1 and the token after last. What the right side gets needs no token: its arc
// grows.
void TokenEditor::closeGap(std::size_t first, std::size_t last) {
    Token& left = m_tokens[first - 1];
    const NodeIndex right = m_tokens[after(last)].node;
    const std::uint64_t gap = m_tokens[last].end - left.end;
    const Signed even = left.node == right ? 0 : (gap + excess(right) - excess(left.node)) / 2;
    const auto toLeft = static_cast<std::uint64_t>(std::clamp<Signed>(even, 0, gap));
    left.end += toLeft;
    m_shares[left.node] += toLeft;
    m_shares[right] += gap - toLeft;
}

void TokenEditor::settle() {
    std::vector<bool> stuck(m_nodes.size(), false);
    for (std::size_t round = 0; round < 1000 + 200 * m_nodes.size(); ++round) {
        NodeIndex worst = kNoNode;
        for (NodeIndex i = 0; i < m_nodes.size(); ++i)
            if (!stuck[i] && (worst == kNoNode || magnitude(deviation(i)) > magnitude(deviation(worst))))
                worst = i;
        if (worst == kNoNode || Signed{magnitude(deviation(worst))} <= kTolerance)
            return;
        if (improve(worst))
            stuck.assign(m_nodes.size(), false);
        else
            stuck[worst] = true;
    }
}

// Shifts the boundary to the neighbour that is furthest on the other side of its share.
bool TokenEditor::improve(NodeIndex node) {
    const bool gives = excess(node) > 0;
    Slide chosen{0, false, 0, kNoNode};
    const auto offer = [&](const Slide& slide) {
        if (slide.partner == node || slide.room < 8)
            return;
        const Signed mine = deviation(slide.partner);
        const Signed best = chosen.partner == kNoNode ? 0 : deviation(chosen.partner);
        const bool further = gives ? mine < best : mine > best;
        if (chosen.partner == kNoNode || further || (mine == best && slide.room > chosen.room))
            chosen = slide;
    };
    for (std::size_t i = 0; i < m_tokens.size(); ++i) {
        if (m_tokens[i].node != node)
            continue;
        const std::size_t left = before(i);
        const std::size_t right = after(i);
        offer({i, gives, gives ? length(i) : length(right), m_tokens[right].node});
        offer({left, !gives, gives ? length(i) : length(left), m_tokens[left].node});
    }
    if (chosen.partner == kNoNode)
        return false;
    const NodeIndex giver = gives ? node : chosen.partner;
    const NodeIndex taker = gives ? chosen.partner : node;
    const std::uint64_t amount = amountFor(giver, taker, chosen.room, gives);
    if (amount == 0)
        return false;
    slide(chosen, giver, taker, amount);
    return true;
}

// Until both deviate alike, but not past the target of the node that is being mended, nor the arc away.
std::uint64_t TokenEditor::amountFor(NodeIndex giver, NodeIndex taker, std::uint64_t room, bool giverDecides) const {
    const Signed giverWeight = m_nodes[giver].weight;
    const Signed takerWeight = m_nodes[taker].weight;
    const Signed alike = (m_shares[giver] * takerWeight - m_shares[taker] * giverWeight) / (giverWeight + takerWeight);
    const Signed missing = giverDecides ? excess(giver) : -excess(taker);
    const Signed amount = std::min({alike, missing, Signed{room - room / 8}});
    return amount <= 0 ? 0 : static_cast<std::uint64_t>(amount);
}

void TokenEditor::slide(const Slide& chosen, NodeIndex giver, NodeIndex taker, std::uint64_t amount) {
    Token& token = m_tokens[chosen.index];
    token.end += chosen.back ? std::uint64_t{0} - amount : amount;
    m_shares[giver] -= amount;
    m_shares[taker] += amount;
    sort(); // a token may pass the circle's end
}

std::vector<TokenEditor::Token> TokenEditor::evenRounds(const NodeSet& nodes, const KeyHash& hash,
                                                        std::uint32_t count) {
    std::vector<std::uint64_t> hashes;
    std::vector<NodeIndex> order;
    for (NodeIndex i = 0; i < nodes.size(); ++i) {
        hashes.push_back(hash.of(nodes[i].id));
        order.push_back(i);
    }
    const Signed whole = Signed{nodes.totalWeight()} * count;
    std::vector<Token> tokens;
    Signed sum = 0;
    for (std::uint64_t round = 0; round < count; ++round) {
        std::sort(order.begin(), order.end(), [&](NodeIndex a, NodeIndex b) {
            const std::uint64_t placeA = mix64(hashes[a] + round);
            const std::uint64_t placeB = mix64(hashes[b] + round);
            return placeA != placeB ? placeA < placeB : a < b;
        });
        for (const NodeIndex node : order) {
            sum += nodes[node].weight;
            tokens.push_back(
                {static_cast<std::uint64_t>(kCircle * sum / whole), node}); // the last end is 2^64, which is 0
        }
    }
    std::rotate(tokens.begin(), tokens.end() - 1, tokens.end()); // and so comes first
    return tokens;
}

} // namespace fremis::hashing

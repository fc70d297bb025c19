#include "shared/hashing/memento.h"

#include "shared/hashing/codec.h"
#include "shared/hashing/history.h"

#include <algorithm>
#include <numeric>

namespace fremis::hashing {

namespace {

__extension__ using Wide = unsigned __int128;

// 0..size-1 from a hash of the key that is new for each bucket.
std::uint32_t rehash(std::uint64_t hash, std::uint32_t bucket, std::uint32_t size) {
    const std::uint64_t fresh = mix64(hash ^ mix64(bucket + std::uint64_t{1}));
    return static_cast<std::uint32_t>((Wide{fresh} * size) >> 64);
}

} // namespace

// Algorithm 4 of the paper. A draw may name a bucket that left before this one; its place was then taken by the bucket
// whose number was the count of workers after that removal, and so on along the chain.
std::uint32_t Memento::replacement(std::uint32_t bucket, std::uint64_t hash) const noexcept {
    const auto isRemoved = [this](std::uint32_t b) { return m_state.buckets[b] == kNoNode; };
    while (isRemoved(bucket)) {
        const std::uint32_t working = m_state.working[bucket];
        std::uint32_t drawn = rehash(hash, bucket, working);
        while (isRemoved(drawn) && m_state.working[drawn] >= working)
            drawn = m_state.working[drawn];
        bucket = drawn;
    }
    return bucket;
}

void Memento::State::remove(std::uint32_t bucket) {
    if (removed.empty() && bucket + 1 == buckets.size()) { // plain jump
        buckets.pop_back();
        working.pop_back();
        return;
    }
    removed.push_back(bucket);
    buckets[bucket] = kNoNode;
    working[bucket] = static_cast<std::uint32_t>(buckets.size() - removed.size());
    if (removed.size() == buckets.size()) // nobody left to remember for
        *this = State{};
}

void Memento::State::add(NodeIndex node) {
    if (removed.empty()) {
        buckets.push_back(node);
        working.push_back(0);
        return;
    }
    buckets[removed.back()] = node;
    working[removed.back()] = 0;
    removed.pop_back();
}

base::Result<PlacementPtr> Memento::create(NodeSet nodes, const SchemeOptions& options) {
    auto set = withEqualWeights(std::move(nodes), Scheme::Memento);
    if (!set)
        return tl::unexpected(std::move(set.error()));
    State state;
    for (NodeIndex i = 0; i < set->size(); ++i)
        state.add(i);
    return PlacementPtr(new Memento(std::move(*set), options, std::move(state)));
}

// The stored form is the final buckets and the order of removals; replaying the removals gives back the rest.
base::Result<PlacementPtr> Memento::restore(NodeSet nodes, const SchemeOptions& options, ByteReader& bytes) {
    const std::uint32_t count = bytes.u32();
    const std::uint32_t removedCount = bytes.u32();
    if (!bytes.ok() || !nodes.hasEqualWeights() || count - std::uint64_t{removedCount} != nodes.size() ||
        bytes.left() != (std::uint64_t{count} + removedCount) * 4 || (count > 0 && nodes.empty()))
        return corrupt("bucket counts");
    State state;
    std::vector<bool> seen(nodes.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const NodeIndex node = bytes.u32();
        if (node != kNoNode && (node >= nodes.size() || seen[node]))
            return corrupt("a bucket without a node of its own");
        if (node != kNoNode)
            seen[node] = true;
        state.buckets.push_back(node);
    }
    state.working.assign(count, 0);
    for (std::uint32_t i = 0; i < removedCount; ++i) {
        const std::uint32_t bucket = bytes.u32();
        if (bucket >= count || state.buckets[bucket] != kNoNode || state.working[bucket] != 0)
            return corrupt("a removal of a bucket that works");
        state.removed.push_back(bucket);
        state.working[bucket] = count - i - 1;
    }
    return PlacementPtr(new Memento(std::move(nodes), options, std::move(state)));
}

Memento::Memento(NodeSet set, const SchemeOptions& options, State state)
    : Placement(std::move(set), options), m_state(std::move(state)), m_order(nodes(), *options.hash) {}

base::Result<PlacementPtr> Memento::add(Node node) const {
    const std::string id = node.id;
    auto set = withEqualWeights(nodes().with(std::move(node)), Scheme::Memento);
    if (!set)
        return tl::unexpected(std::move(set.error()));
    State state = m_state;
    state.buckets = translated(m_state.buckets, nodes(), *set);
    state.add(set->find(id));
    return PlacementPtr(new Memento(std::move(*set), options(), std::move(state)));
}

base::Result<PlacementPtr> Memento::remove(std::string_view id) const {
    auto set = nodes().without(id);
    if (!set)
        return tl::unexpected(std::move(set.error()));
    const auto at = std::find(m_state.buckets.begin(), m_state.buckets.end(), nodes().find(id));
    State state = m_state;
    state.remove(static_cast<std::uint32_t>(at - m_state.buckets.begin()));
    state.buckets = translated(state.buckets, nodes(), *set);
    return PlacementPtr(new Memento(std::move(*set), options(), std::move(state)));
}

base::Result<PlacementPtr> Memento::weight(std::string_view id, std::uint32_t hundredths) const {
    auto set = withEqualWeights(nodes().withWeight(id, hundredths), Scheme::Memento);
    if (!set)
        return tl::unexpected(std::move(set.error()));
    return PlacementPtr(new Memento(std::move(*set), options(), m_state));
}

std::size_t Memento::memoryBytes() const {
    return m_state.buckets.size() * sizeof(NodeIndex) +
           (m_state.working.size() + m_state.removed.size()) * sizeof(std::uint32_t);
}

void Memento::writeState(ByteWriter& out) const {
    out.u32(static_cast<std::uint32_t>(m_state.buckets.size()));
    out.u32(static_cast<std::uint32_t>(m_state.removed.size()));
    for (const NodeIndex node : m_state.buckets)
        out.u32(node);
    for (const std::uint32_t bucket : m_state.removed)
        out.u32(bucket);
}

} // namespace fremis::hashing

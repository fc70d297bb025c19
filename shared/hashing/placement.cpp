#include "shared/hashing/placement.h"

#include "shared/hashing/codec.h"
#include "shared/hashing/hash_ring.h"
#include "shared/hashing/jump.h"
#include "shared/hashing/maglev.h"
#include "shared/hashing/memento.h"
#include "shared/hashing/modulo.h"
#include "shared/hashing/multi_probe.h"
#include "shared/hashing/placed_ring.h"
#include "shared/hashing/rendezvous.h"
#include "shared/hashing/slot_table.h"

#include <algorithm>
#include <array>
#include <set>

namespace fremis::hashing {

using base::fail;
using base::Reason;

namespace {

// clang-format off
constexpr std::array kSchemes{
    //         scheme                      token           title                                   weights set   any    minimal lookup
    SchemeInfo{Scheme::Modulo,             "modulo",       "hash mod n",                           false, true,  true,  false, "O(1)"},
    SchemeInfo{Scheme::Slots,              "slots",        "256 slots",                            true,  false, true,  true,  "O(1)"},
    SchemeInfo{Scheme::Ring,               "ring",         "hash ring with virtual nodes",         true,  true,  true,  true,  "O(1) on average"},
    SchemeInfo{Scheme::PlacedRing,         "placed",       "ring with placed virtual nodes",       true,  false, true,  false, "O(1) on average"},
    SchemeInfo{Scheme::Rendezvous,         "hrw",          "rendezvous (highest random weight)",   false, true,  true,  true,  "O(n)"},
    SchemeInfo{Scheme::WeightedRendezvous, "weighted-hrw", "weighted rendezvous",                  true,  true,  true,  true,  "O(n)"},
    SchemeInfo{Scheme::Jump,               "jump",         "jump consistent hash",                 false, false, false, true,  "O(log n)"},
    SchemeInfo{Scheme::Memento,            "memento",      "jump with a memory of removals",       false, false, true,  true,  "O(log n)"},
    SchemeInfo{Scheme::Maglev,             "maglev",       "Maglev table",                         true,  true,  true,  false, "O(1)"},
    SchemeInfo{Scheme::MultiProbe,         "multi-probe",  "multi-probe consistent hashing",       false, true,  true,  true,  "O(probes)"},
};
// clang-format on

constexpr std::string_view kMagic = "FHM1";
constexpr std::size_t kChecksumBytes = std::tuple_size_v<Sha256Digest>;

std::string_view bytesOf(const Sha256Digest& digest) {
    return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

// Takes nodes of `order` whose key is new, until `wanted` are taken. A key of "" is unknown and cannot prove a
// difference, so all unknown ones count as one.
class Spreader {
public:
    Spreader(const NodeSet& nodes, std::span<const NodeIndex> order, std::size_t wanted)
        : m_nodes(nodes), m_order(order), m_wanted(wanted), m_isTaken(order.size(), false) {}

    template<class KeyOf> void take(const KeyOf& keyOf) {
        std::set<std::string> used;
        for (const NodeIndex node : m_taken)
            used.insert(keyOf(m_nodes[node]));
        for (std::size_t i = 0; i < m_order.size() && m_taken.size() < m_wanted; ++i)
            if (!m_isTaken[i] && used.insert(keyOf(m_nodes[m_order[i]])).second)
                accept(i);
    }
    void takeAny() {
        for (std::size_t i = 0; i < m_order.size() && m_taken.size() < m_wanted; ++i)
            if (!m_isTaken[i])
                accept(i);
    }
    [[nodiscard]] std::vector<NodeIndex> result() { return std::move(m_taken); }

private:
    void accept(std::size_t i) {
        m_isTaken[i] = true;
        m_taken.push_back(m_order[i]);
    }
    const NodeSet& m_nodes;
    std::span<const NodeIndex> m_order;
    std::size_t m_wanted;
    std::vector<bool> m_isTaken;
    std::vector<NodeIndex> m_taken;
};

tl::unexpected<base::Error> noNode() {
    return fail(Reason::NotReady, "there is no node to place keys on");
}

void writeNode(ByteWriter& out, const Node& node) {
    out.text(node.id);
    out.u32(node.weight);
    out.text(node.zone);
    out.text(node.rack);
    out.text(node.host);
}

Node readNode(ByteReader& in) {
    Node node;
    node.id = in.text();
    node.weight = in.u32();
    node.zone = in.text();
    node.rack = in.text();
    node.host = in.text();
    return node;
}

base::Result<NodeSet> readNodes(ByteReader& in) {
    const std::uint32_t count = in.u32();
    std::vector<Node> nodes;
    for (std::uint32_t i = 0; i < count && in.ok(); ++i)
        nodes.push_back(readNode(in));
    if (!in.ok())
        return corrupt("the nodes");
    auto set = NodeSet::create(nodes);
    if (!set || !std::equal(nodes.begin(), nodes.end(), set->nodes().begin()))
        return corrupt("the nodes"); // indices in the state count on this order
    return set;
}

base::Result<PlacementPtr> restoreSlots(NodeSet nodes, const SchemeOptions& options, ByteReader& state) {
    SlotTable::Owners owners;
    for (NodeIndex& owner : owners)
        owner = state.u32();
    if (!state.ok())
        return corrupt("the slots");
    auto table = SlotTable::fromOwners(std::move(nodes), owners, options);
    if (!table)
        return corrupt("the slots");
    return PlacementPtr(std::move(*table));
}

base::Result<PlacementPtr> restore(Scheme scheme, NodeSet nodes, const SchemeOptions& options, ByteReader& state) {
    switch (scheme) {
    case Scheme::Slots:
        return restoreSlots(std::move(nodes), options, state);
    case Scheme::PlacedRing:
        return PlacedRing::restore(std::move(nodes), options, state);
    case Scheme::Jump:
        return Jump::restore(std::move(nodes), options, state);
    case Scheme::Memento:
        return Memento::restore(std::move(nodes), options, state);
    default:
        break;
    }
    auto made = makePlacement(scheme, std::move(nodes), options);
    if (!made)
        return corrupt("impossible options");
    return made;
}

} // namespace

std::span<const SchemeInfo> schemeTable() {
    return kSchemes;
}

const SchemeInfo& infoOf(Scheme scheme) {
    return kSchemes[static_cast<std::size_t>(scheme)];
}

std::optional<Scheme> schemeOfToken(std::string_view token) {
    for (const SchemeInfo& info : kSchemes)
        if (info.token == token)
            return info.scheme;
    return std::nullopt;
}

base::Result<std::string_view> Placement::owner(std::string_view key) const {
    const NodeIndex node = ownerOf(hashOf(key));
    if (node == kNoNode)
        return noNode();
    return std::string_view(m_nodes[node].id);
}

base::Result<OwnerList> Placement::owners(std::string_view key, std::size_t replicas, SpreadRules rules) const {
    if (m_nodes.empty())
        return noNode();
    return ownersOf(hashOf(key), replicas, rules);
}

OwnerList Placement::ownersOf(std::uint64_t hash, std::size_t replicas, SpreadRules rules) const {
    OwnerList list;
    list.complete = replicas <= m_nodes.size();
    const bool spread = rules.zones || rules.racks || rules.hosts;
    if (!spread) {
        preference(hash, replicas, list.nodes);
        return list;
    }
    std::vector<NodeIndex> order;
    preference(hash, m_nodes.size(), order);
    Spreader spreader(m_nodes, order, replicas);
    if (rules.zones)
        spreader.take([](const Node& node) { return node.zone; });
    if (rules.racks)
        spreader.take(
            [](const Node& node) { return node.rack.empty() ? std::string() : node.zone + '\0' + node.rack; });
    if (rules.hosts)
        spreader.take([](const Node& node) { return node.host; });
    spreader.takeAny();
    list.nodes = spreader.result();
    return list;
}

void Placement::writeState(ByteWriter&) const {}

std::string Placement::serialise() const {
    ByteWriter state;
    writeState(state);
    ByteWriter out;
    out.raw(kMagic);
    out.text(infoOf(scheme()).token);
    out.text(m_options.hash->name);
    out.u32(m_options.pointsPerNode);
    out.u32(m_options.tokensPerNode);
    out.u32(m_options.tableSize);
    out.u32(m_options.probes);
    out.u32(static_cast<std::uint32_t>(m_nodes.size()));
    for (const Node& node : m_nodes.nodes())
        writeNode(out, node);
    out.text(state.bytes());
    out.raw(bytesOf(sha256(out.bytes())));
    return std::move(out.bytes());
}

base::Result<PlacementPtr> Placement::deserialise(std::string_view bytes, const KeyHash* custom) {
    if (bytes.size() < kMagic.size() + kChecksumBytes || !bytes.starts_with(kMagic))
        return corrupt("no map begins here");
    const std::string_view content = bytes.substr(0, bytes.size() - kChecksumBytes);
    if (bytesOf(sha256(content)) != bytes.substr(content.size()))
        return corrupt("the checksum does not fit");
    ByteReader in(content.substr(kMagic.size()));
    const auto scheme = schemeOfToken(in.text());
    const std::string_view hashName = in.text();
    SchemeOptions options;
    options.hash = custom != nullptr && custom->name == hashName ? custom : keyHashByName(hashName);
    options.pointsPerNode = in.u32();
    options.tokensPerNode = in.u32();
    options.tableSize = in.u32();
    options.probes = in.u32();
    if (!in.ok() || !scheme || options.hash == nullptr)
        return corrupt("an unknown scheme or hash");
    auto nodes = readNodes(in);
    if (!nodes)
        return tl::unexpected(std::move(nodes.error()));
    ByteReader state(in.text());
    if (!in.finished())
        return corrupt("bytes after the end");
    auto placement = restore(*scheme, std::move(*nodes), options, state);
    if (placement && !state.finished())
        return corrupt("bytes after the state");
    return placement;
}

base::Result<PlacementPtr> makePlacement(Scheme scheme, NodeSet nodes, const SchemeOptions& options) {
    switch (scheme) {
    case Scheme::Modulo:
        return Modulo::create(std::move(nodes), options);
    case Scheme::Slots:
        return SlotTable::create(std::move(nodes), options);
    case Scheme::Ring:
        return HashRing::create(std::move(nodes), options);
    case Scheme::PlacedRing:
        return PlacedRing::create(std::move(nodes), options);
    case Scheme::Rendezvous:
        return Rendezvous::create(std::move(nodes), options);
    case Scheme::WeightedRendezvous:
        return WeightedRendezvous::create(std::move(nodes), options);
    case Scheme::Jump:
        return Jump::create(std::move(nodes), options);
    case Scheme::Memento:
        return Memento::create(std::move(nodes), options);
    case Scheme::Maglev:
        return Maglev::create(std::move(nodes), options);
    case Scheme::MultiProbe:
        return MultiProbe::create(std::move(nodes), options);
    }
    return fail(Reason::InvalidParams, "there is no such scheme");
}

} // namespace fremis::hashing

#pragma once

#include "shared/hashing/hash.h"
#include "shared/hashing/node_set.h"

#include <memory>
#include <optional>
#include <string>

namespace fremis::hashing {

enum class Scheme {
    Modulo,
    Slots,
    Ring,
    PlacedRing,
    Rendezvous,
    WeightedRendezvous,
    Jump,
    Memento,
    Maglev,
    MultiProbe
};

/// What a scheme promises. Tokens are stable: they are in files, on the command line and in JSON.
struct SchemeInfo {
    Scheme scheme;
    std::string_view token; ///< "ring"
    std::string_view title; ///< "hash ring with virtual nodes"
    bool weights;           ///< false: all weights must be equal
    bool setBased; ///< the map depends on the set of nodes alone; false: on its history, which serialise() holds
    bool arbitraryRemoval;   ///< false: only the node that joined last may leave
    bool minimalMovement;    ///< a change moves keys only to the node that joined, or from the node that left
    std::string_view lookup; ///< "O(n)"
};
[[nodiscard]] std::span<const SchemeInfo> schemeTable();
[[nodiscard]] const SchemeInfo& infoOf(Scheme scheme);
[[nodiscard]] std::optional<Scheme> schemeOfToken(std::string_view token);

struct SchemeOptions {
    const KeyHash* hash = &sha1KeyHash();
    std::uint32_t pointsPerNode = 160; ///< Ring: points of a node of weight 1, 1..100,000
    std::uint32_t tokensPerNode = 16;  ///< PlacedRing: tokens of every node, 2..1,024
    std::uint32_t tableSize = 65537;   ///< Maglev: a prime, at most 268,435,456
    std::uint32_t probes = 21;         ///< MultiProbe: 1..1,024
};

/// How the copies of a key spread: first over unused zones, then unused racks, then unused hosts, then any node. A
/// level that is off, or that no node names, is passed over.
struct SpreadRules {
    bool zones = false;
    bool racks = false;
    bool hosts = false;
    [[nodiscard]] static constexpr SpreadRules none() { return {}; }
    [[nodiscard]] static constexpr SpreadRules all() { return {true, true, true}; }
};

struct OwnerList {
    std::vector<NodeIndex> nodes; ///< distinct, best first; the first is the owner
    bool complete = true;         ///< false: the cluster has fewer nodes than copies were asked for
};

class Placement;
using PlacementPtr = std::shared_ptr<const Placement>;

/// A map from keys to nodes: an immutable snapshot. Lookups take no lock and allocate nothing (owners() allocates its
/// answer), so any number of threads may share one. A change returns a new snapshot; publish it through a SnapshotCell.
/// The same nodes (and history, where the scheme has one) give the same map on every platform. Thread: any.
class Placement {
public:
    virtual ~Placement() = default;

    [[nodiscard]] virtual Scheme scheme() const = 0;
    [[nodiscard]] const NodeSet& nodes() const { return m_nodes; }
    [[nodiscard]] const SchemeOptions& options() const { return m_options; }
    [[nodiscard]] std::uint64_t hashOf(std::string_view key) const { return m_options.hash->of(key); }

    /// The owner of a hashed key; kNoNode when there is no node.
    [[nodiscard]] virtual NodeIndex ownerOf(std::uint64_t hash) const noexcept = 0;
    /// Up to `wanted` distinct nodes in the scheme's order of preference, appended to `out`.
    virtual void preference(std::uint64_t hash, std::size_t wanted, std::vector<NodeIndex>& out) const = 0;

    /// The id of the key's owner. Fails with Reason::NotReady when there is no node.
    [[nodiscard]] base::Result<std::string_view> owner(std::string_view key) const;
    /// `replicas` distinct nodes. Fails with Reason::NotReady when there is no node.
    [[nodiscard]] base::Result<OwnerList> owners(std::string_view key, std::size_t replicas,
                                                 SpreadRules rules = {}) const;
    [[nodiscard]] OwnerList ownersOf(std::uint64_t hash, std::size_t replicas, SpreadRules rules = {}) const;

    /// Reason::InvalidParams for a bad or present node or one whose weight the scheme cannot honour.
    [[nodiscard]] virtual base::Result<PlacementPtr> add(Node node) const = 0;
    /// Reason::NotFound for an unknown id; Reason::InvalidParams when the scheme cannot let this node go.
    [[nodiscard]] virtual base::Result<PlacementPtr> remove(std::string_view id) const = 0;
    [[nodiscard]] virtual base::Result<PlacementPtr> weight(std::string_view id, std::uint32_t hundredths) const = 0;

    /// Bytes that hold the nodes, the options and any history, with a SHA-256 at the end (layout:
    /// resources/docs/hashing.md). The same bytes give the same map, for ever.
    [[nodiscard]] std::string serialise() const;
    /// Reason::CorruptData for truncated or altered bytes. `custom` serves maps made with a hash that has no built-in
    /// name.
    [[nodiscard]] static base::Result<PlacementPtr> deserialise(std::string_view bytes,
                                                                const KeyHash* custom = nullptr);

    /// Bytes that a lookup may touch: tables and points, without the node list.
    [[nodiscard]] virtual std::size_t memoryBytes() const = 0;

    /// The map as arcs of the 64-bit circle, if it is one: arc i covers (end of arc i-1, end of arc i], the first
    /// wraps.
    struct Arc {
        std::uint64_t end;
        NodeIndex owner;
    };
    [[nodiscard]] virtual std::vector<Arc> arcs() const { return {}; }
    /// The map as a table, if it is one: a hash belongs to entry `(hash >> shift) % owners.size()`.
    struct Table {
        std::vector<NodeIndex> owners;
        unsigned shift = 0;
    };
    [[nodiscard]] virtual Table table() const { return {}; }

protected:
    Placement(NodeSet nodes, const SchemeOptions& options) : m_nodes(std::move(nodes)), m_options(options) {}
    Placement(const Placement&) = default;
    Placement& operator=(const Placement&) = delete;
    /// The history, for serialise(); nothing for a set-based scheme.
    virtual void writeState(class ByteWriter& out) const;

private:
    NodeSet m_nodes;
    SchemeOptions m_options;
};

/// A placement of these nodes, which may be none. History-based schemes take the nodes in the order of their ids; to
/// choose another history, start empty and add(). Fails with Reason::InvalidParams.
[[nodiscard]] base::Result<PlacementPtr> makePlacement(Scheme scheme, NodeSet nodes, const SchemeOptions& options = {});

} // namespace fremis::hashing

#pragma once

#include "console/client/snapshot.h"
#include "shared/routing/planner.h"

#include <QString>

#include <map>
#include <vector>

namespace fremis::console {

/// What is to become of a node.
enum class NodeFate {
    Stays,
    Joins,  ///< it is not in the map yet
    Leaves, ///< out of the map
    Empties ///< holds nothing any more
};
[[nodiscard]] QString wordOf(NodeFate fate); ///< translated

/// What an operator wants of a plan, apart from the state it starts from.
class PlanWishes {
public:
    struct Node {
        routing::Address address;
        QString name;
        routing::Weight weight;
        NodeFate fate = NodeFate::Stays;
        bool weightIsNew = false;
        [[nodiscard]] QString key() const { return QString::fromStdString(address.text()); }
        [[nodiscard]] QString label() const { return name.isEmpty() ? key() : name; }
    };

    /// The map to start from; wishes for nodes that it does not have are forgotten, joining ones stay.
    void setStart(const routing::PartitionMap& map);
    [[nodiscard]] const routing::PartitionMap& start() const { return m_start; }
    /// Those of the map in its order, then joining ones.
    [[nodiscard]] const std::vector<Node>& nodes() const { return m_nodes; }
    [[nodiscard]] const Node* find(const QString& key) const;

    /// Fails with Reason::InvalidConfig when it is no address, or there already.
    base::Status addNode(const QString& address);
    /// A joining node that is to go is taken out. Unknown keys change nothing.
    void setFate(const QString& key, NodeFate fate);
    /// Fails with Reason::InvalidConfig when `weight` is not 0.01..100.
    base::Status setWeight(const QString& key, const QString& weight);
    /// "182-207: worker-7; 5: 10.0.0.2:4003, worker-1": partitions and the nodes that must own them. Fails with
    /// Reason::InvalidConfig; then the pins so far stay.
    base::Status setPins(const QString& text);
    void reset(); ///< everything stays as it is

    std::optional<int> replication; ///< nothing: as it is
    routing::PlanMode mode = routing::PlanMode::Multi;
    routing::Objective objective = routing::Objective::Moves;
    std::optional<int> maxMoves; ///< with several ranges only
    routing::CopyRates rates;

    [[nodiscard]] routing::PlanRequest request(const std::optional<routing::PartitionVectors>& vectors) const;

private:
    [[nodiscard]] Node* node(const QString& key);
    [[nodiscard]] const Node* findByName(const QString& nameOrAddress) const;

    routing::PartitionMap m_start;
    std::vector<Node> m_nodes;
    std::map<int, std::vector<routing::Address>> m_pins;
};

} // namespace fremis::console

#include "console/client/plan_wishes.h"

#include <QCoreApplication>

#include <algorithm>

namespace fremis::console {

using base::fail;
using base::Reason;

namespace {

PlanWishes::Node nodeOf(const routing::MapNode& mapped) {
    return {mapped.address, mapped.name ? QString::fromStdString(*mapped.name) : QString(), mapped.weight,
            NodeFate::Stays, false};
}

} // namespace

QString wordOf(NodeFate fate) {
    switch (fate) {
    case NodeFate::Stays:
        return QCoreApplication::translate("PlanWishes", "stays");
    case NodeFate::Joins:
        return QCoreApplication::translate("PlanWishes", "joins");
    case NodeFate::Leaves:
        return QCoreApplication::translate("PlanWishes", "leaves");
    case NodeFate::Empties:
        break;
    }
    return QCoreApplication::translate("PlanWishes", "empties");
}

void PlanWishes::setStart(const routing::PartitionMap& map) {
    std::vector<Node> nodes;
    for (const auto& mapped : map.nodes()) {
        Node made = nodeOf(mapped);
        const Node* before = find(made.key());
        if (before && before->fate != NodeFate::Joins) {
            made.fate = before->fate;
            if (before->weightIsNew) {
                made.weight = before->weight;
                made.weightIsNew = true;
            }
        }
        nodes.push_back(std::move(made));
    }
    for (const Node& old : m_nodes)
        if (old.fate == NodeFate::Joins && !map.nodeAt(old.address))
            nodes.push_back(old);
    m_nodes = std::move(nodes);
    m_start = map;
}

const PlanWishes::Node* PlanWishes::find(const QString& key) const {
    const auto found =
        std::find_if(m_nodes.begin(), m_nodes.end(), [&key](const Node& node) { return node.key() == key; });
    return found == m_nodes.end() ? nullptr : &*found;
}

PlanWishes::Node* PlanWishes::node(const QString& key) {
    return const_cast<Node*>(find(key));
}

const PlanWishes::Node* PlanWishes::findByName(const QString& nameOrAddress) const {
    const auto found = std::find_if(m_nodes.begin(), m_nodes.end(), [&nameOrAddress](const Node& node) {
        return node.name == nameOrAddress || node.key() == nameOrAddress;
    });
    return found == m_nodes.end() ? nullptr : &*found;
}

base::Status PlanWishes::addNode(const QString& text) {
    auto address = routing::Address::parse(text.trimmed().toStdString());
    if (!address)
        return tl::unexpected(address.error());
    if (std::any_of(m_nodes.begin(), m_nodes.end(), [&address](const Node& node) { return node.address == *address; }))
        return fail(Reason::InvalidConfig, address->text() + " is in the list already");
    m_nodes.push_back({std::move(*address), {}, {}, NodeFate::Joins, false});
    return {};
}

void PlanWishes::setFate(const QString& key, NodeFate fate) {
    Node* wanted = node(key);
    if (!wanted)
        return;
    if (wanted->fate != NodeFate::Joins)
        wanted->fate = fate == NodeFate::Joins ? NodeFate::Stays : fate;
    else if (fate == NodeFate::Leaves || fate == NodeFate::Empties)
        m_nodes.erase(m_nodes.begin() + (wanted - m_nodes.data()));
}

base::Status PlanWishes::setWeight(const QString& key, const QString& text) {
    const auto weight = routing::Weight::parse(text.trimmed().toStdString());
    if (!weight)
        return fail(Reason::InvalidConfig, "a weight is 0.01 to 100, with at most two digits after the point");
    if (Node* wanted = node(key)) {
        wanted->weight = *weight;
        wanted->weightIsNew = true;
    }
    return {};
}

base::Status PlanWishes::setPins(const QString& text) {
    std::map<int, std::vector<routing::Address>> pins;
    for (const QString& clause : text.split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
        if (clause.trimmed().isEmpty())
            continue;
        const auto colon = clause.indexOf(QLatin1Char(':'));
        const auto partitions =
            routing::parsePartitionList((colon < 0 ? clause : clause.left(colon)).trimmed().toStdString());
        if (colon < 0 || !partitions)
            return fail(Reason::InvalidConfig, "pins look like \"182-207: worker-7; 5: worker-1\"");
        for (const QString& name : clause.mid(colon + 1).split(QLatin1Char(','))) {
            const Node* owner = findByName(name.trimmed());
            if (!owner)
                return fail(Reason::InvalidConfig, "there is no node " + name.trimmed().toStdString());
            for (std::size_t partition = 0; partition < partitions->size(); ++partition)
                if ((*partitions)[partition])
                    pins[static_cast<int>(partition)].push_back(owner->address);
        }
    }
    m_pins = std::move(pins);
    return {};
}

void PlanWishes::reset() {
    const routing::PartitionMap start = m_start;
    *this = PlanWishes();
    setStart(start);
}

routing::PlanRequest PlanWishes::request(const std::optional<routing::PartitionVectors>& vectors) const {
    routing::PlanRequest request;
    request.current = m_start;
    request.vectors = vectors;
    request.replication = replication;
    request.pins = m_pins;
    request.mode = mode;
    request.objective = objective;
    request.rates = rates;
    if (mode == routing::PlanMode::Multi)
        request.maxMoves = maxMoves;
    for (const Node& node : m_nodes) {
        const routing::NodeWish wish{node.address, std::nullopt,
                                     node.weightIsNew ? std::optional(node.weight) : std::nullopt, std::nullopt};
        if (node.fate == NodeFate::Joins)
            request.add.push_back(wish);
        else if (node.fate == NodeFate::Leaves)
            request.remove.push_back(node.address);
        else if (node.fate == NodeFate::Empties)
            request.drain.push_back(node.address);
        else if (node.weightIsNew)
            request.change.push_back(wish);
    }
    return request;
}

} // namespace fremis::console

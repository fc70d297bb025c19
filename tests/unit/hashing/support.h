#pragma once

#include "shared/hashing/placement.h"

#include <QtGlobal>

#include <rapidcheck.h>

#include <string>
#include <vector>

namespace fremis::hashing::test {

/// Only 256 positions, all in the top byte: points collide all the time.
inline std::uint64_t topByteOnly(std::string_view text) {
    return h64(text) & 0xFF00000000000000ull;
}
inline std::uint64_t lowByteOnly(std::string_view text) {
    return h64(text) & 0xFFull;
}
inline const KeyHash& weakTopHash() {
    static constexpr KeyHash hash{"weak-top", &topByteOnly};
    return hash;
}
inline const KeyHash& weakLowHash() {
    static constexpr KeyHash hash{"weak-low", &lowByteOnly};
    return hash;
}

inline PlacementPtr make(Scheme scheme, NodeSet nodes, const SchemeOptions& options = {}) {
    auto made = makePlacement(scheme, std::move(nodes), options);
    if (!made)
        qFatal("%s", made.error().message.c_str());
    return *made;
}

inline std::vector<Scheme> schemesWhere(bool SchemeInfo::*promise) {
    std::vector<Scheme> schemes;
    for (const SchemeInfo& info : schemeTable())
        if (info.*promise)
            schemes.push_back(info.scheme);
    return schemes;
}

/// `count` different ids; weights of 1, or random ones from 0.5 to 4 where the scheme has weights.
inline NodeSet someNodes(Scheme scheme, std::size_t count) {
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < count; ++i) // the number keeps ids apart; the random part makes their order random
        nodes.push_back({.id = std::to_string(*rc::gen::inRange(0, 1000)) + "-" + std::to_string(i),
                         .weight = infoOf(scheme).weights ? *rc::gen::inRange(50u, 400u) : kUnitWeight});
    return *NodeSet::create(nodes);
}

inline std::vector<std::string> ownersOfKeys(const Placement& placement, std::span<const std::uint64_t> hashes) {
    std::vector<std::string> owners;
    owners.reserve(hashes.size());
    for (const std::uint64_t hash : hashes) {
        const NodeIndex node = placement.ownerOf(hash);
        owners.push_back(node == kNoNode ? std::string() : placement.nodes()[node].id);
    }
    return owners;
}

inline std::vector<std::string> idsOf(const Placement& placement, const std::vector<NodeIndex>& nodes) {
    std::vector<std::string> ids;
    for (const NodeIndex node : nodes)
        ids.push_back(placement.nodes()[node].id);
    return ids;
}

} // namespace fremis::hashing::test

#include "shared/routing/cluster_config.h"

#include "shared/hashing/node_set.h"
#include "shared/hashing/text.h"

#include <openssl/evp.h>

#include <array>
#include <map>

namespace fremis::routing {

namespace {

struct NodeText {
    std::string name;
    Weight weight;
    PartitionSet partitions;
};

} // namespace

std::optional<Weight> Weight::parse(std::string_view text) {
    const auto hundredths = hashing::parseWeight(text);
    return hundredths ? std::optional(Weight(static_cast<int>(*hundredths))) : std::nullopt;
}

std::string Weight::text() const {
    return hashing::weightText(static_cast<std::uint32_t>(m_hundredths));
}

std::string canonicalText(const ClusterConfig& config) {
    std::map<std::string, NodeText> nodes;
    for (const NodeEntry& entry : config.entries) {
        NodeText& node = nodes[entry.address.key()];
        node.partitions |= setOf(entry.range);
        if (entry.name)
            node.name = *entry.name;
        if (entry.weight)
            node.weight = *entry.weight;
    }
    std::string text = "fremis-config/1\n";
    text += "replication " + (config.replication ? std::to_string(*config.replication) : "-") + "\n";
    text +=
        std::string("allow_partial_search ") + (config.allowPartialSearch.value_or(false) ? "true" : "false") + "\n";
    for (const auto& [key, node] : nodes)
        text += "node " + key + " weight " + node.weight.text() + " partitions " + rangesText(node.partitions) +
                " name " + node.name + "\n";
    return text;
}

std::string epochOf(const ClusterConfig& config) {
    constexpr std::size_t kEpochBytes = 8;
    const std::string text = canonicalText(config);
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    EVP_Q_digest(nullptr, "SHA256", nullptr, text.data(), text.size(), digest.data(), nullptr);
    return hashing::hexText(std::span(digest).first(kEpochBytes));
}

} // namespace fremis::routing

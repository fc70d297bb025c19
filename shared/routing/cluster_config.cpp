#include "shared/routing/cluster_config.h"

#include <openssl/evp.h>

#include <array>
#include <map>

namespace fremis::routing {

namespace {

constexpr int kLeastWeight = 1;      // hundredths
constexpr int kMostWeight = 100'00;

struct NodeText {
    std::string name;
    Weight weight;
    PartitionSet partitions;
};

} // namespace

std::optional<Weight> Weight::parse(std::string_view text) {
    const auto point = text.find('.');
    const auto whole = parsePlainDecimal(text.substr(0, point));
    if (!whole || *whole > kMostWeight / 100)
        return std::nullopt;
    int value = *whole * 100;
    if (point != std::string_view::npos) {
        const std::string_view digits = text.substr(point + 1);
        if (digits.empty() || digits.size() > 2)
            return std::nullopt;
        for (std::size_t i = 0; i < digits.size(); ++i) {
            if (digits[i] < '0' || digits[i] > '9')
                return std::nullopt;
            value += (digits[i] - '0') * (i == 0 ? 10 : 1);
        }
    }
    if (value < kLeastWeight || value > kMostWeight)
        return std::nullopt;
    return Weight(value);
}

std::string Weight::text() const {
    std::string text = std::to_string(m_hundredths / 100);
    const int rest = m_hundredths % 100;
    if (rest == 0)
        return text;
    text += '.';
    text += static_cast<char>('0' + rest / 10);
    if (rest % 10 != 0)
        text += static_cast<char>('0' + rest % 10);
    return text;
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
    text += std::string("allow_partial_search ") + (config.allowPartialSearch.value_or(false) ? "true" : "false") + "\n";
    for (const auto& [key, node] : nodes)
        text += "node " + key + " weight " + node.weight.text() + " partitions " + rangesText(node.partitions) + " name " +
                node.name + "\n";
    return text;
}

std::string epochOf(const ClusterConfig& config) {
    constexpr std::size_t kEpochBytes = 8;
    const std::string text = canonicalText(config);
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    EVP_Q_digest(nullptr, "SHA256", nullptr, text.data(), text.size(), digest.data(), nullptr);
    std::string epoch;
    for (std::size_t i = 0; i < kEpochBytes; ++i)
        for (const int nibble : {digest[i] >> 4, digest[i] & 15})
            epoch += "0123456789abcdef"[nibble];
    return epoch;
}

} // namespace fremis::routing

#include "shared/base/ids.h"
#include "shared/routing/raw_config.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

namespace fremis::routing {

namespace {

constexpr std::array<std::string_view, 4> kTopKeys{"version", "nodes", "replication", "allow_partial_search"};
constexpr std::array<std::string_view, 5> kNodeKeys{"address", "partition_start", "partition_end", "name", "weight"};
constexpr std::size_t kMaxNameBytes = 64;
constexpr int kLastPartition = base::kPartitionCount - 1;

// A value as a message shows it: the operator's own spelling, cut when long.
Wording shown(const YamlNode& node) {
    constexpr std::size_t kLongest = 40;
    switch (node.kind) {
    case YamlNode::Kind::Null:
        return Pattern("nothing");
    case YamlNode::Kind::List:
        return Pattern("a list");
    case YamlNode::Kind::Map:
        return Pattern("a mapping");
    case YamlNode::Kind::Scalar:
        break;
    }
    std::string text = node.value;
    if (text.size() > kLongest) {
        std::size_t cut = kLongest;
        while ((static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80)
            --cut;
        text = text.substr(0, cut) + "...";
    }
    return node.quoted ? "\"" + text + "\"" : text;
}

bool looksSecret(std::string_view key) {
    for (const std::string_view word : {"secret", "password", "passwd", "token", "access_key", "access-key", "dk"})
        if (key == word || (word.size() > 2 && key.find(word) != std::string_view::npos))
            return true;
    return false;
}

class SchemaReader {
public:
    SchemaReader(const YamlDocument& document, const ConfigRules& rules, std::vector<Problem>& problems)
        : m_document(document), m_rules(rules), m_problems(problems) {}

    RawConfig run() {
        const YamlNode& root = m_document.root;
        if (!isMapping(root))
            return {};
        checkKeys(root, std::nullopt, kTopKeys);
        readVersion(root);
        readNodes(root);
        readReplication(root);
        readAllowPartial(root);
        return std::move(m_config);
    }

private:
    [[nodiscard]] Spot spotOf(const YamlNode& node) const { return m_document.lines.spotOf(node.begin); }

    Problem& report(Spot spot, Rule rule, Wording wording) {
        return m_problems.emplace_back(problemAt(spot, rule, Severity::Error, std::move(wording)));
    }

    bool isMapping(const YamlNode& root) {
        switch (root.kind) {
        case YamlNode::Kind::Map:
            return true;
        case YamlNode::Kind::Null:
            report({1, 1}, Rule::Syntax, Pattern("the file is empty; it needs version and nodes"));
            return false;
        case YamlNode::Kind::List:
            report(spotOf(root), Rule::Syntax, Pattern("a list where a mapping with version and nodes is expected"));
            return false;
        case YamlNode::Kind::Scalar:
            report(spotOf(root), Rule::Syntax, Pattern("a text where a mapping with version and nodes is expected"));
            return false;
        }
        return false;
    }

    void checkKeys(const YamlNode& map, const Place& place, std::span<const std::string_view> known) {
        std::set<std::string_view> seen;
        for (std::size_t i = 0; i + 1 < map.items.size(); i += 2) {
            const YamlNode& key = map.items[i];
            if (!seen.insert(key.value).second) {
                const int first = spotOf(*map.findKey(key.value)).line;
                report(spotOf(key), Rule::Syntax,
                       {Pattern("key %1 appears twice; first in line %2"), {shown(key), std::to_string(first)}});
            } else if (std::find(known.begin(), known.end(), key.value) == known.end()) {
                reportUnknown(key, place, map, known);
            }
        }
    }

    void reportUnknown(const YamlNode& key, const Place& place, const YamlNode& map,
                       std::span<const std::string_view> known) {
        const auto likely = likelyKey(key.value, known);
        Wording message(Pattern("unknown key %1"), {shown(key)});
        if (likely)
            message = {Pattern("unknown key %1; did you mean %2?"), {shown(key), std::string(*likely)}};
        else if (looksSecret(key.value))
            message = {Pattern("unknown key %1; secrets do not belong in this file"), {shown(key)}};
        Problem& problem = report(spotOf(key), Rule::UnknownKey, std::move(message));
        if (likely && map.findKey(*likely) == nullptr)
            problem.fixes.push_back(
                {Wording(Pattern("rename to %1"), {std::string(*likely)}), {RenameKey{place, key.value, std::string(*likely)}}});
    }

    void readVersion(const YamlNode& root) {
        const YamlNode* version = root.find("version");
        if (version != nullptr && version->isScalar() && version->value == "v1")
            return;
        Problem& problem =
            version == nullptr
                ? report(spotOf(root), Rule::Version, Pattern("version is missing; write version: \"v1\""))
                : report(spotOf(*version), Rule::Version, {Pattern("version must be \"v1\", not %1"), {shown(*version)}});
        problem.fixes.push_back({Pattern("set version: \"v1\""), {SetValue{std::nullopt, "version", "v1", true}}});
    }

    void readNodes(const YamlNode& root) {
        const YamlNode* nodes = root.find("nodes");
        m_config.nodesSpot = nodes == nullptr ? spotOf(root) : spotOf(*root.findKey("nodes"));
        if (nodes == nullptr || nodes->kind != YamlNode::Kind::List || nodes->items.empty()) {
            const bool absent =
                nodes == nullptr || nodes->kind == YamlNode::Kind::Null || nodes->kind == YamlNode::Kind::List;
            report(m_config.nodesSpot, Rule::Nodes,
                   nodes == nullptr ? Wording(Pattern("nodes is missing; it lists who owns which partitions"))
                   : absent         ? Wording(Pattern("nodes is empty; it lists who owns which partitions"))
                                    : Wording(Pattern("nodes must be a list, not %1"), {shown(*nodes)}));
            return;
        }
        if (nodes->items.size() > kMaxConfigEntries) {
            report(m_config.nodesSpot, Rule::Syntax,
                   {Pattern("more than %1 entries in nodes"), {std::to_string(kMaxConfigEntries)}});
            return;
        }
        m_config.rangesKnown = true;
        for (std::size_t i = 0; i < nodes->items.size(); ++i)
            readEntry(nodes->items[i], i);
        std::set<std::string_view> addresses;
        for (const RawEntry& entry : m_config.entries)
            if (entry.address)
                addresses.insert(entry.address->key());
        m_addresses = addresses.size();
        if (m_addresses > static_cast<std::size_t>(kMaxAddresses))
            report(m_config.nodesSpot, Rule::Syntax,
                   {Pattern("more than 256 addresses in nodes (%1)"), {std::to_string(m_addresses)}});
    }

    void readEntry(const YamlNode& node, std::size_t index) {
        RawEntry& entry = m_config.entries.emplace_back();
        entry.index = index;
        entry.spot = entry.addressSpot = entry.startSpot = entry.nameSpot = spotOf(node);
        if (node.kind != YamlNode::Kind::Map) {
            report(entry.spot, Rule::Nodes,
                   {Pattern("a node must be a mapping with address, partition_start and partition_end, not %1"), {shown(node)}});
            m_config.rangesKnown = false;
            return;
        }
        checkKeys(node, index, kNodeKeys);
        readAddress(node, entry);
        readRange(node, entry);
        readName(node, entry);
        readWeight(node, entry);
        m_config.rangesKnown = m_config.rangesKnown && entry.address && entry.range;
    }

    void readAddress(const YamlNode& node, RawEntry& entry) {
        const YamlNode* value = node.find("address");
        if (value == nullptr || !value->isScalar()) {
            report(value == nullptr ? entry.spot : spotOf(*value), Rule::AddressForm,
                   value == nullptr ? Wording(Pattern("address is missing; write host:port"))
                                    : Wording(Pattern("address must be host:port, not %1"), {shown(*value)}));
            return;
        }
        entry.addressSpot = spotOf(*value);
        const auto address = Address::parse(value->value);
        if (!address) {
            report(entry.addressSpot, Rule::AddressForm,
                   {Pattern("address \"%1\": %2"), {value->value, Wording::of(address.error().message)}});
            return;
        }
        entry.address = *address;
        for (const Address& own : m_rules.ownAddresses)
            if (address->reaches(own)) {
                report(entry.addressSpot, Rule::AddressForm,
                       {Pattern("address \"%1\" is the coordinator itself; name a worker"), {value->value}});
                break;
            }
    }

    void readRange(const YamlNode& node, RawEntry& entry) {
        const auto first = readPartition(node, entry, "partition_start");
        const auto last = readPartition(node, entry, "partition_end");
        if (const YamlNode* start = node.find("partition_start"))
            entry.startSpot = spotOf(*start);
        if (!first || !last)
            return;
        if (*first <= *last) {
            entry.range = Range{*first, *last};
            return;
        }
        Problem& problem =
            report(entry.startSpot, Rule::RangeOrder,
                   {Pattern("partition_start %1 is after partition_end %2"), {std::to_string(*first), std::to_string(*last)}});
        problem.fixes.push_back({Pattern("swap"), setRange(entry.index, {*last, *first})});
    }

    std::optional<int> readPartition(const YamlNode& node, const RawEntry& entry, std::string_view key) {
        const YamlNode* value = node.find(key);
        if (value == nullptr) {
            if (!isMisspelt(node, key)) // that was reported, and says more
                report(entry.spot, Rule::Number, {Pattern("%1 is missing"), {std::string(key)}});
            return std::nullopt;
        }
        const auto number = value->isScalar() && !value->quoted ? parsePlainDecimal(value->value) : std::nullopt;
        if (number && *number <= kLastPartition)
            return number;
        Problem& problem = report(spotOf(*value), Rule::Number,
                                  {Pattern("%1 must be a plain decimal number 0..255, not %2"), {std::string(key), shown(*value)}});
        if (const auto near = nearestPartition(*value))
            problem.fixes.push_back({Wording(Pattern("set %1"), {std::to_string(*near)}),
                                     {SetValue{entry.index, std::string(key), std::to_string(*near), false}}});
        return std::nullopt;
    }

    static bool isMisspelt(const YamlNode& node, std::string_view key) {
        for (std::size_t i = 0; i + 1 < node.items.size(); i += 2) {
            const std::string_view written = node.items[i].value;
            if (std::find(kNodeKeys.begin(), kNodeKeys.end(), written) == kNodeKeys.end() &&
                likelyKey(written, kNodeKeys) == key)
                return true;
        }
        return false;
    }

    // Only where the meaning is plain: 010 could be eight or ten.
    static std::optional<int> nearestPartition(const YamlNode& value) {
        if (!value.isScalar())
            return std::nullopt;
        const std::string_view text = value.value;
        if (text.starts_with('-') && parsePlainDecimal(text.substr(1)))
            return 0;
        const auto number = parsePlainDecimal(text);
        return number ? std::optional(std::min(*number, kLastPartition)) : std::nullopt;
    }

    void readName(const YamlNode& node, RawEntry& entry) {
        const YamlNode* value = node.find("name");
        if (value == nullptr)
            return;
        entry.nameSpot = spotOf(*value);
        if (!value->isScalar() || value->value.empty() || value->value.size() > kMaxNameBytes)
            report(entry.nameSpot, Rule::AddressForm, {Pattern("name must be a text of 1 to 64 bytes, not %1"), {shown(*value)}});
        else if (std::any_of(value->value.begin(), value->value.end(),
                             [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }))
            report(entry.nameSpot, Rule::AddressForm, Pattern("name has a control character"));
        else
            entry.name = value->value;
    }

    void readWeight(const YamlNode& node, RawEntry& entry) {
        const YamlNode* value = node.find("weight");
        if (value == nullptr)
            return;
        if (value->isScalar() && !value->quoted)
            entry.weight = Weight::parse(value->value);
        if (!entry.weight)
            report(spotOf(*value), Rule::Number,
                   {Pattern("weight must be a plain number 0.01..100 with at most two decimals, not %1"), {shown(*value)}});
    }

    void readReplication(const YamlNode& root) {
        const YamlNode* value = root.find("replication");
        if (value == nullptr)
            return;
        m_config.replicationSpot = spotOf(*root.findKey("replication"));
        const auto number = value->isScalar() && !value->quoted ? parsePlainDecimal(value->value) : std::nullopt;
        // The number of addresses bounds it, when these are readable.
        const int most =
            m_addresses == 0 ? kMaxAddresses : static_cast<int>(std::min<std::size_t>(m_addresses, kMaxAddresses));
        if (number && *number >= 1 && *number <= most) {
            m_config.replication = number;
            return;
        }
        Problem& problem = report(spotOf(*value), Rule::Number,
                                  {Pattern("replication must be a plain decimal number 1..%1 (the number of addresses), not %2"),
                                   {std::to_string(most), shown(*value)}});
        if (number)
            problem.fixes.push_back({Wording(Pattern("set %1"), {std::to_string(std::clamp(*number, 1, most))}),
                                     {setReplication(std::clamp(*number, 1, most))}});
    }

    void readAllowPartial(const YamlNode& root) {
        const YamlNode* value = root.find("allow_partial_search");
        if (value == nullptr)
            return;
        if (value->isScalar() && !value->quoted && (value->value == "true" || value->value == "false"))
            m_config.allowPartialSearch = value->value == "true";
        else
            report(spotOf(*value), Rule::Number, {Pattern("allow_partial_search must be true or false, not %1"), {shown(*value)}});
    }

    const YamlDocument& m_document;
    const ConfigRules& m_rules;
    std::vector<Problem>& m_problems;
    RawConfig m_config;
    std::size_t m_addresses = 0;
};

// Optimal string alignment: one step per letter changed, left out, added, or exchanged with its neighbour.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

} // namespace

RawConfig readSchema(const YamlDocument& document, const ConfigRules& rules, std::vector<Problem>& problems) {
    return SchemaReader(document, rules, problems).run();
}

std::optional<std::string_view> likelyKey(std::string_view key, std::span<const std::string_view> known) {
    constexpr std::size_t kMostSteps = 2;
    std::optional<std::string_view> best;
    std::size_t least = kMostSteps + 1;
    for (const std::string_view candidate : known) {
        if (key.size() > candidate.size() + kMostSteps || candidate.size() > key.size() + kMostSteps)
            continue;
        const std::size_t steps = editDistance(key, candidate);
        if (steps < least) {
            least = steps;
            best = candidate;
        }
    }
    return best;
}

} // namespace fremis::routing

// Node and key files of the ring command.
#include "server/app/ring_options.h"
#include "shared/routing/config_file.h"
#include "shared/routing/partition_map.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace fremis::app::ring {

using hashing::Node;
using hashing::NodeSet;

namespace {

constexpr std::size_t kMaxKeys = 50'000'000;
constexpr int kMostNumbered = 10'000;

bool isFile(const std::string& name) {
    std::error_code error;
    return std::filesystem::is_regular_file(name, error);
}

Outcome<std::vector<Node>> nodesOfList(const std::string& list) {
    std::vector<Node> nodes;
    for (std::string_view rest = list; !rest.empty();) {
        const std::string_view one = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        auto node = parseNode(one);
        if (!node)
            return tl::unexpected(std::move(node.error()));
        nodes.push_back(std::move(*node));
    }
    return nodes;
}

Outcome<std::vector<Node>> nodesOfFile(const std::string& name) {
    std::ifstream file(name);
    std::vector<Node> nodes;
    std::size_t number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        std::istringstream words(line.substr(0, line.find('#')));
        Node node;
        std::string weight;
        std::string surplus;
        if (!(words >> node.id))
            continue;
        words >> weight >> node.zone >> node.rack >> node.host >> surplus;
        const auto hundredths = weight.empty() ? hashing::kUnitWeight : hashing::parseWeight(weight);
        if (!hundredths || !surplus.empty())
            return badConfig(name + ":" + std::to_string(number) +
                             ": not 'id weight zone rack host', weight 0.01 to 100");
        node.weight = *hundredths;
        nodes.push_back(std::move(node));
    }
    if (file.bad())
        return badConfig(name + ": cannot be read");
    return nodes;
}

Outcome<std::vector<Node>> nodesOfConfig(const std::string& name) {
    const auto file = routing::loadConfig(name);
    if (!file)
        return badConfig(file.error().message);
    std::vector<Node> nodes;
    const routing::PartitionMap& map = file->map;
    for (const routing::MapNode& node : map.nodes())
        nodes.push_back({.id = node.address.key(),
                         .weight = static_cast<std::uint32_t>(node.weight.hundredths()),
                         .host = std::string(node.address.host())});
    return nodes;
}

Outcome<Keys> generatedKeys(std::uint64_t count) {
    if (count == 0 || count > kMaxKeys)
        return usage("--keys takes 1 to " + std::to_string(kMaxKeys) + " keys");
    Keys keys;
    keys.source = "k0..k" + std::to_string(count - 1);
    keys.names.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i)
        keys.names.push_back("k" + std::to_string(i));
    return keys;
}

Outcome<Keys> keysOfStream(std::istream& in, const std::string& name) {
    Keys keys;
    keys.source = name;
    bool counted = false;
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (line.ends_with('\r'))
            line.pop_back();
        if (line.empty())
            continue;
        const std::size_t tab = line.rfind('\t');
        std::uint64_t count = 1;
        if (tab != std::string::npos) {
            const auto [end, error] = std::from_chars(line.data() + tab + 1, line.data() + line.size(), count);
            if (error != std::errc() || end != line.data() + line.size())
                return badConfig(name + ":" + std::to_string(number) + ": the text after the tab is no count");
            counted = true;
            line.resize(tab);
        }
        if (keys.names.size() == kMaxKeys)
            return badConfig(name + ": more than " + std::to_string(kMaxKeys) + " keys");
        keys.names.push_back(std::move(line));
        keys.counts.push_back(count);
    }
    if (!counted)
        keys.counts.clear();
    if (keys.names.empty())
        return badConfig(name + ": no keys in it");
    return keys;
}

} // namespace

Outcome<NodeSet> readNodes(const std::string& fileOrList) {
    if (const auto count = routing::parsePlainDecimal(fileOrList); count && *count > 0 && *count <= kMostNumbered)
        return NodeSet::numbered(static_cast<std::size_t>(*count));
    const bool fromFile = isFile(fileOrList);
    const bool isConfig = fileOrList.ends_with(".yml") || fileOrList.ends_with(".yaml");
    auto nodes = isConfig ? nodesOfConfig(fileOrList) : fromFile ? nodesOfFile(fileOrList) : nodesOfList(fileOrList);
    if (!nodes)
        return tl::unexpected(std::move(nodes.error()));
    auto set = NodeSet::create(std::move(*nodes));
    if (!set)
        return fromFile ? badConfig(fileOrList + ": " + set.error().message) : usage("--nodes: " + set.error().message);
    if (set->empty())
        return fromFile ? badConfig(fileOrList + ": no nodes in it")
                        : usage("--nodes: there is no file and no node '" + fileOrList + "'");
    return std::move(*set);
}

Outcome<Keys> readKeys(const std::string& fileOrCount) {
    std::uint64_t count = 0;
    const auto [end, error] = std::from_chars(fileOrCount.data(), fileOrCount.data() + fileOrCount.size(), count);
    if (error == std::errc() && end == fileOrCount.data() + fileOrCount.size())
        return generatedKeys(count);
    if (fileOrCount == "-")
        return keysOfStream(std::cin, "stdin");
    if (!isFile(fileOrCount))
        return usage("--keys: there is no file '" + fileOrCount + "'");
    std::ifstream file(fileOrCount);
    return keysOfStream(file, fileOrCount);
}

} // namespace fremis::app::ring

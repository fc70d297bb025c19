#include "server/app/ring_options.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>

namespace fremis::app::ring {

using hashing::Node;

namespace {

template<class Number> std::optional<Number> numberIn(std::string_view text, Number least, Number most) {
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < least || value > most)
        return std::nullopt;
    return value;
}

using Setter = std::function<Outcome<void>(Options&, const std::string&)>;

Setter textInto(std::optional<std::string> Options::*member) {
    return [member](Options& options, const std::string& value) -> Outcome<void> {
        options.*member = value;
        return {};
    };
}

template<class Number>
Setter numberInto(std::string name, Number least, Number most, std::function<Number&(Options&)> target) {
    return [=](Options& options, const std::string& value) -> Outcome<void> {
        const auto number = numberIn<Number>(value, least, most);
        if (!number)
            return usage(name + " takes a number from " + std::to_string(least) + " to " + std::to_string(most) +
                         ", not '" + value + "'");
        target(options) = *number;
        return {};
    };
}

Outcome<void> setScheme(Options& options, const std::string& value) {
    options.scheme = hashing::schemeOfToken(value);
    if (options.scheme)
        return {};
    std::string all;
    for (const hashing::SchemeInfo& info : hashing::schemeTable())
        all += (all.empty() ? "" : ", ") + std::string(info.token);
    return usage("there is no scheme '" + value + "': " + all);
}

Outcome<void> setHash(Options& options, const std::string& value) {
    const hashing::KeyHash* hash = hashing::keyHashByName(value);
    if (hash == nullptr)
        return usage("--hash is sha1, md5 or xxh64, not '" + value + "'");
    options.schemeOptions.hash = hash;
    return {};
}

Outcome<void> setFormat(Options& options, const std::string& value) {
    static const std::map<std::string_view, Format> kFormats{
        {"table", Format::Table}, {"json", Format::Json}, {"csv", Format::Csv}};
    const auto at = kFormats.find(value);
    if (at == kFormats.end())
        return usage("--format is table, json or csv, not '" + value + "'");
    options.format = at->second;
    return {};
}

Outcome<void> setSpread(Options& options, const std::string& value) {
    std::string_view rest = value;
    while (!rest.empty()) {
        const std::string_view level = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), level.size() + 1));
        if (level == "zone")
            options.spread.zones = true;
        else if (level == "rack")
            options.spread.racks = true;
        else if (level == "host")
            options.spread.hosts = true;
        else
            return usage("--spread is a list of zone, rack, host, not '" + value + "'");
    }
    return {};
}

Outcome<void> setEpsilon(Options& options, const std::string& value) {
    const auto hundredths = hashing::parseWeight(value);
    if (!hundredths || *hundredths < 5 || *hundredths > 100)
        return usage("--epsilon is from 0.05 to 1, not '" + value + "'");
    options.epsilon = *hundredths;
    return {};
}

Setter changeOf(Change::Kind kind) {
    return [kind](Options& options, const std::string& value) -> Outcome<void> {
        auto node = parseNode(value);
        if (!node)
            return tl::unexpected(std::move(node.error()));
        options.changes.push_back({kind, std::move(*node)});
        return {};
    };
}

const std::map<std::string_view, Setter>& setters() {
    static const std::map<std::string_view, Setter> kSetters{
        {"--scheme", setScheme},
        {"--hash", setHash},
        {"--format", setFormat},
        {"--spread", setSpread},
        {"--epsilon", setEpsilon},
        {"--nodes", textInto(&Options::nodes)},
        {"--from", textInto(&Options::from)},
        {"--to", textInto(&Options::to)},
        {"--key", textInto(&Options::key)},
        {"--keys", textInto(&Options::keys)},
        {"--config", textInto(&Options::config)},
        {"--svg", textInto(&Options::svg)},
        {"--join", changeOf(Change::Kind::Join)},
        {"--leave", changeOf(Change::Kind::Leave)},
        {"--weight", changeOf(Change::Kind::Weight)},
        {"--replicas",
         numberInto<std::size_t>("--replicas", 1, 1000, [](Options& o) -> std::size_t& { return o.replicas; })},
        {"--points",
         numberInto<std::uint32_t>("--points", 1, 100'000,
                                   [](Options& o) -> std::uint32_t& { return o.schemeOptions.pointsPerNode; })},
        {"--tokens",
         numberInto<std::uint32_t>("--tokens", 2, 1024,
                                   [](Options& o) -> std::uint32_t& { return o.schemeOptions.tokensPerNode; })},
        {"--table-size",
         numberInto<std::uint32_t>("--table-size", 3, 1u << 28,
                                   [](Options& o) -> std::uint32_t& { return o.schemeOptions.tableSize; })},
        {"--probes", numberInto<std::uint32_t>("--probes", 1, 1024,
                                               [](Options& o) -> std::uint32_t& { return o.schemeOptions.probes; })},
    };
    return kSetters;
}

} // namespace

Outcome<Options> parseOptions(std::span<const std::string> args) {
    Options options;
    bool onlyWords = false;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const std::string& word = args[i];
        if (onlyWords || !word.starts_with("-") || word == "-") {
            options.words.push_back(word);
        } else if (word == "--") {
            onlyWords = true;
        } else if (word == "--help" || word == "-h") {
            options.help = true;
        } else if (word == "--progress") {
            options.progress = true;
        } else {
            const std::size_t equals = word.find('=');
            const auto setter = setters().find(std::string_view(word).substr(0, equals));
            if (setter == setters().end())
                return usage("there is no option " + word.substr(0, equals));
            if (equals == std::string::npos && i + 1 == args.size())
                return usage(word + " needs a value");
            const std::string value = equals != std::string::npos ? word.substr(equals + 1) : args[++i];
            if (auto done = setter->second(options, value); !done)
                return tl::unexpected(std::move(done.error()));
        }
    }
    return options;
}

Outcome<Node> parseNode(std::string_view text) {
    std::vector<std::string> parts;
    for (std::string_view rest = text;;) {
        const std::size_t colon = rest.find(':');
        parts.emplace_back(rest.substr(0, colon));
        if (colon == std::string_view::npos)
            break;
        rest.remove_prefix(colon + 1);
    }
    if (parts.size() > 5)
        return usage("'" + std::string(text) + "' is no node: id[:weight[:zone[:rack[:host]]]]");
    parts.resize(5);
    Node node{.id = parts[0], .zone = parts[2], .rack = parts[3], .host = parts[4]};
    if (!parts[1].empty()) {
        const auto weight = hashing::parseWeight(parts[1]);
        if (!weight)
            return usage("'" + parts[1] +
                         "' is no weight: 0.01 to 100. To use addresses with a port as ids, put the nodes into a file");
        node.weight = *weight;
    }
    return node;
}

Outcome<hashing::NodeSet> nodesOf(const Options& options) {
    return options.nodes ? readNodes(*options.nodes) : hashing::NodeSet::numbered(10);
}

Outcome<hashing::PlacementPtr> placementOf(const Options& options, hashing::Scheme scheme, hashing::NodeSet nodes) {
    auto made = hashing::makePlacement(scheme, std::move(nodes), options.schemeOptions);
    if (!made)
        return usage(std::string(hashing::infoOf(scheme).token) + ": " + made.error().message);
    return std::move(*made);
}

std::vector<std::uint64_t> hashesOf(const Keys& keys, const hashing::KeyHash& hash) {
    std::vector<std::uint64_t> hashes;
    hashes.reserve(keys.names.size());
    for (const std::string& key : keys.names)
        hashes.push_back(hash.of(key));
    return hashes;
}

hashing::Progress progressOn(const Streams& streams, const Options& options, std::string what) {
    if (!streams.errIsTerminal && !options.progress)
        return {};
    return [&err = streams.err, what = std::move(what), shown = -1](double done) mutable {
        const int percent = static_cast<int>(std::clamp(done, 0.0, 1.0) * 100);
        if (percent == shown)
            return;
        shown = percent;
        const auto filled = static_cast<std::size_t>(percent / 5);
        err << '\r' << what << " [" << std::string(filled, '#') << std::string(20 - filled, '.') << "] " << percent
            << '%';
        if (percent == 100)
            err << '\r' << std::string(what.size() + 30, ' ') << '\r';
        err.flush();
    };
}

} // namespace fremis::app::ring

#pragma once

#include "server/app/ring_output.h"
#include "shared/hashing/analysis.h"

#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace fremis::app::ring {

/// Exit statuses of the ring command (sysexits where they have one).
enum class Exit { Ok = 0, CheckFailed = 1, Usage = 2, BadConfig = 78 };

/// Why a command stopped, for stderr.
struct Fault {
    Exit exit = Exit::Usage;
    std::string message;
};
template<class T> using Outcome = tl::expected<T, Fault>;

[[nodiscard]] inline tl::unexpected<Fault> usage(std::string message) {
    return tl::unexpected(Fault{Exit::Usage, std::move(message)});
}
[[nodiscard]] inline tl::unexpected<Fault> badConfig(std::string message) {
    return tl::unexpected(Fault{Exit::BadConfig, std::move(message)});
}

/// One change of `ring simulate`, in the order given.
struct Change {
    enum class Kind { Join, Leave, Weight };
    Kind kind;
    hashing::Node node; ///< for Leave only the id counts
};

/// The words after "ring <command>", read.
struct Options {
    std::vector<std::string> words; ///< those that are no options
    std::optional<hashing::Scheme> scheme;
    hashing::SchemeOptions schemeOptions;
    std::optional<std::string> nodes; ///< of --nodes: a file or a list
    std::optional<std::string> from;
    std::optional<std::string> to;
    std::optional<std::string> key;
    std::optional<std::string> keys; ///< of --keys: a file or a count
    std::optional<std::string> config;
    std::optional<std::string> svg;
    std::size_t replicas = 1;
    hashing::SpreadRules spread;
    std::optional<std::uint32_t> epsilon;
    std::vector<Change> changes;
    Format format = Format::Table;
    bool progress = false;
    bool help = false;
};

/// `--name value` or `--name=value`; "--" ends the options. Fails with Exit::Usage.
[[nodiscard]] Outcome<Options> parseOptions(std::span<const std::string> args);

/// "id[:weight[:zone[:rack[:host]]]]".
[[nodiscard]] Outcome<hashing::Node> parseNode(std::string_view text);
/// "5": node1..node5. Otherwise a comma-separated list of those, or the name of a file: a node a line, "id weight zone
/// rack host" with spaces between, or a config.yml (*.yml, *.yaml), whose addresses become the ids. A list that does
/// not read is Exit::Usage, a file Exit::BadConfig.
[[nodiscard]] Outcome<hashing::NodeSet> readNodes(const std::string& fileOrList);
/// Of --nodes, or node1..node10 without it.
[[nodiscard]] Outcome<hashing::NodeSet> nodesOf(const Options& options);

/// Keys to place, with how often each is asked for if the file says so.
struct Keys {
    std::vector<std::string> names;
    std::vector<std::uint64_t> counts; ///< empty, or one a key
    std::string source;                ///< "k0..k99999", or the file's name
};
/// "100000": k0..k99999. Otherwise a file, one key a line, perhaps a tab and a count after it; "-" is stdin.
[[nodiscard]] Outcome<Keys> readKeys(const std::string& fileOrCount);
[[nodiscard]] std::vector<std::uint64_t> hashesOf(const Keys& keys, const hashing::KeyHash& hash);

[[nodiscard]] Outcome<hashing::PlacementPtr> placementOf(const Options& options, hashing::Scheme scheme,
                                                         hashing::NodeSet nodes);

/// Where a command writes; a test gives it strings.
struct Streams {
    std::ostream& out;
    std::ostream& err;
    bool errIsTerminal = false;
};
/// A bar on stderr, when that is a terminal or --progress was given; nothing otherwise. Erased when done.
[[nodiscard]] hashing::Progress progressOn(const Streams& streams, const Options& options, std::string what);

} // namespace fremis::app::ring

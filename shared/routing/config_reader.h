#pragma once

#include "shared/routing/problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fremis::routing {

/// What the reader of a config knows beside its text.
struct ConfigRules {
    std::optional<int> expectedReplication; ///< R when the file does not set `replication`; a difference is a warning
    std::optional<bool> spansHosts;         ///< the cluster is on several machines; default: found from the addresses
    std::vector<Address> ownAddresses;      ///< where the reading coordinator listens; a node must not be one of them
};

/// A config as read: the problems found, ordered by position, and the config itself unless one of them is an error.
struct ConfigReading {
    std::optional<ClusterConfig> config;
    std::vector<Problem> problems;
    [[nodiscard]] bool ok() const { return config.has_value(); }
    /// The first error as "file:line:column: reason"; empty when there is none.
    [[nodiscard]] std::string firstError(std::string_view file) const;
};

/// Reads config.yml of version v1. Accepts a byte order mark and CRLF; refuses more than 1 MiB, text that is not UTF-8,
/// tabs outside comments, anchors, aliases, tags, directives, a second document, values over several lines, nesting
/// deeper than 8, doubled keys and keys it does not know. Never throws. Thread: any.
[[nodiscard]] ConfigReading readConfig(std::string_view text, const ConfigRules& rules = {});

} // namespace fremis::routing

#pragma once

#include "shared/routing/config_reader.h"
#include "shared/routing/partition_map.h"

#include <filesystem>
#include <string>

namespace fremis::routing {

/// A config read from disk, held to the rules and without errors.
struct ConfigFile {
    std::string text; ///< the bytes of the file
    ClusterConfig config;
    PartitionMap map;              ///< of `config`; copies share it
    std::vector<Problem> warnings; ///< warnings and remarks, by position; no errors

    /// Names the map: epochOf(config). Equal for files that differ in comments, order, quoting or spelling alone.
    [[nodiscard]] const std::string& epoch() const { return map.epoch(); }
};

/// Reads a regular file whole, at most `maxBytes`. Does not block on pipes or devices. A file that is replaced by
/// rename gives one whole version. One that is written in place is read when it has been still for a moment, or
/// refused: halves of two versions are never taken for one. Blocks at most about 100 ms. Fails with
/// Reason::InvalidConfig, message "FILE: reason".
[[nodiscard]] base::Result<std::string> readWholeFile(const std::filesystem::path& file,
                                                      std::size_t maxBytes = kMaxConfigBytes);

/// readWholeFile() and readConfig(): the one way from a config.yml to a map, for start and reload alike. A caller that
/// has a map keeps it when this fails, and has nothing to do when the epoch is the one it has; a request keeps a copy
/// of `map` from start to end and so sees one epoch. `rules.ownAddresses` names where a coordinator itself listens.
/// Fails with Reason::InvalidConfig; the message is one line "FILE:LINE:COLUMN: reason". A file at all
/// limits (1 MiB, 2048 entries) takes 54 to 107 ms of CPU. Never throws. Thread: any; not for a server loop, it blocks.
[[nodiscard]] base::Result<ConfigFile> loadConfig(const std::filesystem::path& file, const ConfigRules& rules = {});

/// The same for text that came another way (a PUT of a draft); `name` stands for the file in messages.
[[nodiscard]] base::Result<ConfigFile> loadConfigText(std::string text, std::string_view name,
                                                      const ConfigRules& rules = {});

/// Replaces a file in one step (write beside it, fsync, rename, fsync the folder), keeping its permissions.
/// Readers see the old text or the new one, never a part. Fails with Reason::Internal.
[[nodiscard]] base::Status replaceFile(const std::filesystem::path& file, std::string_view text);

} // namespace fremis::routing

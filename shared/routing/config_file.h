#pragma once

#include "shared/routing/config_reader.h"

#include <filesystem>
#include <string>

namespace fremis::routing {

/// A config read from disk.
struct ConfigFile {
    std::string text;   ///< the bytes of the file
    ClusterConfig config;
    std::string epoch;  ///< epochOf(config)
    std::vector<Problem> warnings; ///< warnings and remarks; no errors
};

/// Reads a regular file whole, at most `maxBytes`. Does not block on pipes or devices. While the file is being written in
/// place the read is repeated for a short time, then fails; replacement by rename always gives one whole version.
/// Fails with Reason::InvalidConfig, message "FILE: reason".
[[nodiscard]] base::Result<std::string> readWholeFile(const std::filesystem::path& file, std::size_t maxBytes = kMaxConfigBytes);

/// readWholeFile() and readConfig(). Fails with Reason::InvalidConfig; the message is one line "FILE:LINE:COLUMN: reason".
/// Takes at most about 100 ms.
[[nodiscard]] base::Result<ConfigFile> loadConfig(const std::filesystem::path& file, const ConfigRules& rules = {});

/// The same for text that came another way; `name` stands for the file in messages.
[[nodiscard]] base::Result<ConfigFile> loadConfigText(std::string text, std::string_view name, const ConfigRules& rules = {});

/// Replaces a file in one step (write beside it, fsync, rename, fsync the folder), keeping its permissions.
/// Readers see the old text or the new one, never a part. Fails with Reason::Internal.
[[nodiscard]] base::Status replaceFile(const std::filesystem::path& file, std::string_view text);

/// A file that holds secrets and that others than its owner may read: a warning, or an error when `strict`.
/// Empty when the permissions are tight or the system has none.
[[nodiscard]] std::optional<Problem> secretFileProblem(const std::filesystem::path& file, bool strict);

} // namespace fremis::routing

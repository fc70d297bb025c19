#pragma once

#include "shared/base/error.h"

#include <filesystem>
#include <optional>
#include <string>

namespace fremis::base {

/// The first line of a file, without line end and trailing blanks; at most 4 KiB. Pipes are read too. Fails with
/// Reason::InvalidParams; the message names the file and never the secret. Blocks as the file does.
[[nodiscard]] Result<std::string> readSecretFile(const std::filesystem::path& file);

/// "FILE holds secrets and is open to others (mode 0644): chmod 600 it", when anybody may read the file or a group may
/// change it. A group may read it: servers share key files that way. Empty when the permissions are tight, there is no
/// such file, or the system has no such permissions (Windows).
[[nodiscard]] std::optional<std::string> secretFileWarning(const std::filesystem::path& file);

} // namespace fremis::base

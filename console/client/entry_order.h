#pragma once

#include "shared/base/error.h"

#include <string>

namespace fremis::console {

/// A config.yml with its entries in order of partition_start, each with its comments; the text between entries stays
/// where it is. Fails with Reason::InvalidConfig when an entry has no readable start, or the text is no YAML.
[[nodiscard]] base::Result<std::string> sortedByPartition(const std::string& text);

} // namespace fremis::console

#pragma once

#include "server/app/ring_options.h"

#include <span>
#include <string>

namespace fremis::app {

/// `fremis_n_app ring ...`: locates keys, shows and compares consistent-hashing schemes, teaches them. `args` are the
/// words after "ring". Prints to stdout, faults and progress to stderr. Returns the exit status: 0, 1 (a check failed),
/// 2 (usage), 78 (bad file of nodes or keys).
[[nodiscard]] int runRingCommand(std::span<const std::string> args);

namespace ring {
/// The same with streams of the caller's.
[[nodiscard]] int runOn(const Streams& streams, std::span<const std::string> args);
} // namespace ring

} // namespace fremis::app

#pragma once

#include "server/app/ring_options.h"

namespace fremis::app::ring {

/// The commands behind `ring`, each a function from options to a report. They write nothing but progress and, with
/// --svg, a file.
[[nodiscard]] Outcome<Report> partitionReport(const Streams& streams, const Options& options);
[[nodiscard]] Outcome<Report> locateReport(const Streams& streams, const Options& options);
[[nodiscard]] Outcome<Report> balanceReport(const Streams& streams, const Options& options);
[[nodiscard]] Outcome<Report> diffReport(const Streams& streams, const Options& options);
[[nodiscard]] Outcome<Report> simulateReport(const Streams& streams, const Options& options);
[[nodiscard]] Outcome<Report> compareReport(const Streams& streams, const Options& options);

/// Nanoseconds one lookup takes, the best of a few rounds over the hashes. For people: no decision depends on it.
[[nodiscard]] double nanosecondsPerLookup(const hashing::Placement& placement, std::span<const std::uint64_t> hashes);

/// Writes the chart of --svg. Fails with Exit::CheckFailed.
[[nodiscard]] Outcome<void> saveSvg(const std::string& file, const std::string& svg);

} // namespace fremis::app::ring

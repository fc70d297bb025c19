#pragma once

#include "server/app/plan_command.h"
#include "server/app/plan_options.h"
#include "shared/routing/config_file.h"

namespace fremis::app {

inline constexpr int kCheckFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kBadConfig = 78; ///< EX_CONFIG of sysexits.h
inline constexpr std::size_t kMaxPlanBytes = 64 * 1024 * 1024;

[[nodiscard]] CommandOutcome usageFault(const std::string& message);
/// The same, with a pointer to the help.
[[nodiscard]] CommandOutcome wrongUse(const std::string& message);

/// A command's early end, or nothing.
using Fault = std::optional<CommandOutcome>;

/// Reads what the options of a plan command name. One line per fault; warnings about configs gather in warnings().
class PlanInput {
public:
    explicit PlanInput(const PlanOptions& options) : m_options(options) {}

    [[nodiscard]] Fault loadMap(const std::filesystem::path& file, routing::ConfigFile& loaded);
    /// Of --vectors; left empty without the flag.
    [[nodiscard]] Fault loadVectors(std::optional<routing::PartitionVectors>& vectors) const;
    /// The one file that check and show look at.
    [[nodiscard]] Fault onlyFile(std::filesystem::path& file) const;
    /// Of --nodes and the words: addresses, a file of them, or a number of made-up workers.
    [[nodiscard]] Fault nodeWishes(std::vector<routing::NodeWish>& wishes) const;
    /// A node by name or address; an address may also be that of a node that is about to join.
    [[nodiscard]] Fault resolve(const routing::PartitionMap& map, const std::string& word, routing::Address& address) const;

    [[nodiscard]] const std::string& warnings() const { return m_warnings; }

private:
    const PlanOptions& m_options;
    std::string m_warnings;
};

} // namespace fremis::app

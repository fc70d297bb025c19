#pragma once

#include "shared/routing/config_file.h"
#include "shared/routing/partition_map.h"

#include <functional>

namespace fremis::coordinator {

/// A config.yml and the map made of it. A file that cannot be used never replaces a good map. Thread: one.
class ConfigKeeper {
public:
    struct Present {
        routing::ConfigFile file;
        std::chrono::milliseconds loadedAt{0};
    };
    /// What a change of the config did.
    struct Change {
        std::string previousEpoch;
        int changedPartitions = 0;
        bool changed = false;
    };

    ConfigKeeper(std::filesystem::path file, routing::ConfigRules rules)
        : m_path(std::move(file)), m_rules(std::move(rules)) {}

    /// Reads the file; the first time or again. InvalidConfig: the present map stays.
    [[nodiscard]] base::Result<Change> load(std::chrono::milliseconds now);
    /// Replaces the file by `yaml` and takes it. InvalidConfig: nothing was changed. `dryRun`: nothing is changed in
    /// any case.
    [[nodiscard]] base::Result<Change> replace(const std::string& yaml, bool dryRun, std::chrono::milliseconds now);
    /// True when the file on disk is not the one that was read last (whether or not it could be used).
    [[nodiscard]] bool fileHasChanged() const;
    [[nodiscard]] const Present& present() const { return m_present; }
    [[nodiscard]] const routing::ConfigRules& rules() const { return m_rules; }

    /// Called with each new map.
    std::function<void(const routing::PartitionMap&)> onMap = [](const routing::PartitionMap&) {};

private:
    using Stamp = std::pair<std::filesystem::file_time_type, std::uintmax_t>;
    [[nodiscard]] std::optional<Stamp> stamp() const;
    [[nodiscard]] Change take(routing::ConfigFile file, std::chrono::milliseconds now);
    [[nodiscard]] Change changeTo(const routing::ConfigFile& file) const;

    const std::filesystem::path m_path;
    const routing::ConfigRules m_rules;
    Present m_present;
    std::optional<Stamp> m_stamp;
};

} // namespace fremis::coordinator

#include "coordinator/cluster/config_keeper.h"

namespace fremis::coordinator {

using base::Result;

std::optional<ConfigKeeper::Stamp> ConfigKeeper::stamp() const {
    std::error_code error;
    const auto time = std::filesystem::last_write_time(m_path, error);
    if (error)
        return std::nullopt;
    const auto size = std::filesystem::file_size(m_path, error);
    return error ? std::nullopt : std::optional(Stamp{time, size});
}

bool ConfigKeeper::fileHasChanged() const {
    const auto now = stamp();
    return now && now != m_stamp;
}

ConfigKeeper::Change ConfigKeeper::changeTo(const routing::ConfigFile& file) const {
    Change change;
    change.previousEpoch = m_present.file.epoch();
    change.changed = file.epoch() != m_present.file.epoch();
    change.changedPartitions = static_cast<int>(routing::changesBetween(m_present.file.map, file.map).size());
    return change;
}

ConfigKeeper::Change ConfigKeeper::take(routing::ConfigFile file, std::chrono::milliseconds now) {
    auto change = changeTo(file);
    m_present.file = std::move(file);
    m_present.loadedAt = now;
    if (change.changed)
        onMap(m_present.file.map);
    return change;
}

Result<ConfigKeeper::Change> ConfigKeeper::load(std::chrono::milliseconds now) {
    m_stamp = stamp();
    auto file = routing::loadConfig(m_path, m_rules);
    if (!file)
        return tl::unexpected(file.error());
    return take(std::move(*file), now);
}

Result<ConfigKeeper::Change> ConfigKeeper::replace(const std::string& yaml, bool dryRun,
                                                   std::chrono::milliseconds now) {
    auto file = routing::loadConfigText(yaml, m_path.filename().string(), m_rules);
    if (!file)
        return tl::unexpected(file.error());
    if (dryRun)
        return changeTo(*file);
    if (const auto written = routing::replaceFile(m_path, yaml); !written)
        return tl::unexpected(written.error());
    m_stamp = stamp();
    return take(std::move(*file), now);
}

} // namespace fremis::coordinator

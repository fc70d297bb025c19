#pragma once

#include "shared/base/clock.h"
#include "shared/metrics/nvml.h"
#include "shared/wire/replies.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace fremis::metrics {

/// Where the numbers are read from; the defaults are the real machine.
struct ResourceSources {
    std::filesystem::path dataDir;  ///< empty: no disk numbers
    std::filesystem::path queueDir; ///< empty: no queue
    std::filesystem::path procfs = "/proc";
    std::string nvmlLibrary = std::string(kNvmlLibrary);
};

/// Busy and total clock ticks since boot, and this process's own. Empty when procfs cannot be read.
struct CpuTimes {
    std::uint64_t busy = 0;
    std::uint64_t total = 0;
    std::uint64_t process = 0;
};
[[nodiscard]] std::optional<CpuTimes> readCpuTimes(const std::filesystem::path& procfs);
[[nodiscard]] wire::ResourceStats::Ram readRam(const std::filesystem::path& procfs);
[[nodiscard]] wire::ResourceStats::Process readProcess(const std::filesystem::path& procfs);
/// Zeros without a data directory. Data and queue are the bytes of the files below them, each counted once.
[[nodiscard]] wire::ResourceStats::Disk readDisk(const std::filesystem::path& dataDir,
                                                 const std::filesystem::path& queueDir);
/// Shares of all cores between two readings; none where no tick passed.
[[nodiscard]] wire::ResourceStats::Cpu cpuBetween(const CpuTimes& before, const CpuTimes& after);

/// Reads the machine once a second on its own thread; asking costs a copy. Thread: any; construct and stop from one.
class ResourceMonitor {
public:
    ResourceMonitor(const base::Clock& clock, ResourceSources sources);
    ~ResourceMonitor();
    ResourceMonitor(const ResourceMonitor&) = delete;
    ResourceMonitor& operator=(const ResourceMonitor&) = delete;

    /// The last reading, at most about a second old.
    [[nodiscard]] wire::ResourceStats latest() const;
    /// Ends the thread. Idempotent.
    void stop();

private:
    void work();
    [[nodiscard]] wire::ResourceStats read();

    const base::Clock& m_clock;
    const ResourceSources m_sources;
    const std::optional<Nvml> m_nvml; ///< none without the driver
    std::optional<CpuTimes> m_before; ///< touched by the constructor, then by the thread only
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stopping = false;
    wire::ResourceStats m_latest;
    std::thread m_thread;
};

} // namespace fremis::metrics

#pragma once

#include "shared/base/clock.h"
#include "shared/metrics/nvml.h"

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

struct CpuStats {
    int cores = 1;
    std::optional<double> percent;        ///< of all cores, last full second; none in the first
    std::optional<double> processPercent; ///< this process, on the same scale
};
struct RamStats {
    std::uint64_t totalBytes = 0;
    std::uint64_t usedBytes = 0; ///< total less available
    std::uint64_t availableBytes = 0;
    double percent = 0; ///< used of total
};
struct ProcessStats {
    std::uint64_t rssBytes = 0;
    int threads = 0;
    int openFds = 0;
};
/// The file system of the data directory; zeros without one.
struct DiskStats {
    std::uint64_t totalBytes = 0;
    std::uint64_t freeBytes = 0;
    double percent = 0;           ///< used of total
    std::uint64_t dataBytes = 0;  ///< files below the data directory, the queue not counted
    std::uint64_t queueBytes = 0; ///< files below the queue's folder
};

struct ResourceStats {
    std::chrono::milliseconds timestamp{0}; ///< since 1970
    CpuStats cpu;
    RamStats ram;
    ProcessStats process;
    DiskStats disk;
    std::vector<GpuStats> gpu;
};

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
[[nodiscard]] RamStats readRam(const std::filesystem::path& procfs);
[[nodiscard]] ProcessStats readProcess(const std::filesystem::path& procfs);
[[nodiscard]] DiskStats readDisk(const std::filesystem::path& dataDir, const std::filesystem::path& queueDir);
/// Shares of all cores between two readings; none where no tick passed.
[[nodiscard]] CpuStats cpuBetween(const CpuTimes& before, const CpuTimes& after);

/// Reads the machine once a second on its own thread; asking costs a copy. Thread: any; construct and stop from one.
class ResourceMonitor {
public:
    ResourceMonitor(const base::Clock& clock, ResourceSources sources);
    ~ResourceMonitor();
    ResourceMonitor(const ResourceMonitor&) = delete;
    ResourceMonitor& operator=(const ResourceMonitor&) = delete;

    /// The last reading, at most about a second old.
    [[nodiscard]] ResourceStats latest() const;
    /// Ends the thread. Idempotent.
    void stop();

private:
    void work();
    [[nodiscard]] ResourceStats read();

    const base::Clock& m_clock;
    const ResourceSources m_sources;
    const std::optional<Nvml> m_nvml; ///< none without the driver
    std::optional<CpuTimes> m_before; ///< touched by the constructor, then by the thread only
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stopping = false;
    ResourceStats m_latest;
    std::thread m_thread;
};

} // namespace fremis::metrics

#include "shared/metrics/resource_stats.h"

#include <pthread.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

namespace fremis::metrics {

namespace fs = std::filesystem;

namespace {

double percentOf(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

/// The value of "Name:  123 kB" lines as in /proc/meminfo and /proc/self/status; 0 when there is none.
std::uint64_t namedValue(const fs::path& file, std::string_view name) {
    std::ifstream in(file);
    std::string line;
    while (std::getline(in, line)) {
        if (line.size() <= name.size() || !line.starts_with(name) || line[name.size()] != ':')
            continue;
        std::uint64_t value = 0;
        std::istringstream(line.substr(name.size() + 1)) >> value;
        return value;
    }
    return 0;
}

std::optional<CpuTimes> readMachineTimes(const fs::path& procfs) {
    // proc(5), /proc/stat: user nice system idle iowait irq softirq steal, in ticks. guest times are part of user and
    // nice.
    std::ifstream in(procfs / "stat");
    std::string cpu;
    std::array<std::uint64_t, 8> ticks{};
    in >> cpu;
    for (auto& tick : ticks)
        in >> tick;
    if (!in || cpu != "cpu")
        return std::nullopt;
    CpuTimes times;
    for (const auto tick : ticks)
        times.total += tick;
    times.busy = times.total - ticks[3] - ticks[4];
    return times;
}

std::optional<std::uint64_t> readProcessTicks(const fs::path& procfs) {
    // proc(5), /proc/pid/stat: fields 14 and 15 are utime and stime. The name in field 2 may hold spaces and brackets,
    // so counting starts after the last bracket, with field 3.
    std::ifstream in(procfs / "self" / "stat");
    std::string line;
    if (!std::getline(in, line))
        return std::nullopt;
    const auto bracket = line.rfind(')');
    if (bracket == std::string::npos)
        return std::nullopt;
    std::istringstream fields(line.substr(bracket + 1));
    std::string skipped;
    for (int field = 3; field < 14; ++field)
        fields >> skipped;
    std::uint64_t user = 0;
    std::uint64_t system = 0;
    if (!(fields >> user >> system))
        return std::nullopt;
    return user + system;
}

/// Bytes of the regular files below `directory`, `without` left out. Files that vanish meanwhile count nothing.
std::uint64_t bytesBelow(const fs::path& directory, const fs::path& without = {}) {
    std::uint64_t bytes = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(directory, fs::directory_options::skip_permission_denied, error), end;
         !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        if (!without.empty() && entry->path() == without) {
            entry.disable_recursion_pending();
            continue;
        }
        if (entry->is_regular_file(ignored))
            if (const auto size = entry->file_size(ignored); !ignored)
                bytes += size;
    }
    return bytes;
}

} // namespace

std::optional<CpuTimes> readCpuTimes(const fs::path& procfs) {
    auto times = readMachineTimes(procfs);
    const auto process = readProcessTicks(procfs);
    if (!times || !process)
        return std::nullopt;
    times->process = *process;
    return times;
}

wire::ResourceStats::Ram readRam(const fs::path& procfs) {
    wire::ResourceStats::Ram ram;
    ram.totalBytes = namedValue(procfs / "meminfo", "MemTotal") * 1024;
    ram.availableBytes = std::min(ram.totalBytes, namedValue(procfs / "meminfo", "MemAvailable") * 1024);
    ram.usedBytes = ram.totalBytes - ram.availableBytes;
    ram.percent = percentOf(ram.usedBytes, ram.totalBytes);
    return ram;
}

wire::ResourceStats::Process readProcess(const fs::path& procfs) {
    wire::ResourceStats::Process process;
    process.rssBytes = namedValue(procfs / "self" / "status", "VmRSS") * 1024;
    process.threads = namedValue(procfs / "self" / "status", "Threads");
    std::error_code error;
    for (fs::directory_iterator entry(procfs / "self" / "fd", error), end; !error && entry != end;
         entry.increment(error))
        ++process.openFds;
    return process;
}

wire::ResourceStats::Disk readDisk(const fs::path& dataDir, const fs::path& queueDir) {
    wire::ResourceStats::Disk disk;
    struct statvfs system {};
    if (dataDir.empty() || statvfs(dataDir.c_str(), &system) != 0)
        return disk;
    disk.totalBytes = std::uint64_t{system.f_blocks} * system.f_frsize;
    disk.freeBytes = std::uint64_t{system.f_bavail} * system.f_frsize;
    disk.percent = percentOf(disk.totalBytes - std::min(disk.freeBytes, disk.totalBytes), disk.totalBytes);
    disk.dataBytes = bytesBelow(dataDir, queueDir);
    disk.queueBytes = queueDir.empty() ? 0 : bytesBelow(queueDir);
    return disk;
}

wire::ResourceStats::Cpu cpuBetween(const CpuTimes& before, const CpuTimes& after) {
    wire::ResourceStats::Cpu cpu;
    cpu.cores = std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
    // iowait may step back (proc(5)), hence the comparisons.
    if (after.total <= before.total)
        return cpu;
    const auto total = after.total - before.total;
    const auto share = [total](std::uint64_t from, std::uint64_t to) {
        return std::min(100.0, percentOf(to > from ? to - from : 0, total));
    };
    cpu.percent = share(before.busy, after.busy);
    cpu.processPercent = share(before.process, after.process);
    return cpu;
}

namespace {

std::optional<Nvml> openNvml(const std::string& library) {
    auto nvml = Nvml::open(library);
    return nvml ? std::optional<Nvml>(std::move(*nvml)) : std::nullopt;
}

} // namespace

ResourceMonitor::ResourceMonitor(const base::Clock& clock, ResourceSources sources)
    : m_clock(clock), m_sources(std::move(sources)), m_nvml(openNvml(m_sources.nvmlLibrary)) {
    m_latest = read();
    m_thread = std::thread([this] { work(); });
}

ResourceMonitor::~ResourceMonitor() {
    stop();
}

wire::ResourceStats ResourceMonitor::latest() const {
    const std::scoped_lock lock(m_mutex);
    return m_latest;
}

void ResourceMonitor::stop() {
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable())
        m_thread.join();
}

wire::ResourceStats ResourceMonitor::read() {
    wire::ResourceStats stats;
    stats.timestamp = m_clock.sinceEpoch();
    const auto times = readCpuTimes(m_sources.procfs);
    stats.cpu = cpuBetween(m_before && times ? *m_before : CpuTimes{}, m_before && times ? *times : CpuTimes{});
    m_before = times;
    stats.ram = readRam(m_sources.procfs);
    stats.process = readProcess(m_sources.procfs);
    stats.disk = readDisk(m_sources.dataDir, m_sources.queueDir);
    if (m_nvml)
        stats.gpu = m_nvml->gpus();
    return stats;
}

void ResourceMonitor::work() {
    pthread_setname_np(pthread_self(), "resources");
    // Real time on purpose: the kernel's tick counts pass in it, whatever clock the caller brought.
    auto next = std::chrono::steady_clock::now();
    std::unique_lock lock(m_mutex);
    for (;;) {
        next += std::chrono::seconds(1);
        if (m_wake.wait_until(lock, next, [this] { return m_stopping; }))
            return;
        lock.unlock();
        auto stats = read();
        lock.lock();
        m_latest = std::move(stats);
    }
}

} // namespace fremis::metrics

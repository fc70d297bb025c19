#pragma once

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace fremis::bench {

using Clock = std::chrono::steady_clock;

inline double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

template<class F> double millisecondsOf(F&& work) {
    const auto begin = Clock::now();
    work();
    return secondsSince(begin) * 1000;
}

/// `share`: 0.5 for the median.
inline double percentile(std::vector<double> values, double share) {
    if (values.empty())
        return 0;
    const auto at = values.begin() + static_cast<long>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

inline double median(std::vector<double> values) {
    return percentile(std::move(values), 0.5);
}

/// CPU time of all threads of a process so far, in milliseconds.
inline double cpuMilliseconds(pid_t pid) {
    double nanoseconds = 0;
    for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task")) {
        std::ifstream file(task.path() / "schedstat");
        double running = 0;
        file >> running;
        nanoseconds += running;
    }
    return nanoseconds / 1e6;
}

/// A line of /proc/PID/status in kB, as MiB: "VmRSS", or "VmHWM" for the most there ever was.
inline double memoryMebibytes(pid_t pid, const std::string& name) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(name + ":"))
            return std::stod(line.substr(name.size() + 1)) / 1024;
    return 0;
}

} // namespace fremis::bench

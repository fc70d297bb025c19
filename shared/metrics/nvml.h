#pragma once

#include "shared/base/error.h"
#include "shared/wire/replies.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fremis::metrics {

/// The library of NVIDIA's driver. It is found at run time, so building needs nothing of NVIDIA.
inline constexpr std::string_view kNvmlLibrary = "libnvidia-ml.so.1";

/// NVIDIA Management Library, opened by name. Thread: any (NVML's calls are thread-safe).
class Nvml {
public:
    /// Fails when the library, one of its functions or a driver is missing.
    [[nodiscard]] static base::Result<Nvml> open(const std::string& library = std::string(kNvmlLibrary));

    /// The GPUs now. One that does not answer is left out; a number it does not offer is 0.
    [[nodiscard]] std::vector<wire::GpuStats> gpus() const;

private:
    struct Library;
    explicit Nvml(std::shared_ptr<const Library> library) : m_library(std::move(library)) {}
    std::shared_ptr<const Library> m_library;
};

} // namespace fremis::metrics

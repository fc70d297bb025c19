#include "shared/metrics/nvml.h"

#include <dlfcn.h>

#include <array>

namespace fremis::metrics {

namespace {

// The part of NVML's C interface that is used here (NVML API reference, "Device Queries" and "Initialization and
// Cleanup"). The _v2 names are the ones every driver since 2013 exports.
using Device = struct nvmlDevice_st*;
struct Utilization {
    unsigned gpu;
    unsigned memory;
};
struct Memory {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};
constexpr int kSuccess = 0;
constexpr unsigned kNameBytes = 96;

} // namespace

struct Nvml::Library {
    Library() = default;
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library() {
        if (initialised)
            shutdown();
        if (handle)
            dlclose(handle);
    }

    template<class Function> bool bind(Function& function, const char* symbol) {
        function = reinterpret_cast<Function>(dlsym(handle, symbol));
        return function != nullptr;
    }
    bool bindAll() {
        return bind(init, "nvmlInit_v2") && bind(shutdown, "nvmlShutdown") && bind(count, "nvmlDeviceGetCount_v2") &&
               bind(device, "nvmlDeviceGetHandleByIndex_v2") && bind(name, "nvmlDeviceGetName") &&
               bind(utilization, "nvmlDeviceGetUtilizationRates") && bind(memory, "nvmlDeviceGetMemoryInfo");
    }

    void* handle = nullptr;
    bool initialised = false;
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    int (*count)(unsigned*) = nullptr;
    int (*device)(unsigned, Device*) = nullptr;
    int (*name)(Device, char*, unsigned) = nullptr;
    int (*utilization)(Device, Utilization*) = nullptr;
    int (*memory)(Device, Memory*) = nullptr;
};

base::Result<Nvml> Nvml::open(const std::string& library) {
    auto opened = std::make_shared<Library>();
    opened->handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!opened->handle)
        return base::fail(base::Reason::Internal, "no GPU library", dlerror());
    if (!opened->bindAll())
        return base::fail(base::Reason::Internal, "GPU library lacks a function", library);
    if (const int code = opened->init(); code != kSuccess)
        return base::fail(base::Reason::Internal, "no GPU driver", "nvmlInit_v2: " + std::to_string(code));
    opened->initialised = true;
    return Nvml(std::move(opened));
}

std::vector<wire::GpuStats> Nvml::gpus() const {
    unsigned count = 0;
    if (m_library->count(&count) != kSuccess)
        return {};
    std::vector<wire::GpuStats> result;
    for (unsigned index = 0; index < count; ++index) {
        Device device = nullptr;
        if (m_library->device(index, &device) != kSuccess)
            continue;
        wire::GpuStats gpu;
        gpu.index = static_cast<int>(index);
        std::array<char, kNameBytes> name{};
        if (m_library->name(device, name.data(), kNameBytes - 1) == kSuccess)
            gpu.name = name.data();
        if (Utilization use{}; m_library->utilization(device, &use) == kSuccess)
            gpu.utilPercent = use.gpu;
        if (Memory memory{}; m_library->memory(device, &memory) == kSuccess) {
            gpu.memoryTotalBytes = memory.total;
            gpu.memoryUsedBytes = memory.used;
        }
        result.push_back(std::move(gpu));
    }
    return result;
}

} // namespace fremis::metrics

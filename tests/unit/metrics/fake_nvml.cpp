// The functions of NVIDIA's management library that the server calls, for a machine with two GPUs of which the second
// offers no utilisation; or, built as "broken", for a machine without the driver.

struct nvmlDevice_st {
    const char* name;
    unsigned utilisation;
    unsigned long long total;
    unsigned long long used;
};

namespace {
constexpr int kNotSupported = 3;
constexpr int kDriverNotLoaded = 9;
constexpr unsigned long long kMiB = 1024ULL * 1024ULL;
nvmlDevice_st devices[] = {{"Example GPU", 12, 24576 * kMiB, 2048 * kMiB}, {"Small GPU", 0, 8192 * kMiB, 0}};
} // namespace

extern "C" {

int nvmlInit_v2() {
#ifdef FREMIS_FAKE_NVML_BROKEN
    return kDriverNotLoaded;
#else
    return 0;
#endif
}

int nvmlShutdown() {
    return 0;
}

int nvmlDeviceGetCount_v2(unsigned* count) {
    *count = 2;
    return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_st** device) {
    *device = &devices[index];
    return 0;
}

int nvmlDeviceGetName(nvmlDevice_st* device, char* name, unsigned length) {
    unsigned i = 0;
    for (; device->name[i] != '\0' && i + 1 < length; ++i)
        name[i] = device->name[i];
    name[i] = '\0';
    return 0;
}

int nvmlDeviceGetUtilizationRates(nvmlDevice_st* device, unsigned* gpuAndMemory) {
    if (device == &devices[1])
        return kNotSupported;
    gpuAndMemory[0] = device->utilisation;
    gpuAndMemory[1] = 0;
    return 0;
}

int nvmlDeviceGetMemoryInfo(nvmlDevice_st* device, unsigned long long* totalFreeUsed) {
    totalFreeUsed[0] = device->total;
    totalFreeUsed[1] = device->total - device->used;
    totalFreeUsed[2] = device->used;
    return 0;
}

} // extern "C"

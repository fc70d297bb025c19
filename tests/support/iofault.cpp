// Preloaded into a process (see iofault.h): writes and syncs of chosen files fail when a test says so.
#include "tests/support/iofault.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using fremis::test::IoFaultControl;

namespace {

IoFaultControl* control() {
    static IoFaultControl* const kControl = []() -> IoFaultControl* {
        const char* file = std::getenv("FREMIS_IOFAULT_CONTROL");
        const int fd = file ? ::open(file, O_RDWR | O_CLOEXEC) : -1;
        if (fd < 0)
            return nullptr;
        void* place = ::mmap(nullptr, sizeof(IoFaultControl), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        ::close(fd);
        return place == MAP_FAILED ? nullptr : static_cast<IoFaultControl*>(place);
    }();
    return kControl;
}

bool isChosen(int fd) {
    const char* part = std::getenv("FREMIS_IOFAULT_PATH");
    char link[32];
    char path[512];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const auto length = ::readlink(link, path, sizeof path - 1);
    if (!part || length <= 0)
        return false;
    path[length] = '\0';
    return std::strstr(path, part) != nullptr;
}

bool strikes(int fd, IoFaultControl::Kind kind) {
    auto* shared = control();
    if (!shared || shared->kind.load() != kind || !isChosen(fd) || shared->passing.fetch_sub(1) > 0)
        return false;
    ++shared->hits;
    return true;
}

/// False: the sync fails. One that hangs is done when the hanging ends.
bool maySync(int fd) {
    if (strikes(fd, IoFaultControl::SyncHangs))
        while (control()->kind.load() == IoFaultControl::SyncHangs)
            ::usleep(10'000);
    return !strikes(fd, IoFaultControl::SyncError);
}

template<class Function> Function next(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" {

[[gnu::visibility("default")]] ssize_t write(int fd, const void* data, std::size_t size) {
    static const auto kNext = next<ssize_t (*)(int, const void*, std::size_t)>("write");
    if (strikes(fd, IoFaultControl::WriteFull))
        return errno = ENOSPC, -1;
    return kNext(fd, data, size);
}

[[gnu::visibility("default")]] ssize_t pwrite64(int fd, const void* data, std::size_t size, off64_t offset) {
    static const auto kNext = next<ssize_t (*)(int, const void*, std::size_t, off64_t)>("pwrite64");
    if (strikes(fd, IoFaultControl::WriteFull))
        return errno = ENOSPC, -1;
    return kNext(fd, data, size, offset);
}

[[gnu::visibility("default")]] ssize_t pwrite(int fd, const void* data, std::size_t size, off_t offset) {
    return pwrite64(fd, data, size, offset);
}

[[gnu::visibility("default")]] int fsync(int fd) {
    static const auto kNext = next<int (*)(int)>("fsync");
    if (!maySync(fd))
        return errno = EIO, -1;
    return kNext(fd);
}

[[gnu::visibility("default")]] int fdatasync(int fd) {
    static const auto kNext = next<int (*)(int)>("fdatasync");
    if (!maySync(fd))
        return errno = EIO, -1;
    return kNext(fd);
}

} // extern "C"

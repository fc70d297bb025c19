#include "shared/routing/config_file.h"

#include <cerrno>
#include <cstring>
#include <system_error>

#ifdef _WIN32
#include <fstream>
#include <iterator>
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>
#endif

namespace fremis::routing {

namespace fs = std::filesystem;
using base::fail;
using base::Reason;
using base::Result;
using base::Status;

namespace {

tl::unexpected<base::Error> refuseFile(const fs::path& file, const std::string& reason) {
    return fail(Reason::InvalidConfig, file.string() + ": " + reason);
}

#ifndef _WIN32

std::string systemText(int error) {
    return std::generic_category().message(error);
}

class FileDescriptor {
public:
    explicit FileDescriptor(int fd) : m_fd(fd) {}
    ~FileDescriptor() {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    [[nodiscard]] int get() const { return m_fd; }
    [[nodiscard]] bool ok() const { return m_fd >= 0; }

private:
    int m_fd;
};

bool sameVersion(const struct stat& a, const struct stat& b) {
    return a.st_ino == b.st_ino && a.st_dev == b.st_dev && a.st_size == b.st_size &&
           a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

// Two writes within one tick of the kernel's clock (10 ms at most) leave the same time behind. A file that has been
// still for longer cannot change unnoticed.
constexpr std::chrono::milliseconds kStill{15};

bool isStill(const struct stat& file) {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const auto since = std::chrono::seconds(now.tv_sec - file.st_mtim.tv_sec) +
                       std::chrono::nanoseconds(now.tv_nsec - file.st_mtim.tv_nsec);
    return since < std::chrono::nanoseconds(0) || since > kStill; // times to come are another clock's
}

// Reads until the end or one byte past the limit. A negative errno on failure.
int readAll(int fd, std::size_t maxBytes, std::string& text) {
    constexpr std::size_t kBlock = 64 * 1024;
    text.clear();
    while (text.size() <= maxBytes) {
        const std::size_t had = text.size();
        text.resize(had + kBlock);
        const ssize_t got = ::read(fd, text.data() + had, kBlock);
        text.resize(had + static_cast<std::size_t>(got > 0 ? got : 0));
        if (got == 0)
            return 0;
        if (got < 0 && errno != EINTR)
            return -errno;
    }
    return 0;
}

// The text, or nothing when the file changed meanwhile.
Result<std::optional<std::string>> readOnce(const fs::path& file, std::size_t maxBytes) {
    // O_NONBLOCK: opening a pipe or a device must not wait for the other side.
    const FileDescriptor fd(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (!fd.ok())
        return refuseFile(file, "cannot be opened: " + systemText(errno));
    struct stat before {};
    if (::fstat(fd.get(), &before) != 0)
        return refuseFile(file, "cannot be examined: " + systemText(errno));
    if (!S_ISREG(before.st_mode))
        return refuseFile(file, "not a regular file");
    if (static_cast<std::uintmax_t>(before.st_size) > maxBytes)
        return refuseFile(file, "larger than " + std::to_string(maxBytes / 1024) + " KiB");
    if (!isStill(before)) {
        std::this_thread::sleep_for(kStill);
        struct stat later {};
        if (::fstat(fd.get(), &later) != 0 || !sameVersion(before, later))
            return std::optional<std::string>{};
    }
    std::string text;
    if (const int error = readAll(fd.get(), maxBytes, text); error < 0)
        return refuseFile(file, "cannot be read: " + systemText(-error));
    struct stat after {};
    if (::fstat(fd.get(), &after) != 0 || !sameVersion(before, after) ||
        text.size() != static_cast<std::size_t>(after.st_size))
        return std::optional<std::string>{};
    return text;
}

Status writeAll(int fd, std::string_view text, const fs::path& file) {
    while (!text.empty()) {
        const ssize_t put = ::write(fd, text.data(), text.size());
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return fail(Reason::Internal, file.string() + ": cannot be written: " + systemText(errno));
        text.remove_prefix(static_cast<std::size_t>(put));
    }
    if (::fsync(fd) != 0)
        return fail(Reason::Internal, file.string() + ": cannot be made durable: " + systemText(errno));
    return {};
}

Status writeBeside(const fs::path& file, const fs::path& temporary, std::string_view text) {
    constexpr mode_t kNewFileMode = 0644;
    struct stat old {};
    const mode_t mode = ::stat(file.c_str(), &old) == 0 ? old.st_mode & 07777 : kNewFileMode;
    const FileDescriptor fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (!fd.ok())
        return fail(Reason::Internal, temporary.string() + ": cannot be created: " + systemText(errno));
    if (::fchmod(fd.get(), mode) != 0) // the umask took bits away
        return fail(Reason::Internal, temporary.string() + ": cannot be given its permissions: " + systemText(errno));
    return writeAll(fd.get(), text, temporary);
}

Status syncFolder(const fs::path& folder) {
    const FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.ok() || ::fsync(fd.get()) != 0)
        return fail(Reason::Internal, folder.string() + ": cannot be made durable: " + systemText(errno));
    return {};
}

#endif

} // namespace

#ifdef _WIN32

Result<std::string> readWholeFile(const fs::path& file, std::size_t maxBytes) {
    std::error_code error;
    if (!fs::is_regular_file(file, error))
        return refuseFile(file, "not a regular file");
    if (fs::file_size(file, error) > maxBytes)
        return refuseFile(file, "larger than " + std::to_string(maxBytes / 1024) + " KiB");
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream.good() && !stream.eof())
        return refuseFile(file, "cannot be read");
    return text;
}

Status replaceFile(const fs::path& file, std::string_view text) {
    const fs::path temporary = file.string() + ".new";
    std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.close();
    std::error_code error;
    if (stream.good())
        fs::rename(temporary, file, error);
    if (!stream.good() || error)
        return fail(Reason::Internal, file.string() + ": cannot be replaced");
    return {};
}

#else

Result<std::string> readWholeFile(const fs::path& file, std::size_t maxBytes) {
    constexpr int kTries = 6;
    for (int i = 0; i < kTries; ++i) {
        auto text = readOnce(file, maxBytes);
        if (!text)
            return tl::unexpected(text.error());
        if (*text)
            return std::move(**text);
    }
    return refuseFile(file, "changes while it is read");
}

Status replaceFile(const fs::path& file, std::string_view text) {
    static std::atomic<unsigned> counter{0};
    std::error_code ignored;
    const fs::path target = fs::is_symlink(file, ignored) ? fs::canonical(file, ignored) : file; // keep the link
    const fs::path temporary =
        target.string() + ".new-" + std::to_string(::getpid()) + "-" + std::to_string(counter.fetch_add(1));
    Status status = writeBeside(target, temporary, text);
    if (status && ::rename(temporary.c_str(), target.c_str()) != 0)
        status = fail(Reason::Internal, target.string() + ": cannot be replaced: " + systemText(errno));
    if (!status) {
        ::unlink(temporary.c_str());
        return status;
    }
    return syncFolder(target.has_parent_path() ? target.parent_path() : fs::path("."));
}

#endif

Result<ConfigFile> loadConfigText(std::string text, std::string_view name, const ConfigRules& rules) {
    ConfigReading reading = readConfig(text, rules);
    if (!reading.ok())
        return fail(Reason::InvalidConfig, reading.firstError(name));
    ConfigFile file;
    file.text = std::move(text);
    file.config = std::move(*reading.config);
    file.map = PartitionMap(file.config);
    file.warnings = std::move(reading.problems);
    return file;
}

Result<ConfigFile> loadConfig(const fs::path& file, const ConfigRules& rules) {
    auto text = readWholeFile(file);
    if (!text)
        return tl::unexpected(text.error());
    return loadConfigText(std::move(*text), file.string(), rules);
}

} // namespace fremis::routing

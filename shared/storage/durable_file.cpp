#include "shared/storage/durable_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace fremis::storage {
namespace {

namespace fs = std::filesystem;

tl::unexpected<base::Error> failOf(const fs::path& path, std::string_view what) {
    const int number = errno;
    const auto reason = number == ENOSPC || number == EDQUOT ? base::Reason::StorageFull : base::Reason::Internal;
    return base::fail(reason, std::string(what) + " failed", path.string() + ": " + std::strerror(number));
}

/// A descriptor that closes itself.
struct Descriptor {
    int number;
    ~Descriptor() {
        if (number >= 0)
            ::close(number);
    }
};

bool writeAll(int descriptor, std::string_view content) {
    while (!content.empty()) {
        const auto count = ::write(descriptor, content.data(), content.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return false;
        content.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

base::Status syncDirectory(const fs::path& directory) {
    const Descriptor handle{::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (handle.number < 0 || ::fsync(handle.number) != 0)
        return failOf(directory, "syncing a directory");
    return {};
}

base::Status syncFolderOf(const fs::path& file) {
    return syncDirectory(file.has_parent_path() ? file.parent_path() : fs::path("."));
}

} // namespace

base::Status makePrivateDirectory(const fs::path& directory) {
    std::error_code error;
    if (fs::is_directory(directory, error))
        return {};
    if (const auto parent = directory.parent_path(); !parent.empty())
        fs::create_directories(parent, error);
    if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST)
        return failOf(directory, "making the data directory");
    return syncFolderOf(directory);
}

base::Status writePrivateFile(const fs::path& file, std::string_view content) {
    auto temporary = file;
    temporary += ".new";
    {
        const Descriptor handle{::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
        if (handle.number < 0 || !writeAll(handle.number, content) || ::fsync(handle.number) != 0)
            return failOf(temporary, "writing a file");
    }
    if (::rename(temporary.c_str(), file.c_str()) != 0)
        return failOf(file, "replacing a file");
    return syncFolderOf(file);
}

base::Status makePrivateFile(const fs::path& file) {
    const Descriptor handle{::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
    if (handle.number < 0)
        return failOf(file, "making a file");
    return {};
}

base::Status renameFile(const fs::path& from, const fs::path& to) {
    if (::rename(from.c_str(), to.c_str()) == 0)
        return syncFolderOf(to);
    if (errno == ENOENT)
        return {};
    return failOf(from, "renaming a file");
}

base::Result<InPlaceFile> InPlaceFile::open(const fs::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0)
        return failOf(file, "opening a file");
    return InPlaceFile(file, descriptor);
}

base::Status InPlaceFile::write(std::uint64_t offset, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto count = ::pwrite(m_descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return failOf(m_file, "writing a file");
        bytes.remove_prefix(static_cast<std::size_t>(count));
        offset += static_cast<std::uint64_t>(count);
    }
    return {};
}

base::Status InPlaceFile::sync() {
    if (::fdatasync(m_descriptor) != 0)
        return failOf(m_file, "syncing a file");
    return {};
}

InPlaceFile::~InPlaceFile() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

base::Result<DirectoryLock> DirectoryLock::take(const fs::path& directory) {
    const auto file = directory / "lock";
    DirectoryLock lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (lock.m_descriptor < 0)
        return failOf(file, "opening the lock file");
    // flock() and not a file with a process id: the system lets go of it at any kind of death, and in a container every
    // process may be number 1.
    if (::flock(lock.m_descriptor, LOCK_EX | LOCK_NB) == 0)
        return lock;
    if (errno == EWOULDBLOCK)
        return base::fail(base::Reason::BadStore, "another process uses the data directory " + directory.string() +
                                                      ": stop it, or choose another --data-dir");
    return failOf(file, "locking the data directory");
}

DirectoryLock::~DirectoryLock() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

} // namespace fremis::storage

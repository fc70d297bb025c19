#pragma once

#include "shared/base/error.h"

#include <filesystem>
#include <utility>

namespace fremis::storage {

/// Makes `directory` and its parents when missing; the last one gets mode 0700 when it is made here.
[[nodiscard]] base::Status makePrivateDirectory(const std::filesystem::path& directory);

/// Replaces `file` as a whole (temporary file, fsync, rename, fsync of the directory), mode 0600. Durable when it
/// returns.
[[nodiscard]] base::Status writePrivateFile(const std::filesystem::path& file, std::string_view content);

/// Exclusive use of a directory, held while the object lives and given up by the system when the process dies.
class DirectoryLock {
public:
    /// BadStore when another process, or another lock of this one, holds it.
    [[nodiscard]] static base::Result<DirectoryLock> take(const std::filesystem::path& directory);
    DirectoryLock(DirectoryLock&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
    DirectoryLock& operator=(DirectoryLock&& other) noexcept {
        std::swap(m_descriptor, other.m_descriptor);
        return *this;
    }
    DirectoryLock(const DirectoryLock&) = delete;
    DirectoryLock& operator=(const DirectoryLock&) = delete;
    ~DirectoryLock();

private:
    explicit DirectoryLock(int descriptor) : m_descriptor(descriptor) {}
    int m_descriptor;
};

} // namespace fremis::storage

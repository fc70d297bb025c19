#pragma once

#include "shared/base/error.h"

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

namespace fremis::storage {

/// Makes `directory` and its parents when missing; the last one gets mode 0700 when it is made here.
[[nodiscard]] base::Status makePrivateDirectory(const std::filesystem::path& directory);

/// Replaces `file` as a whole (temporary file, fsync, rename, fsync of the directory), mode 0600. Durable when it
/// returns.
[[nodiscard]] base::Status writePrivateFile(const std::filesystem::path& file, std::string_view content);

/// Makes `file` with mode 0600 when missing; its content stays.
[[nodiscard]] base::Status makePrivateFile(const std::filesystem::path& file);

/// Moves a file within its directory and replaces `to`; nothing happens when `from` is missing. Durable when it
/// returns.
[[nodiscard]] base::Status renameFile(const std::filesystem::path& from, const std::filesystem::path& to);

/// A file that is written in place, so that a full disk cannot stop it. Thread: one at a time.
class InPlaceFile {
public:
    [[nodiscard]] static base::Result<InPlaceFile> open(const std::filesystem::path& file);
    InPlaceFile(InPlaceFile&& other) noexcept
        : m_file(std::move(other.m_file)), m_descriptor(std::exchange(other.m_descriptor, -1)) {}
    InPlaceFile& operator=(InPlaceFile&& other) noexcept {
        std::swap(m_file, other.m_file);
        std::swap(m_descriptor, other.m_descriptor);
        return *this;
    }
    InPlaceFile(const InPlaceFile&) = delete;
    InPlaceFile& operator=(const InPlaceFile&) = delete;
    ~InPlaceFile();

    [[nodiscard]] base::Status write(std::uint64_t offset, std::string_view bytes);
    /// Makes the writes durable. After a failure nothing on the file can be trusted.
    [[nodiscard]] base::Status sync();

private:
    InPlaceFile(std::filesystem::path file, int descriptor) : m_file(std::move(file)), m_descriptor(descriptor) {}
    std::filesystem::path m_file;
    int m_descriptor;
};

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

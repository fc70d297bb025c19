#pragma once

#include "shared/base/error.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace fremis::coordinator {

/// What the queue does to files beside its SQLite database: a seam, so that tests and simulations can be the disk (with
/// an SQLite VFS for the database). Names are plain file names inside one directory. Thread: the queue's.
class QueueDisk {
public:
    virtual ~QueueDisk() = default;
    [[nodiscard]] virtual bool exists(const std::string& name) = 0;
    /// Makes the file when missing, mode 0600. Its content stays.
    [[nodiscard]] virtual base::Status makePrivate(const std::string& name) = 0;
    /// The whole content; nothing when there is no such file.
    [[nodiscard]] virtual base::Result<std::optional<std::string>> read(const std::string& name) = 0;
    /// Replaces the file as a whole, mode 0600; durable when it returns.
    [[nodiscard]] virtual base::Status replace(const std::string& name, std::string_view content) = 0;
    /// Writes inside the file, whose length stays.
    [[nodiscard]] virtual base::Status overwrite(const std::string& name, std::uint64_t offset,
                                                 std::string_view bytes) = 0;
    /// Makes overwrite() durable. A failure is final: nothing later on that file can be trusted.
    [[nodiscard]] virtual base::Status sync(const std::string& name) = 0;
    /// Replaces `to`; nothing to do when `from` is missing. Durable when it returns.
    [[nodiscard]] virtual base::Status rename(const std::string& from, const std::string& to) = 0;
    /// Size of the file system in bytes.
    [[nodiscard]] virtual std::uint64_t capacity() = 0;
};

/// The directory on the system's disk, made with mode 0700 when missing.
[[nodiscard]] base::Result<std::unique_ptr<QueueDisk>> openQueueDisk(const std::filesystem::path& directory);

} // namespace fremis::coordinator

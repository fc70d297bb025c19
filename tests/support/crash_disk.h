#pragma once

#include "coordinator/cluster/queue_disk.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fremis::test {

/// A disk in memory for the write queue: an SQLite VFS for its database and a QueueDisk for the rest. What was written
/// and not synced may be lost, whole or in sectors, when the power goes. Thread: one for all disks of the process.
class CrashDisk {
public:
    CrashDisk();
    ~CrashDisk();
    CrashDisk(const CrashDisk&) = delete;
    CrashDisk& operator=(const CrashDisk&) = delete;

    /// For QueueOptions.
    [[nodiscard]] static std::string vfs();
    [[nodiscard]] const std::string& directory() const { return m_directory; }
    [[nodiscard]] std::shared_ptr<coordinator::QueueDisk> files();

    /// The process that holds files open is gone: what it still does with them has no effect. What it wrote stays.
    void kill() { ++m_life; }
    /// The same, and each write that was not synced is lost or torn as `random` (64 bits a call) has it.
    void cutPower(const std::function<std::uint64_t()>& random);

    struct File {
        struct Write {
            std::uint64_t offset = 0;
            std::string bytes;
            bool truncates = false; ///< to `offset`
        };
        std::string content;         ///< as it is read
        std::string durable;         ///< as the last sync left it
        std::vector<Write> unsynced; ///< since then
        void write(std::uint64_t offset, std::string_view bytes);
        void truncate(std::uint64_t size);
        void sync();
    };
    // For the methods of the VFS and the QueueDisk.
    [[nodiscard]] std::uint64_t life() const { return m_life; }
    [[nodiscard]] std::map<std::string, std::shared_ptr<File>>& all() { return m_files; }

private:
    const std::string m_directory;
    std::uint64_t m_life = 0;
    std::map<std::string, std::shared_ptr<File>> m_files; ///< by name without directory
};

} // namespace fremis::test

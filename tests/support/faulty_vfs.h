#pragma once

#include <condition_variable>
#include <mutex>
#include <string>

struct sqlite3_vfs;

namespace fremis::test {

/// A disk that fails on demand, as an SQLite VFS: it passes everything on to the system's and, when told to, fails the
/// n-th write or sync of a database or WAL file, or holds syncs back. One for the process, registered under name().
/// Thread: any.
class FaultyVfs {
public:
    enum class Fault {
        WriteFull,  ///< SQLITE_FULL, as ENOSPC
        WriteError, ///< SQLITE_IOERR_WRITE, as EIO
        ShortWrite, ///< half of the bytes arrive, then SQLITE_IOERR_WRITE
        SyncError,  ///< SQLITE_IOERR_FSYNC
    };

    [[nodiscard]] static FaultyVfs& instance();
    [[nodiscard]] std::string name() const { return "fremis-faulty"; }

    /// The `n`-th call (from 1) of the kind that `fault` is about fails, and with `forEver` all after it.
    void failNth(Fault fault, int n, bool forEver = false);
    /// No more faults. True when the fault of the last failNth() has happened.
    bool clear();
    /// Syncs wait until released.
    void holdSyncs();
    void releaseSyncs();

    // For the file methods of this VFS.
    enum class Call { Write, Sync };
    /// The fault that hits this call, if one does; waits for held syncs.
    [[nodiscard]] bool hits(Call call, Fault& fault);

private:
    FaultyVfs();
    std::mutex m_mutex;
    std::condition_variable m_released;
    bool m_held = false;
    bool m_armed = false;
    bool m_hit = false;
    bool m_forEver = false;
    int m_countdown = 0;
    Fault m_fault = Fault::SyncError;
};

} // namespace fremis::test

#include "tests/support/faulty_vfs.h"

#include <sqlite3.h>

#include <cstring>
#include <new>

namespace fremis::test {
namespace {

sqlite3_vfs* systemVfs() {
    static sqlite3_vfs* const kVfs = sqlite3_vfs_find(nullptr);
    return kVfs;
}

/// Our file, and behind it in the same block of memory the system's.
struct File {
    sqlite3_file base;
    bool watched;
};

sqlite3_file* inner(sqlite3_file* file) {
    return reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(file) + sizeof(File));
}
bool isWatched(sqlite3_file* file) {
    return reinterpret_cast<File*>(file)->watched;
}

int writeFile(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
    auto* system = inner(file);
    FaultyVfs::Fault fault{};
    if (!isWatched(file) || !FaultyVfs::instance().hits(FaultyVfs::Call::Write, fault))
        return system->pMethods->xWrite(system, data, size, offset);
    if (fault == FaultyVfs::Fault::ShortWrite)
        (void)system->pMethods->xWrite(system, data, size / 2, offset);
    return fault == FaultyVfs::Fault::WriteFull ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

int syncFile(sqlite3_file* file, int flags) {
    auto* system = inner(file);
    FaultyVfs::Fault fault{};
    if (isWatched(file) && FaultyVfs::instance().hits(FaultyVfs::Call::Sync, fault))
        return SQLITE_IOERR_FSYNC; // and what was written is not synced
    return system->pMethods->xSync(system, flags);
}

// The rest is passed on.
int closeFile(sqlite3_file* f) {
    return inner(f)->pMethods->xClose(inner(f));
}
int readFile(sqlite3_file* f, void* d, int n, sqlite3_int64 o) {
    return inner(f)->pMethods->xRead(inner(f), d, n, o);
}
int truncateFile(sqlite3_file* f, sqlite3_int64 n) {
    return inner(f)->pMethods->xTruncate(inner(f), n);
}
int fileSize(sqlite3_file* f, sqlite3_int64* n) {
    return inner(f)->pMethods->xFileSize(inner(f), n);
}
int lockFile(sqlite3_file* f, int l) {
    return inner(f)->pMethods->xLock(inner(f), l);
}
int unlockFile(sqlite3_file* f, int l) {
    return inner(f)->pMethods->xUnlock(inner(f), l);
}
int checkReserved(sqlite3_file* f, int* r) {
    return inner(f)->pMethods->xCheckReservedLock(inner(f), r);
}
int fileControl(sqlite3_file* f, int op, void* a) {
    return inner(f)->pMethods->xFileControl(inner(f), op, a);
}
int sectorSize(sqlite3_file* f) {
    return inner(f)->pMethods->xSectorSize(inner(f));
}
int characteristics(sqlite3_file* f) {
    return inner(f)->pMethods->xDeviceCharacteristics(inner(f));
}
int shmMap(sqlite3_file* f, int p, int n, int e, void volatile** out) {
    return inner(f)->pMethods->xShmMap(inner(f), p, n, e, out);
}
int shmLock(sqlite3_file* f, int o, int n, int flags) {
    return inner(f)->pMethods->xShmLock(inner(f), o, n, flags);
}
void shmBarrier(sqlite3_file* f) {
    inner(f)->pMethods->xShmBarrier(inner(f));
}
int shmUnmap(sqlite3_file* f, int d) {
    return inner(f)->pMethods->xShmUnmap(inner(f), d);
}

constexpr sqlite3_io_methods kMethods{2,           closeFile,  readFile,        writeFile,  truncateFile,
                                      syncFile,    fileSize,   lockFile,        unlockFile, checkReserved,
                                      fileControl, sectorSize, characteristics, shmMap,     shmLock,
                                      shmBarrier,  shmUnmap,   nullptr,         nullptr};

int openFile(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* outFlags) {
    auto* ours = new (file) File{};
    ours->watched = (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)) != 0;
    const int code = systemVfs()->xOpen(systemVfs(), name, inner(file), flags, outFlags);
    if (code == SQLITE_OK || inner(file)->pMethods)
        ours->base.pMethods = &kMethods;
    return code;
}

} // namespace

FaultyVfs& FaultyVfs::instance() {
    static FaultyVfs vfs;
    return vfs;
}

FaultyVfs::FaultyVfs() {
    static sqlite3_vfs ours = *systemVfs(); // times, random numbers, deletion and so on stay the system's
    static const std::string kName = name();
    ours.zName = kName.c_str();
    ours.szOsFile = static_cast<int>(sizeof(File)) + systemVfs()->szOsFile;
    ours.xOpen = openFile;
    ours.pNext = nullptr;
    sqlite3_vfs_register(&ours, 0);
}

void FaultyVfs::failNth(Fault fault, int n, bool forEver) {
    const std::lock_guard lock(m_mutex);
    m_fault = fault;
    m_countdown = n;
    m_forEver = forEver;
    m_armed = true;
    m_hit = false;
}

bool FaultyVfs::clear() {
    const std::lock_guard lock(m_mutex);
    m_armed = false;
    return m_hit;
}

void FaultyVfs::holdSyncs() {
    const std::lock_guard lock(m_mutex);
    m_held = true;
}

void FaultyVfs::releaseSyncs() {
    {
        const std::lock_guard lock(m_mutex);
        m_held = false;
    }
    m_released.notify_all();
}

bool FaultyVfs::hits(Call call, Fault& fault) {
    std::unique_lock lock(m_mutex);
    if (call == Call::Sync)
        m_released.wait(lock, [this] { return !m_held; });
    if (!m_armed || (call == Call::Sync) != (m_fault == Fault::SyncError))
        return false;
    if (m_countdown > 0)
        --m_countdown;
    if (m_countdown > 0 || (m_hit && !m_forEver))
        return false;
    fault = m_fault;
    m_hit = true;
    return true;
}

} // namespace fremis::test

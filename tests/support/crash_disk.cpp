#include "tests/support/crash_disk.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace fremis::test {
namespace {

constexpr std::size_t kSector = 512;

std::map<std::string, CrashDisk*>& disks() {
    static std::map<std::string, CrashDisk*> all;
    return all;
}

/// The disk and the name on it; null for a path of no disk.
std::pair<CrashDisk*, std::string> placeOf(const char* path) {
    const std::string text = path ? path : "";
    const auto slash = text.rfind('/');
    const auto found = slash == std::string::npos ? disks().end() : disks().find(text.substr(0, slash));
    return found == disks().end() ? std::pair<CrashDisk*, std::string>()
                                  : std::pair(found->second, text.substr(slash + 1));
}

/// An open file of SQLite.
struct Handle {
    sqlite3_file base;
    CrashDisk* disk;
    std::uint64_t life;
    std::shared_ptr<CrashDisk::File> file;
    std::vector<std::unique_ptr<char[]>> shared; ///< the WAL's index; of one connection, so of nobody else
    [[nodiscard]] bool isAlive() const { return disk->life() == life; }
};

Handle& handle(sqlite3_file* file) {
    return *reinterpret_cast<Handle*>(file);
}

int closeFile(sqlite3_file* file) {
    handle(file).~Handle();
    return SQLITE_OK;
}
int readFile(sqlite3_file* file, void* data, int size, sqlite3_int64 offset) {
    const auto& content = handle(file).file->content;
    const auto begin = std::min(content.size(), static_cast<std::size_t>(offset));
    const auto length = std::min(content.size() - begin, static_cast<std::size_t>(size));
    std::memcpy(data, content.data() + begin, length);
    std::memset(static_cast<char*>(data) + length, 0, static_cast<std::size_t>(size) - length);
    return length == static_cast<std::size_t>(size) ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}
int writeFile(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
    if (!handle(file).isAlive())
        return SQLITE_IOERR_WRITE;
    handle(file).file->write(static_cast<std::uint64_t>(offset),
                             {static_cast<const char*>(data), static_cast<std::size_t>(size)});
    return SQLITE_OK;
}
int truncateFile(sqlite3_file* file, sqlite3_int64 size) {
    if (!handle(file).isAlive())
        return SQLITE_IOERR_TRUNCATE;
    handle(file).file->truncate(static_cast<std::uint64_t>(size));
    return SQLITE_OK;
}
int syncFile(sqlite3_file* file, int) {
    if (!handle(file).isAlive())
        return SQLITE_IOERR_FSYNC;
    handle(file).file->sync();
    return SQLITE_OK;
}
int fileSize(sqlite3_file* file, sqlite3_int64* size) {
    *size = static_cast<sqlite3_int64>(handle(file).file->content.size());
    return SQLITE_OK;
}
// One process, one connection: nobody to lock out.
int lockFile(sqlite3_file*, int) {
    return SQLITE_OK;
}
int checkReserved(sqlite3_file*, int* reserved) {
    *reserved = 0;
    return SQLITE_OK;
}
int fileControl(sqlite3_file*, int, void*) {
    return SQLITE_NOTFOUND;
}
int sectorSize(sqlite3_file*) {
    return kSector;
}
int characteristics(sqlite3_file*) {
    return 0;
}
int shmMap(sqlite3_file* file, int page, int size, int, void volatile** out) {
    auto& shared = handle(file).shared;
    while (shared.size() <= static_cast<std::size_t>(page))
        shared.push_back(std::make_unique<char[]>(static_cast<std::size_t>(size)));
    *out = shared[static_cast<std::size_t>(page)].get();
    return SQLITE_OK;
}
int shmLock(sqlite3_file*, int, int, int) {
    return SQLITE_OK;
}
void shmBarrier(sqlite3_file*) {}
int shmUnmap(sqlite3_file* file, int) {
    handle(file).shared.clear();
    return SQLITE_OK;
}

constexpr sqlite3_io_methods kMethods{2,           closeFile,  readFile,        writeFile, truncateFile,
                                      syncFile,    fileSize,   lockFile,        lockFile,  checkReserved,
                                      fileControl, sectorSize, characteristics, shmMap,    shmLock,
                                      shmBarrier,  shmUnmap,   nullptr,         nullptr};

int openFile(sqlite3_vfs*, const char* path, sqlite3_file* file, int flags, int* outFlags) {
    const auto [disk, name] = placeOf(path);
    if (!disk)
        return SQLITE_CANTOPEN;
    auto& stored = disk->all()[name];
    if (!stored)
        stored = std::make_shared<CrashDisk::File>();
    new (file) Handle{{&kMethods}, disk, disk->life(), stored, {}};
    if (outFlags)
        *outFlags = flags;
    return SQLITE_OK;
}

int deleteFile(sqlite3_vfs*, const char* path, int) {
    if (const auto [disk, name] = placeOf(path); disk)
        disk->all().erase(name);
    return SQLITE_OK;
}

int accessFile(sqlite3_vfs*, const char* path, int, int* result) {
    const auto [disk, name] = placeOf(path);
    *result = disk && disk->all().contains(name);
    return SQLITE_OK;
}

int fullPath(sqlite3_vfs*, const char* path, int size, char* out) {
    sqlite3_snprintf(size, out, "%s", path);
    return SQLITE_OK;
}

void registerVfs() {
    static const std::string kName = CrashDisk::vfs();
    static sqlite3_vfs ours = *sqlite3_vfs_find(nullptr); // times, random numbers and so on stay the system's
    static const bool kRegistered = [] {
        ours.zName = kName.c_str();
        ours.szOsFile = static_cast<int>(sizeof(Handle));
        ours.xOpen = openFile;
        ours.xDelete = deleteFile;
        ours.xAccess = accessFile;
        ours.xFullPathname = fullPath;
        ours.pNext = nullptr;
        return sqlite3_vfs_register(&ours, 0) == SQLITE_OK;
    }();
    (void)kRegistered;
}

void put(const CrashDisk::File::Write& write, std::string& content) {
    if (write.truncates)
        return content.resize(write.offset);
    if (content.size() < write.offset + write.bytes.size())
        content.resize(write.offset + write.bytes.size());
    std::copy(write.bytes.begin(), write.bytes.end(), content.begin() + static_cast<std::ptrdiff_t>(write.offset));
}

std::string nextDirectory() {
    static int last = 0;
    return "/crash-disk-" + std::to_string(++last);
}

class Files final : public coordinator::QueueDisk {
public:
    explicit Files(CrashDisk& disk) : m_disk(disk), m_life(disk.life()) {}

    bool exists(const std::string& name) override { return m_disk.all().contains(name); }
    base::Status makePrivate(const std::string& name) override {
        auto& file = m_disk.all()[name];
        if (!file)
            file = std::make_shared<CrashDisk::File>();
        return {};
    }
    base::Result<std::optional<std::string>> read(const std::string& name) override {
        const auto found = m_disk.all().find(name);
        return found == m_disk.all().end() ? std::nullopt : std::optional(found->second->content);
    }
    base::Status replace(const std::string& name, std::string_view content) override {
        return change([&] {
            auto& file = m_disk.all()[name] = std::make_shared<CrashDisk::File>();
            file->content = file->durable = content;
        });
    }
    base::Status overwrite(const std::string& name, std::uint64_t offset, std::string_view bytes) override {
        return change([&] { m_disk.all()[name]->write(offset, bytes); });
    }
    base::Status sync(const std::string& name) override {
        return change([&] { m_disk.all()[name]->sync(); });
    }
    base::Status rename(const std::string& from, const std::string& to) override {
        return change([&] {
            if (auto file = m_disk.all().extract(from)) {
                file.key() = to;
                m_disk.all().erase(to);
                m_disk.all().insert(std::move(file));
            }
        });
    }
    std::uint64_t capacity() override { return 0; }

private:
    template<class Change> base::Status change(Change make) {
        if (m_disk.life() != m_life)
            return base::fail(base::Reason::Internal, "the process is dead");
        make();
        return {};
    }
    CrashDisk& m_disk;
    const std::uint64_t m_life;
};

} // namespace

void CrashDisk::File::write(std::uint64_t offset, std::string_view bytes) {
    unsynced.push_back({offset, std::string(bytes)});
    put(unsynced.back(), content);
}

void CrashDisk::File::truncate(std::uint64_t size) {
    unsynced.push_back({size, {}, true});
    put(unsynced.back(), content);
}

void CrashDisk::File::sync() {
    for (const auto& one : unsynced)
        put(one, durable);
    unsynced.clear();
}

CrashDisk::CrashDisk() : m_directory(nextDirectory()) {
    registerVfs();
    disks()[m_directory] = this;
}

CrashDisk::~CrashDisk() {
    disks().erase(m_directory);
}

std::string CrashDisk::vfs() {
    return "fremis-crash";
}

std::shared_ptr<coordinator::QueueDisk> CrashDisk::files() {
    return std::make_shared<Files>(*this);
}

void CrashDisk::cutPower(const std::function<std::uint64_t()>& random) {
    ++m_life;
    for (auto& [name, file] : m_files) {
        // A new file takes the place of the old one, which a dead process may still hold.
        auto survived = std::make_shared<File>();
        survived->content = survived->durable = file->durable;
        for (auto& write : file->unsynced) {
            const auto fate = random() % 4;
            if (fate == 0)
                continue;
            if (write.truncates) {
                survived->truncate(write.offset);
                continue;
            }
            const auto sectors = write.bytes.size() / kSector;
            const auto kept = fate == 1 && sectors > 0 ? random() % sectors * kSector : write.bytes.size();
            survived->write(write.offset, std::string_view(write.bytes).substr(0, kept));
        }
        survived->sync();
        file = std::move(survived);
    }
}

} // namespace fremis::test

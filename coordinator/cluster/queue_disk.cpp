#include "coordinator/cluster/queue_disk.h"

#include "shared/storage/durable_file.h"

#include <sys/statvfs.h>

#include <fstream>
#include <map>

namespace fremis::coordinator {
namespace {

namespace fs = std::filesystem;

class SystemDisk final : public QueueDisk {
public:
    explicit SystemDisk(fs::path directory) : m_directory(std::move(directory)) {}

    bool exists(const std::string& name) override {
        std::error_code error;
        return fs::exists(m_directory / name, error);
    }
    base::Status makePrivate(const std::string& name) override { return storage::makePrivateFile(m_directory / name); }

    base::Result<std::optional<std::string>> read(const std::string& name) override {
        if (!exists(name))
            return std::nullopt;
        std::ifstream input(m_directory / name, std::ios::binary);
        std::string content{std::istreambuf_iterator<char>(input), {}};
        if (!input)
            return base::fail(base::Reason::Internal, "reading a file failed", (m_directory / name).string());
        return content;
    }

    base::Status replace(const std::string& name, std::string_view content) override {
        m_open.erase(name);
        return storage::writePrivateFile(m_directory / name, content);
    }
    base::Status overwrite(const std::string& name, std::uint64_t offset, std::string_view bytes) override {
        return withOpen(name, [&](storage::InPlaceFile& file) { return file.write(offset, bytes); });
    }
    base::Status sync(const std::string& name) override {
        return withOpen(name, [](storage::InPlaceFile& file) { return file.sync(); });
    }
    base::Status rename(const std::string& from, const std::string& to) override {
        m_open.erase(from);
        m_open.erase(to);
        return storage::renameFile(m_directory / from, m_directory / to);
    }

    std::uint64_t capacity() override {
        struct statvfs info {};
        if (::statvfs(m_directory.c_str(), &info) != 0)
            return 0;
        return static_cast<std::uint64_t>(info.f_blocks) * info.f_frsize;
    }

private:
    /// The file stays open from its first write on: an error of writing it back later is told to a descriptor that was
    /// open then.
    template<class Use> [[nodiscard]] base::Status withOpen(const std::string& name, Use use) {
        auto found = m_open.find(name);
        if (found == m_open.end()) {
            auto file = storage::InPlaceFile::open(m_directory / name);
            if (!file)
                return tl::unexpected(file.error());
            found = m_open.emplace(name, std::move(*file)).first;
        }
        return use(found->second);
    }

    const fs::path m_directory;
    std::map<std::string, storage::InPlaceFile> m_open;
};

} // namespace

base::Result<std::unique_ptr<QueueDisk>> openQueueDisk(const fs::path& directory) {
    if (auto made = storage::makePrivateDirectory(directory); !made)
        return tl::unexpected(made.error());
    return std::make_unique<SystemDisk>(directory);
}

} // namespace fremis::coordinator

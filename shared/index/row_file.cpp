#include "shared/index/row_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace fremis::index {

namespace {

tl::unexpected<base::Error> failed(const char* what, int error) {
    const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
    return base::fail(full ? base::Reason::StorageFull : base::Reason::Internal,
                      full ? "no room for the index's rows" : "the index's row file failed",
                      std::string(what) + ": " + std::generic_category().message(error));
}

int openNameless(const std::filesystem::path& folder) {
    const int descriptor = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
        return descriptor;
    // A file system without O_TMPFILE: a name for the blink of an eye.
    std::string name = (folder / "index-rows-XXXXXX").string();
    const int named = mkostemp(name.data(), O_CLOEXEC);
    if (named >= 0)
        unlink(name.c_str());
    return named;
}

} // namespace

base::Result<std::unique_ptr<RowFile>> RowFile::create(const std::filesystem::path& folder) {
    const int descriptor = openNameless(folder);
    if (descriptor < 0)
        return failed("create in the data directory", errno);
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM); // single rows are asked for, never their neighbours
    return std::unique_ptr<RowFile>(new RowFile(descriptor));
}

RowFile::~RowFile() {
    close(m_descriptor);
}

std::uint64_t RowFile::take(std::size_t bytes) {
    const std::scoped_lock lock(m_mutex);
    if (auto& free = m_free[bytes]; !free.empty()) {
        const std::uint64_t offset = free.back();
        free.pop_back();
        return offset;
    }
    const std::uint64_t offset = m_end;
    m_end += bytes;
    return offset;
}

void RowFile::give(std::uint64_t offset, std::size_t bytes) {
    if (fallocate(m_descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                  static_cast<off_t>(bytes)) != 0)
        wipe(offset, bytes);
    const std::scoped_lock lock(m_mutex);
    m_free[bytes].push_back(offset);
}

base::Status RowFile::write(std::uint64_t offset, std::span<const float> row) {
    auto bytes = std::as_bytes(row);
    while (!bytes.empty()) {
        const auto written = pwrite(m_descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return failed("write", written < 0 ? errno : ENOSPC);
        offset += static_cast<std::uint64_t>(written);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
}

base::Status RowFile::read(std::uint64_t offset, std::span<float> row) const {
    auto bytes = std::as_writable_bytes(row);
    while (!bytes.empty()) {
        const auto got = pread(m_descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return failed("read", got < 0 ? errno : EIO); // a stored row never lies behind the end
        offset += static_cast<std::uint64_t>(got);
        bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
    return {};
}

void RowFile::wipe(std::uint64_t offset, std::size_t bytes) {
    static constexpr std::array<float, 2048> kZeros{};
    for (std::size_t done = 0; done < bytes;) {
        const std::size_t piece = std::min(bytes - done, sizeof(kZeros));
        // A place that cannot be overwritten is unreachable from now on, and the file goes with the process.
        if (!write(offset + done, std::span(kZeros).first(piece / sizeof(float))))
            return;
        done += piece;
    }
}

} // namespace fremis::index

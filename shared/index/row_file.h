#pragma once

#include "shared/base/error.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace fremis::index {

/// Float rows outside of memory, in a file without a name: nothing is left of it when the process ends, however it
/// ends. Rows are read and written by system calls, not mapped: they never count as this process's memory, and a full
/// or failing disk is an error here instead of a SIGBUS. Thread: any; a row is not written while it is read.
class RowFile {
public:
    /// Fails with StorageFull or Internal.
    [[nodiscard]] static base::Result<std::unique_ptr<RowFile>> create(const std::filesystem::path& folder);
    ~RowFile();
    RowFile(const RowFile&) = delete;
    RowFile& operator=(const RowFile&) = delete;

    /// The offset of a free extent.
    [[nodiscard]] std::uint64_t take(std::size_t bytes);
    /// Overwrites the extent and gives its blocks back to the file system.
    void give(std::uint64_t offset, std::size_t bytes);
    [[nodiscard]] base::Status write(std::uint64_t offset, std::span<const float> row);
    [[nodiscard]] base::Status read(std::uint64_t offset, std::span<float> row) const;
    /// Overwrites with zeros.
    void wipe(std::uint64_t offset, std::size_t bytes);

private:
    explicit RowFile(int descriptor) : m_descriptor(descriptor) {}

    const int m_descriptor;
    std::mutex m_mutex;
    std::uint64_t m_end = 0;
    std::map<std::size_t, std::vector<std::uint64_t>> m_free; ///< by size
};

} // namespace fremis::index

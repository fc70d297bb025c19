#pragma once

#include <atomic>
#include <cstdint>

namespace fremis::test {

/// What a process with the library iofault preloaded (LD_PRELOAD) shares with the test that makes its disk fail: the
/// file named by FREMIS_IOFAULT_CONTROL, which both map. Only files whose path contains FREMIS_IOFAULT_PATH are hit.
struct IoFaultControl {
    enum Kind : std::uint32_t {
        None,
        WriteFull, ///< writes fail with ENOSPC
        SyncError, ///< fsync and fdatasync fail with EIO
        SyncHangs, ///< they do not return before this ends
    };
    std::atomic<std::uint32_t> kind{None};
    std::atomic<std::int32_t> passing{0}; ///< so many calls of that kind pass before
    std::atomic<std::uint32_t> hits{0};   ///< how often it has struck
};

} // namespace fremis::test

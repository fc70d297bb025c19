#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace fremis::engine {

/// What a use case knows of the request it serves. A value.
struct RequestContext {
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    std::function<bool()> clientGone = [] { return false; }; ///< Thread: any
    std::string requestId;

    /// True when nobody waits for the answer any more: costly work may be dropped.
    [[nodiscard]] bool abandoned() const { return clientGone() || std::chrono::steady_clock::now() > deadline; }
};

} // namespace fremis::engine

#pragma once

#include <chrono>
#include <cstddef>

namespace fremis::http {

/// Every bound a connection is held to. Times are totals, not gaps between bytes. Tests shorten them; the code is the
/// same.
struct Limits {
    std::size_t requestLine = 8 * 1024;
    std::size_t headerBlock = 32 * 1024; ///< bytes of all header lines; trailers of a chunked body have the same bound
    std::size_t headerFields = 100;
    std::size_t body = 36 * 1024 * 1024;
    std::size_t chunkExtension = 1024; ///< bytes of one chunk's extensions; all chunks of a body may have 16 times that

    std::size_t connections = 1024;
    std::size_t connectionsPerPeer = 64; ///< trusted peers are exempt
    bool loopbackIsExempt = true;        ///< of connectionsPerPeer

    /// Checked by a timer of `tick`, so that a client is told within the 10 s (30 s, 60 s) that the contract names.
    std::chrono::milliseconds headTime{9'500};
    std::chrono::milliseconds requestTime{59'500};
    std::chrono::milliseconds slowBodyGrace{10'000}; ///< after this much body time `slowBodyRate` holds
    std::size_t slowBodyRate = 1024;                 ///< bytes per second, mean since the body began
    std::chrono::milliseconds answerTime{29'000};    ///< for a client to take an answer
    std::chrono::milliseconds idleTime{60'000};      ///< between requests
    std::chrono::milliseconds lingerTime{
        2'000}; ///< reading on after a refusal, so that the answer is not lost to a reset
    std::chrono::milliseconds tick{250};
};

} // namespace fremis::http

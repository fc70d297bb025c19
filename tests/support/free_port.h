#pragma once

namespace fremis::test {

/// A port that nobody uses now, below those that the system gives to outgoing connections: a process that restarts
/// finds it free again. 0: there is none.
[[nodiscard]] int freePort();

} // namespace fremis::test

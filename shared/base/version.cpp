#include "shared/base/version.h"

#include <algorithm>

namespace fremis::base {

Version VersionClock::next() {
    const auto now = static_cast<std::uint64_t>(m_clock.sinceEpoch().count()) << 16;
    const std::scoped_lock lock(m_mutex);
    m_last = std::max(now, m_last + 1);
    return {m_last, m_writer};
}

void VersionClock::observe(Version seen) {
    const std::scoped_lock lock(m_mutex);
    m_last = std::max(m_last, seen.stamp);
}

Version VersionClock::greatest() const {
    const std::scoped_lock lock(m_mutex);
    return {m_last, 0};
}

} // namespace fremis::base

#include "shared/base/clock.h"

#include <cstdio>
#include <ctime>

namespace fremis::base {

std::chrono::milliseconds SystemClock::sinceEpoch() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch());
}

std::chrono::steady_clock::time_point SystemClock::steady() const {
    return std::chrono::steady_clock::now();
}

std::string isoTime(std::chrono::milliseconds sinceEpoch) {
    using namespace std::chrono;
    const sys_time<milliseconds> time{sinceEpoch};
    const auto day = floor<days>(time);
    const year_month_day date{day};
    const hh_mm_ss clock{time - day};
    char text[40];
    std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
    return text;
}

} // namespace fremis::base

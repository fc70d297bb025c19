#pragma once

#include "shared/base/error.h"

#include <functional>

namespace fremis::engine {

/// How a use case answers: called exactly once, on any thread, at once or later; it must not block for long.
template<class T> using Done = std::function<void(base::Result<T>)>;

} // namespace fremis::engine

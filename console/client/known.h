#pragma once

#include <chrono>
#include <optional>
#include <utility>

namespace fremis::console {

using Milliseconds = std::chrono::milliseconds;
/// A point in time: milliseconds since 1970, UTC, by this computer's clock.
using Instant = std::chrono::milliseconds;

/// A value as it was last read, and when that was. Without a value it is *unknown*, which is never shown as 0.
template<class T> struct Known {
    std::optional<T> value;
    Instant readAt{0};

    [[nodiscard]] bool isKnown() const { return value.has_value(); }
    explicit operator bool() const { return value.has_value(); }
    [[nodiscard]] const T& operator*() const { return *value; }
    [[nodiscard]] const T* operator->() const { return &*value; }
    [[nodiscard]] T valueOr(T otherwise) const { return value ? *value : std::move(otherwise); }

    /// Time since it was read; nothing when it never was.
    [[nodiscard]] std::optional<Milliseconds> age(Instant now) const {
        return value ? std::optional(now - readAt) : std::nullopt;
    }
    /// Known, and read no longer ago than `limit`.
    [[nodiscard]] bool isFresh(Instant now, Milliseconds limit) const { return value && now - readAt <= limit; }

    void set(T read, Instant now) {
        value = std::move(read);
        readAt = now;
    }
    bool operator==(const Known&) const = default;
};

} // namespace fremis::console

#pragma once

#include "shared/wire/json_writer.h"
#include "shared/wire/requests.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

/// What the writers of face and of system replies share. Private to this library.
namespace fremis::wire {

template<class T> void writeIfSet(JsonWriter& json, std::string_view name, const std::optional<T>& value) {
    if (value)
        json.member(name, *value);
}

template<class Range, class WriteOne>
void writeList(JsonWriter& json, std::string_view name, const Range& elements, WriteOne writeOne) {
    json.key(name).beginArray();
    for (const auto& element : elements)
        writeOne(element);
    json.endArray();
}

void writeRanges(JsonWriter& json, std::string_view name, std::span<const PartitionRange> ranges);

/// The members of an object's text, for errorBody().
[[nodiscard]] inline std::string withoutBraces(std::string_view object) {
    return std::string(object.substr(1, object.size() - 2));
}

} // namespace fremis::wire

#pragma once

#include "shared/base/hex.h"
#include "shared/wire/internal.h"
#include "shared/wire/json_writer.h"
#include "shared/wire/reply_fields.h"
#include "shared/wire/reply_parts.h"

#include <limits>

/// What the requests and the replies of the internal plane share. Private to this library.
namespace fremis::wire::internal {

inline constexpr std::size_t kMaxNodes = 4'096; ///< nodes or coordinators in one list
inline constexpr std::size_t kMaxText = 4'096;
inline constexpr std::size_t kMaxTreeNode = 511;
inline constexpr std::uint64_t kAnyCount = std::numeric_limits<std::uint64_t>::max();

template<std::size_t N> base::Result<std::array<std::uint8_t, N>> bytesOf(std::string_view text) {
    if (const auto bytes = base::bytesOfHex<N>(text))
        return *bytes;
    return base::fail(base::Reason::InvalidParams, "not " + std::to_string(2 * N) + " lower-case hexadecimal digits");
}

void writeRecords(JsonWriter& json, std::string_view name, std::span<const Record> records);
void writeIds(JsonWriter& json, std::string_view name, std::span<const Id> ids);
/// `space` and `embeddings`, these as base64 of their little-endian float32.
void writeEmbeddings(JsonWriter& json, const FaceEmbeddingsReply& face);
void writeFaceIds(JsonWriter& json, std::string_view name, std::span<const base::FaceId> ids);
void writeVersion(JsonWriter& json, std::string_view name, const std::optional<base::Version>& version);
[[nodiscard]] inline std::string finished(JsonWriter& json) {
    return json.endObject().take();
}

/// The text of member `key` through `parse`, or an error and `otherwise`.
template<class Parse>
auto parsed(Fields& fields, std::string_view key, std::size_t most, Parse parse) ->
    typename std::invoke_result_t<Parse, std::string_view>::value_type {
    auto value = parse(std::string_view(fields.text(key, most)));
    if (value)
        return std::move(*value);
    fields.fail(value.error().reason, "the field " + std::string(key) + ": " + value.error().message);
    return {};
}

[[nodiscard]] std::string epochOf(Fields& fields, bool mayBeEmpty = false);
[[nodiscard]] Id idOf(Fields& fields, std::string_view key);
[[nodiscard]] base::Version versionOf(Fields& fields, std::string_view key);
[[nodiscard]] std::optional<base::Version> optionalVersion(Fields& fields, std::string_view key);
[[nodiscard]] base::Partition partitionOf(Fields& fields);
/// Absent is empty.
[[nodiscard]] std::vector<Id> idsOf(Fields& fields, std::string_view key);
[[nodiscard]] std::vector<Record> recordsOf(Fields& fields, std::string_view key, std::size_t least, std::size_t most);

[[nodiscard]] FaceEmbeddingsReply embeddingsOf(Fields& fields);

/// `parse` for the strings of an array.
template<class T> auto fromText(T parse) {
    return [parse](JsonValue value) {
        return value.is(JsonKind::String) ? parse(value.text()) : parse(std::string_view());
    };
}

} // namespace fremis::wire::internal

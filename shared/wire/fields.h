#pragma once

#include "shared/wire/json.h"
#include "shared/wire/requests.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fremis::wire {

/// The original's words, which clients show.
inline constexpr std::string_view kImageNotFound = "the image field not found";

/// Reads the fields of one request object one after the other and keeps the first error; after it each read returns an
/// empty value at once. So a reader is one expression per field, and readBody() asks once at its end. Private to this
/// library.
class Fields {
public:
    /// `object` may be absent: then all its fields are.
    Fields(std::optional<JsonObject> object, std::optional<base::Error>& firstError)
        : m_object(object), m_firstError(firstError) {}

    /// Absent, null and "after an error" are all nothing.
    [[nodiscard]] std::optional<JsonValue> find(std::string_view key);
    /// A nested object; `wrongType` with `message` when it is something else.
    [[nodiscard]] Fields object(std::string_view key, base::Reason wrongType, std::string_view message);
    [[nodiscard]] Fields params();

    [[nodiscard]] ImageInput image(std::string_view key = "image");
    [[nodiscard]] EmbeddingInput embedding(JsonValue value);
    [[nodiscard]] base::KeyspaceName keyspace();
    [[nodiscard]] std::optional<base::KeyspaceName> optionalKeyspace();
    [[nodiscard]] base::FaceId faceId();
    [[nodiscard]] std::optional<base::FaceId> optionalFaceId();
    [[nodiscard]] std::vector<base::FaceId> faceIds();
    [[nodiscard]] std::vector<base::Variation> variations();
    [[nodiscard]] std::optional<bool> flag(std::string_view key);
    [[nodiscard]] std::optional<double> number(std::string_view key, double least, double most);
    [[nodiscard]] int candidateCount();
    [[nodiscard]] std::optional<std::vector<PartitionRange>> partitions();
    /// As partitions(), but it must be there. `least`: 0 or 1 entries.
    [[nodiscard]] std::vector<PartitionRange> ranges(std::string_view key, std::size_t least);
    [[nodiscard]] FaceOptions faceOptions();
    /// One side of a 1:1 match.
    [[nodiscard]] MatchSide side();

    // Members that have to be there; InvalidParams otherwise.
    [[nodiscard]] std::string text(std::string_view key, std::size_t mostBytes);
    [[nodiscard]] std::optional<std::string> optionalText(std::string_view key, std::size_t mostBytes);
    /// T: int, std::int64_t or std::uint64_t.
    template<class T> [[nodiscard]] T integer(std::string_view key, T least, T most);
    [[nodiscard]] double real(std::string_view key, double least, double most);
    [[nodiscard]] bool truth(std::string_view key);
    /// The elements of an array of `least`..`most`, each through `parseOne(JsonValue) -> Result<T>`.
    template<class ParseOne>
    [[nodiscard]] auto values(std::string_view key, std::size_t least, std::size_t most, ParseOne parseOne)
        -> std::vector<typename std::invoke_result_t<ParseOne, JsonValue>::value_type>;
    /// The elements of an array of objects, each through `readOne(Fields&) -> T`.
    template<class ReadOne>
    [[nodiscard]] auto objects(std::string_view key, std::size_t most, ReadOne readOne)
        -> std::vector<std::invoke_result_t<ReadOne, Fields&>>;

    void fail(base::Reason reason, std::string message);
    [[nodiscard]] bool failed() const { return m_firstError.has_value(); }

private:
    [[nodiscard]] base::KeyspaceName keyspaceOf(JsonValue value);
    [[nodiscard]] base::FaceId faceIdOf(JsonValue value);
    [[nodiscard]] std::optional<JsonValue> list(std::string_view key, base::Reason wrongType);
    [[nodiscard]] std::optional<JsonValue> array(std::string_view key, std::size_t least, std::size_t most);
    template<class T> [[nodiscard]] T taken(base::Result<T> result, T otherwise);

    std::optional<JsonObject> m_object;
    std::optional<base::Error>& m_firstError;
};

template<class ParseOne>
auto Fields::values(std::string_view key, std::size_t least, std::size_t most, ParseOne parseOne)
    -> std::vector<typename std::invoke_result_t<ParseOne, JsonValue>::value_type> {
    std::vector<typename std::invoke_result_t<ParseOne, JsonValue>::value_type> list;
    const auto found = array(key, least, most);
    if (!found)
        return list;
    list.reserve(found->size());
    for (const JsonValue element : *found) {
        auto one = parseOne(element);
        if (!one) {
            fail(one.error().reason, std::move(one.error().message));
            break;
        }
        list.push_back(std::move(*one));
    }
    return list;
}

template<class ReadOne>
auto Fields::objects(std::string_view key, std::size_t most, ReadOne readOne)
    -> std::vector<std::invoke_result_t<ReadOne, Fields&>> {
    std::vector<std::invoke_result_t<ReadOne, Fields&>> list;
    const auto found = array(key, 0, most);
    if (!found)
        return list;
    list.reserve(found->size());
    for (const JsonValue element : *found) {
        if (!element.is(JsonKind::Object))
            fail(base::Reason::InvalidParams, "an entry of " + std::string(key) + " is not an object");
        if (failed())
            break;
        Fields one(element.object(), m_firstError);
        list.push_back(readOne(one));
    }
    return list;
}

// The requests that the internal plane carries too.
[[nodiscard]] Enrollment enrollmentOf(Fields& fields);
[[nodiscard]] DeleteEnrollment deleteEnrollmentOf(Fields& fields);
[[nodiscard]] DeleteVariation deleteVariationOf(Fields& fields);
[[nodiscard]] CreateKeyspace createKeyspaceOf(Fields& fields);

/// Parses `body` and lets `read(Fields&)` make the request of its root object.
template<class Read>
[[nodiscard]] auto readBody(std::string_view body, Read read, const JsonLimits& limits = {})
    -> base::Result<std::invoke_result_t<Read, Fields&>> {
    auto document = JsonDocument::parse(body, limits);
    if (!document)
        return tl::unexpected(std::move(document.error()));
    std::optional<base::Error> error;
    Fields fields(document->root(), error);
    auto request = read(fields);
    if (error)
        return tl::unexpected(std::move(*error));
    return request;
}

} // namespace fremis::wire

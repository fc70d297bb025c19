#pragma once

#include "shared/wire/json.h"
#include "shared/wire/requests.h"

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
    [[nodiscard]] FaceOptions faceOptions();
    /// One side of a 1:1 match.
    [[nodiscard]] MatchSide side();

    void fail(base::Reason reason, std::string message);
    [[nodiscard]] bool failed() const { return m_firstError.has_value(); }

private:
    [[nodiscard]] base::KeyspaceName keyspaceOf(JsonValue value);
    [[nodiscard]] base::FaceId faceIdOf(JsonValue value);
    [[nodiscard]] std::optional<JsonValue> list(std::string_view key, base::Reason wrongType);
    template<class T> [[nodiscard]] T taken(base::Result<T> result, T otherwise);

    std::optional<JsonObject> m_object;
    std::optional<base::Error>& m_firstError;
};

/// Parses `body` and lets `read(Fields&)` make the request of its root object.
template<class Read>
[[nodiscard]] auto readBody(std::string_view body, Read read) -> base::Result<std::invoke_result_t<Read, Fields&>> {
    auto document = JsonDocument::parse(body);
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

// Texts of ids, variations and cursors, and query parameters.
#include "shared/base/ids.h"
#include "shared/wire/cursor.h"
#include "shared/wire/requests.h"

#include <cstdlib>

using namespace fremis;

namespace {

void require(bool fact) {
    if (!fact)
        std::abort();
}

void checkCursor(std::string_view text) {
    // Whatever it says of its incarnation, a cursor that is accepted must come back the same.
    constexpr std::string_view kIncarnation = "01JH0Z5M8Q3V7T";
    if (const auto cursor = wire::decodeCursor(text, kIncarnation))
        require(wire::decodeCursor(wire::encodeCursor(*cursor), kIncarnation) == *cursor);
    if (const auto id = base::FaceId::parse(text)) {
        const wire::ListCursor cursor{std::string(kIncarnation), 7, id->text()};
        require(wire::decodeCursor(wire::encodeCursor(cursor), kIncarnation) == cursor);
        require(!wire::decodeCursor(wire::encodeCursor(cursor), "another"));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto id = base::FaceId::parse(text))
        require(id->text() == text && base::isUtf8(text) && text.size() <= 255);
    if (const auto name = base::KeyspaceName::parse(text))
        require(name->text() == text && base::FaceId::parse(text) && text.find('/') == std::string_view::npos);
    if (const auto variation = base::Variation::parse(text))
        require(variation->text() == text);
    checkCursor(text);
    const std::pair<std::string, std::string> query[] = {{"keyspace", "default"},
                                                         {"face_id", std::string(text)},
                                                         {"limit", std::string(text)},
                                                         {"cursor", std::string(text)}};
    if (const auto request = wire::parseGetEnrollment(query))
        require(request->faceId.text() == text);
    if (const auto request = wire::parseListEnrollments(query))
        require(request->limit >= 1 && request->limit <= wire::kMaxListLimit);
    return 0;
}

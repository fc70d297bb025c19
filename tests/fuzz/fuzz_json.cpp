// Every reader of a request body, on the same bytes. Besides not crashing: an error is one that the readers may give,
// and what a reader accepts keeps its promises.
#include "shared/wire/json.h"
#include "shared/wire/requests.h"

#include <cstdlib>

using namespace fremis;

namespace {

void require(bool fact) {
    if (!fact)
        std::abort();
}

template<class Request> bool accepted(const base::Result<Request>& request) {
    require(request || (request.error().status() == 400 && !request.error().message.empty()));
    return request.has_value();
}

void requireSound(const wire::MatchSide& side) {
    if (const auto* image = std::get_if<wire::ImageInput>(&side))
        require(!image->base64.empty());
    if (const auto* embedding = std::get_if<wire::EmbeddingInput>(&side))
        require(wire::checkEmbedding(embedding->values).has_value());
    if (const auto* face = std::get_if<wire::StoredFace>(&side))
        require(base::FaceId::parse(face->faceId.text()) && base::KeyspaceName::parse(face->keyspace.text()));
}

std::size_t nodesOf(wire::JsonValue value, int depth) {
    require(depth <= 32);
    std::size_t count = 1;
    if (value.is(wire::JsonKind::Array))
        for (const auto element : value)
            count += nodesOf(element, depth + 1);
    else if (value.is(wire::JsonKind::String))
        require(base::isUtf8(value.text()));
    return count;
}

void walk(std::string_view body) {
    const auto document = wire::JsonDocument::parse(body);
    if (!accepted(document))
        return;
    for (const char* key : {"image", "keyspace", "face_ids", "embedding"})
        if (const auto value = document->root().find(key); value && *value)
            require(nodesOf(**value, 2) > 0);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view body(reinterpret_cast<const char*>(data), size);
    walk(body);
    accepted(wire::parseEnrollment(body));
    if (const auto request = wire::parseRecognition(body); accepted(request))
        require(request->candidateCount >= 1 && request->candidateCount <= wire::kMaxCandidateCount);
    accepted(wire::parseMatchV1(body));
    if (const auto request = wire::parseMatchV2(body); accepted(request)) {
        requireSound(request->faceA);
        requireSound(request->faceB);
    }
    if (const auto request = wire::parseDeleteEnrollment(body); accepted(request))
        require(request->faceIds.size() <= wire::kMaxIdsPerDelete);
    accepted(wire::parseDeleteVariation(body));
    accepted(wire::parseExtractEmbedding(body));
    if (const auto request = wire::parseCreateKeyspace(body); accepted(request))
        require(!request->matchThreshold || (*request->matchThreshold >= -1 && *request->matchThreshold <= 1));
    accepted(wire::parseDeleteKeyspace(body));
    return 0;
}

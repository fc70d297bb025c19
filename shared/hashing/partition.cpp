#include "shared/hashing/partition.h"

#include "shared/hashing/hash.h"
#include "shared/hashing/sha1_block.h"

#include <string>

namespace fremis::hashing {

namespace {

// Digest bytes 3 and 4 without assembling the rest: the second is the top of word 1.
FacePlace placeOfWords(const Sha1Words& words) {
    return {static_cast<base::Partition>(words[0]), static_cast<std::uint8_t>(words[1] >> 24)};
}

FacePlace placeOfLong(std::string_view keyspace, std::string_view faceId) {
    std::string text;
    text.reserve(keyspace.size() + 1 + faceId.size());
    text.append(keyspace).append(1, '-').append(faceId);
    const Sha1Digest digest = sha1(text);
    return {digest[3], digest[4]}; // big-endian mod 256 = the fourth byte
}

} // namespace

base::Partition partitionOf(std::string_view keyspace, std::string_view faceId) {
    return placeOf(keyspace, faceId).partition;
}

FacePlace placeOf(std::string_view keyspace, std::string_view faceId) {
    const std::size_t size = keyspace.size() + 1 + faceId.size();
    if (size > kSha1ShortBytes || !hasSha1Instructions())
        return placeOfLong(keyspace, faceId);
    return placeOfWords(sha1ShortJoined(keyspace, '-', faceId));
}

} // namespace fremis::hashing

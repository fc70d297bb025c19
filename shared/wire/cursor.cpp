#include "shared/wire/cursor.h"

#include "shared/wire/base64.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace fremis::wire {

namespace {

// Bytes, before base64url:
//   1  form, kForm
//   1  n, 1..255
//   n  incarnation
//   1  partition
//   …  face_id, 1..255
//   4  CRC-32 of all before it, big-endian
constexpr std::uint8_t kForm = 1;
constexpr std::size_t kShortest = 1 + 1 + 1 + 1 + 1 + 4;
constexpr std::size_t kLongest = 1 + 1 + 255 + 1 + 255 + 4;

std::array<std::uint8_t, 4> checksumOf(std::span<const std::uint8_t> bytes) {
    const auto crc = crc32(0, bytes.data(), static_cast<uInt>(bytes.size()));
    return {static_cast<std::uint8_t>(crc >> 24), static_cast<std::uint8_t>(crc >> 16),
            static_cast<std::uint8_t>(crc >> 8), static_cast<std::uint8_t>(crc)};
}

std::string textOf(std::span<const std::uint8_t> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

tl::unexpected<base::Error> invalid(std::string detail) {
    return base::fail(base::Reason::InvalidCursor, "the cursor is not valid; start again without one",
                      std::move(detail));
}

} // namespace

std::string encodeCursor(const ListCursor& cursor) {
    Bytes bytes{kForm, static_cast<std::uint8_t>(cursor.incarnation.size())};
    bytes.insert(bytes.end(), cursor.incarnation.begin(), cursor.incarnation.end());
    bytes.push_back(cursor.partition);
    bytes.insert(bytes.end(), cursor.faceId.begin(), cursor.faceId.end());
    const auto checksum = checksumOf(bytes);
    bytes.insert(bytes.end(), checksum.begin(), checksum.end());

    std::string text = encodeBase64(bytes);
    std::replace(text.begin(), text.end(), '+', '-');
    std::replace(text.begin(), text.end(), '/', '_');
    text.erase(text.find_last_not_of('=') + 1);
    return text;
}

base::Result<ListCursor> decodeCursor(std::string_view text) {
    if (text.size() > (kLongest + 2) / 3 * 4)
        return invalid("too long");
    const auto decoded = decodeBase64(text);
    if (!decoded || decoded->size() < kShortest || decoded->size() > kLongest)
        return invalid("no base64 or a wrong length");
    const auto whole = std::span(*decoded);
    const auto body = whole.first(whole.size() - 4);
    if (!std::ranges::equal(whole.last(4), checksumOf(body)) || body[0] != kForm)
        return invalid("wrong checksum or form");
    const std::size_t incarnationBytes = body[1];
    if (body.size() < 2 + incarnationBytes + 1 + 1)
        return invalid("too short");
    ListCursor cursor{textOf(body.subspan(2, incarnationBytes)), body[2 + incarnationBytes],
                      textOf(body.subspan(3 + incarnationBytes))};
    if (!base::FaceId::parse(cursor.faceId))
        return invalid("no face_id");
    return cursor;
}

base::Result<ListCursor> decodeCursor(std::string_view text, std::string_view incarnation) {
    auto cursor = decodeCursor(text);
    if (cursor && cursor->incarnation != incarnation)
        return invalid("of another incarnation");
    return cursor;
}

} // namespace fremis::wire

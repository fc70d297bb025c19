// Base64 text and what it decodes to as an image file; and the same bytes as an image file at once, which finds its way
// deeper.
#include "shared/wire/base64.h"
#include "shared/wire/image_header.h"

#include <cstdlib>

using namespace fremis;

namespace {

void require(bool fact) {
    if (!fact)
        std::abort();
}

void checkImage(std::span<const std::uint8_t> file) {
    const auto header = wire::readImageHeader(file);
    const auto envelope = wire::checkImageEnvelope(file);
    require(!envelope || (header && *header == *envelope));
    if (header) {
        require(header->width >= wire::kMinImageSide && header->width <= wire::kMaxImageSide);
        require(header->height >= wire::kMinImageSide && header->height <= wire::kMaxImageSide);
        require(std::uint64_t{header->width} * header->height <= wire::kMaxImagePixels);
    } else {
        require(header.error().status() == 400);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span file(data, size);
    checkImage(file);
    require(wire::decodeBase64(wire::encodeBase64(file)).value_or(wire::Bytes{0}) ==
            wire::Bytes(file.begin(), file.end()));
    const auto decoded = wire::decodeBase64({reinterpret_cast<const char*>(data), size});
    if (decoded)
        checkImage(*decoded);
    else
        require(decoded.error().reason == base::Reason::ImageNotBase64);
    return 0;
}

// Damaged image files: the first byte picks a whole file of one kind, the rest are changes to it, three bytes each:
// where (two) and what. Decoding ends with a picture of the promised kind or a reason for the client.
#include "server/vision/image_decode.h"
#include "tests/support/image_writer.h"

#include <cstdlib>

using namespace fremis;

namespace {

std::vector<test::Bytes> wholeFiles() {
    using namespace test;
    Picture picture{40, 24, std::vector<std::uint8_t>(3 * 40 * 24)};
    for (std::size_t i = 0; i < picture.rgb.size(); ++i)
        picture.rgb[i] = static_cast<std::uint8_t>(i * i / 7);
    std::vector<Bytes> files;
    for (const auto kind :
         {JpegKind::Baseline, JpegKind::Progressive, JpegKind::Gray, JpegKind::Cmyk, JpegKind::YcckByAdobe})
        files.push_back(toJpeg(picture, kind, 80, 6));
    for (const auto kind : {PngKind::Rgb8, PngKind::Rgb16, PngKind::Gray8, PngKind::Gray16, PngKind::Palette,
                            PngKind::Rgba8, PngKind::Interlaced})
        files.push_back(toPng(picture, kind, 3));
    for (const auto kind : {BmpKind::Bits24, BmpKind::Bits32, BmpKind::Bits24TopDown, BmpKind::Bits8, BmpKind::Bits16,
                            BmpKind::CoreHeader24})
        files.push_back(toBmp(picture, kind));
    for (const auto kind : {WebPKind::Lossy, WebPKind::Lossless, WebPKind::Animated})
        files.push_back(toWebP(picture, kind));
    return files;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::vector<test::Bytes> kWhole = wholeFiles();
    if (size == 0)
        return 0;
    test::Bytes file = kWhole[data[0] % kWhole.size()];
    for (std::size_t i = 1; i + 2 < size; i += 3)
        file[(std::size_t{data[i]} << 8 | data[i + 1]) % file.size()] = data[i + 2];
    const auto picture = vision::decodeImage(file);
    const bool promised = picture ? picture->type() == CV_8UC3 && !picture->empty() : picture.error().status() == 400;
    if (!promised)
        std::abort();
    return 0;
}

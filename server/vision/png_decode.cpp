#include "server/vision/image_codecs.h"

#include <png.h>

#include <csetjmp>
#include <cstring>
#include <string>

namespace fremis::vision {

namespace {

struct PngReader {
    png_structp png = nullptr;
    png_infop info = nullptr;
    std::span<const std::uint8_t> rest;
    char message[128] = {};

    explicit PngReader(std::span<const std::uint8_t> file) : rest(file) {
        png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, &PngReader::leave, [](png_structp, png_const_charp) {});
        info = png != nullptr ? png_create_info_struct(png) : nullptr;
    }
    ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;

    [[noreturn]] static void leave(png_structp png, png_const_charp why) {
        auto* reader = static_cast<PngReader*>(png_get_error_ptr(png));
        std::strncpy(reader->message, why, sizeof reader->message - 1);
        png_longjmp(png, 1);
    }

    static void read(png_structp png, png_bytep to, std::size_t count) {
        auto* reader = static_cast<PngReader*>(png_get_io_ptr(png));
        if (count > reader->rest.size())
            png_error(png, "the file ends early");
        std::memcpy(to, reader->rest.data(), count);
        reader->rest = reader->rest.subspan(count);
    }
};

// The functions below call setjmp: they hold no object with a destructor, so that a longjmp skips none.

/// Reads the header and asks for 8-bit BGR; false with `reader.message` on damage.
bool start(PngReader& reader) {
    if (setjmp(png_jmpbuf(reader.png)) != 0)
        return false;
    png_set_read_fn(reader.png, &reader, &PngReader::read);
    png_set_crc_action(reader.png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_read_info(reader.png, reader.info);
    png_set_scale_16(reader.png);
    png_set_expand(reader.png);
    png_set_gray_to_rgb(reader.png);
    png_set_strip_alpha(reader.png);
    png_set_bgr(reader.png);
    return true;
}

/// All rows into `pixels`, CV_8UC3 of the picture's size, then the chunks behind them.
bool readPngRows(PngReader& reader, cv::Mat& pixels) {
    if (setjmp(png_jmpbuf(reader.png)) != 0)
        return false;
    const int passes = png_set_interlace_handling(reader.png);
    png_read_update_info(reader.png, reader.info);
    if (png_get_rowbytes(reader.png, reader.info) != pixels.elemSize() * static_cast<std::size_t>(pixels.cols))
        png_error(reader.png, "unexpected row size");
    for (int pass = 0; pass < passes; ++pass)
        for (int y = 0; y < pixels.rows; ++y)
            png_read_row(reader.png, pixels.ptr<std::uint8_t>(y), nullptr);
    png_read_end(reader.png, reader.info);
    return true;
}

int orientationOf(PngReader& reader) {
    png_uint_32 size = 0;
    png_bytep data = nullptr;
    return png_get_eXIf_1(reader.png, reader.info, &size, &data) != 0 ? exifOrientation({data, size}) : 1;
}

} // namespace

base::Result<DecodedImage> decodePng(std::span<const std::uint8_t> file) {
    PngReader reader(file);
    if (reader.info == nullptr)
        return base::fail(base::Reason::Internal, "the image could not be decoded", "libpng cannot start");
    if (!start(reader))
        return damagedImage(reader.message);
    const auto width = png_get_image_width(reader.png, reader.info);
    const auto height = png_get_image_height(reader.png, reader.info);
    cv::Mat pixels(static_cast<int>(height), static_cast<int>(width), CV_8UC3);
    if (!readPngRows(reader, pixels))
        return damagedImage(reader.message);
    return DecodedImage{std::move(pixels), orientationOf(reader)};
}

} // namespace fremis::vision

#include "tests/support/image_writer.h"

#include <png.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <array>
#include <cstdlib>

// jpeglib.h needs FILE.
// clang-format off
#include <cstdio>
#include <jpeglib.h>
// clang-format on

namespace fremis::test {

namespace {

std::uint8_t paletteIndex(const std::uint8_t* rgb) {
    return static_cast<std::uint8_t>((rgb[0] & 0xE0) | (rgb[1] & 0xE0) >> 3 | rgb[2] >> 6);
}

std::array<std::uint8_t, 3> paletteColour(int index) {
    return {static_cast<std::uint8_t>((index >> 5) * 255 / 7), static_cast<std::uint8_t>((index >> 2 & 7) * 255 / 7),
            static_cast<std::uint8_t>((index & 3) * 255 / 3)};
}

/// One pixel of a picture as a JPEG of `kind` stores it.
void putJpegPixel(const std::uint8_t* rgb, JpegKind kind, Bytes& row) {
    switch (kind) {
    case JpegKind::Gray:
        row.push_back(rgb[1]);
        return;
    case JpegKind::Cmyk:
    case JpegKind::YcckByAdobe: // inverted inks without black: the light itself, and full black
        row.insert(row.end(), {rgb[0], rgb[1], rgb[2], 255});
        return;
    default:
        row.insert(row.end(), {rgb[0], rgb[1], rgb[2]});
    }
}

void putPngPixel(const std::uint8_t* rgb, PngKind kind, Bytes& row) {
    switch (kind) {
    case PngKind::Rgb16:
        row.insert(row.end(), {rgb[0], rgb[0], rgb[1], rgb[1], rgb[2], rgb[2]});
        return;
    case PngKind::Gray8:
        row.push_back(rgb[1]);
        return;
    case PngKind::Gray16:
        row.insert(row.end(), {rgb[1], rgb[1]});
        return;
    case PngKind::Palette:
        row.push_back(paletteIndex(rgb));
        return;
    case PngKind::Rgba8:
        row.insert(row.end(), {rgb[0], rgb[1], rgb[2], 77});
        return;
    default:
        row.insert(row.end(), {rgb[0], rgb[1], rgb[2]});
    }
}

int pngColourType(PngKind kind) {
    switch (kind) {
    case PngKind::Gray8:
    case PngKind::Gray16:
        return PNG_COLOR_TYPE_GRAY;
    case PngKind::Palette:
        return PNG_COLOR_TYPE_PALETTE;
    case PngKind::Rgba8:
        return PNG_COLOR_TYPE_RGB_ALPHA;
    default:
        return PNG_COLOR_TYPE_RGB;
    }
}

void setPalette(png_structp png, png_infop info) {
    std::array<png_color, 256> palette;
    for (int i = 0; i < 256; ++i) {
        const auto colour = paletteColour(i);
        palette[static_cast<std::size_t>(i)] = {colour[0], colour[1], colour[2]};
    }
    png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
}

void put(Bytes& out, std::uint32_t value, int size) {
    for (int i = 0; i < size; ++i)
        out.push_back(static_cast<std::uint8_t>(value >> 8 * i));
}

void putBmpPixel(const std::uint8_t* rgb, BmpKind kind, Bytes& row) {
    switch (kind) {
    case BmpKind::Bits8:
        row.push_back(paletteIndex(rgb));
        return;
    case BmpKind::Bits16:
        put(row, static_cast<std::uint32_t>(rgb[0] >> 3 << 10 | rgb[1] >> 3 << 5 | rgb[2] >> 3), 2);
        return;
    default:
        row.insert(row.end(), {rgb[2], rgb[1], rgb[0]});
        if (kind == BmpKind::Bits32)
            row.push_back(0);
    }
}

std::uint32_t bitsOf(BmpKind kind) {
    switch (kind) {
    case BmpKind::Bits8:
        return 8;
    case BmpKind::Bits16:
        return 16;
    case BmpKind::Bits32:
        return 32;
    default:
        return 24;
    }
}

Bytes taken(std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, data + size);
    WebPFree(data);
    return bytes;
}

bool addFrame(WebPAnimEncoder* encoder, const Picture& picture, int milliseconds) {
    WebPConfig config;
    WebPPicture frame;
    bool added = WebPConfigInit(&config) != 0 && WebPPictureInit(&frame) != 0;
    if (!added)
        return false;
    config.lossless = 1;
    frame.use_argb = 1;
    frame.width = picture.width;
    frame.height = picture.height;
    added = WebPPictureImportRGB(&frame, picture.rgb.data(), 3 * picture.width) != 0 &&
            WebPAnimEncoderAdd(encoder, &frame, milliseconds, &config) != 0;
    WebPPictureFree(&frame);
    return added;
}

Bytes toAnimation(const Picture& picture) {
    Picture negative = picture;
    for (auto& sample : negative.rgb)
        sample = static_cast<std::uint8_t>(255 - sample);
    WebPAnimEncoder* encoder = WebPAnimEncoderNew(picture.width, picture.height, nullptr);
    WebPData data = {};
    if (!addFrame(encoder, picture, 0) || !addFrame(encoder, negative, 100) ||
        WebPAnimEncoderAdd(encoder, nullptr, 200, nullptr) == 0 || WebPAnimEncoderAssemble(encoder, &data) == 0)
        std::abort();
    Bytes bytes(data.bytes, data.bytes + data.size);
    WebPDataClear(&data);
    WebPAnimEncoderDelete(encoder);
    return bytes;
}

} // namespace

Bytes exifBlock(int orientation) {
    // TIFF, big-endian: one directory of one entry, tag 0x0112, a SHORT.
    return {'E', 'x', 'i', 'f', 0,    0, 'M', 'M', 0, 42, 0, 0, 0,
            8,   0,   1,   1,   0x12, 0, 3,   0,   0, 0,  1, 0, static_cast<std::uint8_t>(orientation),
            0,   0,   0,   0,   0,    0};
}

Picture quantised(const Picture& picture) {
    Picture few = picture;
    for (std::size_t i = 0; i < few.rgb.size(); i += 3) {
        const auto colour = paletteColour(paletteIndex(few.rgb.data() + i));
        std::copy(colour.begin(), colour.end(), few.rgb.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return few;
}

Bytes toJpeg(const Picture& picture, JpegKind kind, int quality, int orientation) {
    jpeg_compress_struct info = {};
    jpeg_error_mgr errors = {};
    info.err = jpeg_std_error(&errors); // exits on an error: a test's input is right
    jpeg_create_compress(&info);
    unsigned char* data = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&info, &data, &size);
    const bool inks = kind == JpegKind::Cmyk || kind == JpegKind::YcckByAdobe;
    info.image_width = static_cast<JDIMENSION>(picture.width);
    info.image_height = static_cast<JDIMENSION>(picture.height);
    info.input_components = inks ? 4 : kind == JpegKind::Gray ? 1 : 3;
    info.in_color_space = inks ? JCS_CMYK : kind == JpegKind::Gray ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&info);
    if (kind == JpegKind::YcckByAdobe)
        jpeg_set_colorspace(&info, JCS_YCCK);
    jpeg_set_quality(&info, quality, TRUE);
    if (kind == JpegKind::Progressive)
        jpeg_simple_progression(&info);
    jpeg_start_compress(&info, TRUE);
    if (orientation != 0) {
        const Bytes exif = exifBlock(orientation);
        jpeg_write_marker(&info, JPEG_APP0 + 1, exif.data(), static_cast<unsigned int>(exif.size()));
    }
    for (int y = 0; y < picture.height; ++y) {
        Bytes row;
        for (int x = 0; x < picture.width; ++x)
            putJpegPixel(picture.at(x, y), kind, row);
        JSAMPROW rows = row.data();
        jpeg_write_scanlines(&info, &rows, 1);
    }
    jpeg_finish_compress(&info);
    Bytes bytes(data, data + size);
    jpeg_destroy_compress(&info);
    std::free(data);
    return bytes;
}

Bytes toPng(const Picture& picture, PngKind kind, int orientation) {
    Bytes bytes;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &bytes,
        [](png_structp writer, png_bytep data, std::size_t size) {
            auto* out = static_cast<Bytes*>(png_get_io_ptr(writer));
            out->insert(out->end(), data, data + size);
        },
        [](png_structp) {});
    const bool deep = kind == PngKind::Rgb16 || kind == PngKind::Gray16;
    png_set_IHDR(png, info, static_cast<png_uint_32>(picture.width), static_cast<png_uint_32>(picture.height),
                 deep ? 16 : 8, pngColourType(kind),
                 kind == PngKind::Interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (kind == PngKind::Palette)
        setPalette(png, info);
    Bytes exif = exifBlock(orientation);
    if (orientation != 0)
        png_set_eXIf_1(png, info, static_cast<png_uint_32>(exif.size() - 6), exif.data() + 6);
    std::vector<Bytes> rows(static_cast<std::size_t>(picture.height));
    std::vector<png_bytep> pointers;
    for (int y = 0; y < picture.height; ++y) {
        Bytes& row = rows[static_cast<std::size_t>(y)];
        for (int x = 0; x < picture.width; ++x)
            putPngPixel(picture.at(x, y), kind, row);
        pointers.push_back(row.data());
    }
    png_write_info(png, info);
    png_write_image(png, pointers.data());
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return bytes;
}

Bytes toBmp(const Picture& picture, BmpKind kind) {
    const bool core = kind == BmpKind::CoreHeader24;
    const std::uint32_t headerSize = core ? 12 : 40;
    const std::uint32_t paletteSize = kind == BmpKind::Bits8 ? 1024 : 0;
    Bytes pixels;
    for (int row = 0; row < picture.height; ++row) {
        const int y = kind == BmpKind::Bits24TopDown ? row : picture.height - 1 - row;
        for (int x = 0; x < picture.width; ++x)
            putBmpPixel(picture.at(x, y), kind, pixels);
        while (pixels.size() % 4 != 0)
            pixels.push_back(0);
    }
    Bytes file = {'B', 'M'};
    const std::uint32_t offset = 14 + headerSize + paletteSize;
    put(file, offset + static_cast<std::uint32_t>(pixels.size()), 4);
    put(file, 0, 4);
    put(file, offset, 4);
    put(file, headerSize, 4);
    put(file, static_cast<std::uint32_t>(picture.width), core ? 2 : 4);
    put(file, static_cast<std::uint32_t>(kind == BmpKind::Bits24TopDown ? -picture.height : picture.height),
        core ? 2 : 4);
    put(file, 1, 2);
    put(file, bitsOf(kind), 2);
    if (!core) {
        for (int field = 0; field < 6; ++field) // uncompressed; sizes, resolution and colour counts may be zero
            put(file, 0, 4);
    }
    for (int i = 0; paletteSize != 0 && i < 256; ++i) {
        const auto colour = paletteColour(i);
        file.insert(file.end(), {colour[2], colour[1], colour[0], 0});
    }
    file.insert(file.end(), pixels.begin(), pixels.end());
    return file;
}

Bytes toWebP(const Picture& picture, WebPKind kind) {
    if (kind == WebPKind::Animated)
        return toAnimation(picture);
    std::uint8_t* data = nullptr;
    const int stride = 3 * picture.width;
    const std::size_t size =
        kind == WebPKind::Lossy
            ? WebPEncodeRGB(picture.rgb.data(), picture.width, picture.height, stride, 95, &data)
            : WebPEncodeLosslessRGB(picture.rgb.data(), picture.width, picture.height, stride, &data);
    return taken(data, size);
}

} // namespace fremis::test

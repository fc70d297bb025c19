#include "server/vision/image_codecs.h"

#include <csetjmp>

// jpeglib.h needs FILE, and jerror.h needs jpeglib.h.
// clang-format off
#include <cstdio>
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

namespace fremis::vision {

namespace {

/// A progressive file may say little in many scans, and each costs a pass over the picture (libjpeg-turbo, "Two issues
/// with the JPEG standard"). Encoders write about ten.
constexpr int kMostScans = 100;

/// libjpeg mends damage with gray and a warning; these warnings mean that pixels were lost.
bool losesPixels(int warning) {
    switch (warning) {
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_JPEG_EOF:
    case JWRN_MUST_RESYNC:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_NOT_SEQUENTIAL:
        return true;
    default: // extraneous bytes before a marker, odd Adobe marks, odd versions: seen in files that every viewer shows
        return false;
    }
}

struct JpegReader {
    jpeg_decompress_struct info = {};
    jpeg_error_mgr errors = {};
    jpeg_progress_mgr progress = {};
    std::jmp_buf failed;
    char message[JMSG_LENGTH_MAX] = {};

    JpegReader() {
        info.err = jpeg_std_error(&errors);
        errors.error_exit = [](j_common_ptr common) { leave(common); };
        errors.emit_message = [](j_common_ptr common, int level) {
            if (level < 0 && losesPixels(common->err->msg_code))
                leave(common);
        };
        errors.output_message = [](j_common_ptr) {};
        info.client_data = this;
    }
    ~JpegReader() { jpeg_destroy_decompress(&info); }
    JpegReader(const JpegReader&) = delete;
    JpegReader& operator=(const JpegReader&) = delete;

    [[noreturn]] static void leave(j_common_ptr common) {
        auto* reader = static_cast<JpegReader*>(common->client_data);
        common->err->format_message(common, reader->message);
        std::longjmp(reader->failed, 1);
    }

    static void checkScans(j_common_ptr common) {
        auto* decompress = reinterpret_cast<j_decompress_ptr>(common);
        if (decompress->input_scan_number > kMostScans) {
            common->err->msg_code = JERR_BAD_PROGRESSION;
            leave(common);
        }
    }
};

// The functions below call setjmp: they hold no object with a destructor, so that a longjmp skips none.

/// Reads the header and starts decoding; false with `reader.message` on damage.
bool start(JpegReader& reader, std::span<const std::uint8_t> file) {
    if (setjmp(reader.failed) != 0)
        return false;
    jpeg_create_decompress(&reader.info);
    reader.progress.progress_monitor = &JpegReader::checkScans;
    reader.info.progress = &reader.progress;
    jpeg_mem_src(&reader.info, file.data(), file.size());
    jpeg_save_markers(&reader.info, JPEG_APP0 + 1, 0xFFFF);
    jpeg_read_header(&reader.info, TRUE);
    const bool fourInks = reader.info.jpeg_color_space == JCS_CMYK || reader.info.jpeg_color_space == JCS_YCCK;
    reader.info.out_color_space = fourInks ? JCS_CMYK : JCS_EXT_BGR;
    jpeg_start_decompress(&reader.info);
    return true;
}

/// All rows into `pixels`, which has the picture's size and its number of components.
bool readRows(JpegReader& reader, cv::Mat& pixels) {
    if (setjmp(reader.failed) != 0)
        return false;
    while (reader.info.output_scanline < reader.info.output_height) {
        JSAMPROW row = pixels.ptr<std::uint8_t>(static_cast<int>(reader.info.output_scanline));
        jpeg_read_scanlines(&reader.info, &row, 1);
    }
    jpeg_finish_decompress(&reader.info);
    return true;
}

/// Inks to light. Adobe's programs store CMYK inverted, and mark the file.
cv::Mat bgrOfCmyk(const cv::Mat& cmyk, bool inverted) {
    cv::Mat bgr(cmyk.size(), CV_8UC3);
    for (int y = 0; y < cmyk.rows; ++y) {
        const auto* inks = cmyk.ptr<cv::Vec4b>(y);
        auto* light = bgr.ptr<cv::Vec3b>(y);
        for (int x = 0; x < cmyk.cols; ++x) {
            const auto lightOf = [&](int ink) { return inverted ? inks[x][ink] : 255 - inks[x][ink]; };
            for (int channel = 0; channel < 3; ++channel) // blue is what yellow leaves
                light[x][channel] = static_cast<std::uint8_t>((lightOf(2 - channel) * lightOf(3) + 127) / 255);
        }
    }
    return bgr;
}

int orientationOf(const jpeg_decompress_struct& info) {
    for (const jpeg_marker_struct* marker = info.marker_list; marker != nullptr; marker = marker->next) {
        const std::span<const std::uint8_t> data(marker->data, marker->data_length);
        if (data.size() > 6 && std::equal(data.begin(), data.begin() + 6, "Exif\0"))
            return exifOrientation(data);
    }
    return 1;
}

} // namespace

base::Result<DecodedImage> decodeJpeg(std::span<const std::uint8_t> file) {
    JpegReader reader;
    if (!start(reader, file))
        return damagedImage(reader.message);
    const cv::Size size(static_cast<int>(reader.info.output_width), static_cast<int>(reader.info.output_height));
    cv::Mat pixels(size, CV_8UC(reader.info.output_components));
    const bool isCmyk = reader.info.out_color_space == JCS_CMYK;
    const bool inverted = reader.info.saw_Adobe_marker != FALSE;
    const int orientation = orientationOf(reader.info); // before the end: finishing frees the markers
    if (!readRows(reader, pixels))
        return damagedImage(reader.message);
    return DecodedImage{isCmyk ? bgrOfCmyk(pixels, inverted) : pixels, orientation};
}

} // namespace fremis::vision

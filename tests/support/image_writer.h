#pragma once

#include <cstdint>
#include <vector>

/// Image files in the forms that cameras, scanners and programs write, made in memory.
namespace fremis::test {

/// Rows of R, G, B bytes.
struct Picture {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb;

    [[nodiscard]] const std::uint8_t* at(int x, int y) const {
        return rgb.data() + 3 * (static_cast<std::size_t>(y) * width + x);
    }
    [[nodiscard]] std::uint8_t* at(int x, int y) { return rgb.data() + 3 * (static_cast<std::size_t>(y) * width + x); }
};

using Bytes = std::vector<std::uint8_t>;

enum class JpegKind { Baseline, Progressive, Gray, Cmyk, YcckByAdobe };
/// `orientation`: EXIF, 1..8; 0 = no EXIF block. The inks of the two four-colour kinds are stored inverted, as Adobe's
/// programs do.
[[nodiscard]] Bytes toJpeg(const Picture& picture, JpegKind kind = JpegKind::Baseline, int quality = 95,
                           int orientation = 0);

enum class PngKind { Rgb8, Rgb16, Gray8, Gray16, Palette, Rgba8, Interlaced };
/// Gray kinds store the green channel. Palette stores 256 colours of 3, 3 and 2 bits: see quantised().
[[nodiscard]] Bytes toPng(const Picture& picture, PngKind kind = PngKind::Rgb8, int orientation = 0);

enum class BmpKind { Bits24, Bits32, Bits24TopDown, Bits8, Bits16, CoreHeader24 };
/// Bits8 stores the colours of quantised(); Bits16 five bits a channel.
[[nodiscard]] Bytes toBmp(const Picture& picture, BmpKind kind = BmpKind::Bits24);

enum class WebPKind { Lossy, Lossless, Animated };
/// Animated has two frames: the picture, then its negative. Lossless but for Lossy.
[[nodiscard]] Bytes toWebP(const Picture& picture, WebPKind kind = WebPKind::Lossy);

/// The picture in the 256 colours that the palette kinds can store.
[[nodiscard]] Picture quantised(const Picture& picture);
/// A block of EXIF with only an orientation, "Exif\0\0" included.
[[nodiscard]] Bytes exifBlock(int orientation);

} // namespace fremis::test

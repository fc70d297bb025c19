#include "server/vision/image_codecs.h"

#include <webp/decode.h>
#include <webp/demux.h>

#include <memory>

namespace fremis::vision {

namespace {

struct DeleteDemuxer {
    void operator()(WebPDemuxer* demuxer) const { WebPDemuxDelete(demuxer); }
};
using Demuxer = std::unique_ptr<WebPDemuxer, DeleteDemuxer>;

int orientationOf(const Demuxer& demuxer) {
    WebPChunkIterator chunk;
    if (WebPDemuxGetChunk(demuxer.get(), "EXIF", 1, &chunk) == 0)
        return 1;
    const int orientation = exifOrientation({chunk.chunk.bytes, chunk.chunk.size});
    WebPDemuxReleaseChunkIterator(&chunk);
    return orientation;
}

bool decodeFrame(const WebPIterator& frame, cv::Mat& canvas) {
    const cv::Rect place(frame.x_offset, frame.y_offset, frame.width, frame.height);
    if (place.empty() || (place & cv::Rect(cv::Point(), canvas.size())) != place)
        return false;
    cv::Mat part = canvas(place);
    const std::size_t size =
        part.step * static_cast<std::size_t>(part.rows - 1) + part.elemSize() * static_cast<std::size_t>(part.cols);
    return WebPDecodeBGRInto(frame.fragment.bytes, frame.fragment.size, part.data, size, static_cast<int>(part.step)) !=
           nullptr;
}

} // namespace

base::Result<DecodedImage> decodeWebP(std::span<const std::uint8_t> file) {
    const WebPData data{file.data(), file.size()};
    const Demuxer demuxer(WebPDemux(&data)); // null for a file that is not whole
    WebPIterator frame;
    if (demuxer == nullptr || WebPDemuxGetFrame(demuxer.get(), 1, &frame) == 0)
        return damagedImage("no whole WebP frame");
    // An animation's first frame may cover only a part of the canvas.
    cv::Mat canvas(static_cast<int>(WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_HEIGHT)),
                   static_cast<int>(WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_WIDTH)), CV_8UC3, cv::Scalar::all(0));
    const bool decoded = frame.complete != 0 && decodeFrame(frame, canvas);
    WebPDemuxReleaseIterator(&frame);
    if (!decoded)
        return damagedImage("the WebP frame is damaged");
    return DecodedImage{std::move(canvas), orientationOf(demuxer)};
}

} // namespace fremis::vision

#pragma once

#include "server/engine/request_context.h"
#include "server/vision/face_pipeline.h"

#include <functional>
#include <string>
#include <vector>

namespace fremis::engine {

/// Base64 text to faces with embeddings. Thread: any.
class PhotoModel {
public:
    using Done = std::function<void(base::Result<std::vector<vision::Analysis>>)>;
    virtual ~PhotoModel() = default;

    /// Analyses the photos of one request, in order; the first that is refused is the result. `done` is called once, on
    /// any thread, at once or later.
    virtual void analyse(std::vector<std::string> base64Photos, const vision::Options& options, RequestContext context,
                         Done done) = 0;
};

} // namespace fremis::engine

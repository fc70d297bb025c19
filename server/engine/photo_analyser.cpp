#include "server/engine/photo_analyser.h"

#include "shared/wire/base64.h"

namespace fremis::engine {

using base::fail;
using base::Reason;
using base::Result;

PhotoAnalyser::PhotoAnalyser(Pipelines pipelines, Observer observer)
    : m_pipelines(std::move(pipelines)), m_observer(std::move(observer)),
      m_pool("model", static_cast<int>(m_pipelines.size()), kMaxWaiting) {}

Result<std::unique_ptr<PhotoAnalyser>> PhotoAnalyser::create(const vision::ModelPack& pack, int threads,
                                                             Observer observer) {
    Pipelines pipelines;
    for (int thread = 0; thread < threads; ++thread) {
        auto pipeline = vision::FacePipeline::create(pack);
        if (!pipeline)
            return tl::unexpected(pipeline.error());
        pipelines.push_back(std::move(*pipeline));
    }
    return std::unique_ptr<PhotoAnalyser>(new PhotoAnalyser(std::move(pipelines), std::move(observer)));
}

void PhotoAnalyser::analyse(std::vector<std::string> base64Photos, const vision::Options& options,
                            RequestContext context, Done done) {
    std::size_t bytes = 0;
    for (const auto& photo : base64Photos)
        bytes += photo.size();
    const auto overloaded = [] { return fail(Reason::Overloaded, "too many photos are waiting for a model thread"); };
    if (wouldWaitTooLong())
        return done(overloaded());
    if (m_waitingBytes.fetch_add(bytes) + bytes > kMaxWaitingBytes) {
        m_waitingBytes -= bytes;
        return done(overloaded());
    }
    // The photos and the callback live in one shared block, so that a refused task leaves `done` usable here.
    struct Task {
        std::vector<std::string> photos;
        RequestContext context;
        Done done;
    };
    auto task = std::make_shared<Task>(Task{std::move(base64Photos), std::move(context), std::move(done)});
    const bool taken = m_pool.tryRun([this, task, options, bytes](int thread) {
        m_waitingBytes -= bytes;
        if (task->context.abandoned())
            return task->done(fail(Reason::Overloaded, "the request waited too long for a model thread"));
        task->done(analyseAll(*m_pipelines[static_cast<std::size_t>(thread)], task->photos, options));
    });
    if (!taken) {
        m_waitingBytes -= bytes;
        task->done(overloaded());
    }
}

bool PhotoAnalyser::wouldWaitTooLong() const {
    const std::chrono::nanoseconds wait(m_meanNanoseconds.load() * static_cast<std::int64_t>(m_pool.waiting()) /
                                        m_pool.threads());
    return wait > kMostWait;
}

void PhotoAnalyser::noteTime(std::chrono::nanoseconds onePhoto) const {
    // Threads may overwrite each other's step; the mean stays one of the last few dozen photos.
    const auto before = m_meanNanoseconds.load();
    m_meanNanoseconds = before == 0 ? onePhoto.count() : before + (onePhoto.count() - before) / 16;
}

Result<std::vector<vision::Analysis>> PhotoAnalyser::analyseAll(vision::FacePipeline& pipeline,
                                                                std::vector<std::string>& base64Photos,
                                                                const vision::Options& options) const {
    std::vector<vision::Analysis> analyses;
    for (auto& photo : base64Photos) {
        const auto begin = std::chrono::steady_clock::now();
        auto bytes = wire::decodeBase64(photo);
        std::string().swap(photo); // the text is as large as the photo and not needed any more
        if (!bytes)
            return tl::unexpected(bytes.error());
        auto analysis = pipeline.analyse(*bytes, options);
        if (!analysis)
            return tl::unexpected(analysis.error());
        const auto took = std::chrono::steady_clock::now() - begin;
        noteTime(took);
        m_observer(took, analysis->detection);
        analyses.push_back(std::move(*analysis));
    }
    return analyses;
}

} // namespace fremis::engine

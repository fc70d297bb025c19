#pragma once

#include "server/engine/photo_model.h"
#include "shared/base/work_pool.h"

#include <atomic>
#include <memory>

namespace fremis::engine {

/// Model work on its own pool: base64 text to faces. Each thread owns one pipeline. Thread: any; create and stop from
/// one.
class PhotoAnalyser final : public PhotoModel {
public:
    /// Most photos that wait, and most bytes of base64 that they hold; beyond it requests are refused with
    /// Reason::Overloaded.
    static constexpr std::size_t kMaxWaiting = 256;
    static constexpr std::size_t kMaxWaitingBytes = 512u << 20;

    /// A request that would wait longer than this for a thread is refused at once: it would be answered too late, and
    /// the work on it would be taken from requests that can still be answered in time.
    static constexpr std::chrono::milliseconds kMostWait{4'000};

    /// Time spent on one photo, for the metrics: all of it, and the share of finding the faces.
    using Observer = std::function<void(std::chrono::nanoseconds whole, std::chrono::nanoseconds detection)>;

    [[nodiscard]] static base::Result<std::unique_ptr<PhotoAnalyser>> create(const vision::ModelPack& pack, int threads,
                                                                             Observer observer);

    /// `done` is called on a pool thread, or at once with Reason::Overloaded.
    void analyse(std::vector<std::string> base64Photos, const vision::Options& options, RequestContext context,
                 Done done) override;

    [[nodiscard]] std::size_t waiting() const { return m_pool.waiting(); }
    void stop() { m_pool.stop(); }

private:
    using Pipelines = std::vector<std::unique_ptr<vision::FacePipeline>>;
    PhotoAnalyser(Pipelines pipelines, Observer observer);
    [[nodiscard]] base::Result<std::vector<vision::Analysis>> analyseAll(vision::FacePipeline& pipeline,
                                                                         std::vector<std::string>& base64Photos,
                                                                         const vision::Options& options) const;

    [[nodiscard]] bool wouldWaitTooLong() const;
    void noteTime(std::chrono::nanoseconds onePhoto) const;

    Pipelines m_pipelines; ///< one for each thread of the pool
    const Observer m_observer;
    std::atomic<std::size_t> m_waitingBytes = 0;
    mutable std::atomic<std::int64_t> m_meanNanoseconds = 0; ///< of one photo, exponentially weighted; 0 = none yet
    base::WorkPool m_pool;
};

} // namespace fremis::engine

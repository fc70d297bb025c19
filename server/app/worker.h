#pragma once

#include "server/api/worker_api.h"
#include "server/app/worker_options.h"
#include "shared/app/service.h"

namespace fremis::app {

/// A worker with all its parts, built from its options and taken down in reverse order. Thread: the main one.
class Worker final : public Service {
public:
    /// Listens when it returns; the index fills in the background. Errors carry BadModelPack, BadStore or what the
    /// server said.
    [[nodiscard]] static base::Result<std::unique_ptr<Worker>> start(const WorkerOptions& options, StopRequest stop);
    /// Drains and stops.
    ~Worker() override;
    /// Settled when the index is loaded, and when it cannot be because the storage is away: clients are answered either
    /// way, and a start that waited for a database would fail.
    [[nodiscard]] Condition condition() const override;
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

private:
    struct Parts;
    explicit Worker(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace fremis::app

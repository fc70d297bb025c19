#pragma once

#include "coordinator/app/coordinator_options.h"
#include "shared/app/service.h"

namespace fremis::coordinator {

/// A coordinator with all its parts, built from its options and taken down in reverse order. Its logic runs in the
/// thread that starts it, on Qt's event loop.
class CoordinatorService final : public app::Service {
public:
    /// Listens when it returns; the workers are asked in the background. InvalidConfig, BadStore, or what the server
    /// said.
    [[nodiscard]] static base::Result<std::unique_ptr<CoordinatorService>> start(const CoordinatorOptions& options,
                                                                                 app::StopRequest stop);
    ~CoordinatorService() override;
    void reload() override;
    /// Settled when every worker has been asked once, whatever they said.
    [[nodiscard]] app::Condition condition() const override;
    void drain(std::function<void()> ended) override;

private:
    struct Parts;
    explicit CoordinatorService(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace fremis::coordinator

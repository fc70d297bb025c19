#pragma once

#include "shared/base/error.h"

#include <functional>
#include <memory>
#include <string>

namespace fremis::app {

/// How a service is, for the service manager.
struct Condition {
    /// False while it is on its way to its first work and gets there by itself.
    bool settled = true;
    std::string text; ///< one line for people
};

/// A server that runs until its process is told to stop: made when it listens, stopped when destroyed, with what is in
/// hand finished.
/// Thread: the main one.
class Service {
public:
    virtual ~Service() = default;
    /// SIGHUP: read configuration files again.
    virtual void reload() {}
    [[nodiscard]] virtual Condition condition() const { return {}; }
    /// The process ends. A service that answers in this thread finishes what is in hand while the event loop still
    /// runs; `ended` is called there, once.
    virtual void drain(std::function<void()> ended) { ended(); }
};

/// Asks the process to end with an exit code. Thread: any.
using StopRequest = std::function<void(int exitCode)>;
using StartService = std::function<base::Result<std::unique_ptr<Service>>(StopRequest stop)>;

/// The exit code of a command line that makes no sense.
inline constexpr int kUsageError = 2;
/// The exit code of a configuration, model pack or store that cannot be used; EX_CONFIG of sysexits.h.
inline constexpr int kBadConfiguration = 78;

/// Runs a service on Qt's event loop in this thread until SIGTERM, SIGINT or a StopRequest, and returns the exit code
/// of the process. A service manager is told how it is (see Supervisor). No core dumps: they would hold faces and keys.
[[nodiscard]] int runService(bool verbose, const StartService& start);

} // namespace fremis::app

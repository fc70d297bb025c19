#pragma once

#include "shared/app/server_options.h"
#include "shared/http/client_access.h"
#include "shared/metrics/server_metrics.h"

namespace fremis::app {

/// An answered request as a line of the log: what failed for our reasons as a warning, the rest for --verbose.
void logAccess(const http::RequestRecord& record);

/// Begins to serve the client plane as the options have it, and says so in the log. `access`: none, it is open.
[[nodiscard]] base::Result<std::unique_ptr<http::Server>> listenForClients(const ServerOptions& options, int threads,
                                                                           std::vector<http::Route> routes,
                                                                           http::ClientAccess* access,
                                                                           metrics::ServerMetrics& metrics);
/// The same for the monitoring port; null when the options name none.
[[nodiscard]] base::Result<std::unique_ptr<http::Server>>
listenForMonitoring(const ServerOptions& options, std::vector<http::Route> routes, http::ClientAccess* access);

} // namespace fremis::app

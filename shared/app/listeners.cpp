#include "shared/app/listeners.h"

#include "shared/base/log.h"

namespace fremis::app {

using base::LogLevel;

void logAccess(const http::RequestRecord& record) {
    const auto level = record.status >= 500 ? LogLevel::Warning : LogLevel::Debug;
    if (!base::logs(level))
        return;
    base::log(level, "request",
              {{"method", record.method},
               {"route", record.route},
               {"status", record.status},
               {"ms", static_cast<double>(record.duration.count()) / 1000.0},
               {"bytes_in", record.bytesIn},
               {"bytes_out", record.bytesOut},
               {"request_id", record.requestId},
               {"client", record.clientAddress}});
}

base::Result<std::unique_ptr<http::Server>> listenForClients(const ServerOptions& options, int threads,
                                                             std::vector<http::Route> routes,
                                                             http::ClientAccess* access,
                                                             metrics::ServerMetrics& metrics) {
    http::ServerOptions server;
    server.address = options.listenAddress;
    server.port = options.listenPort;
    server.threads = threads;
    if (!options.tlsCertificate.empty())
        server.tls = http::TlsFiles{options.tlsCertificate.string(), options.tlsKey.string()};
    for (const auto& route : routes)
        metrics.declareEndpoint(route.path);
    auto started = http::Server::start(server, std::move(routes), access ? access->hooks() : http::AccessHooks(),
                                       [&metrics](const http::RequestRecord& record) {
                                           metrics.countRequest(record.route, record.status);
                                           logAccess(record);
                                       });
    if (started)
        base::log(LogLevel::Info, "listening", {{"address", options.listenAddress}, {"port", (*started)->port()}});
    return started;
}

base::Result<std::unique_ptr<http::Server>>
listenForMonitoring(const ServerOptions& options, std::vector<http::Route> routes, http::ClientAccess* access) {
    if (!options.monitoringPort)
        return nullptr;
    http::ServerOptions server;
    server.address = options.listenAddress;
    server.port = *options.monitoringPort;
    if (options.monitoringTls)
        server.tls = http::TlsFiles{options.tlsCertificate.string(), options.tlsKey.string()};
    auto started =
        http::Server::start(server, std::move(routes), options.metricsNeedKey ? access->hooks() : http::AccessHooks());
    if (started)
        base::log(LogLevel::Info, "listening_monitoring",
                  {{"address", options.listenAddress}, {"port", (*started)->port()}});
    return started;
}

} // namespace fremis::app

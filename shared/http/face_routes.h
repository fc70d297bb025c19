#pragma once

#include "shared/http/server.h"

#include <span>

namespace fremis::http {

/// A route whose handler needs what its server is made of.
template<class Services> struct RouteRow {
    const char* method;
    const char* path;
    const char* right; ///< "": open to everybody, or the handler checks
    void (*handler)(const Services&, Request&&, Reply);
};

/// `admit`: asked before each handler; none: nobody is refused. With `services` null the routes may be listed but not
/// served.
template<class Services>
[[nodiscard]] std::vector<Route> routesOf(std::span<const RouteRow<Services>> rows, const Services* services,
                                          base::Status (*admit)(const Services&, const Request&) = nullptr) {
    std::vector<Route> routes;
    for (const auto& row : rows)
        routes.push_back(
            {row.method, row.path, row.right, [services, admit, handler = row.handler](Request&& request, Reply reply) {
                 const auto admitted = admit ? admit(*services, request) : base::Status();
                 if (!admitted)
                     return reply.fail(admitted.error());
                 handler(*services, std::move(request), std::move(reply));
             }});
    return routes;
}

// The routes that a worker and a coordinator have both: a client may ask either, and the same rights let it in. Each
// brings its handlers, the functions of these names beside its Services (argument-dependent lookup finds them).
#define FREMIS_HANDLER(name)                                                                                           \
    [](const Services& services, Request&& request, Reply reply) {                                                     \
        name(services, std::move(request), std::move(reply));                                                          \
    }

template<class Services> [[nodiscard]] std::vector<RouteRow<Services>> healthRows() {
    return {
        {"GET", "/v1/healthcheck", "", FREMIS_HANDLER(healthcheck)},
        {"GET", "/health", "", FREMIS_HANDLER(healthcheck)},
        {"GET", "/readyz", "", FREMIS_HANDLER(healthcheck)},
        {"GET", "/livez", "", FREMIS_HANDLER(livez)},
    };
}

/// The client plane.
template<class Services> [[nodiscard]] std::vector<RouteRow<Services>> faceRows() {
    std::vector<RouteRow<Services>> rows{
        {"POST", "/v1/face/enrollment", "enrol", FREMIS_HANDLER(enrol)},
        {"GET", "/v1/face/enrollment", "search", FREMIS_HANDLER(getEnrollment)},
        {"GET", "/v1/face/enrollments", "search", FREMIS_HANDLER(listEnrollments)},
        {"POST", "/v1/face/recognition", "search", FREMIS_HANDLER(recognise)},
        {"POST", "/v1/face/match", "search", FREMIS_HANDLER(matchV1)},
        {"POST", "/v2/face/match", "search", FREMIS_HANDLER(matchV2)},
        {"POST", "/v1/face/delete-enrollment", "delete", FREMIS_HANDLER(deleteEnrollment)},
        {"POST", "/v1/face/delete-enrollment-variation", "delete", FREMIS_HANDLER(deleteVariation)},
        {"POST", "/v1/face/extract-embedding", "embed", FREMIS_HANDLER(extractEmbedding)},
        {"POST", "/v1/face/keyspace", "keyspace-admin", FREMIS_HANDLER(createKeyspace)},
        {"GET", "/v1/face/keyspace", "search", FREMIS_HANDLER(listKeyspaces)},
        {"POST", "/v1/face/delete-keyspace", "keyspace-admin", FREMIS_HANDLER(deleteKeyspace)},
        {"GET", "/v1/get-limit-usage", "operator", FREMIS_HANDLER(limitUsage)},
        {"GET", "/v1/loaded-vectors", "operator", FREMIS_HANDLER(loadedVectors)},
        {"GET", "/v1/resource-stats", "operator", FREMIS_HANDLER(resourceStats)},
        {"GET", "/v1/openapi.json", "", FREMIS_HANDLER(openApi)},
    };
    const auto health = healthRows<Services>();
    rows.insert(rows.end(), health.begin(), health.end());
    return rows;
}

/// The monitoring port: metrics and health.
template<class Services> [[nodiscard]] std::vector<RouteRow<Services>> monitoringRows() {
    auto rows = healthRows<Services>();
    rows.push_back({"GET", "/metrics", "metrics", FREMIS_HANDLER(metricsText)});
    return rows;
}

#undef FREMIS_HANDLER

} // namespace fremis::http

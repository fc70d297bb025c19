#include "server/api/worker_api.h"

#include "server/api/handlers.h"

namespace fremis::api {

namespace {

struct Row {
    const char* method;
    const char* path;
    const char* right; ///< "": open to everybody
    void (*handler)(const WorkerServices&, http::Request&&, http::Reply);
};

constexpr Row kClientRows[] = {
    {"POST", "/v1/face/enrollment", "enrol", enrol},
    {"GET", "/v1/face/enrollment", "search", getEnrollment},
    {"GET", "/v1/face/enrollments", "search", listEnrollments},
    {"POST", "/v1/face/recognition", "search", recognise},
    {"POST", "/v1/face/match", "search", matchV1},
    {"POST", "/v2/face/match", "search", matchV2},
    {"POST", "/v1/face/delete-enrollment", "delete", deleteEnrollment},
    {"POST", "/v1/face/delete-enrollment-variation", "delete", deleteVariation},
    {"POST", "/v1/face/extract-embedding", "embed", extractEmbedding},
    {"POST", "/v1/face/keyspace", "keyspace-admin", createKeyspace},
    {"GET", "/v1/face/keyspace", "search", listKeyspaces},
    {"POST", "/v1/face/delete-keyspace", "keyspace-admin", deleteKeyspace},
    {"GET", "/v1/healthcheck", "", healthcheck},
    {"GET", "/health", "", healthcheck},
    {"GET", "/readyz", "", healthcheck},
    {"GET", "/livez", "", livez},
    {"GET", "/v1/get-limit-usage", "operator", limitUsage},
    {"GET", "/v1/loaded-vectors", "operator", loadedVectors},
    {"GET", "/v1/resource-stats", "operator", resourceStats},
    {"GET", "/v1/openapi.json", "", openApi},
};

constexpr Row kMonitoringRows[] = {
    {"GET", "/metrics", "metrics", metricsText},
    {"GET", "/v1/healthcheck", "", healthcheck},
    {"GET", "/health", "", healthcheck},
    {"GET", "/readyz", "", healthcheck},
    {"GET", "/livez", "", livez},
};

std::vector<http::Route> routesOf(std::span<const Row> rows, const WorkerServices* services) {
    std::vector<http::Route> routes;
    for (const auto& row : rows)
        routes.push_back({row.method, row.path, row.right,
                          [services, handler = row.handler](http::Request&& request, http::Reply reply) {
                              if (const auto meant = isMeantForUs(*services, request); !meant)
                                  return reply.fail(meant.error());
                              handler(*services, std::move(request), std::move(reply));
                          }});
    return routes;
}

} // namespace

std::vector<http::Route> clientRoutes(const WorkerServices* services) {
    return routesOf(kClientRows, services);
}

std::vector<http::Route> monitoringRoutes(const WorkerServices* services) {
    return routesOf(kMonitoringRows, services);
}

} // namespace fremis::api

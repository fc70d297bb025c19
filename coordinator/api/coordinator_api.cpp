#include "coordinator/api/coordinator_api.h"

#include "coordinator/api/handlers.h"

namespace fremis::coordinator {

namespace {

struct Row {
    const char* method;
    const char* path;
    const char* right; ///< "": open to everybody, or the handler checks
    void (*handler)(const CoordinatorServices&, http::Request&&, http::Reply);
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
    {"GET", "/v1/cluster/status", "operator", clusterStatus},
    {"GET", "/v1/cluster/nodes", "operator", clusterNodes},
    {"GET", "/v1/cluster/queue", "operator", clusterQueue},
    {"GET", "/v1/cluster/coordinators", "operator", clusterCoordinators},
    {"GET", "/v1/cluster/config", "operator", clusterConfig},
    {"GET", "/v1/cluster/repair", "operator", repairReport},
    // Of the internal plane: CoordinatorServices::mayAdminister decides.
    {"PUT", "/v1/cluster/config", "", replaceClusterConfig},
    {"POST", "/v1/cluster/queue", "", actOnQueue},
    {"POST", "/v1/cluster/coordinators", "", forgetCoordinator},
    {"POST", "/v1/cluster/reload", "", reloadCluster},
    {"POST", "/v1/cluster/repair", "", startRepair},
};

constexpr Row kMonitoringRows[] = {
    {"GET", "/metrics", "metrics", metricsText},
    {"GET", "/v1/healthcheck", "", healthcheck},
    {"GET", "/health", "", healthcheck},
    {"GET", "/readyz", "", healthcheck},
    {"GET", "/livez", "", livez},
};

std::vector<http::Route> routesOf(std::span<const Row> rows, const CoordinatorServices* services) {
    std::vector<http::Route> routes;
    for (const auto& row : rows)
        routes.push_back({row.method, row.path, row.right,
                          [services, handler = row.handler](http::Request&& request, http::Reply reply) {
                              handler(*services, std::move(request), std::move(reply));
                          }});
    return routes;
}

} // namespace

std::vector<http::Route> clientRoutes(const CoordinatorServices* services) {
    return routesOf(kClientRows, services);
}

std::vector<http::Route> monitoringRoutes(const CoordinatorServices* services) {
    return routesOf(kMonitoringRows, services);
}

} // namespace fremis::coordinator

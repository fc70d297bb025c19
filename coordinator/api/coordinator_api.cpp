#include "coordinator/api/coordinator_api.h"

#include "coordinator/api/handlers.h"
#include "shared/http/face_routes.h"

namespace fremis::coordinator {

namespace {

constexpr http::RouteRow<CoordinatorServices> kClusterRows[] = {
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

} // namespace

std::vector<http::Route> clientRoutes(const CoordinatorServices* services) {
    auto rows = http::faceRows<CoordinatorServices>();
    rows.insert(rows.end(), std::begin(kClusterRows), std::end(kClusterRows));
    return http::routesOf<CoordinatorServices>(rows, services);
}

std::vector<http::Route> monitoringRoutes(const CoordinatorServices* services) {
    return http::routesOf<CoordinatorServices>(http::monitoringRows<CoordinatorServices>(), services);
}

} // namespace fremis::coordinator

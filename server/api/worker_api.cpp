#include "server/api/worker_api.h"

#include "server/api/handlers.h"
#include "shared/http/face_routes.h"

namespace fremis::api {

std::vector<http::Route> clientRoutes(const WorkerServices* services) {
    return http::routesOf<WorkerServices>(http::faceRows<WorkerServices>(), services, isMeantForUs);
}

std::vector<http::Route> monitoringRoutes(const WorkerServices* services) {
    return http::routesOf<WorkerServices>(http::monitoringRows<WorkerServices>(), services, isMeantForUs);
}

} // namespace fremis::api

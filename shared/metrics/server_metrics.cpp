#include "shared/metrics/server_metrics.h"

#include <array>

namespace fremis::metrics {

namespace {

constexpr std::string_view kRequests = "fremisn_requests_total";
constexpr std::string_view kRequestsHelp = "Answered requests by route and HTTP status.";
constexpr std::string_view kState = "fremisn_state";
constexpr std::string_view kStateHelp = "1 for the state the server is in, 0 for the others.";
constexpr std::array<std::string_view, 4> kStates{"DOWN", "LOADING", "CATCHING_UP", "ACTIVE"};

Labels requestLabels(std::string_view endpoint, int status) {
    return {{"endpoint", std::string(endpoint)}, {"status", std::to_string(status)}};
}

} // namespace

ServerMetrics::ServerMetrics(Registry& registry)
    : faceRecognition(registry.timer("latency_face_recognition", "Milliseconds of a 1:N recognition, last 60 s.")),
      faceExtraction(registry.timer("latency_face_extraction", "Milliseconds from photo to embedding, last 60 s.")),
      faceDetection(registry.timer("latency_face_detection", "Milliseconds of face detection, last 60 s.")),
      faceIdSearch(registry.timer("latency_face_id_search", "Milliseconds of an index search, last 60 s.")),
      createEnrollment(registry.timer("latency_create_enrollment", "Milliseconds of an enrolment, last 60 s.")),
      queueFace(registry.gauge("queue_face", "Requests that wait for a model thread.")),
      vectorsLoaded(registry.gauge("fremisn_vectors_loaded", "Embeddings in the index.")),
      incompleteSearches(
          registry.counter("fremisn_incomplete_searches_total", "Searches that did not reach every partition.")),
      m_registry(registry) {
    registry.declareCounter(kRequests, kRequestsHelp);
    registry.declareGauge("fremisn_queue_ops", "Operations queued for a node.");
    registry.declareGauge("fremisn_queue_oldest_seconds", "Age of the oldest operation queued for a node.");
    registry.declareGauge("fremisn_node_up", "1 for a node that answers, else 0.");
    registry.declareGauge("fremisn_config_epoch_info", "1 for the epoch of the cluster map in use.");
    setState("LOADING");
}

void ServerMetrics::countRequest(std::string_view endpoint, int status) {
    m_registry.counter(kRequests, kRequestsHelp, requestLabels(endpoint, status)).add();
}

void ServerMetrics::declareEndpoint(std::string_view endpoint) {
    static_cast<void>(m_registry.counter(kRequests, kRequestsHelp, requestLabels(endpoint, 200)));
}

void ServerMetrics::setState(std::string_view state) {
    for (const auto name : kStates)
        m_registry.gauge(kState, kStateHelp, {{"state", std::string(name)}}).set(name == state ? 1 : 0);
}

} // namespace fremis::metrics

#include "shared/metrics/server_metrics.h"

#include <algorithm>
#include <array>

namespace fremis::metrics {

namespace {

constexpr std::string_view kRequests = "fremisn_requests_total";
constexpr std::string_view kRequestsHelp = "Answered requests by route and HTTP status.";
constexpr std::string_view kState = "fremisn_state";
constexpr std::string_view kStateHelp = "1 for the state the server is in, 0 for the others.";
constexpr std::array<std::string_view, 4> kStates{"DOWN", "LOADING", "CATCHING_UP", "ACTIVE"};

/// Of a coordinator, for each of its workers.
constexpr std::pair<std::string_view, std::string_view> kNodeMetrics[] = {
    {"fremisn_node_up", "1 for a node that answers, else 0."},
    {"fremisn_node_state", "1 for the state a node is in, 0 for the others."},
    {"fremisn_node_loaded_percent", "How much of its vectors a node has in memory."},
    {"fremisn_node_vectors_loaded", "Embeddings in a node's index."},
    {"fremisn_node_latency_milliseconds", "Of the last calls to a node."},
    {"fremisn_queue_ops", "Operations queued for a node."},
    {"fremisn_queue_bytes", "Bytes of the operations queued for a node."},
    {"fremisn_queue_oldest_seconds", "Age of the oldest operation queued for a node."},
    {"fremisn_queue_parked_ops", "Queued operations that a node refuses for good."},
    {"fremisn_node_needs_resync", "1 for a node that must take everything from its replicas."},
};

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
    for (const auto& [name, help] : kNodeMetrics)
        registry.declareGauge(name, help);
    registry.declareGauge("fremisn_config_epoch_info", "1 for the epoch of the cluster map in use.");
    setState("LOADING");
}

void ServerMetrics::countRequest(std::string_view endpoint, int status) {
    m_registry.counter(kRequests, kRequestsHelp, requestLabels(endpoint, status)).add();
}

void ServerMetrics::declareEndpoint(std::string_view endpoint) {
    static_cast<void>(m_registry.counter(kRequests, kRequestsHelp, requestLabels(endpoint, 200)));
}

Gauge& ServerMetrics::ofNode(std::string_view name, const std::string& node, const Labels& more) {
    Labels labels{{"node", node}};
    labels.insert(labels.end(), more.begin(), more.end());
    const auto known = std::find_if(std::begin(kNodeMetrics), std::end(kNodeMetrics),
                                    [name](const auto& metric) { return metric.first == name; });
    auto& gauge = m_registry.gauge(name, known == std::end(kNodeMetrics) ? "" : known->second, labels);
    m_nodeSeries[node].emplace(name, std::move(labels));
    return gauge;
}

void ServerMetrics::keepNodes(const std::set<std::string>& nodes) {
    std::erase_if(m_nodeSeries, [&](const auto& entry) {
        if (nodes.contains(entry.first))
            return false;
        for (const auto& [name, labels] : entry.second)
            m_registry.removeGauge(name, labels);
        return true;
    });
}

void ServerMetrics::setState(std::string_view state) {
    for (const auto name : kStates)
        m_registry.gauge(kState, kStateHelp, {{"state", std::string(name)}}).set(name == state ? 1 : 0);
}

} // namespace fremis::metrics

#pragma once

#include "shared/metrics/registry.h"

#include <set>
#include <string_view>

namespace fremis::metrics {

/// The metrics that dashboards read by name. All exist, with value 0 or without series, once this is constructed.
/// Times are milliseconds over the last 60 s. Thread: any. The registry must outlive it.
class ServerMetrics {
public:
    explicit ServerMetrics(Registry& registry);

    WindowTimer& faceRecognition;  ///< latency_face_recognition: a whole 1:N request
    WindowTimer& faceExtraction;   ///< latency_face_extraction: photo to embedding, all model work
    WindowTimer& faceDetection;    ///< latency_face_detection
    WindowTimer& faceIdSearch;     ///< latency_face_id_search: one index search
    WindowTimer& createEnrollment; ///< latency_create_enrollment: a whole enrolment
    Gauge& queueFace;              ///< queue_face: requests that wait for a model thread
    Gauge& vectorsLoaded;          ///< fremisn_vectors_loaded
    Counter& incompleteSearches;   ///< fremisn_incomplete_searches_total

    /// fremisn_requests_total. `endpoint`: the route's pattern, never a path as sent.
    void countRequest(std::string_view endpoint, int status);
    /// Makes the series endpoint × 200, so that rates start at 0.
    void declareEndpoint(std::string_view endpoint);
    /// fremisn_state: 1 for `state`, 0 for the others. `state`: DOWN, LOADING, CATCHING_UP or ACTIVE.
    void setState(std::string_view state);

    // Of a coordinator. Thread: one.
    /// The gauge `name`{node="…", more…} of one of its workers.
    [[nodiscard]] Gauge& ofNode(std::string_view name, const std::string& node, const Labels& more = {});
    /// Forgets the gauges of all other nodes; references to them must be gone.
    void keepNodes(const std::set<std::string>& nodes);

private:
    Registry& m_registry;
    std::map<std::string, std::set<std::pair<std::string, Labels>>> m_nodeSeries; ///< by node: name and labels
};

} // namespace fremis::metrics

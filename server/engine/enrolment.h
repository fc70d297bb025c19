#pragma once

#include "server/engine/done.h"
#include "server/engine/node.h"
#include "server/engine/photo_analyser.h"
#include "shared/storage/id_generator.h"
#include "shared/wire/requests.h"

namespace fremis::engine {

struct PhotoRules {
    bool rejectMultipleFaces = false;
    bool enforceGates = true;
};

/// Options of the pipeline for one request under the rules of this server.
[[nodiscard]] vision::Options visionOptions(vision::Purpose purpose, const PhotoRules& rules,
                                            const wire::FaceOptions& asked);

struct Enrolled {
    base::FaceId face;
    base::Variation variation;
    std::vector<vision::Face> faces;
};

/// Enrols photos: model, version, durable row, index, in this order. Thread: any.
class Enrolment {
public:
    /// `maxFaces`: none = no limit.
    Enrolment(Node& node, PhotoAnalyser& photos, storage::FaceIdGenerator& faceIds, const base::Clock& clock,
              PhotoRules rules, std::optional<std::uint64_t> maxFaces)
        : m_node(node), m_photos(photos), m_faceIds(faceIds), m_clock(clock), m_rules(rules), m_maxFaces(maxFaces) {}

    /// `idempotencyKey`: of the client, may be empty. A repeat within 24 h gets the first answer.
    void enrol(wire::Enrollment request, std::string idempotencyKey, RequestContext context, Done<Enrolled> done);

private:
    struct Pending;
    void store(const std::shared_ptr<Pending>& pending, vision::Analysis analysis);
    [[nodiscard]] base::FaceId chooseFaceId(const Pending& pending);
    void submit(const std::shared_ptr<Pending>& pending);
    void finish(const std::shared_ptr<Pending>& pending, const base::Result<storage::Outcome>& outcome);
    [[nodiscard]] base::Status checkLimit(const Pending& pending) const;

    Node& m_node;
    PhotoAnalyser& m_photos;
    storage::FaceIdGenerator& m_faceIds;
    const base::Clock& m_clock;
    const PhotoRules m_rules;
    const std::optional<std::uint64_t> m_maxFaces;
    std::atomic<std::uint64_t> m_facesUnderWay = 0; ///< may become new faces; counted against the limit
};

} // namespace fremis::engine

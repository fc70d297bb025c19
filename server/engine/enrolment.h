#pragma once

#include "server/engine/done.h"
#include "server/engine/node.h"
#include "server/engine/photo_model.h"
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
    /// For other replicas: with the version, face and variation that were stored. When `isRepeat`, the embedding is of
    /// this request's photo and the store holds the first one.
    storage::AddVariation operation;
    bool isRepeat = false;
};

/// Enrols photos: model, version, durable row, index, in this order. Thread: any.
class Enrolment {
public:
    /// `maxFaces`: none = no limit.
    Enrolment(Node& node, PhotoModel& photos, storage::FaceIdGenerator& faceIds, const base::Clock& clock,
              PhotoRules rules, std::optional<std::uint64_t> maxFaces)
        : m_node(node), m_photos(photos), m_faceIds(faceIds), m_clock(clock), m_rules(rules), m_maxFaces(maxFaces) {}

    /// `idempotencyKey`: of the client, may be empty. A repeat within 24 h gets the first answer.
    void enrol(wire::Enrollment request, std::string idempotencyKey, RequestContext context, Done<Enrolled> done);
    /// For a coordinator, which names the operation and has chosen the face id. FaceExists when the id was generated
    /// (`newFace`) and the face is there. A repeat of `opId` gets the first answer.
    void originate(wire::Enrollment request, const storage::OpId& opId, bool newFace, RequestContext context,
                   Done<Enrolled> done);

private:
    struct Pending;
    void begin(std::shared_ptr<Pending> pending);
    void store(const std::shared_ptr<Pending>& pending, vision::Analysis analysis);
    [[nodiscard]] base::FaceId chooseFaceId(const Pending& pending);
    void submit(const std::shared_ptr<Pending>& pending);
    void finish(const std::shared_ptr<Pending>& pending, const base::Result<storage::Outcome>& outcome);
    [[nodiscard]] base::Status checkLimit(const Pending& pending) const;

    Node& m_node;
    PhotoModel& m_photos;
    storage::FaceIdGenerator& m_faceIds;
    const base::Clock& m_clock;
    const PhotoRules m_rules;
    const std::optional<std::uint64_t> m_maxFaces;
    std::atomic<std::uint64_t> m_facesUnderWay = 0; ///< may become new faces; counted against the limit
};

} // namespace fremis::engine

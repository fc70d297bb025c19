#pragma once

#include "server/engine/done.h"
#include "server/engine/node.h"
#include "shared/wire/requests.h"

namespace fremis::engine {

struct FacesRemoved {
    std::vector<base::FaceId> deleted; ///< in the order asked
    /// Not decided: the error below stopped the rest. Empty when all went well.
    std::vector<base::FaceId> failed;
    std::optional<base::Error> error;
    std::vector<storage::Operation> operations; ///< what was stored, for other replicas
};

struct VariationsRemoved {
    std::vector<base::Variation> deleted;
    bool faceDeleted = false;
    std::vector<storage::Operation> operations;
};

/// Deletes faces and variations: durable first, then out of the index, then answered. Thread: any.
class Removal {
public:
    explicit Removal(Node& node) : m_node(node) {}

    /// A coordinator, or nobody.
    struct Origin {
        std::vector<storage::OpId> opIds{}; ///< one for each face (variation), or empty. A repeat gets the first answer
        bool evenIfAbsent = false;          ///< leaves a tombstone also where nothing is found, and says deleted
    };
    void removeFaces(wire::DeleteEnrollment request, const Origin& origin, Done<FacesRemoved> done);
    void removeVariations(wire::DeleteVariation request, const Origin& origin, Done<VariationsRemoved> done);

private:
    struct Batch;
    void submitMore(const std::shared_ptr<Batch>& batch);
    void submitOne(const std::shared_ptr<Batch>& batch, std::size_t at);
    void finishOne(const std::shared_ptr<Batch>& batch, std::size_t at, const base::Result<storage::Outcome>& outcome);

    Node& m_node;
};

} // namespace fremis::engine

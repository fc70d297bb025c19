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
};

struct VariationsRemoved {
    std::vector<base::Variation> deleted;
    bool faceDeleted = false;
};

/// Deletes faces and variations: durable first, then out of the index, then answered. Thread: any.
class Removal {
public:
    explicit Removal(Node& node) : m_node(node) {}

    void removeFaces(wire::DeleteEnrollment request, Done<FacesRemoved> done);
    void removeVariations(wire::DeleteVariation request, Done<VariationsRemoved> done);

private:
    struct Batch;
    void submitMore(const std::shared_ptr<Batch>& batch);
    void submitOne(const std::shared_ptr<Batch>& batch, std::size_t at);
    void finishOne(const std::shared_ptr<Batch>& batch, std::size_t at, const base::Result<storage::Outcome>& outcome);

    Node& m_node;
};

} // namespace fremis::engine

#pragma once

#include "shared/base/error.h"
#include "shared/storage/enrollment_store.h"

#include <chrono>

namespace fremis::storage {

/// Answers are kept a little longer than the 24 hours that clients are promised.
inline constexpr std::chrono::hours kAnswersKept{25};
inline constexpr std::chrono::minutes kForgetEvery{10};

/// The refusal of claimSpace(). `elsewhere`: where new rows could go, as the operator would write it.
[[nodiscard]] inline tl::unexpected<base::Error>
wrongSpace(const EnrollmentStore::Space& stored, const EnrollmentStore::Space& wanted, const std::string& elsewhere) {
    const auto text = [](const EnrollmentStore::Space& space) {
        return "\"" + space.name + "\" (" + std::to_string(space.dimension) + " values)";
    };
    return base::fail(base::Reason::BadStore,
                      "the store holds embeddings of the space " + text(stored) + ", the model pack makes " +
                          text(wanted) +
                          ", and the two cannot be compared: start with the pack that made them, or choose " +
                          elsewhere + " and enrol again");
}

} // namespace fremis::storage

#pragma once

#include "shared/wire/fields.h"
#include "shared/wire/replies.h"

/// What the readers of replies share. Private to this library.
namespace fremis::wire {

/// Replies of a large cluster have more members than any request may.
inline constexpr JsonLimits kReplyLimits{.depth = 32, .keys = 1'200'000, .keyBytes = 1'024, .values = 2'400'000};

/// readBody() of a peer's reply: whatever is wrong with it is the peer's fault.
template<class Read>
[[nodiscard]] auto readReply(std::string_view body, Read read) -> base::Result<std::invoke_result_t<Read, Fields&>> {
    auto reply = readBody(body, read, kReplyLimits);
    if (!reply)
        return base::fail(base::Reason::CorruptData, "a peer's reply makes no sense", std::move(reply.error().message));
    return reply;
}

/// Ids in replies are strings always.
[[nodiscard]] base::FaceId replyFaceId(Fields& fields);
[[nodiscard]] base::Variation replyVariation(Fields& fields);
[[nodiscard]] std::optional<std::vector<base::FaceId>> optionalReplyFaceIds(Fields& fields, std::string_view key);

// The replies that the internal plane carries too.
[[nodiscard]] EnrollmentReply enrollmentReplyOf(Fields& fields);
[[nodiscard]] DeleteEnrollmentReply deleteEnrollmentReplyOf(Fields& fields);
[[nodiscard]] DeleteVariationReply deleteVariationReplyOf(Fields& fields);
[[nodiscard]] CreateKeyspaceReply createKeyspaceReplyOf(Fields& fields);
[[nodiscard]] DeleteKeyspaceReply deleteKeyspaceReplyOf(Fields& fields);

} // namespace fremis::wire

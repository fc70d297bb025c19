#pragma once

#include "shared/wire/replies.h"

/// Readers of the client plane's replies, for a program that asks another (coordinator, console, tools). A reply is
/// checked before any of it is used: whole JSON, types, finite numbers in their range, valid ids; anything else is
/// Reason::CorruptData and nothing is returned. Members that a reader does not know are ignored. Whether an answer fits
/// the question (k, partitions, order) is the caller's to check. Thread: any.
namespace fremis::wire {

/// Candidate::score is exactly the float32 that the worker computed; static_cast<float>() loses nothing.
[[nodiscard]] base::Result<RecognitionReply> readRecognition(std::string_view body);
[[nodiscard]] base::Result<MatchV1Reply> readMatchV1(std::string_view body);
[[nodiscard]] base::Result<MatchV2Reply> readMatchV2(std::string_view body);
/// Every embedding has the length `model.dim`, is finite and not zero.
[[nodiscard]] base::Result<ExtractEmbeddingReply> readExtractEmbedding(std::string_view body);
[[nodiscard]] base::Result<EnrollmentReply> readEnrollment(std::string_view body);
[[nodiscard]] base::Result<DeleteEnrollmentReply> readDeleteEnrollment(std::string_view body);
[[nodiscard]] base::Result<DeleteVariationReply> readDeleteVariation(std::string_view body);
[[nodiscard]] base::Result<GetEnrollmentReply> readGetEnrollment(std::string_view body);
[[nodiscard]] base::Result<ListEnrollmentsReply> readListEnrollments(std::string_view body);
[[nodiscard]] base::Result<CreateKeyspaceReply> readCreateKeyspace(std::string_view body);
[[nodiscard]] base::Result<ListKeyspacesReply> readListKeyspaces(std::string_view body);
[[nodiscard]] base::Result<DeleteKeyspaceReply> readDeleteKeyspace(std::string_view body);
[[nodiscard]] base::Result<LoadedVectors> readLoadedVectors(std::string_view body);
[[nodiscard]] base::Result<LimitUsage> readLimitUsage(std::string_view body);
/// Of a 200 (and of /livez, which says the same in every state).
[[nodiscard]] base::Result<Health> readHealth(std::string_view body);

/// The body of a reply that is not 2xx. An unknown token is no fault (a newer program): then `reason` is nothing.
struct ErrorReply {
    std::optional<base::Reason> reason;
    std::string token;       ///< the member `error`
    std::string description; ///< for people
};
[[nodiscard]] base::Result<ErrorReply> readError(std::string_view body);

} // namespace fremis::wire

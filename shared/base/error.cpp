#include "shared/base/error.h"

#include <array>

namespace fremis::base {

namespace {

constexpr std::array kReasons{
    ReasonInfo{Reason::BadFraming, "bad_framing", 400, Code::InvalidArgument},
    ReasonInfo{Reason::BadRequestLine, "bad_request_line", 400, Code::InvalidArgument},
    ReasonInfo{Reason::BadHeader, "bad_header", 400, Code::InvalidArgument},
    ReasonInfo{Reason::BadUri, "bad_uri", 400, Code::InvalidArgument},
    ReasonInfo{Reason::InvalidJson, "invalid_json", 400, Code::InvalidArgument},
    ReasonInfo{Reason::NotAnObject, "not_an_object", 400, Code::InvalidArgument},
    ReasonInfo{Reason::JsonTooDeep, "json_too_deep", 400, Code::InvalidArgument},
    ReasonInfo{Reason::JsonTooManyKeys, "json_too_many_keys", 400, Code::InvalidArgument},
    ReasonInfo{Reason::JsonTooLarge, "json_too_large", 400, Code::InvalidArgument},
    ReasonInfo{Reason::KeyTooLong, "key_too_long", 400, Code::InvalidArgument},
    ReasonInfo{Reason::DuplicateKey, "duplicate_key", 400, Code::InvalidArgument},
    ReasonInfo{Reason::InvalidUtf8, "invalid_utf8", 400, Code::InvalidArgument},
    ReasonInfo{Reason::InvalidParams, "invalid_params", 400, Code::InvalidArgument},
    ReasonInfo{Reason::ImageMissing, "image_missing", 400, Code::InvalidArgument},
    ReasonInfo{Reason::ImageNotString, "image_not_string", 400, Code::InvalidArgument},
    ReasonInfo{Reason::ImageNotBase64, "image_not_base64", 400, Code::InvalidArgument},
    ReasonInfo{Reason::ImageInvalid, "image_invalid", 400, Code::InvalidArgument},
    ReasonInfo{Reason::ImageUnsupported, "image_unsupported", 400, Code::InvalidArgument},
    ReasonInfo{Reason::ImageTooLarge, "image_too_large", 400, Code::InvalidArgument},
    ReasonInfo{Reason::ImageTooSmall, "image_too_small", 400, Code::InvalidArgument},
    ReasonInfo{Reason::NoFace, "no_face", 400, Code::InvalidArgument},
    ReasonInfo{Reason::FaceTooSmall, "face_too_small", 400, Code::InvalidArgument},
    ReasonInfo{Reason::LowQuality, "low_quality", 400, Code::InvalidArgument},
    ReasonInfo{Reason::MultipleFaces, "multiple_faces", 400, Code::InvalidArgument},
    ReasonInfo{Reason::EmbeddingInvalid, "embedding_invalid", 400, Code::InvalidArgument},
    ReasonInfo{Reason::SpaceMismatch, "space_mismatch", 400, Code::InvalidArgument},
    ReasonInfo{Reason::KeyspaceMissing, "keyspace_missing", 400, Code::InvalidArgument},
    ReasonInfo{Reason::InvalidKeyspace, "invalid_keyspace", 400, Code::InvalidArgument},
    ReasonInfo{Reason::InvalidFaceId, "invalid_face_id", 400, Code::InvalidArgument},
    ReasonInfo{Reason::InvalidFaceIds, "invalid_face_ids", 400, Code::InvalidArgument},
    ReasonInfo{Reason::TooManyIds, "too_many_ids", 400, Code::InvalidArgument},
    ReasonInfo{Reason::InvalidVariations, "invalid_variations", 400, Code::InvalidArgument},
    ReasonInfo{Reason::CandidateCountInvalid, "candidate_count_invalid", 400, Code::InvalidArgument},
    ReasonInfo{Reason::AmbiguousInput, "ambiguous_input", 400, Code::InvalidArgument},
    ReasonInfo{Reason::InputMissing, "input_missing", 400, Code::InvalidArgument},
    ReasonInfo{Reason::InvalidCursor, "invalid_cursor", 400, Code::InvalidArgument},
    ReasonInfo{Reason::InvalidLimit, "invalid_limit", 400, Code::InvalidArgument},
    ReasonInfo{Reason::InvalidConfig, "invalid_config", 400, Code::InvalidArgument},
    ReasonInfo{Reason::Unauthorized, "unauthorized", 401, Code::FailedPrecondition},
    ReasonInfo{Reason::ClockSkew, "clock_skew", 401, Code::FailedPrecondition},
    ReasonInfo{Reason::Replayed, "replayed", 401, Code::FailedPrecondition},
    ReasonInfo{Reason::Forbidden, "forbidden", 403, Code::FailedPrecondition},
    ReasonInfo{Reason::NotFound, "not_found", 404, Code::NotFound},
    ReasonInfo{Reason::KeyspaceNotFound, "keyspace_not_found", 404, Code::NotFound},
    ReasonInfo{Reason::FaceNotFound, "face_not_found", 404, Code::NotFound},
    ReasonInfo{Reason::MethodNotAllowed, "method_not_allowed", 405, Code::InvalidArgument},
    ReasonInfo{Reason::RequestTimeout, "request_timeout", 408, Code::DeadlineExceeded},
    ReasonInfo{Reason::DataNotMoved, "data_not_moved", 409, Code::FailedPrecondition},
    ReasonInfo{Reason::StaleEpoch, "stale_epoch", 409, Code::FailedPrecondition},
    ReasonInfo{Reason::RuleMismatch, "rule_mismatch", 409, Code::FailedPrecondition},
    ReasonInfo{Reason::ProtocolMismatch, "protocol_mismatch", 409, Code::FailedPrecondition},
    ReasonInfo{Reason::DimensionMismatch, "dimension_mismatch", 409, Code::FailedPrecondition},
    ReasonInfo{Reason::FaceExists, "face_exists", 409, Code::AlreadyExists},
    ReasonInfo{Reason::VersionAhead, "version_ahead", 409, Code::FailedPrecondition},
    ReasonInfo{Reason::ConfigChanged, "config_changed", 412, Code::FailedPrecondition},
    ReasonInfo{Reason::BodyTooLarge, "body_too_large", 413, Code::InvalidArgument},
    ReasonInfo{Reason::UriTooLong, "uri_too_long", 414, Code::InvalidArgument},
    ReasonInfo{Reason::UnsupportedMediaType, "unsupported_media_type", 415, Code::InvalidArgument},
    ReasonInfo{Reason::UnsupportedEncoding, "unsupported_encoding", 415, Code::InvalidArgument},
    ReasonInfo{Reason::Expectation, "expectation", 417, Code::InvalidArgument},
    ReasonInfo{Reason::NotOwner, "not_owner", 421, Code::FailedPrecondition},
    ReasonInfo{Reason::OtherInstance, "other_instance", 421, Code::FailedPrecondition},
    ReasonInfo{Reason::PreconditionRequired, "precondition_required", 428, Code::InvalidArgument},
    ReasonInfo{Reason::HeadersTooLarge, "headers_too_large", 431, Code::InvalidArgument},
    ReasonInfo{Reason::RateLimited, "rate_limited", 429, Code::ResourceExhausted},
    ReasonInfo{Reason::PartitionQuota, "partition_quota", 429, Code::ResourceExhausted},
    ReasonInfo{Reason::EnrollmentLimit, "enrollment_limit", 429, Code::ResourceExhausted},
    ReasonInfo{Reason::KeyspaceLimit, "keyspace_limit", 429, Code::ResourceExhausted},
    ReasonInfo{Reason::Internal, "internal", 500, Code::Internal},
    ReasonInfo{Reason::TransferEncoding, "transfer_encoding", 501, Code::InvalidArgument},
    ReasonInfo{Reason::NotReady, "not_ready", 503, Code::Unavailable},
    ReasonInfo{Reason::Overloaded, "overloaded", 503, Code::ResourceExhausted},
    ReasonInfo{Reason::PartitionUnavailable, "partition_unavailable", 503, Code::Unavailable},
    ReasonInfo{Reason::NotEnoughReplicas, "not_enough_replicas", 503, Code::Unavailable},
    ReasonInfo{Reason::IncompleteSearch, "incomplete_search", 503, Code::Unavailable},
    ReasonInfo{Reason::OutcomeUnknown, "outcome_unknown", 503, Code::DeadlineExceeded},
    ReasonInfo{Reason::StorageFull, "storage_full", 507, Code::ResourceExhausted},
    ReasonInfo{Reason::BadModelPack, "bad_model_pack", 500, Code::FailedPrecondition},
    ReasonInfo{Reason::BadStore, "bad_store", 500, Code::FailedPrecondition},
    ReasonInfo{Reason::CorruptData, "corrupt_data", 500, Code::Corrupt},
};

} // namespace

std::span<const ReasonInfo> reasonTable() {
    return kReasons;
}

const ReasonInfo& infoOf(Reason reason) {
    return kReasons[static_cast<std::size_t>(reason)];
}

std::optional<Reason> reasonOfToken(std::string_view token) {
    for (const auto& row : kReasons)
        if (row.token == token)
            return row.reason;
    return std::nullopt;
}

Error Error::in(std::string_view context) const {
    Error wrapped = *this;
    wrapped.detail = std::string(context) + ": " + (detail.empty() ? message : detail);
    return wrapped;
}

} // namespace fremis::base

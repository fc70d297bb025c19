#pragma once

#include <tl/expected.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fremis::base {

/// What the caller can do about a failure.
enum class Code {
    InvalidArgument,    ///< change the request
    NotFound,           ///< name something that exists
    AlreadyExists,      ///< it is there already
    FailedPrecondition, ///< change the state or the configuration first
    ResourceExhausted,  ///< try later or free something
    DeadlineExceeded,   ///< it took too long
    Unavailable,        ///< try again
    Corrupt,            ///< stored or received bytes are damaged
    Internal,           ///< a defect of this program
};

/// Every reason a client can be told; each has a stable token, an HTTP status and a Code in one table (reasonTable()).
// clang-format off
enum class Reason {
    // 400 framing
    BadFraming, BadRequestLine, BadHeader, BadUri,
    // 400 JSON
    InvalidJson, NotAnObject, JsonTooDeep, JsonTooManyKeys, JsonTooLarge, KeyTooLong, DuplicateKey, InvalidUtf8, InvalidParams,
    // 400 image
    ImageMissing, ImageNotString, ImageNotBase64, ImageInvalid, ImageUnsupported, ImageTooLarge, ImageTooSmall,
    // 400 face
    NoFace, FaceTooSmall, LowQuality, MultipleFaces, EmbeddingInvalid, SpaceMismatch,
    // 400 fields
    KeyspaceMissing, InvalidKeyspace, InvalidFaceId, InvalidFaceIds, TooManyIds, InvalidVariations, CandidateCountInvalid,
    AmbiguousInput, InputMissing, InvalidCursor, InvalidLimit, InvalidConfig,
    // access
    Unauthorized, ClockSkew, Replayed, Forbidden,
    // 404..409
    NotFound, KeyspaceNotFound, FaceNotFound, MethodNotAllowed, RequestTimeout, DataNotMoved,
    // 409 internal plane
    StaleEpoch, RuleMismatch, ProtocolMismatch, DimensionMismatch, FaceExists, VersionAhead,
    // 412..431
    ConfigChanged, BodyTooLarge, UriTooLong, UnsupportedMediaType, UnsupportedEncoding, Expectation, NotOwner, OtherInstance,
    PreconditionRequired, HeadersTooLarge,
    // 429
    RateLimited, PartitionQuota, EnrollmentLimit, KeyspaceLimit,
    // 5xx
    Internal, TransferEncoding, NotReady, Overloaded, PartitionUnavailable, NotEnoughReplicas, IncompleteSearch, OutcomeUnknown,
    StorageFull,
    // start-up and files; never sent to a client
    BadModelPack, BadStore, CorruptData,
};
// clang-format on

struct ReasonInfo {
    Reason reason;
    std::string_view token; ///< stable text that programs compare
    int status;             ///< HTTP status
    Code code;
};

/// The one table from reason to token, status and code; a row for each Reason, in enum order.
[[nodiscard]] std::span<const ReasonInfo> reasonTable();
[[nodiscard]] const ReasonInfo& infoOf(Reason reason);
[[nodiscard]] std::optional<Reason> reasonOfToken(std::string_view token);

/// A failure: why (reason), one line for the client (message), more for the log (detail). Never holds secrets, ids or
/// images.
struct Error {
    Reason reason = Reason::Internal;
    std::string message;
    std::string detail;

    [[nodiscard]] Code code() const { return infoOf(reason).code; }
    [[nodiscard]] int status() const { return infoOf(reason).status; }
    [[nodiscard]] std::string_view token() const { return infoOf(reason).token; }
    /// The same error with "context: " before its detail.
    [[nodiscard]] Error in(std::string_view context) const;
};

template<class T> using Result = tl::expected<T, Error>;
using Status = Result<void>;

/// `return fail(Reason::ImageMissing, "the image field not found");`
[[nodiscard]] inline tl::unexpected<Error> fail(Reason reason, std::string message, std::string detail = {}) {
    return tl::unexpected<Error>(Error{reason, std::move(message), std::move(detail)});
}

} // namespace fremis::base

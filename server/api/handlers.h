#pragma once

#include "server/api/worker_api.h"
#include "shared/wire/replies.h"

/// The handlers behind the routes of worker_api.h. Thread: the connection's event loop; answers may come from any.
namespace fremis::api {

/// How long a client may wait: the shortest client time-out on an enrolment is 10 s.
inline constexpr std::chrono::seconds kAnswerTime{9};
inline constexpr std::chrono::seconds kBulkAnswerTime{60};
/// Deletes of more ids than this get kBulkAnswerTime.
inline constexpr std::size_t kBulkIds = 1'000;

/// What happens to a request that runs out of time.
enum class Kind {
    Read,  ///< surely nothing happened
    Write, ///< may still happen, whole or not at all
};

/// When the caller must have an answer: `most` after its request came, or earlier when its header says so
/// (wire::internal::kDeadlineHeader).
[[nodiscard]] std::chrono::steady_clock::time_point deadlineOf(const http::Request& request,
                                                               std::chrono::milliseconds most = kAnswerTime);

using SharedReply = std::shared_ptr<const http::Reply>;
/// `reply`, watched: it is answered in time whatever happens. A write with a `ticket` that has not set out by then
/// never will, and is told so.
[[nodiscard]] SharedReply inTime(const WorkerServices& services, http::Reply reply, Kind kind,
                                 std::chrono::steady_clock::time_point deadline,
                                 std::shared_ptr<engine::WriteTicket> ticket = nullptr);
[[nodiscard]] engine::RequestContext contextOf(const http::Request& request, const SharedReply& reply);

[[nodiscard]] std::vector<wire::DetectedFace> wireFaces(const std::vector<vision::Face>& faces);

[[nodiscard]] std::vector<wire::PartitionRange> rangesOf(const hashing::PartitionSet& set);

/// Sends the outcome of a comparison in the shape of POST /v2/face/match.
[[nodiscard]] engine::Done<engine::Matched> answerMatchV2(const WorkerServices& services, const SharedReply& reply);

/// OtherInstance when the request is meant for another one (wire::internal::kInstanceHeader).
[[nodiscard]] base::Status isMeantForUs(const WorkerServices& services, const http::Request& request);
/// This worker, once its storage has told who it is.
[[nodiscard]] std::optional<std::string> instanceOf(const WorkerServices& services);

/// Forbidden when keys are required and the request's key is not bound to the keyspace.
[[nodiscard]] base::Status mayUse(const WorkerServices& services, const http::Request& request,
                                  const base::KeyspaceName& keyspace);

void enrol(const WorkerServices& services, http::Request&& request, http::Reply reply);
void recognise(const WorkerServices& services, http::Request&& request, http::Reply reply);
void matchV1(const WorkerServices& services, http::Request&& request, http::Reply reply);
void matchV2(const WorkerServices& services, http::Request&& request, http::Reply reply);
void deleteEnrollment(const WorkerServices& services, http::Request&& request, http::Reply reply);
void deleteVariation(const WorkerServices& services, http::Request&& request, http::Reply reply);
void extractEmbedding(const WorkerServices& services, http::Request&& request, http::Reply reply);
void getEnrollment(const WorkerServices& services, http::Request&& request, http::Reply reply);
void listEnrollments(const WorkerServices& services, http::Request&& request, http::Reply reply);
void createKeyspace(const WorkerServices& services, http::Request&& request, http::Reply reply);
void listKeyspaces(const WorkerServices& services, http::Request&& request, http::Reply reply);
void deleteKeyspace(const WorkerServices& services, http::Request&& request, http::Reply reply);

void healthcheck(const WorkerServices& services, http::Request&& request, http::Reply reply);
void livez(const WorkerServices& services, http::Request&& request, http::Reply reply);
void limitUsage(const WorkerServices& services, http::Request&& request, http::Reply reply);
void loadedVectors(const WorkerServices& services, http::Request&& request, http::Reply reply);
void resourceStats(const WorkerServices& services, http::Request&& request, http::Reply reply);
void openApi(const WorkerServices& services, http::Request&& request, http::Reply reply);
void metricsText(const WorkerServices& services, http::Request&& request, http::Reply reply);

} // namespace fremis::api

#pragma once

#include "coordinator/api/coordinator_api.h"
#include "shared/wire/replies.h"

/// The handlers behind the routes of coordinator_api.h. Thread: the connection's event loop; they parse, post the work
/// to the environment's thread and return.
namespace fremis::coordinator {

inline constexpr std::chrono::milliseconds kAnswerTime{9'000};
inline constexpr std::chrono::milliseconds kBulkAnswerTime{60'000};
/// Deletes of more ids than this get kBulkAnswerTime.
inline constexpr std::size_t kBulkIds = 1'000;

enum class Kind {
    Read,  ///< surely nothing happened
    Write, ///< may still happen, whole or not at all
};
using SharedReply = std::shared_ptr<const http::Reply>;

/// `reply`, watched: it is answered in time whatever happens.
[[nodiscard]] SharedReply inTime(const CoordinatorServices& services, http::Reply reply, Kind kind,
                                 std::chrono::steady_clock::time_point deadline);
/// The work's deadline is a little before the client's, so that the client is told its outcome.
[[nodiscard]] RequestContext contextOf(const http::Request& request, std::chrono::milliseconds time = kAnswerTime);

/// What waits for a worker; nothing for one that was never reached.
[[nodiscard]] TargetStats statsOf(const QueueStats& stats, const Peer& peer);
/// 0 without a time.
[[nodiscard]] double milliseconds(std::optional<std::chrono::microseconds> time);
/// 0 without a moment.
[[nodiscard]] std::int64_t secondsSince(std::optional<std::chrono::milliseconds> then, std::chrono::milliseconds now);

/// Sends a use case's answer; `write` makes the body of what went well.
template<class T, class Write> [[nodiscard]] Done<T> answerTo(SharedReply reply, Write write) {
    return [reply = std::move(reply), write = std::move(write)](Answer<T> answer) {
        answer ? reply->json(write(*answer)) : reply->fail(answer.error().error, answer.error().members);
    };
}

void enrol(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void recognise(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void matchV1(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void matchV2(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void deleteEnrollment(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void deleteVariation(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void extractEmbedding(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void getEnrollment(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void listEnrollments(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void createKeyspace(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void listKeyspaces(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void deleteKeyspace(const CoordinatorServices& services, http::Request&& request, http::Reply reply);

void healthcheck(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void livez(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void limitUsage(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void loadedVectors(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void resourceStats(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void openApi(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void metricsText(const CoordinatorServices& services, http::Request&& request, http::Reply reply);

void clusterStatus(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void clusterNodes(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void clusterQueue(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void actOnQueue(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void clusterCoordinators(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void forgetCoordinator(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void clusterConfig(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void replaceClusterConfig(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void repairReport(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void startRepair(const CoordinatorServices& services, http::Request&& request, http::Reply reply);
void reloadCluster(const CoordinatorServices& services, http::Request&& request, http::Reply reply);

} // namespace fremis::coordinator

#pragma once

#include "coordinator/cluster/transport.h"
#include "shared/hashing/partition_set.h"
#include "shared/wire/replies.h"
#include "tests/sim/sim_environment.h"

#include <set>

namespace fremis::sim {

/// One enrolled photo. Its score against the one probe that all simulated searches ask for is part of the content.
struct SimFace {
    base::FaceId face;
    base::Variation variation;
    base::Partition partition = 0;
    float score = 0;
};

/// What goes wrong at a worker, for everything that it is asked while it lasts.
enum class Fault {
    None,
    Hung,         ///< takes the call and never answers
    Refused,      ///< nobody listens
    Slow,         ///< answers after SimWorker::delay
    Overloaded,   ///< searches are 503
    DropsAnswers, ///< searches, and breaks the connection instead of answering
    Nonsense,     ///< answers searches against the rules
    Loading,      ///< says so, and searches are 503 not_ready
};
/// Rules of a search's answer that a worker can break.
enum class Breach {
    OtherPartitions,
    NoPartitions,
    NoCount,
    Unsorted,
    TooMany,
    NotANumber,
    ScoreOutOfRange,
    ForeignPartition,
    FaceTwice,
    Truncated,
    LongBody,
    NoEmbedding, ///< of a search by photo; else Truncated
};
inline constexpr int kBreaches = static_cast<int>(Breach::NoEmbedding) + 1;

struct SimWorker {
    std::string address;
    hashing::PartitionSet partitions; ///< that it owns
    Fault fault = Fault::None;
    Breach breach = Breach::Truncated;
    std::chrono::microseconds delay{0}; ///< of Fault::Slow
    [[nodiscard]] bool isGone() const { return fault == Fault::Refused || fault == Fault::DropsAnswers; }
};

/// What a search did on the wire, by request id.
struct SearchTraffic {
    struct Sent {
        std::size_t worker;
        hashing::PartitionSet partitions;
        bool again;            ///< asked before in this request, and not in place of a worker found out since
        bool replaced = false; ///< found out, and a later call stands in for it
    };
    std::vector<Sent> sent;
    hashing::PartitionSet delivered; ///< by answers that keep the rules
};

/// The network and the workers behind it. Answers are real JSON, made from the content; what a worker is asked is read
/// with the worker's own readers.
class SimTransport final : public coordinator::Transport {
public:
    SimTransport(SimEnvironment& environment, std::uint64_t seed) : m_environment(environment), m_chance(seed) {}

    CallId send(coordinator::Call call, std::function<void(coordinator::CallResult)> done) override;
    void cancel(CallId call) override;

    /// Whether the coordinator knows that a worker is out of rotation.
    std::function<bool(const std::string& address)> isOut = [](const std::string&) { return false; };
    std::vector<SimWorker> workers;
    std::vector<SimFace> content; ///< best first
    std::map<std::string, SearchTraffic> traffic;
    [[nodiscard]] std::size_t inFlight() const { return m_calls.size(); }

    /// The probe photo and what a model makes of it.
    static constexpr std::string_view kPhoto = "cGhvdG8=";
    static const std::vector<float>& embedding();
    static const base::KeyspaceName& keyspace();

private:
    struct Flight {
        std::function<void(coordinator::CallResult)> done;
        SimEnvironment::TimerId timer = 0;
    };
    /// What comes of a call, when nothing cuts it short.
    struct Outcome {
        std::chrono::microseconds delay{0};
        coordinator::CallResult result;
        std::function<void()> delivered = [] {};
    };
    Outcome ask(const coordinator::Call& call);
    Outcome health(const SimWorker& worker) const;
    Outcome search(std::size_t number, const coordinator::Call& call);
    [[nodiscard]] wire::RecognitionReply replyTo(const wire::Recognition& request,
                                                 const hashing::PartitionSet& asked) const;
    [[nodiscard]] std::string breaking(Breach breach, wire::RecognitionReply reply, const wire::Recognition& request,
                                       const hashing::PartitionSet& asked) const;

    SimEnvironment& m_environment;
    Chance m_chance;
    CallId m_lastCall = 0;
    std::map<CallId, Flight> m_calls;
};

/// Candidates that no content has carry this in front of their id.
inline constexpr std::string_view kInvented = "invented-";

/// The best `k` faces of some partitions, one candidate each: what one node with all of the content would answer.
[[nodiscard]] std::vector<wire::Candidate> bestOf(const std::vector<SimFace>& content,
                                                  const hashing::PartitionSet& partitions, std::size_t k);
[[nodiscard]] std::uint64_t rowsIn(const std::vector<SimFace>& content, const hashing::PartitionSet& partitions);

} // namespace fremis::sim

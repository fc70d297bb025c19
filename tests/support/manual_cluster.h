#pragma once

#include "coordinator/cluster/delete_horizon.h"
#include "coordinator/cluster/queue_control.h"
#include "coordinator/cluster/resync.h"

#include <QTemporaryDir>

#include <map>
#include <mutex>

namespace fremis::test {

/// Time that moves when it is told to, and timers in it. Thread: one.
class ManualEnvironment final : public coordinator::Environment {
public:
    TimerId after(std::chrono::milliseconds delay, Task task) override;
    void cancel(TimerId timer) override;
    std::uint64_t random() override { return ++m_random * 0x9E3779B97F4A7C15ULL; }
    [[nodiscard]] std::chrono::milliseconds sinceEpoch() const override { return m_wall + m_now; }
    [[nodiscard]] std::chrono::steady_clock::time_point steady() const override {
        return std::chrono::steady_clock::time_point(std::chrono::hours(1)) + m_now;
    }
    /// Runs the next timer at or before `end`, if there is one, and moves the time to it.
    bool runNext(std::chrono::milliseconds end);
    void moveTo(std::chrono::milliseconds end) { m_now = std::max(m_now, end); }
    [[nodiscard]] std::chrono::milliseconds now() const { return m_now; } ///< since the beginning

private:
    std::chrono::milliseconds m_wall{1'767'600'000'000};
    std::chrono::milliseconds m_now{0};
    std::map<std::pair<std::chrono::milliseconds, TimerId>, Task> m_timers;
    TimerId m_last = 0;
    std::uint64_t m_random = 0;
};

/// A worker as its coordinator sees it: it answers health, probes, digests without differences, and what it is given
/// to apply.
struct ManualWorker {
    storage::NodeId node{};
    std::string address;
    std::string state = "ACTIVE";
    std::uint64_t generation = 1;
    base::Version lastVersion{1'000, 0};
    hashing::PartitionSet partitions = hashing::PartitionSet::all();
    std::chrono::milliseconds latency{1};
    std::chrono::milliseconds clockAhead{0};
    bool hung = false;
    int applyStatus = 200;
    wire::internal::ApplyEffect applyEffect = wire::internal::ApplyEffect::Applied;
    std::vector<wire::internal::Heard> heard;
    std::vector<wire::internal::Record> applied;          ///< in order of arrival
    std::vector<std::chrono::milliseconds> applyCalls;    ///< when they came
    wire::internal::Digest root{};                        ///< of each of its partitions
    std::uint64_t tombstones = 0;                         ///< in each of its partitions
    std::vector<wire::internal::CollectRequest> collects; ///< that it was told
    std::vector<wire::internal::ProbeRequest> probes;     ///< the last few
};

/// The coordinator's logic over workers that a test scripts, manual time and a real queue in a folder of its own.
/// Thread: one.
class ManualCluster : private coordinator::Transport {
public:
    /// Every worker owns every partition.
    explicit ManualCluster(int workerCount, std::uint64_t queueLimit = 8ULL << 30);
    ~ManualCluster() override;

    /// Lets so much time pass; the queue's thread is waited for at each step.
    void runFor(std::chrono::milliseconds time);
    /// True once `fact` holds, looked at every 10 ms of the cluster's time.
    [[nodiscard]] bool runUntil(const std::function<bool()>& fact, std::chrono::milliseconds most);
    /// Queues so many enrolments for a worker, as writes do that it missed.
    void queueFor(std::size_t worker, int count, std::size_t bytes = 100);
    /// An answer that comes while time runs.
    template<class T>
    [[nodiscard]] base::Result<T> wait(const std::function<void(std::function<void(base::Result<T>)>)>& ask);

    [[nodiscard]] const std::shared_ptr<coordinator::Peer>& peer(std::size_t worker) {
        return cluster.view()->peers[worker];
    }
    [[nodiscard]] coordinator::TargetStats stats(std::size_t worker);

    std::vector<ManualWorker> workers;
    ManualEnvironment environment;
    coordinator::Cluster cluster;
    coordinator::Watchdog watchdog;

private:
    CallId send(coordinator::Call call, std::function<void(coordinator::CallResult)> done) override;
    void cancel(CallId call) override { m_calls.erase(call); }
    [[nodiscard]] coordinator::CallResult answerOf(ManualWorker& worker, const coordinator::Call& call);
    [[nodiscard]] std::string probeReply(const ManualWorker& worker) const;
    void settle();

    QTemporaryDir m_directory;
    std::mutex m_mutex; ///< guards m_posted
    std::vector<std::function<void()>> m_posted;
    std::map<CallId, std::function<void(coordinator::CallResult)>> m_calls;
    CallId m_lastCall = 0;

public:
    coordinator::WriteQueue queue;
    coordinator::Replay replay;
    coordinator::Repair repair;
    coordinator::Resync resync;
    coordinator::DeleteHorizon deleteHorizon;
    coordinator::QueueControl control;
};

template<class T>
base::Result<T> ManualCluster::wait(const std::function<void(std::function<void(base::Result<T>)>)>& ask) {
    std::optional<base::Result<T>> answer;
    ask([&answer](base::Result<T> given) { answer = std::move(given); });
    if (!runUntil([&] { return answer.has_value(); }, std::chrono::seconds(60)))
        return base::fail(base::Reason::RequestTimeout, "no answer");
    return std::move(*answer);
}

} // namespace fremis::test

#include "coordinator/cluster/repair.h"

#include "coordinator/cluster/keyspace_round.h"

#include <algorithm>
#include <utility>

namespace fremis::coordinator {

using namespace std::chrono_literals;

namespace {

constexpr auto kDoubtTime = 2'000ms;
constexpr auto kLastArrival = 10'000ms; // no worker begins a write later than this after it was sent

} // namespace

void Repair::start(const hashing::PartitionSet& partitions) {
    const auto view = m_cluster.view();
    if (!m_report.running)
        m_report = {.running = true,
                    .partitionsChecked = 0,
                    .differences = 0,
                    .mended = 0,
                    .partitionsCollected = 0,
                    .failures = 0,
                    .endedAt = {}};
    for (int number = 0; number < base::kPartitionCount; ++number) {
        const auto partition = static_cast<base::Partition>(number);
        if (!partitions.contains(partition) || m_queued.contains(partition) || view->map.owners(partition).size() < 2)
            continue;
        m_queued.insert(partition);
        m_queue.push_back(partition);
    }
    if (!m_comparing)
        next();
}

void Repair::shareKeyspaces() {
    if (std::exchange(m_sharing, true)) {
        m_shareAgain = true;
        return;
    }
    shareKeyspacesOnce(m_cluster, [this] {
        m_sharing = false;
        if (std::exchange(m_shareAgain, false))
            shareKeyspaces();
    });
}

void Repair::startEach(std::chrono::milliseconds interval) {
    m_environment.after(interval, [this, interval] {
        shareKeyspaces();
        start(hashing::PartitionSet::all());
        startEach(interval);
    });
}

void Repair::doubt(const hashing::PartitionSet& partitions) {
    const bool waits = !m_doubted.empty();
    m_doubted = m_doubted | partitions;
    if (waits)
        return;
    m_environment.after(kDoubtTime, [this] {
        const auto look = [this, doubted = std::exchange(m_doubted, {})] {
            shareKeyspaces();
            start(doubted);
        };
        look();
        m_environment.after(kLastArrival, look);
    });
}

void Repair::compare(const hashing::PartitionSet& partitions, std::function<void(bool equal)> done) {
    wait(nullptr, partitions, std::move(done));
}

void Repair::fill(const std::shared_ptr<Peer>& peer, const hashing::PartitionSet& partitions,
                  std::function<void(bool equal)> done) {
    wait(peer, partitions, std::move(done));
}

void Repair::wait(const std::shared_ptr<Peer>& with, const hashing::PartitionSet& partitions,
                  std::function<void(bool equal)> done) {
    hashing::PartitionSet replicated;
    const auto view = m_cluster.view();
    for (int number = 0; number < base::kPartitionCount; ++number)
        if (const auto partition = static_cast<base::Partition>(number);
            partitions.contains(partition) && view->map.owners(partition).size() > 1)
            replicated.insert(partition);
    if (replicated.empty())
        return done(true);
    m_waiting.push_back({replicated, with, m_begun, true, std::move(done)});
    start(replicated);
}

void Repair::next() {
    m_comparing = !m_queue.empty();
    if (!m_comparing) {
        m_report.running = false;
        m_report.endedAt = m_environment.sinceEpoch();
        return;
    }
    const auto partition = m_queue.front();
    m_queue.pop_front();
    m_queued.erase(partition);
    ++m_begun;
    comparePartition(m_cluster, partition, collectable, m_report,
                     [this, partition](const auto& replicas, bool equal) { finished(partition, replicas, equal); });
}

/// Who began to wait while the comparison was under way waits for the next one of the partition.
void Repair::finished(base::Partition partition, const std::vector<std::shared_ptr<Peer>>& compared, bool equal) {
    ++m_report.partitionsChecked;
    std::vector<Waiting> ready;
    for (auto waiting = m_waiting.begin(); waiting != m_waiting.end();) {
        if (waiting->begunAt < m_begun && waiting->partitions.contains(partition)) {
            const bool tookPart = !waiting->with || (compared.size() > 1 && std::find(compared.begin(), compared.end(),
                                                                                      waiting->with) != compared.end());
            waiting->partitions.erase(partition);
            waiting->equal = waiting->equal && equal && tookPart;
        }
        if (waiting->partitions.empty()) {
            ready.push_back(std::move(*waiting));
            waiting = m_waiting.erase(waiting);
        } else {
            ++waiting;
        }
    }
    for (const auto& one : ready)
        one.done(one.equal);
    // Not from inside the comparison that has just ended.
    m_environment.after(0ms, [this] { next(); });
}

} // namespace fremis::coordinator

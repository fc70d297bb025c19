#include "coordinator/cluster/repair.h"

#include "shared/base/log.h"
#include "shared/hashing/merkle.h"

#include <algorithm>
#include <map>

namespace fremis::coordinator {

using namespace std::chrono_literals;
namespace internal = wire::internal;

namespace {

constexpr auto kCallTime = 30'000ms; // a digest reads all rows of a partition

std::vector<std::uint16_t> leafNodes() {
    std::vector<std::uint16_t> nodes;
    for (std::size_t leaf = 0; leaf < hashing::kMerkleLeaves; ++leaf)
        nodes.push_back(static_cast<std::uint16_t>(hashing::kMerkleLeaves + leaf));
    return nodes;
}

} // namespace

/// One partition and its replicas: roots, then leaves where roots differ, then the rows of leaves that differ, to and
/// fro between the first replica and each other one.
class Repair::Comparison : public std::enable_shared_from_this<Comparison> {
public:
    Comparison(Repair& repair, base::Partition partition)
        : m_repair(repair), m_view(repair.m_cluster.view()), m_partition(partition) {}

    void begin() {
        m_nodes.clear();
        m_others.clear();
        m_away = 0;
        for (const auto node : m_view->map.owners(m_partition)) {
            const auto& peer = m_view->peers[node];
            if (!peer->hasInternalPlane() || !peer->takesWrites() || peer->state == PeerState::Loading)
                ++m_away;
            else
                m_nodes.push_back(node);
        }
        if (m_nodes.size() < 2)
            return end(true);
        m_digests.resize(m_nodes.size());
        m_waiting = m_nodes.size();
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            ask(
                i, internal::kDigestsPath, internal::toJson(internal::DigestsRequest{{{m_partition, m_partition}}}),
                [this, i](const std::string& body) {
                    const auto reply = internal::readDigests(body);
                    if (!reply || reply->partitions.size() != 1)
                        return false;
                    m_digests[i] = *reply;
                    return true;
                },
                [this] { compareRoots(); });
    }

private:
    using Take = std::function<bool(const std::string& body)>;
    using Then = std::function<void()>;

    /// `take` is false for a reply that makes no sense. `then` follows the last of the calls under way.
    void ask(std::size_t at, std::string_view path, std::string body, Take take, Then then) {
        const auto& peer = m_view->peers[m_nodes[at]];
        if (!peer->hasInternalPlane()) {
            m_failed = true;
            return landed(then);
        }
        m_repair.m_cluster.call(
            peer,
            {.target = std::string(path),
             .plane = Call::Plane::Internal,
             .body = std::move(body),
             .deadline = m_repair.m_environment.steady() + kCallTime},
            [self = shared_from_this(), take = std::move(take), then = std::move(then)](CallResult result) {
                if (!result || result->status != 200 || !take(result->body))
                    self->m_failed = true;
                self->landed(then);
            });
    }

    void landed(const Then& then) {
        if (--m_waiting > 0)
            return;
        m_failed ? end(false) : then();
    }

    void compareRoots() {
        const auto& first = m_digests.front();
        const bool sameKeyspaces = std::all_of(m_digests.begin(), m_digests.end(),
                                               [&](const auto& one) { return one.keyspaces == first.keyspaces; });
        if (!sameKeyspaces)
            return exchangeKeyspaces();
        for (std::size_t i = 1; i < m_nodes.size(); ++i)
            if (m_digests[i].partitions.front().root != first.partitions.front().root)
                m_others.push_back(i);
        compareLeaves();
    }

    /// Rows can only be given to a replica that knows their keyspace.
    void exchangeKeyspaces() {
        if (m_keyspacesExchanged)
            return end(false);
        m_keyspacesExchanged = true;
        const auto all = std::make_shared<std::vector<internal::Record>>();
        m_waiting = m_nodes.size();
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            ask(
                i, internal::kKeyspaceRecordsPath, "{}",
                [all](const std::string& body) {
                    auto reply = internal::readKeyspaceRecords(body);
                    if (reply)
                        all->insert(all->end(), reply->records.begin(), reply->records.end());
                    return reply.has_value();
                },
                [this, all] {
                    ++m_repair.m_report.differences;
                    apply(*all, [this] { begin(); });
                });
    }

    /// The next replica that differs from the first one.
    void compareLeaves() {
        if (m_others.empty())
            return end(true);
        const auto other = m_others.back();
        m_others.pop_back();
        const auto leaves = std::make_shared<std::map<std::size_t, std::vector<internal::Digest>>>();
        const auto request = internal::toJson(internal::LeavesRequest{m_partition, leafNodes()});
        m_waiting = 2;
        for (const std::size_t i : {std::size_t{0}, other})
            ask(
                i, internal::kLeavesPath, request,
                [leaves, i](const std::string& body) {
                    auto reply = internal::readLeaves(body);
                    if (!reply || reply->digests.size() != hashing::kMerkleLeaves)
                        return false;
                    (*leaves)[i] = std::move(reply->digests);
                    return true;
                },
                [this, leaves, other] { exchangeRows(other, leaves->at(0), leaves->at(other)); });
    }

    void exchangeRows(std::size_t other, const std::vector<internal::Digest>& ours,
                      const std::vector<internal::Digest>& theirs) {
        internal::RowsRequest request;
        request.partition = m_partition;
        for (std::size_t leaf = 0; leaf < hashing::kMerkleLeaves; ++leaf)
            if (ours[leaf] != theirs[leaf])
                request.leaves.push_back(static_cast<std::uint8_t>(leaf));
        if (request.leaves.empty())
            return compareLeaves(); // a write came between
        m_repair.m_report.differences += request.leaves.size();
        base::log(base::LogLevel::Warning, "replicas_differ",
                  {{"partition", int{m_partition}},
                   {"a", m_view->peers[m_nodes.front()]->address.text()},
                   {"b", m_view->peers[m_nodes[other]]->address.text()},
                   {"leaves", request.leaves.size()}});
        copyRows(0, other, request,
                 [this, other, request] { copyRows(other, 0, request, [this] { compareLeaves(); }); });
    }

    /// Page by page.
    void copyRows(std::size_t from, std::size_t to, const internal::RowsRequest& request, Then then) {
        const auto page = std::make_shared<internal::RowsReply>();
        m_waiting = 1;
        ask(
            from, internal::kRowsPath, internal::toJson(request),
            [page](const std::string& body) {
                auto reply = internal::readRows(body);
                if (reply)
                    *page = std::move(*reply);
                return reply.has_value();
            },
            [this, from, to, request, page, then] {
                const auto goOn = [this, from, to, request, page, then] {
                    if (!page->nextCursor)
                        return then();
                    auto following = request;
                    following.cursor = *page->nextCursor;
                    copyRows(from, to, following, then);
                };
                page->records.empty() ? goOn() : applyTo(to, page->records, goOn);
            });
    }

    void applyTo(std::size_t to, std::vector<internal::Record> records, Then then) {
        m_waiting = 1;
        sendOperations(to, std::move(records), std::move(then));
    }

    void apply(const std::vector<internal::Record>& records, Then then) {
        m_waiting = m_nodes.size();
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            sendOperations(i, records, then);
    }

    void sendOperations(std::size_t to, std::vector<internal::Record> records, Then then) {
        internal::ApplyRequest request{m_view->map.epoch(), std::move(records), true}; // a mend
        if (request.operations.size() > internal::kMaxRecords)
            request.operations.resize(internal::kMaxRecords); // the next run brings the rest
        ask(
            to, internal::kApplyPath, internal::toJson(request),
            [this](const std::string& body) {
                const auto reply = internal::readApply(body);
                if (!reply)
                    return false;
                for (const auto& outcome : reply->outcomes)
                    m_repair.m_report.mended += outcome.effect == internal::ApplyEffect::Applied;
                return true;
            },
            std::move(then));
    }

    void end(bool equal) {
        m_repair.m_report.failures += !equal || m_away > 0;
        m_repair.finished(m_partition, equal);
    }

    Repair& m_repair;
    const std::shared_ptr<const View> m_view;
    const base::Partition m_partition;
    std::vector<std::size_t> m_nodes; ///< replicas that can be compared, by node number
    int m_away = 0;
    std::vector<internal::DigestsReply> m_digests;
    std::vector<std::size_t> m_others; ///< places in m_nodes
    std::size_t m_waiting = 0;
    bool m_failed = false;
    bool m_keyspacesExchanged = false;
};

void Repair::start(const hashing::PartitionSet& partitions) {
    const auto view = m_cluster.view();
    if (!m_report.running)
        m_report = {
            .running = true, .partitionsChecked = 0, .differences = 0, .mended = 0, .failures = 0, .endedAt = {}};
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

void Repair::startEach(std::chrono::milliseconds interval) {
    m_environment.after(interval, [this, interval] {
        start(hashing::PartitionSet::all());
        startEach(interval);
    });
}

void Repair::compare(const hashing::PartitionSet& partitions, std::function<void(bool equal)> done) {
    hashing::PartitionSet replicated;
    const auto view = m_cluster.view();
    for (int number = 0; number < base::kPartitionCount; ++number)
        if (const auto partition = static_cast<base::Partition>(number);
            partitions.contains(partition) && view->map.owners(partition).size() > 1)
            replicated.insert(partition);
    if (replicated.empty())
        return done(true);
    m_waiting.push_back({replicated, true, std::move(done)});
    start(replicated);
}

void Repair::next() {
    if (m_queue.empty()) {
        m_report.running = false;
        m_report.endedAt = m_environment.sinceEpoch();
        return;
    }
    m_comparing = true;
    std::make_shared<Comparison>(*this, m_queue.front())->begin();
}

void Repair::finished(base::Partition partition, bool equal) {
    ++m_report.partitionsChecked;
    m_queue.pop_front();
    m_queued.erase(partition);
    std::vector<Waiting> ready;
    for (auto waiting = m_waiting.begin(); waiting != m_waiting.end();) {
        if (waiting->partitions.contains(partition)) {
            waiting->partitions.erase(partition);
            waiting->equal = waiting->equal && equal;
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
    m_environment.after(0ms, [this] {
        m_comparing = false;
        next();
    });
}

} // namespace fremis::coordinator

#include "coordinator/cluster/partition_comparison.h"

#include "shared/base/log.h"
#include "shared/hashing/merkle.h"
#include "shared/storage/id_generator.h"
#include "shared/storage/operation_codec.h"
#include "shared/wire/internal.h"

#include <algorithm>
#include <map>

namespace fremis::coordinator {

using namespace std::chrono_literals;
namespace internal = wire::internal;

namespace {

constexpr auto kCallTime = 30'000ms; // a digest reads all rows of a partition
constexpr int kMostPasses = 3;       // of one partition

std::vector<std::uint16_t> leafNodes() {
    std::vector<std::uint16_t> nodes;
    for (std::size_t leaf = 0; leaf < hashing::kMerkleLeaves; ++leaf)
        nodes.push_back(static_cast<std::uint16_t>(hashing::kMerkleLeaves + leaf));
    return nodes;
}

/// One partition and its replicas: roots, then leaves where roots differ, then the rows of leaves that differ, to and
/// fro between the first replica and each other one.
class PartitionComparison : public std::enable_shared_from_this<PartitionComparison> {
public:
    PartitionComparison(Cluster& cluster, base::Partition partition, Collectable collectable, RepairReport& report,
                        Compared done)
        : m_cluster(cluster), m_view(cluster.view()), m_partition(partition), m_horizonOf(std::move(collectable)),
          m_report(report), m_done(std::move(done)) {}

    void begin() {
        m_nodes.clear();
        m_others.clear();
        m_away = 0;
        m_applied = 0;
        if (m_passes == 0)
            m_collectable = m_horizonOf(*m_view, m_partition);
        for (const auto node : m_view->map.owners(m_partition)) {
            const auto& peer = m_view->peers[node];
            if (!peer->isComparable())
                ++m_away;
            else
                m_nodes.push_back(node);
        }
        if (m_nodes.size() < 2)
            return end(true);
        // The first one gets everything and gives everything: it should hold what clients see.
        std::stable_sort(m_nodes.begin(), m_nodes.end(), [this](auto a, auto b) {
            return (m_view->peers[a]->state == PeerState::Active) > (m_view->peers[b]->state == PeerState::Active);
        });
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
        m_cluster.call(peer,
                       {.target = std::string(path),
                        .plane = Call::Plane::Internal,
                        .body = std::move(body),
                        .deadline = m_cluster.environment().steady() + kCallTime},
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
        if (!std::all_of(m_digests.begin(), m_digests.end(),
                         [&](const auto& one) { return horizonOf(one) == horizonOf(first); }))
            return raiseHorizons();
        for (std::size_t i = 1; i < m_nodes.size(); ++i)
            if (m_digests[i].partitions.front().root != first.partitions.front().root)
                m_others.push_back(i);
        m_others.empty() && m_passes == 0 && !m_keyspacesExchanged ? collect() : compareLeaves();
    }

    [[nodiscard]] static base::Version horizonOf(const internal::DigestsReply& digests) {
        return digests.partitions.front().horizon;
    }

    /// All replicas are equal: deletions that each has and that nothing older can follow are forgotten.
    void collect() {
        const auto& digest = m_digests.front().partitions.front();
        if (m_away > 0 || !m_collectable || digest.tombstones == 0 || *m_collectable <= digest.horizon)
            return end(true);
        ++m_report.partitionsCollected;
        m_waiting = m_nodes.size();
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            raiseHorizon(i, *m_collectable, [this] { end(true); });
    }

    void raiseHorizon(std::size_t at, base::Version horizon, Then then) {
        const internal::CollectRequest request{m_view->map.epoch(), {{m_partition, m_partition}}, horizon};
        ask(
            at, internal::kCollectPath, internal::toJson(request), [](const std::string&) { return true; },
            std::move(then));
    }

    /// A replica with a lower horizon was not there when tombstones went, so rows that it alone has below the horizon
    /// may be deleted ones: they go. Its horizon is raised then, and the comparison begins again.
    void raiseHorizons() {
        if (m_levelled)
            return end(false);
        m_levelled = true;
        const auto highest = std::max_element(m_digests.begin(), m_digests.end(),
                                              [](const auto& a, const auto& b) { return horizonOf(a) < horizonOf(b); });
        m_behind.clear();
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            if (horizonOf(m_digests[i]) < horizonOf(*highest))
                m_behind.push_back(i);
        m_leader = static_cast<std::size_t>(highest - m_digests.begin());
        raiseNext(horizonOf(*highest));
    }

    void raiseNext(base::Version horizon) {
        if (m_behind.empty())
            return begin();
        const auto at = m_behind.back();
        m_behind.pop_back();
        const auto raise = [this, at, horizon] {
            m_waiting = 1;
            raiseHorizon(at, horizon, [this, horizon] { raiseNext(horizon); });
        };
        if (m_digests[at].partitions.front().rows == 0 ||
            m_digests[at].partitions.front().root == m_digests[m_leader].partitions.front().root)
            return raise();
        const auto lone = std::make_shared<Lone>();
        readRows(
            at, wholePartition(),
            [lone, horizon](const storage::AddVariation& add) {
                if (add.row.version < horizon)
                    lone->emplace(keyOf(add), add);
            },
            [this, at, horizon, lone, raise] {
                if (lone->empty())
                    return raise();
                readRows(
                    m_leader, wholePartition(), [lone](const storage::AddVariation& add) { lone->erase(keyOf(add)); },
                    [this, at, horizon, lone, raise] { removeLone(at, horizon, *lone, raise); });
            });
    }

    using Lone = std::map<std::string, storage::AddVariation>;
    [[nodiscard]] static std::string keyOf(const storage::AddVariation& add) {
        return add.row.incarnation + '\n' + add.row.face.text() + '\n' + add.row.variation.text();
    }

    [[nodiscard]] internal::RowsRequest wholePartition() const {
        internal::RowsRequest request;
        request.partition = m_partition;
        for (std::size_t leaf = 0; leaf < hashing::kMerkleLeaves; ++leaf)
            request.leaves.push_back(static_cast<std::uint8_t>(leaf));
        return request;
    }

    void removeLone(std::size_t at, base::Version horizon, const Lone& lone, const Then& then) {
        if (!lone.empty())
            base::log(base::LogLevel::Warning, "rows_behind_horizon_removed",
                      {{"partition", int{m_partition}},
                       {"node", m_view->peers[m_nodes[at]]->address.text()},
                       {"rows", lone.size()}});
        auto records = std::make_shared<std::vector<internal::Record>>();
        for (const auto& [key, add] : lone)
            records->push_back(
                storage::encode(storage::DeleteVariation{add.row.incarnation, add.row.face, add.row.variation,
                                                         m_partition, horizon, storage::randomOpId(), false}));
        applyPaged(at, records, 0, then);
    }

    void applyPaged(std::size_t to, std::shared_ptr<const std::vector<internal::Record>> records, std::size_t from,
                    Then then) {
        if (from >= records->size())
            return then();
        const auto until = std::min(records->size(), from + internal::kMaxRecords);
        const auto at = [&](std::size_t place) { return records->begin() + static_cast<std::ptrdiff_t>(place); };
        applyTo(to, {at(from), at(until)}, [this, to, records, until, then] { applyPaged(to, records, until, then); });
    }

    /// Page by page; embeddings are not kept.
    void readRows(std::size_t from, const internal::RowsRequest& request,
                  std::function<void(const storage::AddVariation&)> each, Then then) {
        const auto page = std::make_shared<internal::RowsReply>();
        m_waiting = 1;
        ask(
            from, internal::kRowsPath, internal::toJson(request),
            [page, each](const std::string& body) {
                auto reply = internal::readRows(body);
                if (!reply)
                    return false;
                page->nextCursor = std::move(reply->nextCursor);
                for (const auto& record : reply->records) {
                    auto operation = storage::decode(record);
                    if (!operation)
                        return false;
                    if (auto* add = std::get_if<storage::AddVariation>(&*operation)) {
                        add->row.embedding = {};
                        each(*add);
                    }
                }
                return true;
            },
            [this, from, request, each, then, page] {
                if (!page->nextCursor)
                    return then();
                auto following = request;
                following.cursor = *page->nextCursor;
                readRows(from, following, each, then);
            });
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
                    ++m_report.differences;
                    applyToAll(all, 0, [this] { begin(); });
                });
    }

    /// The next replica that differs from the first one.
    void compareLeaves() {
        if (m_others.empty())
            return passed();
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

    /// The first one may have got something that those compared before lack.
    void passed() {
        ++m_passes;
        if (m_nodes.size() > 2 && m_applied > 0 && m_passes < kMostPasses)
            return begin();
        end(!m_refused);
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
        m_report.differences += request.leaves.size();
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

    /// Page by page.
    void applyToAll(std::shared_ptr<const std::vector<internal::Record>> records, std::size_t from, Then then) {
        if (from >= records->size())
            return then();
        const auto until = std::min(records->size(), from + internal::kMaxRecords);
        const auto at = [&](std::size_t place) { return records->begin() + static_cast<std::ptrdiff_t>(place); };
        m_waiting = m_nodes.size();
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            sendOperations(i, {at(from), at(until)},
                           [this, records, until, then] { applyToAll(records, until, then); });
    }

    void sendOperations(std::size_t to, std::vector<internal::Record> records, Then then) {
        const internal::ApplyRequest request{m_view->map.epoch(), std::move(records), true}; // a mend
        ask(
            to, internal::kApplyPath, internal::toJson(request),
            [this, to](const std::string& body) {
                const auto reply = internal::readApply(body);
                if (!reply)
                    return false;
                for (const auto& outcome : reply->outcomes)
                    note(to, outcome);
                return true;
            },
            std::move(then));
    }

    void note(std::size_t to, const internal::ApplyOutcome& outcome) {
        const bool applied = outcome.effect == internal::ApplyEffect::Applied;
        m_applied += applied;
        m_report.mended += applied;
        // What ended, or is older than collected tombstones, is missing nowhere.
        if (internal::isConfirmed(outcome.effect) || outcome.effect == internal::ApplyEffect::StaleIncarnation ||
            outcome.effect == internal::ApplyEffect::BehindHorizon)
            return;
        if (!m_refused)
            base::log(base::LogLevel::Error, "mend_refused",
                      {{"partition", int{m_partition}},
                       {"node", m_view->peers[m_nodes[to]]->address.text()},
                       {"reason", internal::tokenOf(outcome.effect)}});
        m_refused = true;
    }

    void end(bool equal) {
        m_report.failures += !equal || m_away > 0;
        std::vector<std::shared_ptr<Peer>> compared;
        for (const auto node : m_nodes)
            compared.push_back(m_view->peers[node]);
        m_done(compared, equal);
    }

    Cluster& m_cluster;
    const std::shared_ptr<const View> m_view;
    const base::Partition m_partition;
    const Collectable m_horizonOf;
    RepairReport& m_report;
    const Compared m_done;
    std::vector<std::size_t> m_nodes; ///< replicas that can be compared, by node number
    int m_away = 0;
    std::vector<internal::DigestsReply> m_digests;
    std::vector<std::size_t> m_others; ///< places in m_nodes
    std::size_t m_waiting = 0;
    bool m_failed = false;
    bool m_keyspacesExchanged = false;
    bool m_refused = false;  ///< a replica refused what another one has
    bool m_levelled = false; ///< horizons were brought together once
    std::optional<base::Version> m_collectable;
    std::vector<std::size_t> m_behind; ///< places in m_nodes whose horizon is to be raised
    std::size_t m_leader = 0;          ///< place of the one with the highest horizon
    std::uint64_t m_applied = 0;       ///< in this pass
    int m_passes = 0;
};

} // namespace

void comparePartition(Cluster& cluster, base::Partition partition, Collectable collectable, RepairReport& report,
                      Compared done) {
    std::make_shared<PartitionComparison>(cluster, partition, std::move(collectable), report, std::move(done))->begin();
}

} // namespace fremis::coordinator

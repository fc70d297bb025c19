#pragma once

#include "shared/storage/enrollment_store.h"

#include <condition_variable>
#include <mutex>

namespace fremis::test {

/// A real store whose bulk read can be held up, whose answers to commits can be lost, and which can be away, to bring
/// about on purpose what else happens by chance. Thread: any.
class GatedStore final : public storage::EnrollmentStore {
public:
    explicit GatedStore(std::unique_ptr<storage::EnrollmentStore> inner) : m_inner(std::move(inner)) {}

    /// Bulk reads wait, after their snapshot was read, until openGate().
    void closeGate() { setGate(false); }
    void openGate() { setGate(true); }
    [[nodiscard]] bool scanWaits() const { return m_scanWaits; }
    /// The next commit is done, but its answer is OutcomeUnknown.
    void loseNextAnswer() { m_loseAnswer = true; }
    void setAway(bool away) { m_away = away; }

    base::Result<std::vector<storage::Outcome>> commit(std::span<const storage::Operation> operations) override {
        if (m_away)
            return away();
        auto outcomes = m_inner->commit(operations);
        if (m_loseAnswer.exchange(false))
            return base::fail(base::Reason::OutcomeUnknown, "the connection was lost at COMMIT");
        return outcomes;
    }
    base::Result<storage::ScanReport> scan(const hashing::PartitionSet& partitions, const RowVisitor& visitor,
                                           storage::ScanProgress* progress) override {
        // All rows first, so that what the gate delays is as old as the beginning of the scan.
        std::vector<storage::Enrollment> rows;
        auto report = m_inner->scan(
            partitions,
            [&](const storage::EnrollmentView& row) {
                rows.push_back({std::string(row.incarnation),
                                base::FaceId::trusted(std::string(row.face)),
                                row.variation,
                                row.partition,
                                row.version,
                                std::string(row.space),
                                {row.embedding.begin(), row.embedding.end()},
                                row.norm,
                                row.createdAt});
                return true;
            },
            progress);
        {
            std::unique_lock lock(m_mutex);
            m_scanWaits = true;
            m_wake.wait(lock, [this] { return m_open; });
            m_scanWaits = false;
        }
        for (const auto& row : rows)
            visitor({row.incarnation, row.face.text(), row.variation, row.partition, row.version, row.space,
                     row.embedding, row.norm, row.createdAt});
        return report;
    }
    base::Status ping() override { return m_away ? base::Status(away()) : m_inner->ping(); }

    base::Result<std::vector<storage::KeyspaceRecord>> keyspaces() override { return m_inner->keyspaces(); }
    base::Result<std::optional<storage::FaceRecord>> face(const std::string& incarnation,
                                                          const base::FaceId& face) override {
        return m_inner->face(incarnation, face);
    }
    base::Result<storage::FacePage> list(const std::string& incarnation,
                                         const std::optional<storage::FacePosition>& after,
                                         const hashing::PartitionSet& partitions, std::size_t limit) override {
        return m_inner->list(incarnation, after, partitions, limit);
    }
    base::Result<std::vector<storage::KeyspaceCounts>> counts(const hashing::PartitionSet& partitions) override {
        return m_inner->counts(partitions);
    }
    base::Result<std::uint64_t> countRows(const hashing::PartitionSet& partitions) override {
        return m_inner->countRows(partitions);
    }
    base::Result<storage::ScanReport> walk(base::Partition partition, const std::optional<storage::RowPosition>& after,
                                           const RowVisitor& visitor) override {
        return m_inner->walk(partition, after, visitor);
    }
    base::Result<std::optional<storage::Enrollment>> row(const std::string& incarnation, const base::FaceId& face,
                                                         base::Variation variation) override {
        return m_inner->row(incarnation, face, variation);
    }
    base::Result<std::vector<storage::Operation>> keyspaceHistory() override { return m_inner->keyspaceHistory(); }
    base::Status scanTombstones(const hashing::PartitionSet& partitions, const TombstoneVisitor& visitor) override {
        return m_inner->scanTombstones(partitions, visitor);
    }
    base::Result<base::Version> lastVersion() override { return m_inner->lastVersion(); }
    base::Result<storage::StoreIdentity> identity() override { return m_inner->identity(); }
    base::Result<std::optional<Space>> storedSpace() override { return m_inner->storedSpace(); }
    base::Status claimSpace(const Space& space) override { return m_inner->claimSpace(space); }
    base::Result<base::Version> horizon(base::Partition partition) override { return m_inner->horizon(partition); }
    base::Status raiseHorizon(const hashing::PartitionSet& partitions, base::Version horizon) override {
        return m_inner->raiseHorizon(partitions, horizon);
    }
    base::Result<std::uint64_t> erasePartitions(const hashing::PartitionSet& partitions) override {
        return m_inner->erasePartitions(partitions);
    }
    base::Result<std::optional<std::string>> setting(const std::string& key) override { return m_inner->setting(key); }
    base::Status setSetting(const std::string& key, const std::string& value) override {
        return m_inner->setSetting(key, value);
    }
    storage::StoreHealth health() const override { return m_inner->health(); }
    base::Status purgeErased() override { return m_inner->purgeErased(); }

private:
    static tl::unexpected<base::Error> away() { return base::fail(base::Reason::NotReady, "the database is away"); }
    void setGate(bool open) {
        {
            const std::scoped_lock lock(m_mutex);
            m_open = open;
        }
        m_wake.notify_all();
    }

    const std::unique_ptr<storage::EnrollmentStore> m_inner;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_open = true;
    std::atomic<bool> m_scanWaits = false;
    std::atomic<bool> m_loseAnswer = false;
    std::atomic<bool> m_away = false;
};

} // namespace fremis::test

#include "tests/support/memory_store.h"

#include "shared/hashing/partition.h"
#include "shared/storage/shown_keyspaces.h"

#include <mutex>

namespace fremis::test {

using base::fail;
using base::Reason;
using base::Result;
using base::Status;
using hashing::PartitionSet;
using storage::EnrollmentView;
using storage::FaceKey;
using storage::Outcome;

namespace {

class MemoryStore final : public storage::EnrollmentStore {
public:
    MemoryStore(std::shared_ptr<MemoryDisk> disk, const base::Clock& clock) : m_disk(std::move(disk)) {
        ++m_disk->identity.generation;
        m_disk->keyspaces.ensureDefault(clock.sinceEpoch());
        m_disk->keyspaces.forgetChanges();
    }

    Result<std::vector<Outcome>> commit(std::span<const storage::Operation> operations) override {
        const std::scoped_lock lock(m_mutex);
        if (m_disk->full)
            return fail(Reason::StorageFull, "the disk is full");
        storage::Batch batch(inputOf(operations));
        auto outcomes = batch.apply(operations);
        write(batch.changes());
        for (const auto& [keyspace, operation] : batch.deaths())
            bury(keyspace, outcomes[operation]);
        for (const auto operation : batch.newAnswers())
            m_disk->answers[storage::opIdOf(operations[operation])] = outcomes[operation];
        m_disk->keyspaces = batch.keyspaces();
        m_disk->keyspaces.forgetChanges();
        m_disk->last = std::max(m_disk->last, batch.greatest());
        return outcomes;
    }

    Result<std::vector<storage::KeyspaceRecord>> keyspaces() override {
        const std::scoped_lock lock(m_mutex);
        return m_disk->keyspaces.records();
    }

    Result<std::vector<storage::Operation>> keyspaceHistory() override {
        const std::scoped_lock lock(m_mutex);
        return m_disk->keyspaces.history();
    }

    Result<std::optional<storage::FaceRecord>> face(const std::string& incarnation, const base::FaceId& face) override {
        const std::scoped_lock lock(m_mutex);
        const auto* stored = find(incarnation, face.text());
        if (!stored || stored->second.rows.empty())
            return std::nullopt;
        storage::FaceRecord record{face, stored->first.partition, {}, {}};
        for (const auto& [variation, row] : stored->second.rows) {
            record.variations.push_back({row.variation, row.version, row.space, row.norm, row.createdAt});
            record.updatedAt = std::max(record.updatedAt, row.version.time());
        }
        return record;
    }

    Result<storage::FacePage> list(const std::string& incarnation, const std::optional<storage::FacePosition>& after,
                                   const PartitionSet& partitions, std::size_t limit) override {
        const std::scoped_lock lock(m_mutex);
        storage::FacePage page;
        const auto keyspace = m_disk->keyspaces.idOf(incarnation);
        for (const auto& [key, stored] : m_disk->faces) {
            const bool wanted = key.keyspace == keyspace && partitions.contains(key.partition) && !stored.rows.empty();
            if (!wanted || (after && std::tie(key.partition, key.face) <= std::tie(after->partition, after->face)))
                continue;
            page.more = page.faces.size() == limit;
            if (page.more)
                break;
            page.faces.push_back({base::FaceId::trusted(key.face), key.partition, stored.rows.size(), {}});
        }
        return page;
    }

    Result<std::vector<storage::KeyspaceCounts>> counts(const PartitionSet& partitions) override {
        const std::scoped_lock lock(m_mutex);
        storage::CountSum sum(m_disk->keyspaces);
        for (const auto& [key, stored] : m_disk->faces)
            if (partitions.contains(key.partition) && !stored.rows.empty())
                sum.add(key.keyspace, stored.rows.size(), 1);
        return sum.take();
    }

    Result<std::uint64_t> countRows(const PartitionSet& partitions) override {
        std::uint64_t rows = 0;
        (void)scan(
            partitions, [&](const EnrollmentView&) { return ++rows > 0; }, nullptr);
        return rows;
    }

    Result<storage::ScanReport> scan(const PartitionSet& partitions, const RowVisitor& visitor,
                                     storage::ScanProgress* progress) override {
        storage::ScanReport report;
        for (const auto& [place, row] : rowsOf(partitions)) {
            if (!visitor(viewOf(row)))
                break;
            ++report.rows;
            if (progress)
                ++progress->rows;
        }
        return report;
    }

    Result<storage::ScanReport> walk(base::Partition partition, const std::optional<storage::RowPosition>& after,
                                     const RowVisitor& visitor) override {
        storage::ScanReport report;
        PartitionSet one;
        one.insert(partition);
        for (const auto& [place, row] : rowsOf(one)) {
            if (after && place <= *after)
                continue;
            ++report.rows;
            if (!visitor(viewOf(row)))
                break;
        }
        return report;
    }

    Result<std::optional<storage::Enrollment>> row(const std::string& incarnation, const base::FaceId& face,
                                                   base::Variation variation) override {
        const std::scoped_lock lock(m_mutex);
        const auto* stored = find(incarnation, face.text());
        const auto found = stored ? stored->second.rows.find(variation.value()) : decltype(stored->second.rows.end())();
        if (!stored || found == stored->second.rows.end())
            return std::nullopt;
        return found->second;
    }

    Status scanTombstones(const PartitionSet& partitions, const TombstoneVisitor& visitor) override {
        const auto disk = copy();
        const storage::ShownKeyspaces shown(disk.keyspaces);
        for (const auto& [key, stored] : disk.faces) {
            const auto* keyspace = shown.find(key.keyspace);
            if (!keyspace || !partitions.contains(key.partition))
                continue;
            const auto visit = [&](std::optional<base::Variation> variation, base::Version version) {
                return visitor({keyspace->incarnation, key.face, variation, key.partition, version});
            };
            if (stored.tombstone && !visit(std::nullopt, *stored.tombstone))
                return {};
            for (const auto& [variation, version] : stored.variationTombstones)
                if (!visit(base::Variation(variation), version))
                    return {};
        }
        return {};
    }

    Result<base::Version> lastVersion() override {
        const std::scoped_lock lock(m_mutex);
        return m_disk->last;
    }
    Result<storage::StoreIdentity> identity() override {
        const std::scoped_lock lock(m_mutex);
        return m_disk->identity;
    }
    Result<std::optional<Space>> storedSpace() override {
        const std::scoped_lock lock(m_mutex);
        return m_disk->space;
    }

    Status claimSpace(const Space& space) override {
        const std::scoped_lock lock(m_mutex);
        if (m_disk->space && *m_disk->space != space)
            return fail(Reason::BadStore, "the store is of another space");
        m_disk->space = space;
        return {};
    }

    Status raiseHorizon(const PartitionSet& partitions, base::Version horizon) override {
        const std::scoped_lock lock(m_mutex);
        for (std::size_t partition = 0; partition < m_disk->horizons.size(); ++partition)
            if (partitions.contains(static_cast<base::Partition>(partition)))
                m_disk->horizons[partition] = std::max(m_disk->horizons[partition], horizon);
        for (auto& [key, stored] : m_disk->faces) {
            const auto limit = m_disk->horizons[key.partition];
            if (stored.tombstone && *stored.tombstone < limit)
                stored.tombstone.reset();
            std::erase_if(stored.variationTombstones, [&](const auto& entry) { return entry.second < limit; });
        }
        return {};
    }

    Result<base::Version> horizon(base::Partition partition) override {
        const std::scoped_lock lock(m_mutex);
        return m_disk->horizons[partition];
    }

    Result<std::uint64_t> erasePartitions(const PartitionSet& partitions) override {
        const std::scoped_lock lock(m_mutex);
        std::uint64_t erased = 0;
        for (auto& [key, stored] : m_disk->faces)
            if (partitions.contains(key.partition)) {
                erased += stored.rows.size();
                stored.rows.clear();
            }
        return erased;
    }

    Result<std::optional<std::string>> setting(const std::string& key) override {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_disk->settings.find(key);
        return found == m_disk->settings.end() ? std::nullopt : std::optional(found->second);
    }
    Status setSetting(const std::string& key, const std::string& value) override {
        const std::scoped_lock lock(m_mutex);
        m_disk->settings[key] = value;
        return {};
    }

    Status ping() override { return {}; }
    storage::StoreHealth health() const override { return {}; }
    Status purgeErased() override { return {}; }

private:
    [[nodiscard]] storage::BatchInput inputOf(std::span<const storage::Operation> operations) const {
        storage::BatchInput input{m_disk->keyspaces, m_disk->horizons, m_disk->space, {}, {}};
        for (const auto& key : storage::faceKeysOf(operations, m_disk->keyspaces)) {
            const auto found = m_disk->faces.find(key);
            if (found == m_disk->faces.end())
                continue;
            auto& state = input.faces[key];
            state.tombstone = found->second.tombstone;
            state.variationTombstones = found->second.variationTombstones;
            for (const auto& [variation, row] : found->second.rows)
                state.rows[variation] = {row.version, nullptr};
        }
        for (const auto& id : storage::opIdsOf(operations))
            if (const auto found = m_disk->answers.find(id); found != m_disk->answers.end())
                input.answers.insert(*found);
        return input;
    }

    void write(const storage::Batch::Changes& changes) {
        auto& faces = m_disk->faces;
        for (const auto& gone : changes.removedRows)
            faces[*gone.face].rows.erase(gone.variation);
        for (const auto& [key, row] : changes.rows)
            faces[*key].rows.insert_or_assign(row->variation.value(), *row);
        for (const auto& gone : changes.removedVariationTombstones)
            faces[*gone.face].variationTombstones.erase(gone.variation);
        for (const auto& [key, version] : changes.faceTombstones)
            faces[*key].tombstone = version;
        for (const auto& [key, version] : changes.variationTombstones)
            faces[*key.face].variationTombstones[key.variation] = version;
    }

    void bury(std::int64_t keyspace, Outcome& outcome) {
        std::erase_if(m_disk->faces, [&](const auto& entry) {
            if (entry.first.keyspace != keyspace)
                return false;
            outcome.rowsRemoved += entry.second.rows.size();
            outcome.facesRemoved += !entry.second.rows.empty();
            return true;
        });
    }

    [[nodiscard]] MemoryDisk copy() const {
        const std::scoped_lock lock(m_mutex);
        return *m_disk;
    }

    /// Of shown keyspaces, in the order of a walk.
    [[nodiscard]] std::map<storage::RowPosition, storage::Enrollment> rowsOf(const PartitionSet& partitions) const {
        const std::scoped_lock lock(m_mutex);
        const storage::ShownKeyspaces shown(m_disk->keyspaces);
        std::map<storage::RowPosition, storage::Enrollment> rows;
        for (const auto& [key, stored] : m_disk->faces) {
            const auto* keyspace = shown.find(key.keyspace);
            if (!keyspace || !partitions.contains(key.partition))
                continue;
            for (const auto& [variation, row] : stored.rows)
                rows.emplace(storage::RowPosition{keyspace->incarnation, key.face, variation}, row);
        }
        return rows;
    }

    [[nodiscard]] static EnrollmentView viewOf(const storage::Enrollment& row) {
        return {row.incarnation, row.face.text(), row.variation, row.partition, row.version,
                row.space,       row.embedding,   row.norm,      row.createdAt};
    }

    /// Of a shown keyspace; null when nothing is stored.
    [[nodiscard]] const std::pair<const FaceKey, MemoryDisk::Face>* find(const std::string& incarnation,
                                                                         const std::string& face) const {
        const auto* keyspace = m_disk->keyspaces.find(incarnation);
        if (!keyspace || m_disk->keyspaces.current(keyspace->name) != keyspace)
            return nullptr;
        const auto found = m_disk->faces.find({keyspace->id, hashing::partitionOf(keyspace->name, face), face});
        return found == m_disk->faces.end() ? nullptr : &*found;
    }

    mutable std::mutex m_mutex;
    const std::shared_ptr<MemoryDisk> m_disk;
};

} // namespace

std::unique_ptr<storage::EnrollmentStore> openMemoryStore(std::shared_ptr<MemoryDisk> disk, const base::Clock& clock) {
    return std::make_unique<MemoryStore>(std::move(disk), clock);
}

} // namespace fremis::test

#pragma once

#include "shared/base/error.h"
#include "shared/hashing/partition_set.h"
#include "shared/storage/operation.h"

#include <atomic>
#include <functional>
#include <memory>

namespace fremis::storage {

/// What a process asks its store now and then.
struct StoreHealth {
    /// The store can no longer promise anything (a failed fsync, a lease taken by another): acknowledge nothing, exit.
    bool mustExit = false;
    std::string why; ///< of mustExit; for the log
    /// How long the write under way has been waiting; zero when none is. A disk or a database that hangs shows here.
    std::chrono::milliseconds stalled{0};
};

/// Progress of a bulk read, to be looked at from another thread.
struct ScanProgress {
    std::atomic<std::uint64_t> rows{0};
    std::atomic<bool> cancel{false};
};

/// The durable home of a worker's enrolments. Blocking: call it from pool threads. Thread: any; writes take turns, a
/// bulk read does not hold up writes or other reads. Errors of every call: NotReady (the database is away: try again),
/// StorageFull, BadStore (the store is of another kind, or leased by another worker; a person has to act),
/// OutcomeUnknown (commit only: it may be there or not), Internal.
class EnrollmentStore {
public:
    virtual ~EnrollmentStore() = default;

    /// Applies `operations` in order in one transaction. When it returns, everything applied is on disk. Operations
    /// that are refused (Outcome::effect) do not disturb the others. An error means that none was applied, but for
    /// OutcomeUnknown.
    [[nodiscard]] virtual base::Result<std::vector<Outcome>> commit(std::span<const Operation> operations) = 0;

    /// Sorted by the bytes of their names; "default" is always there.
    [[nodiscard]] virtual base::Result<std::vector<KeyspaceRecord>> keyspaces() = 0;
    /// KeyspaceRegistry::history().
    [[nodiscard]] virtual base::Result<std::vector<Operation>> keyspaceHistory() = 0;
    [[nodiscard]] virtual base::Result<std::optional<FaceRecord>> face(const std::string& incarnation,
                                                                       const base::FaceId& face) = 0;
    /// Up to `limit` faces after `after` (none: from the start) in the order (partition, face id bytes).
    [[nodiscard]] virtual base::Result<FacePage> list(const std::string& incarnation,
                                                      const std::optional<FacePosition>& after,
                                                      const hashing::PartitionSet& partitions, std::size_t limit) = 0;
    /// For each keyspace, sorted by name. Counts rows: for people, not for every request.
    [[nodiscard]] virtual base::Result<std::vector<KeyspaceCounts>> counts(const hashing::PartitionSet& partitions) = 0;
    [[nodiscard]] virtual base::Result<std::uint64_t> countRows(const hashing::PartitionSet& partitions) = 0;

    /// Gives every live row, in no order, from one consistent snapshot, to `visitor` in the calling thread; false ends
    /// the scan. Rows that cannot be used are skipped and counted. `progress` may be null.
    using RowVisitor = std::function<bool(const EnrollmentView&)>;
    [[nodiscard]] virtual base::Result<ScanReport> scan(const hashing::PartitionSet& partitions,
                                                        const RowVisitor& visitor, ScanProgress* progress) = 0;
    /// The same for one partition, in the order of RowPosition, beginning after `after` (none: at the start). Cost:
    /// SQLite reads what it gives; PostgreSQL reads the partition from its start.
    [[nodiscard]] virtual base::Result<ScanReport>
    walk(base::Partition partition, const std::optional<RowPosition>& after, const RowVisitor& visitor) = 0;
    /// One row with its embedding; none when it is not there or cannot be used.
    [[nodiscard]] virtual base::Result<std::optional<Enrollment>>
    row(const std::string& incarnation, const base::FaceId& face, base::Variation variation) = 0;
    using TombstoneVisitor = std::function<bool(const TombstoneView&)>;
    [[nodiscard]] virtual base::Status scanTombstones(const hashing::PartitionSet& partitions,
                                                      const TombstoneVisitor& visitor) = 0;

    /// Above every version in the store or ever in it; feed it to the VersionClock before the first write.
    [[nodiscard]] virtual base::Result<base::Version> lastVersion() = 0;
    [[nodiscard]] virtual base::Result<StoreIdentity> identity() = 0;

    /// The embedding space and dimension of all rows. none: nothing claimed yet.
    struct Space {
        std::string name;
        int dimension = 0;
        bool operator==(const Space&) const = default;
    };
    [[nodiscard]] virtual base::Result<std::optional<Space>> storedSpace() = 0;
    /// Binds the store to a space; needed before the first AddVariation. BadStore when rows of another space are
    /// stored; a store without rows changes its space.
    [[nodiscard]] virtual base::Status claimSpace(const Space& space) = 0;

    /// Removes the tombstones of `partitions` older than `horizon` (every replica has confirmed them) and refuses
    /// operations below it from now on. Durable.
    [[nodiscard]] virtual base::Status raiseHorizon(const hashing::PartitionSet& partitions, base::Version horizon) = 0;
    /// Of a partition; all zero: nothing was ever collected there.
    [[nodiscard]] virtual base::Result<base::Version> horizon(base::Partition partition) = 0;
    /// Removes the rows of partitions that live elsewhere now; tombstones stay. Returns how many rows went.
    [[nodiscard]] virtual base::Result<std::uint64_t> erasePartitions(const hashing::PartitionSet& partitions) = 0;

    /// Small durable values of this node (grants, marks).
    [[nodiscard]] virtual base::Result<std::optional<std::string>> setting(const std::string& key) = 0;
    [[nodiscard]] virtual base::Status setSetting(const std::string& key, const std::string& value) = 0;

    /// Cheap proof that the store answers; connects when it has to.
    [[nodiscard]] virtual base::Status ping() = 0;
    [[nodiscard]] virtual StoreHealth health() const = 0; ///< never blocks
    /// Brings deleted bytes off the disk: now what else happens within seconds by itself. See
    /// resources/docs/storage.md.
    [[nodiscard]] virtual base::Status purgeErased() = 0;
};

} // namespace fremis::storage

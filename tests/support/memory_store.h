#pragma once

#include "shared/base/clock.h"
#include "shared/storage/batch.h"

#include <map>
#include <memory>

namespace fremis::test {

/// What a worker's store holds, in memory: it survives the store object as a disk survives a process. Thread: one store
/// at a time.
struct MemoryDisk {
    struct Face {
        std::optional<base::Version> tombstone;
        std::map<std::uint64_t, base::Version> variationTombstones;
        std::map<std::uint64_t, storage::Enrollment> rows;
    };
    storage::KeyspaceRegistry keyspaces;
    std::array<base::Version, base::kPartitionCount> horizons{};
    std::optional<storage::EnrollmentStore::Space> space;
    std::map<storage::FaceKey, Face> faces;
    std::map<storage::OpId, storage::Outcome> answers;
    std::map<std::string, std::string> settings;
    base::Version last;
    storage::StoreIdentity identity;
    bool full = false; ///< commits fail with StorageFull
};

/// A store over such a disk with the product's own rules (storage::Batch): what the databases do, without a database.
/// Every commit is durable at once. Thread: any; calls take turns.
[[nodiscard]] std::unique_ptr<storage::EnrollmentStore> openMemoryStore(std::shared_ptr<MemoryDisk> disk,
                                                                        const base::Clock& clock);

} // namespace fremis::test

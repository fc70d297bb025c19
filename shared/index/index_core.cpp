#include "shared/index/index_core.h"

namespace fremis::index {

/// One write: changes made under `epoch()` become visible together when the step ends.
class IndexCore::Step {
public:
    explicit Step(IndexCore& core)
        : m_core(core), m_lock(core.m_writing), m_epoch(core.m_epochs.current() + 1), m_workBefore(work()) {}
    ~Step() {
        m_core.m_epochs.publish(m_epoch);
        m_core.m_hasRetired.store(!m_core.m_retired.empty(), std::memory_order_release);
        const bool moreWork = work() > m_workBefore || m_core.m_store.floats.wantsSpare();
        m_lock.unlock();
        if (moreWork)
            m_core.wake();
    }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    [[nodiscard]] std::uint64_t epoch() const { return m_epoch; }

private:
    [[nodiscard]] std::size_t work() const { return m_core.m_retired.size() + m_core.m_sparse.size(); }

    IndexCore& m_core;
    std::unique_lock<std::mutex> m_lock;
    const std::uint64_t m_epoch;
    const std::size_t m_workBefore;
};

IndexCore::IndexCore(const Options& options, std::unique_ptr<RowFile> file)
    : m_options(options), m_store(RowLayout::of(options), std::move(file)) {
    if (options.helperThreads > 0)
        m_helpers = std::make_unique<base::WorkPool>("index", options.helperThreads,
                                                     4 * static_cast<std::size_t>(options.helperThreads));
}

IndexCore::~IndexCore() {
    m_sparse.clear();
    while (tend()) {
    }
    m_directory.forEachCurrent([&](KeyspaceRows& keyspace) { keyspace.destroyRows(m_store); });
}

base::Status IndexCore::add(const Row& row) {
    if (row.address.face.empty() || row.address.face.size() > 255)
        return base::fail(base::Reason::InvalidFaceId, "a face id has 1 to 255 bytes");
    if (auto usable = checkEmbedding(row.embedding, m_store.layout.dimension); !usable)
        return usable;
    try {
        return addRow(row);
    } catch (const std::bad_alloc&) {
        return base::fail(base::Reason::StorageFull, "no memory for another face");
    }
}

base::Status IndexCore::addRow(const Row& row) {
    const FloatMode floatMode;
    const std::uint32_t hash = faceHash(row.address.face);
    const Step step(*this);
    auto& keyspace = m_directory.currentOrNew(row.address.keyspace, step.epoch());
    auto& partition = keyspace.currentOrNew(row.address.partition, step.epoch());
    Face& face = partition.faceFor(m_store, row.address.face, hash);
    m_store.inHand.assign(m_store.layout, row.embedding);
    auto slot = writtenSlot(partition);
    m_store.inHand.wipe(m_store.layout);
    if (!slot) {
        partition.forgetIfEmpty(m_store, face);
        return tl::unexpected(std::move(slot.error()));
    }
    const RowRef replaced = PartitionRows::findRow(face, row.variation.value());
    countRows(partition, 1, face.rows == 0 ? 1 : 0);
    partition.publish(*slot, face, row.variation.value(), step.epoch());
    if (replaced)
        removeRow(partition, replaced, step.epoch());
    return {};
}

base::Result<RowRef> IndexCore::writtenSlot(PartitionRows& partition) {
    const RowRef slot = partition.takeSlot(m_store);
    if (!slot)
        return base::fail(base::Reason::StorageFull, "no memory for another face");
    if (auto written = slot.block().write(m_store, slot.slot()); !written) {
        partition.returnSlot(slot);
        return tl::unexpected(std::move(written.error()));
    }
    return slot;
}

PartitionRows* IndexCore::partitionOf(const FaceAddress& address) const {
    const KeyspaceRows* const keyspace = m_directory.current(address.keyspace);
    return keyspace == nullptr ? nullptr : keyspace->current(address.partition);
}

void IndexCore::countRows(const PartitionRows& partition, std::int64_t vectors, std::int64_t faces) {
    // Unsigned arithmetic wraps: adding a negative number subtracts.
    m_vectors[partition.number()].fetch_add(static_cast<std::uint64_t>(vectors), std::memory_order_relaxed);
    m_faces[partition.number()].fetch_add(static_cast<std::uint64_t>(faces), std::memory_order_relaxed);
    partition.keyspace().vectors.fetch_add(static_cast<std::uint64_t>(vectors), std::memory_order_relaxed);
    partition.keyspace().faces.fetch_add(static_cast<std::uint64_t>(faces), std::memory_order_relaxed);
}

void IndexCore::removeRow(PartitionRows& partition, RowRef row, std::uint64_t epoch) {
    const auto facesBefore = partition.faces().size();
    partition.retire(row, epoch, m_retired);
    countRows(partition, -1, -static_cast<std::int64_t>(facesBefore - partition.faces().size()));
}

void IndexCore::afterRemoval(PartitionRows& partition, std::uint64_t epoch) {
    if (partition.live() == 0) {
        dropPartition(partition, epoch);
    } else if (partition.sparse() && !partition.waitsForMoving) {
        partition.waitsForMoving = true;
        m_sparse.push_back(&partition);
    }
}

bool IndexCore::removeVariation(const FaceAddress& address, base::Variation variation) {
    const Step step(*this);
    PartitionRows* const partition = partitionOf(address);
    if (partition == nullptr)
        return false;
    const Face* const face = partition->faces().find(address.face, faceHash(address.face));
    const RowRef row = face == nullptr ? RowRef() : PartitionRows::findRow(*face, variation.value());
    if (!row)
        return false;
    removeRow(*partition, row, step.epoch());
    afterRemoval(*partition, step.epoch());
    return true;
}

std::size_t IndexCore::removeFace(const FaceAddress& address) {
    const Step step(*this);
    PartitionRows* const partition = partitionOf(address);
    if (partition == nullptr)
        return 0;
    const Face* const face = partition->faces().find(address.face, faceHash(address.face));
    if (face == nullptr)
        return 0;
    const std::size_t rows = face->rows;
    for (std::size_t i = 0; i < rows; ++i)
        removeRow(*partition, face->first, step.epoch()); // the face itself is freed later, by tend()
    afterRemoval(*partition, step.epoch());
    return rows;
}

std::size_t IndexCore::dropPartition(PartitionRows& partition, std::uint64_t epoch) {
    const auto rows = partition.live();
    countRows(partition, -static_cast<std::int64_t>(rows), -static_cast<std::int64_t>(partition.faces().size()));
    partition.drop(epoch);
    m_retired.push_back({epoch, Retired::Kind::PartitionUnlink, {}, &partition});
    return rows;
}

std::size_t IndexCore::dropPartitions(std::string_view keyspace, const hashing::PartitionSet& partitions) {
    const Step step(*this);
    const KeyspaceRows* const rows = m_directory.current(keyspace);
    std::size_t dropped = 0;
    for (int number = 0; rows != nullptr && number < base::kPartitionCount; ++number)
        if (partitions.contains(static_cast<base::Partition>(number)))
            if (auto* const partition = rows->current(static_cast<base::Partition>(number)))
                dropped += dropPartition(*partition, step.epoch());
    return dropped;
}

std::size_t IndexCore::dropPartitions(const hashing::PartitionSet& partitions) {
    const Step step(*this);
    std::size_t dropped = 0;
    m_directory.forEachCurrent([&](const KeyspaceRows& keyspace) {
        for (int number = 0; number < base::kPartitionCount; ++number)
            if (partitions.contains(static_cast<base::Partition>(number)))
                if (auto* const partition = keyspace.current(static_cast<base::Partition>(number)))
                    dropped += dropPartition(*partition, step.epoch());
    });
    return dropped;
}

std::size_t IndexCore::dropKeyspace(std::string_view keyspace) {
    const Step step(*this);
    KeyspaceRows* const rows = m_directory.current(keyspace);
    if (rows == nullptr)
        return 0;
    std::size_t dropped = 0;
    for (int number = 0; number < base::kPartitionCount; ++number)
        if (const auto* const partition = rows->current(static_cast<base::Partition>(number))) {
            dropped += partition->live();
            countRows(*partition, -static_cast<std::int64_t>(partition->live()),
                      -static_cast<std::int64_t>(partition->faces().size()));
        }
    rows->drop(step.epoch());
    m_retired.push_back({step.epoch(), Retired::Kind::KeyspaceUnlink, {}, rows});
    return dropped;
}

std::shared_ptr<const Snapshot> IndexCore::snapshot() {
    std::shared_ptr<const Snapshot> last; // outlives the lock: its end may call leave()
    const std::scoped_lock lock(m_snapshotMutex);
    last = m_lastSnapshot.lock();
    if (last != nullptr && m_lastEpoch == m_epochs.current())
        return last;
    auto fresh = std::make_shared<const Snapshot>(shared_from_this());
    m_lastSnapshot = fresh;
    m_lastEpoch = fresh->epoch();
    return fresh;
}

std::uint64_t IndexCore::enter() {
    return m_epochs.enter();
}

void IndexCore::leave(std::uint64_t epoch) {
    m_epochs.leave(epoch);
    if (m_hasRetired.load(std::memory_order_acquire))
        wake();
}

Counts IndexCore::counts() const {
    Counts counts;
    for (std::size_t number = 0; number < counts.partitions.size(); ++number) {
        auto& partition = counts.partitions[number];
        partition.vectors = m_vectors[number].load(std::memory_order_relaxed);
        partition.faces = m_faces[number].load(std::memory_order_relaxed);
        counts.vectors += partition.vectors;
        counts.faces += partition.faces;
    }
    m_directory.forEachCurrent([&](const KeyspaceRows& keyspace) {
        if (const auto vectors = keyspace.vectors.load(std::memory_order_relaxed); vectors != 0)
            counts.keyspaces.push_back({keyspace.name(), vectors, keyspace.faces.load(std::memory_order_relaxed)});
    });
    std::sort(counts.keyspaces.begin(), counts.keyspaces.end(),
              [](const auto& left, const auto& right) { return left.keyspace < right.keyspace; });
    return counts;
}

std::uint64_t IndexCore::memoryBytes() const {
    std::uint64_t bytes =
        m_store.floats.bytes() + m_store.codes.bytes() + static_cast<std::uint64_t>(m_store.otherBytes.load());
    m_directory.forEachCurrent([&](const KeyspaceRows& keyspace) {
        if (const auto graph = keyspace.graph())
            bytes += graph->graph->bytes();
    });
    return bytes;
}

} // namespace fremis::index

#pragma once

#include "server/engine/keyspace_catalog.h"
#include "shared/base/clock.h"
#include "shared/base/version.h"
#include "shared/base/work_pool.h"
#include "shared/index/vector_index.h"
#include "shared/storage/group_commit.h"
#include "shared/wire/requests.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace fremis::engine {

enum class NodeState {
    Down,       ///< stopping, or the storage has failed
    Loading,    ///< index being filled from the storage; writes are stored
    CatchingUp, ///< loaded, takes queued writes; of a cluster
    Active,     ///< answers everything
};
[[nodiscard]] std::string_view nameOf(NodeState state);

struct NodeStatus {
    NodeState state = NodeState::Loading;
    std::string why;          ///< of a state that is not Active, for people
    bool storageAway = false; ///< Loading does not go on: the storage does not answer
    std::uint64_t vectorsLoaded = 0;
    std::uint64_t vectorsExpected = 0;
    [[nodiscard]] double loadedPercent() const;
};

/// The data of a worker: the durable store, the index that mirrors it, and the thread that fills the index, watches the
/// store and follows it through failures. Thread: any; create, start and stop from one.
class Node {
public:
    struct Options {
        hashing::PartitionSet owned = hashing::PartitionSet::all();
        storage::EnrollmentStore::Space space;
        index::Options index;
        bool sharedStore = false; ///< other workers write keyspaces of the same database
    };
    /// The process has to end: a store that can promise nothing any more, or one that is not ours. Thread: the node's
    /// own.
    using Fatal = std::function<void(int exitCode, const base::Error& why)>;

    [[nodiscard]] static base::Result<std::unique_ptr<Node>>
    create(std::unique_ptr<storage::EnrollmentStore> store, Options options, const base::Clock& clock, Fatal fatal);
    ~Node();
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    /// Connects to the store and fills the index, in the background.
    void start();
    /// Refuses new writes, finishes the accepted ones, ends the threads. Idempotent.
    void stop();

    [[nodiscard]] NodeStatus status() const;
    /// NotReady unless searches may be answered.
    [[nodiscard]] base::Status searchable() const;
    /// Rises with each filling of the index. A search is of a whole state when this is the same before and after it.
    [[nodiscard]] std::uint64_t fillings() const { return m_fillings.load(); }
    [[nodiscard]] const Options& options() const { return m_options; }
    [[nodiscard]] bool owns(base::Partition partition) const { return m_options.owned.contains(partition); }

    /// The partitions that a request names, all owned ones when it names none. NotOwner for one that is not owned.
    [[nodiscard]] base::Result<hashing::PartitionSet>
    partitions(const std::optional<std::vector<wire::PartitionRange>>& named) const;

    /// The present keyspace of that name, or KeyspaceNotFound. A shared store is asked again in the background after a
    /// miss, so a keyspace made by another worker is known within a second.
    [[nodiscard]] base::Result<storage::KeyspaceRecord> keyspace(const base::KeyspaceName& name) const;
    [[nodiscard]] const KeyspaceCatalog& catalog() const { return m_catalog; }
    [[nodiscard]] base::Result<base::Version> nextVersion();
    /// Who the store is; none until it has answered for the first time.
    [[nodiscard]] std::optional<storage::StoreIdentity> identity() const;
    /// The greatest version known to be in the store.
    [[nodiscard]] base::Version lastVersion() const;
    /// Versions of this node's own writes rise above `seen`, which may come from anywhere: one that is too far ahead
    /// is not believed.
    void observe(base::Version seen);
    /// More than 60 s ahead of this node's clock.
    [[nodiscard]] bool isAhead(base::Version version) const;
    /// Not below anything that is stored, was observed or is being written.
    [[nodiscard]] base::Version greatestVersion() const { return m_versions.greatest(); }
    /// For face ids; known once the store has answered for the first time.
    [[nodiscard]] std::uint64_t writer() const { return m_writer.load(); }

    using Done = std::function<void(const base::Result<storage::Outcome>&)>;
    /// Makes one write durable, then visible to searches, then calls `done` (committing thread). Overloaded: the queue
    /// is full, `done` will not be called.
    [[nodiscard]] base::Status write(storage::Operation operation, Done done);

    /// Grows with each write that concerns the partition; none while one is between its submission and the index. Equal
    /// before and after a look at store and index: both showed the same moment.
    [[nodiscard]] std::optional<std::uint64_t> quietMark(base::Partition partition) const;
    /// Brings the index of one partition into step with the store, while searches go on and writes wait. Blocking.
    /// NotReady while the whole index is being filled.
    [[nodiscard]] base::Status alignIndex(base::Partition partition);

    [[nodiscard]] index::VectorIndex& index() { return *m_index; }
    [[nodiscard]] const index::VectorIndex& index() const { return *m_index; }
    /// Blocking: for pool threads.
    [[nodiscard]] storage::EnrollmentStore& store() { return *m_store; }

private:
    Node(std::unique_ptr<storage::EnrollmentStore> store, std::unique_ptr<index::VectorIndex> index, Options options,
         const base::Clock& clock, Fatal fatal);

    void keep();
    [[nodiscard]] bool open();
    [[nodiscard]] bool load();
    void applyHeldEffects();
    void watch();
    [[nodiscard]] bool storeIsWell();
    void refreshKeyspaces();
    void giveUp(int exitCode, const base::Error& why);
    bool pause(std::chrono::milliseconds time);
    void setState(NodeState state, std::string why = {});
    [[nodiscard]] bool stopping() const;

    void noteWrite(const std::optional<base::Partition>& partition, bool finished);
    void reflect(const storage::Operation& operation, const storage::Outcome& outcome);
    void applyToIndex(const storage::Operation& operation, const storage::Outcome& outcome);
    void addFace(const std::string& incarnation, const base::FaceId& face);

    const std::unique_ptr<storage::EnrollmentStore> m_store;
    const std::unique_ptr<index::VectorIndex> m_index;
    const Options m_options;
    const Fatal m_fatal;
    const base::Clock& m_clock;
    KeyspaceCatalog m_catalog;
    base::VersionClock m_versions;
    std::atomic<std::uint64_t> m_writer = 0;
    std::atomic<bool> m_opened = false;
    std::atomic<bool> m_mustReload = false; ///< a write ended unknown, or the store came back older
    std::atomic<std::uint64_t> m_fillings = 0;
    mutable std::mutex m_lastMutex; ///< guards the two below
    base::Version m_last;
    std::optional<storage::StoreIdentity> m_identity;
    /// Writes by partition, and of keyspaces at the end. Finished: in the index, or refused.
    struct WriteCount {
        std::atomic<std::uint64_t> submitted = 0;
        std::atomic<std::uint64_t> finished = 0;
    };
    std::array<WriteCount, base::kPartitionCount + 1> m_writes;
    std::mutex m_refreshMutex; ///< a list read earlier never replaces one read later

    mutable std::mutex m_stateMutex;
    std::condition_variable m_wake;
    NodeState m_state = NodeState::Loading;
    std::string m_why = "starting";
    bool m_stopping = false;
    storage::ScanProgress m_progress;
    std::atomic<std::uint64_t> m_expected = 0;

    // While the index is being filled, the effects of writes wait here, so that one thread at a time decides what a row
    // becomes.
    struct Effect {
        storage::Operation operation;
        storage::Outcome outcome;
    };
    std::mutex m_effectsMutex;
    bool m_holdEffects = true;
    std::vector<Effect> m_heldEffects;
    std::mutex m_fillMutex;  ///< held while the index is filled or aligned
    std::mutex m_applyMutex; ///< held while one write, or an alignment, changes the index

    std::unique_ptr<storage::GroupCommit> m_commit;
    std::thread m_keeper;
};

} // namespace fremis::engine

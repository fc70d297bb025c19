#include "shared/index/vector_index.h"

#include "shared/index/graph_keeper.h"

#include <condition_variable>
#include <thread>

namespace fremis::index {

namespace {

constexpr int kMostDimensions = kMostStride;
constexpr std::array<std::string_view, 3> kEngineNames{"flat", "sq8", "hnsw"};

base::Status checkOptions(const Options& options) {
    const auto refuse = [](const char* why) { return base::fail(base::Reason::InvalidConfig, why); };
    if (options.dimension < 1 || options.dimension > kMostDimensions)
        return refuse("the index's dimension must be 1 to 8192");
    if (options.floatRows == FloatRows::File && options.engine != Engine::Sq8)
        return refuse("only the sq8 index can keep its float rows in a file");
    if (options.helperThreads < 0 || options.helperThreads > 256)
        return refuse("the index's helper threads must be 0 to 256");
    const auto& hnsw = options.hnsw;
    if (hnsw.neighbours < 2 || hnsw.neighbours > 512 || hnsw.constructionDepth < 1 || hnsw.searchDepth < 1 ||
        hnsw.exactBelow < 1 || hnsw.rebuildAt <= 0 || hnsw.recallQueries < 0)
        return refuse("the graph index's numbers are out of range");
    return {};
}

} // namespace

base::Result<Engine> parseEngine(std::string_view text) {
    for (std::size_t i = 0; i < kEngineNames.size(); ++i)
        if (kEngineNames[i] == text)
            return static_cast<Engine>(i);
    return base::fail(base::Reason::InvalidConfig, "the index is flat, sq8 or hnsw");
}

std::string_view engineName(Engine engine) {
    return kEngineNames[static_cast<std::size_t>(engine)];
}

bool precedes(const Hit& left, const Hit& right) {
    if (left.score != right.score)
        return left.score > right.score;
    if (const int order = left.face.compare(right.face); order != 0)
        return order < 0;
    return left.variation < right.variation;
}

/// The thread that tends the core whenever there is something to do. It lets work gather for a moment: woken by each
/// write, it would compete with the writers for their lock and with the searches for a CPU.
class VectorIndex::Caretaker {
public:
    explicit Caretaker(IndexCore& core) : m_core(core), m_thread([this] { run(); }) {
        m_core.onWork([this] { wake(); });
    }
    ~Caretaker() {
        m_core.onWork({});
        {
            const std::scoped_lock lock(m_mutex);
            m_stop = true;
            m_changed.notify_all();
        }
        m_thread.join();
    }
    Caretaker(const Caretaker&) = delete;
    Caretaker& operator=(const Caretaker&) = delete;

    bool settle(std::chrono::steady_clock::time_point deadline) {
        std::unique_lock lock(m_mutex);
        ++m_settling;
        m_work = true;
        m_changed.notify_all();
        const bool settled =
            m_changed.wait_until(lock, deadline, [this] { return !m_work && !m_busy && m_core.tidy(); });
        --m_settling;
        return settled;
    }

private:
    static constexpr std::chrono::milliseconds kGathering{5};

    void wake() {
        if (m_work.exchange(true))
            return;                               // has been told
        { const std::scoped_lock lock(m_mutex); } // the thread is waiting by now, or will look at m_work first
        m_changed.notify_all();
    }
    void run() {
        std::unique_lock lock(m_mutex);
        for (;;) {
            m_changed.wait(lock, [this] { return m_work || m_stop; });
            m_changed.wait_for(lock, kGathering, [this] { return m_settling > 0 || m_stop; });
            if (m_stop)
                return;
            m_work = false;
            m_busy = true;
            while (!m_stop) {
                lock.unlock();
                const bool more = m_core.tend();
                lock.lock();
                if (!more)
                    break;
            }
            m_busy = false;
            m_changed.notify_all();
        }
    }

    IndexCore& m_core;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::atomic<bool> m_work{false}; ///< cleared under the mutex, before the work is looked for
    bool m_busy = false;
    int m_settling = 0; ///< callers of settle()
    bool m_stop = false;
    std::thread m_thread; // last: it uses all the others
};

base::Result<std::unique_ptr<VectorIndex>> VectorIndex::create(const Options& options) {
    if (auto usable = checkOptions(options); !usable)
        return tl::unexpected(std::move(usable.error()));
    std::unique_ptr<RowFile> file;
    if (options.floatRows == FloatRows::File) {
        auto made = RowFile::create(options.dataDir);
        if (!made)
            return tl::unexpected(std::move(made.error()));
        file = std::move(*made);
    }
    return std::unique_ptr<VectorIndex>(new VectorIndex(std::make_shared<IndexCore>(options, std::move(file))));
}

VectorIndex::VectorIndex(std::shared_ptr<IndexCore> core)
    : m_core(std::move(core)), m_caretaker(std::make_unique<Caretaker>(*m_core)) {
    if (m_core->options().engine == Engine::Hnsw)
        m_graphKeeper = std::make_unique<GraphKeeper>(*m_core);
}

VectorIndex::~VectorIndex() = default;

base::Status VectorIndex::add(const Row& row) {
    return m_core->add(row);
}

bool VectorIndex::removeVariation(const FaceAddress& address, base::Variation variation) {
    return m_core->removeVariation(address, variation);
}

std::size_t VectorIndex::removeFace(const FaceAddress& address) {
    return m_core->removeFace(address);
}

std::size_t VectorIndex::dropKeyspace(std::string_view keyspace) {
    return m_core->dropKeyspace(keyspace);
}

std::size_t VectorIndex::dropPartitions(const hashing::PartitionSet& partitions) {
    return m_core->dropPartitions(partitions);
}

std::size_t VectorIndex::dropPartitions(std::string_view keyspace, const hashing::PartitionSet& partitions) {
    return m_core->dropPartitions(keyspace, partitions);
}

std::shared_ptr<const Snapshot> VectorIndex::snapshot() const {
    return m_core->snapshot();
}

Counts VectorIndex::counts() const {
    return m_core->counts();
}

Recall VectorIndex::recall() const {
    return m_core->recall();
}

std::uint64_t VectorIndex::memoryBytes() const {
    return m_core->memoryBytes();
}

const Options& VectorIndex::options() const {
    return m_core->options();
}

std::string_view VectorIndex::instructionSet() {
    return bestKernels().name;
}

bool VectorIndex::settle(std::chrono::milliseconds timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    if (m_graphKeeper != nullptr && !m_graphKeeper->settle(deadline))
        return false;
    return m_caretaker->settle(deadline);
}

} // namespace fremis::index

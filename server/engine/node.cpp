#include "server/engine/node.h"

#include "shared/base/log.h"
#include "shared/storage/batch.h"
#include "shared/storage/operation_codec.h"

#include <set>

namespace fremis::engine {

using base::fail;
using base::LogLevel;
using base::Reason;
using base::Result;
using base::Status;
using namespace std::chrono_literals;

namespace {

constexpr auto kWatchInterval = 500ms;
constexpr auto kMostAhead = 60s; ///< of a version, against this node's clock
constexpr auto kStalledUnhealthy = 10s;
constexpr auto kStalledExit = 20s;
const std::string kWaitingForStorage = "waiting for the storage: ";

template<class... Fs> struct Overloaded : Fs... { using Fs::operator()...; };

} // namespace

std::string_view nameOf(NodeState state) {
    switch (state) {
    case NodeState::Down:
        return "DOWN";
    case NodeState::Loading:
        return "LOADING";
    case NodeState::CatchingUp:
        return "CATCHING_UP";
    case NodeState::Active:
        return "ACTIVE";
    }
    return "DOWN";
}

double NodeStatus::loadedPercent() const {
    if (state == NodeState::Active)
        return 100.0;
    if (vectorsExpected == 0)
        return 0.0;
    // Writes during the load may bring more rows than were counted; only Active says 100.
    return std::min(99.9, 100.0 * static_cast<double>(vectorsLoaded) / static_cast<double>(vectorsExpected));
}

Result<std::unique_ptr<Node>> Node::create(std::unique_ptr<storage::EnrollmentStore> store, Options options,
                                           const base::Clock& clock, Fatal fatal) {
    auto index = index::VectorIndex::create(options.index);
    if (!index)
        return tl::unexpected(index.error());
    return std::unique_ptr<Node>(
        new Node(std::move(store), std::move(*index), std::move(options), clock, std::move(fatal)));
}

Node::Node(std::unique_ptr<storage::EnrollmentStore> store, std::unique_ptr<index::VectorIndex> index, Options options,
           const base::Clock& clock, Fatal fatal)
    : m_store(std::move(store)), m_index(std::move(index)), m_options(std::move(options)), m_fatal(std::move(fatal)),
      m_clock(clock), m_versions(clock, 0), m_commit(std::make_unique<storage::GroupCommit>(*m_store)) {}

Node::~Node() {
    stop();
}

void Node::start() {
    m_keeper = std::thread([this] { keep(); });
}

void Node::stop() {
    {
        const std::scoped_lock lock(m_stateMutex);
        m_stopping = true;
        m_state = NodeState::Down;
        m_why = "stopping";
    }
    m_progress.cancel = true;
    m_wake.notify_all();
    m_commit->stop();
    if (m_keeper.joinable())
        m_keeper.join();
}

bool Node::stopping() const {
    const std::scoped_lock lock(m_stateMutex);
    return m_stopping;
}

/// False when the node is stopping.
bool Node::pause(std::chrono::milliseconds time) {
    std::unique_lock lock(m_stateMutex);
    return !m_wake.wait_for(lock, time, [this] { return m_stopping; });
}

void Node::setState(NodeState state, std::string why) {
    const std::scoped_lock lock(m_stateMutex);
    if (m_stopping || (m_state == state && m_why == why))
        return;
    if (m_state != state || state != NodeState::Loading)
        base::log(state == NodeState::Down ? LogLevel::Error : LogLevel::Info, "state",
                  {{"state", nameOf(state)}, {"why", why}, {"vectors", m_index->counts().vectors}});
    m_state = state;
    m_why = std::move(why);
}

NodeStatus Node::status() const {
    NodeStatus status;
    {
        const std::scoped_lock lock(m_stateMutex);
        status.state = m_state;
        status.why = m_why;
        status.storageAway = m_state == NodeState::Loading && m_why.starts_with(kWaitingForStorage);
    }
    const bool loading = status.state == NodeState::Loading;
    status.vectorsLoaded = loading ? m_progress.rows.load() : m_index->counts().vectors;
    status.vectorsExpected = loading ? m_expected.load() : status.vectorsLoaded;
    if (loading && m_expected > 0) {
        char percent[24];
        std::snprintf(percent, sizeof percent, "%.1f %%", status.loadedPercent());
        status.why = std::string("loading: ") + percent;
    }
    return status;
}

Status Node::searchable() const {
    // A store that is away does not make the index wrong: it holds all that was ever acknowledged.
    const std::scoped_lock lock(m_stateMutex);
    if (m_stopping || m_state == NodeState::Loading || !m_opened)
        return fail(Reason::NotReady, m_stopping ? "stopping" : "the index is being loaded");
    return {};
}

Result<hashing::PartitionSet> Node::partitions(const std::optional<std::vector<wire::PartitionRange>>& named) const {
    if (!named)
        return m_options.owned;
    hashing::PartitionSet wanted;
    for (const auto& range : *named)
        wanted.insert(hashing::PartitionRange{range.start, range.end});
    const auto foreign = wanted - m_options.owned;
    if (!foreign.empty())
        return fail(Reason::NotOwner, "this worker does not own the partitions " + foreign.text());
    return wanted;
}

Result<storage::KeyspaceRecord> Node::keyspace(const base::KeyspaceName& name) const {
    if (auto record = m_catalog.find(name.text()))
        return *std::move(record);
    if (!m_opened)
        return fail(Reason::NotReady, "the storage has not answered yet");
    return fail(Reason::KeyspaceNotFound, "the keyspace does not exist");
}

Result<base::Version> Node::nextVersion() {
    // Before the store has told its last version, a new one might be below it and lose against a tombstone.
    if (!m_opened)
        return fail(Reason::NotReady, "the storage has not answered yet");
    auto version = m_versions.next();
    version.writer = m_writer;
    return version;
}

bool Node::isAhead(base::Version version) const {
    return version.time() > m_clock.sinceEpoch() + kMostAhead;
}

void Node::observe(base::Version seen) {
    if (!isAhead(seen))
        m_versions.observe(seen);
}

std::optional<storage::StoreIdentity> Node::identity() const {
    const std::scoped_lock lock(m_lastMutex);
    return m_identity;
}

base::Version Node::lastVersion() const {
    const std::scoped_lock lock(m_lastMutex);
    return m_last;
}

Status Node::write(storage::Operation operation, Done done) {
    auto shared = std::make_shared<storage::Operation>(operation);
    const auto partition = storage::partitionOf(operation);
    noteWrite(partition, false);
    const bool taken =
        m_commit->submit(std::move(operation),
                         [this, shared, partition, done = std::move(done)](const Result<storage::Outcome>& outcome) {
                             if (outcome)
                                 reflect(*shared, *outcome);
                             else if (outcome.error().reason == Reason::OutcomeUnknown)
                                 m_mustReload = true;
                             noteWrite(partition, true);
                             done(outcome);
                         });
    if (taken)
        return {};
    noteWrite(partition, true);
    return fail(Reason::Overloaded, "too many writes are waiting");
}

void Node::noteWrite(const std::optional<base::Partition>& partition, bool finished) {
    auto& count = m_writes[partition ? *partition : base::kPartitionCount];
    ++(finished ? count.finished : count.submitted);
}

std::optional<std::uint64_t> Node::quietMark(base::Partition partition) const {
    std::uint64_t mark = 0;
    for (const auto* count : {&m_writes[partition], &m_writes[base::kPartitionCount]}) {
        // In this order: what was finished before cannot exceed what is submitted now.
        const auto finished = count->finished.load();
        const auto submitted = count->submitted.load();
        if (finished != submitted)
            return std::nullopt;
        mark += submitted;
    }
    return mark;
}

Status Node::alignIndex(base::Partition partition) {
    const std::unique_lock fill(m_fillMutex, std::try_to_lock);
    if (!fill || !searchable())
        return fail(Reason::NotReady, "the index is being loaded");
    // Writes that are in the store and wait here are applied once more afterwards, which changes nothing.
    const std::scoped_lock apply(m_applyMutex);
    std::set<storage::RowPosition> surplus;
    const auto snapshot = m_index->snapshot();
    for (const auto& keyspace : m_catalog.all())
        snapshot->visitRows(keyspace.incarnation, partition, [&](std::string_view face, base::Variation variation) {
            surplus.insert({keyspace.incarnation, std::string(face), variation.value()});
        });
    std::uint64_t missing = 0;
    const auto walked = m_store->walk(partition, std::nullopt, [&](const storage::EnrollmentView& row) {
        if (surplus.erase({std::string(row.incarnation), std::string(row.face), row.variation.value()}) == 0)
            missing += m_index->add({{row.incarnation, partition, row.face}, row.variation, row.embedding}).has_value();
        return true;
    });
    if (!walked)
        return tl::unexpected(walked.error());
    for (const auto& row : surplus)
        m_index->removeVariation({row.incarnation, partition, row.face}, base::Variation(row.variation));
    base::log(LogLevel::Warning, "index_aligned",
              {{"partition", partition}, {"added", missing}, {"removed", surplus.size()}});
    return {};
}

void Node::reflect(const storage::Operation& operation, const storage::Outcome& outcome) {
    const bool aboutKeyspaces = std::holds_alternative<storage::CreateKeyspace>(operation) ||
                                std::holds_alternative<storage::DropKeyspace>(operation) ||
                                std::holds_alternative<storage::SetThreshold>(operation);
    if (aboutKeyspaces)
        refreshKeyspaces();
    if (outcome.effect != storage::Effect::Applied)
        return;
    const auto version = storage::versionOf(operation);
    m_versions.observe(version); // of another node, maybe: ours must rise above it
    {
        const std::scoped_lock lock(m_lastMutex);
        m_last = std::max(m_last, version);
    }
    {
        const std::scoped_lock lock(m_effectsMutex);
        if (m_holdEffects) {
            m_heldEffects.push_back({operation, outcome});
            return;
        }
    }
    const std::scoped_lock lock(m_applyMutex);
    applyToIndex(operation, outcome);
}

void Node::applyToIndex(const storage::Operation& operation, const storage::Outcome& outcome) {
    std::visit(
        Overloaded{
            [&](const storage::AddVariation& add) {
                const auto& row = add.row;
                const auto added =
                    m_index->add({{row.incarnation, row.partition, row.face.text()}, row.variation, row.embedding});
                if (!added) { // stored, so it must be found: a reload will tell why it cannot
                    base::log(LogLevel::Error, "index_add_failed", {{"error", added.error().message}});
                    m_mustReload = true;
                }
            },
            [&](const storage::DeleteFace& gone) {
                // A delete that comes late leaves what is newer: all of the face, or some of it.
                if (outcome.rowsRemoved > 0)
                    m_index->removeFace({gone.incarnation, gone.partition, gone.face.text()});
                if (outcome.rowsRemoved > 0 && outcome.facesRemoved == 0)
                    addFace(gone.incarnation, gone.face);
            },
            [&](const storage::DeleteVariation& gone) {
                if (outcome.rowsRemoved > 0)
                    m_index->removeVariation({gone.incarnation, gone.partition, gone.face.text()}, gone.variation);
            },
            [&](const storage::DropKeyspace&) { m_index->dropKeyspace(outcome.incarnation); },
            [](const storage::CreateKeyspace&) {},
            [](const storage::SetThreshold&) {},
        },
        operation);
}

/// Takes what is stored of a face into the index. For the rare write after which only the store knows.
void Node::addFace(const std::string& incarnation, const base::FaceId& face) {
    const auto stored = m_store->face(incarnation, face);
    bool complete = stored.has_value();
    for (std::size_t i = 0; complete && *stored && i < (*stored)->variations.size(); ++i) {
        const auto row = m_store->row(incarnation, face, (*stored)->variations[i].variation);
        complete =
            row && *row &&
            m_index->add(
                {{(*row)->incarnation, (*row)->partition, (*row)->face.text()}, (*row)->variation, (*row)->embedding});
    }
    if (!complete)
        m_mustReload = true;
}

void Node::refreshKeyspaces() {
    const std::scoped_lock lock(m_refreshMutex);
    auto records = m_store->keyspaces();
    if (!records)
        return; // the watch will try again
    for (const auto& gone : m_catalog.replace(std::move(*records)))
        m_index->dropKeyspace(gone);
}

void Node::giveUp(int exitCode, const base::Error& why) {
    setState(NodeState::Down, why.message);
    m_fatal(exitCode, why);
}

void Node::keep() {
    if (!open())
        return;
    do {
        if (!load())
            return;
        watch();
    } while (!stopping());
}

/// Waits for the store. False when the node stops or has to give up.
bool Node::open() {
    for (;;) {
        auto opened = m_store->claimSpace(m_options.space);
        if (opened) {
            const auto identity = m_store->identity();
            const auto last = m_store->lastVersion();
            auto records = m_store->keyspaces();
            if (identity && last && records) {
                {
                    const std::scoped_lock lock(m_lastMutex);
                    m_identity = *identity;
                    m_last = *last;
                }
                m_writer = identity->writer;
                m_versions.observe(*last);
                m_catalog.replace(std::move(*records));
                m_opened = true;
                return true;
            }
            opened = tl::unexpected(!identity ? identity.error() : !last ? last.error() : records.error());
        }
        const auto& error = opened.error();
        if (error.reason == Reason::BadStore) {
            giveUp(78, error);
            return false;
        }
        setState(NodeState::Loading, kWaitingForStorage + error.message);
        if (!pause(200ms))
            return false;
    }
}

/// Fills the index from the store; tries again for as long as the store is away. False when the node stops.
bool Node::load() {
    const std::scoped_lock fill(m_fillMutex);
    for (;;) {
        {
            const std::scoped_lock lock(m_effectsMutex);
            m_holdEffects = true;
            m_heldEffects.clear();
        }
        m_mustReload = false;
        m_progress.rows = 0;
        m_expected = 0;
        setState(NodeState::Loading, "loading");
        ++m_fillings;
        m_index->dropPartitions(hashing::PartitionSet::all());
        refreshKeyspaces();
        std::uint64_t refused = 0;
        const auto expected = m_store->countRows(m_options.owned);
        if (expected)
            m_expected = *expected;
        const auto begin = std::chrono::steady_clock::now();
        auto report = m_store->scan(
            m_options.owned,
            [&](const storage::EnrollmentView& row) {
                refused += !m_index->add({{row.incarnation, row.partition, row.face}, row.variation, row.embedding});
                return true;
            },
            &m_progress);
        if (stopping())
            return false;
        if (report) {
            applyHeldEffects();
            const auto took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            base::log(report->degraded + refused ? LogLevel::Warning : LogLevel::Info, "loaded",
                      {{"vectors", report->rows}, {"degraded", report->degraded + refused}, {"seconds", took}});
            setState(NodeState::Active);
            return true;
        }
        setState(NodeState::Loading, kWaitingForStorage + report.error().message);
        if (!pause(200ms))
            return false;
    }
}

void Node::applyHeldEffects() {
    for (;;) {
        std::vector<Effect> effects;
        {
            const std::scoped_lock lock(m_effectsMutex);
            effects.swap(m_heldEffects);
            if (effects.empty()) {
                m_holdEffects = false;
                return;
            }
        }
        for (const auto& effect : effects)
            applyToIndex(effect.operation, effect.outcome);
    }
}

/// Returns when the index has to be filled anew, or the node stops.
void Node::watch() {
    while (pause(kWatchInterval)) {
        if (!storeIsWell())
            continue;
        if (m_options.sharedStore)
            refreshKeyspaces();
        if (m_mustReload)
            return;
        setState(NodeState::Active);
    }
}

bool Node::storeIsWell() {
    const auto health = m_store->health();
    if (health.mustExit || health.stalled > kStalledExit) {
        giveUp(1, {Reason::Internal, health.mustExit ? health.why : "a write to the storage hangs", {}});
        return false;
    }
    if (health.stalled > kStalledUnhealthy) {
        setState(NodeState::Down, "a write to the storage has been waiting for more than 10 s");
        return false;
    }
    const bool wasAway = status().state == NodeState::Down;
    if (const auto answered = m_store->ping(); !answered) {
        if (answered.error().reason == Reason::BadStore)
            giveUp(78, answered.error());
        setState(NodeState::Down, "the storage has failed: " + answered.error().message);
        return false;
    }
    // A database that came back may be an older copy (a restored backup, a failed-over replica): the index follows it.
    if (wasAway) {
        const auto last = m_store->lastVersion();
        m_mustReload = m_mustReload || !last || last->stamp < lastVersion().stamp;
    }
    return true;
}

} // namespace fremis::engine

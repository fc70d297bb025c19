#include "shared/storage/postgres/pg_housekeeper.h"

#include "shared/base/log.h"
#include "shared/storage/answers.h"

namespace fremis::storage {
namespace {

/// The statements here look up few rows of a table that is large: through its index, whatever the planner believes.
constexpr const char* kByIndex = "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off";

/// Rows of one step: short transactions, so that vacuum and writers get between.
constexpr int kRowsOfStep = 5000;

} // namespace

PgHousekeeper::PgHousekeeper(const PostgresOptions& options, PgLease lease, PgBackoff& backoff, FatalFlag& fatal,
                             const base::Clock& clock)
    : m_lease(std::move(lease)), m_fatal(fatal), m_clock(clock), m_session(options, kByIndex, backoff),
      m_thread([this] { work(); }) {}

PgHousekeeper::~PgHousekeeper() {
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    m_thread.join();
    if (!m_ready.load())
        return;
    // A clean exit frees the partitions at once; else they are free when the lease runs out.
    const auto released = m_session.run([this](pqxx::connection& connection) {
        releasePgLease(connection, m_lease);
        return true;
    });
    if (!released)
        base::log(base::LogLevel::Warning, "lease_not_released", {{"reason", released.error().message}});
}

base::Status PgHousekeeper::ensureReady() {
    if (m_ready.load())
        return {};
    const std::lock_guard lock(m_sessionMutex);
    if (m_ready.load())
        return {};
    const auto prepared = m_session.run([this](pqxx::connection& connection) -> base::Result<std::uint64_t> {
        if (auto done = preparePgDatabase(connection, m_clock.sinceEpoch()); !done)
            return tl::unexpected(done.error());
        return acquirePgLease(connection, m_lease);
    });
    if (!prepared)
        return tl::unexpected(prepared.error());
    if (!*prepared)
        return tl::unexpected(prepared->error());
    m_generation.store(**prepared);
    m_ready.store(true);
    return {};
}

void PgHousekeeper::noteDeath() {
    const std::lock_guard lock(m_mutex);
    m_deathsDue = true;
}

void PgHousekeeper::work() {
    auto nextForgetting = std::chrono::steady_clock::now();
    auto nextRenewal = std::chrono::steady_clock::now() + m_lease.time / 3;
    std::unique_lock lock(m_mutex);
    while (!m_wake.wait_for(lock, std::min<std::chrono::milliseconds>(m_lease.time / 6, std::chrono::seconds(1)),
                            [this] { return m_stopping; })) {
        if (!m_ready.load() || m_fatal.isRaised())
            continue;
        const auto now = std::chrono::steady_clock::now();
        const bool forgets = now >= nextForgetting;
        const bool erases = std::exchange(m_deathsDue, false) || forgets; // forgets: other workers' drops, now and then
        lock.unlock();
        base::Status status;
        if (now >= nextRenewal) {
            nextRenewal = now + m_lease.time / 3;
            status = renew();
        }
        if (status && erases)
            status = eraseDead();
        if (status && forgets) {
            nextForgetting = now + kForgetEvery;
            status = forgetAnswers();
        }
        if (!status)
            base::log(base::LogLevel::Debug, "store_housekeeping_failed",
                      {{"reason", status.error().message}, {"detail", status.error().detail}});
        lock.lock();
        m_deathsDue = m_deathsDue || (erases && !status);
    }
}

base::Status PgHousekeeper::finish() {
    if (auto ready = ensureReady(); !ready)
        return ready;
    if (auto erased = eraseDead(); !erased)
        return erased;
    if (auto forgot = forgetAnswers(); !forgot)
        return forgot;
    if (!m_erased.exchange(false))
        return {};
    const std::lock_guard lock(m_sessionMutex);
    const auto vacuumed = m_session.run([](pqxx::connection& connection) {
        pqxx::nontransaction(connection).exec0("VACUUM enrollments");
        return true;
    });
    if (vacuumed)
        return {};
    m_erased.store(true);
    return tl::unexpected(vacuumed.error());
}

base::Status PgHousekeeper::renew() {
    const std::lock_guard lock(m_sessionMutex);
    const auto renewed =
        m_session.run([this](pqxx::connection& connection) { return renewPgLease(connection, m_lease); });
    if (!renewed)
        return tl::unexpected(renewed.error());
    if (!*renewed)
        m_fatal.raise("another worker has taken over the partitions of this one");
    return {};
}

base::Status PgHousekeeper::eraseDead() {
    for (const auto* table : {"enrollments", "face_tombstones", "variation_tombstones"})
        if (auto erased = eraseWhere(table, "k.dead"); !erased)
            return tl::unexpected(erased.error());
    return {};
}

base::Result<std::uint64_t> PgHousekeeper::erasePartitions(const hashing::PartitionSet& partitions) {
    if (auto ready = ensureReady(); !ready)
        return tl::unexpected(ready.error());
    std::uint64_t erased = 0;
    for (const auto& [first, last] : partitions.ranges()) {
        auto some =
            eraseWhere("enrollments", "t.partition BETWEEN " + std::to_string(first) + " AND " + std::to_string(last));
        if (!some)
            return some;
        erased += *some;
    }
    return erased;
}

base::Result<std::uint64_t> PgHousekeeper::eraseWhere(const std::string& table, const std::string& condition) {
    const auto statement = "DELETE FROM " + table + " WHERE ctid = ANY (ARRAY (SELECT t.ctid FROM " + table +
                           " t JOIN keyspaces k ON k.id = t.keyspace_id WHERE " + condition + " LIMIT " +
                           std::to_string(kRowsOfStep) + " FOR UPDATE OF t SKIP LOCKED))";
    std::uint64_t erased = 0;
    while (true) {
        {
            const std::lock_guard lock(m_mutex);
            if (m_stopping)
                return erased;
        }
        const std::lock_guard lock(m_sessionMutex);
        const auto some = m_session.run([&](pqxx::connection& connection) {
            pqxx::work transaction(connection);
            lockPgRegistry(transaction, PgLock::Shared); // for the durability it sees to
            const auto rows = transaction.exec(statement).affected_rows();
            transaction.commit();
            return std::uint64_t{rows};
        });
        if (!some)
            return some;
        if (*some == 0)
            return erased;
        erased += *some;
        noteErasure();
    }
}

base::Status PgHousekeeper::forgetAnswers() {
    const auto before = (m_clock.sinceEpoch() - kAnswersKept).count();
    const std::lock_guard lock(m_sessionMutex);
    const auto forgot = m_session.run([before](pqxx::connection& connection) {
        pqxx::work transaction(connection);
        transaction.exec_params("DELETE FROM op_answers WHERE recorded_at < $1", std::int64_t{before});
        transaction.commit();
        return true;
    });
    if (!forgot)
        return tl::unexpected(forgot.error());
    return {};
}

} // namespace fremis::storage

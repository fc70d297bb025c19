#pragma once

#include "shared/storage/postgres/postgres_store.h"

#include <mutex>
#include <pqxx/pqxx>
#include <random>

namespace fremis::storage {

/// Keyword and value, as libpq takes them. The password is among them: never print.
using PgParameters = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] PgParameters parametersOf(const PostgresOptions& options, const std::string& sessionSettings);

/// What a failed call on the database means for the caller.
struct PgFailure {
    base::Error error;
    bool connectionLost = false; ///< the session must be thrown away
};

/// Turns what libpqxx throws into a PgFailure; call inside a catch block. Error texts carry SQLSTATE and, where values
/// cannot be in it, the server's first line.
[[nodiscard]] PgFailure currentPgFailure();

/// Spaces attempts to connect: after a failure none for 100 ms, doubling to 5 s, each with jitter, so that many workers
/// do not come back at once. Thread: any.
class PgBackoff {
public:
    /// Fails at once, with the last error, while it is too early for another attempt.
    [[nodiscard]] base::Status mayTry();
    void failed(const base::Error& error);
    void succeeded();

private:
    std::mutex m_mutex;
    std::chrono::steady_clock::time_point m_next{};
    std::chrono::milliseconds m_delay{0};
    std::optional<base::Error> m_last;
    std::minstd_rand m_random{std::random_device{}()};
};

/// One connection that comes back by itself. Thread: one at a time.
class PgSession {
public:
    using Prepare = std::function<void(pqxx::connection&)>;
    /// `settings`: server parameters of the session, as in "-c name=value". `prepare`: defines statements on each new
    /// connection; may throw what libpqxx throws.
    PgSession(const PostgresOptions& options, const std::string& settings, PgBackoff& backoff, Prepare prepare = {})
        : m_parameters(parametersOf(options, settings)), m_backoff(backoff), m_prepare(std::move(prepare)) {}

    /// Connects when it must, as often as the back-off allows.
    [[nodiscard]] base::Result<pqxx::connection*> connection();
    void drop() { m_connection.reset(); }

    /// Calls `body(connection)`; what it throws becomes an error, and a lost connection is dropped. When the connection
    /// had been open before, it may have died long ago: then `body`, which must bear to be repeated, is tried once more
    /// on a new one.
    template<class Body>
    [[nodiscard]] auto run(Body body) -> base::Result<std::decay_t<decltype(body(std::declval<pqxx::connection&>()))>>;

private:
    PgParameters m_parameters;
    PgBackoff& m_backoff;
    Prepare m_prepare;
    std::unique_ptr<pqxx::connection> m_connection;
};

template<class Body>
auto PgSession::run(Body body) -> base::Result<std::decay_t<decltype(body(std::declval<pqxx::connection&>()))>> {
    for (bool fresh = false;; fresh = true) {
        fresh = fresh || !m_connection;
        auto open = connection();
        if (!open)
            return tl::unexpected(open.error());
        try {
            return body(**open);
        } catch (...) {
            auto failure = currentPgFailure();
            if (failure.connectionLost || !m_connection->is_open())
                drop();
            if (fresh || m_connection)
                return tl::unexpected(failure.error);
        }
    }
}

} // namespace fremis::storage

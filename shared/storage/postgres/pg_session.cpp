#include "shared/storage/postgres/pg_session.h"

#include "shared/base/log.h"

namespace fremis::storage {
namespace {

using namespace std::chrono_literals;

std::string quoted(const std::string& value) {
    std::string text = "'";
    for (const char c : value) {
        if (c == '\'' || c == '\\')
            text += '\\';
        text += c;
    }
    return text + '\'';
}

std::string firstLine(const char* text) {
    const std::string_view all(text);
    return std::string(all.substr(0, all.find('\n')));
}

bool startsWithAny(const std::string& state, std::initializer_list<std::string_view> prefixes) {
    return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return state.starts_with(prefix); });
}

/// SQLSTATE classes: 08 connection, 28 authorisation, 3D no such database, 42 names and privileges, 53 resources, 57
/// operator, 58 system. In these the first line tells names and addresses, never a row's values.
PgFailure failureOfSql(const pqxx::sql_error& error) {
    const auto state = error.sqlstate();
    std::string detail = "SQLSTATE " + state;
    if (startsWithAny(state, {"08", "28", "3D", "42", "53", "57", "58"}))
        detail += ": " + firstLine(error.what());
    if (state == "53100")
        return {{base::Reason::StorageFull, "the disk of the database is full", detail}, false};
    if (startsWithAny(state, {"08", "57P", "25P03"}))
        return {{base::Reason::NotReady, "the connection to the database was lost", detail}, true};
    // Waiting helps: resources, locks, time limits, a standby that is being promoted.
    if (startsWithAny(state, {"53", "40", "55P03", "57014", "25006"}))
        return {{base::Reason::NotReady, "the database is busy", detail}, false};
    return {{base::Reason::Internal, "the database refused a statement", detail}, false};
}

} // namespace

PgParameters parametersOf(const PostgresOptions& options, const std::string& sessionSettings) {
    PgParameters parameters{
        {"host", options.host},
        {"port", std::to_string(options.port)},
        {"dbname", options.database},
        {"user", options.user},
        {"sslmode", options.sslMode},
        {"client_encoding", "UTF8"},
        {"application_name", "fremis_n"},
        {"connect_timeout", "5"},
        // A peer that has gone silent is given up after some 15 s instead of the system's 15 minutes.
        {"keepalives_idle", "5"},
        {"keepalives_interval", "3"},
        {"keepalives_count", "3"},
        {"tcp_user_timeout", "15000"},
        // Here and not by SET, so that a session has them from its first statement on.
        {"options", "-c search_path=fremis_n -c lock_timeout=5s " + sessionSettings}};
    if (!options.password.empty())
        parameters.emplace_back("password", options.password);
    return parameters;
}

PgFailure currentPgFailure() {
    try {
        throw;
    } catch (const pqxx::broken_connection& error) {
        return {{base::Reason::NotReady, "the database cannot be reached", firstLine(error.what())}, true};
    } catch (const pqxx::in_doubt_error&) {
        return {{base::Reason::OutcomeUnknown, "it is not known whether the write was stored",
                 "the connection was lost during COMMIT"},
                true};
    } catch (const pqxx::sql_error& error) {
        return failureOfSql(error);
    } catch (const pqxx::failure& error) {
        return {{base::Reason::NotReady, "the connection to the database was lost", firstLine(error.what())}, true};
    } catch (const std::bad_alloc&) {
        return {{base::Reason::Overloaded, "not enough memory", {}}, false};
    } catch (const std::exception& error) {
        return {{base::Reason::Internal, "a statement failed", typeid(error).name()}, false};
    } catch (...) {
        return {{base::Reason::Internal, "a statement failed", {}}, false};
    }
}

base::Status PgBackoff::mayTry() {
    const std::lock_guard lock(m_mutex);
    if (m_last && std::chrono::steady_clock::now() < m_next)
        return tl::unexpected(*m_last);
    return {};
}

void PgBackoff::failed(const base::Error& error) {
    const std::lock_guard lock(m_mutex);
    m_delay = std::clamp<std::chrono::milliseconds>(m_delay * 2, 100ms, 5s);
    std::uniform_int_distribution<std::int64_t> jitter(m_delay.count() / 2, m_delay.count());
    m_next = std::chrono::steady_clock::now() + std::chrono::milliseconds(jitter(m_random));
    if (!m_last || m_last->detail != error.detail)
        base::log(base::LogLevel::Warning, "database_unreachable",
                  {{"reason", error.message}, {"detail", error.detail}});
    m_last = error;
}

void PgBackoff::succeeded() {
    const std::lock_guard lock(m_mutex);
    if (m_last)
        base::log(base::LogLevel::Info, "database_reached");
    m_last.reset();
    m_delay = 0ms;
}

base::Result<pqxx::connection*> PgSession::connection() {
    if (m_connection)
        return m_connection.get();
    if (auto may = m_backoff.mayTry(); !may)
        return tl::unexpected(may.error());
    std::string text;
    for (const auto& [key, value] : m_parameters)
        text += key + '=' + quoted(value) + ' ';
    try {
        auto fresh = std::make_unique<pqxx::connection>(text);
        if (m_prepare)
            m_prepare(*fresh);
        m_connection = std::move(fresh);
    } catch (...) {
        auto error = currentPgFailure().error;
        error.reason = base::Reason::NotReady;
        error.message = "the database cannot be reached";
        m_backoff.failed(error);
        return tl::unexpected(error);
    }
    m_backoff.succeeded();
    return m_connection.get();
}

} // namespace fremis::storage

#pragma once

#include "shared/base/clock.h"
#include "shared/base/ids.h"
#include "shared/http/server.h"
#include "shared/http/signature.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace fremis::http {

/// One client's key: what it may do and where.
struct ClientKey {
    std::string id;
    std::string secret;
    std::set<std::string> rights;    ///< search, enrol, delete, keyspace-admin, embed, metrics, operator
    std::set<std::string> keyspaces; ///< empty: all
    bool signedOnly = false;         ///< never as a bearer token
};

/// The pair of the internal plane as a key: all rights everywhere, and the internal plane's own, by signature only.
[[nodiscard]] ClientKey internalKey(const std::string& accessKey, const std::string& secretKey);
/// The right of every route of the internal plane; no key of a file can have it.
inline constexpr std::string_view kInternalRight = "internal";

/// Reads a client keys file, in YAML:
///     keys:
///       - {id: dashboard, secret: "…16 characters or more…", rights: [search, enrol, delete], keyspaces: [default]}
/// InvalidConfig names the key and the fault, never a secret.
[[nodiscard]] base::Result<std::vector<ClientKey>> loadClientKeys(const std::filesystem::path& file);

/// Who may do what on the client plane once keys are required. A key signs requests (shared/http/signature.h), or
/// travels as `Authorization: Bearer <secret>` over TLS or from loopback. Thread: any.
class ClientAccess {
public:
    /// `nonces`: most that are remembered at once, about ten minutes of signed requests.
    ClientAccess(std::vector<ClientKey> keys, const base::Clock& clock, std::size_t nonces = 1 << 20);

    /// Checks for the server: authentication, then the route's right. Sets Request::principal to the key's id.
    /// Unauthorized answers are all alike. The hooks keep a reference to this.
    [[nodiscard]] AccessHooks hooks();
    /// Forbidden unless the key named by a request's principal has that right.
    [[nodiscard]] base::Status mayDo(std::string_view principal, const std::string& right) const;
    /// Forbidden unless the key named by a request's principal is bound to that keyspace.
    [[nodiscard]] base::Status mayUse(std::string_view principal, const base::KeyspaceName& keyspace) const;

private:
    [[nodiscard]] base::Status checkHead(Request& request, const Route& route) const;
    [[nodiscard]] base::Status checkWhole(Request& request, const Route& route);
    [[nodiscard]] const ClientKey* keyOfBearer(std::string_view token) const;

    std::map<std::string, ClientKey, std::less<>> m_keys;
    const base::Clock& m_clock;
    NonceCache m_nonces;
};

} // namespace fremis::http

#include "shared/http/client_access.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>

namespace fremis::http {

using base::fail;
using base::Reason;
using base::Result;
using base::Status;

namespace {

constexpr std::size_t kLeastSecret = 16;
constexpr std::string_view kRights[] = {"search", "enrol", "delete", "keyspace-admin", "embed", "metrics", "operator"};
constexpr std::string_view kBearer = "Bearer";

// One text for each way to fail, so that an answer tells nothing about the keys.
Status unauthorized() {
    return fail(Reason::Unauthorized, "a valid key is needed");
}

Status checkRight(const ClientKey& key, const std::string& right) {
    if (!key.rights.contains(right))
        return fail(Reason::Forbidden, "the key has no right '" + right + "'");
    return {};
}

std::set<std::string> textsOf(const YAML::Node& list) {
    std::set<std::string> texts;
    for (const auto& item : list)
        texts.insert(item.as<std::string>());
    return texts;
}

Result<ClientKey> keyOf(const YAML::Node& node) {
    ClientKey key{node["id"].as<std::string>(), node["secret"].as<std::string>(), textsOf(node["rights"]),
                  textsOf(node["keyspaces"]), false};
    const auto problem = [&](const std::string& text) {
        return fail(Reason::InvalidConfig, "client key '" + key.id + "': " + text);
    };
    if (key.secret.size() < kLeastSecret)
        return problem("the secret is shorter than 16 characters");
    for (const auto& right : key.rights)
        if (std::find(std::begin(kRights), std::end(kRights), right) == std::end(kRights))
            return problem("unknown right '" + right + "'");
    for (const auto& keyspace : key.keyspaces)
        if (!base::KeyspaceName::parse(keyspace))
            return problem("unusable keyspace name");
    return key;
}

} // namespace

Result<std::vector<ClientKey>> loadClientKeys(const std::filesystem::path& file) {
    try {
        std::vector<ClientKey> keys;
        std::set<std::string> ids;
        for (const auto& node : YAML::LoadFile(file.string())["keys"]) {
            auto key = keyOf(node);
            if (!key)
                return tl::unexpected(key.error());
            if (!ids.insert(key->id).second)
                return fail(Reason::InvalidConfig, "client key '" + key->id + "' is there twice");
            keys.push_back(std::move(*key));
        }
        if (keys.empty())
            return fail(Reason::InvalidConfig, "no client keys in " + file.string());
        return keys;
    } catch (const YAML::Exception& error) {
        // The library's texts give line and column, but may quote what stands there.
        return fail(Reason::InvalidConfig,
                    "cannot read client keys from " + file.string() + ", line " + std::to_string(error.mark.line + 1));
    }
}

ClientKey internalKey(const std::string& accessKey, const std::string& secretKey) {
    ClientKey key{accessKey, secretKey, {std::begin(kRights), std::end(kRights)}, {}, true};
    key.rights.insert(std::string(kInternalRight));
    return key;
}

ClientAccess::ClientAccess(std::vector<ClientKey> keys, const base::Clock& clock, std::size_t nonces)
    : m_clock(clock), m_nonces(nonces) {
    for (auto& key : keys) {
        const auto id = key.id;
        m_keys.emplace(id, std::move(key));
    }
}

AccessHooks ClientAccess::hooks() {
    return {[this](Request& request, const Route& route) { return checkHead(request, route); },
            [this](Request& request, const Route& route) { return checkWhole(request, route); }};
}

const ClientKey* ClientAccess::keyOfBearer(std::string_view token) const {
    const ClientKey* found = nullptr;
    for (const auto& [id, key] : m_keys) // all of them, so that the time tells nothing
        if (equalInConstantTime(key.secret, token) && !key.signedOnly)
            found = &key;
    return found;
}

Status ClientAccess::checkHead(Request& request, const Route& route) const {
    if (route.right.empty())
        return {};
    const auto isAuthorization = [](const Header& header) { return sameToken(header.name, "Authorization"); };
    if (std::count_if(request.headers.begin(), request.headers.end(), isAuthorization) != 1)
        return unauthorized();
    const std::string_view value = *request.header("Authorization");
    const std::size_t blank = value.find(' ');
    if (blank == std::string_view::npos || !sameToken(value.substr(0, blank), kBearer))
        return parseAuthorization(value) ? Status() : unauthorized();
    const auto* key = request.encrypted || request.peerIsLoopback ? keyOfBearer(value.substr(blank + 1)) : nullptr;
    if (!key)
        return unauthorized();
    request.principal = key->id;
    return checkRight(*key, route.right);
}

Status ClientAccess::checkWhole(Request& request, const Route& route) {
    if (route.right.empty() || !request.principal.empty())
        return {};
    const auto fields = parseAuthorization(*request.header("Authorization"));
    if (!fields)
        return unauthorized();
    const auto found = m_keys.find(fields->credential);
    // An unknown credential costs the same as a wrong signature.
    static const ClientKey kNobody{{}, std::string(32, '0'), {}, {}, false};
    const auto& key = found == m_keys.end() ? kNobody : found->second;
    const auto verified =
        verify(*fields, key.secret, {request.method, request.target, request.body}, m_clock, m_nonces);
    if (!verified)
        return verified.error().reason == Reason::Unauthorized ? unauthorized() : verified;
    if (found == m_keys.end())
        return unauthorized();
    request.principal = key.id;
    return checkRight(key, route.right);
}

Status ClientAccess::mayDo(std::string_view principal, const std::string& right) const {
    const auto found = m_keys.find(principal);
    return found != m_keys.end() ? checkRight(found->second, right) : fail(Reason::Forbidden, "the key is not known");
}

Status ClientAccess::mayUse(std::string_view principal, const base::KeyspaceName& keyspace) const {
    const auto found = m_keys.find(principal);
    if (found != m_keys.end() && (found->second.keyspaces.empty() || found->second.keyspaces.contains(keyspace.text())))
        return {};
    return fail(Reason::Forbidden, "the key is not bound to that keyspace");
}

} // namespace fremis::http

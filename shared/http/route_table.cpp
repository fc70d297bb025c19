#include "shared/http/route_table.h"

#include <algorithm>
#include <array>
#include <set>

namespace fremis::http {

namespace {

constexpr std::array<std::string_view, 5> kMethods{"GET", "POST", "PUT", "DELETE", "PATCH"};

std::vector<std::string> segmentsOf(std::string_view path) {
    std::vector<std::string> segments;
    while (!path.empty()) {
        path.remove_prefix(1); // the slash
        segments.emplace_back(path.substr(0, path.find('/')));
        path.remove_prefix(segments.back().size());
    }
    return segments;
}

bool isParameter(const std::string& segment) {
    return segment.size() > 2 && segment.front() == '{' && segment.back() == '}';
}

/// True when `given` has the shape of `pattern`; appends the values of its parameters.
bool fits(const std::vector<std::string>& pattern, const std::vector<std::string>& given,
          RouteTable::Parameters& parameters) {
    if (pattern.size() != given.size())
        return false;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (!isParameter(pattern[i])) {
            if (pattern[i] != given[i])
                return false;
        } else if (given[i].empty()) {
            return false;
        } else {
            parameters.emplace_back(pattern[i].substr(1, pattern[i].size() - 2), given[i]);
        }
    }
    return true;
}

base::Status check(const Route& route) {
    if (route.path.empty() || route.path.front() != '/')
        return base::fail(base::Reason::InvalidConfig, "route path without leading slash: " + route.path);
    if (!route.handler)
        return base::fail(base::Reason::InvalidConfig, "route without handler: " + route.path);
    if (std::find(kMethods.begin(), kMethods.end(), route.method) == kMethods.end())
        return base::fail(base::Reason::InvalidConfig, "route with method " + route.method + ": " + route.path);
    return {};
}

} // namespace

base::Result<RouteTable> RouteTable::create(std::vector<Route> routes) {
    RouteTable table;
    std::vector<const Route*> all;
    for (Route& given : routes) {
        if (auto sound = check(given); !sound)
            return tl::unexpected(sound.error());
        const Route& route = *table.m_routes.emplace_back(std::make_unique<const Route>(std::move(given)));
        auto segments = segmentsOf(route.path);
        Path* path = nullptr;
        if (std::any_of(segments.begin(), segments.end(), isParameter)) {
            auto& patterns = table.m_patterns;
            const auto known =
                std::find_if(patterns.begin(), patterns.end(), [&](const auto& p) { return p.first == route.path; });
            path = known != patterns.end() ? &known->second : &patterns.emplace_back(route.path, Path{}).second;
        } else {
            path = &table.m_paths[route.path];
        }
        const auto same = [&](const Route* other) { return other->method == route.method; };
        if (std::any_of(path->routes.begin(), path->routes.end(), same))
            return base::fail(base::Reason::InvalidConfig, "route declared twice: " + route.method + " " + route.path);
        path->segments = std::move(segments);
        path->routes.push_back(&route);
        all.push_back(&route);
    }
    table.m_allMethods = allowOf(all);
    return table;
}

std::string RouteTable::allowOf(const std::vector<const Route*>& routes) {
    std::set<std::string_view> methods{"OPTIONS"};
    for (const Route* route : routes) {
        methods.insert(route->method);
        if (route->method == "GET")
            methods.insert("HEAD");
    }
    std::string allow;
    for (const std::string_view method : methods)
        allow.append(allow.empty() ? "" : ", ").append(method);
    return allow;
}

const RouteTable::Path* RouteTable::pathOf(std::string_view path, Parameters& parameters) const {
    if (const auto exact = m_paths.find(std::string(path)); exact != m_paths.end())
        return &exact->second;
    if (m_patterns.empty() || path.empty() || path.front() != '/')
        return nullptr;
    const auto segments = segmentsOf(path);
    for (const auto& [declared, candidate] : m_patterns) {
        parameters.clear();
        if (fits(candidate.segments, segments, parameters))
            return &candidate;
    }
    return nullptr;
}

RouteTable::Found RouteTable::find(std::string_view method, std::string_view path) const {
    Found found;
    const Path* known = pathOf(path, found.parameters);
    if (!known)
        return found;
    found.pathKnown = true;
    const std::string_view served = method == "HEAD" ? "GET" : method;
    for (const Route* route : known->routes) {
        if (route->method == served)
            found.route = route;
    }
    if (!found.route)
        found.allow = allowOf(known->routes);
    return found;
}

} // namespace fremis::http

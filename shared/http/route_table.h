#pragma once

#include "shared/base/error.h"
#include "shared/http/server.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fremis::http {

/// The routes of a server, found by method and decoded path. Immutable once made; addresses of routes stay. Thread:
/// any.
class RouteTable {
public:
    using Parameters = std::vector<std::pair<std::string, std::string>>;

    struct Found {
        bool pathKnown = false;
        const Route* route = nullptr; ///< null when the path has no such method
        std::string allow;            ///< for a known path without the method: what it has
        Parameters parameters;
    };

    /// Fails with Reason::InvalidConfig: a route twice, without handler, without leading slash, or with a method that
    /// is not ours.
    [[nodiscard]] static base::Result<RouteTable> create(std::vector<Route> routes);

    /// HEAD finds the GET route. Paths without parameters win.
    [[nodiscard]] Found find(std::string_view method, std::string_view path) const;
    [[nodiscard]] const std::vector<std::unique_ptr<const Route>>& routes() const { return m_routes; }
    /// All methods of all routes, for "OPTIONS *".
    [[nodiscard]] const std::string& allMethods() const { return m_allMethods; }

private:
    struct Path {
        std::vector<std::string> segments;
        std::vector<const Route*> routes;
    };

    [[nodiscard]] const Path* pathOf(std::string_view path, Parameters& parameters) const;
    [[nodiscard]] static std::string allowOf(const std::vector<const Route*>& routes);

    std::vector<std::unique_ptr<const Route>> m_routes;
    std::unordered_map<std::string, Path> m_paths;        ///< by declared path, without parameters
    std::vector<std::pair<std::string, Path>> m_patterns; ///< with parameters, in order of declaration
    std::string m_allMethods;
};

} // namespace fremis::http

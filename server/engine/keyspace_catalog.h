#pragma once

#include "shared/storage/records.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fremis::engine {

/// The keyspaces of the store as last read, for look-ups on every request. Thread: any.
class KeyspaceCatalog {
public:
    /// Takes the store's list. Returns the incarnations that were known before and are gone now.
    std::vector<std::string> replace(std::vector<storage::KeyspaceRecord> records);
    [[nodiscard]] std::optional<storage::KeyspaceRecord> find(std::string_view name) const;
    /// Sorted by the bytes of their names.
    [[nodiscard]] std::vector<storage::KeyspaceRecord> all() const;
    [[nodiscard]] std::size_t size() const;
    /// The name that an incarnation has now, if it is still the present one.
    [[nodiscard]] std::optional<base::KeyspaceName> nameOf(std::string_view incarnation) const;

private:
    using ByName = std::map<std::string, storage::KeyspaceRecord, std::less<>>;
    [[nodiscard]] std::shared_ptr<const ByName> current() const;

    mutable std::mutex m_mutex;
    std::shared_ptr<const ByName> m_byName = std::make_shared<ByName>();
};

} // namespace fremis::engine

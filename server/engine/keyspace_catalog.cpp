#include "server/engine/keyspace_catalog.h"

#include <algorithm>
#include <set>

namespace fremis::engine {

std::shared_ptr<const KeyspaceCatalog::ByName> KeyspaceCatalog::current() const {
    const std::scoped_lock lock(m_mutex);
    return m_byName;
}

std::vector<std::string> KeyspaceCatalog::replace(std::vector<storage::KeyspaceRecord> records) {
    std::set<std::string> present;
    ByName byName;
    for (auto& record : records) {
        present.insert(record.incarnation);
        byName.emplace(record.name.text(), std::move(record));
    }
    auto next = std::make_shared<const ByName>(std::move(byName));
    {
        const std::scoped_lock lock(m_mutex);
        m_byName.swap(next);
    }
    std::vector<std::string> gone;
    for (const auto& [name, record] : *next)
        if (!present.contains(record.incarnation))
            gone.push_back(record.incarnation);
    return gone;
}

std::optional<storage::KeyspaceRecord> KeyspaceCatalog::find(std::string_view name) const {
    const auto byName = current();
    const auto found = byName->find(name);
    if (found == byName->end())
        return std::nullopt;
    return found->second;
}

std::vector<storage::KeyspaceRecord> KeyspaceCatalog::all() const {
    std::vector<storage::KeyspaceRecord> records;
    for (const auto& [name, record] : *current())
        records.push_back(record);
    return records;
}

std::size_t KeyspaceCatalog::size() const {
    return current()->size();
}

std::optional<base::KeyspaceName> KeyspaceCatalog::nameOf(std::string_view incarnation) const {
    for (const auto& [name, record] : *current())
        if (record.incarnation == incarnation)
            return record.name;
    return std::nullopt;
}

} // namespace fremis::engine

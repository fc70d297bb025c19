#pragma once

#include "shared/storage/keyspace_registry.h"

#include <unordered_map>

namespace fremis::storage {

/// From a row's keyspace id to the incarnation that is shown under its name; made once for a bulk read.
class ShownKeyspaces {
public:
    explicit ShownKeyspaces(const KeyspaceRegistry& keyspaces) {
        for (auto& record : keyspaces.records()) {
            const auto id = keyspaces.find(record.incarnation)->id;
            m_byId.emplace(id, std::move(record));
        }
    }
    /// Null: dead, hidden by a newer one, or unknown.
    [[nodiscard]] const KeyspaceRecord* find(std::int64_t id) const {
        const auto found = m_byId.find(id);
        return found == m_byId.end() ? nullptr : &found->second;
    }

private:
    std::unordered_map<std::int64_t, KeyspaceRecord> m_byId;
};

/// Adds up rows and faces by keyspace; every shown keyspace is there, sorted by name.
class CountSum {
public:
    explicit CountSum(const KeyspaceRegistry& keyspaces) {
        for (const auto& record : keyspaces.records()) {
            m_byId[keyspaces.find(record.incarnation)->id] = m_counts.size();
            m_counts.push_back({record.name, record.incarnation, 0, 0});
        }
    }
    void add(std::int64_t keyspace, std::uint64_t variations, std::uint64_t faces) {
        const auto found = m_byId.find(keyspace);
        if (found == m_byId.end())
            return;
        m_counts[found->second].variations += variations;
        m_counts[found->second].faces += faces;
    }
    [[nodiscard]] std::vector<KeyspaceCounts> take() { return std::move(m_counts); }

private:
    std::unordered_map<std::int64_t, std::size_t> m_byId;
    std::vector<KeyspaceCounts> m_counts;
};

} // namespace fremis::storage

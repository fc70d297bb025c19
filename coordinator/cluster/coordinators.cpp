#include "coordinator/cluster/coordinators.h"

#include "shared/base/log.h"
#include "shared/storage/durable_file.h"

#include <algorithm>
#include <fstream>
#include <limits>

namespace fremis::coordinator {

using base::fail;
using base::Reason;
using wire::internal::parseId;
using wire::internal::textOf;

namespace {

constexpr std::size_t kMostForgotten = 16; ///< of one probe

} // namespace

base::Status Coordinators::load(std::filesystem::path file) {
    m_file = std::move(file);
    std::ifstream stream(m_file);
    for (std::string line; std::getline(stream, line);) {
        const auto id = parseId(line);
        if (!id)
            return fail(Reason::BadStore, m_file.string() + " is damaged; remove it");
        m_others[*id];
    }
    return {};
}

base::Status Coordinators::save() const {
    if (m_file.empty())
        return {};
    std::string text;
    for (const auto& [id, other] : m_others)
        text += textOf(id) + "\n";
    return storage::writePrivateFile(m_file, text);
}

void Coordinators::hear(const wire::internal::Heard& heard) {
    if (heard.coordinator == m_own)
        return;
    const auto heardAt = m_environment.steady() - std::chrono::milliseconds(heard.ageMs);
    if (const auto gone = m_forgotten.find(heard.coordinator); gone != m_forgotten.end()) {
        if (heardAt <= gone->second)
            return;
        m_forgotten.erase(gone);
    }
    const auto [at, isNew] = m_others.try_emplace(heard.coordinator);
    auto& other = at->second;
    const bool isNews =
        !other.heardAt || (heard.clockMs == other.clockMs ? heardAt >= *other.heardAt
                                                          : !wire::internal::isOlder(heard.clockMs, other.clockMs));
    if (isNews)
        other = {heard.pending, heard.lowWater, heard.clockMs, heardAt};
    if (!isNew)
        return;
    base::log(base::LogLevel::Info, "coordinator_heard", {{"coordinator", textOf(heard.coordinator)}});
    if (const auto kept = save(); !kept)
        base::log(base::LogLevel::Error, "coordinators_not_kept", {{"error", kept.error().message}});
}

bool Coordinators::havePending(const storage::NodeId& node) const {
    return std::any_of(m_others.begin(), m_others.end(), [&](const auto& entry) {
        const auto& pending = entry.second.pending;
        return std::find(pending.begin(), pending.end(), node) != pending.end();
    });
}

std::optional<base::Version> Coordinators::lowWater() const {
    constexpr auto kAll = std::numeric_limits<std::uint64_t>::max();
    base::Version lowest{kAll, kAll};
    for (const auto& [id, other] : m_others) {
        if (!other.lowWater)
            return std::nullopt;
        lowest = std::min(lowest, *other.lowWater);
    }
    return lowest;
}

base::Status Coordinators::forget(const Id& gone) {
    const auto found = m_others.find(gone);
    if (found == m_others.end())
        return fail(Reason::NotFound, "no worker has told of such a coordinator");
    if (found->second.heardAt && m_environment.steady() - *found->second.heardAt < kSilent)
        return fail(Reason::DataNotMoved, "that coordinator was heard of within the last minute; stop it first");
    m_others.erase(found);
    m_forgotten[gone] = m_environment.steady();
    while (m_forgotten.size() > kMostForgotten)
        m_forgotten.erase(std::min_element(m_forgotten.begin(), m_forgotten.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; }));
    return save();
}

std::vector<wire::internal::Id> Coordinators::forgotten() const {
    std::vector<Id> ids;
    for (const auto& [id, at] : m_forgotten)
        ids.push_back(id);
    return ids;
}

} // namespace fremis::coordinator

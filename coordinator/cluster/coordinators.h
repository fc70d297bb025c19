#pragma once

#include "coordinator/cluster/environment.h"
#include "shared/base/error.h"
#include "shared/storage/node_id.h"
#include "shared/wire/internal.h"

#include <filesystem>
#include <map>

namespace fremis::coordinator {

/// The other coordinators over the same workers, as the workers tell of them. Each one that was ever heard of is kept
/// in a file until an operator forgets it, as its queue may hold writes that nobody else knows. Thread: the
/// environment's.
class Coordinators {
public:
    using Id = wire::internal::Id;
    struct Other {
        std::vector<storage::NodeId> pending;  ///< nodes that it has writes for
        std::optional<base::Version> lowWater; ///< everything older has left its queues; nothing: not known
        std::int64_t clockMs = 0;              ///< its own, when it said so
        /// Of its last probe of a worker; nothing: not heard of since this process began.
        std::optional<std::chrono::steady_clock::time_point> heardAt;
    };

    /// `own`: of this coordinator. Without a file nothing is kept.
    Coordinators(const Environment& environment, Id own) : m_environment(environment), m_own(own) {}
    /// A missing file knows nobody. BadStore: it is damaged.
    [[nodiscard]] base::Status load(std::filesystem::path file);

    /// A worker repeats what a coordinator told it; older words than those known change nothing.
    void hear(const wire::internal::Heard& heard);
    [[nodiscard]] const std::map<Id, Other>& others() const { return m_others; }
    [[nodiscard]] bool havePending(const storage::NodeId& node) const;
    /// Everything older has left the queues of all others. Nothing: of one of them that is not known.
    [[nodiscard]] std::optional<base::Version> lowWater() const;

    /// It is gone for good: nothing waits for it any more. It is known again when it turns up. NotFound; DataNotMoved
    /// when it was heard of within the last minute.
    [[nodiscard]] base::Status forget(const Id& gone);
    /// For the workers, so that they stop repeating them.
    [[nodiscard]] std::vector<Id> forgotten() const;

    static constexpr std::chrono::seconds kSilent{60}; ///< an operator should look after it

private:
    [[nodiscard]] base::Status save() const;

    const Environment& m_environment;
    const Id m_own;
    std::filesystem::path m_file;
    std::map<Id, Other> m_others;
    std::map<Id, std::chrono::steady_clock::time_point> m_forgotten; ///< and when; words from before do not count
};

} // namespace fremis::coordinator

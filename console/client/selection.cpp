#include "console/client/selection.h"

#include <utility>

namespace fremis::console {

namespace {

constexpr std::size_t kMostSteps = 100;

} // namespace

void SelectionKeeper::show(Selection selection) {
    m_current = std::move(selection);
    Q_EMIT changed(m_current);
}

void SelectionKeeper::select(Selection selection) {
    if (selection == m_current)
        return;
    m_back.push_back(std::exchange(m_current, {}));
    if (m_back.size() > kMostSteps)
        m_back.erase(m_back.begin());
    m_forward.clear();
    show(std::move(selection));
}

void SelectionKeeper::selectNodes(const QStringList& addresses) {
    auto next = m_current;
    next.nodes = addresses;
    select(std::move(next));
}

void SelectionKeeper::selectPartitions(const hashing::PartitionSet& partitions) {
    auto next = m_current;
    next.partitions = partitions;
    select(std::move(next));
}

void SelectionKeeper::selectKeyspace(const QString& keyspace) {
    auto next = m_current;
    next.keyspace = keyspace;
    select(std::move(next));
}

void SelectionKeeper::selectTime(const std::optional<TimeRange>& range) {
    auto next = m_current;
    next.timeRange = range;
    select(std::move(next));
}

void SelectionKeeper::goBack() {
    if (m_back.empty())
        return;
    m_forward.push_back(std::move(m_current));
    auto last = std::move(m_back.back());
    m_back.pop_back();
    show(std::move(last));
}

void SelectionKeeper::goForward() {
    if (m_forward.empty())
        return;
    m_back.push_back(std::move(m_current));
    auto next = std::move(m_forward.back());
    m_forward.pop_back();
    show(std::move(next));
}

} // namespace fremis::console

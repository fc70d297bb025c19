#pragma once

#include "console/client/known.h"
#include "shared/hashing/partition_set.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace fremis::console {

struct TimeRange {
    Instant from{0};
    Instant to{0};
    bool operator==(const TimeRange&) const = default;
};

/// What the operator looks at, on every page alike.
struct Selection {
    QStringList nodes; ///< addresses
    hashing::PartitionSet partitions;
    QString keyspace;
    std::optional<TimeRange> timeRange; ///< nothing: up to now
    bool operator==(const Selection&) const = default;
};

/// The one selection, and the way back through earlier ones (at most 100). Thread: GUI.
class SelectionKeeper : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    [[nodiscard]] const Selection& current() const { return m_current; }
    /// A new step of the history; nothing happens when it is the current one. What lay ahead is forgotten.
    void select(Selection selection);
    void selectNodes(const QStringList& addresses);
    void selectPartitions(const hashing::PartitionSet& partitions);
    void selectKeyspace(const QString& keyspace);
    void selectTime(const std::optional<TimeRange>& range);
    void clear() { select({}); }

    [[nodiscard]] bool canGoBack() const { return !m_back.empty(); }
    [[nodiscard]] bool canGoForward() const { return !m_forward.empty(); }
    void goBack();
    void goForward();

Q_SIGNALS:
    void changed(const fremis::console::Selection& selection);

private:
    void show(Selection selection);

    Selection m_current;
    std::vector<Selection> m_back;
    std::vector<Selection> m_forward;
};

} // namespace fremis::console

#pragma once

#include "console/client/event_log.h"
#include "console/client/snapshot.h"

#include <QObject>

namespace fremis::console::ui {

/// Writes down what changes between snapshots of one connection: states of nodes, partitions that are lost or back, the
/// running map. Thread: GUI.
class SnapshotEvents final : public QObject {
    Q_OBJECT

public:
    explicit SnapshotEvents(EventLog& log, QObject* parent = nullptr) : QObject(parent), m_log(log) {}
    void take(const SnapshotPtr& snapshot);

private:
    void compareNodes(const Snapshot& before, const Snapshot& after);
    void compareClass(const Snapshot& before, const Snapshot& after, PartitionClass partition);
    void compareConfig(const Snapshot& before, const Snapshot& after);
    void add(Instant time, fremis::console::Severity severity, const QString& subject, const QString& text);

    EventLog& m_log;
    SnapshotPtr m_before;
};

} // namespace fremis::console::ui

#pragma once

#include "console/client/event_log.h"
#include "console/client/snapshot.h"

#include <QObject>

namespace fremis::console::ui {

/// Writes down what changes between snapshots of one connection: states of nodes and the running map; alerts are
/// written by the AlertEngine. Thread: GUI.
class SnapshotEvents final : public QObject {
    Q_OBJECT

public:
    explicit SnapshotEvents(EventLog& log, QObject* parent = nullptr) : QObject(parent), m_log(log) {}
    void take(const SnapshotPtr& snapshot);

private:
    void compareNodes(const Snapshot& before, const Snapshot& after);
    void compareConfig(const Snapshot& before, const Snapshot& after);
    void add(Instant time, fremis::console::Severity severity, const QString& subject, const QString& text);

    EventLog& m_log;
    SnapshotPtr m_before;
};

} // namespace fremis::console::ui

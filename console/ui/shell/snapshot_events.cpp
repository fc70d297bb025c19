#include "console/ui/shell/snapshot_events.h"

#include "console/ui/shell/verdict.h"

namespace fremis::console::ui {
namespace {

using EventSeverity = fremis::console::Severity;

EventSeverity severityOfState(NodeState state) {
    switch (state) {
    case NodeState::Ok:
        return EventSeverity::Success;
    case NodeState::Down:
        return EventSeverity::Critical;
    case NodeState::Degraded:
    case NodeState::Unknown:
        return EventSeverity::Warning;
    default:
        return EventSeverity::Info;
    }
}

QString epochOf(const Snapshot& snapshot) {
    return snapshot.config ? snapshot.config.value.value()->epoch : QString();
}

} // namespace

void SnapshotEvents::take(const SnapshotPtr& snapshot) {
    const SnapshotPtr before = std::exchange(m_before, snapshot);
    if (!before || !snapshot || before->generation != snapshot->generation || snapshot->isRecorded)
        return;
    compareNodes(*before, *snapshot);
    compareConfig(*before, *snapshot);
}

void SnapshotEvents::compareNodes(const Snapshot& before, const Snapshot& after) {
    for (const NodeView& node : after.nodes) {
        const NodeView* old = before.find(node.address);
        if (!old) {
            if (!before.nodes.empty())
                add(after.takenAt, EventSeverity::Info, node.label(), tr("%1 is new.").arg(node.label()));
        } else if (old->state != node.state) {
            QString text = tr("%1: %2, before %3").arg(node.label(), wordOf(node.state), wordOf(old->state));
            if (!node.reason.isEmpty())
                text += QStringLiteral(" (%1)").arg(node.reason);
            add(after.takenAt, severityOfState(node.state), node.label(), text);
        }
    }
    for (const NodeView& old : before.nodes)
        if (!after.find(old.address))
            add(after.takenAt, EventSeverity::Info, old.label(), tr("%1 is gone.").arg(old.label()));
}

void SnapshotEvents::compareConfig(const Snapshot& before, const Snapshot& after) {
    const QString old = epochOf(before);
    const QString now = epochOf(after);
    if (old.isEmpty() || now.isEmpty() || old == now)
        return;
    Event event;
    event.time = after.takenAt;
    event.subject = tr("configuration");
    event.text = tr("The running map changed from %1 to %2.").arg(old.left(8), now.left(8));
    event.epochBefore = old;
    event.epochAfter = now;
    m_log.add(event);
}

void SnapshotEvents::add(Instant time, EventSeverity severity, const QString& subject, const QString& text) {
    Event event;
    event.time = time;
    event.severity = severity;
    event.subject = subject;
    event.text = text;
    m_log.add(event);
}

} // namespace fremis::console::ui

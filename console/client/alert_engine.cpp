#include "console/client/alert_engine.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

/// Whose texts they are, for translators.
struct AlertWords {
    Q_DECLARE_TR_FUNCTIONS(fremis::console::AlertEngine)
};

QString ranges(const PartitionSet& set) {
    return QString::fromStdString(set.text());
}

QString counted(const char* text, const PartitionSet& set) {
    return QCoreApplication::translate("AlertEngine", text, nullptr, set.count()).arg(ranges(set));
}

} // namespace

QString wordOf(AlertKind kind) {
    switch (kind) {
    case AlertKind::AtRisk:
        return AlertWords::tr("partitions at risk");
    case AlertKind::Gap:
        return AlertWords::tr("partitions without owner");
    case AlertKind::Thin:
        return AlertWords::tr("thin partitions");
    case AlertKind::NodeDown:
        return AlertWords::tr("node down");
    case AlertKind::Ram:
        return AlertWords::tr("memory");
    case AlertKind::GpuMemory:
        return AlertWords::tr("GPU memory");
    case AlertKind::QueueOps:
        return AlertWords::tr("long queue");
    case AlertKind::QueueAge:
        return AlertWords::tr("old queue");
    case AlertKind::Skew:
        return AlertWords::tr("uneven load");
    case AlertKind::ClockSkew:
        return AlertWords::tr("clock skew");
    case AlertKind::NoData:
        return AlertWords::tr("no data");
    case AlertKind::Drift:
        break;
    }
    return AlertWords::tr("drift");
}

AlertEngine::AlertEngine(EventLog& log, QObject* parent) : QObject(parent), m_log(log) {}

void AlertEngine::reset() {
    m_watched.clear();
    m_lookedAt.reset();
    Q_EMIT changed();
}

void AlertEngine::addPartitions(std::map<Key, Finding>& findings, const Snapshot& snapshot) const {
    const auto add = [&](AlertKind kind, PartitionClass wanted, Severity severity, const char* text) {
        const auto set = snapshot.all(wanted);
        if (!set.empty())
            findings[{kind, QString()}] = {severity, counted(text, set), set, false};
    };
    add(AlertKind::AtRisk, PartitionClass::AtRisk, Severity::Critical,
        QT_TRANSLATE_N_NOOP("AlertEngine", "%n partition(s) cannot be searched: %1."));
    add(AlertKind::Gap, PartitionClass::Gap, Severity::Critical,
        QT_TRANSLATE_N_NOOP("AlertEngine", "%n partition(s) belong to nobody: %1."));
    add(AlertKind::Thin, PartitionClass::Thin, Severity::Warning,
        QT_TRANSLATE_N_NOOP("AlertEngine", "%n partition(s) have too few healthy owners: %1."));
}

void AlertEngine::addNode(std::map<Key, Finding>& findings, const Snapshot& snapshot, const NodeView& node) const {
    const auto add = [&](AlertKind kind, Severity severity, const QString& text, bool isCertain = false) {
        findings[{kind, node.address}] = {severity, text, {}, isCertain};
    };
    const auto limit = staleAfter(snapshot.interval);
    if (node.state == NodeState::Down)
        add(AlertKind::NodeDown, Severity::Critical,
            AlertWords::tr("%1 is down. %2").arg(node.label(), node.reason).trimmed(),
            node.failedPolls >= kPollsToRaise);
    if (node.resources.isFresh(snapshot.takenAt, limit)) {
        const auto ram = node.resources->ramPercent.value_or(0);
        if (ram >= m_thresholds.ramWarning)
            add(AlertKind::Ram, ram >= m_thresholds.ramCritical ? Severity::Critical : Severity::Warning,
                AlertWords::tr("%1 uses %2 % of its memory.").arg(node.label()).arg(ram, 0, 'f', 0));
        for (const auto& gpu : node.resources->gpus)
            if (gpu.memoryPercent() >= m_thresholds.gpuMemory)
                add(AlertKind::GpuMemory, Severity::Warning,
                    AlertWords::tr("%1 uses %2 % of its GPU memory.")
                        .arg(node.label())
                        .arg(gpu.memoryPercent(), 0, 'f', 0));
    }
    if (node.queue && node.queue->ops > static_cast<quint64>(std::max<qint64>(0, m_thresholds.queueOps)))
        add(AlertKind::QueueOps, Severity::Warning,
            AlertWords::tr("%1 writes wait for %2.").arg(node.queue->ops).arg(node.label()));
    if (node.queue && node.queue->oldestSeconds.value_or(0) > m_thresholds.queueAgeSeconds)
        add(AlertKind::QueueAge, Severity::Warning,
            AlertWords::tr("A write has waited for %1 for %2 minutes.")
                .arg(node.label())
                .arg(*node.queue->oldestSeconds / 60));
    if (node.clockSkew &&
        std::abs(static_cast<double>(node.clockSkew->count())) / 1000.0 > m_thresholds.clockSkewSeconds)
        add(AlertKind::ClockSkew, Severity::Warning,
            AlertWords::tr("The clock of %1 is %2 s off.")
                .arg(node.label())
                .arg(static_cast<double>(node.clockSkew->count()) / 1000.0, 0, 'f', 1));
    const bool isSilent = node.state == NodeState::Unknown && node.lastAnswerAt &&
                          snapshot.takenAt - *node.lastAnswerAt > m_thresholds.silentIntervals * snapshot.interval;
    if (isSilent)
        add(AlertKind::NoData, Severity::Warning, AlertWords::tr("Nothing is heard of %1.").arg(node.label()), true);
}

std::map<AlertEngine::Key, AlertEngine::Finding> AlertEngine::findingsIn(const Snapshot& snapshot) const {
    std::map<Key, Finding> findings;
    addPartitions(findings, snapshot);
    double total = 0;
    double most = 0;
    int told = 0;
    const NodeView* fullest = nullptr;
    for (const auto& node : snapshot.nodes) {
        addNode(findings, snapshot, node);
        if (!node.vectors() || node.weight <= 0 || node.assigned.empty())
            continue;
        const double perWeight = static_cast<double>(*node.vectors()) / node.weight;
        total += perWeight;
        ++told;
        if (perWeight > most) {
            most = perWeight;
            fullest = &node;
        }
    }
    const double skew = total > 0 ? 100.0 * (most * told / total - 1.0) : 0;
    if (fullest && skew > m_thresholds.skewPercent)
        findings[{AlertKind::Skew, QString()}] = {
            Severity::Warning,
            AlertWords::tr("%1 holds %2 % more vectors than the mean.").arg(fullest->label()).arg(skew, 0, 'f', 0),
            {},
            false};
    for (const auto& drift : snapshot.drifts)
        findings[{AlertKind::Drift, drift.subject}] = {Severity::Warning, drift.text, {}, false};
    return findings;
}

void AlertEngine::look(const SnapshotPtr& snapshot) {
    if (!snapshot || snapshot->isPaused || snapshot->isRecorded)
        return;
    if (snapshot->generation != m_generation) {
        m_generation = snapshot->generation;
        reset();
    }
    // Snapshots come more often than polls; one poll counts once.
    if (m_lookedAt && snapshot->takenAt - *m_lookedAt < snapshot->interval)
        return;
    m_lookedAt = snapshot->takenAt;
    const auto before = alerts();
    const auto findings = findingsIn(*snapshot);
    for (const auto& [key, finding] : findings)
        takeBad(key, finding, *snapshot);
    for (auto& [key, watched] : m_watched)
        if (!findings.contains(key))
            takeGood(key, watched, snapshot->takenAt);
    std::erase_if(m_watched, [now = snapshot->takenAt](const auto& entry) {
        const auto& watched = entry.second;
        return !watched.isRaised && watched.bad == 0 && watched.mutedUntil < now &&
               (watched.changes.empty() || now - watched.changes.back() > kFlappingWindow);
    });
    if (before != alerts())
        Q_EMIT changed();
}

void AlertEngine::takeBad(const Key& key, const Finding& finding, const Snapshot& snapshot) {
    auto& watched = m_watched[key];
    const auto now = snapshot.takenAt;
    ++watched.bad;
    watched.good = 0;
    auto& alert = watched.alert;
    const auto grown = finding.partitions - alert.partitions;
    const auto severityBefore = alert.severity;
    const auto* node = snapshot.find(key.second);
    alert.kind = key.first;
    alert.subject = key.second;
    alert.text = finding.text;
    alert.severity = finding.severity;
    alert.isMuted = watched.mutedUntilRecovery || watched.mutedUntil > now || (node && node->inMaintenance);
    if (!watched.isRaised) {
        alert.partitions = finding.partitions;
        if (watched.bad >= kPollsToRaise || finding.isCertain)
            raise(watched, now);
        return;
    }
    alert.partitions = finding.partitions;
    const bool isWorse = !grown.empty() || alert.severity > severityBefore;
    if (!isWorse)
        return;
    alert.isAcknowledged = false; // it was for less
    logEvent(watched, alert.severity, alert.text, now);
    if (!alert.isMuted && !watched.isFlapping)
        Q_EMIT raised(alert);
}

void AlertEngine::takeGood(const Key&, Watched& watched, Instant now) {
    watched.bad = 0;
    if (watched.isRaised && ++watched.good >= kPollsToClear)
        clear(watched, now);
    if (watched.isFlapping && !watched.isRaised && now - watched.changes.back() > kFlappingWindow)
        watched.isFlapping = false;
}

void AlertEngine::noteChange(Watched& watched, Instant now) {
    auto& changes = watched.changes;
    changes.push_back(now);
    while (now - changes.front() > kFlappingWindow)
        changes.pop_front();
    if (watched.isFlapping || changes.size() <= static_cast<std::size_t>(kMostChanges))
        return;
    watched.isFlapping = true;
    watched.alert.isFlapping = true;
    const auto subject = watched.alert.subject.isEmpty() ? wordOf(watched.alert.kind) : watched.alert.subject;
    logEvent(watched, Severity::Warning, AlertWords::tr("%1 is flapping.").arg(subject), now);
    if (!watched.alert.isMuted)
        Q_EMIT raised(watched.alert);
}

void AlertEngine::raise(Watched& watched, Instant now) {
    watched.isRaised = true;
    watched.alert.since = now;
    watched.alert.isAcknowledged = false;
    watched.alert.note.clear();
    watched.alert.isFlapping = watched.isFlapping;
    noteChange(watched, now);
    if (watched.isFlapping)
        return; // said once, by noteChange
    logEvent(watched, watched.alert.severity, watched.alert.text, now);
    if (!watched.alert.isMuted)
        Q_EMIT raised(watched.alert);
}

void AlertEngine::clear(Watched& watched, Instant now) {
    const auto after = now - watched.alert.since;
    watched.isRaised = false;
    watched.mutedUntilRecovery = false;
    noteChange(watched, now);
    if (watched.isFlapping)
        return;
    const auto subject = watched.alert.subject.isEmpty() ? QString() : watched.alert.subject + u": "_s;
    logEvent(
        watched, Severity::Success,
        AlertWords::tr("%1%2 is over after %3 s.").arg(subject, wordOf(watched.alert.kind)).arg(after.count() / 1000),
        now);
    if (!watched.alert.isMuted)
        Q_EMIT recovered(watched.alert, after);
}

void AlertEngine::logEvent(const Watched& watched, Severity severity, const QString& text, Instant now) {
    const auto subject = watched.alert.subject.isEmpty() ? u"cluster"_s : watched.alert.subject;
    m_log.add({0, now, severity, subject, text, {}, {}});
}

std::vector<Alert> AlertEngine::alerts() const {
    std::vector<Alert> list;
    for (const auto& [key, watched] : m_watched)
        if (watched.isRaised)
            list.push_back(watched.alert);
    std::stable_sort(list.begin(), list.end(), [](const Alert& a, const Alert& b) {
        return a.severity != b.severity ? a.severity > b.severity : a.since < b.since;
    });
    return list;
}

Severity AlertEngine::worst() const {
    auto worst = Severity::Info;
    for (const auto& [key, watched] : m_watched)
        if (watched.isRaised)
            worst = std::max(worst, watched.alert.severity);
    return worst;
}

void AlertEngine::acknowledge(AlertKind kind, const QString& subject, const QString& note) {
    const auto found = m_watched.find({kind, subject});
    if (found == m_watched.end() || !found->second.isRaised)
        return;
    found->second.alert.isAcknowledged = true;
    found->second.alert.note = note;
    Q_EMIT changed();
}

void AlertEngine::mute(AlertKind kind, const QString& subject, Instant until) {
    auto& watched = m_watched[{kind, subject}];
    watched.mutedUntil = until;
    watched.alert.isMuted = true;
    Q_EMIT changed();
}

void AlertEngine::muteUntilRecovery(AlertKind kind, const QString& subject) {
    auto& watched = m_watched[{kind, subject}];
    watched.mutedUntilRecovery = true;
    watched.alert.isMuted = true;
    Q_EMIT changed();
}

} // namespace fremis::console

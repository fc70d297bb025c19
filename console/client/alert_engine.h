#pragma once

#include "console/client/event_log.h"
#include "console/client/profile.h"
#include "console/client/snapshot.h"
#include "shared/base/clock.h"

#include <QObject>

#include <deque>
#include <map>

namespace fremis::console {

enum class AlertKind {
    AtRisk,
    Gap,
    Thin,
    NodeDown,
    Ram,
    GpuMemory,
    QueueOps,
    QueueAge,
    Skew,
    ClockSkew,
    NoData,
    Drift
};
[[nodiscard]] QString wordOf(AlertKind kind); ///< translated

struct Alert {
    AlertKind kind = AlertKind::AtRisk;
    QString subject; ///< a node's address; empty: the cluster
    Severity severity = Severity::Warning;
    Instant since{0};
    QString text; ///< one sentence, translated
    PartitionSet partitions;
    bool isFlapping = false;
    bool isMuted = false;
    bool isAcknowledged = false;
    QString note; ///< of the acknowledgement
    bool operator==(const Alert&) const = default;
};

/// Watches snapshots: raises an alert after a condition held for two polls in a row, clears it after three without. An
/// alert that comes and goes more than three times in ten minutes is flapping: one notice, then silence until it has
/// been quiet for ten minutes. Nodes under maintenance are watched, their alerts are muted. What happens goes to the
/// event log. Thread: GUI.
class AlertEngine : public QObject {
    Q_OBJECT
public:
    static constexpr int kPollsToRaise = 2;
    static constexpr int kPollsToClear = 3;
    static constexpr int kMostChanges = 3;
    static constexpr Milliseconds kFlappingWindow{600'000};

    /// `log` outlives it.
    explicit AlertEngine(EventLog& log, QObject* parent = nullptr);
    void setThresholds(const AlertThresholds& thresholds) { m_thresholds = thresholds; }
    /// Snapshots of one poll count once; those of a paused or recorded cluster not at all.
    void look(const SnapshotPtr& snapshot);
    /// For another cluster.
    void reset();

    /// Raised ones, the most severe and oldest first.
    [[nodiscard]] std::vector<Alert> alerts() const;
    [[nodiscard]] Severity worst() const; ///< Info when there is none
    void acknowledge(AlertKind kind, const QString& subject, const QString& note);
    void mute(AlertKind kind, const QString& subject, Instant until); ///< for an hour, say
    void muteUntilRecovery(AlertKind kind, const QString& subject);

Q_SIGNALS:
    /// To be told on the desktop: neither muted nor flapping (but once, with isFlapping, when that begins).
    void raised(const fremis::console::Alert& alert);
    void recovered(const fremis::console::Alert& alert, fremis::console::Milliseconds after);
    void changed(); ///< alerts() differ

private:
    using Key = std::pair<AlertKind, QString>;
    struct Finding { ///< a condition that holds in a snapshot
        Severity severity = Severity::Warning;
        QString text;
        PartitionSet partitions;
        bool isCertain = false; ///< holds at once, several polls have already shown it
    };
    struct Watched {
        Alert alert;
        bool isRaised = false;
        int bad = 0;
        int good = 0;
        std::deque<Instant> changes;
        bool isFlapping = false;
        Instant mutedUntil{0};
        bool mutedUntilRecovery = false;
    };

    [[nodiscard]] std::map<Key, Finding> findingsIn(const Snapshot& snapshot) const;
    void addPartitions(std::map<Key, Finding>& findings, const Snapshot& snapshot) const;
    void addNode(std::map<Key, Finding>& findings, const Snapshot& snapshot, const NodeView& node) const;
    void takeBad(const Key& key, const Finding& finding, const Snapshot& snapshot);
    void takeGood(const Key& key, Watched& watched, Instant now);
    void raise(Watched& watched, Instant now);
    void clear(Watched& watched, Instant now);
    void noteChange(Watched& watched, Instant now);
    void logEvent(const Watched& watched, Severity severity, const QString& text, Instant now);

    EventLog& m_log;
    AlertThresholds m_thresholds;
    std::map<Key, Watched> m_watched;
    std::optional<Instant> m_lookedAt;
    quint64 m_generation = 0;
};

} // namespace fremis::console

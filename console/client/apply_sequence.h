#pragma once

#include "console/client/cluster_client.h"
#include "console/client/event_log.h"
#include "console/client/snapshot.h"
#include "console/client/text_diff.h"
#include "shared/base/clock.h"
#include "shared/routing/plan_output.h"

#include <QObject>

namespace fremis::console {

/// What a change is about to do; the coordinator's word where there is one.
struct ApplyImpact {
    QStringList sentences; ///< who gives what to whom
    int changedPartitions = 0;
    std::optional<quint64> vectors; ///< of the changed partitions; nothing: not told
    PartitionSet unfindable;        ///< partitions whose new owners hold nothing of them
    std::optional<quint64> unfindableVectors;
    QStringList restarts; ///< nodes whose own ranges must follow, in order
    QStringList warnings;
};

/// A changed config on its way into the cluster: diff, impact, write, verify, and back again. Each step waits for the
/// operator; nothing is written before confirmDiff() and confirmImpact(). Thread: GUI.
class ApplySequence : public QObject {
    Q_OBJECT
public:
    enum class State {
        Idle,
        Diff,     ///< waits for confirmDiff()
        Checking, ///< dry run
        Impact,   ///< waits for confirmImpact()
        Writing,
        Verifying,
        Applied, ///< the running epoch is the draft's
        Failed,  ///< see problem(); the old map is still in use unless isWritten()
        RollingBack,
        RolledBack,
    };
    struct Target {
        QList<QUrl> coordinators; ///< the first one is written to, all are verified
        QString file;             ///< with a path the file is written, and the coordinators are asked to reload
    };
    struct Change {
        QByteArray before;
        QByteArray after;
        QByteArray etag; ///< of `before`
        bool force = false;
    };

    ApplySequence(ClusterClient& client, const base::Clock& clock, QObject* parent = nullptr);

    /// Begins anew; not while something is under way (false).
    bool start(const Target& target, const Change& change, const SnapshotPtr& snapshot);
    void confirmDiff();
    void confirmImpact();
    /// Gives up before the write; afterwards there is only rollBack().
    void cancel();
    /// Writes the old text again, from Applied or a Failed that isWritten().
    void rollBack();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool isUnderWay() const;
    [[nodiscard]] bool isWritten() const { return m_isWritten; }
    [[nodiscard]] const std::vector<DiffLine>& diff() const { return m_diff; }
    [[nodiscard]] const ApplyImpact& impact() const { return m_impact; }
    [[nodiscard]] QString problem() const { return m_problem; }           ///< one line; empty unless Failed
    [[nodiscard]] QString problemToken() const { return m_problemToken; } ///< "config_changed", "data_not_moved", ...
    [[nodiscard]] QString epochBefore() const { return m_epochBefore; }
    [[nodiscard]] QString epochAfter() const { return m_epochAfter; }
    [[nodiscard]] QString backupFile() const { return m_backupFile; } ///< of a written file
    /// Partitions still at risk after a verified change, as the coordinator tells.
    [[nodiscard]] const PartitionSet& atRiskAfter() const { return m_atRiskAfter; }
    /// The steps taken and to take, as Markdown.
    [[nodiscard]] QString runbook(routing::Language language) const;

    void setVerifyTimes(Milliseconds interval, Milliseconds deadline);

Q_SIGNALS:
    void stateChanged(fremis::console::ApplySequence::State state);

private:
    void enter(State state);
    void fail(const QString& problem, const QString& token = {});
    void fail(const CallFailure& failure);
    void prepareImpact();
    void write(const QByteArray& text, const QByteArray& etag);
    void writeFile(const QByteArray& text);
    void reload();
    void verify();
    void verifyNext(std::size_t coordinator);
    void verified(const ClusterStatus& status, std::size_t coordinator);
    void later();

    ClusterClient& m_client;
    const base::Clock& m_clock;
    Target m_target;
    Change m_change;
    SnapshotPtr m_snapshot;
    State m_state = State::Idle;
    std::vector<DiffLine> m_diff;
    ApplyImpact m_impact;
    QString m_problem;
    QString m_problemToken;
    QString m_epochBefore;
    QString m_epochAfter;
    QString m_wantedEpoch;
    QString m_backupFile;
    QByteArray m_writtenEtag;
    PartitionSet m_atRiskAfter;
    std::chrono::steady_clock::time_point m_verifyUntil{};
    Milliseconds m_verifyInterval{500};
    Milliseconds m_verifyDeadline{30'000};
    bool m_isWritten = false;
    quint64 m_run = 0; ///< answers of an earlier run count for nothing
};

} // namespace fremis::console

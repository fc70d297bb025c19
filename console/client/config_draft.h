#pragma once

#include "console/client/snapshot.h"
#include "console/client/text_diff.h"
#include "shared/routing/config_document.h"
#include "shared/routing/live_rules.h"

#include <QObject>

namespace fremis::console {

/// A config.yml under edit, and what the rules V01-V19 say about it, in the file and against the live cluster. Undo is
/// the caller's: apply() gives the change, patch() takes it back. Thread: GUI; a draft at all limits takes 0.1 s to
/// check.
class ConfigDraft : public QObject {
    Q_OBJECT
public:
    explicit ConfigDraft(QObject* parent = nullptr);

    /// Begins with the text that was read, forgetting the draft so far. `etag`: the coordinator's, for If-Match; empty
    /// for a file.
    void open(const QByteArray& text, const QByteArray& etag, const QString& path = {});
    [[nodiscard]] bool isOpen() const { return m_isOpen; }
    [[nodiscard]] const QByteArray& baseText() const { return m_baseText; }
    [[nodiscard]] const QByteArray& etag() const { return m_etag; }
    [[nodiscard]] const QString& path() const { return m_path; }

    [[nodiscard]] QByteArray text() const;
    [[nodiscard]] const routing::ConfigDocument& document() const { return m_document; }
    [[nodiscard]] bool isChanged() const { return text() != m_baseText; }
    /// Nothing while the text has errors.
    [[nodiscard]] std::optional<routing::PartitionMap> map() const;
    [[nodiscard]] QString epoch() const;     ///< of the draft; empty while it has errors
    [[nodiscard]] QString baseEpoch() const; ///< of the text that was read

    /// Edits of the table; the text around them stays byte for byte.
    [[nodiscard]] base::Result<routing::Change> apply(const std::vector<routing::Edit>& edits);
    /// Typing in the text view.
    [[nodiscard]] base::Result<routing::Change> replaceText(const QByteArray& text);
    /// The planner's result, an even split: ranges become those of `wanted`.
    [[nodiscard]] base::Result<routing::Change> assign(const routing::ClusterConfig& wanted);
    /// Redo, or undo with the change's inverse().
    [[nodiscard]] base::Status patch(const routing::Change& change);
    /// A quick fix of problems()[problem].
    [[nodiscard]] base::Result<routing::Change> fix(std::size_t problem, std::size_t fix);

    /// What the cluster says; null: nothing is known. Rules V13 to V17 and V19 look at it.
    void setSnapshot(const SnapshotPtr& snapshot);
    /// The running text or file as it is now, for V18; nothing: not known.
    void setPresentText(const std::optional<QByteArray>& text);
    /// R of the profile, and where the coordinators listen.
    void setRules(const routing::ConfigRules& rules);

    /// Of file and cluster, errors first.
    [[nodiscard]] const std::vector<routing::Problem>& problems() const { return m_problems; }
    /// Partitions that would lose their vectors (V17).
    [[nodiscard]] PartitionSet orphaned() const;
    /// "Data already migrated": the operator answers for these partitions. Counts for this draft's map only.
    void acknowledge(const PartitionSet& partitions);
    [[nodiscard]] const PartitionSet& acknowledged() const { return m_acknowledged; }
    /// Every error is gone or answered for, and something changes.
    [[nodiscard]] bool canApply() const;
    /// The write needs `force`: the operator has answered for orphaned partitions.
    [[nodiscard]] bool needsForce() const;

    [[nodiscard]] std::vector<DiffLine> diff() const { return diffLines(m_baseText, text()); }
    /// Sentences like "worker-3 gives 43 partitions to worker-5: 86-128."; translated.
    [[nodiscard]] QStringList changesInWords() const;
    /// Nodes that give partitions up and have not told their vectors: nobody can say whether V17 holds.
    [[nodiscard]] QStringList untoldNodes() const;

Q_SIGNALS:
    void changed();         ///< the text
    void problemsChanged(); ///< also when only the cluster changed

private:
    [[nodiscard]] routing::LiveFacts liveFacts() const;
    void afterEdit();
    void check();
    void addLiveFixes(routing::Problem& problem) const;

    routing::ConfigDocument m_document;
    routing::ConfigRules m_rules;
    QByteArray m_baseText;
    QByteArray m_etag;
    QString m_path;
    bool m_isOpen = false;
    std::optional<routing::PartitionMap> m_baseMap;
    std::optional<routing::PartitionMap> m_map;
    std::optional<QByteArray> m_presentText;
    SnapshotPtr m_snapshot;
    std::vector<routing::Problem> m_problems;
    PartitionSet m_acknowledged;
};

/// What the live rules can know of a cluster.
[[nodiscard]] routing::LiveFacts liveFactsOf(const Snapshot& snapshot);

/// Who gives what to whom between two maps; the sentences of ConfigDraft::changesInWords().
[[nodiscard]] QStringList describeChanges(const routing::PartitionMap& before, const routing::PartitionMap& after);

/// The map with these partitions in the hands of a node of it: it takes the place of each one's first owner, unless it
/// is an owner already. An address that the map does not have changes nothing.
[[nodiscard]] routing::ClusterConfig assignedTo(const routing::PartitionMap& map, const PartitionSet& partitions,
                                                const routing::Address& node);

} // namespace fremis::console

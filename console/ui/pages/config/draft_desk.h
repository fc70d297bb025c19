#pragma once

#include "console/client/config_draft.h"
#include "console/client/draft_store.h"
#include "console/client/editor_text.h"
#include "console/client/profile.h"
#include "console/client/snapshot.h"
#include "shared/base/clock.h"

#include <QTimer>
#include <QUndoStack>

namespace fremis::console::ui {

/// The draft of the connected cluster's config.yml with its undo history. It lives as long as the window, so the
/// planner and the map can hand changes to it while no page of it is open. Kept on disk every 10 s while it differs
/// from what was read. Thread: GUI.
class DraftDesk final : public QObject {
    Q_OBJECT

public:
    static constexpr int kSaveEveryMs = 10'000;

    DraftDesk(const base::Clock& clock, QString folder, QObject* parent = nullptr);
    ~DraftDesk() override;

    /// A connection has begun; the draft so far is kept on disk.
    void begin(const Profile& profile);
    void end();
    /// While nothing is edited the draft follows the cluster's config; afterwards a config of another's making is V18.
    void setSnapshot(const SnapshotPtr& snapshot);

    /// A text has been read; before, the draft is empty.
    [[nodiscard]] bool isOpen() const { return m_isOpen; }
    [[nodiscard]] ConfigDraft& draft() { return m_draft; }
    [[nodiscard]] const ConfigDraft& draft() const { return m_draft; }
    [[nodiscard]] QUndoStack& history() { return m_history; }
    [[nodiscard]] const SnapshotPtr& snapshot() const { return m_snapshot; }

    /// Each of these is one step of the history, named by `label`. A failure leaves the draft as it was.
    base::Status edit(const std::vector<routing::Edit>& edits, const QString& label);
    base::Status assign(const routing::ClusterConfig& wanted, const QString& label);
    base::Status setText(const QByteArray& text, const QString& label);
    /// Typing: neighbouring strokes become one step.
    void type(const QByteArray& text);
    base::Status fix(std::size_t problem, std::size_t fix);
    base::Status sortEntries(const QString& label);

    /// Forgets the edits and takes the cluster's config, or the file, as it is now.
    base::Status reload();
    /// Edits a file of this computer instead of the cluster's config. Fails with Reason::InvalidConfig.
    base::Status openFile(const QString& path);
    /// Back from such a file to the cluster's config.
    base::Status openCluster();
    /// After a write: what was the draft is what was read.
    void rebase(const QByteArray& text, const QByteArray& etag);
    /// The config was changed by somebody else: the edits of both. Fails with Reason::ConfigChanged where they meet.
    base::Status merge();
    /// The stretches of that merge; conflicts are those where both changed the same lines.
    [[nodiscard]] std::vector<MergePart> mergeParts() const;
    /// Merges with one choice for each conflict, in their order: true keeps the draft's lines.
    base::Status mergeWith(const std::vector<bool>& keepsMine);

    /// A draft of an earlier run that was never applied.
    [[nodiscard]] const std::optional<SavedDraft>& kept() const { return m_kept; }
    void restoreKept();
    void dropKept();
    /// Writes the draft to disk now, if it has to be.
    void keep();
    /// Number of steps between what was read and now.
    [[nodiscard]] int steps() const { return std::abs(m_history.index() - m_history.cleanIndex()); }
    /// The text as the cluster or the file has it now; nothing: not known.
    [[nodiscard]] std::optional<QByteArray> presentText() const { return m_present; }

Q_SIGNALS:
    void opened();      ///< another text is the base, or none is
    void keptChanged(); ///< kept()

private:
    void open(const QByteArray& text, const QByteArray& etag, const QString& path);
    void push(base::Result<routing::Change> change, const QString& label, bool typed, base::Status& status);
    void lookForKept(const QString& name);
    base::Status takeMerged(const QByteArray& merged);
    void takePresent(const ConfigView& view);

    const base::Clock& m_clock;
    const DraftStore m_store;
    ConfigDraft m_draft;
    QUndoStack m_history;
    QTimer m_timer;
    QString m_cluster; ///< names the draft on disk: the cluster, or the file while there is no connection
    Profile m_profile;
    SnapshotPtr m_snapshot;
    std::optional<QByteArray> m_present;
    QByteArray m_presentEtag;
    std::optional<SavedDraft> m_kept;
    QByteArray m_savedText; ///< the text on disk
    bool m_isOpen = false;
    bool m_isConnected = false;
};

} // namespace fremis::console::ui

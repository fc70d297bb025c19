#include "console/ui/pages/config/draft_desk.h"

#include "console/client/editor_text.h"
#include "console/client/entry_order.h"
#include "console/models/routing_words.h"
#include "shared/routing/config_file.h"

#include <QUndoCommand>

namespace fremis::console::ui {
namespace {

/// One step of the draft's history. It has been done already when it is pushed.
class DraftStep final : public QUndoCommand {
public:
    DraftStep(ConfigDraft& draft, routing::Change change, const QString& label, bool typed)
        : QUndoCommand(label), m_draft(draft), m_changes{std::move(change)}, m_typed(typed) {}

    [[nodiscard]] int id() const override { return m_typed ? 1 : -1; }
    void redo() override {
        if (std::exchange(m_isNew, false))
            return;
        for (const routing::Change& change : m_changes)
            check(m_draft.patch(change));
    }
    void undo() override {
        for (auto change = m_changes.rbegin(); change != m_changes.rend(); ++change)
            check(m_draft.patch(change->inverse()));
    }
    bool mergeWith(const QUndoCommand* next) override {
        const auto& other = static_cast<const DraftStep&>(*next);
        if (!continues(other))
            return false;
        m_changes.insert(m_changes.end(), other.m_changes.begin(), other.m_changes.end());
        return true;
    }

private:
    /// The history's texts are those of the draft, so a patch always fits.
    static void check([[maybe_unused]] const base::Status& status) { Q_ASSERT(status.has_value()); }

    /// Typing on where the last stroke ended, in the same line.
    [[nodiscard]] bool continues(const DraftStep& other) const {
        const auto& last = m_changes.back().patches;
        const auto& next = other.m_changes.front().patches;
        if (last.size() != 1 || next.size() != 1 || last[0].inserted.empty() || !next[0].removed.empty())
            return false;
        return last[0].inserted.find('\n') == std::string::npos &&
               next[0].offset == last[0].offset + last[0].inserted.size();
    }

    ConfigDraft& m_draft;
    std::vector<routing::Change> m_changes;
    const bool m_typed;
    bool m_isNew = true;
};

QString nameOf(const Profile& profile) {
    if (!profile.id.isEmpty())
        return profile.id;
    return profile.coordinators.isEmpty() ? profile.configPath : profile.coordinators.front().toString();
}

} // namespace

DraftDesk::DraftDesk(const base::Clock& clock, QString folder, QObject* parent)
    : QObject(parent), m_clock(clock), m_store(std::move(folder)) {
    m_timer.setInterval(kSaveEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &DraftDesk::keep);
    m_timer.start();
}

DraftDesk::~DraftDesk() {
    keep();
    m_history.blockSignals(true); // it empties itself in its destructor, when pages must not look at it any more
}

void DraftDesk::begin(const Profile& profile) {
    end();
    m_profile = profile;
    m_isConnected = true;
    lookForKept(nameOf(profile));
    routing::ConfigRules rules;
    rules.expectedReplication = profile.replication;
    m_draft.setRules(rules);
}

void DraftDesk::lookForKept(const QString& name) {
    m_cluster = name;
    m_kept = m_store.load(name);
    m_savedText = m_kept ? m_kept->text : QByteArray();
    Q_EMIT keptChanged();
}

void DraftDesk::end() {
    keep();
    m_isConnected = false;
    m_cluster.clear();
    m_snapshot.reset();
    m_present.reset();
    m_presentEtag.clear();
    m_kept.reset();
    m_history.clear();
    m_draft.setSnapshot({});
    m_draft.open({}, {});
    m_isOpen = false;
    Q_EMIT opened();
    Q_EMIT keptChanged();
}

void DraftDesk::setSnapshot(const SnapshotPtr& snapshot) {
    const bool isNews = !snapshot || !m_snapshot || !snapshot->sameAs(*m_snapshot);
    m_snapshot = snapshot;
    if (snapshot && snapshot->config)
        takePresent(**snapshot->config);
    if (isNews)
        m_draft.setSnapshot(snapshot);
}

void DraftDesk::takePresent(const ConfigView& view) {
    const QString path = view.source == ConfigView::Source::File ? m_profile.configPath : QString();
    if (m_isOpen && m_draft.path() != path)
        return; // another file is edited
    const bool isNews = m_present != view.text;
    m_present = view.text;
    m_presentEtag = view.etag;
    if (!m_isOpen || (!m_draft.isChanged() && view.text != m_draft.baseText()))
        open(view.text, view.etag, path);
    if (isNews)
        m_draft.setPresentText(m_present);
}

void DraftDesk::open(const QByteArray& text, const QByteArray& etag, const QString& path) {
    m_history.clear();
    m_isOpen = true;
    m_draft.open(text, etag, path);
    Q_EMIT opened();
}

void DraftDesk::push(base::Result<routing::Change> change, const QString& label, bool typed, base::Status& status) {
    if (!change) {
        status = tl::unexpected(change.error());
        return;
    }
    if (!change->patches.empty())
        m_history.push(new DraftStep(m_draft, std::move(*change), label, typed));
}

base::Status DraftDesk::edit(const std::vector<routing::Edit>& edits, const QString& label) {
    base::Status status;
    push(m_draft.apply(edits), label, false, status);
    return status;
}

base::Status DraftDesk::assign(const routing::ClusterConfig& wanted, const QString& label) {
    base::Status status;
    push(m_draft.assign(wanted), label, false, status);
    return status;
}

base::Status DraftDesk::setText(const QByteArray& text, const QString& label) {
    base::Status status;
    push(m_draft.replaceText(text), label, false, status);
    return status;
}

void DraftDesk::type(const QByteArray& text) {
    base::Status status;
    push(m_draft.replaceText(text), tr("Typing"), true, status);
}

base::Status DraftDesk::fix(std::size_t problem, std::size_t fix) {
    const auto& problems = m_draft.problems();
    QString label = tr("Quick fix");
    if (problem < problems.size() && fix < problems[problem].fixes.size())
        label = tr("Quick fix: %1").arg(sentenceOf(problems[problem].fixes[fix].label));
    base::Status status;
    push(m_draft.fix(problem, fix), label, false, status);
    return status;
}

base::Status DraftDesk::sortEntries(const QString& label) {
    const auto sorted = sortedByPartition(m_draft.document().text());
    if (!sorted)
        return tl::unexpected(sorted.error());
    return setText(QByteArray::fromStdString(*sorted), label);
}

base::Status DraftDesk::reload() {
    if (!m_draft.path().isEmpty())
        return openFile(m_draft.path());
    if (!m_present)
        return base::fail(base::Reason::NotReady, "nothing has been read yet");
    open(*m_present, m_presentEtag, {});
    m_draft.setPresentText(m_present);
    return {};
}

base::Status DraftDesk::openFile(const QString& path) {
    const auto text = routing::readWholeFile(path.toStdString());
    if (!text)
        return tl::unexpected(text.error());
    keep();
    m_present = QByteArray::fromStdString(*text);
    m_presentEtag.clear();
    open(*m_present, {}, path);
    if (!m_isConnected && m_cluster != path)
        lookForKept(path);
    return {};
}

base::Status DraftDesk::openCluster() {
    if (!m_snapshot || !m_snapshot->config)
        return base::fail(base::Reason::NotReady, "nothing has been read yet");
    keep();
    m_isOpen = false;
    takePresent(**m_snapshot->config);
    return {};
}

void DraftDesk::rebase(const QByteArray& text, const QByteArray& etag) {
    const QByteArray now = m_draft.text();
    m_present = text;
    m_presentEtag = etag;
    open(text, etag, m_draft.path());
    if (now != text) { // edited on while it was written
        [[maybe_unused]] const auto status = setText(now, tr("Edits since the write"));
    }
}

base::Status DraftDesk::merge() {
    if (!m_present)
        return base::fail(base::Reason::NotReady, "nothing has been read yet");
    const QByteArray merged = mergedText(m_draft.baseText(), m_draft.text(), *m_present);
    if (merged.isNull())
        return base::fail(base::Reason::ConfigChanged, "both changed the same lines");
    return takeMerged(merged);
}

std::vector<MergePart> DraftDesk::mergeParts() const {
    return m_present ? fremis::console::mergeParts(m_draft.baseText(), m_draft.text(), *m_present)
                     : std::vector<MergePart>();
}

base::Status DraftDesk::mergeWith(const std::vector<bool>& keepsMine) {
    if (!m_present)
        return base::fail(base::Reason::NotReady, "nothing has been read yet");
    QByteArray merged("");
    std::size_t conflict = 0;
    for (const MergePart& part : mergeParts()) {
        const bool mine = !part.isConflict || (conflict < keepsMine.size() && keepsMine[conflict]);
        conflict += part.isConflict;
        merged += mine ? part.mine : part.theirs;
    }
    if (conflict != keepsMine.size())
        return base::fail(base::Reason::ConfigChanged, "the config was changed once more");
    return takeMerged(merged);
}

base::Status DraftDesk::takeMerged(const QByteArray& merged) {
    open(*m_present, m_presentEtag, m_draft.path());
    m_draft.setPresentText(m_present);
    return setText(merged, tr("Merge"));
}

void DraftDesk::restoreKept() {
    const auto kept = std::exchange(m_kept, std::nullopt);
    if (!kept)
        return;
    open(kept->base, kept->etag, kept->path);
    m_draft.setPresentText(m_present);
    [[maybe_unused]] const auto status = setText(kept->text, tr("Kept draft"));
    m_draft.setSnapshot(m_snapshot);
    Q_EMIT keptChanged();
}

void DraftDesk::dropKept() {
    m_kept.reset();
    m_store.remove(m_cluster);
    m_savedText.clear();
    Q_EMIT keptChanged();
}

void DraftDesk::keep() {
    if (m_cluster.isEmpty() || !m_isOpen)
        return;
    const QByteArray text = m_draft.text();
    if (text == m_draft.baseText()) {
        if (!m_savedText.isEmpty() && !m_kept) { // one that is still offered stays
            m_store.remove(m_cluster);
            m_savedText.clear();
        }
    } else if (text != m_savedText && m_store.save(m_cluster, {m_draft.baseText(), text, m_draft.etag(), m_draft.path(),
                                                               m_clock.sinceEpoch()})) {
        m_savedText = text;
    }
}

} // namespace fremis::console::ui

#include "console/client/apply_sequence.h"

#include "console/client/config_draft.h"
#include "shared/routing/config_file.h"

#include <QDateTime>
#include <QFile>
#include <QTimer>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

std::optional<routing::PartitionMap> mapOf(const QByteArray& text) {
    const auto file = routing::loadConfigText(text.toStdString(), "config.yml");
    return file ? std::optional(file->map) : std::nullopt;
}

QString epochOf(const std::optional<routing::PartitionMap>& map) {
    return map ? QString::fromStdString(map->epoch()) : QString();
}

QByteArray tagOf(const QString& epoch) {
    return "\"" + epoch.toLatin1() + "\"";
}

/// What is lost for a time, and what it concerns, as far as the snapshot tells.
void addVectors(ApplyImpact& impact, const routing::PartitionMap& before, const routing::PartitionMap& after,
                const Snapshot& snapshot) {
    quint64 vectors = 0;
    quint64 lost = 0;
    bool isKnown = true;
    const auto facts = liveFactsOf(snapshot);
    for (const auto& change : routing::changesBetween(before, after)) {
        const auto& partition = snapshot.partitions[change.partition];
        isKnown = isKnown && partition.vectors;
        vectors += partition.vectors.value_or(0);
    }
    for (const auto& orphan : routing::orphansBetween(before, after, facts.nodes)) {
        if (!orphan.onlyCopy || impact.unfindable.contains(orphan.partition))
            continue;
        impact.unfindable.insert(orphan.partition);
        lost += orphan.vectors;
    }
    if (isKnown) {
        impact.vectors = vectors;
        impact.unfindableVectors = lost;
    }
}

/// Nodes whose own ranges must follow the map: those that get first, then those that give, so that no partition is
/// without an owner in between.
QStringList restartsOf(const routing::PartitionMap& before, const routing::PartitionMap& after) {
    QStringList getting;
    QStringList giving;
    for (const auto& change : routing::changesBetween(before, after)) {
        for (const auto& address : change.joins)
            if (const auto name = QString::fromStdString(address.text()); !getting.contains(name))
                getting.append(name);
        for (const auto& address : change.leaves)
            if (const auto name = QString::fromStdString(address.text()); !giving.contains(name))
                giving.append(name);
    }
    giving.removeIf([&getting](const QString& name) { return getting.contains(name); });
    return getting + giving;
}

} // namespace

ApplySequence::ApplySequence(ClusterClient& client, const base::Clock& clock, QObject* parent)
    : QObject(parent), m_client(client), m_clock(clock) {}

void ApplySequence::setVerifyTimes(Milliseconds interval, Milliseconds deadline) {
    m_verifyInterval = interval;
    m_verifyDeadline = deadline;
}

bool ApplySequence::isUnderWay() const {
    return m_state == State::Checking || m_state == State::Writing || m_state == State::Verifying ||
           m_state == State::RollingBack;
}

void ApplySequence::enter(State state) {
    m_state = state;
    Q_EMIT stateChanged(state);
}

void ApplySequence::fail(const QString& problem, const QString& token) {
    m_problem = problem;
    m_problemToken = token;
    enter(State::Failed);
}

void ApplySequence::fail(const CallFailure& failure) {
    fail(textOf(failure), failure.token);
}

bool ApplySequence::start(const Target& target, const Change& change, const SnapshotPtr& snapshot) {
    if (isUnderWay())
        return false;
    ++m_run;
    m_target = target;
    m_change = change;
    m_snapshot = snapshot;
    m_impact = {};
    m_problem.clear();
    m_problemToken.clear();
    m_backupFile.clear();
    m_atRiskAfter = {};
    m_isWritten = false;
    m_diff = diffLines(change.before, change.after);
    m_epochBefore = epochOf(mapOf(change.before));
    m_epochAfter = epochOf(mapOf(change.after));
    if (m_epochAfter.isEmpty())
        fail(tr("The draft has errors."), u"invalid_config"_s);
    else if (target.coordinators.isEmpty() && target.file.isEmpty())
        fail(tr("There is neither a coordinator nor a file to write to."));
    else
        enter(State::Diff);
    return true;
}

void ApplySequence::prepareImpact() {
    const auto before = mapOf(m_change.before);
    const auto after = mapOf(m_change.after);
    if (!before || !after)
        return;
    m_impact.sentences = describeChanges(*before, *after);
    m_impact.changedPartitions = static_cast<int>(routing::changesBetween(*before, *after).size());
    m_impact.restarts = restartsOf(*before, *after);
    if (m_snapshot)
        addVectors(m_impact, *before, *after, *m_snapshot);
}

void ApplySequence::confirmDiff() {
    if (m_state != State::Diff)
        return;
    prepareImpact();
    if (!m_target.file.isEmpty())
        return enter(State::Impact); // nobody to ask: a file is not running yet
    enter(State::Checking);
    m_client.writeConfig(m_target.coordinators.first(), {m_change.after, m_change.etag, true, m_change.force}, this,
                         [this, run = m_run](const CallResult<ConfigChange>& result) {
                             if (run != m_run || m_state != State::Checking)
                                 return;
                             if (!result)
                                 return fail(result.error());
                             m_impact.changedPartitions = result->changedPartitions;
                             m_impact.warnings = result->warnings;
                             enter(State::Impact);
                         });
}

void ApplySequence::confirmImpact() {
    if (m_state != State::Impact)
        return;
    m_wantedEpoch = m_epochAfter;
    enter(State::Writing);
    m_target.file.isEmpty() ? write(m_change.after, m_change.etag) : writeFile(m_change.after);
}

void ApplySequence::cancel() {
    const bool mayGiveUp = m_state == State::Diff || m_state == State::Checking || m_state == State::Impact;
    if (!mayGiveUp)
        return;
    ++m_run;
    enter(State::Idle);
}

void ApplySequence::rollBack() {
    if (m_state != State::Applied && !(m_state == State::Failed && m_isWritten))
        return;
    ++m_run;
    m_problem.clear();
    m_problemToken.clear();
    m_wantedEpoch = m_epochBefore;
    enter(State::RollingBack);
    // The old owners have kept their vectors; the coordinator cannot know that.
    m_change.force = true;
    m_target.file.isEmpty() ? write(m_change.before, tagOf(m_epochAfter)) : writeFile(m_change.before);
}

void ApplySequence::write(const QByteArray& text, const QByteArray& etag) {
    m_client.writeConfig(m_target.coordinators.first(), {text, etag, false, m_change.force}, this,
                         [this, run = m_run](const CallResult<ConfigChange>& result) {
                             if (run != m_run)
                                 return;
                             // Without an answer nobody knows whether it was written: the running epoch tells.
                             const bool isOpen = !result && result.error().kind == CallFailure::Kind::NoAnswer &&
                                                 result.error().transport != TransportError::Refused;
                             if (!result && !isOpen)
                                 return fail(result.error());
                             m_isWritten = true;
                             reload();
                         });
}

void ApplySequence::writeFile(const QByteArray& text) {
    const auto path = m_target.file.toStdString();
    const auto present = routing::readWholeFile(path);
    const bool isBack = m_state == State::RollingBack;
    const auto expected = isBack ? m_change.after : m_change.before;
    if (!present)
        return fail(QString::fromStdString(present.error().message));
    if (QByteArray::fromStdString(*present) != expected)
        return fail(tr("The file is not the one that was read."), u"config_changed"_s);
    if (!isBack) {
        const auto stamp = QDateTime::fromMSecsSinceEpoch(m_clock.sinceEpoch().count(), Qt::UTC);
        m_backupFile = m_target.file + stamp.toString(u"'.'yyyyMMdd-HHmmss'.bak'"_s);
        if (!QFile::exists(m_backupFile) && !QFile::copy(m_target.file, m_backupFile))
            return fail(tr("The backup %1 could not be written.").arg(m_backupFile));
    }
    if (const auto written = routing::replaceFile(path, text.toStdString()); !written)
        return fail(QString::fromStdString(written.error().message));
    m_isWritten = true;
    reload();
}

void ApplySequence::reload() {
    if (m_target.coordinators.isEmpty())
        return enter(m_state == State::RollingBack ? State::RolledBack : State::Applied); // there is nobody to ask
    if (m_state == State::Writing)
        enter(State::Verifying);
    m_verifyUntil = m_clock.steady() + m_verifyDeadline;
    m_client.reload(m_target.coordinators.first(), this, [this, run = m_run](const CallResult<ConfigChange>& result) {
        if (run != m_run)
            return;
        const bool isRefused =
            !result && result.error().kind == CallFailure::Kind::Refused && result.error().token == "invalid_config"_L1;
        if (isRefused)
            return fail(result.error());
        verify(); // without a reload (not offered, no key pair) the operator or the file watch does it
    });
}

void ApplySequence::verify() {
    verifyNext(0);
}

void ApplySequence::verifyNext(std::size_t coordinator) {
    m_client.clusterStatus(m_target.coordinators[static_cast<qsizetype>(coordinator)], this,
                           [this, run = m_run, coordinator](const CallResult<ClusterStatus>& status) {
                               if (run != m_run)
                                   return;
                               if (!status || status->configEpoch != m_wantedEpoch)
                                   return later();
                               verified(*status, coordinator);
                           });
}

void ApplySequence::verified(const ClusterStatus& status, std::size_t coordinator) {
    if (coordinator == 0)
        m_atRiskAfter = status.atRisk;
    if (coordinator + 1 < static_cast<std::size_t>(m_target.coordinators.size()))
        return verifyNext(coordinator + 1);
    enter(m_state == State::RollingBack ? State::RolledBack : State::Applied);
}

void ApplySequence::later() {
    if (m_clock.steady() >= m_verifyUntil)
        return fail(tr("Not every coordinator runs the config %1 yet.").arg(m_wantedEpoch), u"not_verified"_s);
    QTimer::singleShot(m_verifyInterval, this, [this, run = m_run] {
        if (run == m_run)
            verify();
    });
}

QString ApplySequence::runbook(routing::Language language) const {
    const bool isIndonesian = language == routing::Language::Indonesian;
    const auto say = [isIndonesian](const QString& english, const QString& indonesian) {
        return isIndonesian ? indonesian : english;
    };
    QString text = say(u"# Change of config.yml\n\n"_s, u"# Perubahan config.yml\n\n"_s);
    text += say(u"Epoch %1 becomes %2.\n\n"_s, u"Epoch %1 menjadi %2.\n\n"_s).arg(m_epochBefore, m_epochAfter);
    for (const auto& sentence : m_impact.sentences)
        text += u"- "_s + sentence + u'\n';
    text += say(u"\n## 1. Diff\n\n"_s, u"\n## 1. Perbedaan\n\n"_s) + u"```diff\n"_s;
    for (const auto& line : m_diff)
        text += (line.kind == DiffLine::Kind::Same    ? u' '
                 : line.kind == DiffLine::Kind::Added ? u'+'
                                                      : u'-') +
                line.text + u'\n';
    text += u"```\n\n"_s;
    text += say(u"## 2. Write\n\n"_s, u"## 2. Tulis\n\n"_s);
    if (m_target.file.isEmpty())
        text += say(u"PUT /v1/cluster/config at %1 with If-Match \"%2\"%3.\n\n"_s,
                    u"PUT /v1/cluster/config di %1 dengan If-Match \"%2\"%3.\n\n"_s)
                    .arg(m_target.coordinators.value(0).toString(), m_epochBefore,
                         m_change.force ? u" (force)"_s : QString());
    else
        text += say(u"Replace %1 in one step; keep a copy of the old file.\n\n"_s,
                    u"Ganti %1 dalam satu langkah; simpan salinan berkas lama.\n\n"_s)
                    .arg(m_target.file);
    if (!m_impact.restarts.isEmpty())
        text += say(u"Restart with their new ranges, in this order: %1.\n\n"_s,
                    u"Jalankan ulang dengan rentang barunya, menurut urutan ini: %1.\n\n"_s)
                    .arg(m_impact.restarts.join(u", "_s));
    text +=
        say(u"## 3. Verify\n\nPOST /v1/cluster/reload (or SIGHUP); /v1/cluster/status must name the epoch %1 and no "
            "partition at risk, at each coordinator.\n\n"_s,
            u"## 3. Verifikasi\n\nPOST /v1/cluster/reload (atau SIGHUP); /v1/cluster/status harus menyebut epoch %1 "
            u"dan "
            "tanpa partisi berisiko, di setiap coordinator.\n\n"_s)
            .arg(m_epochAfter);
    text += say(u"## 4. Way back\n\nWrite the old text again (epoch %1).\n"_s,
                u"## 4. Jalan kembali\n\nTulis lagi teks lama (epoch %1).\n"_s)
                .arg(m_epochBefore);
    return text;
}

} // namespace fremis::console

#include "console/ui/shell/session.h"

namespace fremis::console::ui {

Session::Session(const Parts& parts, QObject* parent)
    : QObject(parent), m_parts(parts), m_watch(m_events), m_alerts(m_events), m_client(parts.transport, parts.clock),
      m_answers(m_client), m_poller(m_client, parts.clock, m_history, parts.ticksItself) {
    connect(&m_poller, &Poller::snapshotReady, this, [this](const SnapshotPtr& snapshot) {
        m_watch.take(snapshot);
        m_alerts.look(snapshot);
        Q_EMIT snapshotReady(snapshot);
    });
    connect(&m_client, &ClusterClient::finished, this, [this](const CallRecord& record) {
        m_calls.push_back(record);
        if (m_calls.size() > kCalls)
            m_calls.pop_front();
        Q_EMIT called(record);
    });
}

void Session::open(const Profile& profile, const std::optional<KeyPair>& keys) {
    close();
    m_profile = profile;
    m_alerts.setThresholds(profile.thresholds);
    const auto start = [this](const KeyPair& pair) {
        m_client.setKeyPair(pair);
        m_poller.connectTo(m_profile);
        Q_EMIT opened();
    };
    if (keys) {
        start(*keys);
        return;
    }
    m_parts.secrets.read(profile.id, this, [this, start, id = profile.id](base::Result<std::optional<KeyPair>> read) {
        if (m_profile.id == id)
            start(read && *read ? **read : KeyPair());
    });
}

base::Status Session::changeProfile(const std::function<void(Profile&)>& change) {
    change(m_profile);
    m_poller.setNodeMarks(m_profile.aliases, m_profile.maintenance);
    const auto kept = m_parts.profiles.find(m_profile.id);
    if (!kept || kept->id != m_profile.id)
        return {};
    if (const auto saved = m_parts.profiles.save(m_profile); !saved)
        return tl::unexpected(saved.error());
    return {};
}

void Session::openRecorded(const RecordedSnapshot& recorded) {
    close();
    m_profile.name = recorded.profileName;
    m_recorded = recorded.snapshot;
    Q_EMIT opened();
    Q_EMIT snapshotReady(m_recorded);
}

QByteArray Session::snapshotFile() const {
    const SnapshotPtr live = m_poller.snapshot();
    return live && !m_recorded ? m_answers.save(*live, m_profile) : QByteArray();
}

void Session::close() {
    m_recorded.reset();
    m_answers.clear();
    m_poller.disconnectAll();
    m_client.cancelAll();
    m_client.setKeyPair({});
    m_history.clear();
    m_alerts.reset();
    m_selection.clear();
    m_profile = {};
    Q_EMIT closed();
}

} // namespace fremis::console::ui

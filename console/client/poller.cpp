#include "console/client/poller.h"

#include <algorithm>
#include <array>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

constexpr Milliseconds kTick{100};
constexpr Milliseconds kMostBetweenSnapshots{1000}; ///< ages grow also when nobody answers
constexpr Milliseconds kAskAgainIfOffered{60'000};
constexpr Milliseconds kMostJitter{200};
constexpr std::array kBackOff{Milliseconds(2000), Milliseconds(4000), Milliseconds(8000), Milliseconds(30'000)};
constexpr std::size_t kKeptCalls = 50;
constexpr auto kCoordinatorPrefix = "coordinator "_L1;

QString pathOf(int kind) {
    constexpr std::array kPaths{"/v1/healthcheck"_L1,    "/v1/loaded-vectors"_L1, "/v1/resource-stats"_L1,
                                "/v1/cluster/status"_L1, "/v1/cluster/nodes"_L1,  "/v1/cluster/queue"_L1,
                                "/v1/cluster/config"_L1, "/v1/face/keyspace"_L1,  "/v1/get-limit-usage"_L1};
    return kPaths[static_cast<std::size_t>(kind)];
}

template<class T> void keepLast(std::deque<T>& list, T value) {
    list.push_back(std::move(value));
    if (list.size() > kKeptCalls)
        list.pop_front();
}

} // namespace

Poller::Poller(ClusterClient& client, const base::Clock& clock, History& history, bool ticksItself, QObject* parent)
    : QObject(parent), m_client(client), m_clock(clock), m_history(history) {
    connect(&m_client, &ClusterClient::finished, this, &Poller::noteCall);
    connect(&m_timer, &QTimer::timeout, this, &Poller::tick);
    if (ticksItself)
        m_timer.start(kTick);
}

Poller::~Poller() = default;

void Poller::connectTo(const Profile& profile) {
    disconnectAll();
    m_profile = profile;
    setInterval(profile.interval);
    for (const auto& url : profile.coordinators) {
        m_seen.coordinators.push_back({url, {}, {}, {}, 0, {}});
        addProgram(kCoordinatorPrefix + url.toString(), url, true);
    }
    m_connected = true;
    followNodes();
    m_dirty = true;
    Q_EMIT connectedChanged(true);
}

void Poller::disconnectAll() {
    m_client.cancelAll();
    m_client.setSignReads(false);
    m_seen = {};
    m_programs.clear();
    m_history.clear();
    m_snapshot.reset();
    m_publishedAt = m_recordedAt = m_fileReadAt = {};
    m_dirty = false;
    if (std::exchange(m_connected, false))
        Q_EMIT connectedChanged(false);
}

void Poller::addProgram(const QString& id, const QUrl& url, bool isCoordinator) {
    auto& program = m_programs[id];
    program.url = url;
    program.isCoordinator = isCoordinator;
    // Not all at once: programs that start together would be asked together for ever.
    program.notBefore = m_clock.steady() + Milliseconds(static_cast<qint64>(qHash(id) % kMostJitter.count()));
}

void Poller::followNodes() {
    QStringList wanted;
    if (m_profile.nodeSource == NodeSource::Manual)
        wanted = m_profile.manualNodes;
    if (m_seen.config)
        for (const auto& node : (**m_seen.config).map.nodes())
            wanted.append(QString::fromStdString(node.address.text()));
    if (m_seen.told)
        for (const auto& node : m_seen.told->nodes)
            wanted.append(node.address);
    for (const auto& address : wanted)
        if (!m_programs.contains(address)) {
            m_seen.nodes.try_emplace(address);
            addProgram(address, m_profile.urlOf(address), false);
        }
    std::erase_if(m_programs, [&wanted](const auto& entry) {
        return !entry.second.isCoordinator && !wanted.contains(entry.first);
    });
    std::erase_if(m_seen.nodes, [&wanted](const auto& entry) { return !wanted.contains(entry.first); });
}

void Poller::setInterval(Milliseconds interval) {
    m_profile.interval = std::clamp(interval, kLeastPollInterval, kMostPollInterval);
    for (auto& [id, program] : m_programs)
        for (auto& [kind, due] : program.dueAt)
            due = std::min(due, m_clock.steady() + intervalOf(kind));
    m_dirty = true;
}

void Poller::setNodeMarks(const QHash<QString, QString>& aliases, const QStringList& maintenance) {
    m_profile.aliases = aliases;
    m_profile.maintenance = maintenance;
    if (m_connected)
        publish();
}

void Poller::pause() {
    if (std::exchange(m_paused, true))
        return;
    m_dirty = true;
    Q_EMIT pausedChanged(true);
}

void Poller::resume() {
    if (!std::exchange(m_paused, false))
        return;
    refreshNow();
    Q_EMIT pausedChanged(false);
}

void Poller::refreshNow() {
    for (auto& [id, program] : m_programs) {
        program.dueAt.clear();
        program.notBefore = {};
    }
    m_fileReadAt = {};
    if (!m_connected)
        return;
    readConfigFile();
    for (auto& [id, program] : m_programs)
        askDue(id, program);
}

Milliseconds Poller::intervalOf(Kind kind) const {
    switch (kind) {
    case Kind::Load:
        return 2 * m_profile.interval;
    case Kind::Config:
        return std::max(5 * m_profile.interval, Milliseconds(10'000));
    case Kind::Keyspaces:
    case Kind::Limits:
        return std::max(5 * m_profile.interval, Milliseconds(30'000));
    default:
        return m_profile.interval;
    }
}

bool Poller::isPrimary(const QString& id) const {
    for (const auto& url : m_profile.coordinators) {
        const auto other = kCoordinatorPrefix + url.toString();
        const auto found = m_programs.find(other);
        if (found != m_programs.end() && found->second.failures == 0)
            return other == id;
    }
    return false;
}

std::span<const Poller::Kind> Poller::kindsOf(const QString& id, const Program& program) const {
    static constexpr std::array kWorker{Kind::Health, Kind::Load, Kind::Resources};
    static constexpr std::array kCoordinator{Kind::Health, Kind::Status};
    static constexpr std::array kPrimary{Kind::Health, Kind::Status, Kind::Nodes,    Kind::Queue,
                                         Kind::Config, Kind::Limits, Kind::Keyspaces};
    if (!program.isCoordinator)
        return kWorker;
    return isPrimary(id) ? std::span<const Kind>(kPrimary) : std::span<const Kind>(kCoordinator);
}

void Poller::tick() {
    if (!m_connected)
        return;
    if (!m_paused) {
        readConfigFile();
        for (auto& [id, program] : m_programs)
            askDue(id, program);
    }
    const auto since = m_clock.steady() - m_publishedAt;
    const bool isFirst = m_publishedAt == SteadyTime();
    if (isFirst || (m_dirty && since >= kLeastBetweenSnapshots) || (!m_paused && since >= kMostBetweenSnapshots))
        publish();
}

void Poller::askDue(const QString& id, Program& program) {
    const auto now = m_clock.steady();
    if (now < program.notBefore)
        return;
    for (const auto kind : kindsOf(id, program)) {
        const auto due = program.dueAt.find(kind);
        const bool isDue = due == program.dueAt.end() || due->second <= now;
        // While it is silent, one call finds out whether it is back.
        const bool isOut = program.failures > 0 && kind != Kind::Health;
        if (!isDue || isOut || program.running.contains(kind) || program.running.size() >= kCallsPerProgram)
            continue;
        if (kind == Kind::Config && m_profile.nodeSource == NodeSource::File)
            continue;
        program.running.insert(kind);
        program.dueAt[kind] = now + intervalOf(kind);
        ask(id, program, kind);
    }
}

template<class T, class Use> CallDone<T> Poller::answerTo(const QString& id, Kind kind, Use use) {
    return [this, id, kind, use, askedAt = m_clock.steady()](CallResult<T> result) {
        const auto program = m_programs.find(id);
        if (program == m_programs.end())
            return; // it has left the config meanwhile
        program->second.running.erase(kind);
        m_dirty = true;
        if (!result)
            return noteFailure(id, kind, result.error());
        noteAnswer(id, kind, std::chrono::duration_cast<Milliseconds>(m_clock.steady() - askedAt));
        use(std::move(*result));
    };
}

void Poller::ask(const QString& id, const Program& program, Kind kind) {
    const auto& url = program.url;
    const auto now = [this] { return m_clock.sinceEpoch(); };
    switch (kind) {
    case Kind::Health:
        return m_client.health(
            url, this, answerTo<Health>(id, kind, [this, id](const Health& health) { takeHealth(id, health); }));
    case Kind::Load:
        return m_client.vectorLoad(url, this, answerTo<VectorLoad>(id, kind, [this, id, now](VectorLoad load) {
                                       m_seen.nodes[id].load.set(std::make_shared<const VectorLoad>(std::move(load)),
                                                                 now());
                                   }));
    case Kind::Resources:
        return m_client.resources(url, this, answerTo<Resources>(id, kind, [this, id, now](Resources resources) {
                                      // Their stamp is up to a second old; health tells the time of the answer.
                                      auto& node = m_seen.nodes[id];
                                      if (resources.timestamp && !(node.health && node.health->time))
                                          node.clockSkew = *resources.timestamp - now();
                                      node.resources.set(std::move(resources), now());
                                  }));
    case Kind::Status:
        return m_client.clusterStatus(
            url, this, answerTo<ClusterStatus>(id, kind, [this, id, now](ClusterStatus status) {
                if (status.clientAuth == "required"_L1)
                    m_client.setSignReads(true);
                if (isPrimary(id) && m_seen.config && (**m_seen.config).epoch != status.configEpoch)
                    m_programs[id].dueAt.erase(Kind::Config);
                if (auto* coordinator = coordinatorOf(id))
                    coordinator->status.set(std::move(status), now());
            }));
    case Kind::Nodes:
        return m_client.clusterNodes(url, this, answerTo<ClusterNodes>(id, kind, [this, now](ClusterNodes nodes) {
                                         m_seen.told.set(std::move(nodes), now());
                                         followNodes();
                                     }));
    case Kind::Queue:
        return m_client.clusterQueue(
            url, this, answerTo<ClusterQueue>(id, kind, [this](ClusterQueue queue) { takeQueue(std::move(queue)); }));
    case Kind::Config:
        return m_client.runningConfig(
            url, this,
            answerTo<RunningConfig>(id, kind, [this](const RunningConfig& running) { takeConfig(running); }));
    case Kind::Keyspaces:
        return m_client.keyspaces(url, this, answerTo<Keyspaces>(id, kind, [this, now](Keyspaces keyspaces) {
                                      m_seen.keyspaces.set(std::move(keyspaces), now());
                                  }));
    case Kind::Limits:
        return m_client.limits(
            url, this, answerTo<Limits>(id, kind, [this, now](Limits limits) { m_seen.limits.set(limits, now()); }));
    }
}

CoordinatorObservation* Poller::coordinatorOf(const QString& id) {
    const auto found = std::find_if(m_seen.coordinators.begin(), m_seen.coordinators.end(),
                                    [&id](const auto& one) { return id == kCoordinatorPrefix + one.url.toString(); });
    return found == m_seen.coordinators.end() ? nullptr : &*found;
}

void Poller::takeHealth(const QString& id, const Health& health) {
    const auto now = m_clock.sinceEpoch();
    if (health.clientAuth == "required"_L1)
        m_client.setSignReads(true);
    if (auto* coordinator = coordinatorOf(id))
        return coordinator->health.set(health, now);
    auto& node = m_seen.nodes[id];
    if (health.time)
        node.clockSkew = *health.time - now;
    node.health.set(health, now);
}

void Poller::noteAnswer(const QString& id, Kind kind, Milliseconds took) {
    if (m_seen.notOffered.removeAll(pathOf(static_cast<int>(kind))) > 0)
        m_dirty = true;
    if (kind != Kind::Health)
        return;
    auto& program = m_programs[id];
    program.failures = 0;
    program.notBefore = {};
    if (auto* coordinator = coordinatorOf(id)) {
        coordinator->failedPolls = 0;
        coordinator->lastError.clear();
        coordinator->took = took;
        return;
    }
    auto& node = m_seen.nodes[id];
    node.failedPolls = 0;
    node.lastError.clear();
    node.nextTryAt.reset();
    node.lastAnswerAt = m_clock.sinceEpoch();
    keepLast(node.latencies, took);
}

void Poller::noteFailure(const QString& id, Kind kind, const CallFailure& failure) {
    auto& program = m_programs[id];
    if (failure.kind == CallFailure::Kind::NotOffered) {
        program.dueAt[kind] = m_clock.steady() + kAskAgainIfOffered;
        const auto path = pathOf(static_cast<int>(kind));
        if (program.isCoordinator && !m_seen.notOffered.contains(path))
            m_seen.notOffered.append(path);
        return;
    }
    if (kind == Kind::Health)
        noteOutage(id, failure);
}

void Poller::noteOutage(const QString& id, const CallFailure& failure) {
    auto& program = m_programs[id];
    const bool isSilent = failure.kind == CallFailure::Kind::NoAnswer;
    if (isSilent) {
        const auto wait =
            kBackOff[std::min<std::size_t>(static_cast<std::size_t>(program.failures), kBackOff.size() - 1)];
        ++program.failures;
        program.notBefore = m_clock.steady() + wait;
        program.dueAt.erase(Kind::Health);
    }
    if (auto* coordinator = coordinatorOf(id)) {
        coordinator->lastError = textOf(failure);
        ++coordinator->failedPolls;
        return;
    }
    auto& node = m_seen.nodes[id];
    node.lastError = textOf(failure);
    if (isSilent) {
        ++node.failedPolls;
        node.nextTryAt =
            m_clock.sinceEpoch() + std::chrono::duration_cast<Milliseconds>(program.notBefore - m_clock.steady());
    } else {
        node.health = {}; // somebody answers, but does not say how it is
    }
}

void Poller::noteCall(const CallRecord& record) {
    const QUrl url(record.url);
    for (auto& [address, node] : m_seen.nodes)
        if (const auto program = m_programs.find(address);
            program != m_programs.end() && program->second.url.authority() == url.authority())
            keepLast(node.calls, record);
}

void Poller::takeQueue(ClusterQueue queue) {
    const auto now = m_clock.sinceEpoch();
    if (m_seen.queue && now > m_seen.queue.readAt) {
        const auto seconds = static_cast<double>((now - m_seen.queue.readAt).count()) / 1000.0;
        for (const auto& node : queue.nodes)
            for (const auto& before : m_seen.queue->nodes)
                if (before.address == node.address)
                    m_seen.queueRates[node.address] =
                        (static_cast<double>(before.ops) - static_cast<double>(node.ops)) / seconds;
    }
    m_seen.queue.set(std::move(queue), now);
}

void Poller::takeConfig(const RunningConfig& running) {
    const auto now = m_clock.sinceEpoch();
    if (m_seen.config && (**m_seen.config).epoch == running.epoch && (**m_seen.config).text == running.yaml &&
        (**m_seen.config).etag == running.etag) {
        m_seen.config.readAt = now;
        return;
    }
    if (auto view = configViewOf(running)) {
        m_seen.config.set(std::move(*view), now);
        followNodes();
    }
}

void Poller::readConfigFile() {
    if (m_profile.nodeSource != NodeSource::File)
        return;
    if (m_fileReadAt != SteadyTime() && m_clock.steady() - m_fileReadAt < intervalOf(Kind::Config))
        return;
    m_fileReadAt = m_clock.steady();
    if (auto view = configViewOfFile(m_profile.configPath)) {
        m_seen.config.set(std::move(*view), m_clock.sinceEpoch());
        followNodes();
        m_dirty = true;
    }
}

void Poller::publish() {
    m_publishedAt = m_clock.steady();
    m_dirty = false;
    auto made = makeSnapshot(m_seen, m_profile, m_clock.sinceEpoch(), m_snapshot);
    auto next = std::make_shared<Snapshot>(*made);
    next->generation = m_client.generation();
    next->isPaused = m_paused;
    m_snapshot = next;
    if (!m_paused)
        recordHistory();
    Q_EMIT snapshotReady(m_snapshot);
}

void Poller::recordHistory() {
    const auto now = m_clock.steady();
    if (m_recordedAt != SteadyTime() && now - m_recordedAt < m_profile.interval)
        return;
    if (!m_history.beginTick(m_snapshot->takenAt))
        return;
    m_recordedAt = now;
    const auto limit = staleAfter(m_profile.interval);
    const auto add = [this](const NodeView& node, Metric metric, auto value) {
        if (value)
            m_history.add(node.address, metric, static_cast<float>(*value));
    };
    for (const auto& node : m_snapshot->nodes) {
        if (node.resources.isFresh(m_snapshot->takenAt, limit)) {
            add(node, Metric::Cpu, node.resources->cpuPercent);
            add(node, Metric::Ram, node.resources->ramPercent);
            add(node, Metric::Disk, node.resources->diskPercent);
            if (!node.resources->gpus.isEmpty()) {
                add(node, Metric::Gpu, std::optional(node.resources->gpus.first().utilPercent));
                add(node, Metric::GpuMemory, std::optional(node.resources->gpus.first().memoryPercent()));
            }
        }
        if (node.load.isFresh(m_snapshot->takenAt, 2 * limit))
            add(node, Metric::Vectors, node.vectors());
        if (node.queue.isFresh(m_snapshot->takenAt, limit))
            add(node, Metric::Queue, std::optional(node.queue->ops));
        if (node.failedPolls > 0)
            continue;
        if (const auto seen = m_seen.nodes.find(node.address);
            seen != m_seen.nodes.end() && !seen->second.latencies.empty())
            add(node, Metric::PollLatency, std::optional(seen->second.latencies.back().count()));
        if (node.told.isFresh(m_snapshot->takenAt, limit))
            add(node, Metric::FanOutLatency, node.told->latencyP50);
        if (node.clockSkew)
            add(node, Metric::ClockSkew, std::optional(node.clockSkew->count()));
    }
}

} // namespace fremis::console

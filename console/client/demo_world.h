#pragma once

#include "console/client/known.h"
#include "console/client/transport.h"
#include "shared/base/clock.h"
#include "shared/routing/config_file.h"
#include "shared/routing/planner.h"

#include <QByteArray>
#include <QJsonObject>
#include <QList>
#include <QString>

#include <array>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace fremis::console {

/// What goes wrong with a node, or with the coordinator.
enum class DemoFault {
    None,
    Dead,      ///< nobody listens
    Hangs,     ///< takes the request and says nothing
    Slow,      ///< answers after DemoNode::delay
    Fails,     ///< 500
    Locked,    ///< 401
    Malformed, ///< 200 with something that is no JSON
};

/// One step of a story.
struct DemoStep {
    Milliseconds at{0}; ///< since the start
    QString node;       ///< a node's name or address; "coordinator"
    DemoFault fault = DemoFault::None;
    Milliseconds delay{1500}; ///< of Slow
};

struct DemoScenario {
    int nodes = 7;
    int replication = 2;
    quint64 vectors = 1'200'000;
    double enrollmentsPerSecond = 40;
    bool singleCopies = true;    ///< partitions 182-207 belong to the last node alone
    Milliseconds repeatAfter{0}; ///< the steps begin again after so long; 0: they do not
    QList<DemoStep> steps;
    QStringList addresses; ///< of the nodes; empty: worker-1.demo:4003, ...
};

/// Reads {"nodes":6,"replication":2,"vectors":100000,"enrollments_per_s":40,"single_copies":false,"repeat_after_s":180,
/// "steps":[{"at_s":5,"node":"worker-3","do":"die"}]}; `do` is die, hang, slow (with delay_ms), fail, lock, garble or
/// heal. Fails with Reason::InvalidJson.
[[nodiscard]] base::Result<DemoScenario> readScenario(const QByteArray& json);
/// A worker that dies and comes back, a slow one: what the console's own demonstration shows.
[[nodiscard]] DemoScenario standardScenario();

/// A cluster that exists in memory and answers as a coordinator and workers do, by their wire format. Time is the
/// clock's; the same scenario at the same times gives the same answers. Thread: one.
class DemoWorld {
public:
    DemoWorld(DemoScenario scenario, const base::Clock& clock);

    struct Answer {
        DemoFault fault = DemoFault::None; ///< how the program misbehaves: not by an answer
        Milliseconds delay{0};
        HttpReply reply;
    };
    /// `node`: address of a worker; empty: the coordinator. `target` is path and query.
    [[nodiscard]] Answer answer(const QString& node, const HttpRequest& request);

    /// Lives through the time since the last call: steps, enrolments, queues, loading.
    void catchUp();
    void setFault(const QString& node, DemoFault fault, Milliseconds delay = Milliseconds(1500));
    /// Answers as the original FREMIS-N does: /health and the client plane, nothing of the cluster's.
    void setOriginal(bool original) { m_isOriginal = original; }
    [[nodiscard]] QStringList addresses() const;
    [[nodiscard]] const routing::ConfigFile& config() const { return m_config; }

private:
    struct Node {
        QString address;
        QString name;
        DemoFault fault = DemoFault::None;
        Milliseconds delay{0};
        std::optional<Instant> loadingSince;
        std::array<quint64, base::kPartitionCount> vectors{};
        quint64 queued = 0;
        bool isPaused = false;
        bool needsResync = false;
        quint64 queuedInTotal = 0;
        quint64 queuedOutTotal = 0;
        std::optional<Instant> oldestQueued;
        Instant since{0};
        Instant startedAt{0};
    };
    struct Face {
        QByteArray digest; ///< of its photo; photos themselves are not kept
        Instant at{0};
        quint64 variation = 0;
    };

    [[nodiscard]] QString stateOf(const Node& node) const;
    [[nodiscard]] double loadedPercent(const Node& node) const;
    [[nodiscard]] Node* find(const QString& nameOrAddress);
    [[nodiscard]] hashing::PartitionSet assignedTo(const Node& node) const;
    [[nodiscard]] hashing::PartitionSet searchable() const;
    void run(const DemoStep& step);
    void enroll(quint64 count);
    void drain(Node& node, Milliseconds time);
    /// What its replicas hold and it does not comes over, a part of it at a time.
    void fill(Node& node, Milliseconds time);
    void takeNewNodes();

    [[nodiscard]] HttpReply answerWorker(const Node& node, const HttpRequest& request);
    [[nodiscard]] HttpReply answerCoordinator(const HttpRequest& request);
    [[nodiscard]] HttpReply answerAsOriginal(const HttpRequest& request);
    [[nodiscard]] HttpReply options(const HttpRequest& request) const;
    /// `worker`: the one that was asked directly; null: the coordinator.
    [[nodiscard]] HttpReply answerFaces(const HttpRequest& request, const Node* worker);
    [[nodiscard]] HttpReply health(const Node& node) const;
    [[nodiscard]] HttpReply coordinatorHealth() const;
    [[nodiscard]] HttpReply load(const Node& node) const;
    [[nodiscard]] HttpReply resources(const Node& node) const;
    [[nodiscard]] HttpReply status() const;
    [[nodiscard]] HttpReply nodes() const;
    [[nodiscard]] HttpReply queue() const;
    [[nodiscard]] QJsonObject queueOf(const Node& node) const;
    [[nodiscard]] HttpReply actOnQueue(const HttpRequest& request);
    [[nodiscard]] HttpReply runningConfig() const;
    [[nodiscard]] HttpReply replaceConfig(const HttpRequest& request);
    [[nodiscard]] HttpReply reload() const;
    [[nodiscard]] HttpReply repair(bool start);
    [[nodiscard]] HttpReply limits() const;
    [[nodiscard]] HttpReply keyspaces() const;
    [[nodiscard]] HttpReply createKeyspace(const HttpRequest& request);
    [[nodiscard]] HttpReply deleteKeyspace(const HttpRequest& request);
    [[nodiscard]] HttpReply enrollFace(const HttpRequest& request);
    [[nodiscard]] HttpReply recognise(const HttpRequest& request, const Node* worker) const;
    [[nodiscard]] HttpReply matchFaces(const HttpRequest& request) const;
    [[nodiscard]] HttpReply getFace(const HttpRequest& request) const;
    [[nodiscard]] HttpReply listFaces(const HttpRequest& request) const;
    [[nodiscard]] HttpReply deleteFaces(const HttpRequest& request);
    [[nodiscard]] quint64 totalVectors() const;

    const DemoScenario m_scenario;
    const base::Clock& m_clock;
    const Instant m_startedAt;
    Instant m_now{0};
    Instant m_loadedAt{0};
    routing::ConfigFile m_config;
    std::vector<Node> m_nodes;
    Node m_coordinator;
    std::map<QString, std::map<QString, Face>> m_keyspaces;
    std::map<QString, Instant> m_keyspaceCreatedAt;
    std::size_t m_nextStep = 0;
    int m_round = 0;
    double m_toEnroll = 0;
    quint64 m_lastId = 0;
    bool m_isOriginal = false;
    std::mt19937 m_random{20260105};
};

} // namespace fremis::console

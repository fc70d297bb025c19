#include "tests/sim/write_world.h"

#include "shared/hashing/partition.h"

#include <QtGlobal>

#include <algorithm>
#include <cstdio>

namespace fremis::sim {

using namespace std::chrono_literals;
using base::Reason;
using coordinator::Answer;
using coordinator::Refusal;
using test::History;

namespace {

constexpr std::size_t kWorkers = 4; ///< the last one holds what is not shared, and never fails
constexpr std::size_t kDoors = 2;
constexpr int kClients = 3;
constexpr int kFaces = 7;
constexpr int kMostSkew = 900; ///< ms, of wall clocks
constexpr auto kPatience = 9'000ms;
const auto kPeople = base::KeyspaceName::trusted(std::string(storage::kDefaultKeyspace));
const auto kGuests = base::KeyspaceName::trusted("guests");

/// These say that nothing was stored and nothing queued.
bool saysNotDone(const base::Error& error) {
    return error.status() < 500 || error.reason == Reason::PartitionUnavailable ||
           error.reason == Reason::NotEnoughReplicas;
}

template<class Reply> History::Outcome outcomeOf(const Answer<Reply>& answer) {
    return answer                              ? History::Outcome::Done
           : saysNotDone(answer.error().error) ? History::Outcome::NotDone
                                               : History::Outcome::Unknown;
}

/// Three faces of a keyspace for each of `partitions`.
std::string faceIn(const base::KeyspaceName& keyspace, base::Partition partition, int nth) {
    for (int i = 0;; ++i) {
        auto face = "f" + std::to_string(i);
        if (hashing::partitionOf(keyspace.text(), face) == partition && nth-- == 0)
            return face;
    }
}

} // namespace

WriteWorld::WriteWorld(std::uint64_t seed)
    : environment(Chance(seed).next()), m_chance(seed), m_network(environment, m_chance.next()) {
    m_shared = {17, 99, 201};
    if (qEnvironmentVariableIsSet("FREMIS_SIM_TRACE"))
        m_network.onAnswer = [this](std::size_t worker, const coordinator::Call& call, const auto& response) {
            std::fprintf(stderr, "%8lld worker %zu %s %s -> %d %s\n", static_cast<long long>(now().count() / 1000),
                         worker + 1, call.target.c_str(), call.body.c_str(), response.status, response.body.c_str());
        };
    makeFaces();
    const int skew = m_chance.percent(50) ? 0 : kMostSkew;
    const auto drawSkew = [&] { return std::chrono::milliseconds(m_chance.between(-skew, skew)); };
    hashing::PartitionSet shared;
    for (const auto partition : m_shared)
        shared.insert(partition);
    for (std::size_t i = 0; i < kWorkers; ++i) {
        const auto partitions = i + 1 < kWorkers ? shared : hashing::PartitionSet::all() - shared;
        m_network.workers.push_back(std::make_unique<WriteWorker>(environment, static_cast<std::uint16_t>(4'001 + i),
                                                                  partitions, drawSkew(),
                                                                  static_cast<std::uint8_t>(i + 1)));
        m_network.workers.back()->start();
    }
    const auto acks = static_cast<coordinator::WriteAcks>(m_chance.below(3));
    for (std::size_t i = 0; i < kDoors; ++i) {
        m_doors.push_back(
            std::make_unique<WriteCoordinator>(environment, m_network, i, drawSkew(), acks, m_chance.next()));
        m_doors.back()->useMap(map(false));
        m_doors.back()->start();
    }
    environment.runFor(1'500ms);
}

void WriteWorld::makeFaces() {
    for (int i = 0; i < kFaces; ++i) {
        const auto& keyspace = i % 3 == 2 ? kGuests : kPeople;
        const auto partition = m_shared[m_chance.below(m_shared.size())];
        m_faces.push_back({keyspace, base::FaceId::trusted(faceIn(keyspace, partition, i))});
    }
}

/// Partition i is at the workers i and i + 1; a wide map gives the first one to all three.
routing::PartitionMap WriteWorld::map(bool wide) const {
    routing::ClusterConfig config;
    const auto add = [&](std::size_t worker, int first, int last) {
        config.entries.push_back({*routing::Address::parse(m_network.workers[worker]->address()),
                                  {first, last},
                                  std::nullopt,
                                  std::nullopt});
    };
    for (std::size_t i = 0; i < m_shared.size(); ++i)
        for (std::size_t worker = 0; worker + 1 < kWorkers; ++worker)
            if (worker == i || worker == (i + 1) % m_shared.size() || (wide && i == 0))
                add(worker, m_shared[i], m_shared[i]);
    for (const auto& range : m_network.workers.back()->partitions().ranges())
        add(kWorkers - 1, range.first, range.last);
    return routing::PartitionMap(config);
}

coordinator::RequestContext WriteWorld::context() const {
    return {"sim", environment.steady() + kPatience};
}

// ---- clients

void WriteWorld::nextRequest(int client) {
    environment.afterMicros(std::chrono::milliseconds(m_chance.between(10, 400)), [this, client] {
        if (!m_faulty)
            return;
        const auto door = m_chance.below(kDoors);
        const auto& face = m_faces[m_chance.below(m_faces.size())];
        const int dice = m_chance.between(1, 100);
        if (m_doors[door]->isRunning()) {
            if (dice <= 40)
                enrol(door, face);
            else if (dice <= 58)
                remove(door, {face});
            else if (dice <= 64)
                remove(door, m_faces);
            else if (dice <= 66)
                dropKeyspace(door);
            else if (dice <= 70)
                createKeyspace(door);
            else
                search(door, face.keyspace, {});
        }
        nextRequest(client);
    });
}

void WriteWorld::enrol(std::size_t door, const Face& face) {
    const auto write = history.beginEnrolment(face.name(), static_cast<int>(door), now());
    wire::Enrollment request{wire::ImageInput{photoOf(face.name())}, face.keyspace, face.id, {}};
    m_doors[door]->writes().enrol(std::move(request), {}, context(),
                                  [this, write](const auto& answer) { history.end(write, outcomeOf(answer), now()); });
}

/// Those of the faces that are of the keyspace of the first one.
void WriteWorld::remove(std::size_t door, const std::vector<Face>& faces) {
    wire::DeleteEnrollment request{faces.front().keyspace, {}};
    std::map<base::FaceId, History::Write> writes;
    for (const auto& face : faces)
        if (face.keyspace == request.keyspace) {
            request.faceIds.push_back(face.id);
            writes.emplace(face.id, history.beginRemoval(face.name(), static_cast<int>(door), now()));
        }
    m_doors[door]->writes().removeFaces(
        request, context(), [this, door, writes, keyspace = request.keyspace, begin = now()](const auto& answer) {
            for (const auto& [face, write] : writes) {
                const auto isDone =
                    answer && std::find(answer->deleted.begin(), answer->deleted.end(), face) != answer->deleted.end();
                const bool partly = !answer && answer.error().members.find("deleted_face_ids") != std::string::npos;
                history.end(write,
                            isDone   ? History::Outcome::Done
                            : answer ? History::Outcome::NotDone
                            : partly ? History::Outcome::Unknown
                                     : outcomeOf(answer),
                            now());
                if (answer && !isDone)
                    history.addLook(keyspace.text() + "/" + face.text(), static_cast<int>(door), begin, now(), false);
            }
        });
}

void WriteWorld::dropKeyspace(std::size_t door) {
    std::vector<History::Write> writes;
    for (const auto& face : m_faces)
        if (face.keyspace == kGuests)
            writes.push_back(history.beginRemoval(face.name(), static_cast<int>(door), now()));
    history.note(now(), "drop guests, door " + std::to_string(door));
    m_doors[door]->writes().deleteKeyspace({kGuests}, context(), [this, writes](const auto& answer) {
        history.note(now(), answer ? "dropped" : "not dropped: " + answer.error().error.message);
        for (const auto write : writes)
            history.end(write, outcomeOf(answer), now());
    });
}

void WriteWorld::createKeyspace(std::size_t door) {
    history.note(now(), "create guests, door " + std::to_string(door));
    m_doors[door]->writes().createKeyspace({kGuests, std::nullopt}, context(), [this](const auto& answer) {
        history.note(now(), answer ? (answer->created ? "created" : "was there")
                                   : "not created: " + answer.error().error.message);
    });
}

void WriteWorld::search(std::size_t door, const base::KeyspaceName& keyspace,
                        std::function<void(std::vector<std::string>)> seen) {
    wire::Recognition request{wire::EmbeddingInput{embeddingOf("anybody"), std::nullopt},
                              keyspace,
                              std::nullopt,
                              1'000,
                              std::nullopt,
                              {},
                              false};
    m_doors[door]->search().recognise(
        std::move(request), context(), [this, door, keyspace, seen, begin = now()](const auto& answer) {
            std::vector<std::string> faces;
            const bool stale = answer && answer->coverage->stale;
            if (answer)
                for (const auto& candidate : answer->candidates)
                    faces.push_back(keyspace.text() + "/" + candidate.faceId.text());
            else if (answer.error().error.reason != Reason::KeyspaceNotFound)
                return; // not complete: it says nothing
            if (seen)
                return stale ? void() : seen(std::move(faces));
            // Of the other keyspace's faces a search says nothing, and a stale one only what is there.
            for (const auto& face : m_faces)
                if (const bool found = std::find(faces.begin(), faces.end(), face.name()) != faces.end();
                    face.keyspace == keyspace && (found || !stale))
                    history.addLook(face.name(), static_cast<int>(door), begin, now(), found);
        });
}

// ---- faults

void WriteWorld::later(int leastMs, int mostMs, std::function<void()> mend) {
    environment.afterMicros(std::chrono::milliseconds(m_chance.between(leastMs, mostMs)),
                            [this, era = m_era, mend = std::move(mend)] {
                                if (era == m_era)
                                    mend();
                            });
}

void WriteWorld::nextFault() {
    later(100, 1'500, [this] {
        const int dice = m_chance.between(1, 100);
        if (dice <= 35)
            strikeWorker();
        else if (dice <= 60)
            strikeCoordinator();
        else if (dice <= 92)
            strikeWire();
        else
            changeMap();
        nextFault();
    });
}

void WriteWorld::strikeWorker() {
    const auto number = m_chance.below(kWorkers - 1);
    auto& worker = *m_network.workers[number];
    if (!worker.isRunning())
        return;
    switch (m_chance.below(3)) {
    case 0:
        history.note(now(), "kill worker " + std::to_string(number + 1));
        m_network.killWorker(number);
        return later(50, 4'000, [this, &worker, number] {
            history.note(now(), "start worker " + std::to_string(number + 1));
            worker.start();
        });
    case 1:
        history.note(now(), "freeze worker " + std::to_string(number + 1));
        m_network.freeze(number);
        return later(100, 5'000, [this, number] {
            history.note(now(), "thaw worker " + std::to_string(number + 1));
            m_network.thaw(number);
        });
    default:
        worker.disk().full = true;
        return later(100, 2'000, [&worker] { worker.disk().full = false; });
    }
}

void WriteWorld::strikeCoordinator() {
    const auto number = m_chance.below(kDoors);
    auto& door = *m_doors[number];
    // A coordinator that begins on a map whose new owners were never compared cannot know that.
    if (!door.isRunning() || m_reloads > 0 || door.hasNewOwners())
        return;
    history.note(now(), "kill door " + std::to_string(number));
    m_chance.percent(60) ? door.cutPower() : door.kill();
    later(50, 3'000, [this, &door, number] {
        history.note(now(), "start door " + std::to_string(number));
        door.start();
    });
}

void WriteWorld::strikeWire() {
    const auto door = m_chance.below(kDoors);
    const auto worker = m_chance.below(kWorkers - 1);
    auto& wire = m_network.wire(door, worker);
    const int kind = m_chance.between(0, 5);
    history.note(now(), "wire of door " + std::to_string(door) + " and worker " + std::to_string(worker + 1) + ": " +
                            std::to_string(kind));
    wire.cutThere = kind == 0 || kind == 2;
    wire.cutBack = kind == 1 || kind == 2;
    wire.lossPercent = kind == 3 ? 20 : 0;
    wire.twicePercent = kind == 4 ? 30 : 5;
    wire.delayPercent = kind == 5 ? 30 : 1;
    later(200, 6'000, [this, door, worker] { m_network.wire(door, worker) = {}; });
}

/// Each coordinator reads the new file in its own time.
void WriteWorld::changeMap() {
    if (!std::all_of(m_doors.begin(), m_doors.end(), [](const auto& door) { return door->isRunning(); }))
        return later(100, 500, [this] { changeMap(); });
    m_wideMap = !m_wideMap;
    history.note(now(), m_wideMap ? "wide map" : "narrow map");
    for (const auto& door : m_doors) {
        ++m_reloads;
        environment.afterMicros(std::chrono::milliseconds(m_chance.between(0, 1'000)), [this, door = door.get()] {
            --m_reloads;
            history.note(now(), "a door reloads");
            door->useMap(map(m_wideMap));
        });
    }
}

void WriteWorld::runFaults(std::chrono::milliseconds time) {
    m_faulty = true;
    for (int client = 0; client < kClients; ++client)
        nextRequest(client);
    nextFault();
    later(500, static_cast<int>(time.count()), [this] { changeMap(); });
    environment.runFor(time);
}

void WriteWorld::heal() {
    m_faulty = false;
    ++m_era;
    history.note(now(), "heal");
    m_network.healWires();
    for (std::size_t i = 0; i < kWorkers; ++i) {
        m_network.thaw(i);
        m_network.workers[i]->disk().full = false;
        if (!m_network.workers[i]->isRunning())
            m_network.workers[i]->start();
    }
    for (const auto& door : m_doors)
        if (!door->isRunning())
            door->start();
    environment.runFor(kPatience + 3'000ms); // until the last write has ended and the last message has arrived
}

// ---- judgement

std::string WriteWorld::whyCopiesDiffer() {
    const auto keyspaces = m_network.workers.front()->keyspaces();
    for (const auto& worker : m_network.workers)
        if (worker->keyspaces() != keyspaces)
            return "keyspaces differ: " + keyspaces + "and " + worker->keyspaces();
    const auto present = map(m_wideMap);
    for (const auto partition : m_shared) {
        const auto owners = present.owners(partition);
        const auto first = m_network.workers[owners.front()]->contentOf(partition);
        for (const auto owner : owners)
            if (const auto other = m_network.workers[owner]->contentOf(partition); other != first)
                return "partition " + std::to_string(partition) + " differs:\n" + first + "and\n" + other;
    }
    return {};
}

std::string WriteWorld::whyNotQuiet() {
    for (const auto& door : m_doors)
        if (auto why = door->whyNotQuiet(); !why.empty())
            return why + "\n" + whyCopiesDiffer();
    return whyCopiesDiffer();
}

std::string WriteWorld::settle(std::chrono::milliseconds most) {
    const auto end = now() + most;
    auto why = whyNotQuiet();
    while (!why.empty() && now() < end) {
        environment.runFor(500ms);
        why = whyNotQuiet();
    }
    return why;
}

std::string WriteWorld::readAll() {
    std::vector<std::vector<std::string>> answers;
    for (std::size_t door = 0; door < kDoors; ++door)
        for (int again = 0; again < 2; ++again) {
            std::vector<std::string> all;
            int answered = 0;
            for (const auto& keyspace : {kPeople, kGuests})
                search(door, keyspace, [&](std::vector<std::string> seen) {
                    ++answered;
                    all.insert(all.end(), seen.begin(), seen.end());
                });
            const auto begin = now();
            while (answered < 2 && now() < begin + kPatience)
                environment.runFor(20ms);
            if (answered != 2)
                return "a search of a quiet cluster is not complete";
            history.addRead(static_cast<int>(door), begin, now(), all);
            history.addQuietRead(std::move(all));
        }
    return {};
}

std::string WriteWorld::judge() const {
    const auto violations = history.check({1s, 30s});
    return violations.empty() ? std::string() : violations.front().rule + ": " + violations.front().what;
}

} // namespace fremis::sim

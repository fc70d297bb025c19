// Two coordinators and three workers with two copies of everything, as real processes, while workers and coordinators
// are killed and frozen, connections are cut, disks fail and the map changes. Clients note what they were told; at the
// end it has to be true, and the copies equal.
//
// FREMIS_CHAOS_SECONDS: how long the trouble lasts; after each kRound it is looked whether all is well. 7200 is a
// night. FREMIS_CHAOS_SEED: of the order of troubles and requests. How they meet is up to the machine.
#include "shared/hashing/partition.h"
#include "tests/support/face_client.h"
#include "tests/support/history.h"
#include "tests/support/photos.h"
#include "tests/system/chaos_cluster.h"

#include <QtTest>

#include <atomic>
#include <csignal>
#include <fstream>
#include <mutex>
#include <random>
#include <set>
#include <thread>

using namespace fremis;
using namespace fremis::test;
using namespace std::chrono_literals;

namespace {

constexpr int kClients = 4;
constexpr int kSlots = 24;             ///< faces that clients work on at a time
constexpr auto kRound = 240s;          ///< of trouble
constexpr int kHealing = 240'000;      ///< ms; on a machine that does much else
constexpr std::size_t kMostAtOnce = 2; ///< troubles
const QString kKeyspace = QStringLiteral("default");

/// What another coordinator tells may be late, and what nobody confirmed may come late, on a machine that does much
/// else.
constexpr History::Rules kRules{10s, 60s};

History::Time now() {
    return std::chrono::duration_cast<History::Time>(std::chrono::steady_clock::now().time_since_epoch());
}

/// Numbers from a seed. Thread: one.
class Chance {
public:
    explicit Chance(std::uint32_t seed) : m_random(seed) {}
    [[nodiscard]] int below(int bound) { return static_cast<int>(m_random() % static_cast<unsigned>(bound)); }
    [[nodiscard]] std::chrono::milliseconds between(int leastMs, int mostMs) {
        return std::chrono::milliseconds(leastMs + below(mostMs - leastMs));
    }
    template<class List> [[nodiscard]] auto& oneOf(List& list) {
        return *list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
    }
    [[nodiscard]] std::uint32_t seed() { return m_random(); }

private:
    std::mt19937 m_random;
};

/// The faces that clients work on. One about which a client was left in doubt is laid aside, as what is seen of it says
/// little; when nothing can follow from the doubt any more it is removed. Thread: any.
class Faces {
public:
    [[nodiscard]] QString pick(int slot) {
        const std::scoped_lock lock(m_mutex);
        return nameOf(slot);
    }
    void layAside(const QString& face) {
        const std::scoped_lock lock(m_mutex);
        for (int slot = 0; slot < kSlots; ++slot)
            if (nameOf(slot) == face)
                ++m_lives[static_cast<std::size_t>(slot)];
        m_aside.emplace(now() + kRules.openFor, face);
    }
    [[nodiscard]] std::optional<QString> takeSettled() {
        const std::scoped_lock lock(m_mutex);
        if (m_aside.empty() || m_aside.begin()->first > now())
            return std::nullopt;
        return m_aside.extract(m_aside.begin()).mapped();
    }

private:
    [[nodiscard]] QString nameOf(int slot) const {
        return QStringLiteral("face-%1-%2").arg(slot).arg(m_lives[static_cast<std::size_t>(slot)]);
    }

    std::mutex m_mutex;
    std::array<int, kSlots> m_lives{};
    std::multimap<History::Time, QString> m_aside; ///< by the time when they are settled
};

/// What all clients note. Thread: any.
class Notes {
public:
    [[nodiscard]] History::Write begin(History::Write (History::*what)(std::string, int, History::Time),
                                       const QString& face, int door) {
        const std::scoped_lock lock(m_mutex);
        return (history.*what)(face.toStdString(), door, now());
    }
    void end(History::Write write, History::Outcome outcome) {
        const std::scoped_lock lock(m_mutex);
        history.end(write, outcome, now());
    }
    void addRead(int door, History::Time begin, std::vector<std::string> seen) {
        const std::scoped_lock lock(m_mutex);
        history.addRead(door, begin, now(), std::move(seen));
    }
    void addLook(const QString& face, int door, History::Time begin, bool seen) {
        const std::scoped_lock lock(m_mutex);
        history.addLook(face.toStdString(), door, begin, now(), seen);
    }
    void note(std::string what) {
        const std::scoped_lock lock(m_mutex);
        history.note(now(), std::move(what));
    }
    void complain(std::string what) {
        const std::scoped_lock lock(m_mutex);
        complaints += what + "\n";
    }

    // While no client works.
    History history;
    std::string complaints;

private:
    std::mutex m_mutex;
};

/// What a complete search finds.
struct Seen {
    std::vector<std::string> faces;
    bool stale = false; ///< others may be there too
};

/// Nothing when the search is not complete.
std::optional<Seen> search(FaceClient& client, const QJsonArray& embedding) {
    const auto answer =
        client.post("/v1/face/recognition",
                    {{QStringLiteral("embedding"), embedding},
                     {QStringLiteral("keyspace"), kKeyspace},
                     {QStringLiteral("additional_params"), QJsonObject{{QStringLiteral("candidateCount"), 1'000}}}});
    if (answer.status != 200)
        return std::nullopt;
    Seen seen;
    seen.stale = answer.body[QStringLiteral("coverage")].toObject()[QStringLiteral("stale")].toBool();
    for (const auto& candidate : answer.candidates())
        seen.faces.push_back(candidate.toObject()[QStringLiteral("face_id")].toString().toStdString());
    return seen;
}

/// One client at both doors. Thread: its own.
class Client {
public:
    Client(const ChaosCluster& cluster, Notes& notes, Faces& faces, QString photo, QJsonArray embedding,
           std::uint32_t seed)
        : m_notes(notes), m_faces(faces), m_photo(std::move(photo)), m_embedding(std::move(embedding)), m_chance(seed) {
        for (int door = 0; door < ChaosCluster::kDoors; ++door) {
            m_doors.push_back(std::make_unique<FaceClient>(cluster.doorPort(door)));
            m_doors.back()->http().setDeadline(12s);
            m_doors.back()->expectOutages();
        }
    }

    void work(const std::atomic<bool>& stop) {
        while (!stop) {
            const int door = m_chance.below(ChaosCluster::kDoors);
            const auto face = m_faces.pick(m_chance.below(kSlots));
            const int dice = m_chance.below(100);
            if (dice < 30)
                enrol(door, face);
            else if (dice < 50)
                remove(door, face);
            else if (dice < 60)
                tidy(door);
            else if (dice < 75)
                look(door, face);
            else
                searchAll(door);
            std::this_thread::sleep_for(m_chance.between(0, 60)); // a client's own pace
        }
        for (const auto& door : m_doors)
            for (const auto& violation : door->violations())
                m_notes.complain(violation.toStdString());
    }

private:
    [[nodiscard]] static History::Outcome outcomeOf(const Answer& answer) {
        const bool notDone = !answer.sent || (answer.status >= 400 && answer.status < 500) ||
                             answer.error() == QStringLiteral("partition_unavailable") ||
                             answer.error() == QStringLiteral("not_enough_replicas");
        return answer.status == 200 ? History::Outcome::Done
               : notDone            ? History::Outcome::NotDone
                                    : History::Outcome::Unknown;
    }

    void enrol(int door, const QString& face) {
        const auto write = m_notes.begin(&History::beginEnrolment, face, door);
        const auto outcome = outcomeOf(through(door).enrol(m_photo, kKeyspace, face));
        m_notes.end(write, outcome);
        if (outcome == History::Outcome::Unknown)
            m_faces.layAside(face);
    }

    void remove(int door, const QString& face) {
        const auto begun = now();
        const auto write = m_notes.begin(&History::beginRemoval, face, door);
        const auto answer = through(door).removeFaces({face}, kKeyspace);
        const bool foundNothing = answer.status == 200 && answer.array("deleted_face_ids").isEmpty();
        const auto outcome = foundNothing ? History::Outcome::NotDone : outcomeOf(answer);
        m_notes.end(write, outcome);
        if (foundNothing)
            m_notes.addLook(face, door, begun, false);
        if (outcome == History::Outcome::Unknown)
            m_faces.layAside(face);
    }

    void tidy(int door) {
        if (const auto face = m_faces.takeSettled())
            remove(door, *face);
    }

    void look(int door, const QString& face) {
        const auto begun = now();
        const auto answer = through(door).face(face, kKeyspace);
        if (answer.status == 200 || answer.error() == QStringLiteral("face_not_found"))
            m_notes.addLook(face, door, begun, answer.status == 200);
    }

    void searchAll(int door) {
        const auto begun = now();
        auto seen = search(through(door), m_embedding);
        if (seen && !seen->stale)
            return m_notes.addRead(door, begun, std::move(seen->faces));
        for (const auto& face : seen ? seen->faces : std::vector<std::string>())
            m_notes.addLook(QString::fromStdString(face), door, begun, true);
    }

    [[nodiscard]] FaceClient& through(int door) { return *m_doors[static_cast<std::size_t>(door)]; }

    Notes& m_notes;
    Faces& m_faces;
    const QString m_photo;
    const QJsonArray m_embedding;
    Chance m_chance;
    std::vector<std::unique_ptr<FaceClient>> m_doors;
};

/// What makes trouble: a few at a time, never two for the same program or wire. Thread: the test's.
class Nemesis {
public:
    Nemesis(ChaosCluster& cluster, Notes& notes, Chance& chance)
        : m_cluster(cluster), m_notes(notes), m_chance(chance) {}

    void rageUntil(std::chrono::steady_clock::time_point end) {
        while (std::chrono::steady_clock::now() < end) {
            std::this_thread::sleep_for(m_chance.between(50, 800)); // when the next trouble comes
            settle([](const auto& trouble) { return trouble.until < std::chrono::steady_clock::now(); });
            if (m_troubles.size() < kMostAtOnce)
                begin();
        }
        settle([](const auto&) { return true; });
    }
    [[nodiscard]] const std::map<std::string, int>& strikes() const { return m_strikes; }

private:
    struct Trouble {
        const void* whose;
        std::string what;
        std::chrono::steady_clock::time_point until;
        std::function<void()> end;
    };

    template<class Which> void settle(Which which) {
        for (auto at = m_troubles.begin(); at != m_troubles.end();)
            if (which(*at)) {
                m_notes.note("--- end: " + at->what);
                at->end();
                at = m_troubles.erase(at);
            } else {
                ++at;
            }
    }

    void begin() {
        switch (m_chance.below(4)) {
        case 0:
            return hit(m_chance.oneOf(m_cluster.workers()));
        case 1:
            return hit(m_chance.oneOf(m_cluster.doors()));
        case 2:
            return bend(m_chance.below(static_cast<int>(m_cluster.wires().size())));
        default:
            if (m_chance.below(4) == 0)
                trouble(
                    &m_cluster, "map changed", 0ms, [this] { m_cluster.changeMap(); }, [] {});
        }
    }

    void trouble(const void* whose, const std::string& what, std::chrono::milliseconds lasting,
                 const std::function<void()>& begin, std::function<void()> end) {
        for (const auto& other : m_troubles)
            if (other.whose == whose)
                return;
        m_notes.note("--- " + what);
        begin();
        ++m_strikes[what];
        m_troubles.push_back({whose, what, std::chrono::steady_clock::now() + lasting, std::move(end)});
    }

    void hit(ChaosProgram& program) {
        const auto kind = program.name().substr(0, program.name().size() - 1);
        switch (m_chance.below(6)) {
        case 0:
        case 1:
        case 2:
            return trouble(
                &program, kind + " killed", m_chance.between(100, 3'000), [&] { program.kill(); },
                [&] { restart(program); });
        case 3:
            return trouble(
                &program, kind + " frozen", m_chance.between(300, 4'000), [&] { program.signal(SIGSTOP); },
                [&] { program.signal(SIGCONT); });
        case 4:
            return trouble(
                &program, kind + "'s disk full", m_chance.between(500, 3'000), [&] { program.disk.fill(); },
                [&] { program.disk.mend(); });
        default:
            return trouble(
                &program, kind + "'s disk fails", m_chance.between(500, 3'000),
                [&] { program.disk.failSyncs(m_chance.below(3)); }, [&] { afterFailedSyncs(program); });
        }
    }

    void bend(int number) {
        auto& wire = *m_cluster.wires()[static_cast<std::size_t>(number)];
        const auto straighten = [&wire] { wire.set({}); };
        const auto bent = [&](const std::string& what, const ChaosProxy::Behaviour& behaviour) {
            trouble(
                &wire, what, m_chance.between(300, 4'000), [&] { wire.set(behaviour); }, straighten);
        };
        switch (m_chance.below(5)) {
        case 0:
            return bent("requests stalled", {.stallsThere = true});
        case 1:
            return bent("answers stalled", {.stallsBack = true});
        case 2:
            return bent("wire slow", {.delay = 150ms});
        case 3:
            wire.resetAll();
            return bent("connections refused", {.refuses = true});
        default:
            return bent("connections reset", {.resetAfter = static_cast<std::size_t>(200 + m_chance.below(3'000))});
        }
    }

    void restart(ChaosProgram& program) {
        if (const auto why = program.start(); !why.empty())
            m_notes.complain(why);
    }

    /// After a failed sync a program can promise nothing: it ends by itself, and not as if all were well.
    void afterFailedSyncs(ChaosProgram& program) {
        program.disk.mend();
        if (!program.disk.hasStruck())
            return;
        const auto code = program.waitExit(60s);
        if (code && *code != 0)
            return restart(program);
        m_notes.complain(program.name() + (code ? " ends as if all were well" : " goes on") + " after a failed sync");
    }

    ChaosCluster& m_cluster;
    Notes& m_notes;
    Chance& m_chance;
    std::vector<Trouble> m_troubles;
    std::map<std::string, int> m_strikes;
};

} // namespace

class ChaosTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { FREMIS_NEEDS_FETCHED_DATA(photo("jesper.jpg") && modelPack("fp-mfn512")); }

    void whatClientsWereToldStaysTrue() {
        const auto seed = qEnvironmentVariableIsSet("FREMIS_CHAOS_SEED")
                              ? qEnvironmentVariable("FREMIS_CHAOS_SEED").toUInt()
                              : std::random_device()();
        const std::chrono::seconds wanted(qEnvironmentVariableIntValue("FREMIS_CHAOS_SECONDS"));
        qInfo("FREMIS_CHAOS_SEED=%u", seed);
        Chance chance(seed);
        const auto why = m_cluster.start();
        QVERIFY2(why.empty(), why.c_str());
        waitUntilQuiet();
        if (!QTest::currentTestFailed())
            learnEmbedding();
        for (auto left = wanted.count() > 0 ? wanted : kRound; left > 0s && !QTest::currentTestFailed(); left -= kRound)
            playRound(chance, std::min(left, std::chrono::seconds(kRound)));
        if (QTest::currentTestFailed())
            qWarning("what the programs said is in %s", m_cluster.keepFolder().c_str());
    }

private:
    void playRound(Chance& chance, std::chrono::seconds lasting) {
        Notes notes;
        Faces faces;
        std::atomic<bool> stop{false};
        std::vector<std::thread> clients;
        for (int number = 0; number < kClients; ++number)
            clients.emplace_back([&, clientSeed = chance.seed()] {
                Client(m_cluster, notes, faces, m_photo, m_embedding, clientSeed).work(stop);
            });
        Nemesis nemesis(m_cluster, notes, chance);
        nemesis.rageUntil(std::chrono::steady_clock::now() + lasting);
        stop = true;
        for (auto& client : clients)
            client.join();
        tell(nemesis, notes.history.counts());
        QVERIFY2(notes.complaints.empty(), notes.complaints.c_str());
        waitUntilQuiet();
        if (!QTest::currentTestFailed())
            lookAround(notes);
        if (!QTest::currentTestFailed())
            judge(notes.history);
        if (!QTest::currentTestFailed())
            clear();
    }

    static void tell(const Nemesis& nemesis, const History::Counts& counts) {
        for (const auto& [what, times] : nemesis.strikes())
            qInfo("%s: %d times", what.c_str(), times);
        qInfo("%zu acknowledged enrolments, %zu removals, %zu writes of unknown outcome, %zu searches", counts.enrolled,
              counts.removed, counts.unknown, counts.reads);
    }

    void waitUntilQuiet() {
        std::string why;
        const bool quiet = QTest::qWaitFor([&] { return (why = m_cluster.whyNotQuiet()).empty(); }, kHealing);
        if (!quiet)
            why += m_cluster.unexpectedEnds();
        QVERIFY2(quiet, why.c_str());
    }

    void learnEmbedding() {
        FaceClient client(m_cluster.doorPort(0));
        const auto extracted = client.post("/v1/face/extract-embedding", {{QStringLiteral("image"), m_photo}});
        m_embedding = extracted.array("embeddings").at(0).toArray();
        QVERIFY2(!m_embedding.isEmpty(), extracted.shown().constData());
    }

    /// All doors tell the same again and again, and each worker has its part of it.
    void lookAround(Notes& notes) {
        std::vector<std::string> seen;
        for (int repeat = 0; repeat < 3; ++repeat)
            for (int door = 0; door < ChaosCluster::kDoors; ++door) {
                const auto begun = now();
                FaceClient client(m_cluster.doorPort(door));
                const auto found = search(client, m_embedding);
                QVERIFY2(found && !found->stale, "a search of a quiet cluster is not complete");
                seen = found->faces;
                notes.addRead(door, begun, seen);
                notes.history.addQuietRead(seen);
            }
        for (int worker = 0; worker < ChaosCluster::kWorkers; ++worker) {
            FaceClient client(m_cluster.workerPort(worker));
            const auto found = search(client, m_embedding);
            QVERIFY2(found, "a worker at rest does not search");
            std::set<std::string> wanted;
            for (const auto& face : seen)
                if (ChaosCluster::owns(worker, hashing::partitionOf(kKeyspace.toStdString(), face)))
                    wanted.insert(face);
            QVERIFY(std::set<std::string>(found->faces.begin(), found->faces.end()) == wanted);
        }
    }

    static void judge(const History& history) {
        const auto violations = history.check(kRules);
        std::string text;
        for (const auto& violation : violations)
            text += violation.rule + ": " + violation.what + "\n";
        if (const auto file = qEnvironmentVariable("FREMIS_CHAOS_STORY"); !file.isEmpty())
            std::ofstream(file.toStdString()) << text;
        QVERIFY2(violations.empty(), text.c_str());
        const auto counts = history.counts();
        QVERIFY(counts.enrolled > 0 && counts.removed > 0 && counts.reads > 0);
    }

    /// Nothing of a round is left for the next one.
    void clear() {
        FaceClient client(m_cluster.doorPort(0));
        const auto left = search(client, m_embedding);
        QVERIFY(left);
        QStringList faces;
        for (const auto& face : left->faces)
            faces << QString::fromStdString(face);
        const auto removed = client.removeFaces(faces, kKeyspace);
        QVERIFY2(removed.status == 200 && removed.array("deleted_face_ids").size() == faces.size(),
                 removed.shown().constData());
        waitUntilQuiet();
    }

    ChaosCluster m_cluster;
    const QString m_photo = photoBase64("jesper.jpg");
    QJsonArray m_embedding;
};

QTEST_GUILESS_MAIN(ChaosTest)
#include "chaos_test.moc"

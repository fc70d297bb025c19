// Two coordinators and three workers with two copies of everything, as real processes, while workers and coordinators
// are killed and frozen, connections are cut, disks fail and the map changes. Clients note what they were told; at the
// end it has to be true, and the copies equal.
//
// FREMIS_CHAOS_SECONDS: how long the trouble lasts; after each kRound it is looked whether all is well. 7200 is a
// night. FREMIS_CHAOS_SEED: of the order of troubles and requests. How they meet is up to the machine.
#include "shared/hashing/partition.h"
#include "tests/support/photos.h"
#include "tests/system/chaos_nemesis.h"

#include <QtTest>

#include <fstream>
#include <set>
#include <thread>

using namespace fremis;
using namespace fremis::test;
using namespace std::chrono_literals;

namespace {

constexpr int kClients = 4;
constexpr auto kRound = 240s;     ///< of trouble
constexpr int kHealing = 240'000; ///< ms; on a machine that does much else
const QString kKeyspace = QStringLiteral("default");

/// Else Qt Test ends a function after five minutes; every wait here has its own deadline.
const bool kMayTakeLong = qputenv("QTEST_FUNCTION_TIMEOUT", "1000000000");

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
        ChaosNotes notes;
        ChaosFaces faces;
        std::atomic<bool> stop{false};
        std::vector<std::thread> clients;
        for (int number = 0; number < kClients; ++number)
            clients.emplace_back([&, clientSeed = chance.seed()] {
                ChaosClient(m_cluster, notes, faces, m_photo, m_embedding, clientSeed).work(stop);
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
    void lookAround(ChaosNotes& notes) {
        std::vector<std::string> seen;
        for (int repeat = 0; repeat < 3; ++repeat)
            for (int door = 0; door < ChaosCluster::kDoors; ++door) {
                const auto begun = chaosNow();
                FaceClient client(m_cluster.doorPort(door));
                const auto found = searchFaces(client, m_embedding);
                QVERIFY2(found && !found->stale, "a search of a quiet cluster is not complete");
                seen = found->faces;
                notes.addRead(door, begun, seen);
                notes.history.addQuietRead(seen);
            }
        for (int worker = 0; worker < ChaosCluster::kWorkers; ++worker) {
            FaceClient client(m_cluster.workerPort(worker));
            const auto found = searchFaces(client, m_embedding);
            QVERIFY2(found, "a worker at rest does not search");
            std::set<std::string> wanted;
            for (const auto& face : seen)
                if (ChaosCluster::owns(worker, hashing::partitionOf(kKeyspace.toStdString(), face)))
                    wanted.insert(face);
            QVERIFY(std::set<std::string>(found->faces.begin(), found->faces.end()) == wanted);
        }
    }

    static void judge(const History& history) {
        const auto violations = history.check(kChaosRules);
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
        const auto left = searchFaces(client, m_embedding);
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

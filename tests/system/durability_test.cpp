#include "tests/support/app_process.h"
#include "tests/support/face_client.h"
#include "tests/support/photos.h"
#include "tests/support/postgres_server.h"

#include <QtTest>

#include <atomic>
#include <map>
#include <random>
#include <thread>

using namespace fremis;
using namespace std::chrono_literals;

namespace {

constexpr int kKills = 50;
constexpr int kWriters = 4;
const QString kKeyspace = QStringLiteral("default");

enum class Known { Present, Absent, Unknown };

/// One client that writes its own ids until the server is killed under it.
class Writer {
public:
    explicit Writer(int number) : m_random(static_cast<unsigned>(number)), m_number(number) {}

    /// Runs until a request gets no answer. `acks` counts what was acknowledged.
    void run(int port, const QString& photo, std::atomic<int>& acks, const std::atomic<bool>& killed) {
        test::FaceClient client(port);
        client.http().setDeadline(10s);
        while (!killed) {
            const bool remove = m_random() % 4 == 0 && !m_faces.empty();
            const auto id = remove ? anyFace() : QStringLiteral("writer-%1-%2").arg(m_number).arg(m_next++);
            m_faces[id] = Known::Unknown;
            const auto answer = remove ? client.removeFaces({id}, kKeyspace) : client.enrol(photo, kKeyspace, id);
            if (answer.status == 200) {
                m_faces[id] = remove ? Known::Absent : Known::Present;
                ++acks;
            } else if (answer.status != 0) {
                m_faults << QString::fromUtf8(answer.shown());
            }
        }
    }

    /// Compares all that was acknowledged with what the server says; what had no answer may be either, but stays so.
    QStringList check(int port) {
        test::FaceClient client(port);
        for (auto& [id, known] : m_faces) {
            const auto answer = client.face(id, kKeyspace);
            const auto found = answer.status == 200   ? Known::Present
                               : answer.status == 404 ? Known::Absent
                                                      : Known::Unknown;
            if (found == Known::Unknown || (known != Known::Unknown && found != known))
                m_faults << id +
                                (known == Known::Present ? QStringLiteral(" was lost: ")
                                                         : QStringLiteral(" came back: ")) +
                                QString::fromUtf8(answer.shown());
            known = found;
        }
        return std::exchange(m_faults, {});
    }
    [[nodiscard]] std::size_t present() const {
        return static_cast<std::size_t>(std::count_if(m_faces.begin(), m_faces.end(),
                                                      [](const auto& face) { return face.second == Known::Present; }));
    }

private:
    QString anyFace() { return std::next(m_faces.begin(), static_cast<long>(m_random() % m_faces.size()))->first; }

    std::mt19937 m_random;
    const int m_number;
    int m_next = 0;
    std::map<QString, Known> m_faces;
    QStringList m_faults;
};

} // namespace

class DurabilityTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fiftyKillsUnderLoadLoseNothingThatWasAcknowledged_data() {
        QTest::addColumn<bool>("postgres");
        QTest::newRow("sqlite") << false;
        QTest::newRow("postgres") << true;
    }
    void fiftyKillsUnderLoadLoseNothingThatWasAcknowledged() {
        QFETCH(bool, postgres);
        FREMIS_NEEDS_FETCHED_DATA(test::modelPack("fp-mfn512") && test::photo("jesper.jpg"));
        const QTemporaryDir dir;
        test::AppOptions options;
        options.dataDir = dir.filePath(QStringLiteral("data")).toStdString();
        std::unique_ptr<test::PostgresServer> database;
        if (postgres) {
            FREMIS_NEEDS_FETCHED_DATA(test::PostgresServer::isInstalled());
            auto started = test::PostgresServer::start();
            QVERIFY2(started.has_value(), started ? "" : started.error().message.c_str());
            database = std::move(*started);
            const auto name = database->createDatabase();
            QVERIFY2(name.has_value(), name ? "" : name.error().message.c_str());
            options.arguments = {"--storage",     "postgres",  "--db-address",
                                 "127.0.0.1",     "--db-port", std::to_string(database->port()),
                                 "--db-name",     *name,       "--db-username",
                                 database->user()};
            options.environment["FREMISN_DB_PASSWORD"] = database->password();
        }
        const auto photo = test::photoBase64("jesper.jpg");
        std::mt19937 random(20260105);
        std::vector<std::unique_ptr<Writer>> writers;
        for (int number = 0; number < kWriters; ++number)
            writers.push_back(std::make_unique<Writer>(number));

        for (int kill = 0; kill < kKills; ++kill) {
            auto app = test::AppProcess::startReady(options);
            QVERIFY2(app.has_value(), app ? "" : app.error().detail.c_str());
            for (auto& writer : writers) {
                const auto faults = writer->check((*app)->port());
                QVERIFY2(faults.isEmpty(),
                         qPrintable(QStringLiteral("after kill %1: ").arg(kill) + faults.join(QLatin1Char('\n'))));
            }
            std::atomic<int> acks = 0;
            std::atomic<bool> killed = false;
            std::vector<std::thread> threads;
            for (auto& writer : writers)
                threads.emplace_back([&] { writer->run((*app)->port(), photo, acks, killed); });
            const int enough = static_cast<int>(random() % 24);
            const bool reached = QTest::qWaitFor([&] { return acks >= enough; }, 30'000);
            killed = true;
            (*app)->kill();
            for (auto& thread : threads)
                thread.join();
            QVERIFY(reached);
        }

        auto app = test::AppProcess::startReady(options);
        QVERIFY2(app.has_value(), app ? "" : app.error().detail.c_str());
        std::size_t present = 0;
        for (auto& writer : writers) {
            QVERIFY2(writer->check((*app)->port()).isEmpty(), "after the last kill");
            present += writer->present();
        }
        QVERIFY(present > 0);
        // The index says what the store says.
        const auto loaded = test::FaceClient((*app)->port()).get(QStringLiteral("/v1/loaded-vectors"));
        QCOMPARE(std::size_t(loaded.body[QStringLiteral("faces")].toInteger()), present);
        (*app)->terminate();
        QVERIFY((*app)->waitExit() == 0);
    }
};

QTEST_GUILESS_MAIN(DurabilityTest)
#include "durability_test.moc"

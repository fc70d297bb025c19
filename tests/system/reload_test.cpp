// A coordinator that reads its config again and again while clients search and enrol.
#include "tests/support/app_process.h"
#include "tests/support/face_client.h"
#include "tests/support/photos.h"
#include "tests/support/test_cluster.h"

#include <QtTest>

#include <atomic>
#include <csignal>
#include <mutex>
#include <set>
#include <thread>

using namespace fremis::test;

namespace {

const QString kDefault = QStringLiteral("default");
constexpr int kFaces = 12;

/// Clients that work until they are told to stop, and what they found wrong.
class Clients {
public:
    Clients(int port, QString photo, QJsonArray embedding)
        : m_port(port), m_photo(std::move(photo)), m_embedding(std::move(embedding)) {
        for (int i = 0; i < 3; ++i)
            m_threads.emplace_back([this] { search(); });
        m_threads.emplace_back([this] { enrolAndDelete(); });
    }
    ~Clients() { stop(); }

    void stop() {
        m_stop = true;
        for (auto& thread : m_threads)
            if (thread.joinable())
                thread.join();
    }
    [[nodiscard]] QStringList faults() {
        const std::scoped_lock lock(m_mutex);
        return m_faults;
    }
    [[nodiscard]] std::set<QString> epochs() {
        const std::scoped_lock lock(m_mutex);
        return m_epochs;
    }
    [[nodiscard]] int searches() const { return m_searches; }
    [[nodiscard]] int writes() const { return m_writes; }

private:
    void search() {
        FaceClient client(m_port);
        while (!m_stop) {
            const auto found = client.post(
                "/v1/face/recognition",
                {{QStringLiteral("embedding"), m_embedding},
                 {QStringLiteral("keyspace"), kDefault},
                 {QStringLiteral("additional_params"), QJsonObject{{QStringLiteral("candidateCount"), 100}}}});
            ++m_searches;
            const auto coverage = found.body[QStringLiteral("coverage")].toObject();
            int known = 0;
            for (const auto& candidate : found.candidates())
                known +=
                    candidate.toObject()[QStringLiteral("face_id")].toString().startsWith(QStringLiteral("known-"));
            if (found.status != 200 || known != kFaces || !coverage[QStringLiteral("complete")].toBool() ||
                !coverage[QStringLiteral("failed_nodes")].toArray().isEmpty())
                complain(QStringLiteral("search: ") + QString::fromUtf8(found.shown()));
            const std::scoped_lock lock(m_mutex);
            m_epochs.insert(coverage[QStringLiteral("config_epoch")].toString());
        }
        complainOfAll(client);
    }

    void enrolAndDelete() {
        FaceClient client(m_port);
        for (int i = 0; !m_stop; ++i) {
            const auto face = QStringLiteral("other-%1").arg(i);
            const auto enrolled = client.enrol(m_photo, kDefault, face);
            const auto removed = client.removeFaces({face}, kDefault);
            m_writes += 2;
            for (const auto* answer : {&enrolled, &removed})
                if (answer->status != 200)
                    complain(QStringLiteral("write: ") + QString::fromUtf8(answer->shown()));
            if (removed.array("deleted_face_ids") != QJsonArray{face})
                complain(QStringLiteral("not deleted: ") + QString::fromUtf8(removed.shown()));
        }
        complainOfAll(client);
    }

    void complainOfAll(const FaceClient& client) {
        for (const auto& violation : client.violations())
            complain(violation);
    }
    void complain(const QString& what) {
        const std::scoped_lock lock(m_mutex);
        m_faults << what;
    }

    const int m_port;
    const QString m_photo;
    const QJsonArray m_embedding;
    std::atomic<bool> m_stop{false};
    std::atomic<int> m_searches{0};
    std::atomic<int> m_writes{0};
    std::mutex m_mutex; ///< guards the two below
    QStringList m_faults;
    std::set<QString> m_epochs;
    std::vector<std::thread> m_threads;
};

} // namespace

class ReloadTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        FREMIS_NEEDS_FETCHED_DATA(photo("jesper.jpg") && modelPack("fp-mfn512"));
        m_jesper = photoBase64("jesper.jpg");
    }

    void init() {
        auto started = TestCluster::start({.workers = 3, .replicas = 2});
        QVERIFY2(started, started ? "" : started.error().detail.c_str());
        m_cluster = std::move(*started);
        m_client = std::make_unique<FaceClient>(m_cluster->port());
        QVERIFY(QTest::qWaitFor([this] { return status("nodes_active").toInt() == 3; }, 30'000));
        for (int i = 0; i < kFaces; ++i)
            QCOMPARE(m_client->enrol(m_jesper, kDefault, QStringLiteral("known-%1").arg(i)).status, 200);
    }

    void cleanup() {
        const auto ends = m_cluster ? m_cluster->unexpectedEnds() : QStringList();
        QVERIFY2(ends.isEmpty(), qPrintable(ends.join(QLatin1Char('\n'))));
        m_client.reset();
        m_cluster.reset();
    }

    void noRequestNoticesAReload_data() {
        QTest::addColumn<int>("replicas"); ///< of the other map
        QTest::newRow("names come and go") << 2;
        QTest::newRow("replicas come and go") << 1;
    }
    void noRequestNoticesAReload() {
        QFETCH(const int, replicas);
        const std::string texts[] = {m_cluster->configText(2), m_cluster->configText(replicas, true)};
        QString epochs[2] = {status("config_epoch").toString(), {}};
        Clients clients(m_cluster->port(), m_jesper, embedding());
        constexpr int kReloads = 1'000;
        for (int i = 1; i <= kReloads; ++i) {
            auto& epoch = epochs[i % 2];
            m_cluster->replaceConfig(texts[i % 2]);
            // One way in ten is the signal, which says nothing of its success.
            if (i % 10 == 0) {
                m_cluster->coordinator().signal(SIGHUP);
                QVERIFY(QTest::qWaitFor([&] { return status("config_epoch").toString() == epoch; }, 10'000));
                continue;
            }
            const auto reloaded = m_client->postText("/v1/cluster/reload", "");
            QVERIFY2(reloaded.status == 200, reloaded.shown().constData());
            if (epoch.isEmpty())
                epoch = reloaded.text("config_epoch");
            QCOMPARE(reloaded.text("config_epoch"), epoch);
        }
        clients.stop();
        QVERIFY2(clients.faults().isEmpty(), qPrintable(clients.faults().mid(0, 3).join(QLatin1Char('\n'))));
        QVERIFY(epochs[0] != epochs[1]);
        QVERIFY(clients.epochs() == (std::set<QString>{epochs[0], epochs[1]}));
        QVERIFY(clients.searches() > 100);
        QVERIFY(clients.writes() > 4);
    }

    void aFileThatCannotBeUsedChangesNothing() {
        const auto epoch = status("config_epoch");
        Clients clients(m_cluster->port(), m_jesper, embedding());
        const auto whole = m_cluster->configText(2);
        for (const auto& text : {std::string(), whole.substr(0, whole.size() / 2), whole + whole, std::string("{")}) {
            m_cluster->replaceConfig(text);
            const auto refused = m_client->postText("/v1/cluster/reload", "");
            QCOMPARE(refused.status, 400);
            QCOMPARE(refused.error(), QStringLiteral("invalid_config"));
            QCOMPARE(status("config_epoch"), epoch);
        }
        clients.stop();
        QVERIFY2(clients.faults().isEmpty(), qPrintable(clients.faults().mid(0, 3).join(QLatin1Char('\n'))));
    }

private:
    [[nodiscard]] QJsonValue status(const char* member) {
        return m_client->get(QStringLiteral("/v1/cluster/status")).body.value(QString::fromUtf8(member));
    }
    [[nodiscard]] QJsonArray embedding() {
        return m_client->post("/v1/face/extract-embedding", {{QStringLiteral("image"), m_jesper}})
            .array("embeddings")
            .at(0)
            .toArray();
    }

    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<FaceClient> m_client;
    QString m_jesper;
};

QTEST_GUILESS_MAIN(ReloadTest)
#include "reload_test.moc"

// Many clients at once against the real server: no acknowledged write is lost, no deleted face comes back, and the only
// refusal is "overloaded". Under a sanitizer this is the program's whole-process test: a report ends it with another
// exit code.
#include "tests/contract/sequences.h"

#include <QSet>

#include <random>
#include <thread>

using namespace fremis::test;

namespace {

constexpr int kClients = 64;
constexpr int kStepsEach = 9;
constexpr std::chrono::milliseconds kBackOff{500};
const QString kKeyspace = QStringLiteral("default");

/// What one client did and saw.
struct Outcome {
    QSet<QString> enrolled; ///< acknowledged and not deleted
    int overloaded = 0;
    QStringList problems;
};

class Client {
public:
    Client(int number, int port, const std::vector<QString>& photos, const QJsonArray& embedding)
        : m_number(number), m_http(port), m_photos(photos), m_embedding(embedding) {
        m_http.http().setDeadline(std::chrono::minutes(2));
    }

    Outcome work() {
        for (int step = 0; step < kStepsEach; ++step) {
            switch (step % 3) {
            case 0:
                enrol(step);
                break;
            case 1:
                recognise();
                break;
            default:
                step % 2 == 0 ? removeOne() : enrol(step);
                break;
            }
        }
        m_outcome.problems << m_http.violations();
        return m_outcome;
    }

private:
    const QString& anyPhoto() { return m_photos[m_random() % m_photos.size()]; }

    /// Asks again while the server is overloaded, after a pause, as it asks for by Retry-After.
    template<class Call> Answer insist(Call call) {
        for (;;) {
            auto answer = call();
            if (answer.status != 503 || answer.error() != QStringLiteral("overloaded")) {
                if (answer.status != 200)
                    m_outcome.problems << QString::fromUtf8(answer.shown());
                return answer;
            }
            ++m_outcome.overloaded;
            std::this_thread::sleep_for(kBackOff);
        }
    }

    void enrol(int step) {
        const auto id = QStringLiteral("client-%1-%2").arg(m_number).arg(step);
        if (insist([&] { return m_http.enrol(anyPhoto(), kKeyspace, id); }).status == 200)
            m_outcome.enrolled.insert(id);
    }

    void recognise() {
        const auto answer = insist([&] {
            return m_http.post("/v1/face/recognition", {{QStringLiteral("embedding"), m_embedding},
                                                        {QStringLiteral("keyspace"), kKeyspace},
                                                        {QStringLiteral("additional_params"),
                                                         QJsonObject{{QStringLiteral("candidateCount"), 1000}}}});
        });
        const auto found = idsOf(answer.candidates());
        for (const auto& id : m_outcome.enrolled)
            if (!found.contains(id))
                m_outcome.problems << QStringLiteral("acknowledged but not found: ") + id;
        for (const auto& id : m_deleted)
            if (found.contains(id))
                m_outcome.problems << QStringLiteral("deleted but found: ") + id;
    }

    void removeOne() {
        if (m_outcome.enrolled.isEmpty())
            return;
        const auto id = *m_outcome.enrolled.begin();
        if (insist([&] { return m_http.removeFaces({id}, kKeyspace); }).status == 200) {
            m_outcome.enrolled.remove(id);
            m_deleted.insert(id);
        }
        recognise();
    }

    const int m_number;
    FaceClient m_http;
    const std::vector<QString>& m_photos;
    const QJsonArray& m_embedding;
    std::mt19937 m_random{static_cast<std::mt19937::result_type>(m_number)};
    QSet<QString> m_deleted;
    Outcome m_outcome;
};

QSet<QString> allFaces(FaceClient& client) {
    QSet<QString> ids;
    QString cursor;
    do {
        const auto page =
            client.get(QStringLiteral("/v1/face/enrollments?keyspace=%1&limit=50&cursor=%2").arg(kKeyspace, cursor));
        for (const auto& id : idsOf(page.array("enrollments")))
            ids.insert(id);
        cursor = page.text("next_cursor");
    } while (!cursor.isEmpty());
    return ids;
}

} // namespace

class ConcurrentClientsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mixedWorkLosesNothing();
};

void ConcurrentClientsTest::mixedWorkLosesNothing() {
    FREMIS_NEEDS_FETCHED_DATA(photo("jesper.jpg") && modelPack("fp-mfn512"));
    const QTemporaryDir data;
    AppOptions options;
    options.dataDir = data.path().toStdString();
    auto server = AppProcess::startReady(options, std::chrono::minutes(2));
    QVERIFY2(server, server ? "" : server.error().detail.c_str());

    const std::vector<QString> photos{photoBase64("jesper.jpg"), photoBase64("jesper_2.jpg"),
                                      photoBase64("anne_helene.jpg")};
    FaceClient first((*server)->port());
    const auto extracted = first.post("/v1/face/extract-embedding", {{QStringLiteral("image"), photos.front()}});
    QVERIFY2(extracted.status == 200, extracted.shown());
    const auto embedding = extracted.array("embeddings")[0].toArray();
    std::vector<Outcome> outcomes(kClients);
    std::vector<std::thread> threads;
    for (int i = 0; i < kClients; ++i)
        threads.emplace_back(
            [&, i] { outcomes[static_cast<std::size_t>(i)] = Client(i, (*server)->port(), photos, embedding).work(); });
    for (auto& thread : threads)
        thread.join();

    QSet<QString> acknowledged;
    QStringList problems;
    int overloaded = 0;
    for (const auto& outcome : outcomes) {
        acknowledged += outcome.enrolled;
        problems << outcome.problems;
        overloaded += outcome.overloaded;
    }
    qInfo("%d faces, %d times overloaded", static_cast<int>(acknowledged.size()), overloaded);
    QCOMPARE(problems, QStringList());
    QVERIFY(acknowledged.size() > kClients);
    FaceClient client((*server)->port());
    QCOMPARE(allFaces(client), acknowledged);

    (*server)->terminate();
    QVERIFY2((*server)->waitExit(std::chrono::minutes(1)).value_or(-1) == 0, (*server)->errorText().c_str());
    QVERIFY2((*server)->errorText().find("Sanitizer") == std::string::npos, (*server)->errorText().c_str());
    server = AppProcess::startReady(options, std::chrono::minutes(2));
    QVERIFY2(server, server ? "" : server.error().detail.c_str());
    FaceClient afterwards((*server)->port());
    QCOMPARE(allFaces(afterwards), acknowledged);
}

QTEST_GUILESS_MAIN(ConcurrentClientsTest)
#include "concurrent_clients_test.moc"

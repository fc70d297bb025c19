#include "shared/wire/base64.h"
#include "tests/contract/bad_input_rows.h"
#include "tests/support/app_process.h"
#include "tests/support/face_client.h"
#include "tests/support/photos.h"
#include "tests/support/raw_client.h"

#include <QtTest>

#include <fstream>

using namespace fremis;
using namespace std::chrono_literals;

namespace {

constexpr auto kAnswerTime = 2s; ///< what the contract allows for any bad input

std::string base64OfFile(const std::filesystem::path& file) {
    const auto bytes = test::readBytes(file);
    return wire::encodeBase64(bytes);
}

std::uint64_t residentBytes(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/status");
    std::string line;
    while (std::getline(file, line))
        if (line.starts_with("VmRSS:"))
            return std::stoull(line.substr(6)) * 1024;
    return 0;
}

} // namespace

/// Wrong and strange requests against the real program over raw sockets: the right status and token in time, the next
/// good request is served, nothing is stored, and the memory comes back.
class BadInputTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        FREMIS_NEEDS_FETCHED_DATA(test::modelPack("fp-mfn512") && test::photo("jesper.jpg") &&
                                  test::photo("donna.jpg"));
        auto started = test::AppProcess::startReady();
        QVERIFY2(started.has_value(), started ? "" : started.error().detail.c_str());
        m_app = std::move(*started);
        m_jesper = base64OfFile(*test::photo("jesper.jpg"));
        test::FaceClient client(m_app->port());
        QCOMPARE(
            client.enrol(QString::fromStdString(m_jesper), QStringLiteral("default"), QStringLiteral("jesper")).status,
            200);
        m_baseline = residentBytes(m_app->pid());
    }

    void isAnsweredRightly_data();
    void isAnsweredRightly() {
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, body);
        QFETCH(int, status);
        QFETCH(QString, token);
        test::RawClient raw(static_cast<std::uint16_t>(m_app->port()));
        const auto response = raw.ask(test::requestText("POST", path.toStdString(), body.toStdString()), kAnswerTime);
        QVERIFY2(response.has_value(), "no answer in time");
        QVERIFY2(response->status == status, response->body.substr(0, 500).c_str());
        if (status >= 400) {
            QCOMPARE(QString::fromStdString(response->member("error")), token);
            QCOMPARE(response->member("code"), std::to_string(status));
            for (const char* member : {"message", "description", "request_id"})
                QVERIFY2(!response->member(member).empty(), member);
        } else {
            QVERIFY(response->body.find("\"description\"") == std::string::npos);
        }
        theNextGoodRequestIsServed();
    }

    void theDescriptionsOfTheOriginalStay() {
        test::FaceClient client(m_app->port());
        QCOMPARE(client.postText("/v1/face/enrollment", "{\"keyspace\":\"default\"}").text("description"),
                 QStringLiteral("the image field not found"));
        QCOMPARE(client.postText("/v1/face/enrollment", "{\"keyspace\":\"default\",\"image\":\"aGVsbG8gd29ybGQ=\"}")
                     .text("description"),
                 QStringLiteral("Image is invalid"));
    }

    void nothingWasStoredAndTheMemoryCameBack() {
        test::FaceClient client(m_app->port());
        const auto listed = client.get(QStringLiteral("/v1/face/enrollments?keyspace=default&limit=1000"));
        QStringList ids;
        for (const auto& face : listed.array("enrollments"))
            ids << face.toObject()[QStringLiteral("face_id")].toString();
        ids.removeAll(QStringLiteral("jesper"));
        QVERIFY2(ids.isEmpty(), qPrintable(ids.join(QLatin1Char(' '))));
        constexpr std::uint64_t kSlack = 64u << 20;
        QTRY_VERIFY_WITH_TIMEOUT(residentBytes(m_app->pid()) <= m_baseline + kSlack, 60'000);
        m_app->terminate();
        QVERIFY(m_app->waitExit() == 0);
    }

private:
    void theNextGoodRequestIsServed() {
        test::FaceClient client(m_app->port());
        const auto good = client.get(QStringLiteral("/v1/face/enrollment?keyspace=default&face_id=jesper"));
        QVERIFY2(good.status == 200, good.shown());
        QVERIFY2(client.violations().isEmpty(), qPrintable(client.violations().join(QLatin1Char('\n'))));
    }

    std::unique_ptr<test::AppProcess> m_app;
    std::string m_jesper;
    std::uint64_t m_baseline = 0;
};

void BadInputTest::isAnsweredRightly_data() {
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("token");
    for (const auto& input : test::badInputs())
        QTest::newRow(input.name.c_str())
            << QByteArray::fromStdString(input.path) << QByteArray::fromStdString(input.body) << input.status
            << QString::fromStdString(input.token);
}

QTEST_GUILESS_MAIN(BadInputTest)
#include "bad_input_test.moc"

// What operators and their start scripts rely on: flags, exit codes, secrets, signals, model packs.
#include "tests/contract/command_runs.h"
#include "tests/contract/sequences.h"

#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <thread>

using namespace fremis::test;
namespace fs = std::filesystem;

namespace {

/// A copy of the default pack that a test may damage.
fs::path copiedPack(const QTemporaryDir& folder) {
    const fs::path copy = fs::path(folder.path().toStdString()) / "pack";
    fs::copy(*modelPack("fp-mfn512"), copy, fs::copy_options::recursive);
    fs::permissions(copy, fs::perms::owner_all);
    return copy;
}

} // namespace

class CommandLineTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void helpAndVersionEndWithZero_data();
    void helpAndVersionEndWithZero();
    void usageErrorsAreOneLineAndExitCode2_data();
    void usageErrorsAreOneLineAndExitCode2();
    void flagsOfExistingSitesStartAServerWithoutItsDatabase();
    void secretsLeaveTheArgumentListAndTheLog();
    void aMissingPackEndsTheStart();
    void aDamagedPackEndsTheStart();
    void aStoreOfAnotherModelIsRefused();
    void everyLogLineIsAnObject();
    void aTakenPortEndsTheStart();
    void terminationAnswersTheRequestsInHand_data();
    void terminationAnswersTheRequestsInHand();
};

void CommandLineTest::helpAndVersionEndWithZero_data() {
    QTest::addColumn<QString>("flag");
    QTest::addColumn<QString>("shown");
    QTest::newRow("help") << QStringLiteral("--help") << QStringLiteral("--listen-port");
    QTest::newRow("version") << QStringLiteral("--version") << QStringLiteral(FREMIS_VERSION);
    QTest::newRow("routes") << QStringLiteral("--print-routes") << QStringLiteral("POST /v1/face/enrollment\n");
}

void CommandLineTest::helpAndVersionEndWithZero() {
    QFETCH(const QString, flag);
    QFETCH(const QString, shown);
    const auto ended = runBare("httpserver", {flag.toStdString()});
    QCOMPARE(ended.code.value_or(-1), 0);
    QVERIFY2(QString::fromStdString(ended.output).contains(shown), ended.output.c_str());
    QCOMPARE(ended.errors, std::string());
}

void CommandLineTest::usageErrorsAreOneLineAndExitCode2_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("unknown flag") << QStringList{QStringLiteral("--no-such-flag"), QStringLiteral("1")};
    QTest::newRow("flag twice") << QStringList{QStringLiteral("--listen-port=1"), QStringLiteral("--listen-port=2")};
    QTest::newRow("missing value") << QStringList{QStringLiteral("--listen-port")};
    QTest::newRow("port out of range") << QStringList{QStringLiteral("--listen-port"), QStringLiteral("70000")};
    QTest::newRow("port in hexadecimal") << QStringList{QStringLiteral("--listen-port"), QStringLiteral("0x10")};
    QTest::newRow("unknown storage") << QStringList{QStringLiteral("--storage"), QStringLiteral("oracle")};
    QTest::newRow("half a key pair") << QStringList{QStringLiteral("--access-key"), QStringLiteral("AK")};
    QTest::newRow("half a partition range") << QStringList{QStringLiteral("--partition-start"), QStringLiteral("4")};
    QTest::newRow("reversed partition range")
        << QStringList{QStringLiteral("--partition-start=9"), QStringLiteral("--partition-end=4")};
    QTest::newRow("no workers") << QStringList{QStringLiteral("--max-workers"), QStringLiteral("0")};
    QTest::newRow("stray word") << QStringList{QStringLiteral("start")};
}

void CommandLineTest::usageErrorsAreOneLineAndExitCode2() {
    QFETCH(const QStringList, arguments);
    const auto ended = runBare("httpserver", standardTexts(arguments));
    QCOMPARE(ended.code.value_or(-1), kUsageError);
    QVERIFY2(linesIn(ended.errors) == 1, ended.errors.c_str());
    QCOMPARE(ended.output, std::string());
}

void CommandLineTest::flagsOfExistingSitesStartAServerWithoutItsDatabase() {
    FREMIS_NEEDS_FETCHED_DATA(modelPack("fp-mfn512"));
    AppOptions options;
    // Nothing listens on port 1; the rest is as sites pass it.
    options.arguments = {"--access-key",
                         "AK",
                         "--secret-key",
                         "SK",
                         "--dk",
                         "DK",
                         "--db-address",
                         "127.0.0.1",
                         "--db-port",
                         "1",
                         "--db-name",
                         "fremisn",
                         "--db-username",
                         "postgres",
                         "--db-password",
                         "PW",
                         "--listen-port",
                         "0",
                         "--listen-port-monitoring",
                         "0",
                         "--storage",
                         "postgres",
                         "--verbose",
                         "--max-workers",
                         "1"};
    options.environment = {{"FREMISN_BATCH_SEARCH_MAX_SIZE", "1"}};
    auto server = AppProcess::start(options);
    QVERIFY(server);
    QVERIFY2((*server)->waitListening(), (*server)->errorText().c_str());
    FaceClient client((*server)->port());
    QCOMPARE(client.get(QStringLiteral("/livez")).status, 200);
    const auto health = client.get(QStringLiteral("/v1/healthcheck"));
    QVERIFY2(health.status == 503 && health.error() == QStringLiteral("not_ready"), health.shown());
    QCOMPARE(client.violations(), QStringList());
    (*server)->terminate();
    QCOMPARE((*server)->waitExit().value_or(-1), 0);
}

void CommandLineTest::secretsLeaveTheArgumentListAndTheLog() {
    FREMIS_NEEDS_FETCHED_DATA(modelPack("fp-mfn512"));
    AppOptions options;
    options.arguments = {"--access-key", "TOPSECRET1", "--secret-key=TOPSECRET2", "--dk", "TOPSECRET3", "--db-password",
                         "TOPSECRET4",   "--verbose"};
    auto server = AppProcess::startReady(options);
    QVERIFY2(server, server ? "" : server.error().detail.c_str());
    QFile commandLine(QStringLiteral("/proc/%1/cmdline").arg((*server)->pid()));
    QVERIFY(commandLine.open(QIODevice::ReadOnly));
    const auto shown = commandLine.readAll();
    QVERIFY(shown.contains("--secret-key"));
    QVERIFY2(!shown.contains("TOPSECRET"), shown.constData());
    (*server)->terminate();
    QCOMPARE((*server)->waitExit().value_or(-1), 0);
    const auto log = (*server)->errorText();
    QVERIFY2(log.find("TOPSECRET") == std::string::npos, log.c_str());
    QVERIFY2(log.find("\"level\":\"warning\"") != std::string::npos, log.c_str());
}

void CommandLineTest::aMissingPackEndsTheStart() {
    AppOptions options;
    options.arguments = {"--model-pack", "/nonexistent/pack"};
    const auto ended = run(options);
    QCOMPARE(ended.code.value_or(-1), kBadConfiguration);
    QVERIFY2(ended.errors.find("/nonexistent/pack") != std::string::npos, ended.errors.c_str());
}

void CommandLineTest::aDamagedPackEndsTheStart() {
    FREMIS_NEEDS_FETCHED_DATA(modelPack("fp-mfn512"));
    const QTemporaryDir folder;
    const auto pack = copiedPack(folder);
    QFile model(QString::fromStdString((pack / "fr_feature.onnx").string()));
    QVERIFY(model.open(QIODevice::ReadWrite));
    QVERIFY(model.seek(model.size() / 2));
    char byte = 0;
    QVERIFY(model.peek(&byte, 1) == 1);
    byte = static_cast<char>(byte ^ 1);
    QVERIFY(model.write(&byte, 1) == 1);
    model.close();
    AppOptions options;
    options.arguments = {"--model-pack", pack.string()};
    const auto ended = run(options);
    QCOMPARE(ended.code.value_or(-1), kBadConfiguration);
    QVERIFY2(ended.errors.find("fr_feature.onnx") != std::string::npos, ended.errors.c_str());
}

void CommandLineTest::aStoreOfAnotherModelIsRefused() {
    FREMIS_NEEDS_FETCHED_DATA(modelPack("fp-mfn512") && modelPack("dlib128") && photo("jesper.jpg"));
    const QTemporaryDir data;
    AppOptions options;
    options.dataDir = data.path().toStdString();
    {
        auto server = AppProcess::startReady(options);
        QVERIFY2(server, server ? "" : server.error().detail.c_str());
        FaceClient client((*server)->port());
        VERIFY_OK(client.enrol(photoBase64("jesper.jpg"), QStringLiteral("default")));
        (*server)->terminate();
        QCOMPARE((*server)->waitExit().value_or(-1), 0);
    }
    options.arguments = {"--model-pack", modelPack("dlib128")->string()};
    const auto ended = run(options);
    QCOMPARE(ended.code.value_or(-1), kBadConfiguration);
    QVERIFY2(ended.errors.find("fp-mfn512-bgr-1") != std::string::npos, ended.errors.c_str());
}

void CommandLineTest::everyLogLineIsAnObject() {
    FREMIS_NEEDS_FETCHED_DATA(modelPack("fp-mfn512") && photo("jesper.jpg"));
    AppOptions options;
    options.arguments = {"--verbose"};
    auto server = AppProcess::startReady(options);
    QVERIFY2(server, server ? "" : server.error().detail.c_str());
    FaceClient client((*server)->port());
    VERIFY_OK(client.enrol(photoBase64("jesper.jpg"), QStringLiteral("default")));
    VERIFY_ERROR(client.post("/v1/face/recognition", {}), 400, "image_missing");
    (*server)->terminate();
    QCOMPARE((*server)->waitExit().value_or(-1), 0);
    const auto lines = QByteArray::fromStdString((*server)->errorText()).split('\n');
    QVERIFY(lines.size() > 3);
    for (const auto& line : lines) {
        if (line.isEmpty())
            continue;
        const auto entry = QJsonDocument::fromJson(line).object();
        for (const char* member : {"time", "level", "event"})
            QVERIFY2(entry.value(QString::fromUtf8(member)).isString(), line.constData());
    }
    QVERIFY((*server)->errorText().find(photoBase64("jesper.jpg").left(100).toStdString()) == std::string::npos);
}

void CommandLineTest::aTakenPortEndsTheStart() {
    FREMIS_NEEDS_FETCHED_DATA(modelPack("fp-mfn512"));
    auto server = AppProcess::startReady();
    QVERIFY2(server, server ? "" : server.error().detail.c_str());
    AppOptions options;
    options.arguments = {"--listen-port", std::to_string((*server)->port())};
    const auto ended = run(options);
    QVERIFY(ended.code.has_value());
    QVERIFY2(*ended.code != 0, ended.errors.c_str());
    FaceClient client((*server)->port());
    QCOMPARE(client.get(QStringLiteral("/readyz")).status, 200);
}

void CommandLineTest::terminationAnswersTheRequestsInHand_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGINT") << SIGINT;
}

void CommandLineTest::terminationAnswersTheRequestsInHand() {
    FREMIS_NEEDS_FETCHED_DATA(modelPack("fp-mfn512") && photo("jesper.jpg"));
    QFETCH(const int, signal);
    constexpr int kClients = 24;
    constexpr int kInHand = 8;
    AppOptions options;
    options.arguments = {"--max-workers", "1"};
    auto server = AppProcess::startReady(options);
    QVERIFY2(server, server ? "" : server.error().detail.c_str());
    const auto image = photoBase64("jesper.jpg");
    std::vector<std::thread> clients;
    std::vector<Answer> answers(kClients);
    for (auto& answer : answers)
        clients.emplace_back([&answer, &image, port = (*server)->port()] {
            answer = FaceClient(port).enrol(image, QStringLiteral("default"));
        });
    HttpClient scraper("127.0.0.1", (*server)->monitoringPort());
    const auto waiting = [&scraper] {
        const auto scrape = scraper.get("/metrics");
        const auto at = scrape ? scrape->body.find("\nqueue_face ") : std::string::npos;
        return at == std::string::npos ? 0 : std::atoi(scrape->body.c_str() + at + 12);
    };
    const bool seen = QTest::qWaitFor([&] { return waiting() >= kInHand; }, 20'000);
    (*server)->signal(signal);
    for (auto& client : clients)
        client.join();
    QVERIFY(seen);
    QCOMPARE((*server)->waitExit().value_or(-1), 0);
    // What waited was answered, with its result or with word that nothing was stored. A request that came after the
    // signal may find nobody.
    const auto answered = std::count_if(answers.begin(), answers.end(), [](const Answer& a) { return a.status != 0; });
    QVERIFY2(answered > kInHand, QByteArray::number(static_cast<qlonglong>(answered)).constData());
    for (const auto& answer : answers)
        QVERIFY2(answer.status == 0 || answer.status == 200 || answer.status == 503, answer.shown());
}

QTEST_GUILESS_MAIN(CommandLineTest)
#include "command_line_test.moc"

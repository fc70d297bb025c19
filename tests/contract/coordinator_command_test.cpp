// What operators and their start scripts rely on when they run a coordinator: flags, config.yml, secrets, signals.
#include "tests/contract/command_runs.h"
#include "tests/contract/sequences.h"

#include <QFile>

#include <csignal>
#include <filesystem>
#include <fstream>

using namespace fremis::test;

namespace {

/// Nothing listens on these ports; a coordinator starts all the same.
QByteArray node(const char* address, const char* start, const char* end) {
    return QByteArray("  - address: ") + address + "\n    partition_start: " + start + "\n    partition_end: " + end +
           '\n';
}

QByteArray config(const QByteArray& nodes) {
    return "version: \"v1\"\nnodes:\n" + nodes;
}

QByteArray wholeConfig() {
    return config(node("127.0.0.1:1", "0", "127") + node("127.0.0.1:2", "128", "255"));
}

} // namespace

class CoordinatorCommandTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void helpAndVersionEndWithZero_data();
    void helpAndVersionEndWithZero();
    void usageErrorsAreOneLineAndExitCode2_data();
    void usageErrorsAreOneLineAndExitCode2();
    void aBadConfigIsRefusedInOneLine_data();
    void aBadConfigIsRefusedInOneLine();
    void aGoodConfigIsChecked();
    void secretsLeaveTheArgumentListAndTheLog();
    void filesWithSecretsThatOthersCanReadAreTold();
    void aSignalReadsTheConfigAgain();
    void actionsOnAQueueAreAnswered_data();
    void actionsOnAQueueAreAnswered();
    void actionsOnAQueueAreOfTheInternalPlane();
    void anUnknownCoordinatorIsNotForgotten_data();
    void anUnknownCoordinatorIsNotForgotten();
    void metricsTellOfEachWorkerOfTheMap();

private:
    [[nodiscard]] std::string written(const QByteArray& yaml) const;
    [[nodiscard]] std::unique_ptr<AppProcess> started(const QByteArray& yaml,
                                                      std::vector<std::string> arguments = {}) const;

    QTemporaryDir m_folder;
};

/// The path of a config.yml with this content.
std::string CoordinatorCommandTest::written(const QByteArray& yaml) const {
    const auto path = m_folder.filePath(QStringLiteral("config.yml")).toStdString();
    std::ofstream(path, std::ios::binary) << yaml.toStdString();
    return path;
}

std::unique_ptr<AppProcess> CoordinatorCommandTest::started(const QByteArray& yaml,
                                                            std::vector<std::string> arguments) const {
    AppOptions options;
    options.subcommand = "coordinator";
    options.modelPack = false;
    options.arguments = std::move(arguments);
    options.arguments.insert(options.arguments.end(), {"--config-path", written(yaml)});
    auto process = AppProcess::start(std::move(options));
    return process && (*process)->waitListening() ? std::move(*process) : nullptr;
}

void CoordinatorCommandTest::helpAndVersionEndWithZero_data() {
    QTest::addColumn<QString>("flag");
    QTest::addColumn<QString>("shown");
    QTest::newRow("help") << QStringLiteral("--help") << QStringLiteral("--config-path");
    QTest::newRow("version") << QStringLiteral("--version") << QStringLiteral(FREMIS_VERSION);
    QTest::newRow("routes") << QStringLiteral("--print-routes") << QStringLiteral("GET /v1/cluster/status\n");
}

void CoordinatorCommandTest::helpAndVersionEndWithZero() {
    QFETCH(const QString, flag);
    QFETCH(const QString, shown);
    const auto ended = runBare("coordinator", {flag.toStdString()});
    QCOMPARE(ended.code.value_or(-1), 0);
    QVERIFY2(QString::fromStdString(ended.output).contains(shown), ended.output.c_str());
    QCOMPARE(ended.errors, std::string());
}

void CoordinatorCommandTest::usageErrorsAreOneLineAndExitCode2_data() {
    QTest::addColumn<QStringList>("arguments");
    const auto path = QStringLiteral("--config-path=") + QString::fromStdString(written(wholeConfig()));
    QTest::newRow("no config") << QStringList{};
    QTest::newRow("config without a path") << QStringList{QStringLiteral("--config-path")};
    QTest::newRow("config twice") << QStringList{path, path};
    QTest::newRow("unknown flag") << QStringList{path, QStringLiteral("--no-such-flag")};
    QTest::newRow("a worker's flag") << QStringList{path, QStringLiteral("--partition-start=0")};
    QTest::newRow("unknown rule") << QStringList{path, QStringLiteral("--write-acks=two")};
    QTest::newRow("port out of range") << QStringList{path, QStringLiteral("--listen-port=70000")};
    QTest::newRow("half a key pair") << QStringList{path, QStringLiteral("--access-key=AK")};
}

void CoordinatorCommandTest::usageErrorsAreOneLineAndExitCode2() {
    QFETCH(const QStringList, arguments);
    const auto ended = runBare("coordinator", standardTexts(arguments));
    QCOMPARE(ended.code.value_or(-1), kUsageError);
    QVERIFY2(linesIn(ended.errors) == 1, ended.errors.c_str());
    QCOMPARE(ended.output, std::string());
}

void CoordinatorCommandTest::aBadConfigIsRefusedInOneLine_data() {
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const QByteArray& yaml, const char* said) {
        QTest::newRow(name) << yaml << QString::fromUtf8(said);
    };
    const auto first = node("127.0.0.1:1", "0", "127");
    row("empty", "", "config.yml");
    row("another version", wholeConfig().replace("v1", "v2"), "config.yml:1:");
    row("gap", config(node("127.0.0.1:1", "0", "100") + node("127.0.0.1:2", "150", "255")), "101-149");
    row("overlap with a number of replicas", "replication: 1\n" + config(first + node("127.0.0.1:2", "100", "255")),
        "100-127");
    row("one address, overlapping ranges", config(first + node("127.0.0.1:1", "100", "255")), "config.yml:7:");
    row("start behind end", config(first + node("127.0.0.1:2", "255", "128")), "config.yml:");
    row("hexadecimal", config(first + node("127.0.0.1:2", "0x80", "255")), "config.yml:7:");
    row("partition 256", config(first + node("127.0.0.1:2", "128", "256")), "config.yml:8:");
    row("no port", config(first + node("worker2.example.org", "128", "255")), "config.yml:6:");
    row("port 0", config(first + node("worker2.example.org:0", "128", "255")), "config.yml:6:");
    row("unknown key", "allow_partial_searh: true\n" + wholeConfig(), "unknown key");
}

void CoordinatorCommandTest::aBadConfigIsRefusedInOneLine() {
    QFETCH(const QByteArray, yaml);
    QFETCH(const QString, said);
    const auto path = "--config-path=" + written(yaml);
    for (const auto& arguments : {std::vector<std::string>{path}, {path, "--check-config"}}) {
        AppOptions options;
        options.subcommand = "coordinator";
        options.modelPack = false;
        options.arguments = arguments;
        const auto ended = run(std::move(options));
        QCOMPARE(ended.code.value_or(-1), kBadConfiguration);
        QVERIFY2(linesIn(ended.errors) == 1, ended.errors.c_str());
        QVERIFY2(QString::fromStdString(ended.errors).contains(said), ended.errors.c_str());
    }
}

void CoordinatorCommandTest::aGoodConfigIsChecked() {
    const auto ended = runBare("coordinator", {"--config-path", written(wholeConfig()), "--check-config"});
    QCOMPARE(ended.code.value_or(-1), 0);
    QVERIFY2(ended.output.find("2 nodes") != std::string::npos, ended.output.c_str());
    QCOMPARE(ended.errors, std::string());
}

void CoordinatorCommandTest::secretsLeaveTheArgumentListAndTheLog() {
    const auto process = started(
        wholeConfig(), {"--access-key", "TOPSECRET1", "--secret-key=TOPSECRET2", "--dk", "TOPSECRET3", "--verbose"});
    QVERIFY(process);
    QFile commandLine(QStringLiteral("/proc/%1/cmdline").arg(process->pid()));
    QVERIFY(commandLine.open(QIODevice::ReadOnly));
    const auto shown = commandLine.readAll();
    QVERIFY(shown.contains("--secret-key"));
    QVERIFY2(!shown.contains("TOPSECRET"), shown.constData());
    QCOMPARE(process->stop().value_or(-1), 0);
    QVERIFY2(process->errorText().find("TOPSECRET") == std::string::npos, process->errorText().c_str());
}

void CoordinatorCommandTest::filesWithSecretsThatOthersCanReadAreTold() {
    const auto file = m_folder.filePath(QStringLiteral("key")).toStdString();
    std::ofstream(file) << "TOPSECRET1";
    const std::vector<std::string> pair{"--access-key-file", file, "--secret-key-file", file};
    namespace fs = std::filesystem;
    for (const bool open : {true, false}) {
        fs::permissions(file, open ? fs::perms(0644) : fs::perms(0600));
        const auto coordinator = started(wholeConfig(), pair);
        QVERIFY(coordinator);
        QCOMPARE(coordinator->stop().value_or(-1), 0);
        QCOMPARE(coordinator->errorText().find("secret_file_open") != std::string::npos, open);
        QVERIFY(coordinator->errorText().find("TOPSECRET1") == std::string::npos);
    }
    fs::permissions(file, fs::perms(0644));
    auto strict = pair;
    strict.insert(strict.end(), {"--strict-perms", "--config-path", written(wholeConfig())});
    const auto refused = runBare("coordinator", strict);
    QCOMPARE(refused.code.value_or(-1), 2);
    QVERIFY2(refused.errors.find(file) != std::string::npos, refused.errors.c_str());
}

void CoordinatorCommandTest::aSignalReadsTheConfigAgain() {
    const auto process = started(wholeConfig());
    QVERIFY(process);
    FaceClient client(process->port());
    const auto epoch = [&] { return client.get(QStringLiteral("/v1/cluster/config")).text("config_epoch"); };
    const auto logged = [&](const char* text) { return process->errorText().find(text) != std::string::npos; };
    const auto before = epoch();
    QVERIFY(!before.isEmpty());
    // A file that cannot be used never replaces a good one.
    (void)written("version: \"v1\"\n");
    process->signal(SIGHUP);
    QTRY_VERIFY(logged("config_refused"));
    QCOMPARE(epoch(), before);
    (void)written(config(node("127.0.0.1:3", "0", "255")));
    process->signal(SIGHUP);
    QTRY_VERIFY(epoch() != before);
    QCOMPARE(process->stop().value_or(-1), 0);
}

void CoordinatorCommandTest::actionsOnAQueueAreAnswered_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const QByteArray& body, int status, const char* error) {
        QTest::newRow(name) << body << status << QString::fromUtf8(error);
    };
    for (const char* action : {"retry", "pause", "resume", "list"})
        row(action, QByteArray(R"({"node":"127.0.0.1:1","action":")") + action + "\"}", 200, "");
    row("unknown worker", R"({"node":"127.0.0.1:9","action":"retry"})", 404, "not_found");
    row("no worker", R"({"action":"retry"})", 400, "invalid_params");
    row("unknown action", R"({"node":"127.0.0.1:1","action":"erase"})", 400, "invalid_params");
    row("no JSON", "retry", 400, "invalid_json");
    row("empty", "", 400, "invalid_json");
}

void CoordinatorCommandTest::actionsOnAQueueAreAnswered() {
    QFETCH(const QByteArray, body);
    QFETCH(const int, status);
    QFETCH(const QString, error);
    const auto process = started(wholeConfig());
    QVERIFY(process);
    FaceClient client(process->port());
    const auto answer = client.postText("/v1/cluster/queue", body.toStdString());
    QVERIFY2(answer.status == status, answer.shown().constData());
    QCOMPARE(answer.error(), error);
    if (status == 200) {
        const auto queue = answer.body[QStringLiteral("queue")].toObject();
        QCOMPARE(queue[QStringLiteral("address")].toString(), QStringLiteral("127.0.0.1:1"));
        QCOMPARE(queue[QStringLiteral("ops")].toInt(-1), 0);
        QVERIFY(queue[QStringLiteral("parked")].isArray());
    }
    QCOMPARE(client.violations(), QStringList());
}

void CoordinatorCommandTest::actionsOnAQueueAreOfTheInternalPlane() {
    const auto process = started(wholeConfig(), {"--access-key", "AK", "--secret-key", "SK"});
    QVERIFY(process);
    HttpClient client("127.0.0.1", process->port());
    const auto options = client.send("OPTIONS", "/v1/cluster/queue");
    QVERIFY(options);
    QCOMPARE(options->status, 204);
    QVERIFY2(options->header("allow").find("POST") != std::string::npos, options->header("allow").c_str());
    const auto unsignedCall = client.post("/v1/cluster/queue", {{QStringLiteral("node"), QStringLiteral("127.0.0.1:1")},
                                                                {QStringLiteral("action"), QStringLiteral("discard")}});
    QVERIFY(unsignedCall);
    QCOMPARE(unsignedCall->status, 401);
    QCOMPARE(unsignedCall->json()[QStringLiteral("error")].toString(), QStringLiteral("unauthorized"));
}

void CoordinatorCommandTest::anUnknownCoordinatorIsNotForgotten_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const QByteArray& body, int status, const char* error) {
        QTest::newRow(name) << body << status << QString::fromUtf8(error);
    };
    const QByteArray id = "c3b2a1f7e5c3d9b06248f1a7e3b9c0d5";
    row("unknown", R"({"action":"forget","coordinator":")" + id + "\"}", 404, "not_found");
    row("short", R"({"action":"forget","coordinator":"c3b2"})", 400, "invalid_params");
    row("none", R"({"action":"forget"})", 400, "invalid_params");
    row("another action", R"({"action":"kill","coordinator":")" + id + "\"}", 400, "invalid_params");
}

void CoordinatorCommandTest::anUnknownCoordinatorIsNotForgotten() {
    QFETCH(const QByteArray, body);
    QFETCH(const int, status);
    QFETCH(const QString, error);
    const auto process = started(wholeConfig());
    QVERIFY(process);
    FaceClient client(process->port());
    const auto known = client.get(QStringLiteral("/v1/cluster/coordinators"));
    QCOMPARE(known.status, 200);
    QCOMPARE(known.text("coordinator").size(), 32);
    QVERIFY(known.body[QStringLiteral("others")].isArray() && known.array("others").isEmpty());
    const auto answer = client.postText("/v1/cluster/coordinators", body.toStdString());
    QVERIFY2(answer.status == status, answer.shown().constData());
    QCOMPARE(answer.error(), error);
    QCOMPARE(client.violations(), QStringList());
}

void CoordinatorCommandTest::metricsTellOfEachWorkerOfTheMap() {
    const auto process = started(wholeConfig());
    QVERIFY(process);
    QTRY_VERIFY(process->monitoringPort() != 0);
    HttpClient monitoring("127.0.0.1", process->monitoringPort());
    const auto shows = [&](const std::string& line) {
        const auto answer = monitoring.get("/metrics");
        return answer && answer->body.find(line + "\n") != std::string::npos;
    };
    QTRY_VERIFY(shows("fremisn_node_state{node=\"127.0.0.1:1\",state=\"UNKNOWN\"} 1") ||
                shows("fremisn_node_state{node=\"127.0.0.1:1\",state=\"DOWN\"} 1"));
    for (const char* name :
         {"fremisn_node_up", "fremisn_node_loaded_percent", "fremisn_node_vectors_loaded", "fremisn_node_needs_resync",
          "fremisn_queue_ops", "fremisn_queue_bytes", "fremisn_queue_oldest_seconds", "fremisn_queue_parked_ops"})
        for (const char* worker : {"127.0.0.1:1", "127.0.0.1:2"})
            QVERIFY2(shows(std::string(name) + "{node=\"" + worker + "\"} 0"), name);
    QVERIFY(shows("fremisn_node_latency_milliseconds{node=\"127.0.0.1:2\",quantile=\"0.990000\"} 0"));
    // A worker that has left the map leaves the metrics too.
    (void)written(config(node("127.0.0.1:3", "0", "255")));
    process->signal(SIGHUP);
    QTRY_VERIFY(shows("fremisn_node_up{node=\"127.0.0.1:3\"} 0"));
    QVERIFY(!shows("fremisn_node_up{node=\"127.0.0.1:1\"} 0"));
    QVERIFY(!shows("fremisn_queue_ops{node=\"127.0.0.1:2\"} 0"));
}

QTEST_GUILESS_MAIN(CoordinatorCommandTest)
#include "coordinator_command_test.moc"

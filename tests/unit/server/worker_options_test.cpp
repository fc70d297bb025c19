#include "server/app/worker_options.h"

#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <fstream>

using namespace fremis::app;

namespace {

ParsedOptions<WorkerOptions> parsed(const std::vector<std::string>& arguments, const Environment& environment = {}) {
    auto result = parseWorkerOptions(arguments, environment);
    if (!result)
        qFatal("refused: %s", result.error().message.c_str());
    return *result;
}

} // namespace

class WorkerOptionsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theCommandLineOfExistingSitesIsAccepted() {
        const auto options = *parsed({"--access-key",
                                      "AK",
                                      "--secret-key",
                                      "SK",
                                      "--dk",
                                      "DK",
                                      "--db-address",
                                      "DB",
                                      "--db-port",
                                      "5432",
                                      "--db-name",
                                      "fremisn",
                                      "--db-username",
                                      "postgres",
                                      "--db-password",
                                      "PW",
                                      "--listen-port",
                                      "4005",
                                      "--listen-port-monitoring",
                                      "4006",
                                      "--storage",
                                      "postgres",
                                      "--verbose",
                                      "--max-workers",
                                      "1"},
                                     {{"FREMISN_BATCH_SEARCH_MAX_SIZE", "1"}})
                                  .options;
        QCOMPARE(options.accessKey, std::string("AK"));
        QCOMPARE(options.secretKey, std::string("SK"));
        QCOMPARE(options.database.address, std::string("DB"));
        QCOMPARE(options.database.password, std::string("PW"));
        QCOMPARE(options.monitoringPort.value(), 4006);
        QVERIFY(options.storage == StorageKind::Postgres);
        QVERIFY(options.verbose);
        QCOMPARE(options.maxWorkers, 1);
        QCOMPARE(options.batchSearchMax, 1);
        QVERIFY(options.secretsInArguments);
    }

    void flagsMayBeJoinedToTheirValues() {
        QCOMPARE(parsed({"--listen-port=0"}).options->listenPort, 0);
        QCOMPARE(parsed({"--db-password=a=b"}).options->database.password, std::string("a=b"));
    }

    void nothingGivenMeansTheEmbeddedDefaults() {
        const auto options = *parsed({}).options;
        QVERIFY(options.storage == StorageKind::Sqlite);
        QCOMPARE(options.listenPort, 4005);
        QVERIFY(!options.monitoringPort);
        QCOMPARE(options.partitions.size(), 1u);
        QCOMPARE(options.partitions[0].end, 255);
        QCOMPARE(options.batchSearchMax, 16);
        QVERIFY(!options.secretsInArguments);
    }

    void partitionPairsMayRepeat() {
        const auto ranges =
            parsed({"--partition-start", "128", "--partition-end", "191", "--partition-start=0", "--partition-end=63"})
                .options->partitions;
        QCOMPARE(ranges.size(), 2u);
        QCOMPARE(ranges[0].start, 0);
        QCOMPARE(ranges[1].end, 191);
    }

    void usageErrorsAreOneLine_data() {
        QTest::addColumn<QStringList>("arguments");
        const auto row = [](const char* name, const QStringList& arguments) { QTest::newRow(name) << arguments; };
        using L = QStringList;
        row("unknown flag", L{QStringLiteral("--frobnicate"), QStringLiteral("1")});
        row("flag twice", L{QStringLiteral("--listen-port"), QStringLiteral("1"), QStringLiteral("--listen-port=2")});
        row("switch twice", L{QStringLiteral("--verbose"), QStringLiteral("--verbose")});
        row("missing value at the end", L{QStringLiteral("--listen-port")});
        row("missing value before a flag", L{QStringLiteral("--listen-port"), QStringLiteral("--verbose")});
        row("switch with a value", L{QStringLiteral("--verbose=1")});
        row("positional", L{QStringLiteral("run")});
        row("port too large", L{QStringLiteral("--listen-port"), QStringLiteral("65536")});
        row("port not a number", L{QStringLiteral("--listen-port"), QStringLiteral("http")});
        row("port with a sign", L{QStringLiteral("--listen-port"), QStringLiteral("+1")});
        row("range reversed", L{QStringLiteral("--partition-start=9"), QStringLiteral("--partition-end=8")});
        row("range outside", L{QStringLiteral("--partition-start=0"), QStringLiteral("--partition-end=256")});
        row("half a pair", L{QStringLiteral("--partition-start=0")});
        row("overlapping ranges", L{QStringLiteral("--partition-start=0"), QStringLiteral("--partition-end=9"),
                                    QStringLiteral("--partition-start=9"), QStringLiteral("--partition-end=10")});
        row("unknown storage", L{QStringLiteral("--storage"), QStringLiteral("mysql")});
        row("no workers", L{QStringLiteral("--max-workers"), QStringLiteral("0")});
        row("access key alone", L{QStringLiteral("--access-key"), QStringLiteral("AK")});
        row("auth without keys", L{QStringLiteral("--client-auth"), QStringLiteral("required")});
        row("certificate without key", L{QStringLiteral("--tls-cert"), QStringLiteral("a.pem")});
        row("keys for metrics alone", L{QStringLiteral("--metrics-auth"), QStringLiteral("required")});
        row("monitoring by TLS without a certificate",
            L{QStringLiteral("--listen-port-monitoring"), QStringLiteral("0"), QStringLiteral("--monitoring-tls")});
        row("TLS for no monitoring port",
            L{QStringLiteral("--tls-cert"), QStringLiteral("a.pem"), QStringLiteral("--tls-key"),
              QStringLiteral("a.key"), QStringLiteral("--monitoring-tls")});
        row("secret file missing", L{QStringLiteral("--db-password-file"), QStringLiteral("/nonexistent/file")});
    }
    void usageErrorsAreOneLine() {
        QFETCH(QStringList, arguments);
        std::vector<std::string> list;
        for (const auto& argument : arguments)
            list.push_back(argument.toStdString());
        const auto result = parseWorkerOptions(list, {});
        QVERIFY(!result);
        QVERIFY(!result.error().message.empty());
        QVERIFY(result.error().message.find('\n') == std::string::npos);
    }

    void secretsComeFromFilesAndTheEnvironment() {
        const QTemporaryDir dir;
        const auto file = dir.filePath(QStringLiteral("password")).toStdString();
        std::ofstream(file) << "from file\n";
        QCOMPARE(parsed({"--db-password-file", file}).options->database.password, std::string("from file"));
        QCOMPARE(parsed({}, {{"FREMISN_DB_PASSWORD", "from env"}}).options->database.password, std::string("from env"));
        std::ofstream(dir.filePath(QStringLiteral("db-password")).toStdString()) << "credential";
        const Environment credentials{{"CREDENTIALS_DIRECTORY", dir.path().toStdString()}};
        QCOMPARE(parsed({}, credentials).options->database.password, std::string("credential"));
    }

    void aSecretFileOthersCanReadIsAWarningOrRefused() {
        const QTemporaryDir dir;
        const auto file = dir.filePath(QStringLiteral("password")).toStdString();
        std::ofstream(file) << "from file\n";
        const auto setMode = [&](unsigned mode) { std::filesystem::permissions(file, std::filesystem::perms(mode)); };
        setMode(0644);
        const auto expected = file + " holds secrets and is open to others (mode 0644): chmod 600 it";
        QVERIFY(parsed({"--db-password-file", file}).options->openSecretFiles == std::vector{expected});
        const auto refused = parseWorkerOptions({"--db-password-file", file, "--strict-perms"}, {});
        QVERIFY(!refused);
        QCOMPARE(refused.error().message, expected);
        QVERIFY(!parseWorkerOptions({"--client-auth=required", "--client-keys-file", file, "--strict-perms"}, {}));
        QVERIFY(!parseWorkerOptions({"--tls-cert=cert.pem", "--tls-key", file, "--strict-perms"}, {}));
        for (const unsigned mode : {0600U, 0640U, 0400U}) {
            setMode(mode);
            QVERIFY(parsed({"--db-password-file", file, "--strict-perms"}).options->openSecretFiles.empty());
        }
        setMode(0660);
        QVERIFY(!parseWorkerOptions({"--db-password-file", file, "--strict-perms"}, {}));
    }

    void aFileWithoutAShortFirstLineIsNoSecret() {
        const QTemporaryDir dir;
        const auto file = dir.filePath(QStringLiteral("password")).toStdString();
        std::ofstream(file) << std::string(5000, 'x');
        QVERIFY(!parseWorkerOptions({"--db-password-file", file}, {}));
        QVERIFY(!parseWorkerOptions({"--db-password-file", "/dev/zero"}, {})); // and ends
        QVERIFY(!parseWorkerOptions({"--db-password-file", dir.path().toStdString()}, {}));
    }

    void aSecretInTwoFormsIsRefused() {
        QVERIFY(!parseWorkerOptions({"--db-password", "a"}, {{"FREMISN_DB_PASSWORD", "b"}}));
    }

    void secretArgumentsAreOverwritten() {
        char program[] = "fremis_n_app", flag[] = "--secret-key", value[] = "hidden", joined[] = "--db-password=pw",
             other[] = "--db-name=n";
        char* argv[] = {program, flag, value, joined, other, nullptr};
        QVERIFY(wipeSecretArguments(5, argv));
        QCOMPARE(std::string(value), std::string("xxxxxx"));
        QCOMPARE(std::string(joined), std::string("--db-password=xx"));
        QCOMPARE(std::string(other), std::string("--db-name=n"));
    }

    void helpNamesEveryFlag() {
        const auto text = parsed({"--help"}).textToPrint;
        for (const char* flag :
             {"--listen-port ", "--storage ", "--partition-start ", "--quality-gate ", "--print-routes"})
            QVERIFY2(text.find(flag) != std::string::npos, flag);
    }
};

QTEST_GUILESS_MAIN(WorkerOptionsTest)
#include "worker_options_test.moc"

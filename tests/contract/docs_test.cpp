// Every command that the pages for users show works as printed. A shell block says after its language how it is
// checked:
//   sh server  starts fremis_n_app for the rest of the page: the test starts it with these flags, but on free ports and
//   with a
//              data folder of its own
//   sh test    runs in bash, all such blocks of a page in one shell, in order
//   sh flags   starts fremis_n_app where a test cannot follow (a site's database): the flags must be accepted
//   sh package, sh console, sh build, sh portable  run by packaging/linux/smoke-test, in a root of their own
//   sh manual  is not run: this very test run, or a step before there is a build
// A block "… expect" is output of the block before it; "…" stands for anything, and white space is not compared.
#include "shared/metrics/server_metrics.h"
#include "tests/contract/documents.h"
#include "tests/support/app_process.h"
#include "tests/support/photos.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

using namespace fremis::test;

namespace {

const QString kBuiltApp = QStringLiteral("build/release/bin/fremis_n_app");

QString withoutSpace(QString text) {
    static const QRegularExpression space(QStringLiteral("\\s+"));
    return text.remove(space);
}

/// The arguments after "fremis_n_app httpserver" of a block with one command.
QStringList argumentsIn(const QString& block) {
    auto text = block;
    text.replace(QStringLiteral("\\\n"), QStringLiteral(" "));
    static const QRegularExpression space(QStringLiteral("\\s+"));
    auto words = text.split(space, Qt::SkipEmptyParts);
    const auto subcommand = words.indexOf(QStringLiteral("httpserver"));
    return subcommand < 0 ? QStringList() : words.mid(subcommand + 1);
}

std::unique_ptr<AppProcess> startServer(const QString& block, QString* problem) {
    AppOptions options;
    const auto words = argumentsIn(block);
    for (qsizetype i = 0; i < words.size(); ++i) {
        if (words[i] == QStringLiteral("--listen-port") || words[i] == QStringLiteral("--listen-port-monitoring") ||
            words[i] == QStringLiteral("--data-dir"))
            ++i; // the test's own
        else
            options.arguments.push_back(words[i].toStdString());
    }
    auto server = AppProcess::startReady(options);
    if (!server) {
        *problem = QString::fromStdString(server.error().message + "\n" + server.error().detail);
        return nullptr;
    }
    return std::move(*server);
}

QString marker(std::size_t block) {
    return QStringLiteral("@@ block %1 @@").arg(block);
}

/// Each block's output, in order; empty texts after the block that failed.
struct ShellRun {
    std::vector<QString> outputs;
    int exitCode = -1;
    QString errors;
};

ShellRun runInBash(const std::vector<FencedBlock>& blocks, const QHash<QString, QString>& replacements) {
    QString script = QStringLiteral("set -euo pipefail\n");
    for (std::size_t i = 0; i < blocks.size(); ++i)
        script += QStringLiteral("printf '\\n%s\\n' '%1'\n").arg(marker(i)) + blocks[i].text;
    for (auto entry = replacements.begin(); entry != replacements.end(); ++entry)
        script.replace(entry.key(), entry.value());
    QProcess bash;
    bash.start(QStringLiteral("bash"), {QStringLiteral("-s")});
    bash.write(script.toUtf8());
    bash.closeWriteChannel();
    ShellRun run;
    if (!bash.waitForFinished(240'000))
        return run;
    run.exitCode = bash.exitCode();
    run.errors = QString::fromUtf8(bash.readAllStandardError());
    const auto output = QString::fromUtf8(bash.readAllStandardOutput());
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const auto begin = output.indexOf(marker(i));
        const auto end = output.indexOf(marker(i + 1));
        run.outputs.push_back(
            begin < 0 ? QString()
                      : output.mid(begin + marker(i).size(), end < 0 ? -1 : end - begin - marker(i).size()));
    }
    return run;
}

/// The first piece of the expected text that the output lacks; empty when all are there, in order.
QString missingFrom(const QString& output, const QString& expected) {
    const auto squeezed = withoutSpace(output);
    qsizetype from = 0;
    for (const auto& piece : withoutSpace(expected).split(QChar(0x2026), Qt::SkipEmptyParts)) {
        const auto at = squeezed.indexOf(piece, from);
        if (at < 0)
            return piece;
        from = at + piece.size();
    }
    return {};
}

} // namespace

class DocsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void commandsWorkAsPrinted_data();
    void commandsWorkAsPrinted();
    void everyShellBlockSaysHowItIsChecked_data();
    void everyShellBlockSaysHowItIsChecked();
    void theInstallGuidesHaveTheSameCommands();
    void flagsOfThePagesAreAccepted();
    void theFlagTableIsTheBinarys();
    void theMetricTableIsTheServers();
    void theEnvironmentExampleIsTheBinarys();
    void linksLeadToFiles_data();
    void linksLeadToFiles();
    void picturesAreTheToolsOwn_data();
    void picturesAreTheToolsOwn();
};

namespace {

const QStringList kPages{QStringLiteral("README.md"),
                         QStringLiteral("CONTRIBUTING.md"),
                         QStringLiteral("resources/docs/quick-start.md"),
                         QStringLiteral("resources/docs/api-guide.md"),
                         QStringLiteral("resources/docs/operations.md"),
                         QStringLiteral("resources/docs/install.md"),
                         QStringLiteral("resources/docs/install.id.md"),
                         QStringLiteral("packaging/containers/README.md"),
                         QStringLiteral("resources/docs/cluster.md"),
                         QStringLiteral("resources/docs/cluster.id.md"),
                         QStringLiteral("resources/docs/hashing.md"),
                         QStringLiteral("resources/docs/hashing.id.md"),
                         QStringLiteral("resources/docs/planner.md"),
                         QStringLiteral("resources/docs/planner.id.md")};

void addPages() {
    QTest::addColumn<QString>("page");
    for (const auto& page : kPages)
        QTest::newRow(qPrintable(page)) << page;
}

} // namespace

// A reader is in the checkout's folder, where the relative paths of the pages lead somewhere.
void DocsTest::initTestCase() {
    QVERIFY(QDir::setCurrent(QStringLiteral(FREMIS_SOURCE_DIR)));
}

void DocsTest::commandsWorkAsPrinted_data() {
    addPages();
}

void DocsTest::commandsWorkAsPrinted() {
    FREMIS_NEEDS_FETCHED_DATA(photo("jesper.jpg") && modelPack("fp-mfn512"));
    QFETCH(const QString, page);
    const auto blocks = fencedBlocks(pageText(page));
    std::vector<FencedBlock> commands;
    std::vector<std::pair<std::size_t, FencedBlock>> expectations;
    std::unique_ptr<AppProcess> server;
    QString problem;
    for (const auto& block : blocks) {
        if (block.language == QStringLiteral("sh") && block.kind == QStringLiteral("server") && !server)
            server = startServer(block.text, &problem);
        else if (block.language == QStringLiteral("sh") && block.kind == QStringLiteral("test"))
            commands.push_back(block);
        else if (block.kind == QStringLiteral("expect"))
            expectations.emplace_back(commands.size() - 1, block);
    }
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    if (commands.empty())
        return;
    QHash<QString, QString> replacements{{kBuiltApp, QString::fromStdString(appBinary())}};
    if (server) {
        replacements.insert(QStringLiteral("localhost:4005"), QStringLiteral("127.0.0.1:%1").arg(server->port()));
        replacements.insert(QStringLiteral("localhost:4006"),
                            QStringLiteral("127.0.0.1:%1").arg(server->monitoringPort()));
    }
    qputenv("FREMIS_APP", QByteArray::fromStdString(appBinary()));
    const auto run = runInBash(commands, replacements);
    QVERIFY2(run.exitCode == 0, qPrintable(run.errors + run.outputs.back()));
    for (const auto& [command, expected] : expectations) {
        const auto missing = missingFrom(run.outputs.at(command), expected.text);
        QVERIFY2(missing.isEmpty(), qPrintable(QStringLiteral("%1:%2: not printed: %3\n%4")
                                                   .arg(page)
                                                   .arg(expected.line)
                                                   .arg(missing, run.outputs[command])));
    }
}

void DocsTest::everyShellBlockSaysHowItIsChecked_data() {
    addPages();
}

void DocsTest::everyShellBlockSaysHowItIsChecked() {
    QFETCH(const QString, page);
    QVERIFY(!pageText(page).isEmpty());
    const QStringList kinds{QStringLiteral("server"), QStringLiteral("test"),    QStringLiteral("flags"),
                            QStringLiteral("manual"), QStringLiteral("package"), QStringLiteral("console"),
                            QStringLiteral("build"),  QStringLiteral("portable")};
    for (const auto& block : fencedBlocks(pageText(page)))
        if (block.language == QStringLiteral("sh"))
            QVERIFY2(kinds.contains(block.kind), qPrintable(QStringLiteral("%1:%2").arg(page).arg(block.line)));
}

// The smoke test runs one of them.
void DocsTest::theInstallGuidesHaveTheSameCommands() {
    const auto english = fencedBlocks(pageText(QStringLiteral("resources/docs/install.md")));
    const auto indonesian = fencedBlocks(pageText(QStringLiteral("resources/docs/install.id.md")));
    QVERIFY(english.size() > 10);
    QCOMPARE(indonesian.size(), english.size());
    for (std::size_t i = 0; i < english.size(); ++i) {
        QCOMPARE(indonesian[i].kind, english[i].kind);
        QCOMPARE(indonesian[i].text, english[i].text);
    }
}

void DocsTest::flagsOfThePagesAreAccepted() {
    int seen = 0;
    const QTemporaryDir folder;
    for (const auto& page : kPages) {
        for (const auto& block : fencedBlocks(pageText(page))) {
            if (block.kind != QStringLiteral("flags"))
                continue;
            ++seen;
            // A secret's file is read when the flags are: the site's becomes one of the test.
            auto arguments = argumentsIn(block.text);
            for (auto& argument : arguments)
                if (argument.startsWith(QStringLiteral("/etc/fremis-n/"))) {
                    QFile file(folder.filePath(argument.section(QLatin1Char('/'), -1)));
                    QVERIFY(file.open(QIODevice::WriteOnly));
                    file.write("secret\n");
                    argument = file.fileName();
                }
            QVERIFY2(!appOutput(QStringList{QStringLiteral("httpserver")} + arguments +
                                QStringList{QStringLiteral("--print-routes")})
                          .isEmpty(),
                     qPrintable(QStringLiteral("%1:%2").arg(page).arg(block.line)));
        }
    }
    QVERIFY(seen > 0);
}

void DocsTest::theFlagTableIsTheBinarys() {
    static const QRegularExpression flag(QStringLiteral("--[a-z][a-z-]*"));
    const auto flagsIn = [](const QString& text) {
        QSet<QString> flags;
        for (auto match = flag.globalMatch(text); match.hasNext();)
            flags.insert(match.next().captured());
        return flags;
    };
    QSet<QString> listed;
    for (const auto& row : tableRows(pageText(QStringLiteral("resources/docs/operations.md")), QStringLiteral("Flags")))
        listed += flagsIn(row.at(0));
    QSet<QString> offered;
    for (const auto& line :
         appOutput({QStringLiteral("httpserver"), QStringLiteral("--help")}).split(QLatin1Char('\n')))
        if (line.startsWith(QStringLiteral("  --")))
            offered += flagsIn(line.trimmed().section(QLatin1Char(' '), 0, 0));
    QVERIFY(offered.size() > 20);
    QCOMPARE(QStringList((listed - offered).values()), QStringList());
    QCOMPARE(QStringList((offered - listed).values()), QStringList());
}

void DocsTest::theMetricTableIsTheServers() {
    QStringList listed;
    for (const auto& row :
         tableRows(pageText(QStringLiteral("resources/docs/operations.md")), QStringLiteral("Metrics")))
        listed << row.at(0).section(QLatin1Char('{'), 0, 0);
    const fremis::base::SystemClock clock;
    fremis::metrics::Registry registry(clock);
    const fremis::metrics::ServerMetrics metrics(registry);
    QStringList offered;
    for (const auto& line : QString::fromStdString(registry.prometheusText()).split(QLatin1Char('\n')))
        if (line.startsWith(QStringLiteral("# TYPE ")))
            offered << line.section(QLatin1Char(' '), 2, 2);
    listed.sort();
    offered.sort();
    QCOMPARE(listed, offered);
}

void DocsTest::theEnvironmentExampleIsTheBinarys() {
    static const QRegularExpression variable(QStringLiteral("^#?(FREMISN_[A-Z_]+)="),
                                             QRegularExpression::MultilineOption);
    const auto help = appOutput({QStringLiteral("httpserver"), QStringLiteral("--help")});
    int seen = 0;
    for (auto match = variable.globalMatch(pageText(QStringLiteral("resources/config/fremis-n.env"))); match.hasNext();
         ++seen) {
        const auto name = match.next().captured(1);
        QVERIFY2(help.contains(name), qPrintable(name));
    }
    QVERIFY(seen > 3);
}

void DocsTest::linksLeadToFiles_data() {
    addPages();
    for (const char* page : {"CHANGELOG.md", "API_CHANGELOG.md"})
        QTest::newRow(page) << QString::fromUtf8(page);
}

void DocsTest::linksLeadToFiles() {
    QFETCH(const QString, page);
    static const QRegularExpression link(QStringLiteral("\\]\\(([^)#:]+)(#[^)]*)?\\)"));
    const QFileInfo here(QStringLiteral(FREMIS_SOURCE_DIR "/") + page);
    QVERIFY(here.exists());
    for (auto match = link.globalMatch(pageText(page)); match.hasNext();) {
        const auto target = match.next().captured(1);
        QVERIFY2(QFileInfo::exists(here.dir().filePath(target)), qPrintable(target));
    }
}

void DocsTest::picturesAreTheToolsOwn_data() {
    QTest::addColumn<QStringList>("command");
    for (const char* demo : {"modn", "worked", "vnodes", "failure"})
        QTest::newRow(demo) << QStringList{QStringLiteral("demo"), QString::fromLatin1(demo)};
    QTest::newRow("compare") << QStringList{QStringLiteral("compare"), QStringLiteral("--nodes"), QStringLiteral("10")};
}

void DocsTest::picturesAreTheToolsOwn() {
    QFETCH(const QStringList, command);
    const QTemporaryDir folder;
    QFile made(folder.filePath(QStringLiteral("made.svg")));
    const auto svg = QStringList{QStringLiteral("--svg"), made.fileName()};
    QVERIFY(!appOutput(QStringList{QStringLiteral("ring")} + command + svg).isEmpty());
    QVERIFY(made.open(QIODevice::ReadOnly));
    QFile shown(QStringLiteral("resources/docs/images/hashing-%1.svg").arg(QLatin1String(QTest::currentDataTag())));
    QVERIFY(shown.open(QIODevice::ReadOnly));
    QCOMPARE(shown.readAll(), made.readAll());
}

QTEST_GUILESS_MAIN(DocsTest)
#include "docs_test.moc"

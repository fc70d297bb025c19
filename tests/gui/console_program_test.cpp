#include "console/client/profile.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

using namespace fremis::console;

namespace {

constexpr int kPatienceMs = 60'000;

struct Run {
    int code = -1;
    QString out;
    QString errors;
};

} // namespace

/// The program itself, with its own settings folder.
class ConsoleProgramTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void versionAndHelpAreTold();
    void aWrongOptionIsRefused();
    void theSelftestOpensEveryPage();
    void importedProfilesAreThereAtTheNextStart();
    void aProfileIsConnectedByName();
    void aProfileThatIsNotThereEndsTheSelftest();
    void picturesAreSavedInTheLanguageAsked();
    void aFileThatIsNoSnapshotIsRefused();

private:
    [[nodiscard]] QProcessEnvironment environment() const;
    [[nodiscard]] Run run(const QStringList& arguments) const;
    [[nodiscard]] QString write(const QString& name, const QByteArray& bytes) const;
    [[nodiscard]] QString profilesWith(const QUrl& coordinator) const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

QProcessEnvironment ConsoleProgramTest::environment() const {
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    all.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    for (const auto* folder : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME"})
        all.insert(QLatin1String(folder), m_folder->path());
    all.remove(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"));
    return all;
}

Run ConsoleProgramTest::run(const QStringList& arguments) const {
    QProcess program;
    program.setProcessEnvironment(environment());
    program.start(QStringLiteral(FREMIS_CONSOLE), arguments);
    if (!program.waitForFinished(kPatienceMs)) {
        program.kill();
        program.waitForFinished();
        return {};
    }
    return {program.exitCode(), QString::fromUtf8(program.readAllStandardOutput()),
            QString::fromUtf8(program.readAllStandardError())};
}

QString ConsoleProgramTest::write(const QString& name, const QByteArray& bytes) const {
    QFile file(m_folder->filePath(name));
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
}

QString ConsoleProgramTest::profilesWith(const QUrl& coordinator) const {
    Profile profile;
    profile.id = QStringLiteral("p1");
    profile.name = QStringLiteral("Rack 4");
    profile.coordinators = {coordinator};
    return write(QStringLiteral("profiles.export.json"), profilesToJson({profile}));
}

void ConsoleProgramTest::versionAndHelpAreTold() {
    const Run version = run({QStringLiteral("--version")});
    QCOMPARE(version.code, 0);
    QVERIFY(version.out.contains(QStringLiteral("Qt")));
    const Run help = run({QStringLiteral("--help")});
    QCOMPARE(help.code, 0);
    for (const auto* option : {"--profile", "--import-profiles", "--snapshot", "--selftest", "--screenshot-dir"})
        QVERIFY2(help.out.contains(QLatin1String(option)), option);
}

void ConsoleProgramTest::aWrongOptionIsRefused() {
    for (const QStringList& wrong :
         {QStringList{QStringLiteral("--nonsense")}, QStringList{QStringLiteral("--lang"), QStringLiteral("xx")},
          QStringList{QStringLiteral("--profile")}}) {
        const Run refused = run(wrong);
        QCOMPARE(refused.code, 2);
        QVERIFY(!refused.errors.isEmpty());
    }
}

void ConsoleProgramTest::theSelftestOpensEveryPage() {
    const Run tested = run({QStringLiteral("--selftest")});
    QVERIFY2(tested.code == 0, qPrintable(tested.errors));
    QVERIFY(tested.out.contains(QStringLiteral("all pages opened")));
}

void ConsoleProgramTest::importedProfilesAreThereAtTheNextStart() {
    const QString file = profilesWith(QUrl(QStringLiteral("http://127.0.0.1:1")));
    const Run imported = run({QStringLiteral("--import-profiles"), file});
    QVERIFY2(imported.code == 0, qPrintable(imported.errors));
    QVERIFY(imported.out.contains(QStringLiteral("1 profile")));
    QCOMPARE(run({QStringLiteral("--import-profiles"), file}).code, 0); // once more: one more profile
    const Run missing = run({QStringLiteral("--import-profiles"), QStringLiteral("/does/not/exist")});
    QCOMPARE(missing.code, 1);
    QVERIFY(missing.errors.contains(QStringLiteral("/does/not/exist")));
    QCOMPARE(run({QStringLiteral("--import-profiles"), write(QStringLiteral("broken"), "{")}).code, 1);
}

void ConsoleProgramTest::aProfileIsConnectedByName() {
    QTcpServer coordinator;
    QVERIFY(coordinator.listen(QHostAddress::LocalHost));
    const QUrl url(QStringLiteral("http://127.0.0.1:%1").arg(coordinator.serverPort()));
    QCOMPARE(run({QStringLiteral("--import-profiles"), profilesWith(url)}).code, 0);
    QProcess program;
    program.setProcessEnvironment(environment());
    program.start(QStringLiteral(FREMIS_CONSOLE), {QStringLiteral("--profile"), QStringLiteral("Rack 4")});
    QByteArray asked;
    connect(&coordinator, &QTcpServer::newConnection, this, [&] {
        QTcpSocket* socket = coordinator.nextPendingConnection();
        connect(socket, &QTcpSocket::readyRead, this, [socket, &asked] { asked += socket->readAll(); });
    });
    const bool came = QTest::qWaitFor([&asked] { return asked.contains("GET /v1/"); }, kPatienceMs);
    program.kill();
    program.waitForFinished();
    QVERIFY2(came, program.readAllStandardError().constData());
}

void ConsoleProgramTest::aProfileThatIsNotThereEndsTheSelftest() {
    const Run missing = run({QStringLiteral("--profile"), QStringLiteral("nobody"), QStringLiteral("--selftest")});
    QCOMPARE(missing.code, 1);
    QVERIFY(missing.errors.contains(QStringLiteral("nobody")));
}

void ConsoleProgramTest::picturesAreSavedInTheLanguageAsked() {
    const QString pictures = m_folder->filePath(QStringLiteral("pictures"));
    const Run drawn = run({QStringLiteral("--demo"), QStringLiteral("--lang=id"), QStringLiteral("--theme"),
                           QStringLiteral("dark"), QStringLiteral("--screenshot-dir"), pictures});
    QVERIFY2(drawn.code == 0, qPrintable(drawn.errors));
    QVERIFY(QDir(pictures).entryList({QStringLiteral("*-id-dark.png")}).size() >= 9);
}

void ConsoleProgramTest::aFileThatIsNoSnapshotIsRefused() {
    for (const QString& file : {write(QStringLiteral("no.fremis-snapshot"), "{}"), QStringLiteral("/does/not/exist")}) {
        const Run refused = run({QStringLiteral("--snapshot"), file, QStringLiteral("--selftest")});
        QCOMPARE(refused.code, 1);
        QVERIFY(refused.errors.contains(file));
    }
}

QTEST_GUILESS_MAIN(ConsoleProgramTest)
#include "console_program_test.moc"

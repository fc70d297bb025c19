#include "console/client/apply_sequence.h"
#include "console/client/demo_transport.h"
#include "tests/support/fake_clock.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace fremis::console;
using State = ApplySequence::State;

namespace {

DemoScenario twoNodes() {
    DemoScenario scenario;
    scenario.nodes = 2;
    scenario.replication = 1;
    scenario.singleCopies = false;
    scenario.vectors = 2560;
    scenario.enrollmentsPerSecond = 0;
    return scenario;
}

/// Counts what reaches the cluster, and can lose the answer to a write.
class WatchedTransport final : public Transport {
public:
    explicit WatchedTransport(Transport& inner) : m_inner(inner) {}
    void send(HttpRequest request, QObject* context, Done done) override {
        requests.append(QString::fromLatin1(request.method) + u' ' + request.url.path());
        const bool isWrite = request.method == "PUT" && !request.body.contains("\"dry_run\":true");
        writes += isWrite;
        if (isWrite && loseAnswers)
            done = [done](HttpReply reply) {
                reply.status = 0;
                reply.error = TransportError::TimedOut;
                done(std::move(reply));
            };
        m_inner.send(std::move(request), context, std::move(done));
    }
    void abortAll() override { m_inner.abortAll(); }
    QStringList requests;
    int writes = 0;
    bool loseAnswers = false;

private:
    Transport& m_inner;
};

struct Bench {
    fremis::test::FakeClock clock;
    DemoTransport demo{twoNodes(), clock};
    WatchedTransport transport{demo};
    ClusterClient client{transport, clock};
    ApplySequence sequence{client, clock};
    QUrl coordinator = demo.profile().coordinators.first();

    Bench() { sequence.setVerifyTimes(1ms, 30s); }

    [[nodiscard]] QByteArray running() { return QByteArray::fromStdString(demo.world().config().text); }
    [[nodiscard]] QString epoch() { return QString::fromStdString(demo.world().config().epoch()); }
    [[nodiscard]] QByteArray tag() { return "\"" + epoch().toLatin1() + "\""; }
    /// The same ranges, worker-1 under another name: nothing moves.
    [[nodiscard]] QByteArray renamed() { return running().replace("worker-1\"", "first\""); }
    /// worker-1 gives 28 partitions away.
    [[nodiscard]] QByteArray moved() { return running().replace(": 127", ": 99").replace(": 128", ": 100"); }
    [[nodiscard]] ApplySequence::Target target() const { return {{coordinator}, {}}; }
    bool reaches(State state) {
        return QTest::qWaitFor([&] { return sequence.state() == state; }, 20'000);
    }
};

} // namespace

class ApplyTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aChangeGoesThroughAllSteps();
    void nothingIsWrittenBeforeBothConfirmations();
    void aDraftWithErrorsIsNotSent();
    void orphansAreRefusedInTheDryRun();
    void forcedChangesNameWhatIsUnfindable();
    void aConfigThatChangedMeanwhileIsNotOverwritten();
    void rollingBackBringsTheOldTextBack();
    void aLostAnswerIsFoundOutByTheEpoch();
    void aCoordinatorThatKeepsTheOldMapIsNotVerified();
    void filesAreBackedUpAndReplaced();
    void aFileThatChangedMeanwhileIsNotOverwritten();
    void runbooksNameEpochsInBothLanguages();
};

void ApplyTest::aChangeGoesThroughAllSteps() {
    Bench bench;
    const auto before = bench.epoch();
    const auto after = bench.renamed();
    QVERIFY(after != bench.running());
    QList<State> states;
    connect(&bench.sequence, &ApplySequence::stateChanged, this, [&states](State state) { states.append(state); });
    QVERIFY(bench.sequence.start(bench.target(), {bench.running(), after, bench.tag(), false}, {}));
    QCOMPARE(bench.sequence.state(), State::Diff);
    QVERIFY(!bench.sequence.diff().empty());
    bench.sequence.confirmDiff();
    QVERIFY(bench.reaches(State::Impact));
    QCOMPARE(bench.running() == after, false);
    bench.sequence.confirmImpact();
    QVERIFY(bench.reaches(State::Applied));
    QCOMPARE(bench.running(), after);
    QCOMPARE(bench.sequence.epochBefore(), before);
    QCOMPARE(bench.sequence.epochAfter(), bench.epoch());
    QVERIFY(bench.sequence.atRiskAfter().empty());
    QCOMPARE(states, (QList<State>{State::Diff, State::Checking, State::Impact, State::Writing, State::Verifying,
                                   State::Applied}));
    QVERIFY(bench.transport.requests.contains(u"POST /v1/cluster/reload"_s));
}

void ApplyTest::nothingIsWrittenBeforeBothConfirmations() {
    Bench bench;
    QVERIFY(bench.sequence.start(bench.target(), {bench.running(), bench.renamed(), bench.tag(), false}, {}));
    bench.sequence.confirmImpact(); // not its turn
    QCOMPARE(bench.transport.requests.size(), 0);
    bench.sequence.confirmDiff();
    QVERIFY(bench.sequence.isUnderWay());
    QVERIFY(!bench.sequence.start(bench.target(), {}, {}));
    QVERIFY(bench.reaches(State::Impact));
    bench.sequence.cancel();
    QCOMPARE(bench.sequence.state(), State::Idle);
    bench.sequence.confirmImpact();
    bench.sequence.rollBack();
    QCOMPARE(bench.transport.writes, 0);
    QCOMPARE(bench.sequence.state(), State::Idle);
}

void ApplyTest::aDraftWithErrorsIsNotSent() {
    Bench bench;
    QVERIFY(bench.sequence.start(bench.target(), {bench.running(), "version: v1\n", bench.tag(), false}, {}));
    QCOMPARE(bench.sequence.state(), State::Failed);
    QCOMPARE(bench.sequence.problemToken(), u"invalid_config"_s);
    QCOMPARE(bench.transport.requests.size(), 0);
}

void ApplyTest::orphansAreRefusedInTheDryRun() {
    Bench bench;
    QVERIFY(bench.sequence.start(bench.target(), {bench.running(), bench.moved(), bench.tag(), false}, {}));
    bench.sequence.confirmDiff();
    QVERIFY(bench.reaches(State::Failed));
    QCOMPARE(bench.sequence.problemToken(), u"data_not_moved"_s);
    QVERIFY2(bench.sequence.problem().contains("100-127"_L1), qPrintable(bench.sequence.problem()));
    QVERIFY(!bench.sequence.isWritten());
    QCOMPARE(bench.transport.writes, 0);
}

void ApplyTest::forcedChangesNameWhatIsUnfindable() {
    Bench bench;
    QVERIFY(bench.sequence.start(bench.target(), {bench.running(), bench.moved(), bench.tag(), true}, {}));
    bench.sequence.confirmDiff();
    QVERIFY(bench.reaches(State::Impact));
    QCOMPARE(bench.sequence.impact().changedPartitions, 28);
    QCOMPARE(bench.sequence.impact().sentences.size(), 1);
    QCOMPARE(bench.sequence.impact().restarts, (QStringList{u"worker-2.demo:4003"_s, u"worker-1.demo:4003"_s}));
    QVERIFY(!bench.sequence.impact().vectors); // nothing is known without a snapshot
    bench.sequence.confirmImpact();
    QVERIFY(bench.reaches(State::Applied));
    QCOMPARE(bench.running(), QByteArray::fromStdString(bench.demo.world().config().text));
}

void ApplyTest::aConfigThatChangedMeanwhileIsNotOverwritten() {
    Bench bench;
    QVERIFY(
        bench.sequence.start(bench.target(), {bench.running(), bench.renamed(), "\"0123456789abcdef\"", false}, {}));
    bench.sequence.confirmDiff();
    QVERIFY(bench.reaches(State::Failed));
    QCOMPARE(bench.sequence.problemToken(), u"config_changed"_s);
    QCOMPARE(bench.transport.writes, 0);
}

void ApplyTest::rollingBackBringsTheOldTextBack() {
    Bench bench;
    const auto before = bench.running();
    QVERIFY(bench.sequence.start(bench.target(), {before, bench.moved(), bench.tag(), true}, {}));
    bench.sequence.confirmDiff();
    QVERIFY(bench.reaches(State::Impact));
    bench.sequence.confirmImpact();
    QVERIFY(bench.reaches(State::Applied));
    bench.sequence.rollBack();
    QVERIFY(bench.reaches(State::RolledBack));
    QCOMPARE(bench.running(), before);
    QCOMPARE(bench.epoch(), bench.sequence.epochBefore());
}

void ApplyTest::aLostAnswerIsFoundOutByTheEpoch() {
    Bench bench;
    bench.transport.loseAnswers = true;
    const auto after = bench.renamed();
    QVERIFY(bench.sequence.start(bench.target(), {bench.running(), after, bench.tag(), false}, {}));
    bench.sequence.confirmDiff();
    QVERIFY(bench.reaches(State::Impact));
    bench.sequence.confirmImpact();
    QVERIFY(bench.reaches(State::Applied));
    QCOMPARE(bench.running(), after);
}

void ApplyTest::aCoordinatorThatKeepsTheOldMapIsNotVerified() {
    Bench bench;
    Bench other;
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"config.yml"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bench.running());
    file.close();
    // The coordinator reads another file than the one that is written.
    ApplySequence::Target target = bench.target();
    target.file = file.fileName();
    bench.sequence.setVerifyTimes(1ms, 30s);
    QVERIFY(bench.sequence.start(target, {bench.running(), bench.renamed(), {}, false}, {}));
    bench.sequence.confirmDiff();
    QCOMPARE(bench.sequence.state(), State::Impact);
    bench.sequence.confirmImpact();
    QTRY_VERIFY(bench.transport.requests.count(u"GET /v1/cluster/status"_s) > 2);
    QCOMPARE(bench.sequence.state(), State::Verifying);
    bench.clock.advance(31s);
    QVERIFY(bench.reaches(State::Failed));
    QCOMPARE(bench.sequence.problemToken(), u"not_verified"_s);
    QVERIFY(bench.sequence.isWritten());
    bench.sequence.rollBack();
    QVERIFY(bench.reaches(State::RolledBack));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), bench.running());
}

void ApplyTest::filesAreBackedUpAndReplaced() {
    Bench bench;
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"config.yml"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bench.running());
    file.close();
    QVERIFY(bench.sequence.start({{}, file.fileName()}, {bench.running(), bench.renamed(), {}, false}, {}));
    bench.sequence.confirmDiff();
    bench.sequence.confirmImpact();
    QVERIFY(bench.reaches(State::Applied));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), bench.renamed());
    QFile backup(bench.sequence.backupFile());
    QVERIFY(backup.open(QIODevice::ReadOnly));
    QCOMPARE(backup.readAll(), bench.running());
}

void ApplyTest::aFileThatChangedMeanwhileIsNotOverwritten() {
    Bench bench;
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"config.yml"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bench.running() + "# somebody else\n");
    file.close();
    QVERIFY(bench.sequence.start({{}, file.fileName()}, {bench.running(), bench.renamed(), {}, false}, {}));
    bench.sequence.confirmDiff();
    bench.sequence.confirmImpact();
    QVERIFY(bench.reaches(State::Failed));
    QCOMPARE(bench.sequence.problemToken(), u"config_changed"_s);
    QVERIFY(!bench.sequence.isWritten());
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
}

void ApplyTest::runbooksNameEpochsInBothLanguages() {
    Bench bench;
    QVERIFY(bench.sequence.start(bench.target(), {bench.running(), bench.moved(), bench.tag(), true}, {}));
    bench.sequence.confirmDiff();
    QVERIFY(bench.reaches(State::Impact));
    using fremis::routing::Language;
    for (const auto language : {Language::English, Language::Indonesian}) {
        const auto runbook = bench.sequence.runbook(language);
        QVERIFY(runbook.contains(bench.sequence.epochBefore()) && runbook.contains(bench.sequence.epochAfter()));
        QVERIFY(runbook.contains("-    partition_end: 127"_L1) || runbook.contains("partition_end: 127"_L1));
        QVERIFY(runbook.contains("worker-2.demo:4003"_L1));
    }
    QVERIFY(bench.sequence.runbook(Language::Indonesian).startsWith("# Perubahan"_L1));
}

QTEST_GUILESS_MAIN(ApplyTest)
#include "apply_test.moc"

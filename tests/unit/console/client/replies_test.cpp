#include "console/client/cluster_replies.h"

#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace fremis::console;
using fremis::hashing::PartitionRange;

namespace {

/// A body that a coordinator or worker really sent.
QByteArray body(const char* name) {
    QFile file(QStringLiteral(FREMIS_CONSOLE_REPLIES "/%1.json").arg(QLatin1StringView(name)));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no such reply: %s", name);
    return file.readAll();
}

PartitionSet setOf(std::initializer_list<PartitionRange> ranges) {
    return PartitionSet(std::vector<PartitionRange>(ranges));
}

} // namespace

class RepliesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void workerHealthIsRead();
    void coordinatorHealthIsRead();
    void healthOfSomethingElseSaysNothing_data();
    void healthOfSomethingElseSaysNothing();
    void loadTellsUnownedPartitionsFromEmptyOnes();
    void resourcesAreRead();
    void noLimitIsNothing();
    void statusOfAnOutageIsRead();
    void nodesOfAnOutageAreRead();
    void queueOfAnOutageIsRead();
    void idleQueueHasNoOldestWrite();
    void configKeepsItsTextAndTag();
    void keyspacesOfAnOutageAreIncomplete();
    void repairIsRead();
    void wrongTypesAreRefused_data();
    void wrongTypesAreRefused();
    void cutBodiesAreRefused();
    void metricsAreRead();
};

void RepliesTest::workerHealthIsRead() {
    const auto health = readHealth(body("worker-health"));
    QCOMPARE(health.state, u"ACTIVE"_s);
    QCOMPARE(health.role, u"worker"_s);
    QCOMPARE(health.version, u"0.1.0"_s);
    QCOMPARE(health.loadedPercent, 100.0);
    QCOMPARE(health.partitions, setOf({{0, 127}}));
    QCOMPARE(health.space, u"fp-mfn512-bgr-1"_s);
    QCOMPARE(health.clientAuth, u"open"_s);
    QVERIFY(health.time && health.uptimeSeconds);
    QVERIFY(health.configEpoch.isEmpty());
}

void RepliesTest::coordinatorHealthIsRead() {
    const auto health = readHealth(body("coordinator-health"));
    QCOMPARE(health.role, u"coordinator"_s);
    QCOMPARE(health.configEpoch, u"b79f5eb445131c6d"_s);
    QCOMPARE(health.partitions, PartitionSet::all());
}

void RepliesTest::healthOfSomethingElseSaysNothing_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("plain text") << QByteArray("OK");
    QTest::newRow("another program") << QByteArray(R"({"status":"healthy"})");
    QTest::newRow("a state that is a number") << QByteArray(R"({"state":3})");
    QTest::newRow("nothing") << QByteArray();
}

void RepliesTest::healthOfSomethingElseSaysNothing() {
    QFETCH(QByteArray, body);
    QCOMPARE(readHealth(body), Health());
}

void RepliesTest::loadTellsUnownedPartitionsFromEmptyOnes() {
    const auto load = readVectorLoad(body("loaded-vectors"));
    QVERIFY(load);
    QCOMPARE(load->total, 5U);
    QCOMPARE(load->owned, setOf({{0, 127}}));
    QCOMPARE(load->partitions[67], quint64{1});
    QCOMPARE(load->partitions[0], quint64{0});
    QVERIFY(!load->partitions[128]);
    QCOMPARE(load->keyspaces.value(u"visitors"_s), 5U);
}

void RepliesTest::resourcesAreRead() {
    const auto resources = readResources(body("resource-stats"));
    QVERIFY(resources);
    QCOMPARE(resources->cores, 2);
    QVERIFY(resources->ramPercent && std::abs(*resources->ramPercent - 5.531) < 0.01);
    QVERIFY(resources->cpuPercent && resources->timestamp);
    QVERIFY(resources->gpus.isEmpty());
    const auto first = readResources(R"({"timestamp":"2026-01-05T08:00:00.000Z","cpu":{"cores":2,"percent":null}})");
    QVERIFY(first && !first->cpuPercent);
}

void RepliesTest::noLimitIsNothing() {
    const auto limits = readLimits(body("limits"));
    QVERIFY(limits);
    QCOMPARE(limits->enrollments, 6);
    QVERIFY(!limits->enrollmentsMost && !limits->keyspacesMost);
    const auto limited = readLimits(R"({"current_enrollment":1,"maximum_enrollment":100})");
    QCOMPARE(limited->enrollmentsMost, 100);
}

void RepliesTest::statusOfAnOutageIsRead() {
    const auto status = readClusterStatus(body("status-outage"));
    QVERIFY(status);
    QCOMPARE(status->configEpoch, u"b79f5eb445131c6d"_s);
    QCOMPARE(status->atRisk, setOf({{128, 255}}));
    QCOMPARE(status->thin, setOf({{0, 9}, {128, 255}}));
    QCOMPARE(status->nodesTotal, 2);
    QCOMPARE(status->nodesActive, 1);
    QCOMPARE(status->queueOps, 5U);
    QVERIFY(!status->replication);
    QCOMPARE(status->writeAcks, u"one"_s);
    QCOMPARE(status->warnings.size(), 4);
}

void RepliesTest::nodesOfAnOutageAreRead() {
    const auto nodes = readClusterNodes(body("nodes-outage"));
    QVERIFY(nodes);
    QCOMPARE(nodes->nodes.size(), 2);
    const auto& down = nodes->nodes[1];
    QCOMPARE(down.address, u"127.0.0.1:24104"_s);
    QCOMPARE(down.name, u"worker-2"_s);
    QCOMPARE(down.state, u"DOWN"_s);
    QCOMPARE(down.lastError, u"Couldn't connect to server"_s);
    QCOMPARE(down.queuedOps, 5U);
    QCOMPARE(down.partitions, setOf({{0, 9}, {128, 255}}));
    QVERIFY(nodes->nodes[0].lastError.isEmpty());
    QCOMPARE(nodes->nodes[0].latencyP99, 64.549);
}

void RepliesTest::queueOfAnOutageIsRead() {
    const auto queue = readClusterQueue(body("queue-outage"));
    QVERIFY(queue);
    QCOMPARE(queue->totalOps, 5U);
    QCOMPARE(queue->limitBytes, 8'589'934'592U);
    const auto& waiting = queue->nodes[1];
    QCOMPARE(waiting.state, QueueState::Accumulating);
    QCOMPARE(waiting.enrollments, 4U);
    QCOMPARE(waiting.keyspaceOps, 1U);
    QCOMPARE(waiting.inTotal, 5U);
    QVERIFY(waiting.oldestSeconds);
}

void RepliesTest::idleQueueHasNoOldestWrite() {
    const auto queue = readClusterQueue(body("queue"));
    QVERIFY(queue && !queue->nodes[0].oldestSeconds);
    QCOMPARE(queue->nodes[0].state, QueueState::Idle);
}

void RepliesTest::configKeepsItsTextAndTag() {
    const auto config = readRunningConfig(body("config"), "\"b79f5eb445131c6d\"");
    QVERIFY(config);
    QVERIFY(config->yaml.startsWith("# the map of this site\nversion: \"v1\"\n"));
    QCOMPARE(config->etag, "\"b79f5eb445131c6d\"");
    QCOMPARE(config->epoch, u"b79f5eb445131c6d"_s);
}

void RepliesTest::keyspacesOfAnOutageAreIncomplete() {
    const auto keyspaces = readKeyspaces(body("keyspaces-outage"));
    QVERIFY(keyspaces && !keyspaces->complete);
    QCOMPARE(keyspaces->list.size(), 3);
    QCOMPARE(keyspaces->list[2].name, u"visitors"_s);
    QCOMPARE(keyspaces->list[2].faces, 36U);
    QVERIFY(!keyspaces->list[2].matchThreshold && keyspaces->list[2].createdAt);
}

void RepliesTest::repairIsRead() {
    const auto repair = readRepairReport(body("repair"));
    QVERIFY(repair && !repair->running && repair->endedAt);
    QCOMPARE(repair->partitionsChecked, 10U);
}

void RepliesTest::wrongTypesAreRefused_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("a list") << QByteArray("[]");
    QTest::newRow("a text as nodes") << QByteArray(R"({"nodes":"none"})");
    QTest::newRow("a number among the nodes") << QByteArray(R"({"nodes":[1]})");
    QTest::newRow("a node without address") << QByteArray(R"({"nodes":[{"state":"ACTIVE"}]})");
    QTest::newRow("a range past 255") << QByteArray(
        R"({"nodes":[{"address":"a:1","partitions":[{"start":9,"end":256}]}]})");
    QTest::newRow("a range backwards") << QByteArray(
        R"({"nodes":[{"address":"a:1","partitions":[{"start":9,"end":3}]}]})");
    QTest::newRow("a negative count") << QByteArray(R"({"nodes":[{"address":"a:1","queued_ops":-1}]})");
    QTest::newRow("a broken count") << QByteArray(R"({"nodes":[{"address":"a:1","queued_ops":1.5}]})");
    QTest::newRow("a time that is none") << QByteArray(R"({"nodes":[{"address":"a:1","since":"yesterday"}]})");
}

void RepliesTest::wrongTypesAreRefused() {
    QFETCH(QByteArray, body);
    const auto nodes = readClusterNodes(body);
    QVERIFY(!nodes);
    QCOMPARE(nodes.error().reason, fremis::base::Reason::CorruptData);
}

void RepliesTest::cutBodiesAreRefused() {
    const auto whole = body("nodes-outage");
    for (qsizetype length = 0; length < whole.size(); ++length)
        QVERIFY2(!readClusterNodes(whole.left(length)), qPrintable(QString::number(length)));
    QVERIFY(readClusterNodes(whole));
}

void RepliesTest::metricsAreRead() {
    const auto metrics = readMetrics("# HELP latency_face_recognition ms\n"
                                     "latency_face_recognition{quantile=\"0.5\"} 12.25\n"
                                     "queue_face 3\r\n"
                                     "fremisn_requests_total{endpoint=\"GET /v1/x y\",status=\"200\"} 7 1767600000000\n"
                                     "not a sample\n\n");
    QCOMPARE(metrics.value(u"latency_face_recognition{quantile=\"0.5\"}"_s), 12.25);
    QCOMPARE(metrics.value(u"queue_face"_s), 3);
    QCOMPARE(metrics.value(u"fremisn_requests_total{endpoint=\"GET /v1/x y\",status=\"200\"}"_s), 7);
    QCOMPARE(metrics.size(), 3);
}

QTEST_GUILESS_MAIN(RepliesTest)
#include "replies_test.moc"

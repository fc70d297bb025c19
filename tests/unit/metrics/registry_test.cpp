#include "shared/metrics/registry.h"
#include "shared/metrics/server_metrics.h"
#include "tests/support/fake_clock.h"

#include <QRegularExpression>
#include <QtTest>

#include <thread>

using fremis::metrics::kMaxSeries;
using fremis::metrics::Registry;
using fremis::metrics::ServerMetrics;
using fremis::test::FakeClock;
using namespace std::chrono_literals;

namespace {

QStringList linesOf(const Registry& registry) {
    return QString::fromStdString(registry.prometheusText()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

bool has(const Registry& registry, const char* line) {
    return linesOf(registry).contains(QString::fromUtf8(line));
}

} // namespace

class RegistryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSameSeriesIsTheSameNumber();
    void textHasHelpTypeAndSample();
    void labelsAndHelpAreEscaped();
    void numbersAreWrittenAsPrometheusReadsThem_data();
    void numbersAreWrittenAsPrometheusReadsThem();
    void tooManySeriesShareOne();
    void aRemovedSeriesIsGone();
    void functionsAreAskedAtEachScrape();
    void aFunctionMayUseTheRegistry();
    void allPublicNamesExistFromTheStart_data();
    void allPublicNamesExistFromTheStart();
    void timersHaveTheQuantilesOfTheDashboards();
    void exactlyOneStateIsOne();
    void requestsAreCountedByRouteAndStatus();
    void everyLineIsWellFormed();
    void threadsLoseNothing();
};

void RegistryTest::theSameSeriesIsTheSameNumber() {
    const FakeClock clock;
    Registry registry(clock);
    registry.counter("c_total", "C.", {{"a", "1"}}).add(2);
    registry.counter("c_total", "C.", {{"a", "1"}}).add(3);
    registry.counter("c_total", "C.", {{"a", "2"}}).add();
    QVERIFY(has(registry, "c_total{a=\"1\"} 5"));
    QVERIFY(has(registry, "c_total{a=\"2\"} 1"));
}

void RegistryTest::textHasHelpTypeAndSample() {
    const FakeClock clock;
    Registry registry(clock);
    registry.gauge("queue", "Waiting requests.").set(3);
    QCOMPARE(registry.prometheusText(), std::string("# HELP queue Waiting requests.\n# TYPE queue gauge\nqueue 3\n"));
}

void RegistryTest::labelsAndHelpAreEscaped() {
    const FakeClock clock;
    Registry registry(clock);
    registry.counter("c_total", "Back\\slash\nand \"quotes\".", {{"path", "a\"b\\c\nd"}}).add();
    QVERIFY(has(registry, "# HELP c_total Back\\\\slash\\nand \"quotes\"."));
    QVERIFY(has(registry, "c_total{path=\"a\\\"b\\\\c\\nd\"} 1"));
}

void RegistryTest::numbersAreWrittenAsPrometheusReadsThem_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << 0.0 << QStringLiteral("0");
    QTest::newRow("fraction") << 12.5 << QStringLiteral("12.5");
    QTest::newRow("negative") << -1.0 << QStringLiteral("-1");
    QTest::newRow("large") << 1e21 << QStringLiteral("1e+21");
    QTest::newRow("not a number") << std::nan("") << QStringLiteral("NaN");
    QTest::newRow("infinite") << HUGE_VAL << QStringLiteral("+Inf");
    QTest::newRow("negative infinite") << -HUGE_VAL << QStringLiteral("-Inf");
}

void RegistryTest::numbersAreWrittenAsPrometheusReadsThem() {
    QFETCH(const double, value);
    QFETCH(const QString, text);
    const FakeClock clock;
    Registry registry(clock);
    registry.gauge("g", "G.").set(value);
    QCOMPARE(linesOf(registry).last(), QStringLiteral("g ") + text);
}

void RegistryTest::tooManySeriesShareOne() {
    const FakeClock clock;
    Registry registry(clock);
    for (std::size_t i = 0; i < kMaxSeries + 100; ++i)
        registry.counter("c_total", "C.", {{"key", std::to_string(i)}}).add();
    QVERIFY(linesOf(registry).size() <= static_cast<qsizetype>(kMaxSeries) + 3);
    QVERIFY(has(registry, "c_total{key=\"other\"} 100"));
}

void RegistryTest::aRemovedSeriesIsGone() {
    const FakeClock clock;
    Registry registry(clock);
    registry.gauge("up", "Up.", {{"node", "a"}}).set(1);
    registry.gauge("up", "Up.", {{"node", "b"}}).set(1);
    registry.removeGauge("up", {{"node", "a"}});
    registry.removeGauge("never_made", {});
    QVERIFY(!has(registry, "up{node=\"a\"} 1"));
    QVERIFY(has(registry, "up{node=\"b\"} 1"));
}

void RegistryTest::functionsAreAskedAtEachScrape() {
    const FakeClock clock;
    Registry registry(clock);
    int asked = 0;
    registry.gaugeFunction("asked", "Asked.", [&asked] { return static_cast<double>(++asked); });
    QVERIFY(has(registry, "asked 1"));
    QVERIFY(has(registry, "asked 2"));
}

void RegistryTest::aFunctionMayUseTheRegistry() {
    const FakeClock clock;
    Registry registry(clock);
    registry.gaugeFunction("asked", "Asked.", [&registry] {
        registry.counter("scrapes_total", "Scrapes.").add();
        return 1.0;
    });
    QVERIFY(has(registry, "scrapes_total 1"));
}

void RegistryTest::allPublicNamesExistFromTheStart_data() {
    QTest::addColumn<QString>("name");
    for (const char* name :
         {"latency_face_recognition", "latency_face_extraction", "latency_face_detection", "latency_face_id_search",
          "latency_create_enrollment", "queue_face", "fremisn_requests_total", "fremisn_vectors_loaded",
          "fremisn_state", "fremisn_queue_ops", "fremisn_queue_oldest_seconds", "fremisn_node_up",
          "fremisn_incomplete_searches_total", "fremisn_config_epoch_info"})
        QTest::newRow(name) << QString::fromUtf8(name);
}

void RegistryTest::allPublicNamesExistFromTheStart() {
    QFETCH(const QString, name);
    const FakeClock clock;
    Registry registry(clock);
    const ServerMetrics metrics(registry);
    QCOMPARE(linesOf(registry).filter(QStringLiteral("# TYPE ") + name + QLatin1Char(' ')).size(), 1);
}

void RegistryTest::timersHaveTheQuantilesOfTheDashboards() {
    const FakeClock clock;
    Registry registry(clock);
    ServerMetrics metrics(registry);
    for (const char* quantile : {"0.500000", "0.900000", "0.950000", "0.990000"})
        QVERIFY(has(registry, qPrintable(QStringLiteral("latency_face_recognition{quantile=\"%1\"} 0")
                                             .arg(QString::fromUtf8(quantile)))));
    metrics.faceRecognition.observe(16us);
    QVERIFY(has(registry, "latency_face_recognition{quantile=\"0.500000\"} 0.016"));
    QVERIFY(has(registry, "latency_face_recognition_count 1"));
    QVERIFY(has(registry, "latency_face_recognition_sum 0.016"));
}

void RegistryTest::exactlyOneStateIsOne() {
    const FakeClock clock;
    Registry registry(clock);
    ServerMetrics metrics(registry);
    QVERIFY(has(registry, "fremisn_state{state=\"LOADING\"} 1"));
    metrics.setState("ACTIVE");
    QVERIFY(has(registry, "fremisn_state{state=\"ACTIVE\"} 1"));
    for (const char* other : {"DOWN", "LOADING", "CATCHING_UP"})
        QVERIFY(
            has(registry, qPrintable(QStringLiteral("fremisn_state{state=\"%1\"} 0").arg(QString::fromUtf8(other)))));
}

void RegistryTest::requestsAreCountedByRouteAndStatus() {
    const FakeClock clock;
    Registry registry(clock);
    ServerMetrics metrics(registry);
    metrics.declareEndpoint("/v1/face/match");
    QVERIFY(has(registry, "fremisn_requests_total{endpoint=\"/v1/face/match\",status=\"200\"} 0"));
    metrics.countRequest("/v1/face/match", 200);
    metrics.countRequest("/v1/face/match", 400);
    QVERIFY(has(registry, "fremisn_requests_total{endpoint=\"/v1/face/match\",status=\"200\"} 1"));
    QVERIFY(has(registry, "fremisn_requests_total{endpoint=\"/v1/face/match\",status=\"400\"} 1"));
}

void RegistryTest::everyLineIsWellFormed() {
    const FakeClock clock;
    Registry registry(clock);
    ServerMetrics metrics(registry);
    metrics.countRequest("/v1/face/match", 200);
    metrics.createEnrollment.observe(70ms);
    // The grammar of the text exposition format 0.0.4, without time stamps.
    static const QRegularExpression line(QStringLiteral("^(# HELP [a-z_]+ .+|# TYPE [a-z_]+ (counter|gauge|summary)|"
                                                        "[a-z_]+(\\{[a-z_]+=\"([^\"\\\\]|\\\\.)*\"(,[a-z_]+=\"([^"
                                                        "\"\\\\]|\\\\.)*\")*\\})? (-?[0-9.e+-]+|NaN|[+-]Inf))$"));
    for (const auto& text : linesOf(registry))
        QVERIFY2(line.match(text).hasMatch(), qPrintable(text));
    QVERIFY(registry.prometheusText().ends_with('\n'));
}

void RegistryTest::threadsLoseNothing() {
    const FakeClock clock;
    Registry registry(clock);
    ServerMetrics metrics(registry);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
            for (int j = 0; j < 2'000; ++j) {
                metrics.countRequest("/v1/face/match", 200 + i);
                metrics.countRequest("/v1/face/recognition", 200);
                metrics.queueFace.add(j % 2 == 0 ? 1 : -1);
                if (j % 200 == 0)
                    static_cast<void>(registry.prometheusText());
            }
        });
    }
    for (auto& thread : threads)
        thread.join();
    QVERIFY(has(registry, "fremisn_requests_total{endpoint=\"/v1/face/recognition\",status=\"200\"} 8000"));
    QVERIFY(has(registry, "queue_face 0"));
}

QTEST_GUILESS_MAIN(RegistryTest)
#include "registry_test.moc"

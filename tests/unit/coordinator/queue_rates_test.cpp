#include "coordinator/cluster/queue_rates.h"

#include <QtTest>

using namespace fremis;
using namespace fremis::coordinator;
using namespace std::chrono_literals;

namespace {

constexpr storage::NodeId kNode{1};

QueueStats totals(std::uint64_t queued, std::uint64_t left) {
    QueueStats stats;
    stats.targets[kNode].queuedInTotal = queued;
    stats.targets[kNode].leftInTotal = left;
    return stats;
}

std::chrono::steady_clock::time_point at(int second) {
    return std::chrono::steady_clock::time_point(1h) + std::chrono::seconds(second);
}

} // namespace

class QueueRatesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingIsKnownBeforeTheSecondSample() {
        QueueRates rates;
        QCOMPARE(rates.of(kNode).inPerSecond, 0.0);
        rates.add(at(0), totals(500, 100));
        QCOMPARE(rates.of(kNode).inPerSecond, 0.0);
        QCOMPARE(rates.of(kNode).outPerSecond, 0.0);
    }

    void ratesAreOfTheLastTenSeconds() {
        QueueRates rates;
        for (int second = 0; second <= 5; ++second)
            rates.add(at(second), totals(100 * static_cast<std::uint64_t>(second), 0));
        QCOMPARE(rates.of(kNode).inPerSecond, 100.0);
        for (int second = 6; second <= 30; ++second)
            rates.add(at(second), totals(500, 20 * static_cast<std::uint64_t>(second)));
        QCOMPARE(rates.of(kNode).inPerSecond, 0.0);
        QCOMPARE(rates.of(kNode).outPerSecond, 20.0);
    }

    void aGapInTheSamplesIsNoRate() {
        QueueRates rates;
        rates.add(at(0), totals(0, 0));
        rates.add(at(60), totals(6'000, 0));
        QCOMPARE(rates.of(kNode).inPerSecond, 0.0);
        rates.add(at(61), totals(6'010, 0));
        QCOMPARE(rates.of(kNode).inPerSecond, 10.0);
    }

    void aNodeThatWasForgottenBeginsAnew() {
        QueueRates rates;
        rates.add(at(0), totals(1'000, 1'000));
        rates.add(at(1), totals(3, 0));
        QCOMPARE(rates.of(kNode).inPerSecond, 0.0);
        QCOMPARE(rates.of(storage::NodeId{9}).outPerSecond, 0.0);
    }
};

QTEST_GUILESS_MAIN(QueueRatesTest)
#include "queue_rates_test.moc"

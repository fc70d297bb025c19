#include "shared/base/error.h"
#include "shared/base/ids.h"
#include "shared/base/log.h"
#include "shared/base/version.h"
#include "shared/base/work_pool.h"

#include <QtTest>

#include <atomic>
#include <set>

using namespace fremis::base;

namespace {

class SteppingClock final : public Clock {
public:
    std::chrono::milliseconds now{1'700'000'000'000};
    std::chrono::milliseconds sinceEpoch() const override { return now; }
    std::chrono::steady_clock::time_point steady() const override { return {}; }
};

} // namespace

class BaseTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void reasonTableHasEachReasonOnceInEnumOrder() {
        std::set<std::string_view> tokens;
        for (std::size_t i = 0; i < reasonTable().size(); ++i) {
            const auto& row = reasonTable()[i];
            QCOMPARE(static_cast<std::size_t>(row.reason), i);
            QVERIFY(row.status >= 400 && row.status <= 599);
            QVERIFY(tokens.insert(row.token).second);
            QVERIFY(reasonOfToken(row.token) == row.reason);
        }
        QCOMPARE(reasonTable().back().reason, Reason::CorruptData);
    }

    void faceIdRule_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("accepted");
        QTest::newRow("digits") << QByteArray("1234567891") << true;
        QTest::newRow("sql") << QByteArray("'; DROP TABLE enrollment;--") << true;
        QTest::newRow("path") << QByteArray("../../etc/passwd") << true;
        QTest::newRow("emoji") << QByteArray("\xF0\x9F\x98\x80") << true;
        QTest::newRow("255 bytes") << QByteArray(255, 'x') << true;
        QTest::newRow("empty") << QByteArray() << false;
        QTest::newRow("256 bytes") << QByteArray(256, 'x') << false;
        QTest::newRow("leading space") << QByteArray(" a") << false;
        QTest::newRow("trailing space") << QByteArray("a ") << false;
        QTest::newRow("line feed") << QByteArray("a\nb") << false;
        QTest::newRow("NUL") << QByteArray("a\0b", 3) << false;
        QTest::newRow("DEL") << QByteArray("a\x7F") << false;
        QTest::newRow("C1 control") << QByteArray("a\xC2\x85") << false;
        QTest::newRow("line separator") << QByteArray("a\xE2\x80\xA8") << false;
        QTest::newRow("bidi override") << QByteArray("a\xE2\x80\xAE") << false;
        QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBF"
                                                       "a")
                                         << false;
        QTest::newRow("overlong") << QByteArray("\xC0\xAF") << false;
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << false;
        QTest::newRow("cut sequence") << QByteArray("a\xE2\x80") << false;
    }
    void faceIdRule() {
        QFETCH(QByteArray, text);
        QFETCH(bool, accepted);
        const auto id = FaceId::parse(text.toStdString());
        QCOMPARE(id.has_value(), accepted);
        if (accepted)
            QCOMPARE(id->text(), text.toStdString());
        else
            QCOMPARE(id.error().reason, Reason::InvalidFaceId);
    }

    void keyspaceRule() {
        for (const char* good : {"default", "Korlantas", "a-b", "CON", "...", "\xC3\xA9"})
            QVERIFY2(KeyspaceName::parse(good).has_value(), good);
        for (const char* bad : {"", ".", "..", "a/b", "a\\b", " a"})
            QVERIFY2(!KeyspaceName::parse(bad).has_value(), bad);
        QVERIFY(!KeyspaceName::parse(std::string(129, 'k')).has_value());
    }

    void variationIsAnUnsigned64BitDecimal() {
        QCOMPARE(Variation::parse("18446744073709551615")->value(), std::numeric_limits<std::uint64_t>::max());
        QCOMPARE(Variation::parse("18446744073709551615")->text(), std::string("18446744073709551615"));
        for (const char* bad : {"", "-1", "+1", "01", "1.0", "18446744073709551616", "1 ", "x"})
            QVERIFY2(!Variation::parse(bad).has_value(), bad);
    }

    void versionsRiseWhenTheClockStepsBack() {
        SteppingClock clock;
        VersionClock versions(clock, 7);
        const auto first = versions.next();
        clock.now -= std::chrono::hours(1);
        const auto second = versions.next();
        QVERIFY(second > first);
        versions.observe({second.stamp + 100, 9});
        QVERIFY(versions.next() > (Version{second.stamp + 100, 9}));
    }

    void versionCounterCarriesIntoTheMilliseconds() {
        SteppingClock clock;
        VersionClock versions(clock, 1);
        Version last = versions.next();
        for (int i = 0; i < 70'000; ++i) {
            const auto next = versions.next();
            QVERIFY(next > last);
            last = next;
        }
        QCOMPARE(last.time(), clock.now + std::chrono::milliseconds(1));
    }

    void isoTimeIsUtcWithMilliseconds() {
        QCOMPARE(isoTime(std::chrono::milliseconds(1'767'600'000'123)), std::string("2026-01-05T08:00:00.123Z"));
    }

    void jsonQuotedKeepsOneLineAndValidText() {
        QCOMPARE(jsonQuoted("a\"b\\\r\n\x1b\x7f\xC3\xA9\xFF"),
                 std::string("\"a\\\"b\\\\\\u000d\\u000a\\u001b\\u007f\xC3\xA9\xEF\xBF\xBD\""));
    }

    void poolRefusesBeyondItsCapacityAndFinishesWhatItTook() {
        std::atomic<int> done = 0;
        std::mutex gate;
        gate.lock();
        std::atomic<bool> started = false;
        WorkPool pool("test", 1, 2);
        QVERIFY(pool.tryRun([&](int) {
            started = true;
            const std::scoped_lock wait(gate);
            ++done;
        }));
        QTRY_VERIFY(started);
        QVERIFY(pool.tryRun([&](int) { ++done; }));
        QVERIFY(pool.tryRun([&](int) { ++done; }));
        QVERIFY(!pool.tryRun([&](int) { ++done; }));
        QCOMPARE(pool.waiting(), 2u);
        gate.unlock();
        pool.stop();
        QCOMPARE(done.load(), 3);
        QVERIFY(!pool.tryRun([](int) {}));
    }
};

QTEST_GUILESS_MAIN(BaseTest)
#include "base_test.moc"

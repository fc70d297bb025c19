#include "coordinator/cluster/write_queue.h"
#include "tests/support/fake_clock.h"
#include "tests/support/faulty_vfs.h"
#include "tests/unit/coordinator/queue_fixture.h"

#include <atomic>
#include <future>

using namespace fremis;
using namespace fremis::coordinator;
using namespace fremis::coordinator::test;
using fremis::test::FaultyVfs;

namespace {

/// A done function and the future of what it gets.
template<class T> auto promised(std::future<base::Result<T>>& future) {
    auto promise = std::make_shared<std::promise<base::Result<T>>>();
    future = promise->get_future();
    return [promise](base::Result<T> result) { promise->set_value(std::move(result)); };
}

template<class T> base::Result<T> wait(std::future<base::Result<T>>& future) {
    if (future.wait_for(30s) != std::future_status::ready)
        return base::fail(base::Reason::RequestTimeout, "no answer");
    return future.get();
}

} // namespace

class WriteQueueTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() {
        FaultyVfs::instance().releaseSyncs();
        (void)FaultyVfs::instance().clear();
    }

    void callsAreAnsweredInTheirOrder() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        const fremis::test::FakeClock clock;
        WriteQueue queue(fixture.release(), clock);
        std::future<base::Result<std::vector<Placed>>> appended;
        std::future<base::Result<std::vector<QueueEntry>>> first, second;
        std::future<base::Result<void>> confirmed;
        std::future<base::Result<QueueStats>> stats;
        queue.append({record(1, "a", "one"), record(1, "b", "two")}, promised(appended));
        queue.next(node(1), 0, 10, promised(first));
        queue.confirm(node(1), {1}, promised(confirmed));
        queue.next(node(1), 0, 10, promised(second));
        queue.stats(promised(stats));
        QCOMPARE(wait(appended)->size(), 2U);
        const auto entries = wait(first);
        QCOMPARE(entries->size(), 2U);
        QVERIFY(entries->front().queuedAt == clock.sinceEpoch());
        QVERIFY(wait(confirmed));
        QCOMPARE(wait(second)->front().bytes, std::string("two"));
        QCOMPARE(wait(stats)->ops, 1U);
    }

    void waitingAppendsShareACommit() {
        QueueFixture fixture;
        fixture.options.vfs = FaultyVfs::instance().name();
        QVERIFY(fixture.open());
        const base::SystemClock clock;
        WriteQueue queue(fixture.release(), clock);
        std::promise<void> go;
        std::future<base::Result<void>> waited;
        queue.call<void>(
            [&](QueueStore&) {
                go.get_future().wait();
                return base::Status();
            },
            promised(waited));
        std::vector<std::future<base::Result<std::vector<Placed>>>> answers(200);
        for (std::size_t i = 0; i < answers.size(); ++i)
            queue.append({record(1, "f", std::to_string(i))}, promised(answers[i]));
        // Never reached by one commit and the first tidying, but by a commit for each append.
        FaultyVfs::instance().failNth(FaultyVfs::Fault::SyncError, 10);
        go.set_value();
        QVERIFY(wait(waited));
        for (auto& answer : answers)
            QVERIFY(wait(answer));
        QVERIFY(!FaultyVfs::instance().clear());
    }

    void whatWaitsIsBounded() {
        QueueFixture fixture;
        fixture.options.vfs = FaultyVfs::instance().name();
        QVERIFY(fixture.open());
        const base::SystemClock clock;
        WriteQueue::Limits limits;
        limits.waitingBytes = 100'000;
        limits.waitingCalls = 50;
        WriteQueue queue(fixture.release(), clock, limits);
        FaultyVfs::instance().holdSyncs();
        std::vector<std::future<base::Result<std::vector<Placed>>>> large(20), small(200);
        for (auto& answer : large)
            queue.append({record(1, "f", std::string(10'000, 'x'))}, promised(answer));
        QVERIFY(queue.waitingBytes() <= limits.waitingBytes);
        for (auto& answer : small)
            queue.append({record(1, "f", "x")}, promised(answer));
        FaultyVfs::instance().releaseSyncs();
        std::size_t refused = 0;
        for (auto* answers : {&large, &small})
            for (auto& answer : *answers)
                if (const auto result = wait(answer); !result) {
                    QCOMPARE(result.error().reason, base::Reason::Overloaded);
                    ++refused;
                }
        QVERIFY(refused >= 11);
        std::future<base::Result<std::vector<Placed>>> again;
        queue.append({record(1, "f", "x")}, promised(again));
        QVERIFY(wait(again));
    }

    void answersGoWhereTheyAreWanted() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        const base::SystemClock clock;
        std::mutex mutex;
        std::vector<std::function<void()>> posted;
        WriteQueue queue(fixture.release(), clock, [&](std::function<void()> run) {
            const std::lock_guard lock(mutex);
            posted.push_back(std::move(run));
        });
        bool answered = false;
        queue.append({record(1, "a", "x")}, [&](const auto& placed) { answered = placed.has_value(); });
        queue.stop();
        queue.append({record(1, "a", "x")},
                     [&](const auto& placed) { QCOMPARE(placed.error().reason, base::Reason::NotReady); });
        QVERIFY(!answered);
        QCOMPARE(posted.size(), 2U);
        for (const auto& run : posted)
            run();
        QVERIFY(answered);
    }

    void acceptedCallsAreFinishedAtTheEnd() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        std::atomic<int> answered = 0;
        {
            const base::SystemClock clock;
            WriteQueue queue(fixture.release(), clock);
            for (int i = 0; i < 1000; ++i)
                queue.append({record(1, "a", "x")}, [&](const auto& placed) { answered += placed.has_value(); });
            queue.move(node(1), hashing::PartitionSet::all(), {node(2)},
                       [&](const auto& moved) { answered += moved.has_value(); });
        }
        QCOMPARE(answered.load(), 1001);
        QVERIFY(fixture.open());
        QCOMPARE(fixture.stats(1).ops, 0U);
        QCOMPARE(fixture.stats(2).ops, 1000U);
    }

    void deletedBytesLeaveTheDiskByThemselves() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        const base::SystemClock clock;
        WriteQueue::Limits limits;
        limits.tidyEvery = 20ms;
        WriteQueue queue(fixture.release(), clock, limits);
        std::future<base::Result<std::vector<Placed>>> appended;
        queue.append({record(1, "a", "secret")}, promised(appended));
        QVERIFY(wait(appended));
        std::future<base::Result<void>> confirmed;
        queue.confirm(node(1), {1}, promised(confirmed));
        QVERIFY(wait(confirmed));
        QTRY_VERIFY_WITH_TIMEOUT(!readFile(fixture.file("queue.sqlite-wal")).contains("secret") &&
                                     !readFile(fixture.file("queue.sqlite")).contains("secret"),
                                 20000);
    }
};

QTEST_GUILESS_MAIN(WriteQueueTest)
#include "write_queue_test.moc"

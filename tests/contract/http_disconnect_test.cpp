#include "tests/contract/http_fixture.h"

#include <QtTest>

#include <atomic>
#include <random>
#include <thread>

using namespace std::chrono_literals;
using fremis::test::HttpFixture;
using fremis::test::RawClient;
using fremis::test::requestText;
using fremis::test::residentBytes;

namespace {

constexpr int kDisconnects = 100'000;
constexpr int kClientThreads = 4;

enum class Farewell { Fin, Reset, HalfCloseThenFin, HalfCloseThenReset };

/// Requests for every kind of handler; /hold is answered by nobody until the end.
std::vector<std::string> requests() {
    return {requestText("GET", "/sync"),
            requestText("POST", "/echo", "{\"here\":1}"),
            requestText("POST", "/pool", "{\"pool\":1}"),
            requestText("POST", "/pool", std::string(2'000, ' ')),
            requestText("POST", "/hold", "{}"),
            requestText("GET", "/drop"),
            requestText("GET", "/nothing"),
            requestText("POST", "/pool", "{}", "Expect: 100-continue\r\n"),
            "POST /pool HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[1,2]\r\n0\r\n\r\n",
            requestText("POST", "/pool", "{}") + requestText("GET", "/sync") + requestText("POST", "/pool", "{}"),
            "nonsense\r\n"};
}

/// One connection that ends at a random moment: before, amid or after its request, before or amid the answer.
void comeAndGo(std::uint16_t port, const std::vector<std::string>& texts, std::mt19937& random,
               std::atomic<int>& connected) {
    const auto upTo = [&random](std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most)(random);
    };
    RawClient client(port, 0, static_cast<std::uint8_t>(1 + upTo(250)));
    if (!client.connected())
        return;
    ++connected;
    const std::string& text = texts[upTo(texts.size() - 1)];
    // Half of the requests are sent whole: the handler runs while the client leaves.
    client.send(std::string_view(text).substr(0, upTo(1) == 0 ? text.size() : upTo(text.size())), 1s);
    if (upTo(3) == 0)
        std::this_thread::yield();
    if (upTo(7) == 0)
        static_cast<void>(client.readSome(1 + upTo(200), 1ms));
    switch (static_cast<Farewell>(upTo(3))) {
    case Farewell::Fin:
        return client.close();
    case Farewell::Reset:
        return client.reset();
    case Farewell::HalfCloseThenFin:
        client.halfClose();
        return client.close();
    case Farewell::HalfCloseThenReset:
        client.halfClose();
        return client.reset();
    }
}

} // namespace

class HttpDisconnectTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aHundredThousandClientsThatLeaveHarmNobody() {
        HttpFixture fixture;
        QVERIFY(fixture.works());
        std::atomic<int> connected{0};
        const auto storm = [&](int count, unsigned seed) {
            std::vector<std::thread> threads;
            for (int t = 0; t < kClientThreads; ++t) {
                threads.emplace_back([&, t] {
                    std::mt19937 random(seed + static_cast<unsigned>(t));
                    const auto texts = requests();
                    for (int i = 0; i < count / kClientThreads; ++i)
                        comeAndGo(fixture.port(), texts, random, connected);
                });
            }
            for (std::thread& thread : threads)
                thread.join();
        };
        // A request for /hold may still be on its way when the clients have left: release() until none is held.
        const auto connectionsLeft = [&fixture] {
            fixture.release();
            return fixture.server().connections();
        };
        storm(kDisconnects / 10, 1); // what a server keeps for good, it has by now
        QTRY_COMPARE_WITH_TIMEOUT(connectionsLeft(), 0u, 30'000);
        const std::size_t before = residentBytes();
        for (unsigned round = 1; round < 10; ++round) {
            storm(kDisconnects / 10, round * 100);
            QVERIFY(fixture.works());
            fixture.release();
        }
        QTRY_COMPARE_WITH_TIMEOUT(connectionsLeft(), 0u, 30'000);
        qInfo("%d connections, %d requests handled, resident %+lld KiB", connected.load(), fixture.handled(),
              (static_cast<long long>(residentBytes()) - static_cast<long long>(before)) / 1024);
        QVERIFY(connected.load() > kDisconnects * 9 / 10);
        QVERIFY(fixture.handled() > kDisconnects / 20); // most leave before their request is read
        QVERIFY(residentBytes() < before + 64u * 1024 * 1024);
        QVERIFY(fixture.works());
    }

    void clientsThatLeaveDoNotDelayOthers() {
        HttpFixture fixture;
        std::atomic<bool> stop{false};
        std::thread leaving([&] {
            std::mt19937 random(7);
            const auto texts = requests();
            std::atomic<int> connected{0};
            while (!stop)
                comeAndGo(fixture.port(), texts, random, connected);
        });
        auto client = fixture.client();
        bool served = true;
        for (int i = 0; i < 2'000 && served; ++i) {
            const std::string body = "{\"n\":" + std::to_string(i) + "}";
            const auto response = client.ask(requestText("POST", i % 2 == 0 ? "/pool" : "/echo", body));
            served = response && response->status == 200 && response->body == body; // never another client's answer
        }
        stop = true;
        leaving.join();
        QVERIFY(served);
        fixture.release();
    }
};

QTEST_GUILESS_MAIN(HttpDisconnectTest)
#include "http_disconnect_test.moc"

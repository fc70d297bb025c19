#include "coordinator/cluster/known_nodes.h"
#include "coordinator/cluster/queue_store.h"
#include "shared/storage/operation_codec.h"
#include "tests/bench/cluster_load.h"
#include "tests/support/face_client.h"

#include <QJsonArray>

#include <atomic>
#include <cstdio>
#include <future>
#include <thread>

namespace fremis::bench {

using namespace std::chrono_literals;

namespace {

constexpr int kSurvivor = 0;
constexpr int kReturning = 1;

test::ClusterOptions twoReplicas() {
    test::ClusterOptions options;
    options.workers = 2;
    options.replicas = 2;
    return options;
}

/// Asks at fixed times whatever the answers take, and counts from when it was due: a stall delays all behind it.
class SteadySearches {
public:
    SteadySearches(int port, std::string question, double perSecond) {
        for (int client = 0; client < kClients; ++client)
            m_each.push_back(std::async(std::launch::async, [=, this] {
                SearchClient searcher(port);
                const auto interval =
                    std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(kClients / perSecond));
                std::vector<double> times;
                for (auto due = Clock::now(); !m_ended; due += interval) {
                    std::this_thread::sleep_until(due);
                    (void)searcher.search(question);
                    times.push_back(secondsSince(due) * 1000);
                }
                return times;
            }));
    }
    std::vector<double> end() {
        m_ended = true;
        std::vector<double> all;
        for (auto& one : m_each) {
            const auto times = one.get();
            all.insert(all.end(), times.begin(), times.end());
        }
        return all;
    }

private:
    static constexpr int kClients = 4;
    std::atomic<bool> m_ended = false;
    std::vector<std::future<std::vector<double>>> m_each;
};

QJsonObject queueOf(test::HttpClient& client, const std::string& address) {
    const auto answer = client.get("/v1/cluster/queue");
    const auto nodes = answer ? answer->json().value(QStringLiteral("nodes")).toArray() : QJsonArray();
    for (const auto node : nodes)
        if (node.toObject().value(QStringLiteral("address")).toString().toStdString() == address)
            return node.toObject();
    return {};
}

std::string addressOf(const test::TestCluster& cluster, int worker) {
    return "127.0.0.1:" + std::to_string(cluster.workerPort(worker));
}

/// What the coordinator writes down when a replica misses enrolments, by the same code, while it is stopped: through
/// its API each of them would take a photo and a run of the model.
void queueFor(const test::TestCluster& cluster, int worker, const std::vector<storage::AddVariation>& faces) {
    const std::filesystem::path folder = cluster.coordinatorDir();
    const auto known = coordinator::KnownNodes::load(folder / "nodes");
    const auto address = routing::Address::parse(addressOf(cluster, worker));
    const auto node = known && address ? known->at(*address) : std::nullopt;
    require(node.has_value(), "the coordinator does not know the worker");
    coordinator::QueueOptions options;
    options.directory = folder;
    auto store = coordinator::openSqliteQueue(options);
    require(store.has_value(), "the queue did not open");
    std::vector<coordinator::QueueRecord> batch;
    for (const auto& face : faces) {
        batch.push_back({*node, coordinator::QueuedKind::Enrollment, face.opId, face.row.partition,
                         face.row.incarnation, face.row.face.text(), storage::encode(face)});
        if (batch.size() < 512 && &face != &faces.back())
            continue;
        require((*store)->append(batch, base::SystemClock().sinceEpoch()).has_value(), "the queue refused records");
        batch.clear();
    }
}

void printTimes(const char* what, const std::vector<double>& times) {
    std::printf("| %s | %zu | %.2f | %.2f | %.2f |\n", what, times.size(), percentile(times, 0.5),
                percentile(times, 0.99), percentile(times, 1));
}

} // namespace

void replay(int count) {
    constexpr double kSearchesPerSecond = 40;
    const auto cluster = startCluster(twoReplicas());
    auto faces = fillEach(*cluster, 1'000);
    const auto question = searchBody(faces.embedding(), 5);
    cluster->kill(kReturning);
    require(cluster->coordinator().stop() == 0, "the coordinator did not stop");
    std::vector<storage::AddVariation> missed;
    for (int i = 0; i < count; ++i)
        missed.push_back(faces.next());
    queueFor(*cluster, kReturning, missed);
    std::vector<std::string> records;
    for (const auto& face : missed)
        records.push_back(storage::encode(face));
    require(PreparedFaces::store(cluster->workerPort(kSurvivor), records), "the survivor refused faces");
    require(cluster->restartCoordinator() && cluster->waitComplete(), "the coordinator did not come back");

    SteadySearches quiet(cluster->port(), question, kSearchesPerSecond);
    std::this_thread::sleep_for(20s);
    const auto quietTimes = quiet.end();

    test::HttpClient client("127.0.0.1", cluster->port());
    const auto address = addressOf(*cluster, kReturning);
    require(queueOf(client, address).value(QStringLiteral("ops")).toInt() == count, "the queue is not full");
    SteadySearches starting(cluster->port(), question, kSearchesPerSecond);
    require(cluster->restart(kReturning), "the worker did not come back");
    const auto waitBelow = [&](int limit) {
        int ops = count;
        for (; ops >= limit; std::this_thread::sleep_for(50ms))
            ops = queueOf(client, address).value(QStringLiteral("ops")).toInt();
    };
    waitBelow(count);
    const auto first = Clock::now();
    const auto startingTimes = starting.end();
    SteadySearches during(cluster->port(), question, kSearchesPerSecond);
    waitBelow(1);
    const double drained = secondsSince(first);
    const auto duringTimes = during.end();
    const auto healing = Clock::now();
    require(cluster->waitAllActive(), "the worker did not become active");
    std::printf("%d enrolments replayed in %.1f s (%.0f a second); active %.1f s later\n\n", count, drained,
                count / drained, secondsSince(healing));
    std::printf("| searches, %.0f a second | number | p50 ms | p99 | max |\n|---|---:|---:|---:|---:|\n",
                kSearchesPerSecond);
    printTimes("before", quietTimes);
    printTimes("while the worker starts", startingTimes);
    printTimes("during replay", duringTimes);
    std::printf("\np99 during replay / before: %.2f\n", percentile(duringTimes, 0.99) / percentile(quietTimes, 0.99));
}

void memory(int seconds, int deletesPerSecond) {
    constexpr int kClients = 16;
    const auto cluster = startCluster(twoReplicas());
    auto faces = PreparedFaces::of(cluster->workerPort(kSurvivor));
    require(faces.has_value(), "the worker tells nothing of itself");
    std::vector<std::string> ids, records;
    for (int i = 0; i < seconds * deletesPerSecond; ++i) {
        const auto face = faces->next();
        ids.push_back(face.row.face.text());
        records.push_back(storage::encode(face));
    }
    for (const int worker : {kSurvivor, kReturning})
        require(PreparedFaces::store(cluster->workerPort(worker), records), "a worker refused faces");
    records.clear();
    const auto pid = cluster->coordinatorPid();
    std::printf("resident before: %.0f MiB\n", memoryMebibytes(pid, "VmRSS"));
    cluster->kill(kReturning);

    std::atomic<std::size_t> next = 0, failed = 0, enrolled = 0;
    const auto begin = Clock::now();
    std::vector<std::future<void>> clients;
    for (int i = 0; i < kClients; ++i)
        clients.push_back(std::async(std::launch::async, [&] {
            test::HttpClient client("127.0.0.1", cluster->port());
            for (std::size_t at = next++; at < ids.size(); at = next++) {
                std::this_thread::sleep_until(
                    begin + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(static_cast<double>(at) / deletesPerSecond)));
                const auto answer = client.send("POST", "/v1/face/delete-enrollment",
                                                R"({"keyspace":"default","face_ids":[")" + ids[at] + R"("]})",
                                                {{"Content-Type", "application/json"}});
                failed += !answer || answer->status != 200;
            }
        }));
    clients.push_back(std::async(std::launch::async, [&] {
        test::FaceClient client(cluster->port());
        const auto photo = test::photoBase64("jesper.jpg");
        while (next < ids.size())
            client.enrol(photo, QStringLiteral("default")).status == 200 ? ++enrolled : ++failed;
    }));
    std::printf("\n| after s | writes | resident MiB |\n|---:|---:|---:|\n");
    for (int passed = 10; passed <= seconds; passed += 10) {
        std::this_thread::sleep_until(begin + std::chrono::seconds(passed));
        std::printf("| %d | %zu | %.1f |\n", passed, next.load() + enrolled, memoryMebibytes(pid, "VmRSS"));
        std::fflush(stdout);
    }
    for (auto& client : clients)
        client.get();
    const double took = secondsSince(begin);
    test::HttpClient client("127.0.0.1", cluster->port());
    const auto queue = queueOf(client, addressOf(*cluster, kReturning));
    std::printf("\n%zu deletes and %zu enrolments in %.1f s (%.0f writes a second), %zu refused; queued %d, %.1f MB; "
                "at most %.0f MiB resident\n",
                ids.size(), enrolled.load(), took, static_cast<double>(ids.size() + enrolled) / took, failed.load(),
                queue.value(QStringLiteral("ops")).toInt(), queue.value(QStringLiteral("bytes")).toDouble() / 1e6,
                memoryMebibytes(pid, "VmHWM"));
}

} // namespace fremis::bench

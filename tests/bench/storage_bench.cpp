// What the stores cost: durable writes alone and together, and the load at start.
//   storage_bench commit sqlite DIRECTORY            storage_bench commit postgres
//   storage_bench load sqlite DIRECTORY ROWS         storage_bench load postgres ROWS
// `commit` alternates one writer and 64 writers, several rounds, so that drift of the machine hits both alike. `load`
// fills a store with ROWS x 512 floats (once per directory), then scans it into touched memory. A private PostgreSQL,
// with fsync on, is started for the postgres forms. Speed depends on the disk: DIRECTORY should lie on the one that
// matters.

#include "shared/base/log.h"
#include "shared/hashing/partition.h"
#include "shared/storage/group_commit.h"
#include "shared/storage/postgres/postgres_store.h"
#include "shared/storage/sqlite/sqlite_store.h"
#include "tests/support/postgres_server.h"

#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>

using namespace fremis;
using namespace fremis::storage;

namespace {

constexpr int kDimension = 512;
using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Random unit vectors are dear to make; a few thousand, used again with other ids, are as good for a store.
std::vector<std::vector<float>> makeEmbeddings() {
    std::mt19937_64 random(1);
    std::normal_distribution<float> normal;
    std::vector<std::vector<float>> made(2048, std::vector<float>(kDimension));
    for (auto& values : made) {
        double square = 0;
        for (auto& value : values) {
            value = normal(random);
            square += static_cast<double>(value) * static_cast<double>(value);
        }
        for (auto& value : values)
            value = static_cast<float>(value / std::sqrt(square));
    }
    return made;
}

AddVariation enrolment(std::uint64_t number) {
    static const auto kEmbeddings = makeEmbeddings();
    static const auto kIncarnation = deriveIncarnation(base::KeyspaceName::trusted("default"), {});
    const auto face = std::to_string(1'767'600'000'000'000'000U + number);
    AddVariation add{{kIncarnation,
                      base::FaceId::trusted(face),
                      base::Variation(number * 0x9E3779B97F4A7C15U),
                      hashing::partitionOf("default", face),
                      {number + 1, 1},
                      "bench",
                      kEmbeddings[number % kEmbeddings.size()],
                      4.0,
                      std::chrono::milliseconds(1)},
                     {},
                     false};
    std::memcpy(add.opId.data(), &add.row.version.stamp, sizeof(std::uint64_t));
    const auto spread = number * 0xD6E8FEB86659FD93U; // op ids are random in life, which an index feels
    std::memcpy(add.opId.data() + 8, &spread, sizeof spread);
    return add;
}

void require(bool good, const char* what) {
    if (good)
        return;
    std::fprintf(stderr, "storage_bench: %s\n", what);
    std::exit(1);
}

/// Writes per second of `writers` threads during `seconds`, through one GroupCommit.
double rateOf(EnrollmentStore& store, int writers, double seconds, std::atomic<std::uint64_t>& next) {
    GroupCommit commits(store);
    std::atomic<bool> stopped{false};
    std::atomic<std::uint64_t> done{0};
    std::vector<std::thread> threads;
    const auto start = Clock::now();
    for (int i = 0; i < writers; ++i)
        threads.emplace_back([&] {
            while (!stopped.load()) {
                const auto outcome = commits.commit(enrolment(next++));
                require(outcome && outcome->effect == Effect::Applied, "a write failed");
                ++done;
            }
        });
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    stopped = true;
    for (auto& thread : threads)
        thread.join();
    return static_cast<double>(done.load()) / secondsSince(start);
}

/// Median cost of appending 2,200 bytes and fdatasync, in milliseconds: the floor of a durable write on this disk.
double syncCost(const std::string& directory) {
    const auto file = directory + "/sync-probe";
    const int handle = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    require(handle >= 0, "no probe file");
    const std::string bytes(2200, 'x');
    std::vector<double> costs;
    for (int i = 0; i < 300; ++i) {
        const auto start = Clock::now();
        require(::write(handle, bytes.data(), bytes.size()) == 2200 && ::fdatasync(handle) == 0, "the probe failed");
        costs.push_back(secondsSince(start) * 1000);
    }
    ::close(handle);
    ::unlink(file.c_str());
    std::ranges::nth_element(costs, costs.begin() + 150);
    return costs[150];
}

void benchCommit(EnrollmentStore& store, const std::string& directory) {
    std::printf("append 2,200 B + fdatasync: p50 %.3f ms\n", syncCost(directory));
    std::atomic<std::uint64_t> next{0};
    for (int round = 0; round < 4; ++round) {
        const double one = rateOf(store, 1, 3, next);
        const double many = rateOf(store, 64, 3, next);
        std::printf("round %d: 1 writer %8.0f/s (%.3f ms each)   64 writers %8.0f/s   ratio %.1f\n", round + 1, one,
                    1000 / one, many, many / one);
    }
}

void fill(EnrollmentStore& store, std::uint64_t rows) {
    const auto present = store.countRows(hashing::PartitionSet::all()).value_or(0);
    if (present >= rows)
        return;
    const auto start = Clock::now();
    for (std::uint64_t number = present; number < rows;) {
        std::vector<Operation> batch;
        for (; batch.size() < 2000 && number < rows; ++number) {
            auto add = enrolment(number);
            add.opId = {};
            batch.push_back(std::move(add));
        }
        require(store.commit(batch).has_value(), "filling failed");
    }
    const double seconds = secondsSince(start);
    std::printf("filled %lu rows in %.1f s: %.0f rows/s\n", rows - present, seconds,
                static_cast<double>(rows - present) / seconds);
}

void benchLoad(EnrollmentStore& store, std::uint64_t rows) {
    fill(store, rows);
    std::vector<float> memory(rows * kDimension, 1.0F); // touched: page faults are not the store's
    for (int round = 0; round < 3; ++round) {
        auto start = Clock::now();
        const auto counted = store.countRows(hashing::PartitionSet::all()).value_or(0);
        const double counting = secondsSince(start);
        std::size_t at = 0;
        start = Clock::now();
        const auto report = store.scan(
            hashing::PartitionSet::all(),
            [&](const EnrollmentView& row) {
                std::memcpy(memory.data() + at, row.embedding.data(), kDimension * sizeof(float));
                at += kDimension;
                return at < memory.size();
            },
            nullptr);
        const double seconds = secondsSince(start);
        require(report && report->degraded == 0 && counted >= rows, "the scan failed");
        const auto read = static_cast<double>(report->rows);
        std::printf("scan %d: %.0f rows in %.2f s: %.0f rows/s, %.0f MB/s of embeddings; counting them took %.2f s\n",
                    round + 1, read, seconds, read / seconds, read * kDimension * 4 / seconds / 1e6, counting);
    }
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv, argv + argc);
    require(words.size() >= 3,
            "usage: storage_bench commit|load sqlite DIRECTORY [ROWS] | commit|load postgres [ROWS]");
    base::setLogLevel(base::LogLevel::Error);
    std::unique_ptr<fremis::test::PostgresServer> server;
    base::Result<std::unique_ptr<EnrollmentStore>> store = nullptr;
    std::string directory = "/tmp";
    if (words[2] == "sqlite") {
        directory = words.at(3);
        store = openSqlite({directory, {}, nullptr});
    } else {
        auto started = fremis::test::PostgresServer::start({"fsync=on", "shared_buffers=1GB", "max_wal_size=8GB"});
        require(started.has_value(), "PostgreSQL did not start");
        server = std::move(*started);
        PostgresOptions options;
        options.host = server->socketDirectory();
        options.port = server->port();
        options.database = server->createDatabase().value_or("");
        options.user = fremis::test::PostgresServer::user();
        options.password = fremis::test::PostgresServer::password();
        options.nodeId.fill(1);
        options.partitions = hashing::PartitionSet::all();
        store = openPostgres(options);
    }
    require(store && (*store)->claimSpace({"bench", kDimension}), "the store did not open");
    if (words[1] == "commit")
        benchCommit(**store, directory);
    else
        benchLoad(**store, std::stoull(words.back()));
    store->reset();
}

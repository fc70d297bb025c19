// How long a worker takes from its start to answering health checks and to searching everything, and what a vector
// costs in memory. Fills a store with random unit vectors first. Prints Markdown. Usage: startup_bench [rows]
// [sqlite|postgres|both]
#include "shared/hashing/partition.h"
#include "shared/storage/node_id.h"
#include "shared/storage/postgres/postgres_store.h"
#include "shared/storage/sqlite/sqlite_store.h"
#include "tests/support/app_process.h"
#include "tests/support/face_client.h"
#include "tests/support/photos.h"
#include "tests/support/postgres_server.h"

#include <QCoreApplication>
#include <QTemporaryDir>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>

using namespace fremis;
using namespace std::chrono_literals;

namespace {

constexpr int kDimension = 512;
constexpr std::size_t kBatch = 2'000;
using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::vector<float> randomUnit(std::mt19937& random) {
    std::normal_distribution<float> normal;
    std::vector<float> vector(kDimension);
    double sum = 0;
    for (auto& value : vector) {
        value = normal(random);
        sum += double(value) * double(value);
    }
    for (auto& value : vector)
        value = static_cast<float>(double(value) / std::sqrt(sum));
    return vector;
}

base::Status fill(storage::EnrollmentStore& store, int rows) {
    if (auto claimed = store.claimSpace({"fp-mfn512-bgr-1", kDimension}); !claimed)
        return claimed;
    const auto keyspaces = store.keyspaces();
    if (!keyspaces)
        return tl::unexpected(keyspaces.error());
    const auto incarnation = keyspaces->front().incarnation;
    std::mt19937 random(1);
    std::vector<storage::Operation> batch;
    for (int row = 0; row < rows; ++row) {
        auto face = base::FaceId::trusted(std::to_string(1'000'000'000 + row));
        const auto partition = hashing::partitionOf("default", face.text());
        const auto number = static_cast<std::uint64_t>(row) + 1;
        batch.emplace_back(storage::AddVariation{{incarnation,
                                                  std::move(face),
                                                  base::Variation(number),
                                                  partition,
                                                  {number << 16, 1},
                                                  "fp-mfn512-bgr-1",
                                                  randomUnit(random),
                                                  4.0,
                                                  1'767'600'000'000ms},
                                                 {}});
        if (batch.size() == kBatch || row + 1 == rows) {
            if (const auto committed = store.commit(batch); !committed)
                return tl::unexpected(committed.error());
            batch.clear();
        }
    }
    return {};
}

base::Status fill(base::Result<std::unique_ptr<storage::EnrollmentStore>> store, int rows) {
    return store ? fill(**store, rows) : tl::unexpected(store.error());
}

int failed(const base::Error& error) {
    std::fprintf(stderr, "%s: %s\n", error.message.c_str(), error.detail.c_str());
    return 1;
}

double residentKilobytes(pid_t pid, const char* line) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/status");
    std::string text;
    while (std::getline(file, text))
        if (text.starts_with(line))
            return std::stod(text.substr(text.find(':') + 1));
    return 0;
}

void measure(const char* storageName, test::AppOptions options, const std::vector<std::string>& index, int rows) {
    options.arguments.insert(options.arguments.end(), index.begin(), index.end());
    const auto begin = Clock::now();
    auto app = test::AppProcess::start(options);
    if (!app || !(*app)->waitListening(30s))
        return;
    test::FaceClient client((*app)->port());
    (void)client.get(QStringLiteral("/v1/healthcheck"));
    const double answered = secondsSince(begin);
    const bool ready = (*app)->waitReady(120s);
    const double loaded = secondsSince(begin);
    const double anonymous = residentKilobytes((*app)->pid(), "RssAnon:");
    const double mapped = residentKilobytes((*app)->pid(), "RssFile:");
    std::string name;
    for (const auto& word : index)
        name += word + " ";
    std::printf("| %s | %s| %.2f s | %.1f s%s | %.2f KB | %.2f KB |\n", storageName, name.c_str(), answered, loaded,
                ready ? "" : " (NOT READY)", anonymous / rows, (anonymous + mapped) / rows);
    std::fflush(stdout);
    (*app)->terminate();
    (void)(*app)->waitExit(60s);
}

void measureAll(const char* storageName, const test::AppOptions& options, int rows) {
    measure(storageName, options, {"--index", "flat"}, rows);
    measure(storageName, options, {"--index", "sq8"}, rows);
    measure(storageName, options, {"--index", "sq8", "--float-rows", "file"}, rows);
}

} // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    const int rows = argc > 1 ? std::atoi(argv[1]) : 1'000'000;
    const std::string which = argc > 2 ? argv[2] : "both";
    std::printf("%d vectors of %d floats\n\n", rows, kDimension);
    std::printf("| storage | index | health answers after | all searchable after | anonymous memory per vector | "
                "resident per vector |\n");
    std::printf("|---|---|---|---|---|---|\n");
    const QTemporaryDir dir;
    test::AppOptions options;
    options.dataDir = dir.filePath(QStringLiteral("data")).toStdString();
    if (which != "postgres") {
        if (const auto filled =
                fill(storage::openSqlite({.directory = options.dataDir, .vfs = {}, .clock = nullptr}), rows);
            !filled)
            return failed(filled.error());
        measureAll("SQLite", options, rows);
    }
    if (which != "sqlite") {
        auto database = test::PostgresServer::start();
        const auto name = database ? (*database)->createDatabase() : tl::unexpected(database.error());
        if (!name)
            return failed(name.error());
        storage::PostgresOptions postgres;
        postgres.host = "127.0.0.1";
        postgres.port = (*database)->port();
        postgres.database = *name;
        postgres.user = (*database)->user();
        postgres.password = (*database)->password();
        postgres.partitions = hashing::PartitionSet::all();
        options.dataDir = dir.filePath(QStringLiteral("postgres-data")).toStdString();
        const auto nodeId = storage::loadOrCreateNodeId(options.dataDir); // the worker to be measured fills it itself
        if (!nodeId)
            return failed(nodeId.error());
        postgres.nodeId = *nodeId;
        if (const auto filled = fill(storage::openPostgres(postgres), rows); !filled)
            return failed(filled.error());
        options.arguments = {
            "--storage", "postgres",        "--db-address",  postgres.host, "--db-port", std::to_string(postgres.port),
            "--db-name", postgres.database, "--db-username", postgres.user};
        options.environment["FREMISN_DB_PASSWORD"] = postgres.password;
        measureAll("PostgreSQL", options, rows);
    }
    return 0;
}

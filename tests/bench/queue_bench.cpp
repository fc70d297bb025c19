// What the coordinator's queue of missed writes costs.
//   queue_bench append DIRECTORY           durable records/s and the time to the answer with 1 and with 64 clients
//   queue_bench replay DIRECTORY [RECORDS] fills a queue, then reads and confirms all of it; memory on the way
// A record has 2,304 bytes: an operation with an embedding of 512 floats. DIRECTORY should lie on the disk that
// matters.

#include "coordinator/cluster/write_queue.h"
#include "shared/base/log.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>

using namespace fremis;
using namespace fremis::coordinator;

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kBytes = 2304;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void require(bool good, const char* what) {
    if (good)
        return;
    std::fprintf(stderr, "queue_bench: %s\n", what);
    std::exit(1);
}

std::unique_ptr<QueueStore> open(const std::string& directory) {
    QueueOptions options;
    options.directory = directory;
    auto store = openSqliteQueue(options);
    require(store.has_value(), "the queue did not open");
    return std::move(*store);
}

storage::NodeId target() {
    storage::NodeId id{};
    id.fill(1);
    return id;
}

QueueRecord record(std::uint64_t number) {
    QueueRecord made;
    made.target = target();
    made.partition = static_cast<base::Partition>(number);
    made.incarnation = "incarnation";
    made.face = std::to_string(number);
    made.bytes.assign(kBytes, static_cast<char>(number));
    return made;
}

double residentMebibytes() {
    std::ifstream status("/proc/self/statm");
    double total = 0;
    double resident = 0;
    status >> total >> resident;
    return resident * 4096 / 1048576;
}

void measureAppends(WriteQueue& queue, int clients, double seconds) {
    std::atomic<std::uint64_t> next{0};
    std::vector<std::vector<double>> times(static_cast<std::size_t>(clients));
    std::vector<std::thread> threads;
    const auto start = Clock::now();
    for (auto& mine : times)
        threads.emplace_back([&] {
            while (secondsSince(start) < seconds) {
                const auto begun = Clock::now();
                const auto answer = std::make_shared<std::promise<bool>>();
                queue.append({record(next++)}, [answer](const auto& placed) { answer->set_value(placed.has_value()); });
                require(answer->get_future().get(), "an append failed");
                mine.push_back(secondsSince(begun) * 1000);
            }
        });
    for (auto& thread : threads)
        thread.join();
    const double elapsed = secondsSince(start);
    std::vector<double> all;
    for (const auto& mine : times)
        all.insert(all.end(), mine.begin(), mine.end());
    std::sort(all.begin(), all.end());
    const auto at = [&](double share) {
        return all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))];
    };
    std::printf("%2d clients: %8.0f records/s, answer after %.2f ms p50, %.2f ms p99, %.2f ms at most\n", clients,
                static_cast<double>(all.size()) / elapsed, at(0.5), at(0.99), at(1));
}

void benchAppend(const std::string& directory) {
    const base::SystemClock clock;
    WriteQueue queue(open(directory), clock);
    for (int round = 0; round < 3; ++round)
        for (const int clients : {1, 64})
            measureAppends(queue, clients, 5);
}

void fill(QueueStore& store, std::uint64_t records) {
    constexpr std::uint64_t kBatch = 512;
    std::vector<QueueRecord> batch;
    for (std::uint64_t i = 0; i < records; ++i) {
        batch.push_back(record(i));
        if (batch.size() < kBatch && i + 1 < records)
            continue;
        require(store.append(batch, std::chrono::milliseconds(1)).has_value(), "filling failed");
        batch.clear();
    }
}

void benchReplay(const std::string& directory, std::uint64_t records) {
    {
        auto store = open(directory);
        std::printf("empty: %.0f MiB resident\n", residentMebibytes());
        const auto start = Clock::now();
        fill(*store, records);
        std::printf("filled with %llu records in %.1f s: %.0f MiB resident\n", static_cast<unsigned long long>(records),
                    secondsSince(start), residentMebibytes());
    }
    auto start = Clock::now();
    auto store = open(directory);
    std::printf("opened and checked in %.1f s: %.0f MiB resident\n", secondsSince(start), residentMebibytes());
    double reading = 0;
    double confirming = 0;
    std::uint64_t read = 0;
    while (true) {
        start = Clock::now();
        const auto entries = store->next(target(), 0, 256);
        reading += secondsSince(start);
        require(entries.has_value(), "reading failed");
        if (entries->empty())
            break;
        read += entries->size();
        std::vector<Sequence> sequences;
        for (const auto& entry : *entries)
            sequences.push_back(entry.sequence);
        start = Clock::now();
        require(store->confirm(target(), sequences).has_value(), "confirming failed");
        confirming += secondsSince(start);
    }
    require(read == records, "the queue lost records");
    std::printf(
        "read %.0f records/s, confirmed %.0f records/s (256 at a time), both %.0f records/s; %.0f MiB resident\n",
        static_cast<double>(read) / reading, static_cast<double>(read) / confirming,
        static_cast<double>(read) / (reading + confirming), residentMebibytes());
    while (store->tidy().value_or(false)) {
    }
    std::printf("drained: the file has %ju bytes\n",
                static_cast<std::uintmax_t>(std::filesystem::file_size(directory + "/queue.sqlite")));
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv, argv + argc);
    require(words.size() >= 3, "usage: queue_bench append DIRECTORY | replay DIRECTORY [RECORDS]");
    base::setLogLevel(base::LogLevel::Error);
    if (words[1] == "append")
        benchAppend(words[2]);
    else
        benchReplay(words[2], words.size() > 3 ? std::stoull(words[3]) : 1'000'000);
}

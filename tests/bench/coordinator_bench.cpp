// What a coordinator costs, over real workers in processes of their own. Prints Markdown.
//   coordinator_bench hop [ROUNDS] [WORKERS]     a search through it against the same search asked of a worker
//   coordinator_bench throughput [SECONDS]       searches per second with 1, 2 and 4 workers
//   coordinator_bench replay [FACES]             how long a returned worker takes for what it missed, and what searches
//                                                feel of it
//   coordinator_bench memory [SECONDS] [DELETES] its memory while a worker is dead and DELETES writes a second come
#include "tests/bench/cluster_load.h"

#include <QCoreApplication>

#include <cstdio>
#include <thread>

using namespace fremis;
using namespace fremis::bench;

namespace {

constexpr int kFaces = 256; ///< few, so that a search is next to nothing
constexpr int kCandidates = 20;

test::ClusterOptions spread(int workers) {
    test::ClusterOptions options;
    options.workers = workers;
    return options;
}

struct Times {
    std::vector<double> direct;
    std::vector<double> through;
};

Times takeTurns(const test::TestCluster& cluster, const std::string& question, int rounds) {
    std::vector<std::unique_ptr<SearchClient>> workers;
    for (int worker = 0; worker < cluster.workers(); ++worker)
        workers.push_back(std::make_unique<SearchClient>(cluster.workerPort(worker)));
    SearchClient coordinator(cluster.port());
    Times times;
    for (int round = 0; round < rounds; ++round) {
        times.direct.push_back(workers[static_cast<std::size_t>(round % cluster.workers())]->search(question));
        times.through.push_back(coordinator.search(question));
    }
    return times;
}

/// CPU time of a search through the coordinator: its own and that of all workers, in milliseconds.
std::pair<double, double> cpuPerSearch(const test::TestCluster& cluster, const std::string& question, int rounds) {
    SearchClient coordinator(cluster.port());
    const auto workers = [&] {
        double sum = 0;
        for (int worker = 0; worker < cluster.workers(); ++worker)
            sum += cpuMilliseconds(cluster.workerPid(worker));
        return sum;
    };
    const double own = cpuMilliseconds(cluster.coordinatorPid());
    const double theirs = workers();
    for (int round = 0; round < rounds; ++round)
        (void)coordinator.search(question);
    return {(cpuMilliseconds(cluster.coordinatorPid()) - own) / rounds, (workers() - theirs) / rounds};
}

/// `only`: so many workers; 0: 1, 2, 4 and 8.
void hop(int rounds, int only) {
    std::printf("| workers | reply | direct p50 / p99 | through p50 / p99 | added p50 / p99 | CPU: coordinator | all "
                "workers |\n|---:|---:|---:|---:|---:|---:|---:|\n");
    for (const int workers : {1, 2, 4, 8}) {
        if (only != 0 && workers != only)
            continue;
        const auto cluster = startCluster(spread(workers));
        auto faces = fillEach(*cluster, kFaces);
        const auto question = searchBody(faces.embedding(), kCandidates);
        (void)takeTurns(*cluster, question, 500);
        const auto [direct, through] = takeTurns(*cluster, question, rounds);
        const auto [own, theirs] = cpuPerSearch(*cluster, question, rounds / 2);
        SearchClient client(cluster->port());
        (void)client.search(question);
        std::printf("| %d | %zu B | %.3f / %.3f | %.3f / %.3f | %.3f / %.3f | %.3f | %.3f |\n", workers,
                    client.replyBytes(), percentile(direct, 0.5), percentile(direct, 0.99), percentile(through, 0.5),
                    percentile(through, 0.99), percentile(through, 0.5) - percentile(direct, 0.5),
                    percentile(through, 0.99) - percentile(direct, 0.99), own, theirs);
        std::fflush(stdout);
    }
}

void throughput(double seconds) {
    constexpr int kClients = 16;
    constexpr int kRounds = 3;
    constexpr std::array kWorkers{1, 2, 4};
    std::vector<std::unique_ptr<test::TestCluster>> clusters;
    std::vector<std::string> questions;
    for (const int workers : kWorkers) {
        clusters.push_back(startCluster(spread(workers)));
        auto faces = fillEach(*clusters.back(), 20'000);
        questions.push_back(searchBody(faces.embedding(), 5));
    }
    std::array<std::vector<double>, kWorkers.size()> rates, times;
    for (int round = 0; round < kRounds; ++round)
        for (std::size_t which = 0; which < kWorkers.size(); ++which) {
            const auto load = searchTogether(clusters[which]->port(), questions[which], kClients, seconds);
            rates[which].push_back(load.perSecond);
            times[which].push_back(percentile(load.times, 0.5));
        }
    std::printf("| workers | searches per second | p50 ms |\n|---:|---:|---:|\n");
    for (std::size_t which = 0; which < kWorkers.size(); ++which)
        std::printf("| %d | %.0f | %.2f |\n", kWorkers[which], median(rates[which]), median(times[which]));
}

} // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    const std::vector<std::string> words(argv, argv + argc);
    const auto number = [&](std::size_t at, int otherwise) {
        return words.size() > at ? std::stoi(words[at]) : otherwise;
    };
    require(words.size() >= 2, "usage: coordinator_bench hop | throughput | replay | memory");
    if (words[1] == "hop")
        hop(number(2, 2000), number(3, 0));
    else if (words[1] == "throughput")
        throughput(number(2, 5));
    else if (words[1] == "replay")
        replay(number(2, 100'000));
    else if (words[1] == "memory")
        memory(number(2, 150), number(3, 500));
    else
        require(false, "unknown measurement");
}

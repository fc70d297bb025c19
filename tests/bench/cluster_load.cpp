#include "tests/bench/cluster_load.h"

#include "shared/hashing/partition.h"
#include "shared/storage/operation_codec.h"
#include "shared/wire/request_writers.h"

#include <cstdio>
#include <future>

namespace fremis::bench {

void require(bool good, const std::string& what) {
    if (good)
        return;
    std::fprintf(stderr, "coordinator_bench: %s\n", what.c_str());
    std::exit(1);
}

std::unique_ptr<test::TestCluster> startCluster(test::ClusterOptions options) {
    auto cluster = test::TestCluster::start(std::move(options));
    require(cluster.has_value(), cluster ? "" : cluster.error().message + ": " + cluster.error().detail);
    return std::move(*cluster);
}

PreparedFaces fillEach(const test::TestCluster& cluster, int count) {
    auto faces = PreparedFaces::of(cluster.workerPort(0));
    require(faces.has_value(), "the first worker tells nothing of itself");
    std::vector<std::string> records;
    for (int i = 0; i < count; ++i)
        records.push_back(storage::encode(faces->next()));
    for (int worker = 0; worker < cluster.workers(); ++worker)
        require(PreparedFaces::store(cluster.workerPort(worker), records), "a worker refused faces");
    return std::move(*faces);
}

std::string searchBody(const std::vector<float>& embedding, int candidates) {
    wire::Recognition question{
        wire::EmbeddingInput{embedding, {}}, base::KeyspaceName::trusted("default"), {}, candidates, {}, {}, {}};
    return wire::toJson(question);
}

double SearchClient::search(const std::string& question) {
    double took = 0;
    int status = 0;
    took = millisecondsOf([&] {
        const auto answer =
            m_http.send("POST", "/v1/face/recognition", question, {{"Content-Type", "application/json"}});
        status = answer ? answer->status : 0;
        m_replyBytes = answer ? answer->body.size() : 0;
    });
    require(status == 200, "a search failed with " + std::to_string(status));
    return took;
}

Load searchTogether(int port, const std::string& question, int clients, double seconds) {
    std::vector<std::future<std::vector<double>>> each;
    const auto begin = Clock::now();
    for (int client = 0; client < clients; ++client)
        each.push_back(std::async(std::launch::async, [&] {
            SearchClient searcher(port);
            std::vector<double> times;
            while (secondsSince(begin) < seconds)
                times.push_back(searcher.search(question));
            return times;
        }));
    Load load;
    for (auto& one : each) {
        const auto times = one.get();
        load.times.insert(load.times.end(), times.begin(), times.end());
    }
    load.perSecond = static_cast<double>(load.times.size()) / secondsSince(begin);
    return load;
}

} // namespace fremis::bench

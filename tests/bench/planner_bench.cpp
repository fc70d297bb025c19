// The planner and the config reader, against what they promise: 256 partitions and 32 nodes in 100 ms, a config in 100 ms.
//   cmake --preset bench && cmake --build build/bench --target planner_bench && build/bench/bin/planner_bench
#include "shared/routing/config_document.h"
#include "shared/routing/plan_output.h"

#include <benchmark/benchmark.h>

using namespace fremis::routing;

namespace {

NodeWish wish(int host, int port, const std::string& zone) {
    NodeWish wish;
    wish.address = *Address::parse("worker" + std::to_string(host) + ".example.org:" + std::to_string(port));
    wish.zone = zone;
    return wish;
}

// 31 nodes, two to a host, three zones; the 32nd joins. The map has been extended before, so that it is not an even split.
PlanRequest requestFor(int replication, PlanMode mode, Objective objective) {
    PlanRequest request;
    std::vector<NodeWish> nodes;
    for (int i = 0; i < 28; ++i)
        nodes.push_back(wish(i / 2, 4003 + i % 2, "zone" + std::to_string(i / 2 % 3)));
    request.current = PartitionMap(*evenConfig(nodes, replication));
    for (int i = 28; i < 31; ++i) {
        PlanRequest step;
        step.current = request.current;
        step.add.push_back(wish(i / 2, 4003 + i % 2, "zone" + std::to_string(i / 2 % 3)));
        request.current = PartitionMap(makePlan(step)->after);
    }
    for (const NodeWish& node : nodes)
        request.zones[node.address] = *node.zone;
    request.add.push_back(wish(15, 4004, "zone0"));
    request.mode = mode;
    request.objective = objective;
    request.vectors = PartitionVectors{};
    for (std::size_t p = 0; p < request.vectors->size(); ++p)
        (*request.vectors)[p] = 3735 + p * p % 357;
    return request;
}

void plan(benchmark::State& state, PlanMode mode, Objective objective) {
    const PlanRequest request = requestFor(static_cast<int>(state.range(0)), mode, objective);
    Plan last;
    for (auto _ : state)
        last = *makePlan(request);
    state.counters["moved"] = last.figures.moved;
    state.counters["bound"] = last.figures.lowerBound;
    state.counters["ranges"] = last.figures.ranges;
}

void readFile(benchmark::State& state) {
    ClusterConfig config;
    const int entries = static_cast<int>(state.range(0));
    for (int i = 0; i < entries; ++i)
        config.entries.push_back({*Address::parse("worker" + std::to_string(i / 256) + ".example.org:4003"), {i % 256, i % 256}, {}, {}});
    const std::string text = configText(config);
    for (auto _ : state)
        benchmark::DoNotOptimize(readConfig(text));
    state.counters["bytes"] = static_cast<double>(text.size());
}

void readHostile(benchmark::State& state, const std::string& unit) {
    std::string text;
    while (text.size() + unit.size() <= kMaxConfigBytes)
        text += unit;
    for (auto _ : state)
        benchmark::DoNotOptimize(readConfig(text));
}

} // namespace

BENCHMARK_CAPTURE(plan, multi_moves, PlanMode::Multi, Objective::Moves)->Arg(1)->Arg(2)->Arg(3)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, multi_vectors, PlanMode::Multi, Objective::Vectors)->Arg(1)->Arg(3)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, contiguous_moves, PlanMode::Contiguous, Objective::Moves)->Arg(1)->Arg(3)->Unit(benchmark::kMillisecond);
BENCHMARK(readFile)->Arg(32)->Arg(256)->Arg(4096)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readHostile, brackets, std::string("["))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readHostile, list, std::string("a,"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readHostile, keys, std::string("a: b\n"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readHostile, comments, std::string("# a\n"))->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();

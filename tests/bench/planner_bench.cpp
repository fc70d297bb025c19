// The planner and the config reader, against what they promise: 256 partitions and 32 nodes in 100 ms, a config.yml of
// any content in 100 ms. resources/docs/planner.md has the numbers.
//   cmake --preset bench && cmake --build build/bench --target planner_bench && build/bench/bin/planner_bench
#include "shared/routing/config_document.h"
#include "shared/routing/config_file.h"
#include "shared/routing/plan_output.h"

#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>

using namespace fremis::routing;

namespace {

NodeWish wish(int host, int port, const std::string& zone) {
    NodeWish wish;
    wish.address = *Address::parse("worker" + std::to_string(host) + ".example.org:" + std::to_string(port));
    wish.zone = zone;
    return wish;
}

enum class Wish { Add, Remove, Weight };

// 31 nodes, two to a host, three zones. The map has been extended before, so that it is not an even split. The 32nd
// joins, or one leaves, or one gets more weight.
PlanRequest requestFor(int replication, PlanMode mode, Objective objective, Wish change) {
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
    switch (change) {
    case Wish::Add:
        request.add.push_back(wish(15, 4004, "zone0"));
        break;
    case Wish::Remove:
        request.remove.push_back(nodes[7].address);
        break;
    case Wish::Weight:
        request.change.push_back(nodes[7]);
        request.change.back().weight = Weight::hundredths(250);
        break;
    }
    request.mode = mode;
    request.objective = objective;
    request.vectors = PartitionVectors{};
    for (std::size_t p = 0; p < request.vectors->size(); ++p)
        (*request.vectors)[p] = 3735 + p * p % 357;
    return request;
}

void plan(benchmark::State& state, const PlanRequest& request) {
    const auto first = makePlan(request);
    if (!first)
        return state.SkipWithError(first.error().message.c_str());
    for (auto _ : state)
        benchmark::DoNotOptimize(makePlan(request));
    state.counters["moved"] = first->figures.moved;
    state.counters["bound"] = first->figures.lowerBound;
    state.counters["ranges"] = first->figures.ranges;
}

void registerPlan(const std::string& name, const PlanRequest& request) {
    benchmark::RegisterBenchmark(("plan/" + name).c_str(), plan, request)->Unit(benchmark::kMillisecond);
}

void registerPlans() {
    constexpr std::pair<Wish, const char*> kWishes[] = {
        {Wish::Add, "add"}, {Wish::Remove, "remove"}, {Wish::Weight, "weight"}};
    for (const PlanMode mode : {PlanMode::Multi, PlanMode::Contiguous})
        for (const Objective objective : {Objective::Moves, Objective::Balance, Objective::Vectors, Objective::Ranges})
            for (const int replication : {1, 2, 3})
                for (const auto& [wish, name] : kWishes) {
                    if (mode == PlanMode::Contiguous && objective == Objective::Vectors && replication > 1)
                        continue; // is refused
                    PlanRequest request = requestFor(replication, mode, objective, wish);
                    const std::string kind = std::string(wordOf(mode)) + "/" + std::string(wordOf(objective));
                    registerPlan(kind + "/R" + std::to_string(replication) + "/" + name, request);
                    if (objective != Objective::Vectors)
                        continue;
                    for (std::size_t p = 0; p < request.vectors->size(); p += 16)
                        (*request.vectors)[p] *= 1 + p / 16;
                    registerPlan(kind + "_skewed/R" + std::to_string(replication) + "/" + name, request);
                }
}

void read(benchmark::State& state, const std::string& text) {
    bool accepted = false;
    for (auto _ : state)
        accepted = loadConfigText(text, "config.yml").has_value();
    state.counters["bytes"] = static_cast<double>(text.size());
    state.counters["accepted"] = accepted ? 1 : 0;
}

std::string filled(std::string text, const std::string& unit) {
    while (text.size() + unit.size() <= kMaxConfigBytes)
        text += unit;
    return text;
}

std::string entryOf(const std::string& address, int first, int last) {
    return "  - address: " + address + "\n    partition_start: " + std::to_string(first) +
           "\n    partition_end: " + std::to_string(last) + "\n    weight: 0.25\n";
}

enum class Hosts { Many, One };
enum class Ranges { Equal, Shifted }; ///< shifted: nodes begin elsewhere than their neighbours

// The most entries a file may have: 256 nodes with 8 ranges each.
std::string largestEntries(Hosts hosts, Ranges ranges) {
    std::string text = "version: v1\nnodes:\n";
    for (int node = 0; node < kMaxAddresses; ++node) {
        const std::string address = hosts == Hosts::One
                                        ? "worker.recognition.example.org:" + std::to_string(4000 + node)
                                        : "worker" + std::to_string(node) + ".recognition.example.org:4003";
        for (int i = 0; i < 8; ++i) {
            const int first = i * 32 + (ranges == Ranges::Shifted ? node % 15 : 0);
            text += entryOf(address, first, i == 7 ? 255 : first + 31);
        }
    }
    return text;
}

std::string largestText(Hosts hosts, Ranges ranges) {
    return filled(largestEntries(hosts, ranges), "# nothing but bytes\n");
}

// The blanks before a key are what a reader cannot pass over.
std::string deepestText() {
    std::string text;
    for (const char c : largestEntries(Hosts::Many, Ranges::Shifted)) {
        text += c;
        if (c == '\n' && text.size() > std::string_view("version: v1\n").size())
            text.append(96, ' ');
    }
    return text;
}

std::string oneAddressText() {
    std::string text = "version: v1\nnodes:\n";
    for (std::size_t i = 0; i < kMaxConfigEntries; ++i)
        text += entryOf("worker:4003", 0, 255);
    return text;
}

std::string aliasBomb() {
    std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 30; ++i) {
        const std::string before = "*a" + std::to_string(i - 1);
        text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
        for (int k = 0; k < 8; ++k)
            text += ", " + before;
        text += "]\n";
    }
    return text;
}

// From disk, beyond the limit: refused by its size.
void readTenMegabytes(benchmark::State& state) {
    const auto file = std::filesystem::temp_directory_path() / "planner_bench_config.yml";
    std::ofstream(file, std::ios::binary) << std::string(10'000'000, '#');
    for (auto _ : state)
        benchmark::DoNotOptimize(loadConfig(file));
    std::filesystem::remove(file);
}

void registerFiles() {
    const std::pair<const char*, std::string> texts[] = {
        {"largest", largestText(Hosts::Many, Ranges::Equal)},
        {"largest_shifted", largestText(Hosts::Many, Ranges::Shifted)},
        {"largest_one_host", largestText(Hosts::One, Ranges::Equal)},
        {"largest_one_host_shifted", largestText(Hosts::One, Ranges::Shifted)},
        {"largest_indented", deepestText()},
        {"one_address_in_each_entry", oneAddressText()},
        {"alias_bomb", aliasBomb()},
        {"alias_chain", filled("a: &a x\n", "b: *a\n")},
        {"brackets", filled({}, "[")},
        {"list_items", filled({}, "a,")},
        {"flow_list", filled("[", "a,")},
        {"keys", filled({}, "a: b\n")},
        {"unknown_keys", filled("version: v1\nnodes:\n", "  - {adress: a, partition_ends: 1}\n")},
        {"comments", filled({}, "# a\n")},
        {"one_line", filled("version: ", "x")},
        {"quotes", filled("version: \"", "\\n")},
        {"ten_megabytes", std::string(10'000'000, '#')},
    };
    for (const auto& [name, text] : texts)
        benchmark::RegisterBenchmark((std::string("read/") + name).c_str(), read, text)->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("read/ten_megabytes_on_disk", readTenMegabytes)->Unit(benchmark::kMillisecond);
}

} // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    registerPlans();
    registerFiles();
    return benchmark::RunSpecifiedBenchmarks() > 0 ? 0 : 1;
}

// Every scheme at 3, 10, 100 and 1000 nodes, as one Markdown table, with known figures beside.
//   cmake --preset bench && cmake --build build/bench --target hashing_table && build/bench/bin/hashing_table
#include "shared/hashing/hash_ring.h"
#include "shared/hashing/jump.h"
#include "shared/hashing/maglev.h"
#include "shared/hashing/memento.h"
#include "shared/hashing/modulo.h"
#include "shared/hashing/multi_probe.h"
#include "shared/hashing/placed_ring.h"
#include "shared/hashing/rendezvous.h"
#include "shared/hashing/slot_table.h"
#include "tests/bench/hashing_lookup.h"

#include <array>
#include <cmath>

using namespace fremis::bench;
using namespace fremis::hashing;

namespace {

constexpr std::array<std::size_t, 4> kNodes{3, 10, 100, 1000};
constexpr std::size_t kCountedKeys = std::size_t{1} << 22;
using Figures = std::array<const char*, kNodes.size()>; // by number of nodes; null or "" is not known

template<class Map> double timeOf(const Placement& map) {
    return nanosecondsPerLookup(dynamic_cast<const Map&>(map));
}

/// One scheme with its options, and what is known of it: measured with other programs on another machine of two cores,
/// one thread, hashed keys, times +-30 %.
struct Row {
    const char* title;
    Scheme scheme;
    double (*nanosecondsOf)(const Placement& map);
    SchemeOptions options{};
    bool tenthRemoved = false;
    Figures nanoseconds{};
    Figures deviation{};
    Figures most{};
    const char* bytesAt100 = "";
    Figures movement{};
};

SchemeOptions ringOf(std::uint32_t points) {
    SchemeOptions options;
    options.pointsPerNode = points;
    return options;
}

std::vector<Row> rows() {
    return {
        {"slots",
         Scheme::Slots,
         &timeOf<SlotTable>,
         {},
         false,
         {"0.4", "0.9", "0.9", ""},
         {},
         {"1.008", "1.016", "1.172", ""},
         "256-512"},
        {"ring, 160 points",
         Scheme::Ring,
         &timeOf<HashRing>,
         {},
         false,
         {"3.5", "3.1", "5.2", "6.9"},
         {"0.064", "0.074", "0.080", "0.080"},
         {"", "1.13", "1.21", "1.30"},
         "323 k"},
        {"ring, 1000 points",
         Scheme::Ring,
         &timeOf<HashRing>,
         ringOf(1000),
         false,
         {"3.2", "3.0", "7.8", "31"},
         {"0.022", "0.030", "0.032", "0.032"},
         {"", "1.05", "1.08", "1.11"},
         "2.2 M"},
        {"placed ring, 16 tokens", Scheme::PlacedRing, &timeOf<PlacedRing>},
        {"rendezvous",
         Scheme::Rendezvous,
         &timeOf<Rendezvous>,
         {},
         false,
         {"3.3", "10", "150", "1459"},
         {},
         {"", "1.001", "1.005", ""},
         "0.8-1.6 k"},
        {"weighted rendezvous",
         Scheme::WeightedRendezvous,
         &timeOf<WeightedRendezvous>,
         {},
         false,
         {"26", "85", "1341", ""},
         {},
         {},
         "0.8-1.6 k"},
        {"jump",
         Scheme::Jump,
         &timeOf<Jump>,
         {},
         false,
         {"15", "28", "41", "51"},
         {},
         {"", "1.001", "1.005", "1.026"},
         "4"},
        {"Memento", Scheme::Memento, &timeOf<Memento>},
        {"Memento, a tenth removed",
         Scheme::Memento,
         &timeOf<Memento>,
         {},
         true,
         {"18", "32", "55", "69"},
         {},
         {"", "1.002", "1.005", "1.025"}},
        {"Maglev, 65537 entries",
         Scheme::Maglev,
         &timeOf<Maglev>,
         {},
         false,
         {"3.2", "3.2", "3.8", "3.5"},
         {"0.0004", "0.0008", "0.0027", "0.010"},
         {"", "1.001", "1.005", "1.027"},
         "131 k",
         {"1.00", "1.02", "1.58", "6.4"}},
        {"multi-probe, 21 probes",
         Scheme::MultiProbe,
         &timeOf<MultiProbe>,
         {},
         false,
         {"275", "416", "824", "1432"},
         {"0.25", "0.008", "0.09", "0.13"},
         {"", "1.004", "1.031", "1.056"},
         "1.6 k"},
        {"hash mod n", Scheme::Modulo, &timeOf<Modulo>},
    };
}

/// What moves when one node leaves, as a multiple of the least that must. Jump lets only its last node go.
double movementOf(const Placement& map) {
    auto after = map.remove("node2");
    for (const Node& node : map.nodes().nodes())
        if (!after)
            after = map.remove(node.id);
    const Movement movement = valueOf(diff(map, **after));
    return movement.moved / movement.ideal;
}

void printPair(const std::string& measured, const char* known) {
    std::printf(" %s | %s |", measured.c_str(), known == nullptr || *known == '\0' ? "-" : known);
}

std::string decimal(double value, int digits) {
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return text.data();
}

void print(const Row& row, std::size_t at) {
    const std::size_t n = kNodes[at];
    std::printf("| %s | %zu |", row.title, n);
    auto made = makePlacement(row.scheme, NodeSet::numbered(n), row.options);
    if (!made) {
        std::printf(" %s | | | | | | | | | |\n", made.error().message.c_str());
        return;
    }
    const PlacementPtr map = row.tenthRemoved ? withoutATenth(*made) : *made;
    const bool exact = !map->arcs().empty() || !map->table().owners.empty();
    const Balance balance = balanceOf(*map, exact ? std::vector<std::uint64_t>() : sampleHashes(kCountedKeys));
    const double time = row.nanosecondsOf(*map);
    printPair(decimal(time, time < 100 ? 1 : 0), row.nanoseconds[at]);
    printPair(std::to_string(map->memoryBytes()), n == 100 ? row.bytesAt100 : "");
    printPair(decimal(balance.most, 3), row.most[at]);
    printPair(decimal(balance.deviation, 4), row.deviation[at]);
    printPair(decimal(movementOf(*map), 2), row.movement[at]);
    std::printf("\n");
    std::fflush(stdout);
}

} // namespace

int main() {
    std::printf(
        "| scheme | N | ns | known | bytes | known | max/mean | known | sd/mean | known | moved/ideal | known |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (const Row& row : rows())
        for (std::size_t at = 0; at < kNodes.size(); ++at)
            print(row, at);
    std::printf(
        "\nns: one lookup of a hashed key, one thread, throughput. bytes: what a lookup may touch. moved/ideal: when "
        "one node leaves. Shares of rendezvous, jump, Memento and multi-probe are counted on %zu keys; counting "
        "alone gives an even map a sd/mean of",
        kCountedKeys);
    for (const std::size_t n : kNodes)
        std::printf(" %.4f", std::sqrt(static_cast<double>(n) / static_cast<double>(kCountedKeys)));
    std::printf(
        ".\n\nPublished beside these: a ring of 1 / 10 / 100 / 1000 points has sd/mean 0.998 / 0.315 / 0.0997 / "
        "0.0316 (arXiv 2107.07930); rings in Go take 280-301, 334-340 and 427-444 ns at 10, 100 and 1000 nodes, "
        "jump-based ones 28, 43 and 54 ns (edwingeng/doublejump); 21 probes give a peak of 1.05 (arXiv "
        "1505.00062); Memento without removals is as fast as jump (arXiv 2306.09783).\n");
    return 0;
}

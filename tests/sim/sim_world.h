#pragma once

#include "coordinator/cluster/search.h"
#include "coordinator/cluster/watchdog.h"
#include "tests/sim/sim_transport.h"

namespace fremis::sim {

/// A cluster of simulated workers with a map, a content and the coordinator's logic, all drawn from one seed.
class SimWorld {
public:
    enum class Topology { Random, Ring, AllEverywhere };

    explicit SimWorld(std::uint64_t seed);
    SimWorld(std::uint64_t seed, Topology topology, int nodes);

    [[nodiscard]] static wire::Recognition photoSearch(int k = 5);

    struct Asked {
        std::string id;
        wire::Recognition request = photoSearch();
        std::chrono::steady_clock::time_point deadline{};
        std::string epoch;                           ///< of the map at its start
        std::vector<std::string> addresses;          ///< of that map
        std::vector<hashing::PartitionSet> assigned; ///< by that map
        std::optional<coordinator::Answer<wire::RecognitionReply>> answer;
        std::chrono::steady_clock::time_point endedAt{};
    };
    /// Starts a search; its answer appears while time runs.
    std::shared_ptr<Asked> ask(wire::Recognition request, std::chrono::milliseconds patience);
    /// By photo or by embedding, k 1..12, partial allowed or not or not said.
    std::shared_ptr<Asked> askSomething();

    /// Faults that strike workers at random, and end again.
    void strike(int percent, std::vector<Fault> faults);
    /// Another map over the same workers, as after a reload.
    void changeMap();

    /// What is wrong with the answer to a search that has ended; empty: nothing.
    [[nodiscard]] std::string faultIn(const Asked& asked) const;

    Chance chance;
    SimEnvironment environment;
    SimTransport transport;
    coordinator::Cluster cluster;
    coordinator::Watchdog watchdog;
    bool allowPartial = false;
    coordinator::Search search;

private:
    void makeWorkers(Topology topology, int nodes);
    void makeContent();
    void useMap(const std::vector<hashing::PartitionSet>& assigned);
    int m_searches = 0;
};

/// Keeps what the coordinator tells of its workers' states off standard error.
void keepQuiet();

/// The coverage that a refusal carries.
[[nodiscard]] std::optional<wire::Coverage> coverageOf(const coordinator::Refusal& refusal);

} // namespace fremis::sim

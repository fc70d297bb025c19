#pragma once

#include "tests/sim/write_coordinator.h"
#include "tests/support/history.h"

namespace fremis::sim {

/// Three workers that share a few partitions, two copies of each, and one that has the rest; two coordinators; clients
/// that enrol, remove and search; and everything that goes wrong meanwhile. All drawn from one seed.
class WriteWorld {
public:
    explicit WriteWorld(std::uint64_t seed);

    /// Clients and faults for a while, and at least one change of the map.
    void runFaults(std::chrono::milliseconds time);
    /// All that is broken is mended, and clients stop.
    void heal();
    /// Waits until all is quiet. What is still not right after `most`; empty: all is.
    [[nodiscard]] std::string settle(std::chrono::milliseconds most);
    /// Searches at both doors, and takes the answers as quiet ones. A fault of the searches themselves, or empty.
    [[nodiscard]] std::string readAll();
    /// The first thing that the history does not allow, or empty.
    [[nodiscard]] std::string judge() const;

    SimEnvironment environment;
    test::History history;

private:
    struct Face {
        base::KeyspaceName keyspace;
        base::FaceId id;
        [[nodiscard]] std::string name() const { return keyspace.text() + "/" + id.text(); }
    };
    void makeFaces();
    void nextRequest(int client);
    void enrol(std::size_t door, const Face& face);
    void remove(std::size_t door, const std::vector<Face>& faces);
    void dropKeyspace(std::size_t door);
    void createKeyspace(std::size_t door);
    void search(std::size_t door, const base::KeyspaceName& keyspace,
                std::function<void(std::vector<std::string>)> seen);
    void nextFault();
    void strikeWorker();
    void strikeCoordinator();
    void strikeWire();
    void changeMap();
    [[nodiscard]] routing::PartitionMap map(bool wide) const;
    [[nodiscard]] std::string whyNotQuiet();
    [[nodiscard]] std::string whyCopiesDiffer();
    [[nodiscard]] test::History::Time now() const { return environment.now(); }
    [[nodiscard]] coordinator::RequestContext context() const;
    /// Runs a mending later, unless everything was mended before.
    void later(int leastMs, int mostMs, std::function<void()> mend);

    Chance m_chance;
    WriteNetwork m_network;
    std::vector<std::unique_ptr<WriteCoordinator>> m_doors;
    std::vector<base::Partition> m_shared; ///< the partitions with copies
    std::vector<Face> m_faces;
    bool m_faulty = false;
    bool m_wideMap = false;
    int m_reloads = 0; ///< that are still to come
    int m_era = 0;     ///< rises when everything is mended
};

} // namespace fremis::sim

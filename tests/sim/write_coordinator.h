#pragma once

#include "coordinator/cluster/parts.h"
#include "tests/sim/write_network.h"
#include "tests/support/crash_disk.h"

namespace fremis::sim {

/// A coordinator: the real logic over virtual time, with its queue on a disk that forgets what was not synced.
class WriteCoordinator {
public:
    WriteCoordinator(SimEnvironment& world, WriteNetwork& network, std::size_t number, std::chrono::milliseconds skew,
                     coordinator::WriteAcks acks, std::uint64_t seed);
    ~WriteCoordinator();

    void start();
    void kill();
    void cutPower();
    [[nodiscard]] bool isRunning() const { return m_life != nullptr; }
    /// A reload of its config; also while it is not running.
    void useMap(const routing::PartitionMap& map);

    [[nodiscard]] coordinator::Search& search();
    [[nodiscard]] coordinator::Writes& writes();
    [[nodiscard]] const coordinator::Cluster& cluster() const;
    /// Operations in its queue, set aside ones included.
    [[nodiscard]] std::uint64_t queued();
    /// A worker has partitions by its map that have not been compared since.
    [[nodiscard]] bool hasNewOwners() const;
    /// Why it is not as it should be when nothing is wrong any more; empty: it is.
    [[nodiscard]] std::string whyNotQuiet();

private:
    struct Life;
    SimEnvironment& m_world;
    WriteNetwork& m_network;
    const std::size_t m_number;
    const std::chrono::milliseconds m_skew;
    const coordinator::WriteAcks m_acks;
    Chance m_chance;
    test::CrashDisk m_disk;
    std::map<std::string, storage::NodeId> m_knownNodes; ///< by address; durable
    routing::PartitionMap m_map;
    std::unique_ptr<Life> m_life;
};

} // namespace fremis::sim

#pragma once

#include "coordinator/cluster/transport.h"
#include "server/engine/anti_entropy.h"
#include "server/engine/cluster_view.h"
#include "server/engine/enrolment.h"
#include "server/engine/keyspaces.h"
#include "server/engine/removal.h"
#include "server/engine/replication.h"
#include "tests/sim/sim_environment.h"
#include "tests/support/memory_store.h"

namespace fremis::sim {

/// Wall time that is wrong by `skew`.
class SkewedClock final : public base::Clock {
public:
    SkewedClock(const SimEnvironment& environment, std::chrono::milliseconds skew)
        : m_environment(environment), m_skew(skew) {}
    [[nodiscard]] std::chrono::milliseconds sinceEpoch() const override { return m_environment.sinceEpoch() + m_skew; }
    [[nodiscard]] std::chrono::steady_clock::time_point steady() const override { return m_environment.steady(); }

private:
    const SimEnvironment& m_environment;
    const std::chrono::milliseconds m_skew;
};

/// A "photo" is the base64 of a text that names who is on it: the same text, the same embedding.
[[nodiscard]] std::string photoOf(const std::string& person);
[[nodiscard]] std::vector<float> embeddingOf(const std::string& person);
inline constexpr int kSimDimension = 4;
inline constexpr std::string_view kSimSpace = "sim-4";

/// A worker: the real engine over a store in memory, asked by the real messages of both planes. A call is answered
/// before answer() returns; the engine's own threads are idle between calls, so a run depends on nothing but its seed.
class WriteWorker {
public:
    WriteWorker(const SimEnvironment& environment, std::uint16_t port, hashing::PartitionSet partitions,
                std::chrono::milliseconds skew, std::uint8_t id);
    ~WriteWorker();

    /// The process starts, with what is on its disk, or dies.
    void start();
    void kill();
    [[nodiscard]] bool isRunning() const { return m_life != nullptr; }

    [[nodiscard]] std::string address() const { return "127.0.0.1:" + std::to_string(m_port); }
    [[nodiscard]] std::uint16_t port() const { return m_port; }
    [[nodiscard]] std::uint16_t internalPort() const { return static_cast<std::uint16_t>(m_port + 1'000); }
    [[nodiscard]] const hashing::PartitionSet& partitions() const { return m_partitions; }
    [[nodiscard]] test::MemoryDisk& disk() { return *m_disk; }

    /// How often it was started.
    [[nodiscard]] int lives() const { return m_lives; }

    /// `nonce`: of the call's signature; the internal plane refuses one that this process has seen.
    [[nodiscard]] coordinator::Response answer(const coordinator::Call& call, const std::string& nonce);
    /// Everything stored of a partition, to compare replicas: rows and tombstones with their versions.
    [[nodiscard]] std::string contentOf(base::Partition partition);
    /// The keyspaces that it shows, with their incarnations.
    [[nodiscard]] std::string keyspaces() const;

private:
    struct Life;
    const SkewedClock m_clock;
    const std::uint16_t m_port;
    const hashing::PartitionSet m_partitions;
    const std::shared_ptr<test::MemoryDisk> m_disk = std::make_shared<test::MemoryDisk>();
    int m_lives = 0;
    std::unique_ptr<Life> m_life;
};

} // namespace fremis::sim

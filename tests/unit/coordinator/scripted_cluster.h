#pragma once

#include "coordinator/cluster/cluster.h"
#include "coordinator/cluster/qt_environment.h"

#include <QTest>

#include <algorithm>

namespace fremis::coordinator::test {

/// Calls wait here until the test answers them.
class ScriptedTransport final : public Transport {
public:
    struct Waiting {
        CallId id = 0;
        Call call;
        std::function<void(CallResult)> done;
    };

    CallId send(Call call, std::function<void(CallResult)> done) override {
        calls.push_back({++m_last, std::move(call), std::move(done)});
        return m_last;
    }
    void cancel(CallId call) override {
        std::erase_if(calls, [call](const auto& waiting) { return waiting.id == call; });
    }

    /// The oldest call that waits is answered.
    void answer(CallResult result) {
        auto waiting = std::move(calls.front());
        calls.erase(calls.begin());
        waiting.done(std::move(result));
    }

    std::vector<Waiting> calls;

private:
    CallId m_last = 0;
};

/// A coordinator's logic over workers that are what the test says: all active, all with all partitions and an internal
/// plane, until it says otherwise. Nobody probes them.
class ScriptedCluster {
public:
    explicit ScriptedCluster(int workers) {
        std::vector<routing::PartitionSet> assigned(static_cast<std::size_t>(workers));
        for (auto& partitions : assigned)
            partitions.set();
        useMap(assigned);
    }

    void useMap(const std::vector<routing::PartitionSet>& assigned) {
        routing::ClusterConfig config;
        for (std::size_t i = 0; i < assigned.size(); ++i)
            for (const auto& range : routing::rangesOf(assigned[i]))
                config.entries.push_back({*routing::Address::parse(addressOf(i)), range, std::nullopt, std::nullopt});
        cluster.useMap(routing::PartitionMap(config));
        for (std::size_t i = 0; i < assigned.size(); ++i) {
            auto& peer = this->peer(i);
            peer.state = PeerState::Active;
            peer.internalPlane = "ok";
            peer.node.emplace().fill(static_cast<std::uint8_t>(i + 1));
            auto& facts = peer.facts.emplace();
            facts.partitions = hashing::PartitionSet(assigned[i]);
            facts.internalPort = static_cast<std::uint16_t>(5'001 + i);
        }
    }

    [[nodiscard]] static std::string addressOf(std::size_t worker) {
        return "127.0.0.1:" + std::to_string(4'001 + worker);
    }
    [[nodiscard]] static std::string internalAddressOf(std::size_t worker) {
        return "127.0.0.1:" + std::to_string(5'001 + worker);
    }
    [[nodiscard]] Peer& peer(std::size_t worker) { return *cluster.view()->peers[worker]; }
    [[nodiscard]] RequestContext context() const { return {"request", environment.steady() + std::chrono::seconds(9)}; }
    /// Waits for so many calls.
    [[nodiscard]] bool waitCalls(std::size_t count) {
        return QTest::qWaitFor([&] { return transport.calls.size() >= count; }, 5'000);
    }

    QtEnvironment environment;
    ScriptedTransport transport;
    Cluster cluster{environment, transport};
};

} // namespace fremis::coordinator::test

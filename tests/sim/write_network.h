#pragma once

#include "tests/sim/write_worker.h"

#include <unordered_map>

namespace fremis::sim {

/// A coordinator process's share of the world: its timers die with it, its wall clock may be wrong.
class ProcessEnvironment final : public coordinator::Environment {
public:
    ProcessEnvironment(SimEnvironment& world, std::chrono::milliseconds skew) : m_world(world), m_skew(skew) {}
    TimerId after(std::chrono::milliseconds delay, Task task) override { return afterMicros(delay, std::move(task)); }
    TimerId afterMicros(std::chrono::microseconds delay, Task task);
    void cancel(TimerId timer) override { m_world.cancel(timer); }
    std::uint64_t random() override { return m_world.random(); }
    [[nodiscard]] std::chrono::milliseconds sinceEpoch() const override { return m_world.sinceEpoch() + m_skew; }
    [[nodiscard]] std::chrono::steady_clock::time_point steady() const override { return m_world.steady(); }

private:
    SimEnvironment& m_world;
    const std::chrono::milliseconds m_skew;
    const std::shared_ptr<int> m_alive = std::make_shared<int>(0);
};

/// The machines of the workers and the wires between them and the coordinators.
class WriteNetwork {
public:
    WriteNetwork(SimEnvironment& world, std::uint64_t seed) : m_world(world), m_chance(seed) {}

    struct Wire {
        bool cutThere = false; ///< what the coordinator sends is lost, in silence
        bool cutBack = false;  ///< what the worker answers is
        int lossPercent = 0;   ///< of calls; before or after the work
        int twicePercent = 0;  ///< the worker gets it again, later, as long as the same process runs
        int delayPercent = 0;  ///< of messages that take up to 3 s
    };
    [[nodiscard]] Wire& wire(std::size_t coordinator, std::size_t worker) { return m_wires[{coordinator, worker}]; }
    void healWires() { m_wires.clear(); }

    /// A frozen worker takes calls and answers when it thaws.
    void freeze(std::size_t worker) { m_frozen.insert(worker); }
    void thaw(std::size_t worker);
    void killWorker(std::size_t worker);

    std::vector<std::unique_ptr<WriteWorker>> workers;
    /// Told of each call that a worker has answered.
    std::function<void(std::size_t worker, const coordinator::Call&, const coordinator::Response&)> onAnswer =
        [](std::size_t, const coordinator::Call&, const coordinator::Response&) {};

private:
    friend class WriteLink;
    struct Message {
        std::size_t coordinator;
        coordinator::Call call;
        std::function<void(coordinator::CallResult)> answered; ///< none: nobody waits for it
        std::string nonce{};                                   ///< of the call's signature
    };
    [[nodiscard]] std::optional<std::size_t> workerAt(const std::string& authority) const;
    [[nodiscard]] std::chrono::microseconds latency(int delayPercent);
    void arrive(std::size_t worker, Message message);
    void arriveAgain(std::size_t worker, const Message& message);
    void answer(std::size_t worker, const Message& message);

    SimEnvironment& m_world;
    Chance m_chance;
    std::uint64_t m_nextLife = 1; ///< of coordinator processes
    std::map<std::pair<std::size_t, std::size_t>, Wire> m_wires;
    std::set<std::size_t> m_frozen;
    std::map<std::size_t, std::vector<Message>> m_backlog; ///< of frozen workers
};

/// How one coordinator process reaches the workers.
class WriteLink final : public coordinator::Transport {
public:
    WriteLink(WriteNetwork& network, ProcessEnvironment& environment, std::size_t coordinator)
        : m_network(network), m_environment(environment), m_coordinator(coordinator) {}
    CallId send(coordinator::Call call, std::function<void(coordinator::CallResult)> done) override;
    void cancel(CallId call) override;

private:
    struct Flight {
        std::function<void(coordinator::CallResult)> done;
        coordinator::Environment::TimerId deadline = 0;
    };
    void land(CallId id, coordinator::CallResult result);

    WriteNetwork& m_network;
    ProcessEnvironment& m_environment;
    const std::size_t m_coordinator;
    CallId m_last = 0;
    const std::uint64_t m_life = m_network.m_nextLife++;
    std::unordered_map<CallId, Flight> m_flights;
    const std::shared_ptr<WriteLink*> m_self = std::make_shared<WriteLink*>(this);
};

} // namespace fremis::sim

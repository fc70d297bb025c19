#include "tests/sim/write_network.h"

namespace fremis::sim {

using namespace std::chrono_literals;
using coordinator::Call;
using coordinator::CallFailure;
using coordinator::CallResult;

namespace {

CallResult failure(CallFailure::Kind kind, std::string why, bool refused = false) {
    return tl::unexpected(CallFailure{kind, refused, std::move(why)});
}

} // namespace

ProcessEnvironment::TimerId ProcessEnvironment::afterMicros(std::chrono::microseconds delay, Task task) {
    return m_world.afterMicros(delay, [alive = std::weak_ptr(m_alive), task = std::move(task)] {
        if (alive.lock())
            task();
    });
}

std::optional<std::size_t> WriteNetwork::workerAt(const std::string& authority) const {
    for (std::size_t i = 0; i < workers.size(); ++i)
        if (authority.ends_with(":" + std::to_string(workers[i]->port())) ||
            authority.ends_with(":" + std::to_string(workers[i]->internalPort())))
            return i;
    return std::nullopt;
}

std::chrono::microseconds WriteNetwork::latency(int delayPercent) {
    return std::chrono::microseconds(m_chance.percent(delayPercent) ? m_chance.between(0, 3'000'000)
                                                                    : m_chance.between(100, 4'000));
}

void WriteNetwork::arrive(std::size_t worker, Message message) {
    const auto wires = wire(message.coordinator, worker);
    if (!workers[worker]->isRunning()) {
        // A connection that was open breaks; a new one is refused.
        if (message.answered)
            message.answered(m_chance.percent(20) ? failure(CallFailure::Kind::Lost, "connection reset")
                                                  : failure(CallFailure::Kind::NotSent, "connection refused", true));
        return;
    }
    if (m_chance.percent(wires.twicePercent) && message.answered)
        arriveAgain(worker, message);
    if (m_frozen.contains(worker)) {
        m_backlog[worker].push_back(std::move(message));
        return;
    }
    if (m_chance.percent(wires.lossPercent) && message.answered) {
        if (m_chance.percent(50))
            (void)workers[worker]->answer(message.call, message.nonce);
        return message.answered(failure(CallFailure::Kind::Lost, "connection reset"));
    }
    answer(worker, message);
}

/// What waits in a connection dies with the process at its end.
void WriteNetwork::arriveAgain(std::size_t worker, const Message& message) {
    Message copy{message.coordinator, message.call, {}, message.nonce};
    m_world.afterMicros(latency(50), [this, worker, copy = std::move(copy), life = workers[worker]->lives()]() mutable {
        if (workers[worker]->isRunning() && workers[worker]->lives() == life)
            arrive(worker, std::move(copy));
    });
}

void WriteNetwork::answer(std::size_t worker, const Message& message) {
    auto response = workers[worker]->answer(message.call, message.nonce);
    onAnswer(worker, message.call, response);
    m_world.note(message.call.target);
    m_world.note(std::to_string(response.status));
    const auto wires = wire(message.coordinator, worker);
    if (!message.answered || wires.cutBack)
        return;
    m_world.afterMicros(
        latency(wires.delayPercent),
        [answered = message.answered, response = std::move(response)]() mutable { answered(std::move(response)); });
}

void WriteNetwork::thaw(std::size_t worker) {
    m_frozen.erase(worker);
    for (auto& message : std::exchange(m_backlog[worker], {}))
        arrive(worker, std::move(message));
}

void WriteNetwork::killWorker(std::size_t worker) {
    workers[worker]->kill();
    thaw(worker); // what waited is reset
}

WriteLink::CallId WriteLink::send(Call call, std::function<void(CallResult)> done) {
    const auto id = ++m_last;
    auto& flight = m_flights[id];
    flight.done = std::move(done);
    const auto left = std::chrono::duration_cast<std::chrono::microseconds>(call.deadline - m_environment.steady());
    flight.deadline = m_environment.afterMicros(
        left, [this, id] { land(id, failure(CallFailure::Kind::TimedOut, "no answer in time")); });
    auto answered = [self = std::weak_ptr(m_self), id](CallResult result) {
        if (const auto alive = self.lock())
            (*alive)->land(id, std::move(result));
    };
    const auto worker = m_network.workerAt(call.authority);
    auto& world = m_network.m_world;
    if (!worker) {
        world.afterMicros(1ms, [answered] { answered(failure(CallFailure::Kind::NotSent, "refused", true)); });
        return id;
    }
    const auto wires = m_network.wire(m_coordinator, *worker);
    if (wires.cutThere)
        return id;
    world.afterMicros(m_network.latency(wires.delayPercent),
                      [network = &m_network, worker = *worker,
                       message = WriteNetwork::Message{m_coordinator, std::move(call), std::move(answered),
                                                       std::to_string(m_life) + "." + std::to_string(id)}]() mutable {
                          network->arrive(worker, std::move(message));
                      });
    return id;
}

void WriteLink::land(CallId id, CallResult result) {
    auto flight = m_flights.extract(id);
    if (!flight)
        return;
    m_environment.cancel(flight.mapped().deadline);
    flight.mapped().done(std::move(result));
}

void WriteLink::cancel(CallId call) {
    if (auto flight = m_flights.extract(call))
        m_environment.cancel(flight.mapped().deadline);
}

} // namespace fremis::sim

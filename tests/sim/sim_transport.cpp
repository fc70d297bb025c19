#include "tests/sim/sim_transport.h"

#include "shared/hashing/partition.h"

#include <algorithm>

namespace fremis::sim {

using namespace std::chrono_literals;
using base::Reason;
using coordinator::Call;
using coordinator::CallFailure;
using coordinator::CallResult;
using coordinator::Response;
using hashing::PartitionSet;

namespace {

constexpr auto kNever = std::chrono::microseconds::max();
constexpr std::string_view kSpace = "sim-4";

CallResult failure(CallFailure::Kind kind, std::string why, bool refused = false) {
    return tl::unexpected(CallFailure{kind, refused, std::move(why)});
}

CallResult errorAnswer(int status, Reason reason, std::string message) {
    return Response{status, wire::errorBody({reason, std::move(message), {}}, "sim")};
}

std::vector<wire::PartitionRange> wireRanges(const PartitionSet& set) {
    std::vector<wire::PartitionRange> ranges;
    for (const auto& range : set.ranges())
        ranges.push_back({range.first, range.last});
    return ranges;
}

wire::Candidate candidateOf(std::string face, float score) {
    return {base::FaceId::trusted(std::move(face)), (1.0 + double{score}) / 2, base::Variation(1), double{score}};
}

/// A face that nobody enrolled, in a partition of `wanted`.
std::string inventedFace(const PartitionSet& wanted, int start = 0) {
    for (int i = start;; ++i) {
        auto face = std::string(kInvented) + std::to_string(i);
        if (wanted.contains(hashing::partitionOf(SimTransport::keyspace().text(), face)))
            return face;
    }
}

} // namespace

std::vector<wire::Candidate> bestOf(const std::vector<SimFace>& content, const PartitionSet& partitions,
                                    std::size_t k) {
    std::vector<wire::Candidate> best;
    std::set<base::FaceId> seen;
    for (const auto& face : content) {
        if (best.size() == k)
            break;
        if (partitions.contains(face.partition) && seen.insert(face.face).second)
            best.push_back({face.face, (1.0 + double{face.score}) / 2, face.variation, double{face.score}});
    }
    return best;
}

std::uint64_t rowsIn(const std::vector<SimFace>& content, const PartitionSet& partitions) {
    return static_cast<std::uint64_t>(std::count_if(
        content.begin(), content.end(), [&](const auto& face) { return partitions.contains(face.partition); }));
}

const std::vector<float>& SimTransport::embedding() {
    static const std::vector<float> values = {0.5F, -0.5F, 0.5F, 0.5F};
    return values;
}

const base::KeyspaceName& SimTransport::keyspace() {
    static const auto name = base::KeyspaceName::trusted("people");
    return name;
}

SimTransport::CallId SimTransport::send(Call call, std::function<void(CallResult)> done) {
    const auto id = ++m_lastCall;
    auto outcome = ask(call);
    const auto left = std::chrono::duration_cast<std::chrono::microseconds>(call.deadline - m_environment.steady());
    if (outcome.delay > left)
        outcome = {std::max(left, 0us), failure(CallFailure::Kind::TimedOut, "no answer in time")};
    m_environment.note(call.authority + call.target + call.body);
    auto& flight = m_calls[id];
    flight.done = std::move(done);
    flight.timer = m_environment.afterMicros(outcome.delay, [this, id, outcome = std::move(outcome)]() mutable {
        auto landed = m_calls.extract(id);
        m_environment.note(outcome.result ? outcome.result->body : outcome.result.error().why);
        outcome.delivered();
        landed.mapped().done(std::move(outcome.result));
    });
    return id;
}

void SimTransport::cancel(CallId call) {
    const auto flight = m_calls.extract(call);
    if (flight)
        m_environment.cancel(flight.mapped().timer);
}

SimTransport::Outcome SimTransport::ask(const Call& call) {
    const auto found = std::find_if(workers.begin(), workers.end(),
                                    [&](const auto& worker) { return worker.address == call.authority; });
    const auto latency = std::chrono::microseconds(m_chance.between(200, 15'000));
    if (found == workers.end() || found->fault == Fault::Refused)
        return {latency / 10, failure(CallFailure::Kind::NotSent, "connection refused", true)};
    const auto number = static_cast<std::size_t>(found - workers.begin());
    const bool isSearch = call.target == "/v1/face/recognition";
    auto outcome = isSearch ? search(number, call) : health(*found);
    outcome.delay = latency;
    if (found->fault == Fault::Hung)
        outcome.delay = kNever;
    if (found->fault == Fault::Slow)
        outcome.delay += found->delay;
    return outcome;
}

SimTransport::Outcome SimTransport::health(const SimWorker& worker) const {
    wire::Health health;
    const bool loading = worker.fault == Fault::Loading;
    health.state = loading ? "LOADING" : "ACTIVE";
    health.loadedPercent = loading ? 40 : 100;
    health.role = "worker";
    health.version = "1.0.0";
    health.time = m_environment.sinceEpoch();
    health.vectorsLoaded = health.vectorsExpected = rowsIn(content, worker.partitions);
    health.partitions = wireRanges(worker.partitions);
    health.space = std::string(kSpace);
    health.clientAuth = "open";
    return {{}, Response{200, wire::toJson(health)}};
}

SimTransport::Outcome SimTransport::search(std::size_t number, const Call& call) {
    const auto& worker = workers[number];
    const auto request = wire::parseRecognition(call.body);
    if (!request || !request->partitions)
        return {{}, errorAnswer(400, Reason::InvalidParams, "the coordinator asked nonsense")};
    PartitionSet asked;
    for (const auto& range : *request->partitions)
        asked.insert({range.start, range.end});
    auto& sofar = traffic[call.requestId];
    const auto overlaps = [&](const auto& sent) { return sent.partitions.overlaps(asked); };
    const auto out = std::find_if(sofar.sent.begin(), sofar.sent.end(), [&](const auto& sent) {
        return overlaps(sent) && !sent.replaced && isOut(workers[sent.worker].address);
    });
    const bool again = out == sofar.sent.end() && std::any_of(sofar.sent.begin(), sofar.sent.end(), overlaps);
    if (out != sofar.sent.end())
        out->replaced = true;
    sofar.sent.push_back({number, asked, again});

    const auto* given = std::get_if<wire::EmbeddingInput>(&request->probe);
    if (given && given->values != embedding())
        return {{}, errorAnswer(400, Reason::EmbeddingInvalid, "not the embedding of the photo")};
    if (!(asked - worker.partitions).empty())
        return {{}, errorAnswer(421, Reason::NotOwner, "not mine")};
    switch (worker.fault) {
    case Fault::Overloaded:
        return {{}, errorAnswer(503, Reason::Overloaded, "the search queue is full")};
    case Fault::Loading:
        return {{}, errorAnswer(503, Reason::NotReady, "loading")};
    case Fault::DropsAnswers:
        return {{}, failure(CallFailure::Kind::Lost, "connection reset")};
    case Fault::Nonsense:
        return {{}, Response{200, breaking(worker.breach, replyTo(*request, asked), *request, asked)}};
    default:
        return {{}, Response{200, wire::toJson(replyTo(*request, asked))}, [this, asked, id = call.requestId] {
                    auto& delivered = traffic[id].delivered;
                    delivered = delivered | asked;
                }};
    }
}

wire::RecognitionReply SimTransport::replyTo(const wire::Recognition& request, const PartitionSet& asked) const {
    wire::RecognitionReply reply;
    reply.candidates = bestOf(content, asked, static_cast<std::size_t>(request.candidateCount));
    reply.vectorsSearched = rowsIn(content, asked);
    reply.partitionsSearched = wireRanges(asked);
    if (std::holds_alternative<wire::ImageInput>(request.probe))
        reply.faces.emplace();
    if (request.returnEmbedding)
        reply.embedding = embedding();
    return reply;
}

/// Each of them also names a face that nobody enrolled: none of the answer may be taken.
std::string SimTransport::breaking(Breach breach, wire::RecognitionReply reply, const wire::Recognition& request,
                                   const PartitionSet& asked) const {
    const auto k = static_cast<std::size_t>(request.candidateCount);
    const auto invented = inventedFace(asked);
    if (reply.candidates.size() >= k)
        reply.candidates.pop_back();
    reply.candidates.insert(reply.candidates.begin(), candidateOf(invented, 1));
    switch (breach) {
    case Breach::OtherPartitions: {
        auto other = asked;
        other.contains(7) ? other.erase(7) : other.insert(base::Partition{7});
        reply.partitionsSearched = wireRanges(other);
        break;
    }
    case Breach::NoPartitions:
        reply.partitionsSearched.reset();
        break;
    case Breach::NoCount:
        reply.vectorsSearched.reset();
        break;
    case Breach::Unsorted:
        if (k < 2)
            return wire::toJson(reply).substr(1);
        reply.candidates.erase(reply.candidates.begin() + 1, reply.candidates.end());
        reply.candidates.insert(reply.candidates.begin(), candidateOf(inventedFace(asked, 1), -1));
        break;
    case Breach::TooMany:
        while (reply.candidates.size() <= k)
            reply.candidates.push_back(candidateOf(inventedFace(asked, 1'000 * int(reply.candidates.size())),
                                                   -0.1F - 0.001F * float(reply.candidates.size())));
        break;
    case Breach::NotANumber: {
        auto text = wire::toJson(reply);
        const auto at = text.find("\"score\":1");
        return text.replace(at, 9, "\"score\":NaN");
    }
    case Breach::ScoreOutOfRange:
        reply.candidates.front().score = 7;
        break;
    case Breach::ForeignPartition:
        if (asked.isAll())
            return wire::toJson(reply).substr(1);
        reply.candidates.front() = candidateOf(inventedFace(PartitionSet::all() - asked), 1);
        break;
    case Breach::FaceTwice:
        if (k < 2)
            return wire::toJson(reply).substr(1);
        reply.candidates.erase(reply.candidates.begin() + 1, reply.candidates.end());
        reply.candidates.push_back(candidateOf(invented, 0.5F));
        break;
    case Breach::LongBody:
        return wire::toJson(reply) + std::string(1'000, 'x');
    case Breach::NoEmbedding:
        if (reply.embedding) {
            reply.embedding.reset();
            break;
        }
        [[fallthrough]];
    case Breach::Truncated: {
        const auto text = wire::toJson(reply);
        return text.substr(0, text.size() * 2 / 3);
    }
    }
    return wire::toJson(reply);
}

} // namespace fremis::sim

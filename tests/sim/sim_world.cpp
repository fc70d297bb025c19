#include "tests/sim/sim_world.h"

#include "shared/base/log.h"
#include "shared/hashing/partition.h"
#include "shared/wire/reply_readers.h"

#include <algorithm>
#include <tuple>

namespace fremis::sim {

using namespace std::chrono_literals;
using coordinator::Answer;
using hashing::PartitionSet;

namespace {

constexpr auto kLateness = 100ms; ///< allowed behind a request's deadline

/// Cuts 0..255 into `parts` runs at random.
std::vector<PartitionSet> cut(Chance& chance, int parts) {
    std::set<int> ends = {base::kPartitionCount};
    while (static_cast<int>(ends.size()) < parts)
        ends.insert(chance.between(1, base::kPartitionCount - 1));
    std::vector<PartitionSet> runs;
    int first = 0;
    for (const int end : ends) {
        PartitionSet run;
        run.insert({static_cast<base::Partition>(first), static_cast<base::Partition>(end - 1)});
        runs.push_back(run);
        first = end;
    }
    return runs;
}

bool same(const std::vector<wire::Candidate>& a, const std::vector<wire::Candidate>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& left, const auto& right) {
        return left.faceId == right.faceId && left.variation == right.variation && left.score == right.score;
    });
}

PartitionSet setOf(const std::vector<wire::PartitionRange>& ranges) {
    PartitionSet set;
    for (const auto& range : ranges)
        set.insert({range.start, range.end});
    return set;
}

} // namespace

SimWorld::SimWorld(std::uint64_t seed)
    : SimWorld(seed, static_cast<Topology>(seed % 3), 1 + static_cast<int>(seed / 3 % 6)) {}

SimWorld::SimWorld(std::uint64_t seed, Topology topology, int nodes)
    : chance(seed), environment(chance.next()), transport(environment, chance.next()), cluster(environment, transport),
      watchdog(cluster, {1}, false), search(cluster, {}) {
    transport.isOut = [this](const std::string& address) {
        const auto view = cluster.view();
        const auto node = view->map.findNode(address);
        return !node || view->peers[*node]->state == coordinator::PeerState::Down;
    };
    allowPartial = chance.percent(50);
    search.setAllowPartial(allowPartial);
    makeWorkers(topology, nodes);
    makeContent();
    std::vector<PartitionSet> assigned;
    for (const auto& worker : transport.workers)
        assigned.push_back(worker.partitions);
    useMap(assigned);
}

void SimWorld::makeWorkers(Topology topology, int nodes) {
    for (int i = 0; i < nodes; ++i) {
        SimWorker worker;
        worker.address = "10.0.0." + std::to_string(i + 1) + ":4003";
        transport.workers.push_back(std::move(worker));
    }
    const auto count = static_cast<std::size_t>(nodes);
    const auto runs = cut(chance, topology == Topology::Random ? nodes * 2 : nodes);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto give = [&](std::size_t node) {
            auto& mine = transport.workers[node % count].partitions;
            mine = mine | runs[i];
        };
        if (topology == Topology::Ring)
            give(i), give(i + 1);
        else if (topology == Topology::AllEverywhere)
            for (std::size_t node = 0; node < count; ++node)
                give(node);
        else
            for (int copies = chance.between(1, 3); copies > 0; --copies)
                give(i < count ? i : chance.below(count));
    }
}

/// Few different scores, so that ties are common; some faces have several variations.
void SimWorld::makeContent() {
    for (int i = chance.between(0, 120); i > 0; --i) {
        auto face = base::FaceId::trusted("f" + std::to_string(chance.below(1'000)));
        const auto partition = hashing::partitionOf(SimTransport::keyspace().text(), face.text());
        for (int variation = chance.between(1, 2); variation > 0; --variation)
            transport.content.push_back(
                {face, base::Variation(chance.below(1'000'000)), partition, static_cast<float>(chance.below(9)) / 10});
    }
    std::sort(transport.content.begin(), transport.content.end(), [](const auto& a, const auto& b) {
        return std::tie(b.score, a.face, a.variation) < std::tie(a.score, b.face, b.variation);
    });
}

void SimWorld::useMap(const std::vector<PartitionSet>& assigned) {
    routing::ClusterConfig config;
    for (std::size_t i = 0; i < assigned.size(); ++i)
        for (const auto& range : assigned[i].ranges())
            config.entries.push_back({*routing::Address::parse(transport.workers[i].address),
                                      {range.first, range.last},
                                      std::nullopt,
                                      std::nullopt});
    cluster.useMap(routing::PartitionMap(config));
    watchdog.followMap();
}

void SimWorld::changeMap() {
    // Each worker is given a part of what it owns; what then has no owner goes back to all who have it.
    std::vector<PartitionSet> assigned;
    PartitionSet covered;
    for (const auto& worker : transport.workers) {
        const auto runs = cut(chance, 4);
        assigned.push_back(chance.percent(20) ? PartitionSet() : worker.partitions - runs[chance.below(4)]);
        covered = covered | assigned.back();
    }
    for (std::size_t i = 0; i < assigned.size(); ++i)
        assigned[i] = assigned[i] | (transport.workers[i].partitions - covered);
    useMap(assigned);
}

wire::Recognition SimWorld::photoSearch(int k) {
    return {.probe = wire::ImageInput{std::string(SimTransport::kPhoto)},
            .keyspace = SimTransport::keyspace(),
            .partitions = std::nullopt,
            .candidateCount = k,
            .allowPartialSearch = std::nullopt,
            .options = {},
            .returnEmbedding = false};
}

std::shared_ptr<SimWorld::Asked> SimWorld::askSomething() {
    auto request = photoSearch(chance.between(1, 12));
    if (chance.percent(50))
        request.probe = wire::EmbeddingInput{SimTransport::embedding(), std::nullopt};
    if (chance.percent(50))
        request.allowPartialSearch = chance.percent(50);
    return ask(std::move(request), std::chrono::milliseconds(chance.between(200, 9'000)));
}

std::shared_ptr<SimWorld::Asked> SimWorld::ask(wire::Recognition request, std::chrono::milliseconds patience) {
    auto asked = std::make_shared<Asked>();
    asked->id = "r" + std::to_string(++m_searches);
    asked->request = request;
    asked->deadline = environment.steady() + patience;
    const auto view = cluster.view();
    asked->epoch = view->map.epoch();
    for (const auto& node : view->map.nodes()) {
        asked->addresses.push_back(node.address.text());
        asked->assigned.emplace_back(node.partitions);
    }
    search.recognise(std::move(request), {asked->id, asked->deadline},
                     [this, asked](Answer<wire::RecognitionReply> answer) {
                         if (asked->answer)
                             asked->answer.reset(), asked->endedAt = {}; // answered twice: faultIn() finds no answer
                         else
                             asked->answer = std::move(answer), asked->endedAt = environment.steady();
                     });
    return asked;
}

void SimWorld::strike(int percent, std::vector<Fault> faults) {
    for (auto& worker : transport.workers) {
        if (!chance.percent(percent)) {
            worker.fault = Fault::None;
            continue;
        }
        worker.fault = faults[chance.below(faults.size())];
        worker.breach = static_cast<Breach>(chance.below(kBreaches));
        worker.delay = std::chrono::milliseconds(chance.between(20, 3'000));
    }
}

void keepQuiet() {
    base::setLogLevel(base::LogLevel::Error);
}

std::optional<wire::Coverage> coverageOf(const coordinator::Refusal& refusal) {
    const auto reply =
        wire::readRecognition(R"({"result":{"face_recognition":{"candidates":[]}},)" + refusal.members + "}");
    return reply ? reply->coverage : std::nullopt;
}

std::string SimWorld::faultIn(const Asked& asked) const {
    if (!asked.answer)
        return "not answered, or twice";
    if (asked.endedAt > asked.deadline + kLateness)
        return "answered too late";
    const auto& answer = *asked.answer;
    if (!answer && answer.error().error.reason != base::Reason::IncompleteSearch)
        return "refused: " + answer.error().error.message;
    const auto coverage = answer ? answer->coverage : coverageOf(answer.error());
    if (!coverage)
        return "no coverage";
    if (coverage->configEpoch != asked.epoch)
        return "another map's epoch";

    // What was reported against what answers that kept the rules brought.
    const auto found = transport.traffic.find(asked.id);
    const auto searched = found == transport.traffic.end() ? PartitionSet() : found->second.delivered;
    const auto missing = PartitionSet::all() - searched;
    if (coverage->partitionsSearched != searched.count())
        return "partitions_searched is not what was searched";
    PartitionSet reported;
    std::set<std::string> named;
    for (const auto& node : coverage->failedNodes) {
        const auto at = std::find(asked.addresses.begin(), asked.addresses.end(), node.address);
        if (at == asked.addresses.end() || !named.insert(node.address).second || node.reason.empty())
            return "a failed node that is unknown, named twice or without a reason";
        const auto mine = asked.assigned[static_cast<std::size_t>(at - asked.addresses.begin())];
        if (setOf(node.partitions) != (mine & missing))
            return "a failed node with other ranges than it left unsearched";
        reported = reported | setOf(node.partitions);
    }
    if (reported != missing)
        return "missing partitions " + missing.text() + " but reported " + reported.text();
    if (coverage->vectorsSearched != rowsIn(transport.content, searched))
        return "vectors_searched is " + std::to_string(coverage->vectorsSearched) + " instead of " +
               std::to_string(rowsIn(transport.content, searched));

    const bool partialAllowed = asked.request.allowPartialSearch.value_or(allowPartial);
    const bool mayAnswer = missing.empty() || (partialAllowed && !searched.empty());
    if (answer.has_value() != mayAnswer)
        return mayAnswer ? "refused though it may be answered" : "answered though it is incomplete";
    if (!answer)
        return {};
    if (answer->embedding)
        return "an embedding that the client did not ask for";
    if (std::holds_alternative<wire::ImageInput>(asked.request.probe) != answer->faces.has_value())
        return "face_detected of a photo is missing, or there without a photo";
    if (!same(answer->candidates,
              bestOf(transport.content, searched, static_cast<std::size_t>(asked.request.candidateCount))))
        return "other candidates than one node would find";
    return {};
}

} // namespace fremis::sim

#include "coordinator/cluster/search.h"

#include "shared/wire/reply_readers.h"
#include "shared/wire/request_writers.h"

#include <algorithm>
#include <map>

namespace fremis::coordinator {

using namespace std::chrono_literals;
using base::Reason;

namespace {

constexpr auto kLeastHedgeDelay = 50ms;
constexpr int kHedgePercentile = 95;

std::vector<wire::PartitionRange> rangesOf(const hashing::PartitionSet& set) {
    std::vector<wire::PartitionRange> ranges;
    for (const auto& range : set.ranges())
        ranges.push_back({range.first, range.last});
    return ranges;
}

/// The order of all candidates: similarity falling (by the stored float), then face id bytes, then variation.
bool better(const wire::Candidate& a, const wire::Candidate& b) {
    if (a.score != b.score)
        return a.score > b.score;
    if (a.faceId != b.faceId)
        return a.faceId < b.faceId;
    return a.variation < b.variation;
}

/// What a worker may answer to a question: its own partitions, no more than k, in order. Anything else is a failure of
/// that worker.
bool fits(const wire::RecognitionReply& reply, const hashing::PartitionSet& asked, int k) {
    return reply.partitionsSearched && reply.vectorsSearched && *reply.partitionsSearched == rangesOf(asked) &&
           reply.candidates.size() <= static_cast<std::size_t>(k) &&
           std::is_sorted(reply.candidates.begin(), reply.candidates.end(), better);
}

} // namespace

/// One request.
class Search::Run : public std::enable_shared_from_this<Run> {
public:
    Run(Search& search, wire::Recognition request, RequestContext context, Done<wire::RecognitionReply> done)
        : m_search(search), m_cluster(search.m_cluster), m_view(m_cluster.view()), m_request(std::move(request)),
          m_context(std::move(context)), m_done(std::move(done)), m_tried(m_view->peers.size()),
          m_why(m_view->peers.size()), m_unsearched(hashing::PartitionSet::all()) {}

    void begin() {
        m_search.m_budget.countRequest();
        if (std::holds_alternative<wire::ImageInput>(m_request.probe))
            return askFirst();
        ask(m_unsearched);
        finishIfOver();
    }

private:
    /// A call under way. The partitions that one of its rivals has answered meanwhile are not taken from it.
    struct Flight {
        std::size_t node = 0;
        hashing::PartitionSet partitions;
        Transport::CallId call = 0;
        Environment::TimerId hedge = 0;
        bool withPhoto = false;
    };
    using FlightId = std::uint64_t;

    /// With a photo one worker goes first: it makes the embedding and searches its share.
    void askFirst() {
        auto shares = choose(*m_view, m_unsearched, m_tried, m_cluster.environment());
        if (shares.empty())
            return finish();
        const auto lighter = [&](const Share& a, const Share& b) {
            return m_view->peers[a.node]->inFlight < m_view->peers[b.node]->inFlight;
        };
        launch(*std::min_element(shares.begin(), shares.end(), lighter), true);
    }

    void ask(const hashing::PartitionSet& partitions) {
        for (const auto& share : choose(*m_view, partitions, m_tried, m_cluster.environment()))
            launch(share, false);
    }

    void launch(const Share& share, bool withPhoto) {
        const auto id = ++m_lastFlight;
        m_tried[share.node] = true;
        auto& flight = m_flights[id];
        flight = {share.node, share.partitions, 0, 0, withPhoto};
        const auto& peer = m_view->peers[share.node];
        m_request.partitions = rangesOf(share.partitions);
        m_request.returnEmbedding = withPhoto;
        flight.call = m_cluster.call(peer,
                                     {.target = "/v1/face/recognition",
                                      .body = wire::toJson(m_request),
                                      .requestId = m_context.requestId,
                                      .deadline = m_context.deadline},
                                     [self = shared_from_this(), id, begin = m_cluster.environment().steady()](
                                         CallResult result) { self->landed(id, begin, std::move(result)); });
        if (withPhoto)
            return; // running the model twice costs more than waiting; the deadline and the watchdog look after it
        const auto usual = peer->searches.percentile(kHedgePercentile).value_or(0us);
        const auto patience =
            std::max<std::chrono::milliseconds>(kLeastHedgeDelay, std::chrono::ceil<std::chrono::milliseconds>(usual));
        flight.hedge = m_cluster.environment().after(patience, [self = shared_from_this(), id] { self->hedge(id); });
    }

    void hedge(FlightId id) {
        const auto found = m_flights.find(id);
        if (found == m_flights.end())
            return;
        found->second.hedge = 0;
        const auto late = found->second.partitions & m_unsearched;
        const auto shares = choose(*m_view, late, m_tried, m_cluster.environment());
        hashing::PartitionSet covered;
        for (const auto& share : shares)
            covered = covered | share.partitions;
        // Rivals that cannot answer all of it would not free the request of the late one.
        if (covered == late && !late.empty() && m_search.m_budget.spend())
            for (const auto& share : shares)
                launch(share, false);
    }

    void landed(FlightId id, std::chrono::steady_clock::time_point begin, CallResult result) {
        const auto node = m_flights.extract(id);
        const auto flight = node.mapped();
        m_cluster.environment().cancel(flight.hedge);
        const auto& peer = m_view->peers[flight.node];
        if (!result)
            return failed(flight, reasonOf(result.error()));
        if (result->status != 200) {
            if (mayFailOver(*result))
                return failed(flight, "http_" + std::to_string(result->status));
            return refuse(refusalOf(*result)); // of the question itself: every worker would say so
        }
        auto reply = wire::readRecognition(result->body);
        if (!reply || !fits(*reply, flight.partitions, m_request.candidateCount) ||
            (flight.withPhoto && !reply->embedding))
            return failed(flight, "http_200");
        if (!flight.withPhoto)
            peer->searches.add(
                std::chrono::duration_cast<std::chrono::microseconds>(m_cluster.environment().steady() - begin));
        take(flight, std::move(*reply));
    }

    void take(const Flight& flight, wire::RecognitionReply reply) {
        // A whole answer or none: a rival may have been first with a part of it.
        const auto fresh = flight.partitions & m_unsearched;
        if (fresh == flight.partitions) {
            m_unsearched = m_unsearched - fresh;
            m_vectors += *reply.vectorsSearched;
            m_candidates.insert(m_candidates.end(), std::make_move_iterator(reply.candidates.begin()),
                                std::make_move_iterator(reply.candidates.end()));
        } else if (!fresh.empty()) {
            return failed(flight, "timeout");
        }
        if (flight.withPhoto) {
            m_faces = std::move(reply.faces);
            m_request.probe = wire::EmbeddingInput{std::move(*reply.embedding), std::nullopt};
            ask(m_unsearched);
        }
        finishIfOver();
    }

    void failed(const Flight& flight, std::string reason) {
        m_why[flight.node] = std::move(reason);
        if (flight.withPhoto)
            return askFirst();
        auto waiting = hashing::PartitionSet();
        for (const auto& [id, other] : m_flights)
            waiting = waiting | other.partitions;
        ask((flight.partitions & m_unsearched) - waiting);
        finishIfOver();
    }

    void finishIfOver() {
        if (m_unsearched.empty() || m_flights.empty())
            finish();
    }

    void cancelAll() {
        for (const auto& [id, flight] : m_flights) {
            m_cluster.environment().cancel(flight.hedge);
            m_cluster.cancel(flight.call);
        }
        m_flights.clear();
    }

    void refuse(Refusal refusal) {
        cancelAll();
        if (const auto done = std::exchange(m_done, nullptr))
            done(tl::unexpected(std::move(refusal)));
    }

    [[nodiscard]] wire::Coverage coverage() const {
        wire::Coverage coverage;
        coverage.partitionsSearched = base::kPartitionCount - m_unsearched.count();
        coverage.vectorsSearched = m_vectors;
        coverage.configEpoch = m_view->map.epoch();
        for (std::size_t node = 0; node < m_view->peers.size(); ++node) {
            const auto& peer = *m_view->peers[node];
            const auto left = peer.assigned & m_unsearched;
            if (!m_why[node].empty())
                coverage.failedNodes.push_back({peer.address.text(), rangesOf(left), m_why[node]});
            else if (!left.empty())
                coverage.failedNodes.push_back({peer.address.text(), rangesOf(left), reasonOf(peer)});
        }
        return coverage;
    }

    void finish() {
        cancelAll();
        const auto done = std::exchange(m_done, nullptr);
        if (!done)
            return;
        auto covered = coverage();
        const bool partialAllowed = m_request.allowPartialSearch.value_or(m_search.m_options.allowPartial);
        const bool nothing = covered.partitionsSearched == 0;
        if (!covered.complete() && (nothing || !partialAllowed)) {
            std::string message = "partitions " + m_unsearched.text() + " could not be searched";
            return done(tl::unexpected(
                Refusal{{Reason::IncompleteSearch, std::move(message), {}}, "\"coverage\":" + wire::toJson(covered)}));
        }
        const auto k = static_cast<std::size_t>(m_request.candidateCount);
        std::sort(m_candidates.begin(), m_candidates.end(), better);
        if (m_candidates.size() > k)
            m_candidates.erase(m_candidates.begin() + static_cast<std::ptrdiff_t>(k), m_candidates.end());
        wire::RecognitionReply reply;
        reply.candidates = std::move(m_candidates);
        reply.faces = std::move(m_faces);
        reply.coverage = std::move(covered);
        done(std::move(reply));
    }

    Search& m_search;
    Cluster& m_cluster;
    const std::shared_ptr<const View> m_view;
    wire::Recognition m_request;
    const RequestContext m_context;
    Done<wire::RecognitionReply> m_done;
    std::vector<bool> m_tried;
    std::vector<std::string> m_why; ///< of failed nodes, by number
    hashing::PartitionSet m_unsearched;
    std::map<FlightId, Flight> m_flights;
    FlightId m_lastFlight = 0;
    std::vector<wire::Candidate> m_candidates;
    std::uint64_t m_vectors = 0;
    std::optional<std::vector<wire::DetectedFace>> m_faces;
};

void Search::recognise(wire::Recognition request, RequestContext context, Done<wire::RecognitionReply> done) {
    std::make_shared<Run>(*this, std::move(request), std::move(context), std::move(done))->begin();
}

} // namespace fremis::coordinator

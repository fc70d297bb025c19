#include "coordinator/cluster/search.h"

#include "shared/hashing/partition.h"
#include "shared/wire/reply_readers.h"
#include "shared/wire/request_writers.h"

#include <algorithm>
#include <map>
#include <set>

namespace fremis::coordinator {

using namespace std::chrono_literals;
using base::Reason;

namespace {

constexpr auto kLeastHedgeDelay = 50ms;
constexpr auto kLeastPhotoHedgeDelay = 500ms; ///< a model runs twice then, so it is not done lightly
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

/// What a worker may answer to a question: its own partitions, no more than k, in order, each face once and of a
/// partition asked for. Anything else is a failure of that worker.
bool fits(const wire::RecognitionReply& reply, const wire::Recognition& request, const hashing::PartitionSet& asked) {
    const auto& candidates = reply.candidates;
    if (!reply.partitionsSearched || !reply.vectorsSearched || *reply.partitionsSearched != rangesOf(asked) ||
        candidates.size() > static_cast<std::size_t>(request.candidateCount) ||
        !std::is_sorted(candidates.begin(), candidates.end(), better))
        return false;
    std::set<std::string_view> faces;
    return std::all_of(candidates.begin(), candidates.end(), [&](const auto& candidate) {
        const auto& face = candidate.faceId.text();
        return faces.insert(face).second && asked.contains(hashing::partitionOf(request.keyspace.text(), face));
    });
}

/// The worker is gone, or has just said that it is not ready or not the one that is meant: asking another one then
/// replaces a call. After any other failure it is one more, and counts against the budget.
bool isIdle(const CallResult& result) {
    if (!result)
        return result.error().kind != CallFailure::Kind::TimedOut;
    if (result->status == 200)
        return false;
    const auto reason = refusalOf(*result).error.reason;
    return reason == Reason::NotReady || reason == Reason::OtherInstance;
}

} // namespace

/// One request.
class Search::Run : public std::enable_shared_from_this<Run> {
public:
    Run(Search& search, wire::Recognition request, RequestContext context, Done<wire::RecognitionReply> done)
        : m_search(search), m_cluster(search.m_cluster), m_view(m_cluster.view()), m_request(std::move(request)),
          m_context(std::move(context)), m_done(std::move(done)), m_failed(m_view->peers.size()),
          m_why(m_view->peers.size()), m_unsearched(hashing::PartitionSet::all()) {}

    void begin() {
        m_begin = m_cluster.environment().steady();
        m_search.m_budget.countRequest();
        m_request.partitions.reset();
        m_request.returnEmbedding = std::holds_alternative<wire::ImageInput>(m_request.probe);
        m_question = wire::toJson(m_request);
        if (!m_request.returnEmbedding)
            ask(m_unsearched);
        else if (const auto share = firstShare(m_failed))
            launch(*share, true);
        finishIfOver();
    }

private:
    /// A call under way.
    struct Flight {
        std::size_t node = 0;
        hashing::PartitionSet partitions;
        Transport::CallId call = 0;
        Environment::TimerId look = 0;
        std::chrono::milliseconds patience{0};
        std::chrono::steady_clock::time_point begin{};
        bool withPhoto = false;
        bool hedged = false;
        bool stale = false; ///< its worker has missed writes
    };
    using FlightId = std::uint64_t;

    /// The answer to a flight. Answers overlap in one way only, a late one with those of the rivals that took its place
    /// in part or whole.
    struct Taken {
        hashing::PartitionSet partitions;
        std::uint64_t vectors = 0;
        bool stale = false;
        std::vector<wire::Candidate> candidates;
    };

    /// With a photo one worker goes first: it makes the embedding and searches its share. `excluded`: nodes not to ask.
    [[nodiscard]] std::optional<Share> firstShare(const std::vector<bool>& excluded) {
        const auto shares = choose(*m_view, m_unsearched, excluded, m_cluster.environment());
        const auto lighter = [&](const Share& a, const Share& b) {
            return m_view->peers[a.node]->inFlight < m_view->peers[b.node]->inFlight;
        };
        const auto lightest = std::min_element(shares.begin(), shares.end(), lighter);
        return lightest == shares.end() ? std::nullopt : std::optional(*lightest);
    }

    void ask(const hashing::PartitionSet& partitions) {
        for (const auto& share : choose(*m_view, partitions, m_failed, m_cluster.environment()))
            launch(share, false);
    }

    void launch(const Share& share, bool withPhoto) {
        const auto id = ++m_lastFlight;
        const auto& peer = m_view->peers[share.node];
        peer->reads.begin(m_cluster.environment().steady());
        auto& flight = m_flights[id];
        flight.node = share.node;
        flight.partitions = share.partitions;
        flight.withPhoto = withPhoto;
        flight.stale = peer->state == PeerState::CatchingUp;
        flight.begin = m_cluster.environment().steady();
        flight.call =
            m_cluster.call(peer,
                           {.target = "/v1/face/recognition",
                            .body = wire::withPartitions(m_question, rangesOf(share.partitions)),
                            .requestId = m_context.requestId,
                            .deadline = m_context.deadline},
                           [self = shared_from_this(), id](CallResult result) { self->landed(id, std::move(result)); });
        const auto& usual = withPhoto ? peer->photoSearches : peer->searches;
        const auto least = withPhoto ? kLeastPhotoHedgeDelay : kLeastHedgeDelay;
        flight.patience = std::max<std::chrono::milliseconds>(
            least, std::chrono::ceil<std::chrono::milliseconds>(usual.percentile(kHedgePercentile).value_or(0us)));
        lookLater(id, flight);
    }

    void lookLater(FlightId id, Flight& flight) {
        flight.look =
            m_cluster.environment().after(flight.patience, [self = shared_from_this(), id] { self->look(id); });
    }

    /// At a call that takes longer than usual: another worker is asked as well, once. A worker that is down by now is
    /// not waited for.
    void look(FlightId id) {
        const auto found = m_flights.find(id);
        if (found == m_flights.end())
            return;
        auto& flight = found->second;
        if (m_view->peers[flight.node]->state == PeerState::Down) {
            m_cluster.cancel(flight.call);
            const auto given = m_flights.extract(found).mapped();
            return failed(given, "timeout", true);
        }
        if (!flight.hedged)
            flight.hedged = hedge(flight);
        lookLater(id, flight);
    }

    /// True when rivals are on their way.
    [[nodiscard]] bool hedge(const Flight& late) {
        auto excluded = m_failed;
        for (const auto& [id, flight] : m_flights)
            excluded[flight.node] = true;
        std::vector<Share> shares;
        if (late.withPhoto) {
            if (const auto share = firstShare(excluded))
                shares.push_back(*share);
        } else {
            shares = choose(*m_view, late.partitions & m_unsearched, excluded, m_cluster.environment());
            hashing::PartitionSet covered;
            for (const auto& share : shares)
                covered = covered | share.partitions;
            // Rivals that cannot answer all of it would not free the request of the late one.
            if (covered != (late.partitions & m_unsearched))
                return false;
        }
        if (shares.empty() || !m_search.m_budget.spend(static_cast<int>(shares.size())))
            return false;
        for (const auto& share : shares)
            launch(share, late.withPhoto);
        return true;
    }

    void landed(FlightId id, CallResult result) {
        const auto node = m_flights.extract(id);
        if (!node)
            return; // of a request that has ended
        const auto& flight = node.mapped();
        m_cluster.environment().cancel(flight.look);
        if (!result)
            return failed(flight, reasonOf(result.error()), isIdle(result));
        if (result->status != 200) {
            if (mayFailOver(*result))
                return failed(flight, "http_" + std::to_string(result->status), isIdle(result));
            const auto refusal = refusalOf(*result);
            if (refusal.error.reason != Reason::KeyspaceNotFound)
                return refuse(refusal); // of the question itself: every worker would say so
            // One that has not heard of the keyspace yet says so too: it is believed when workers of all partitions say
            // so, and none of them has missed writes.
            m_withoutKeyspace = refusal;
            if (!flight.stale)
                m_withoutKeyspaceIn = m_withoutKeyspaceIn | flight.partitions;
            return failed(flight, std::string(refusal.error.token()), true);
        }
        auto reply = wire::readRecognition(result->body);
        if (!reply || !fits(*reply, m_request, flight.partitions) || (flight.withPhoto && !reply->embedding))
            return failed(flight, "http_200", false);
        auto& peer = *m_view->peers[flight.node];
        peer.reads.succeeded();
        (flight.withPhoto ? peer.photoSearches : peer.searches)
            .add(
                std::chrono::duration_cast<std::chrono::microseconds>(m_cluster.environment().steady() - flight.begin));
        take(flight, std::move(*reply));
    }

    void take(const Flight& flight, wire::RecognitionReply reply) {
        // Rivals may have been first with parts of it: one whole answer is worth more than parts whose rest may fail.
        std::erase_if(m_taken, [&](const auto& taken) { return (taken.partitions - flight.partitions).empty(); });
        m_taken.push_back({flight.partitions, *reply.vectorsSearched, flight.stale, std::move(reply.candidates)});
        m_unsearched = m_unsearched - flight.partitions;
        if (flight.withPhoto) {
            cancelAll(); // a rival with the photo
            m_faces = std::move(reply.faces);
            m_request.probe = wire::EmbeddingInput{std::move(*reply.embedding), std::nullopt};
            m_request.returnEmbedding = false;
            m_question = wire::toJson(m_request);
            ask(m_unsearched);
        }
        finishIfOver();
    }

    /// `idle`: see isIdle().
    void failed(const Flight& flight, std::string reason, bool idle) {
        m_failed[flight.node] = true;
        m_view->peers[flight.node]->reads.failed(m_cluster.environment().steady());
        m_why[flight.node] = std::move(reason);
        if (m_cluster.environment().steady() < m_context.deadline)
            for (const auto& share : replacements(flight, idle))
                launch(share, flight.withPhoto);
        finishIfOver();
    }

    /// Whom to ask for what nobody else is being asked for; nobody when the budget does not allow it.
    [[nodiscard]] std::vector<Share> replacements(const Flight& flight, bool idle) {
        std::vector<Share> shares;
        if (flight.withPhoto) {
            if (const auto share = firstShare(m_failed); share && m_flights.empty())
                shares.push_back(*share);
        } else {
            auto left = flight.partitions & m_unsearched;
            for (const auto& [id, other] : m_flights)
                left = left - other.partitions;
            shares = choose(*m_view, left, m_failed, m_cluster.environment());
        }
        if (!idle && !shares.empty() && !m_search.m_budget.spend(static_cast<int>(shares.size())))
            shares.clear();
        return shares;
    }

    void finishIfOver() {
        if (m_unsearched.empty() || m_flights.empty())
            finish();
    }

    void cancelAll() {
        for (const auto& [id, flight] : m_flights) {
            m_cluster.environment().cancel(flight.look);
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
        for (const auto& taken : m_taken) {
            coverage.vectorsSearched += taken.vectors;
            coverage.stale = coverage.stale || taken.stale;
        }
        coverage.configEpoch = m_view->map.epoch();
        for (std::size_t node = 0; node < m_view->peers.size(); ++node) {
            const auto& peer = *m_view->peers[node];
            const auto left = m_view->assigned(node) & m_unsearched;
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
        if (nothing && m_withoutKeyspace && (m_unsearched - m_withoutKeyspaceIn).empty())
            return done(tl::unexpected(*m_withoutKeyspace));
        if (!covered.complete() && (nothing || !partialAllowed)) {
            std::string message = "partitions " + m_unsearched.text() + " could not be searched";
            return done(tl::unexpected(
                Refusal{{Reason::IncompleteSearch, std::move(message), {}}, "\"coverage\":" + wire::toJson(covered)}));
        }
        const auto k = static_cast<std::size_t>(m_request.candidateCount);
        wire::RecognitionReply reply;
        auto& candidates = reply.candidates;
        for (auto& taken : m_taken)
            candidates.insert(candidates.end(), std::make_move_iterator(taken.candidates.begin()),
                              std::make_move_iterator(taken.candidates.end()));
        std::sort(candidates.begin(), candidates.end(), better);
        if (candidates.size() > k)
            candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(k), candidates.end());
        reply.faces = std::move(m_faces);
        reply.coverage = std::move(covered);
        m_search.onAnswered(
            std::chrono::duration_cast<std::chrono::microseconds>(m_cluster.environment().steady() - m_begin));
        done(std::move(reply));
    }

    Search& m_search;
    Cluster& m_cluster;
    const std::shared_ptr<const View> m_view;
    wire::Recognition m_request;
    std::string m_question; ///< m_request for all partitions, as JSON
    const RequestContext m_context;
    Done<wire::RecognitionReply> m_done;
    std::vector<bool> m_failed;     ///< by number: not to be asked again
    std::vector<std::string> m_why; ///< of failed nodes, by number
    std::optional<Refusal> m_withoutKeyspace;
    hashing::PartitionSet m_withoutKeyspaceIn; ///< whose workers do not know it
    hashing::PartitionSet m_unsearched;
    std::map<FlightId, Flight> m_flights;
    FlightId m_lastFlight = 0;
    std::chrono::steady_clock::time_point m_begin{};
    std::vector<Taken> m_taken; ///< disjoint
    std::optional<std::vector<wire::DetectedFace>> m_faces;
};

void Search::recognise(wire::Recognition request, RequestContext context, Done<wire::RecognitionReply> done) {
    std::make_shared<Run>(*this, std::move(request), std::move(context), std::move(done))->begin();
}

} // namespace fremis::coordinator

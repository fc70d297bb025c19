#include "coordinator/cluster/reads.h"

#include "shared/hashing/partition.h"
#include "shared/wire/cursor.h"
#include "shared/wire/internal.h"
#include "shared/wire/reply_readers.h"
#include "shared/wire/request_writers.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace fremis::coordinator {

using base::Reason;
namespace internal = wire::internal;

namespace {

Refusal nobody() {
    return {{Reason::PartitionUnavailable, "no worker answers", {}}, {}};
}

Refusal nonsense() {
    return {{Reason::Overloaded, "a worker's answer makes no sense", {}}, {}};
}

std::string rangesText(const hashing::PartitionSet& set) {
    std::string text;
    for (const auto& range : set.ranges())
        text += (text.empty() ? "" : ",") + std::to_string(range.first) + "-" + std::to_string(range.last);
    return text;
}

Done<Forwarded> bodyOf(Done<std::string> done) {
    return [done = std::move(done)](Answer<Forwarded> answer) {
        if (!answer)
            return done(tl::unexpected(answer.error()));
        done(std::move(answer->response.body));
    };
}

/// What a worker that misses writes does not have may be there all the same.
Done<Forwarded> believingFinds(Refusal otherwise, Done<Forwarded> done) {
    return [otherwise = std::move(otherwise), done = std::move(done)](Answer<Forwarded> answer) {
        const bool isAbsent = !answer && (answer.error().error.reason == Reason::FaceNotFound ||
                                          answer.error().error.reason == Reason::KeyspaceNotFound);
        done(isAbsent ? tl::unexpected(otherwise) : std::move(answer));
    };
}

/// forward() of a question for what is stored. `nodes` are in reading order: those behind come last, and only what they
/// find is believed.
void askForStored(Cluster& cluster, const std::shared_ptr<const View>& view, std::vector<std::size_t> nodes,
                  const Call& call, const Refusal& otherwise, Done<Forwarded> done) {
    const auto firstBehind = std::find_if(nodes.begin(), nodes.end(), [&](std::size_t node) {
        return view->peers[node]->state == PeerState::CatchingUp;
    });
    std::vector<std::size_t> behind(firstBehind, nodes.end());
    nodes.erase(firstBehind, nodes.end());
    auto askBehind = [&cluster, view, behind, call, otherwise, done] {
        forward(cluster, view, behind, call, Repeat::Always, otherwise, believingFinds(otherwise, done));
    };
    if (nodes.empty())
        return askBehind();
    forward(cluster, view, std::move(nodes), call, Repeat::Always, otherwise,
            [askBehind = std::move(askBehind), done, more = !behind.empty()](Answer<Forwarded> answer) {
                const bool nobodyAnswers = !answer && answer.error().error.reason == Reason::PartitionUnavailable;
                nobodyAnswers&& more ? askBehind() : done(std::move(answer));
            });
}

} // namespace

void Reads::anyWorker(std::string path, std::string body, const RequestContext& context, Done<std::string> done) {
    const auto view = m_cluster.view();
    auto nodes = anyReaders(*view, m_cluster.environment());
    std::stable_sort(nodes.begin(), nodes.end(), [&](auto a, auto b) {
        return view->peers[a]->state == view->peers[b]->state && view->peers[a]->inFlight < view->peers[b]->inFlight;
    });
    forward(m_cluster, view, std::move(nodes),
            {.target = std::move(path),
             .body = std::move(body),
             .requestId = context.requestId,
             .deadline = context.deadline},
            Repeat::Always, nobody(), bodyOf(std::move(done)));
}

void Reads::matchPhotos(std::string body, const RequestContext& context, Done<std::string> done) {
    anyWorker("/v1/face/match", std::move(body), context, std::move(done));
}

void Reads::extract(std::string body, const RequestContext& context, Done<std::string> done) {
    anyWorker("/v1/face/extract-embedding", std::move(body), context, std::move(done));
}

void Reads::match(const wire::MatchV2& request, std::string body, const RequestContext& context,
                  Done<std::string> done) {
    std::optional<hashing::PartitionSet> stored;
    for (const auto* side : {&request.faceA, &request.faceB})
        if (const auto* face = std::get_if<wire::StoredFace>(side)) {
            if (!stored)
                stored.emplace();
            stored->insert(hashing::partitionOf(face->keyspace.text(), face->faceId.text()));
        }
    if (!stored)
        return anyWorker("/v2/face/match", std::move(body), context, std::move(done));
    const auto view = m_cluster.view();
    auto nodes = anyReaders(*view, m_cluster.environment());
    std::erase_if(nodes, [&](std::size_t node) { return !(*stored - view->served(node)).empty(); });
    if (nodes.empty() && stored->count() == 2)
        return matchApart(std::get<wire::StoredFace>(request.faceA), std::get<wire::StoredFace>(request.faceB), context,
                          std::move(done));
    const auto first = stored->ranges().front().first;
    askForStored(m_cluster, view, std::move(nodes),
                 {.target = "/v2/face/match",
                  .body = std::move(body),
                  .requestId = context.requestId,
                  .deadline = context.deadline},
                 partitionUnavailable(*view, first), bodyOf(std::move(done)));
}

/// No worker has both: one gives the embeddings of its face, another compares its own with them. Only the internal
/// plane gives embeddings away.
void Reads::matchApart(const wire::StoredFace& a, const wire::StoredFace& b, const RequestContext& context,
                       Done<std::string> done) {
    const auto view = m_cluster.view();
    const auto ask = [this, view, context](const wire::StoredFace& face, std::string_view path, std::string body,
                                           Done<Forwarded> answered) {
        const auto partition = hashing::partitionOf(face.keyspace.text(), face.faceId.text());
        askForStored(m_cluster, view, readers(*view, partition, m_cluster.environment()),
                     {.target = std::string(path),
                      .plane = Call::Plane::Internal,
                      .body = std::move(body),
                      .requestId = context.requestId,
                      .deadline = context.deadline},
                     partitionUnavailable(*view, partition), std::move(answered));
    };
    ask(a, internal::kFaceEmbeddingsPath, internal::toJson(internal::FaceEmbeddingsRequest{a}),
        [ask, b, done = std::move(done)](Answer<Forwarded> answer) {
            if (!answer)
                return done(tl::unexpected(answer.error()));
            auto embeddings = internal::readFaceEmbeddings(answer->response.body);
            if (!embeddings)
                return done(tl::unexpected(nonsense()));
            ask(b, internal::kMatchPath, internal::toJson(internal::MatchRequest{b, std::move(*embeddings)}),
                bodyOf(done));
        });
}

void Reads::get(const wire::GetEnrollment& request, const RequestContext& context, Done<std::string> done) {
    const auto view = m_cluster.view();
    const auto partition = hashing::partitionOf(request.keyspace.text(), request.faceId.text());
    const std::pair<std::string, std::string> query[] = {{"keyspace", request.keyspace.text()},
                                                         {"face_id", request.faceId.text()}};
    askForStored(m_cluster, view, readers(*view, partition, m_cluster.environment()),
                 {.method = "GET",
                  .target = wire::targetOf("/v1/face/enrollment", query),
                  .requestId = context.requestId,
                  .deadline = context.deadline},
                 partitionUnavailable(*view, partition), bodyOf(std::move(done)));
}

/// One page of a keyspace's faces, partition by partition. Each step asks one worker for the run of partitions that it
/// may answer for. Cursors are the workers' own: workers of a map without replicas may differ in the incarnation.
class Reads::Listing : public std::enable_shared_from_this<Listing> {
public:
    Listing(Cluster& cluster, wire::ListEnrollments request, RequestContext context, Done<std::string> done)
        : m_cluster(cluster), m_view(cluster.view()), m_request(std::move(request)), m_context(std::move(context)),
          m_done(std::move(done)), m_cursor(m_request.cursor), m_reply{m_request.keyspace, {}, {}, {}} {}

    void begin() {
        if (!m_cursor.empty()) {
            const auto cursor = wire::decodeCursor(m_cursor);
            if (!cursor)
                return m_done(tl::unexpected(Refusal{cursor.error(), {}}));
            m_partition = cursor->partition;
        }
        step();
    }

private:
    [[nodiscard]] bool full() const { return m_reply.faces.size() == static_cast<std::size_t>(m_request.limit); }

    void step() {
        const auto partition = static_cast<base::Partition>(m_partition);
        auto nodes = readers(*m_view, partition, m_cluster.environment());
        hashing::PartitionSet run;
        m_end = m_partition;
        while (!nodes.empty() && m_end < base::kPartitionCount &&
               m_view->served(nodes.front()).contains(static_cast<base::Partition>(m_end)))
            run.insert(static_cast<base::Partition>(m_end++));
        std::erase_if(nodes, [&](std::size_t node) { return !(run - m_view->served(node)).empty(); });
        // A full page is the last one when nothing comes behind it.
        const int limit = full() ? 1 : m_request.limit - static_cast<int>(m_reply.faces.size());
        const std::pair<std::string, std::string> query[] = {{"keyspace", m_request.keyspace.text()},
                                                             {"cursor", m_cursor},
                                                             {"limit", std::to_string(limit)},
                                                             {"partitions", rangesText(run)}};
        forward(m_cluster, m_view, std::move(nodes),
                {.method = "GET",
                 .target = wire::targetOf("/v1/face/enrollments", query),
                 .requestId = m_context.requestId,
                 .deadline = m_context.deadline},
                Repeat::Always, partitionUnavailable(*m_view, partition),
                [self = shared_from_this()](Answer<Forwarded> answer) {
                    if (answer)
                        return self->take(*answer);
                    if (self->full())
                        return self->finish(self->m_resume);
                    self->m_done(tl::unexpected(answer.error()));
                });
    }

    void take(const Forwarded& answer) {
        auto page = wire::readListEnrollments(answer.response.body);
        if (!page || !page->incarnation)
            return m_done(tl::unexpected(nonsense()));
        if (full() && !page->faces.empty())
            return finish(m_resume);
        if (!page->faces.empty()) {
            const auto& last = page->faces.back();
            m_resume = wire::encodeCursor({*page->incarnation, last.partition, last.faceId.text()});
        }
        std::move(page->faces.begin(), page->faces.end(), std::back_inserter(m_reply.faces));
        if (page->nextCursor)
            return finish(std::move(page->nextCursor));
        m_partition = m_end;
        m_cursor.clear();
        m_partition == base::kPartitionCount ? finish(std::nullopt) : step();
    }

    void finish(std::optional<std::string> nextCursor) {
        m_reply.nextCursor = std::move(nextCursor);
        m_done(wire::toJson(m_reply));
    }

    Cluster& m_cluster;
    const std::shared_ptr<const View> m_view;
    const wire::ListEnrollments m_request;
    const RequestContext m_context;
    Done<std::string> m_done;
    std::string m_cursor; ///< of the next step; empty: from the start of its partitions
    std::string m_resume; ///< behind the last face of the page
    int m_partition = 0;
    int m_end = 0; ///< behind the partitions that were asked for
    wire::ListEnrollmentsReply m_reply;
};

void Reads::list(wire::ListEnrollments request, const RequestContext& context, Done<std::string> done) {
    std::make_shared<Listing>(m_cluster, std::move(request), context, std::move(done))->begin();
}

void Reads::gather(std::string path, bool namePartitions, const RequestContext& context,
                   std::function<void(std::vector<ShareReply>)> done) {
    const auto view = m_cluster.view();
    struct Gathering {
        std::vector<ShareReply> replies;
        std::size_t waiting;
        std::function<void(std::vector<ShareReply>)> done;
    };
    auto gathering = std::make_shared<Gathering>();
    gathering->done = std::move(done);
    for (const auto& share : choose(*view, hashing::PartitionSet::all(), {}, m_cluster.environment()))
        gathering->replies.push_back({share, std::nullopt});
    gathering->waiting = gathering->replies.size();
    if (gathering->replies.empty())
        return gathering->done({});
    for (std::size_t i = 0; i < gathering->replies.size(); ++i) {
        const auto& share = gathering->replies[i].share;
        const std::pair<std::string, std::string> query[] = {{"partitions", rangesText(share.partitions)}};
        m_cluster.call(view->peers[share.node],
                       {.method = "GET",
                        .target = namePartitions ? wire::targetOf(path, query) : path,
                        .requestId = context.requestId,
                        .deadline = context.deadline},
                       [gathering, i](CallResult result) {
                           if (result && result->status == 200)
                               gathering->replies[i].response = std::move(*result);
                           if (--gathering->waiting == 0)
                               gathering->done(std::move(gathering->replies));
                       });
    }
}

void Reads::keyspaces(const RequestContext& context, Done<wire::ListKeyspacesReply> done) {
    gather("/v1/face/keyspace", true, context, [done = std::move(done)](std::vector<ShareReply> replies) {
        wire::ListKeyspacesReply whole;
        std::map<base::KeyspaceName, wire::KeyspaceInfo> byName;
        int partitions = 0;
        for (const auto& [share, response] : replies) {
            auto part = response ? wire::readListKeyspaces(response->body) : tl::unexpected(base::Error());
            if (!part)
                continue;
            partitions += share.partitions.count();
            for (auto& keyspace : part->keyspaces) {
                const auto [at, fresh] = byName.try_emplace(keyspace.keyspace, keyspace);
                if (fresh)
                    continue;
                at->second.faces += keyspace.faces;
                at->second.variations += keyspace.variations;
            }
        }
        if (partitions == 0)
            return done(tl::unexpected(nobody()));
        whole.complete = partitions == base::kPartitionCount;
        for (auto& [name, keyspace] : byName)
            whole.keyspaces.push_back(std::move(keyspace));
        done(std::move(whole));
    });
}

void Reads::loadedVectors(const RequestContext& context, Done<wire::LoadedVectors> done) {
    const auto view = m_cluster.view();
    gather("/v1/loaded-vectors", false, context,
           [this, view, context, done = std::move(done)](std::vector<ShareReply> replies) {
               wire::LoadedVectors whole;
               std::map<base::Partition, wire::PartitionLoad> partitions;
               for (const auto& [share, response] : replies) {
                   const auto part = response ? wire::readLoadedVectors(response->body) : tl::unexpected(base::Error());
                   if (!part)
                       continue;
                   whole.space = part->space;
                   whole.dim = part->dim;
                   whole.index = part->index;
                   whole.memoryBytes += part->memoryBytes;
                   for (const auto& load : part->partitions)
                       if (share.partitions.contains(load.partition))
                           partitions[load.partition] = load;
               }
               hashing::PartitionSet answered;
               for (const auto& [partition, load] : partitions) {
                   answered.insert(partition);
                   whole.total += load.vectors;
                   whole.faces += load.faces;
                   whole.partitions.push_back(load);
               }
               for (const auto& range : answered.ranges())
                   whole.owned.push_back({range.first, range.last});
               whole.complete = answered.isAll();
               whole.state = answered.empty() ? "DOWN" : "ACTIVE";
               whole.loadedPercent = 100.0 * answered.count() / base::kPartitionCount;
               whole.nodes.emplace();
               for (const auto& peer : view->peers)
                   whole.nodes->push_back({peer->address.text(), std::string(nameOf(peer->state)),
                                           peer->facts ? peer->facts->vectorsLoaded : 0});
               // Of the keyspaces a worker's load counts all its partitions; with replicas they would count twice.
               keyspaces(context, [whole = std::move(whole), done](Answer<wire::ListKeyspacesReply> list) mutable {
                   if (list)
                       for (const auto& keyspace : list->keyspaces)
                           if (keyspace.variations > 0)
                               whole.keyspaces.push_back({keyspace.keyspace, keyspace.variations, keyspace.faces});
                   done(std::move(whole));
               });
           });
}

void Reads::limitUsage(const RequestContext& context, Done<wire::LimitUsage> done) {
    keyspaces(context, [done = std::move(done)](Answer<wire::ListKeyspacesReply> answer) {
        if (!answer)
            return done(tl::unexpected(answer.error()));
        wire::LimitUsage usage;
        usage.currentKeyspace = static_cast<std::int64_t>(answer->keyspaces.size());
        for (const auto& keyspace : answer->keyspaces)
            usage.currentEnrollment += static_cast<std::int64_t>(keyspace.faces);
        done(usage);
    });
}

} // namespace fremis::coordinator

#include "coordinator/api/handlers.h"
#include "shared/wire/requests.h"

#include <algorithm>

namespace fremis::coordinator {

using base::Reason;
using base::Result;

namespace {

base::Status mayUse(const CoordinatorServices& services, const http::Request& request,
                    const base::KeyspaceName& keyspace) {
    return services.access ? services.access->mayUse(request.principal, keyspace) : base::Status();
}

const auto kSame = [](const std::string& body) { return body; };
const auto kWritten = [](const auto& reply) { return wire::toJson(reply); };

/// A use case that writes, see underPresentMap().
template<class Reply>
void attempt(const CoordinatorServices& services, std::function<void(Done<Reply>)> write, Done<Reply> done) {
    underPresentMap<Reply>(services.settleMap, std::move(write), std::move(done));
}

/// Parses, checks the key's keyspace, posts: what all calls about one keyspace have in common.
template<class Request, class Run>
void serve(const CoordinatorServices& services, const http::Request& request, http::Reply reply, Result<Request> parsed,
           Kind kind, Run run) {
    if (!parsed)
        return reply.fail(parsed.error());
    if (const auto allowed = mayUse(services, request, parsed->keyspace); !allowed)
        return reply.fail(allowed.error());
    auto shared = inTime(services, std::move(reply), kind, request.received + kAnswerTime);
    services.environment.post([run, shared, context = contextOf(request), parsed = std::move(*parsed)]() mutable {
        run(std::move(parsed), context, std::move(shared));
    });
}

} // namespace

SharedReply inTime(const CoordinatorServices& services, http::Reply reply, Kind kind,
                   std::chrono::steady_clock::time_point deadline) {
    auto shared = std::make_shared<const http::Reply>(std::move(reply));
    services.deadlines.watch(shared, deadline, [kind]() -> base::Error {
        if (kind == Kind::Read)
            return {Reason::Overloaded, "the request was not answered in time", {}};
        return {Reason::OutcomeUnknown, "the write was not confirmed in time; it may still be done", {}};
    });
    return shared;
}

RequestContext contextOf(const http::Request& request, std::chrono::milliseconds time) {
    constexpr std::chrono::milliseconds kSlack{300};
    return {request.requestId, request.received + time - kSlack};
}

void enrol(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    auto key = wire::parseIdempotencyKey(request.header("Idempotency-Key"));
    if (!key)
        return reply.fail(key.error());
    serve(services, request, std::move(reply), wire::parseEnrollment(request.body), Kind::Write,
          [&services, key = std::move(*key),
           begin = request.received](wire::Enrollment asked, const RequestContext& context, const SharedReply& shared) {
              attempt<wire::EnrollmentReply>(
                  services,
                  [&services, asked = std::move(asked), key, context](auto done) {
                      services.writes.enrol(asked, key, context, std::move(done));
                  },
                  answerTo<wire::EnrollmentReply>(shared, [&services, begin](const auto& done) {
                      services.metrics.createEnrollment.observe(std::chrono::steady_clock::now() - begin);
                      return wire::toJson(done);
                  }));
          });
}

void recognise(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    auto parsed = wire::parseRecognition(request.body);
    if (parsed) {
        // Of calls to workers; a client of the cluster searches all of it.
        parsed->partitions.reset();
        parsed->returnEmbedding = false;
    }
    serve(services, request, std::move(reply), std::move(parsed), Kind::Read,
          [&services, begin = request.received](wire::Recognition asked, const RequestContext& context,
                                                const SharedReply& shared) {
              services.search.recognise(
                  std::move(asked), context, [&services, shared, begin](Answer<wire::RecognitionReply> answer) {
                      const bool incomplete = answer ? !answer->coverage->complete()
                                                     : answer.error().error.reason == Reason::IncompleteSearch;
                      if (incomplete)
                          services.metrics.incompleteSearches.add();
                      if (!answer)
                          return shared->fail(answer.error().error, answer.error().members);
                      services.metrics.faceRecognition.observe(std::chrono::steady_clock::now() - begin);
                      shared->json(wire::toJson(*answer));
                  });
          });
}

void matchV1(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    const auto parsed = wire::parseMatchV1(request.body);
    if (!parsed)
        return reply.fail(parsed.error());
    if (parsed->keyspace)
        if (const auto allowed = mayUse(services, request, *parsed->keyspace); !allowed)
            return reply.fail(allowed.error());
    auto shared = inTime(services, std::move(reply), Kind::Read, request.received + kAnswerTime);
    services.environment.post(
        [&services, shared, context = contextOf(request), body = std::move(request.body)]() mutable {
            services.reads.matchPhotos(std::move(body), context, answerTo<std::string>(shared, kSame));
        });
}

void matchV2(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    auto parsed = wire::parseMatchV2(request.body);
    if (!parsed)
        return reply.fail(parsed.error());
    for (const auto* side : {&parsed->faceA, &parsed->faceB})
        if (const auto* stored = std::get_if<wire::StoredFace>(side))
            if (const auto allowed = mayUse(services, request, stored->keyspace); !allowed)
                return reply.fail(allowed.error());
    auto shared = inTime(services, std::move(reply), Kind::Read, request.received + kAnswerTime);
    services.environment.post([&services, shared, context = contextOf(request), parsed = std::move(*parsed),
                               body = std::move(request.body)]() mutable {
        services.reads.match(parsed, std::move(body), context, answerTo<std::string>(shared, kSame));
    });
}

void deleteEnrollment(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    auto parsed = wire::parseDeleteEnrollment(request.body);
    if (!parsed)
        return reply.fail(parsed.error());
    if (const auto allowed = mayUse(services, request, parsed->keyspace); !allowed)
        return reply.fail(allowed.error());
    const auto time = parsed->faceIds.size() > kBulkIds ? kBulkAnswerTime : kAnswerTime;
    auto shared = inTime(services, std::move(reply), Kind::Write, request.received + time);
    services.environment.post(
        [&services, shared, context = contextOf(request, time), parsed = std::move(*parsed)]() mutable {
            attempt<wire::DeleteEnrollmentReply>(
                services,
                [&services, parsed = std::move(parsed), context](auto done) {
                    services.writes.removeFaces(parsed, context, std::move(done));
                },
                answerTo<wire::DeleteEnrollmentReply>(shared, kWritten));
        });
}

void deleteVariation(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    serve(services, request, std::move(reply), wire::parseDeleteVariation(request.body), Kind::Write,
          [&services](wire::DeleteVariation asked, const RequestContext& context, const SharedReply& shared) {
              attempt<wire::DeleteVariationReply>(
                  services,
                  [&services, asked = std::move(asked), context](auto done) {
                      services.writes.removeVariations(asked, context, std::move(done));
                  },
                  answerTo<wire::DeleteVariationReply>(shared, kWritten));
          });
}

void extractEmbedding(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    if (const auto parsed = wire::parseExtractEmbedding(request.body); !parsed)
        return reply.fail(parsed.error());
    auto shared = inTime(services, std::move(reply), Kind::Read, request.received + kAnswerTime);
    services.environment.post(
        [&services, shared, context = contextOf(request), body = std::move(request.body)]() mutable {
            services.reads.extract(std::move(body), context, answerTo<std::string>(shared, kSame));
        });
}

void getEnrollment(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    serve(services, request, std::move(reply), wire::parseGetEnrollment(request.query), Kind::Read,
          [&services](const wire::GetEnrollment& asked, const RequestContext& context, const SharedReply& shared) {
              services.reads.get(asked, context, answerTo<std::string>(shared, kSame));
          });
}

void listEnrollments(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    serve(services, request, std::move(reply), wire::parseListEnrollments(request.query), Kind::Read,
          [&services](wire::ListEnrollments asked, const RequestContext& context, const SharedReply& shared) {
              services.reads.list(std::move(asked), context, answerTo<std::string>(shared, kSame));
          });
}

void createKeyspace(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    serve(services, request, std::move(reply), wire::parseCreateKeyspace(request.body), Kind::Write,
          [&services](wire::CreateKeyspace asked, const RequestContext& context, const SharedReply& shared) {
              attempt<wire::CreateKeyspaceReply>(
                  services,
                  [&services, asked = std::move(asked), context](auto done) {
                      services.writes.createKeyspace(asked, context, std::move(done));
                  },
                  answerTo<wire::CreateKeyspaceReply>(shared, kWritten));
          });
}

void listKeyspaces(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    auto shared = inTime(services, std::move(reply), Kind::Read, request.received + kAnswerTime);
    services.environment.post([&services, shared, context = contextOf(request), asker = std::move(request)] {
        services.reads.keyspaces(
            context, answerTo<wire::ListKeyspacesReply>(shared, [&services, asker](wire::ListKeyspacesReply& list) {
                std::erase_if(list.keyspaces,
                              [&](const auto& keyspace) { return !mayUse(services, asker, keyspace.keyspace); });
                return wire::toJson(list);
            }));
    });
}

void deleteKeyspace(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    serve(services, request, std::move(reply), wire::parseDeleteKeyspace(request.body), Kind::Write,
          [&services](const wire::DeleteKeyspace& asked, const RequestContext& context, const SharedReply& shared) {
              // A worker counts its own partitions only, so the cluster's count is asked for before.
              services.reads.keyspaces(
                  context, [&services, asked, context, shared](const Answer<wire::ListKeyspacesReply>& list) {
                      std::uint64_t faces = 0;
                      if (list)
                          for (const auto& keyspace : list->keyspaces)
                              if (keyspace.keyspace == asked.keyspace)
                                  faces = keyspace.faces;
                      attempt<wire::DeleteKeyspaceReply>(
                          services,
                          [&services, asked, context](auto done) {
                              services.writes.deleteKeyspace(asked, context, std::move(done));
                          },
                          answerTo<wire::DeleteKeyspaceReply>(shared, [faces](wire::DeleteKeyspaceReply& done) {
                              done.facesDeleted = faces;
                              return wire::toJson(done);
                          }));
                  });
          });
}

} // namespace fremis::coordinator

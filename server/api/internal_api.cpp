#include "server/api/internal_api.h"

#include "server/api/handlers.h"
#include "server/api/internal_handlers.h"

namespace fremis::api {

namespace {

namespace plane = wire::internal;

struct InternalRow {
    std::string_view path;
    void (*handler)(const InternalServices&, http::Request&&, http::Reply);
};

constexpr InternalRow kRows[] = {
    {plane::kProbePath, internal::probe},
    {plane::kEnrollmentPath, internal::enrol},
    {plane::kDeleteEnrollmentPath, internal::deleteEnrollment},
    {plane::kDeleteVariationPath, internal::deleteVariation},
    {plane::kKeyspacePath, internal::createKeyspace},
    {plane::kDeleteKeyspacePath, internal::deleteKeyspace},
    {plane::kApplyPath, internal::apply},
    {plane::kDigestsPath, internal::digests},
    {plane::kLeavesPath, internal::leaves},
    {plane::kRowsPath, internal::rows},
    {plane::kKeyspaceRecordsPath, internal::keyspaceRecords},
    {plane::kCollectPath, internal::collect},
    {plane::kFaceEmbeddingsPath, internal::faceEmbeddings},
    {plane::kMatchPath, internal::match},
};

} // namespace

std::vector<http::Route> internalRoutes(const InternalServices* services) {
    std::vector<http::Route> routes;
    for (const auto& row : kRows)
        routes.push_back({"POST", std::string(row.path), std::string(http::kInternalRight),
                          [services, handler = row.handler](http::Request&& request, http::Reply reply) {
                              if (const auto meant = isMeantForUs(services->worker, request); !meant)
                                  return reply.fail(meant.error());
                              handler(*services, std::move(request), std::move(reply));
                          }});
    return routes;
}

} // namespace fremis::api

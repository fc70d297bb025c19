#pragma once

#include "coordinator/cluster/forward.h"
#include "shared/wire/replies.h"
#include "shared/wire/requests.h"

namespace fremis::coordinator {

/// Everything that reads and is not a 1:N search. Answers are the JSON bodies for the client. Thread: the
/// environment's.
class Reads {
public:
    explicit Reads(Cluster& cluster) : m_cluster(cluster) {}

    void get(const wire::GetEnrollment& request, const RequestContext& context, Done<std::string> done);
    void list(wire::ListEnrollments request, const RequestContext& context, Done<std::string> done);
    /// Requests without stored faces go to any worker as they came.
    void matchPhotos(std::string body, const RequestContext& context, Done<std::string> done);
    void match(const wire::MatchV2& request, std::string body, const RequestContext& context, Done<std::string> done);
    void extract(std::string body, const RequestContext& context, Done<std::string> done);
    void keyspaces(const RequestContext& context, Done<wire::ListKeyspacesReply> done);
    void limitUsage(const RequestContext& context, Done<wire::LimitUsage> done);
    void loadedVectors(const RequestContext& context, Done<wire::LoadedVectors> done);

private:
    class Listing;
    void matchApart(const wire::StoredFace& a, const wire::StoredFace& b, const RequestContext& context,
                    Done<std::string> done);
    void anyWorker(std::string path, std::string body, const RequestContext& context, Done<std::string> done);
    /// One GET to each share of the partitions; a share that no replica answers is nothing.
    struct ShareReply {
        Share share;
        std::optional<Response> response;
    };
    void gather(std::string path, bool namePartitions, const RequestContext& context,
                std::function<void(std::vector<ShareReply>)> done);

    Cluster& m_cluster;
};

} // namespace fremis::coordinator

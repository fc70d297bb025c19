#pragma once

#include "coordinator/cluster/cluster.h"
#include "shared/wire/replies.h"
#include "shared/wire/requests.h"

namespace fremis::coordinator {

/// Repeats and hedges may be at most a tenth of the requests, and three more. Thread: one.
class RetryBudget {
public:
    void countRequest() { m_tenths = std::min(m_tenths + 1, kMost); }
    /// For so many calls, all or none.
    [[nodiscard]] bool spend(int calls) {
        if (m_tenths < 10 * calls)
            return false;
        m_tenths -= 10 * calls;
        return true;
    }

private:
    static constexpr int kMost = 30 + 100;
    int m_tenths = 30;
};

/// 1:N search over all partitions: one worker makes the embedding of the photo and searches its share, the others then
/// search theirs; the answers are merged exactly. Every partition is answered by one replica. A worker that fails or
/// hesitates is replaced by another replica within the request. Thread: the environment's.
class Search {
public:
    struct Options {
        bool allowPartial = false; ///< when the request does not say
    };
    Search(Cluster& cluster, Options options) : m_cluster(cluster), m_options(options) {}

    /// The reply has `coverage`; a refusal for incompleteness carries it as a member.
    void recognise(wire::Recognition request, RequestContext context, Done<wire::RecognitionReply> done);
    void setAllowPartial(bool allow) { m_options.allowPartial = allow; }

    /// Called when a search has been answered, with the time it took.
    std::function<void(std::chrono::microseconds)> onAnswered = [](std::chrono::microseconds) {};

private:
    class Run;
    Cluster& m_cluster;
    Options m_options;
    RetryBudget m_budget;
};

} // namespace fremis::coordinator

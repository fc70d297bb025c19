#include "coordinator/cluster/forward.h"

namespace fremis::coordinator {

using base::Reason;

namespace {

struct Attempt {
    Cluster& cluster;
    std::shared_ptr<const View> view;
    std::vector<std::size_t> nodes;
    Call call;
    Repeat repeat;
    Refusal otherwise;
    Done<Forwarded> done;
    Prepare prepare;
    std::size_t next = 0;
};

void send(const std::shared_ptr<Attempt>& attempt, std::size_t node);

void proceed(const std::shared_ptr<Attempt>& attempt) {
    if (attempt->next == attempt->nodes.size())
        return attempt->done(tl::unexpected(attempt->otherwise));
    const auto node = attempt->nodes[attempt->next++];
    if (!attempt->prepare)
        return send(attempt, node);
    attempt->prepare(node, [attempt, node](std::string body) {
        attempt->call.body = std::move(body);
        send(attempt, node);
    });
}

void send(const std::shared_ptr<Attempt>& attempt, std::size_t node) {
    auto call = attempt->call;
    attempt->cluster.call(attempt->view->peers[node], std::move(call), [attempt, node](CallResult result) {
        if (result && result->status == 200)
            return attempt->done(Forwarded{node, std::move(*result)});
        if (result && !mayFailOver(*result))
            return attempt->done(tl::unexpected(refusalOf(*result)));
        const auto refusal = result ? std::optional(refusalOf(*result)) : std::nullopt;
        const bool open = result ? refusal->error.reason == Reason::OutcomeUnknown
                                 : result.error().kind != CallFailure::Kind::NotSent;
        if (open && attempt->repeat == Repeat::IfNotDone)
            return attempt->done(tl::unexpected(Refusal{
                {Reason::OutcomeUnknown, "the write was not confirmed in time; it may still be done", {}}, {}}));
        // The last word of the last worker tells more than "nobody answers", unless it means just that. Whether it was
        // asked by the wrong map is for writes to know.
        if (refusal && attempt->next == attempt->nodes.size() && refusal->error.reason != Reason::NotReady &&
            refusal->error.reason != Reason::OtherInstance &&
            (refusal->error.reason != Reason::NotOwner || attempt->repeat == Repeat::IfNotDone))
            return attempt->done(tl::unexpected(*refusal));
        proceed(attempt);
    });
}

} // namespace

void forward(Cluster& cluster, std::shared_ptr<const View> view, std::vector<std::size_t> nodes, Call call,
             Repeat repeat, Refusal otherwise, Done<Forwarded> done, Prepare prepare) {
    proceed(std::make_shared<Attempt>(Attempt{cluster, std::move(view), std::move(nodes), std::move(call), repeat,
                                              std::move(otherwise), std::move(done), std::move(prepare)}));
}

std::vector<std::size_t> readers(const View& view, base::Partition partition, Environment& environment) {
    std::vector<std::size_t> nodes;
    for (const auto node : view.map.owners(partition))
        if (view.served(node).contains(partition))
            nodes.push_back(node);
    return inReadingOrder(view, std::move(nodes), environment);
}

std::vector<std::size_t> anyReaders(const View& view, Environment& environment) {
    return inReadingOrder(view, allNodes(view), environment);
}

} // namespace fremis::coordinator

#pragma once

#include "coordinator/cluster/cluster.h"

namespace fremis::coordinator {

/// When a request may be sent to a second worker after a first one did not answer it.
enum class Repeat {
    Always,    ///< reads
    IfNotDone, ///< writes: only when the first surely did not do it
};

struct Forwarded {
    std::size_t node;  ///< that answered
    Response response; ///< status 200
};

/// Called before a worker is asked; `send` sends it a body. For requests whose body depends on what is known then.
using Prepare = std::function<void(std::size_t node, std::function<void(std::string body)> send)>;

/// Sends one request to the first of `nodes` that answers it. A refusal of the request itself (4xx) is the answer. When
/// none answers: `otherwise`, or OutcomeUnknown for a write that may have been done. Thread: the environment's.
void forward(Cluster& cluster, std::shared_ptr<const View> view, std::vector<std::size_t> nodes, Call call,
             Repeat repeat, Refusal otherwise, Done<Forwarded> done, Prepare prepare = {});

/// Workers that may answer for a partition: active ones in random order, then suspect and catching-up ones.
[[nodiscard]] std::vector<std::size_t> readers(const View& view, base::Partition partition, Environment& environment);
/// The same for what every worker can do.
[[nodiscard]] std::vector<std::size_t> anyReaders(const View& view, Environment& environment);

} // namespace fremis::coordinator

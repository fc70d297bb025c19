#pragma once

#include "shared/http/connection_counter.h"
#include "shared/http/peer.h"
#include "shared/http/route_table.h"
#include "shared/http/server.h"
#include "shared/http/tls_transport.h"

#include <memory>

namespace fremis::http {

/// What all loops of a server read. Immutable while they run, but for the counter, which has its own lock.
struct SharedState {
    SharedState(const Limits& limitsGiven, RouteTable table)
        : limits(limitsGiven), routes(std::move(table)), counter(limits) {}

    const Limits limits;
    const RouteTable routes;
    AccessHooks access;
    RequestObserver observer;
    TrustedPeers trusted;
    std::shared_ptr<TlsContext> tls;
    ConnectionCounter counter;
};

} // namespace fremis::http

#pragma once

#include "coordinator/cluster/delete_horizon.h"
#include "coordinator/cluster/queue_control.h"
#include "coordinator/cluster/repair.h"
#include "coordinator/cluster/replay.h"
#include "coordinator/cluster/resync.h"
#include "coordinator/cluster/search.h"
#include "coordinator/cluster/writes.h"

namespace fremis::coordinator {

/// The parts of one coordinator that work by themselves. The service and the simulation put them together alike.
struct Parts {
    Cluster& cluster;
    Watchdog& watchdog;
    Replay& replay;
    Repair& repair;
    Resync& resync;
    QueueControl& queueControl;
    DeleteHorizon& deleteHorizon;
    Search& search;
    Writes& writes;
};
/// Lets them know of each other. Once, before the first map.
void connect(const Parts& parts);
/// Sets going what goes on by itself. Once, after the first map.
void begin(const Parts& parts);

} // namespace fremis::coordinator

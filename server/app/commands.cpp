#include "server/app/models_command.h"
#include "server/app/plan_command.h"
#include "server/app/ring_command.h"
#include "server/app/worker_command.h"
#include "shared/app/subcommand.h"

using namespace fremis::app;

namespace {

const SubcommandRegistration s_worker({"httpserver", "a worker: enrols, finds and deletes faces over REST",
                                       runWorkerCommand});
const SubcommandRegistration s_models({"models", "model packs: fetch and check", runModelsCommand});
const SubcommandRegistration
    s_plan({"plan", "cluster maps: check, show, split, add and remove nodes with the fewest moves", runPlanCommand});
const SubcommandRegistration s_ring({"ring", "consistent hashing: locate, compare and teach placement schemes",
                                     runRingCommand});

} // namespace

#include "server/app/plan_options.h"

#include <array>
#include <utility>

namespace fremis::app {

namespace {

constexpr std::string_view kOverview = R"(fremis_n_app plan - who owns which partition, and how to change that

Faces live in 256 partitions; config.yml says which worker owns which. Changing a map means
copying vectors, so these commands show what a change costs before anything is touched. They
read files and print; they never talk to a cluster.

  plan even 3                                a config.yml for three new workers
  plan even --nodes a:4003,b:4003:2          the same for named workers; b gets twice the share
  plan even --config config.yml              level out an existing map
  plan check config.yml                      every fault, one line each: file:line:column: reason
  plan show config.yml                       the map as a table and a picture
  plan add d:4003 --config config.yml        the cheapest way to take d in
  plan remove b:4003 --config config.yml     the cheapest way to let b go
  plan weight a:4003=2 --config config.yml   give a twice the share of a node of weight 1
  plan diff old.yml new.yml                  what it takes to get from one map to the other
  plan diff --reverse plan.json              the way back from a plan

`plan COMMAND --help` says more about one command.

Why several ranges? With one range per node, every node after the new one has to shift:
appending a fourth worker to three moves 127 of 256 partitions, inserting it at the best place
85. With several ranges per node (--mode multi, the default) only what the new worker needs
moves: 64, and no plan can do with less. Each plan states that bound.

Planning flags
  --mode multi|contiguous      several ranges per node, or one
  --objective moves|balance|vectors|ranges
                               fewest moves (default) | largest fractions get the odd partition |
                               equal vectors (needs --vectors) | fewest ranges
  --replication R              owners per partition; default: as in the map
  --spread enforce|keep        replicas on distinct hosts and zones wherever possible (default),
                               or only no new sharing of a host or zone
  --zone NODE=ZONE             what fails together: a rack, a room; repeatable
  --pin PARTITIONS=NODE        e.g. --pin 5,100-110=a:4003; repeatable
  --max-moves N                stop after the N most pressing moves
  --vectors FILE               reply of GET /v1/loaded-vectors of the coordinator: volumes, times
  --rate N                     vectors per second that one move copies (200)
  --bytes-per-vector N         (2300)
  --parallel N                 moves a node takes part in at one time (4)

Results
  --format table|json|csv      what is printed
  --config-out FILE            the new config.yml: your file, only the changed lines edited
  --plan-out FILE              the plan as JSON; holds the present map, so it leads back
  --runbook-out FILE           steps for the operator as Markdown; --lang en|id

Exit status: 0 done, 1 a check failed, 2 wrong use, 78 bad config.
)";

constexpr std::string_view kEven = R"(fremis_n_app plan even N | --nodes LIST|FILE | --config config.yml

Without a cluster: prints a config.yml in which the workers share the 256 partitions evenly, or
by weight. Worker i begins at floor(256 i / n): three workers get 0-84, 85-169, 170-255.

  plan even 3
  plan even --nodes a:4003,b:4003:2,c:4003          b has weight 2: 64, 128, 64
  plan even --nodes nodes.txt --replication 2       a node per line, host:port[:weight[:zone]]

With two replicas four workers form two rows: a and c own 0-127, b and d own 128-255.

With --config: the plan that levels an existing map out, with all planning flags.
)";

constexpr std::string_view kCheck =
    R"(fremis_n_app plan check config.yml [--replication R] [--listen host:port] [--strict]

Holds the file to the rules that the coordinator applies at start and reload, and prints every
fault with its place, not only the first:

  config.yml:4:22: partitions 101-149 belong to nobody

Errors make the coordinator refuse the file; warnings and remarks do not.
  --replication R     owners a partition should have when the file does not say
  --listen HOST:PORT  where the coordinator listens; no node may be the coordinator itself
  --strict            exit 1 also for warnings

Exit status: 0 acceptable, 1 warnings with --strict, 78 refused. JSON and CSV carry the rule's
number (V01 to V14) and JSON the mends on offer.
)";

constexpr std::string_view kShow = R"(fremis_n_app plan show config.yml [--vectors FILE]

The nodes with their partitions and shares, and a picture of all 256 partitions, 16 to a line,
a letter per owner. Two letters in a place are two replicas.
CSV has a line per partition.
)";

constexpr std::string_view kAdd = R"(fremis_n_app plan add NODE... --config config.yml

NODE is host:port[:weight[:zone]]. Each node's share is 256 x R x weight / all weights; it gets
that number rounded down or up. Present owners keep what they can.

  plan add d:4003 --config config.yml
  plan add d:4003 e:4003:0.5 --config config.yml --mode contiguous

The proof line reads "64 of at least 64": the present nodes hold 64 partitions more than their
new shares, so no plan can move fewer. The line below it says what the other mode would cost.
)";

constexpr std::string_view kRemove = R"(fremis_n_app plan remove NODE... --config config.yml [--drain]

NODE is an address or a name. Everything it holds goes to the others; with several ranges per
node nothing else moves. --drain marks the node as drained instead of leaving: the plan is the
same, its reasons say so.

  plan remove b:4003 --config config.yml --plan-out plan.json --runbook-out runbook.md
)";

constexpr std::string_view kWeight = R"(fremis_n_app plan weight NODE=WEIGHT... --config config.yml

A node of weight 2 owns twice as many partitions as one of weight 1. Weights go from 0.01 to
100 in steps of 0.01; a node never owns a partition twice, so what a heavy node cannot hold
with R > 1 goes to the others.

  plan weight a:4003=2 c:4003=0.5 --config config.yml
)";

constexpr std::string_view kDiff = R"(fremis_n_app plan diff OLD.yml NEW.yml [--vectors FILE] [--copied LIST]
fremis_n_app plan diff --reverse PLAN.json [--config config.yml]

What has to be copied so that NEW can replace OLD. With --vectors the data is guarded: a
partition that leaves a node with vectors for a node without is a fault (exit 1), since its
faces would become unfindable while every light is green. Name the partitions that have been
copied already with --copied 101-149,200.

--reverse gives the plan that leads back to the map a plan started from. With --config (the
present file) --config-out edits that file instead of writing a fresh one.
)";

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kTexts{{{"even", kEven},
                                                                               {"check", kCheck},
                                                                               {"show", kShow},
                                                                               {"add", kAdd},
                                                                               {"remove", kRemove},
                                                                               {"weight", kWeight},
                                                                               {"diff", kDiff}}};

} // namespace

std::string planHelp(std::string_view command) {
    for (const auto& [name, text] : kTexts)
        if (name == command)
            return std::string(text) + "\nAll planning flags: fremis_n_app plan --help\n";
    return std::string(kOverview);
}

} // namespace fremis::app

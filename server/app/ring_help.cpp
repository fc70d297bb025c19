#include "server/app/ring_help.h"

#include <map>

namespace fremis::app::ring {

namespace {

constexpr std::string_view kOverview = R"(fremis_n_app ring COMMAND [options]

Where keys go in a cluster, which scheme suits yours, and why hash mod n does not.

  partition KEYSPACE FACE_ID   the partition of a face, and its owners in a config.yml
  locate --key K               the owners of a key under a scheme, best first
  report                       how even a map is, what failures do to it, what it costs
  diff --from A --to B         what moves between two lists of nodes, pair by pair
  simulate --join N ...        the same for a series of joins, departures and weights
  compare                      all schemes side by side on your nodes
  vectors                      checks this build against the published values
  demo modn|worked|vnodes|failure   lessons with exact numbers

Schemes (--scheme):
  modulo        hash mod n. Even and fast, but one more node moves most keys.
  slots         256 slots in a table, what FREMIS-N itself uses: exact, movable one by one.
  ring          hash ring with virtual nodes and weights; any node may come and go. The default.
  placed        ring with placed tokens: even to 1 % with 16 tokens a node; has a history.
  hrw           rendezvous: even, no table, any node may come and go; cost grows with n.
  weighted-hrw  the same with exact weights.
  jump          even, no memory at all; only the last node may leave, no weights.
  memento       jump for which any node may leave; remembers who left.
  maglev        one table lookup, very even; a change moves a little more than it must.
  multi-probe   one point per node and several probes per key: little memory, slow.

Options for all:
  --format table|json|csv      default table
  --nodes N|LIST|FILE          N: node1..nodeN; LIST: id[:weight[:zone[:rack[:host]]]],...
                               FILE: a line each, "id weight zone rack host", # comments; or a config.yml
                               without it: node1..node10
  --hash sha1|md5|xxh64        default sha1 (first 8 bytes, big-endian)
  --points V                   points of a ring node of weight 1, default 160
  --tokens V                   tokens of a placed ring's node, default 16
  --table-size M               Maglev's table, a prime, default 65537
  --probes K                   multi-probe's probes, default 21
  --progress                   show progress although stderr is no terminal
  -h, --help                   'ring COMMAND --help' tells more

Exit status: 0 done, 1 a check failed, 2 wrong usage, 78 a file of nodes or keys that does not read.
)";

constexpr std::string_view kPartition = R"(fremis_n_app ring partition KEYSPACE FACE_ID [--config FILE]

The partition of a face is byte 3 (counted from 0) of SHA-1 over "KEYSPACE-FACE_ID": the first four bytes as a big-endian number,
mod 256. All programs of FREMIS-N share this rule, and it never changes. With --config the owners in that config.yml are named.

  $ fremis_n_app ring partition default alice          partition 38
  $ fremis_n_app ring partition default 7              partition 69; "007" is another face: partition 41

A keyspace and a face_id meet at the dash: "a-b" + "c" and "a" + "b-c" share a partition. They stay two faces.
)";

constexpr std::string_view kLocate =
    R"(fremis_n_app ring locate --key K [--scheme S] [--nodes N] [--replicas R] [--spread zone,rack,host]

Prints the key's hash, the place the scheme's rule finds for it, and R different nodes, the owner first.
--spread takes first nodes of unused zones, then of unused racks, then of unused hosts, then any.

  $ fremis_n_app ring locate --scheme hrw --nodes node1,node2,node3 --key employee-7 --replicas 3
)";

constexpr std::string_view kReport =
    R"(fremis_n_app ring report [--scheme S] [--nodes N] [--keys FILE|COUNT] [--replicas R] [--epsilon E] [--svg FILE]

How even is the map? sd/mean and max/mean are of the nodes' shares relative to their weights: 0 and 1 would be perfect. For ring,
placed, slots, maglev and modulo they are exact; with --keys, or for the others, counted on keys: k0, k1, .. or a file with a key
a line, perhaps a tab and a count, which lists the hottest keys too.
Receivers: how many nodes take over when one dies. One receiver doubles its load; many hardly notice.
--replicas R adds how many other nodes share keys with each node. --epsilon E places the keys with bounded loads: no node above
(1+E) times the mean, full nodes are passed.

  $ fremis_n_app ring report --scheme ring --points 1000 --nodes 10.0.0.1,10.0.0.2:2,10.0.0.3
)";

constexpr std::string_view kDiff = R"(fremis_n_app ring diff --from NODES --to NODES [--scheme S] [--keys FILE|COUNT]

Which share of all keys goes from which node to which. "ideal" is the least that reaches the new even shares; "between unchanged
nodes" is what moves although both its nodes stay as they are, and should be 0.

  $ fremis_n_app ring diff --scheme maglev --from a,b,c --to a,b,c,d
)";

constexpr std::string_view kSimulate =
    R"(fremis_n_app ring simulate CHANGE... [--scheme S] [--nodes N] [--keys FILE|COUNT]

Changes in the order given, each measured against the map before it:
  --join id[:weight[:zone]]   --leave id   --weight id:weight

  $ fremis_n_app ring simulate --scheme placed --nodes a,b,c --join d --weight a:2 --leave b
)";

constexpr std::string_view kCompare = R"(fremis_n_app ring compare [--nodes N] [--keys FILE|COUNT] [--svg FILE]

All schemes on one list of nodes: time, memory, evenness, and what one join and one departure move relative to the least possible.
)";

constexpr std::string_view kVectors = R"(fremis_n_app ring vectors

Checks this build against fixed values: partitions, ring points, owner lists, jump buckets, a Maglev table, and SHA-256 over the
owners of 100,000 keys for each scheme. Exit status 1 if any differs. Programs in other languages can be checked against the same.
)";

constexpr std::string_view kDemo = R"(fremis_n_app ring demo modn|worked|vnodes|failure [--svg FILE]

  modn     from 3 to 4 and from 10 to 11 nodes: what hash mod n moves, and what a ring moves
  worked   a ring of 1000 positions and three nodes, small enough for paper
  vnodes   one point per node against many, beside the theory 1/sqrt(v)
  failure  who takes over from a dead node
)";

} // namespace

std::string helpText(std::string_view command) {
    static const std::map<std::string_view, std::string_view> kPages{
        {"partition", kPartition}, {"locate", kLocate},   {"report", kReport},   {"diff", kDiff},
        {"simulate", kSimulate},   {"compare", kCompare}, {"vectors", kVectors}, {"demo", kDemo},
    };
    const auto page = kPages.find(command);
    return std::string(page == kPages.end() ? kOverview : page->second);
}

} // namespace fremis::app::ring

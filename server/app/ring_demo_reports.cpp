// What `ring demo` prints around the numbers of ring_demos.cpp.
#include "server/app/ring_demos.h"
#include "server/app/ring_reports.h"
#include "server/app/ring_svg.h"

#include <map>
#include <numeric>

namespace fremis::app::ring {

namespace {

using Demo = Outcome<Report> (*)(const Streams&, const Options&);

Outcome<Report> withSvg(Report report, const Options& options, const std::string& svg) {
    if (options.svg)
        if (auto saved = saveSvg(*options.svg, svg); !saved)
            return tl::unexpected(std::move(saved.error()));
    return report;
}

Decimal percent(std::uint64_t part, std::uint64_t whole) {
    return {100.0 * static_cast<double>(part) / static_cast<double>(whole), 1};
}

Outcome<Report> modnDemo(const Streams& streams, const Options& options) {
    const ModnLesson lesson = modnLesson(progressOn(streams, options, "counting"));
    Table moves{"moves",
                "Keys that change their node",
                {{"rule", "rule"},
                 {"keys", "keys"},
                 {"change", "nodes"},
                 {"moved", "moved"},
                 {"percent", "%"},
                 {"ideal_percent", "least possible %"}},
                {}};
    const auto row = [&](std::string rule, std::uint64_t keys, std::string change, std::uint64_t moved, double ideal) {
        moves.rows.push_back(
            {std::move(rule), keys, std::move(change), moved, percent(moved, keys), Decimal{ideal, 1}});
    };
    row("key mod n", lesson.integerKeys, "3 to 4", lesson.integerMoved3To4, 25);
    row("key mod n", lesson.integerKeys, "10 to 11", lesson.integerMoved10To11, 100.0 / 11);
    row("MD5 mod n", lesson.md5Keys, "3 to 4", lesson.md5Moved3To4, 25);
    row("MD5 mod n", lesson.md5Keys, "10 to 11", lesson.md5Moved10To11, 100.0 / 11);
    row("ring, 100 points", lesson.md5Keys, "3 to 4", lesson.ringMoved, 25);
    Table loads{
        "loads", "Keys on each node of the ring", {{"node", "node"}, {"before", "A B C"}, {"after", "A B C D"}}, {}};
    BarChart chart{"Keys moved when a node joins",
                   "Modulo moves most keys; the ring moves about as many as the new node must hold.",
                   "% of the keys",
                   {},
                   {},
                   "",
                   1};
    for (std::size_t i = 0; i < lesson.ringAfter.size(); ++i)
        loads.rows.push_back({std::string(1, static_cast<char>('A' + i)), i < 3 ? Cell(lesson.ringBefore[i]) : Cell(),
                              lesson.ringAfter[i]});
    for (const auto& cells : moves.rows) {
        const auto& rule = std::get<std::string>(cells[0]);
        chart.bars.push_back({rule.substr(0, rule.find(',')) + ", " + std::get<std::string>(cells[2]),
                              std::get<Decimal>(cells[4]).value});
    }
    Report report{"ring-demo-modn", {}, {std::move(moves), std::move(loads)}, {}};
    report.facts.push_back(
        {"between_old_nodes", "ring: keys moved between A, B and C", lesson.ringMovedBetweenOldNodes});
    report.notes = {"Going from n to m nodes, hash mod n leaves min(n, m) / lcm(n, m) of the keys where they were: "
                    "3/12 and 10/110.",
                    "On the ring D takes its arcs from A, B and C and nothing else moves."};
    return withSvg(std::move(report), options, svgOf(chart));
}

RingChart workedChart() {
    return {"The ring of the example",
            "A circle of positions 0 to 999 with nodes at 150, 300, 520 and 880; each owns the arc before it.",
            {{"N1", 0.880, 1.150, "150"},
             {"N4", 0.150, 0.300, "300"},
             {"N2", 0.300, 0.520, "520"},
             {"N3", 0.520, 0.880, "880"}}};
}

Outcome<Report> workedDemo(const Streams&, const Options& options) {
    const WorkedLesson lesson = workedLesson();
    Table keys{"keys", "Positions 0..999; N1 at 150, N2 at 520, N3 at 880", {{"key", "key"}, {"node", "node"}}, {}};
    for (const auto& example : lesson.examples)
        keys.rows.push_back({static_cast<std::uint64_t>(example.key), example.node});
    Table loads{
        "loads", "Keys on each node", {{"node", "node"}, {"before", "before"}, {"after", "with N4 at 300"}}, {}};
    for (std::size_t i = 0; i < lesson.after.size(); ++i)
        loads.rows.push_back(
            {"N" + std::to_string(i + 1), i < lesson.before.size() ? Cell(lesson.before[i]) : Cell(), lesson.after[i]});
    Report report{"ring-demo-worked", {}, {std::move(keys), std::move(loads)}, {}};
    report.facts = {{"moved", "keys that move to N4", lesson.moved},
                    {"first", "first of them", static_cast<std::uint64_t>(lesson.firstMoved)},
                    {"last", "last of them", static_cast<std::uint64_t>(lesson.lastMoved)},
                    {"from", "all from", lesson.from},
                    {"modulo_moved", "mod 3 to mod 4 would move", lesson.moduloMoved}};
    report.notes = {"A key belongs to the first node at or after it: 150 is N1's own position. After 880 the circle "
                    "leads back to N1."};
    return withSvg(std::move(report), options, svgOf(workedChart()));
}

Outcome<Report> vnodesDemo(const Streams& streams, const Options& options) {
    const VnodesLesson lesson = vnodesLesson(progressOn(streams, options, "building rings"));
    Table table{"rings",
                "10,000 keys, MD5",
                {{"nodes", "nodes"},
                 {"points", "points per node"},
                 {"deviation", "sd/mean"},
                 {"most", "max/mean"},
                 {"theory", "1/sqrt(v)"}},
                {}};
    LogChart chart{"Virtual nodes even a ring out",
                   "The deviation of the load falls with the square root of the number of points per node.",
                   "points per node",
                   "sd/mean",
                   {{"10 nodes, measured", {}, false}, {"1/sqrt(v)", {}, true}}};
    const auto add = [&](std::uint64_t nodes, const VnodesLesson::Row& row) {
        table.rows.push_back({nodes, std::uint64_t{row.points}, Decimal{row.deviation, 3}, Decimal{row.most, 2},
                              Decimal{row.theory, 3}});
    };
    for (const auto& row : lesson.ten) {
        add(10, row);
        chart.lines[0].points.emplace_back(row.points, row.deviation);
        chart.lines[1].points.emplace_back(row.points, row.theory);
    }
    for (const auto& row : lesson.three)
        add(3, row);
    Report report{"ring-demo-vnodes",
                  {},
                  {std::move(table)},
                  {"Below about 1 % the counting of 10,000 keys itself is as uneven as the ring."}};
    return withSvg(std::move(report), options, svgOf(chart));
}

Outcome<Report> failureDemo(const Streams& streams, const Options& options) {
    const FailureLesson lesson = failureLesson(progressOn(streams, options, "letting nodes die"));
    Table table{"failures",
                "100 nodes, each let die in turn",
                {{"points", "points per node"},
                 {"least", "receivers, least"},
                 {"mean", "mean"},
                 {"most", "most"},
                 {"node1", "of node1"},
                 {"largest", "largest part of one"}},
                {}};
    for (const auto& row : lesson.rows)
        table.rows.push_back({std::uint64_t{row.points}, row.least, Decimal{row.mean, 1}, row.most, row.ofNode1,
                              Decimal{row.largestPart, 3}});
    std::map<std::uint64_t, double> histogram;
    for (const std::uint64_t receivers : lesson.receivers)
        ++histogram[receivers];
    BarChart chart{"Who takes over from a dead node, 100 points per node",
                   "Bars count, of 100 nodes, those whose keys go to so many receivers.",
                   "nodes",
                   {},
                   {},
                   "",
                   0};
    for (const auto& [receivers, nodes] : histogram)
        chart.bars.push_back({std::to_string(receivers), nodes});
    Report report{
        "ring-demo-failure",
        {},
        {std::move(table)},
        {"With one point per node a dead node's whole load falls on its one neighbour, which may die of it."}};
    return withSvg(std::move(report), options, svgOf(chart));
}

} // namespace

Outcome<Report> demoReport(const Streams& streams, const Options& options) {
    static const std::map<std::string, Demo> kDemos{
        {"modn", modnDemo}, {"worked", workedDemo}, {"vnodes", vnodesDemo}, {"failure", failureDemo}};
    const auto demo = kDemos.find(options.words.size() == 1 ? options.words[0] : "");
    if (demo == kDemos.end())
        return usage("ring demo takes one of modn, worked, vnodes, failure");
    return demo->second(streams, options);
}

} // namespace fremis::app::ring

#include "server/app/plan_view.h"

#include "server/app/text_table.h"
#include "shared/wire/json_writer.h"

#include <cmath>

namespace fremis::app {

using namespace routing;
using wire::JsonWriter;

namespace {

constexpr auto kRight = TextTable::Align::Right;

// Vectors of a set, "-" when nobody counted.
std::string vectorsText(const std::optional<PartitionVectors>& vectors, const PartitionSet& set) {
    if (!vectors)
        return "-";
    std::uint64_t sum = 0;
    for (std::size_t p = 0; p < set.size(); ++p)
        sum += set[p] ? (*vectors)[p] : 0;
    return std::to_string(sum);
}

std::string clockText(double seconds) {
    const auto whole = static_cast<long>(std::ceil(seconds));
    const auto two = [](long n) { return (n < 10 ? "0" : "") + std::to_string(n); };
    return std::to_string(whole / 3600) + ":" + two(whole / 60 % 60) + ":" + two(whole % 60);
}

std::string nodesText(const Plan& plan) {
    TextTable table({{"NODE"}, {"ROLE"}, {"WEIGHT", kRight}, {"BEFORE", kRight}, {"AFTER", kRight}, {"SHARE", kRight}, {"IN", kRight},
                     {"OUT", kRight}, {"VECTORS BEFORE", kRight}, {"AFTER", kRight}, {"RANGES AFTER"}});
    for (const PlanNode& node : plan.nodes)
        table.add({node.label(), std::string(wordOf(node.role)), node.weight.text(), std::to_string(node.before.count()),
                   std::to_string(node.after.count()), node.exactShare > 0 ? decimalText(node.exactShare, 2) : "-",
                   std::to_string(node.movesIn), std::to_string(node.movesOut), vectorsText(plan.vectors, node.before),
                   vectorsText(plan.vectors, node.after), rangesText(node.after)});
    return table.text();
}

std::string movesText(const Plan& plan) {
    TextTable table({{"WAVE", kRight}, {"PARTITIONS"}, {"FROM"}, {"TO"}, {"VECTORS", kRight}, {"REASON"}});
    for (const MoveGroup& group : groupMoves(plan))
        table.add({std::to_string(group.wave), rangesText(group.partitions), group.from.text(),
                   group.to ? group.to->text() : std::string("(dropped)"), plan.vectors ? std::to_string(group.vectors) : "-",
                   group.reason.text()});
    return table.empty() ? "No partition moves.\n" : table.text();
}

std::string figuresText(const Plan& plan) {
    const PlanFigures& f = plan.figures;
    std::string text = "Moves    " + plan.proof + "\n";
    text += "Balance  max/mean " + decimalText(f.maxOverMeanBefore, 3) + " -> " + decimalText(f.maxOverMeanAfter, 3) + " by partitions";
    if (plan.vectors)
        text += ", " + decimalText(f.vectorMaxOverMeanBefore, 3) + " -> " + decimalText(f.vectorMaxOverMeanAfter, 3) + " by vectors";
    text += "\nRanges   " + std::to_string(f.ranges) + "\n";
    text += "Waves    " + std::to_string(f.waves) + ", a node in at most " + std::to_string(plan.rates.movesPerNode) +
            " moves at a time\n";
    if (plan.vectors)
        text += "Copying  " + std::to_string(f.vectorsMoved) + " vectors, " + decimalText(static_cast<double>(f.bytesMoved) / 1e6, 1) +
                " MB, about " + clockText(f.seconds) + " at " + decimalText(plan.rates.vectorsPerSecond, 0) + " vectors/s per move\n";
    else
        text += "Copying  unknown; give --vectors with the reply of /v1/loaded-vectors\n";
    return text + "Epoch    " + plan.epochBefore + " -> " + plan.epochAfter + "\n";
}

// Letters for the nodes of a picture, then two letters.
std::string markOf(std::size_t node, std::size_t nodes) {
    constexpr std::size_t kLetters = 26;
    const auto letter = [](std::size_t i) { return static_cast<char>('A' + i); };
    if (nodes <= kLetters)
        return std::string(1, letter(node));
    return std::string{letter(node / kLetters), letter(node % kLetters)};
}

std::string picture(const PartitionMap& map) {
    constexpr int kPerLine = 16;
    std::size_t width = 1;
    std::vector<std::string> cells;
    for (int p = 0; p < base::kPartitionCount; ++p) {
        std::string cell;
        for (const auto owner : map.owners(static_cast<base::Partition>(p)))
            cell += markOf(owner, map.nodes().size());
        cells.push_back(cell.empty() ? "-" : cell);
        width = std::max(width, cells.back().size());
    }
    std::string text;
    for (int p = 0; p < base::kPartitionCount; ++p) {
        if (p % kPerLine == 0) {
            const std::string number = std::to_string(p);
            text += std::string(3 - number.size(), ' ') + number + " |";
        }
        const std::string& cell = cells[static_cast<std::size_t>(p)];
        text += " " + cell + std::string(p % kPerLine == kPerLine - 1 ? 0 : width - cell.size(), ' ');
        if (p % kPerLine == kPerLine - 1)
            text += '\n';
    }
    return text;
}

void writeRanges(JsonWriter& json, const PartitionSet& set) {
    json.beginArray();
    for (const Range& range : rangesOf(set))
        json.beginObject().member("start", range.first).member("end", range.last).endObject();
    json.endArray();
}

} // namespace

std::string planText(const Plan& plan) {
    std::string text = "Plan: " + plan.command + " (" + std::string(wordOf(plan.mode)) + ", " + std::string(wordOf(plan.objective)) +
                       ", replication " + std::to_string(plan.replication) + ")\n\n";
    text += nodesText(plan) + "\n" + movesText(plan) + "\n" + figuresText(plan);
    if (!plan.otherMode.empty())
        text += plan.otherMode.text() + "\n";
    for (const routing::Wording& warning : plan.warnings)
        text += "Warning: " + warning.text() + "\n";
    return text;
}

std::string planCsv(const Plan& plan) {
    TextTable table({{"wave"}, {"partition"}, {"kind"}, {"from"}, {"to"}, {"vectors"}, {"bytes"}, {"reason"}});
    for (const PlanMove& move : plan.moves)
        table.add({std::to_string(move.wave), std::to_string(move.partition), std::string(wordOf(move.kind)), move.from.text(),
                   move.to ? move.to->text() : std::string{}, std::to_string(move.vectors), std::to_string(move.bytes), move.reason.text()});
    return table.csv();
}

std::string mapText(const PartitionMap& map, const std::optional<PartitionVectors>& vectors) {
    TextTable table({{""}, {"NODE"}, {"ADDRESS"}, {"WEIGHT", kRight}, {"PARTITIONS", kRight}, {"SHARE", kRight}, {"VECTORS", kRight}, {"RANGES"}});
    std::size_t copies = 0;
    for (const MapNode& node : map.nodes())
        copies += node.partitions.count();
    for (std::size_t n = 0; n < map.nodes().size(); ++n) {
        const MapNode& node = map.nodes()[n];
        const double share = 100.0 * static_cast<double>(node.partitions.count()) / static_cast<double>(copies);
        table.add({markOf(n, map.nodes().size()), node.label(), node.address.text(), node.weight.text(),
                   std::to_string(node.partitions.count()), decimalText(share, 1) + " %", vectorsText(vectors, node.partitions),
                   rangesText(node.partitions)});
    }
    return table.text() + "\n" + picture(map) + "\nEpoch " + map.epoch() + "\n";
}

std::string mapCsv(const PartitionMap& map, const std::optional<PartitionVectors>& vectors) {
    TextTable table({{"partition"}, {"owners"}, {"addresses"}, {"vectors"}});
    for (int p = 0; p < base::kPartitionCount; ++p) {
        std::string addresses;
        const auto owners = map.owners(static_cast<base::Partition>(p));
        for (const auto owner : owners)
            addresses += (addresses.empty() ? "" : " ") + map.nodes()[owner].address.text();
        table.add({std::to_string(p), std::to_string(owners.size()), addresses,
                   vectors ? std::to_string((*vectors)[static_cast<std::size_t>(p)]) : std::string{}});
    }
    return table.csv();
}

std::string mapJson(const PartitionMap& map, const std::optional<PartitionVectors>& vectors) {
    JsonWriter json;
    json.beginObject().member("format", "fremis-plan-show/1").member("epoch", map.epoch()).member("replication", map.replication());
    json.key("nodes").beginArray();
    for (const MapNode& node : map.nodes()) {
        json.beginObject().member("address", node.address.text()).member("name", node.name).member("weight", node.weight.text());
        json.member("partitions", node.partitions.count()).key("ranges");
        writeRanges(json, node.partitions);
        json.endObject();
    }
    json.endArray().key("partitions").beginArray();
    for (int p = 0; p < base::kPartitionCount; ++p) {
        json.beginObject().member("partition", p).key("owners").beginArray();
        for (const auto owner : map.owners(static_cast<base::Partition>(p)))
            json.value(map.nodes()[owner].address.text());
        json.endArray();
        if (vectors)
            json.member("vectors", (*vectors)[static_cast<std::size_t>(p)]);
        json.endObject();
    }
    return json.endArray().endObject().take() + "\n";
}

std::string problemsText(std::string_view file, const std::vector<Problem>& problems) {
    std::string text;
    for (Problem problem : problems) {
        if (problem.severity != Severity::Error)
            problem.message.insert(0, std::string(wordOf(problem.severity)) + ": ");
        text += problemLine(file, problem) + "\n";
    }
    return text;
}

std::string problemsCsv(std::string_view file, const std::vector<Problem>& problems) {
    TextTable table({{"file"}, {"line"}, {"column"}, {"rule"}, {"severity"}, {"reason"}});
    for (const Problem& problem : problems)
        table.add({std::string(file), std::to_string(problem.line), std::to_string(problem.column), std::string(idOf(problem.rule)),
                   std::string(wordOf(problem.severity)), problem.message});
    return table.csv();
}

std::string problemsJson(std::string_view file, const std::vector<Problem>& problems, std::string_view epoch) {
    JsonWriter json;
    json.beginObject().member("format", "fremis-plan-check/1").member("file", file).member("ok", !epoch.empty());
    json.member("epoch", epoch.empty() ? std::nullopt : std::optional(epoch)).key("problems").beginArray();
    for (const Problem& problem : problems) {
        json.beginObject().member("line", problem.line).member("column", problem.column).member("rule", idOf(problem.rule));
        json.member("severity", wordOf(problem.severity)).member("reason", problem.message).key("fixes").beginArray();
        for (const QuickFix& fix : problem.fixes)
            json.value(fix.label.text());
        json.endArray().endObject();
    }
    return json.endArray().endObject().take() + "\n";
}

std::string configCsv(const ClusterConfig& config) {
    TextTable table({{"address"}, {"name"}, {"weight"}, {"partition_start"}, {"partition_end"}});
    for (const NodeEntry& entry : config.entries)
        table.add({entry.address.text(), entry.name.value_or(std::string{}), entry.weight.value_or(Weight()).text(),
                   std::to_string(entry.range.first), std::to_string(entry.range.last)});
    return table.csv();
}

std::string configJson(const ClusterConfig& config) {
    JsonWriter json;
    json.beginObject().member("format", "fremis-plan-even/1").member("epoch", epochOf(config));
    json.member("replication", config.replication).key("nodes").beginArray();
    for (const NodeEntry& entry : config.entries)
        json.beginObject()
            .member("address", entry.address.text())
            .member("name", entry.name)
            .member("weight", entry.weight.value_or(Weight()).text())
            .member("partition_start", entry.range.first)
            .member("partition_end", entry.range.last)
            .endObject();
    return json.endArray().endObject().take() + "\n";
}

} // namespace fremis::app

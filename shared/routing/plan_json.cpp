#include "shared/routing/plan_output.h"
#include "shared/routing/plan_words.h"
#include "shared/wire/json_writer.h"

#include <utility>

namespace fremis::routing {

using wire::JsonWriter;

namespace {

void writeRanges(JsonWriter& json, const PartitionSet& set) {
    json.beginArray();
    for (const Range& range : rangesOf(set))
        json.beginObject().member("start", range.first).member("end", range.last).endObject();
    json.endArray();
}

void writeConfig(JsonWriter& json, const ClusterConfig& config) {
    json.beginObject().member("replication", config.replication).member("allow_partial_search", config.allowPartialSearch);
    json.key("nodes").beginArray();
    for (const NodeEntry& entry : config.entries) {
        json.beginObject().member("address", entry.address.text()).member("name", entry.name);
        json.member("weight", entry.weight ? std::optional(entry.weight->text()) : std::nullopt);
        json.member("partition_start", entry.range.first).member("partition_end", entry.range.last).endObject();
    }
    json.endArray().endObject();
}

void writeNode(JsonWriter& json, const PlanNode& node) {
    json.beginObject().member("address", node.address.text()).member("name", node.name).member("weight", node.weight.text());
    json.member("zone", node.zone).member("role", wordOf(node.role)).member("target", node.target);
    json.member("exact_share", node.exactShare);
    json.member("partitions_before", node.before.count()).member("partitions_after", node.after.count());
    for (const auto& [key, set] : {std::pair{"before", &node.before}, {"after", &node.after}, {"pinned", &node.pinned}}) {
        json.key(key);
        writeRanges(json, *set);
    }
    json.member("vectors_before", node.vectorsBefore).member("vectors_after", node.vectorsAfter);
    json.member("moves_in", node.movesIn).member("moves_out", node.movesOut).endObject();
}

void writeMove(JsonWriter& json, const PlanMove& move) {
    json.beginObject().member("wave", move.wave).member("partition", move.partition).member("kind", wordOf(move.kind));
    json.member("from", move.from.text()).member("to", move.to ? std::optional(move.to->text()) : std::nullopt);
    json.member("vectors", move.vectors).member("bytes", move.bytes).member("reason", move.reason.text()).endObject();
}

void writeFigures(JsonWriter& json, const PlanFigures& f) {
    json.beginObject().member("moved", f.moved).member("lower_bound", f.lowerBound);
    json.member("ratio", f.lowerBound > 0 ? std::optional(static_cast<double>(f.moved) / f.lowerBound) : std::nullopt);
    json.member("ranges", f.ranges).member("max_over_mean_before", f.maxOverMeanBefore).member("max_over_mean_after", f.maxOverMeanAfter);
    json.member("vector_max_over_mean_before", f.vectorMaxOverMeanBefore);
    json.member("vector_max_over_mean_after", f.vectorMaxOverMeanAfter);
    json.member("vectors_moved", f.vectorsMoved).member("bytes_moved", f.bytesMoved);
    json.member("waves", f.waves).member("seconds", f.seconds).member("other_mode_moved", f.otherModeMoved).endObject();
}

} // namespace

std::string_view wordOf(PlanMode mode) { return wordIn(kModes, mode); }
std::string_view wordOf(Objective objective) { return wordIn(kObjectives, objective); }
std::string_view wordOf(PlanNode::Role role) { return wordIn(kRoles, role); }
std::string_view wordOf(PlanMove::Kind kind) { return wordIn(kKinds, kind); }
std::optional<PlanMode> planModeOf(std::string_view word) { return valueIn(kModes, word); }
std::optional<Objective> objectiveOf(std::string_view word) { return valueIn(kObjectives, word); }

std::string planJson(const Plan& plan) {
    JsonWriter json;
    json.beginObject().member("format", kPlanFormat).member("command", plan.command).member("mode", wordOf(plan.mode));
    json.member("objective", wordOf(plan.objective)).member("replication", plan.replication);
    json.member("proof", plan.proof).member("other_mode", plan.otherMode.text());
    json.member("epoch_before", plan.epochBefore).member("epoch_after", plan.epochAfter);
    json.key("figures");
    writeFigures(json, plan.figures);
    json.key("rates").beginObject().member("moves_per_node", plan.rates.movesPerNode);
    json.member("bytes_per_vector", plan.rates.bytesPerVector).member("vectors_per_second", plan.rates.vectorsPerSecond).endObject();
    json.key("config_before");
    writeConfig(json, plan.before);
    json.key("config_after");
    writeConfig(json, plan.after);
    json.key("nodes").beginArray();
    for (const PlanNode& node : plan.nodes)
        writeNode(json, node);
    json.endArray().key("moves").beginArray();
    for (const PlanMove& move : plan.moves)
        writeMove(json, move);
    json.endArray().key("warnings").beginArray();
    for (const Wording& warning : plan.warnings)
        json.beginObject().member("text", warning.text()).endObject();
    json.endArray();
    if (plan.vectors) {
        json.key("vectors").beginArray();
        for (std::size_t p = 0; p < plan.vectors->size(); ++p)
            json.beginObject().member("partition", p).member("vectors", (*plan.vectors)[p]).endObject();
        json.endArray();
    }
    return json.endObject().take();
}

} // namespace fremis::routing

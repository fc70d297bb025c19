#include "shared/routing/config_document.h"
#include "shared/routing/partition_map.h"
#include "shared/routing/plan_output.h"

#include <tuple>

namespace fremis::routing {

using base::fail;
using base::Reason;
using base::Result;

std::vector<MoveGroup> groupMoves(const Plan& plan) {
    std::vector<MoveGroup> groups;
    for (const PlanMove& move : plan.moves) {
        auto group = groups.begin();
        while (group != groups.end() && !(group->wave == move.wave && group->kind == move.kind && group->from == move.from &&
                                          group->to == move.to && group->reason == move.reason))
            ++group;
        if (group == groups.end())
            group = groups.insert(groups.end(), {move.wave, move.kind, move.from, move.to, {}, 0, 0, move.reason});
        group->partitions.set(static_cast<std::size_t>(move.partition));
        group->vectors += move.vectors;
        group->bytes += move.bytes;
    }
    return groups;
}

std::string configText(const ClusterConfig& config) {
    std::string text = "version: \"v1\"\n";
    if (config.replication)
        text += "replication: " + std::to_string(*config.replication) + "\n";
    if (config.allowPartialSearch)
        text += std::string("allow_partial_search: ") + (*config.allowPartialSearch ? "true" : "false") + "\n";
    if (config.entries.empty())
        return text + "nodes: []\n";
    // The editor knows how values are written; it starts from an entry that gives way.
    ConfigDocument document(text + "nodes:\n  - address: \"0.0.0.0:1\"\n    partition_start: 0\n    partition_end: 0\n");
    std::vector<Edit> edits{RemoveEntry{0}};
    for (const NodeEntry& entry : config.entries)
        edits.emplace_back(InsertEntry{1, entry});
    const auto change = document.apply(edits);
    return change ? document.text() : text;
}

Result<std::string> planConfig(const Plan& plan, std::string_view original) {
    ConfigDocument document{std::string(original)};
    if (!document.reading().ok())
        return fail(Reason::InvalidConfig, document.reading().firstError("config"));
    if (epochOf(*document.reading().config) != plan.epochBefore)
        return fail(Reason::InvalidConfig, "the file is not the map the plan was made for");
    const auto edits = document.editsTo(plan.after);
    if (!edits)
        return tl::unexpected(edits.error());
    if (const auto change = document.apply(*edits); !change)
        return tl::unexpected(change.error());
    if (!document.reading().ok() || epochOf(*document.reading().config) != plan.epochAfter)
        return fail(Reason::InvalidConfig, "the edited file would not say what the plan says: " + document.reading().firstError("config"));
    return document.text();
}

} // namespace fremis::routing

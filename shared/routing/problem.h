#pragma once

#include "shared/routing/config_edit.h"
#include "shared/routing/wording.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fremis::routing {

enum class Severity { Error, Warning, Info };

/// The rules a config is held to, numbered as users see them ("V07"). ruleTable() has a row for each, in this order.
enum class Rule {
    Syntax = 1,       ///< V01 unreadable: YAML, size, encoding, aliases, too many nodes
    Version,          ///< V02
    Nodes,            ///< V03 missing, empty or not a list
    AddressForm,      ///< V04 address or name
    Number,           ///< V05 partition numbers, weight, replication
    RangeOrder,       ///< V06 start > end
    Gap,              ///< V07 partitions without owner
    OverAssigned,     ///< V08 more owners than replicas wanted, ragged overlap
    UnderReplicated,  ///< V09 fewer owners than replicas wanted
    OneAddressTwice,  ///< V10 one node named twice for a partition, or with several ranges
    LocalTarget,      ///< V11 0.0.0.0 or localhost beside other hosts
    UnknownKey,       ///< V12
    Drift,            ///< V13 a worker reports other ranges
    OneHost,          ///< V14 two owners of a partition on one host
    Imbalance,        ///< V15 vectors spread unevenly
    NoAnswer,         ///< V16 a configured node does not answer
    OrphanedData,     ///< V17 a partition goes from a node with vectors to one without
    FileChanged,      ///< V18 the file is not the one that was read
    NoChange,         ///< V19 draft equals running config
};

struct RuleInfo {
    Rule rule;
    std::string_view id;    ///< "V07"
    std::string_view title; ///< a few words
};
[[nodiscard]] std::span<const RuleInfo> ruleTable();
[[nodiscard]] std::string_view idOf(Rule rule);
[[nodiscard]] std::string_view wordOf(Severity severity); ///< "error", "warning", "info"

/// A mend the operator can choose: edits of the document in which the problem was found.
struct QuickFix {
    Wording label;
    std::vector<Edit> edits;
};

/// One finding. Lines and columns count from 1, columns in characters; 0 means the file as a whole.
struct Problem {
    int line = 0;
    int column = 0;
    Rule rule = Rule::Syntax;
    Severity severity = Severity::Error;
    std::string message; ///< one line, no file name
    std::vector<QuickFix> fixes;
    PartitionSet partitions; ///< the partitions it is about, if any
    Wording wording;         ///< the message in its parts
};

[[nodiscard]] bool hasErrors(std::span<const Problem> problems);
/// "config.yml:7:22: reason"; without position "config.yml: reason".
[[nodiscard]] std::string problemLine(std::string_view file, const Problem& problem);

} // namespace fremis::routing

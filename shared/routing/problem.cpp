#include "shared/routing/problem.h"

#include <algorithm>
#include <array>

namespace fremis::routing {

namespace {

constexpr std::array kRules{
    RuleInfo{Rule::Syntax, "V01", "readable YAML within limits"},
    RuleInfo{Rule::Version, "V02", "version is \"v1\""},
    RuleInfo{Rule::Nodes, "V03", "nodes is a list with entries"},
    RuleInfo{Rule::AddressForm, "V04", "addresses and names"},
    RuleInfo{Rule::Number, "V05", "numbers in their bounds"},
    RuleInfo{Rule::RangeOrder, "V06", "start not after end"},
    RuleInfo{Rule::Gap, "V07", "every partition has an owner"},
    RuleInfo{Rule::OverAssigned, "V08", "no more owners than replicas wanted"},
    RuleInfo{Rule::UnderReplicated, "V09", "no fewer owners than replicas wanted"},
    RuleInfo{Rule::OneAddressTwice, "V10", "one address once per partition"},
    RuleInfo{Rule::LocalTarget, "V11", "no local address among several hosts"},
    RuleInfo{Rule::UnknownKey, "V12", "known keys only"},
    RuleInfo{Rule::Drift, "V13", "workers report the ranges of the config"},
    RuleInfo{Rule::OneHost, "V14", "replicas on different hosts"},
    RuleInfo{Rule::Imbalance, "V15", "vectors spread evenly"},
    RuleInfo{Rule::NoAnswer, "V16", "configured nodes answer"},
    RuleInfo{Rule::OrphanedData, "V17", "data moves before its partition"},
    RuleInfo{Rule::FileChanged, "V18", "the file is the one that was read"},
    RuleInfo{Rule::NoChange, "V19", "the draft changes something"},
};

} // namespace

std::span<const RuleInfo> ruleTable() { return kRules; }

std::string_view idOf(Rule rule) { return kRules[static_cast<std::size_t>(rule) - 1].id; }

std::string_view wordOf(Severity severity) {
    switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Info: return "info";
    }
    return "";
}

bool hasErrors(std::span<const Problem> problems) {
    return std::any_of(problems.begin(), problems.end(), [](const Problem& p) { return p.severity == Severity::Error; });
}

std::string problemLine(std::string_view file, const Problem& problem) {
    std::string text(file);
    if (problem.line > 0)
        text += ":" + std::to_string(problem.line) + ":" + std::to_string(problem.column);
    return text + ": " + problem.message;
}

} // namespace fremis::routing

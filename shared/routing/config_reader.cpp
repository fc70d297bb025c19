#include "shared/routing/config_reader.h"

#include "shared/routing/raw_config.h"

#include <algorithm>
#include <tuple>

namespace fremis::routing {

namespace {

ClusterConfig configOf(const RawConfig& raw) {
    ClusterConfig config;
    for (const RawEntry& entry : raw.entries)
        config.entries.push_back({*entry.address, *entry.range, entry.name, entry.weight});
    config.replication = raw.replication;
    config.allowPartialSearch = raw.allowPartialSearch;
    return config;
}

} // namespace

std::shared_ptr<const YamlDocument> readDocument(std::string text) {
    auto document = std::make_shared<YamlDocument>();
    document->text = std::move(text);
    document->fault = checkText(document->text);
    document->lines = TextLines(document->fault ? std::string_view(document->text).substr(0, kMaxConfigBytes)
                                                : std::string_view(document->text));
    if (document->fault)
        return document;
    if (auto root = readYaml(document->text))
        document->root = std::move(*root);
    else
        document->fault = root.error();
    return document;
}

namespace {

Wording wordingOf(const TextFault& fault) {
    constexpr std::string_view kParser = "not readable as YAML: ";
    if (fault.message.starts_with(kParser))
        return {Pattern("not readable as YAML: %1"), {fault.message.substr(kParser.size())}};
    return Wording::of(fault.message);
}

} // namespace

Problem problemAt(Spot spot, Rule rule, Severity severity, Wording wording) {
    wording.makeOneLine();
    std::string message = wording.text();
    return {spot.line, spot.column, rule, severity, std::move(message), {}, {}, std::move(wording)};
}

ConfigReading readDocumentConfig(const YamlDocument& document, const ConfigRules& rules) {
    ConfigReading reading;
    if (document.fault) {
        const Spot spot = document.fault->offset ? document.lines.spotOf(*document.fault->offset) : Spot{};
        reading.problems.push_back(problemAt(spot, Rule::Syntax, Severity::Error, wordingOf(*document.fault)));
        return reading;
    }
    const RawConfig raw = readSchema(document, rules, reading.problems);
    checkMap(raw, rules, reading.problems);
    std::stable_sort(reading.problems.begin(), reading.problems.end(), [](const Problem& a, const Problem& b) {
        return std::tie(a.line, a.column, a.severity) < std::tie(b.line, b.column, b.severity);
    });
    if (!hasErrors(reading.problems))
        reading.config = configOf(raw);
    return reading;
}

std::string ConfigReading::firstError(std::string_view file) const {
    const auto first = std::find_if(problems.begin(), problems.end(), [](const Problem& p) { return p.severity == Severity::Error; });
    return first == problems.end() ? std::string{} : problemLine(file, *first);
}

ConfigReading readConfig(std::string_view text, const ConfigRules& rules) {
    // A text far beyond the limit is not copied before it is refused.
    return readDocumentConfig(*readDocument(std::string(text.substr(0, kMaxConfigBytes + 1))), rules);
}

} // namespace fremis::routing

#include "server/app/plan_input.h"

#include "server/app/plan_view.h"

#include <algorithm>

namespace fremis::app {

using namespace routing;

namespace {

void addPieces(std::string_view text, char separator, std::vector<std::string>& words) {
    while (true) {
        const auto end = text.find(separator);
        words.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return;
        text.remove_prefix(end + 1);
    }
}

void addLines(std::string_view text, std::vector<std::string>& words) {
    std::vector<std::string> lines;
    addPieces(text, '\n', lines);
    for (std::string& line : lines) {
        line.erase(std::min(line.find('#'), line.size()));
        line.erase(std::remove_if(line.begin(), line.end(), [](char c) { return c == ' ' || c == '\t' || c == '\r'; }), line.end());
        if (!line.empty())
            words.push_back(line);
    }
}

// "3" stands for three workers with made-up names.
void expandNumber(std::vector<std::string>& words) {
    const auto count = parsePlainDecimal(words.front());
    if (!count || *count < 1 || *count > kMaxAddresses)
        return;
    words.clear();
    for (int i = 1; i <= *count; ++i)
        words.push_back("worker" + std::to_string(i) + ":4003");
}

} // namespace

CommandOutcome usageFault(const std::string& message) { return {kUsage, {}, message + "\n"}; }
CommandOutcome wrongUse(const std::string& message) { return usageFault("plan: " + message + "; see fremis_n_app plan --help"); }

Fault PlanInput::loadMap(const std::filesystem::path& file, ConfigFile& loaded) {
    auto config = loadConfig(file);
    if (!config)
        return CommandOutcome{kBadConfig, {}, config.error().message + "\n"};
    loaded = std::move(*config);
    std::vector<Problem> warnings;
    for (const Problem& problem : loaded.warnings)
        if (problem.severity == Severity::Warning)
            warnings.push_back(problem);
    m_warnings += problemsText(file.string(), warnings);
    return std::nullopt;
}

Fault PlanInput::loadVectors(std::optional<PartitionVectors>& vectors) const {
    if (m_options.vectors.empty())
        return std::nullopt;
    const auto text = readWholeFile(m_options.vectors, kMaxPlanBytes);
    if (!text)
        return CommandOutcome{kBadConfig, {}, text.error().message + "\n"};
    const auto parsed = parseLoadedVectors(*text);
    if (!parsed)
        return CommandOutcome{kBadConfig, {}, m_options.vectors.string() + ": " + parsed.error().message + "\n"};
    vectors = *parsed;
    return std::nullopt;
}

Fault PlanInput::onlyFile(std::filesystem::path& file) const {
    file = m_options.config;
    if (file.empty() && m_options.words.size() == 1)
        file = m_options.words.front();
    if (file.empty() || m_options.words.size() > (m_options.config.empty() ? 1U : 0U))
        return wrongUse(m_options.command + " wants one config.yml");
    return std::nullopt;
}

Fault PlanInput::nodeWishes(std::vector<NodeWish>& wishes) const {
    std::vector<std::string> words = m_options.words;
    std::error_code error;
    if (!m_options.nodes.empty() && std::filesystem::is_regular_file(m_options.nodes, error)) {
        const auto text = readWholeFile(m_options.nodes);
        if (!text)
            return usageFault(text.error().message);
        addLines(*text, words);
    } else if (!m_options.nodes.empty()) {
        addPieces(m_options.nodes, ',', words);
    }
    if (words.size() == 1)
        expandNumber(words);
    for (const std::string& word : words) {
        const auto wish = parseNodeWish(word);
        if (!wish)
            return usageFault(wish.error().message);
        wishes.push_back(*wish);
    }
    return std::nullopt;
}

Fault PlanInput::resolve(const PartitionMap& map, const std::string& word, Address& address) const {
    if (const auto node = map.findNode(word)) {
        address = map.nodes()[*node].address;
        return std::nullopt;
    }
    if (const auto parsed = Address::parse(word)) { // a node that is about to join
        address = *parsed;
        return std::nullopt;
    }
    return usageFault("plan: no node \"" + word + "\" in the map");
}

} // namespace fremis::app

#include "server/app/plan_command.h"

#include "server/app/plan_input.h"
#include "server/app/plan_view.h"

#include <algorithm>
#include <cstdio>
#include <exception>

namespace fremis::app {

using base::fail;
using base::Reason;
using base::Result;
using base::Status;
using namespace routing;

namespace {

/// Runs one command. Faults leave by the first CommandOutcome that is not empty.
class PlanRunner {
public:
    explicit PlanRunner(PlanOptions options) : m_options(std::move(options)) {}

    CommandOutcome run() {
        if (m_options.command == "even")
            return m_options.config.empty() ? even() : replan({});
        if (m_options.command == "check")
            return check();
        if (m_options.command == "show")
            return show();
        if (m_options.command == "diff")
            return m_options.reverse ? reverse() : diff();
        return change();
    }

private:
    // ---- output

    CommandOutcome finished(std::string out, int status = 0) const {
        return {status, std::move(out), m_input.warnings()};
    }

    std::string asFormat(const Plan& plan) const {
        switch (m_options.format) {
        case OutputFormat::Json:
            return planJson(plan) + "\n";
        case OutputFormat::Csv:
            return planCsv(plan);
        case OutputFormat::Table:
            break;
        }
        return planText(plan);
    }

    Fault write(const std::filesystem::path& file, const std::string& text) const {
        if (const auto status = replaceFile(file, text); !status)
            return CommandOutcome{kUsage, {}, status.error().message + "\n"};
        return std::nullopt;
    }

    // `original` is the config.yml to edit; empty: a fresh one is written.
    Fault writeFiles(const Plan& plan, const std::string& original) const {
        if (!m_options.configOut.empty()) {
            const Result<std::string> text = original.empty() ? configText(plan.after) : planConfig(plan, original);
            if (!text)
                return CommandOutcome{kBadConfig, {}, "plan: " + text.error().message + "\n"};
            if (auto fault = write(m_options.configOut, *text))
                return fault;
        }
        if (!m_options.planOut.empty())
            if (auto fault = write(m_options.planOut, planJson(plan) + "\n"))
                return fault;
        if (!m_options.runbookOut.empty())
            return write(m_options.runbookOut, planRunbook(plan, m_options.language));
        return std::nullopt;
    }

    CommandOutcome printed(const Plan& plan, const std::string& original, int status = 0) const {
        if (auto fault = writeFiles(plan, original))
            return *fault;
        return finished(asFormat(plan), status);
    }

    // ---- commands

    CommandOutcome even() {
        std::vector<NodeWish> wishes;
        if (auto fault = m_input.nodeWishes(wishes))
            return *fault;
        if (wishes.empty())
            return wrongUse("even wants --nodes, a number of nodes, or --config to split an existing map");
        const auto config = evenConfig(wishes, m_options.replication.value_or(1));
        if (!config)
            return usageFault("plan: " + config.error().message);
        if (!m_options.configOut.empty())
            if (auto fault = write(m_options.configOut, configText(*config)))
                return *fault;
        switch (m_options.format) {
        case OutputFormat::Json:
            return finished(configJson(*config));
        case OutputFormat::Csv:
            return finished(configCsv(*config));
        case OutputFormat::Table:
            break;
        }
        return finished(configText(*config));
    }

    CommandOutcome check() {
        std::filesystem::path file;
        if (auto fault = m_input.onlyFile(file))
            return *fault;
        const auto text = readWholeFile(file);
        if (!text)
            return {kBadConfig, {}, text.error().message + "\n"};
        ConfigRules rules;
        rules.expectedReplication = m_options.replication;
        if (m_options.listen)
            rules.ownAddresses.push_back(*m_options.listen);
        const ConfigReading reading = readConfig(*text, rules);
        const std::string epoch = reading.ok() ? epochOf(*reading.config) : std::string{};
        const bool warned = std::any_of(reading.problems.begin(), reading.problems.end(),
                                        [](const Problem& p) { return p.severity == Severity::Warning; });
        const int status = !reading.ok() ? kBadConfig : (m_options.strict && warned ? kCheckFailed : 0);
        switch (m_options.format) {
        case OutputFormat::Json:
            return finished(problemsJson(file.string(), reading.problems, epoch), status);
        case OutputFormat::Csv:
            return finished(problemsCsv(file.string(), reading.problems), status);
        case OutputFormat::Table:
            break;
        }
        std::string out = problemsText(file.string(), reading.problems);
        if (reading.ok())
            out += file.string() + ": ok, " + std::to_string(PartitionMap(*reading.config).nodes().size()) +
                   " nodes, epoch " + epoch + "\n";
        return finished(std::move(out), status);
    }

    CommandOutcome show() {
        std::filesystem::path file;
        ConfigFile loaded;
        std::optional<PartitionVectors> vectors;
        if (auto fault = m_input.onlyFile(file))
            return *fault;
        if (auto fault = m_input.loadMap(file, loaded))
            return *fault;
        if (auto fault = m_input.loadVectors(vectors))
            return *fault;
        const PartitionMap& map = loaded.map;
        switch (m_options.format) {
        case OutputFormat::Json:
            return finished(mapJson(map, vectors));
        case OutputFormat::Csv:
            return finished(mapCsv(map, vectors));
        case OutputFormat::Table:
            break;
        }
        return finished(mapText(map, vectors));
    }

    CommandOutcome change() {
        if (m_options.config.empty())
            return wrongUse(m_options.command + " wants --config with the present config.yml");
        if (m_options.words.empty() && m_options.nodes.empty())
            return wrongUse(m_options.command + " wants at least one node");
        return replan(m_options.words);
    }

    // add, remove, weight, and even for an existing map.
    CommandOutcome replan(const std::vector<std::string>& words) {
        ConfigFile loaded;
        PlanRequest request;
        if (auto fault = m_input.loadMap(m_options.config, loaded))
            return *fault;
        request.current = loaded.map;
        if (auto fault = m_input.loadVectors(request.vectors))
            return *fault;
        if (auto fault = fillWish(words, request))
            return *fault;
        if (auto fault = fillRules(request))
            return *fault;
        auto plan = makePlan(request);
        if (!plan)
            return usageFault("plan: " + plan.error().message);
        plan->command = m_options.command;
        for (const std::string& word : words)
            plan->command += " " + word;
        return printed(*plan, loaded.text);
    }

    Fault fillWish(const std::vector<std::string>& words, PlanRequest& request) const {
        if (m_options.command == "add")
            return m_input.nodeWishes(request.add);
        if (m_options.command == "weight")
            return fillWeights(words, request);
        if (m_options.command != "remove")
            return std::nullopt;
        for (const std::string& word : words) {
            Address address;
            if (auto fault = m_input.resolve(request.current, word, address))
                return fault;
            (m_options.drain ? request.drain : request.remove).push_back(address);
        }
        return std::nullopt;
    }

    Fault fillWeights(const std::vector<std::string>& words, PlanRequest& request) const {
        for (const std::string& word : words) {
            const auto equals = word.rfind('=');
            const auto weight = equals == std::string::npos ? std::nullopt : Weight::parse(word.substr(equals + 1));
            if (!weight)
                return wrongUse("weight wants NODE=WEIGHT with a weight of 0.01..100, not \"" + word + "\"");
            NodeWish wish;
            wish.weight = weight;
            if (auto fault = m_input.resolve(request.current, word.substr(0, equals), wish.address))
                return fault;
            request.change.push_back(std::move(wish));
        }
        return std::nullopt;
    }

    Fault fillRules(PlanRequest& request) const {
        request.replication = m_options.replication;
        request.mode = m_options.mode;
        request.objective = m_options.objective;
        request.spread = m_options.spread;
        request.maxMoves = m_options.maxMoves;
        request.rates = m_options.rates;
        for (const auto& [partition, node] : m_options.pins) {
            Address address;
            if (auto fault = m_input.resolve(request.current, node, address))
                return fault;
            request.pins[partition].push_back(address);
        }
        for (const auto& [node, zone] : m_options.zones) {
            Address address;
            if (auto fault = m_input.resolve(request.current, node, address))
                return fault;
            request.zones[address] = zone;
        }
        return std::nullopt;
    }

    CommandOutcome diff() {
        if (m_options.words.size() != 2)
            return wrongUse("diff wants two files: the old config.yml and the new one");
        ConfigFile before;
        ConfigFile after;
        std::optional<PartitionVectors> vectors;
        if (auto fault = m_input.loadMap(m_options.words[0], before))
            return *fault;
        if (auto fault = m_input.loadMap(m_options.words[1], after))
            return *fault;
        if (auto fault = m_input.loadVectors(vectors))
            return *fault;
        const PartitionMap& old = before.map;
        const PartitionMap& fresh = after.map;
        auto plan = planBetween(old, fresh, vectors, m_options.rates);
        if (!plan)
            return usageFault("plan: " + plan.error().message);
        plan->command = "diff " + m_options.words[0] + " " + m_options.words[1];
        const auto moved = checkDataMoved(orphansBetween(old, fresh, factsOf(old, vectors)), {m_options.copied, {}});
        CommandOutcome outcome = printed(*plan, before.text, moved ? 0 : kCheckFailed);
        if (!moved && outcome.status == kCheckFailed)
            outcome.err += "plan: " + moved.error().message + ", or name them with --copied\n";
        return outcome;
    }

    // Whoever owns a partition now holds its vectors; others hold none.
    static std::map<Address, NodeFacts> factsOf(const PartitionMap& map,
                                                const std::optional<PartitionVectors>& vectors) {
        std::map<Address, NodeFacts> facts;
        for (const MapNode& node : map.nodes()) {
            if (!vectors)
                break;
            PartitionVectors held{};
            for (std::size_t p = 0; p < held.size(); ++p)
                held[p] = node.partitions[p] ? (*vectors)[p] : 0;
            facts[node.address].vectors = held;
        }
        return facts;
    }

    CommandOutcome reverse() {
        if (m_options.words.size() != 1)
            return wrongUse("diff --reverse wants one plan as written by --plan-out");
        const auto text = readWholeFile(m_options.words[0], kMaxPlanBytes);
        if (!text)
            return {kBadConfig, {}, text.error().message + "\n"};
        const auto plan = parsePlanJson(*text);
        if (!plan)
            return {kBadConfig, {}, m_options.words[0] + ": " + plan.error().message + "\n"};
        auto back = reversePlan(*plan);
        if (!back)
            return {kBadConfig, {}, m_options.words[0] + ": " + back.error().message + "\n"};
        back->command = "back before " + plan->command;
        ConfigFile present;
        if (!m_options.config.empty())
            if (auto fault = m_input.loadMap(m_options.config, present))
                return *fault;
        return printed(*back, present.text);
    }

    PlanOptions m_options;
    PlanInput m_input{m_options};
};

} // namespace

CommandOutcome planCommand(std::span<const std::string> args) {
    auto options = parsePlanOptions(args);
    if (!options)
        return usageFault(options.error().message);
    if (options->help)
        return {0, planHelp(options->command), {}};
    try {
        return PlanRunner(std::move(*options)).run();
    } catch (const std::exception& e) { // std::filesystem and memory
        return {kUsage, {}, std::string("plan: ") + e.what() + "\n"};
    }
}

int runPlanCommand(std::span<const std::string> args) {
    const CommandOutcome outcome = planCommand(args);
    std::fwrite(outcome.out.data(), 1, outcome.out.size(), stdout);
    std::fflush(stdout);
    std::fwrite(outcome.err.data(), 1, outcome.err.size(), stderr);
    return outcome.status;
}

} // namespace fremis::app

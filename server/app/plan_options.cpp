#include "server/app/plan_options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <set>

namespace fremis::app {

using base::fail;
using base::Reason;
using base::Result;
using base::Status;

namespace {

constexpr std::array<std::string_view, 7> kCommands{"even", "check", "show", "add", "remove", "weight", "diff"};

tl::unexpected<base::Error> usage(std::string message) {
    return fail(Reason::InvalidParams, "plan: " + message + "; see fremis_n_app plan --help");
}

class OptionReader {
public:
    explicit OptionReader(std::span<const std::string> args) : m_args(args) {}

    Result<PlanOptions> run() {
        for (m_next = 0; m_next < m_args.size(); ++m_next)
            if (auto status = takeWord(m_args[m_next]); !status)
                return tl::unexpected(status.error());
        if (!m_options.help && m_options.command.empty())
            return usage("say which of even, check, show, add, remove, weight, diff");
        return std::move(m_options);
    }

private:
    Status takeWord(const std::string& word) {
        if (word == "-h" || word == "--help") {
            m_options.help = true;
            return {};
        }
        if (word.starts_with("--") && word.size() > 2)
            return takeFlag(word);
        if (!m_options.command.empty()) {
            m_options.words.push_back(word);
            return {};
        }
        if (word == "help") {
            m_options.help = true;
            return {};
        }
        if (std::find(kCommands.begin(), kCommands.end(), word) == kCommands.end())
            return usage("no command \"" + word + "\"");
        m_options.command = word;
        return {};
    }

    Status takeFlag(const std::string& word) {
        const auto equals = word.find('=');
        const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
        const auto known = flags().find(name);
        if (known == flags().end())
            return usage("unknown flag --" + name);
        const bool repeatable = name == "pin" || name == "zone";
        if (!m_seen.insert(name).second && !repeatable)
            return usage("flag --" + name + " twice");
        if (!known->second.takesValue) {
            if (equals != std::string::npos)
                return usage("--" + name + " takes no value");
            return known->second.take(*this, {});
        }
        if (equals != std::string::npos)
            return checked(name, known->second, word.substr(equals + 1));
        if (m_next + 1 >= m_args.size() || m_args[m_next + 1].starts_with("--"))
            return usage("--" + name + " needs a value");
        return checked(name, known->second, m_args[++m_next]);
    }

    struct Flag {
        bool takesValue;
        std::function<Status(OptionReader&, const std::string&)> take;
        std::string_view wants;
    };

    Status checked(const std::string& name, const Flag& flag, const std::string& value) {
        if (auto status = flag.take(*this, value); !status)
            return usage("--" + name + " wants " + std::string(flag.wants) + ", not \"" + value + "\"");
        return {};
    }

    static Status ok(bool good) {
        if (good)
            return {};
        return fail(Reason::InvalidParams, {});
    }

    template<class T> static Flag number(T PlanOptions::*member, int least, int most, std::string_view wants) {
        return {true,
                [=](OptionReader& r, const std::string& value) {
                    const auto parsed = routing::parsePlainDecimal(value);
                    if (!parsed || *parsed < least || *parsed > most)
                        return ok(false);
                    r.m_options.*member = *parsed;
                    return ok(true);
                },
                wants};
    }

    static Flag path(std::filesystem::path PlanOptions::*member) {
        return {true,
                [=](OptionReader& r, const std::string& value) {
                    r.m_options.*member = value;
                    return ok(!value.empty());
                },
                "a file name"};
    }

    static Flag mark(bool PlanOptions::*member) {
        return {false,
                [=](OptionReader& r, const std::string&) {
                    r.m_options.*member = true;
                    return ok(true);
                },
                ""};
    }

    template<class T, class Parse> static Flag word(T PlanOptions::*member, Parse parse, std::string_view wants) {
        return {true,
                [=](OptionReader& r, const std::string& value) {
                    const std::optional<T> parsed = parse(value);
                    if (parsed)
                        r.m_options.*member = *parsed;
                    return ok(parsed.has_value());
                },
                wants};
    }

    static std::optional<OutputFormat> formatOf(std::string_view text) {
        if (text == "table")
            return OutputFormat::Table;
        if (text == "json")
            return OutputFormat::Json;
        return text == "csv" ? std::optional(OutputFormat::Csv) : std::nullopt;
    }
    static std::optional<routing::Spread> spreadOf(std::string_view text) {
        if (text == "enforce")
            return routing::Spread::Enforce;
        return text == "keep" ? std::optional(routing::Spread::Keep) : std::nullopt;
    }
    static std::optional<routing::Language> languageOf(std::string_view text) {
        if (text == "en")
            return routing::Language::English;
        return text == "id" ? std::optional(routing::Language::Indonesian) : std::nullopt;
    }

    Status takePin(const std::string& value) {
        const auto equals = value.find('=');
        const auto set = routing::parsePartitionList(std::string_view(value).substr(0, equals));
        if (equals == std::string::npos || !set || equals + 1 == value.size())
            return ok(false);
        for (std::size_t p = 0; p < set->size(); ++p)
            if ((*set)[p])
                m_options.pins.emplace_back(static_cast<int>(p), value.substr(equals + 1));
        return ok(true);
    }

    Status takeZone(const std::string& value) {
        const auto equals = value.rfind('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == value.size())
            return ok(false);
        m_options.zones.emplace_back(value.substr(0, equals), value.substr(equals + 1));
        return ok(true);
    }

    Status takeRate(const std::string& value) {
        double rate = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), rate);
        m_options.rates.vectorsPerSecond = rate;
        return ok(error == std::errc{} && end == value.data() + value.size() && rate > 0 && rate < 1e9);
    }

    Status takeCopyNumber(const std::string& value, bool perNode) {
        const auto number = routing::parsePlainDecimal(value);
        if (!number || *number < 1)
            return ok(false);
        if (perNode)
            m_options.rates.movesPerNode = *number;
        else
            m_options.rates.bytesPerVector = static_cast<std::uint64_t>(*number);
        return ok(true);
    }

    static const std::map<std::string, Flag, std::less<>>& flags() {
        static const std::map<std::string, Flag, std::less<>> table{
            {"format", word(&PlanOptions::format, formatOf, "table, json or csv")},
            {"config", path(&PlanOptions::config)},
            {"nodes",
             {true,
              [](OptionReader& r, const std::string& v) {
                  r.m_options.nodes = v;
                  return ok(!v.empty());
              },
              "nodes"}},
            {"replication", number(&PlanOptions::replication, 1, 16, "1..16")},
            {"mode", word(&PlanOptions::mode, routing::planModeOf, "contiguous or multi")},
            {"objective", word(&PlanOptions::objective, routing::objectiveOf, "moves, balance, vectors or ranges")},
            {"spread", word(&PlanOptions::spread, spreadOf, "enforce or keep")},
            {"pin", {true, [](OptionReader& r, const std::string& v) { return r.takePin(v); }, "PARTITIONS=NODE"}},
            {"zone", {true, [](OptionReader& r, const std::string& v) { return r.takeZone(v); }, "NODE=ZONE"}},
            {"vectors", path(&PlanOptions::vectors)},
            {"max-moves", number(&PlanOptions::maxMoves, 0, 65536, "a number")},
            {"rate", {true, [](OptionReader& r, const std::string& v) { return r.takeRate(v); }, "vectors per second"}},
            {"bytes-per-vector",
             {true, [](OptionReader& r, const std::string& v) { return r.takeCopyNumber(v, false); }, "a number"}},
            {"parallel",
             {true, [](OptionReader& r, const std::string& v) { return r.takeCopyNumber(v, true); },
              "a number from 1"}},
            {"drain", mark(&PlanOptions::drain)},
            {"strict", mark(&PlanOptions::strict)},
            {"reverse", mark(&PlanOptions::reverse)},
            {"copied", word(&PlanOptions::copied, routing::parsePartitionList, "partitions such as 101-149,200")},
            {"listen",
             {true,
              [](OptionReader& r, const std::string& v) {
                  const auto address = routing::Address::parse(v);
                  if (address)
                      r.m_options.listen = *address;
                  return ok(address.has_value());
              },
              "host:port"}},
            {"config-out", path(&PlanOptions::configOut)},
            {"plan-out", path(&PlanOptions::planOut)},
            {"runbook-out", path(&PlanOptions::runbookOut)},
            {"lang", word(&PlanOptions::language, languageOf, "en or id")},
        };
        return table;
    }

    std::span<const std::string> m_args;
    std::size_t m_next = 0;
    std::set<std::string, std::less<>> m_seen;
    PlanOptions m_options;
};

} // namespace

Result<PlanOptions> parsePlanOptions(std::span<const std::string> args) {
    return OptionReader(args).run();
}

Result<routing::NodeWish> parseNodeWish(std::string_view text) {
    // The port ends the address: the first colon outside brackets and the digits behind it.
    const auto bracket = text.find(']');
    const auto colon = text.find(':', bracket == std::string_view::npos ? 0 : bracket);
    auto end = colon == std::string_view::npos ? text.size() : text.find(':', colon + 1);
    end = std::min(end, text.size());
    const auto address = routing::Address::parse(text.substr(0, end));
    if (!address)
        return usage("\"" + std::string(text) + "\": " + address.error().message);
    routing::NodeWish wish;
    wish.address = *address;
    if (end == text.size())
        return wish;
    std::string_view rest = text.substr(end + 1);
    const auto zone = rest.find(':');
    const std::string_view weight = rest.substr(0, zone);
    wish.weight = routing::Weight::parse(weight);
    const bool none = weight.empty() && zone != std::string_view::npos; // "host:port::zone"
    if (!wish.weight && !none)
        return usage("\"" + std::string(text) + "\": the weight must be 0.01..100 with at most two decimals");
    if (zone != std::string_view::npos)
        wish.zone = std::string(rest.substr(zone + 1));
    return wish;
}

} // namespace fremis::app

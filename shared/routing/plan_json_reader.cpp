#include "shared/routing/plan_output.h"
#include "shared/routing/plan_words.h"
#include "shared/wire/json.h"

#include <charconv>

namespace fremis::routing {

using base::fail;
using base::Reason;
using base::Result;
using wire::JsonKind;
using wire::JsonObject;
using wire::JsonValue;

namespace {

// The first fault is kept, after it everything reads as empty.
class Reader {
public:
    explicit Reader(std::optional<JsonObject> object, std::string& fault) : m_object(object), m_fault(fault) {}

    [[nodiscard]] std::optional<JsonValue> find(std::string_view key) {
        if (!m_object || !m_fault.empty())
            return std::nullopt;
        const auto found = m_object->find(key);
        if (!found)
            m_fault = found.error().message;
        return found ? *found : std::nullopt;
    }

    std::string text(std::string_view key) { return optionalText(key).value_or(std::string{}); }

    std::optional<std::string> optionalText(std::string_view key) {
        const auto value = find(key);
        if (!value)
            return std::nullopt;
        if (!value->is(JsonKind::String))
            return refuse(key);
        return std::string(value->text());
    }

    template<class T>
    std::optional<T> optionalNumber(std::string_view key) {
        const auto value = find(key);
        if (!value)
            return std::nullopt;
        T number{};
        const std::string_view token = value->is(JsonKind::Number) ? value->text() : std::string_view{};
        const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), number);
        if (token.empty() || error != std::errc{} || end != token.data() + token.size()) {
            m_fault = std::string(key) + " is not the number expected";
            return std::nullopt;
        }
        return number;
    }

    template<class T>
    T number(std::string_view key) {
        return optionalNumber<T>(key).value_or(T{});
    }

    std::optional<bool> flag(std::string_view key) {
        const auto value = find(key);
        if (!value || !value->is(JsonKind::Bool)) {
            if (value)
                m_fault = std::string(key) + " is not true or false";
            return std::nullopt;
        }
        return value->asBool();
    }

    Reader object(std::string_view key) {
        const auto value = find(key);
        if (!value || !value->is(JsonKind::Object)) {
            m_fault = m_fault.empty() ? std::string(key) + " is missing or no object" : m_fault;
            return Reader(std::nullopt, m_fault);
        }
        return Reader(value->object(), m_fault);
    }

    template<class Take>
    void each(std::string_view key, Take take) {
        const auto value = find(key);
        if (!value || !value->is(JsonKind::Array)) {
            m_fault = m_fault.empty() ? std::string(key) + " is missing or no list" : m_fault;
            return;
        }
        for (const JsonValue item : *value) {
            if (!item.is(JsonKind::Object) && m_fault.empty())
                m_fault = std::string(key) + " holds something else than objects";
            if (!m_fault.empty())
                return;
            take(Reader(item.object(), m_fault));
        }
    }

    Address address(std::string_view key) {
        const auto parsed = Address::parse(text(key));
        if (parsed)
            return *parsed;
        m_fault = m_fault.empty() ? std::string(key) + " is no address" : m_fault;
        return {};
    }

    template<class E>
    E word(std::string_view key, const Words<E>& words) {
        const auto value = valueIn(words, text(key));
        if (!value && m_fault.empty())
            m_fault = std::string(key) + " is no known word";
        return value.value_or(E{});
    }

    Range range() {
        const Range range{number<int>("start"), number<int>("end")};
        return checked(range);
    }
    Range checked(const Range& range) {
        if (range.first >= 0 && range.first <= range.last && range.last < base::kPartitionCount)
            return range;
        m_fault = m_fault.empty() ? "a range is out of bounds" : m_fault;
        return {};
    }

    PartitionSet ranges(std::string_view key) {
        PartitionSet set;
        each(key, [&set](Reader r) { set |= setOf(r.range()); });
        return set;
    }

    std::optional<Weight> weight(std::string_view key) {
        const auto word = optionalText(key);
        const auto weight = word ? Weight::parse(*word) : std::nullopt;
        if (word && !weight && m_fault.empty())
            m_fault = std::string(key) + " is no weight";
        return weight;
    }

private:
    std::nullopt_t refuse(std::string_view key) {
        m_fault = std::string(key) + " is not text";
        return std::nullopt;
    }

    std::optional<JsonObject> m_object;
    std::string& m_fault;
};

ClusterConfig readConfigObject(Reader r) {
    ClusterConfig config;
    config.replication = r.optionalNumber<int>("replication");
    config.allowPartialSearch = r.flag("allow_partial_search");
    r.each("nodes", [&config](Reader n) {
        NodeEntry entry;
        entry.address = n.address("address");
        entry.name = n.optionalText("name");
        entry.weight = n.weight("weight");
        entry.range = n.checked({n.number<int>("partition_start"), n.number<int>("partition_end")});
        config.entries.push_back(std::move(entry));
    });
    return config;
}

PlanNode readNode(Reader r) {
    PlanNode node;
    node.address = r.address("address");
    node.name = r.optionalText("name");
    node.weight = r.weight("weight").value_or(Weight());
    node.zone = r.text("zone");
    node.role = r.word("role", kRoles);
    node.target = r.number<int>("target");
    node.exactShare = r.number<double>("exact_share");
    node.before = r.ranges("before");
    node.after = r.ranges("after");
    node.pinned = r.ranges("pinned");
    node.vectorsBefore = r.number<std::uint64_t>("vectors_before");
    node.vectorsAfter = r.number<std::uint64_t>("vectors_after");
    node.movesIn = r.number<int>("moves_in");
    node.movesOut = r.number<int>("moves_out");
    return node;
}

PlanMove readMove(Reader r) {
    PlanMove move;
    move.wave = r.number<int>("wave");
    move.partition = r.checked({r.number<int>("partition"), r.number<int>("partition")}).first;
    move.kind = r.word("kind", kKinds);
    move.from = r.address("from");
    if (r.optionalText("to"))
        move.to = r.address("to");
    move.vectors = r.number<std::uint64_t>("vectors");
    move.bytes = r.number<std::uint64_t>("bytes");
    move.reason = r.text("reason");
    return move;
}

PlanFigures readFigures(Reader r) {
    PlanFigures f;
    f.moved = r.number<int>("moved");
    f.lowerBound = r.number<int>("lower_bound");
    f.ranges = r.number<int>("ranges");
    f.maxOverMeanBefore = r.number<double>("max_over_mean_before");
    f.maxOverMeanAfter = r.number<double>("max_over_mean_after");
    f.vectorMaxOverMeanBefore = r.number<double>("vector_max_over_mean_before");
    f.vectorMaxOverMeanAfter = r.number<double>("vector_max_over_mean_after");
    f.vectorsMoved = r.number<std::uint64_t>("vectors_moved");
    f.bytesMoved = r.number<std::uint64_t>("bytes_moved");
    f.waves = r.number<int>("waves");
    f.seconds = r.number<double>("seconds");
    f.otherModeMoved = r.number<int>("other_mode_moved");
    return f;
}

std::optional<PartitionVectors> readVectors(Reader& r, std::string_view key, std::string& fault) {
    if (!r.find(key))
        return std::nullopt;
    PartitionVectors vectors{};
    r.each(key, [&](Reader item) {
        const int partition = item.number<int>("partition");
        if (partition < 0 || partition >= base::kPartitionCount)
            fault = fault.empty() ? "a partition is out of bounds" : fault;
        else
            vectors[static_cast<std::size_t>(partition)] = item.number<std::uint64_t>("vectors");
    });
    return vectors;
}

Plan readPlan(Reader r, std::string& fault) {
    Plan plan;
    plan.command = r.text("command");
    plan.mode = r.word("mode", kModes);
    plan.objective = r.word("objective", kObjectives);
    plan.replication = r.number<int>("replication");
    plan.proof = r.text("proof");
    plan.otherMode = r.text("other_mode");
    plan.epochBefore = r.text("epoch_before");
    plan.epochAfter = r.text("epoch_after");
    plan.before = readConfigObject(r.object("config_before"));
    plan.after = readConfigObject(r.object("config_after"));
    plan.fileReplication = plan.after.replication;
    plan.figures = readFigures(r.object("figures"));
    Reader rates = r.object("rates");
    plan.rates.movesPerNode = rates.number<int>("moves_per_node");
    plan.rates.bytesPerVector = rates.number<std::uint64_t>("bytes_per_vector");
    plan.rates.vectorsPerSecond = rates.number<double>("vectors_per_second");
    plan.vectors = readVectors(r, "vectors", fault);
    r.each("nodes", [&plan](Reader n) { plan.nodes.push_back(readNode(n)); });
    r.each("moves", [&plan](Reader m) { plan.moves.push_back(readMove(m)); });
    r.each("warnings", [&plan](Reader w) { plan.warnings.push_back(w.text("text")); });
    return plan;
}

} // namespace

Result<Plan> parsePlanJson(std::string_view json) {
    const auto document = wire::JsonDocument::parse(json);
    if (!document)
        return tl::unexpected(document.error());
    std::string fault;
    Reader root(document->root(), fault);
    if (root.text("format") != kPlanFormat)
        return fail(Reason::InvalidJson, "not a plan of format fremis-plan/1");
    Plan plan = readPlan(root, fault);
    if (!fault.empty())
        return fail(Reason::InvalidJson, "the plan is damaged: " + fault);
    return plan;
}

Result<PartitionVectors> parseLoadedVectors(std::string_view json) {
    const auto document = wire::JsonDocument::parse(json);
    if (!document)
        return tl::unexpected(document.error());
    std::string fault;
    Reader root(document->root(), fault);
    const auto vectors = readVectors(root, "partitions", fault);
    if (!fault.empty() || !vectors)
        return fail(Reason::InvalidJson, "not a reply of /v1/loaded-vectors: " + (fault.empty() ? "no partitions" : fault));
    return *vectors;
}

} // namespace fremis::routing

#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace fremis::routing {

// Marks a text for the collectors of user interfaces; it is itself.
#define FREMIS_WORDING(context, text) text

/// Every sentence that findings, mends and plans are made of; %1, %2, ... stand for what is filled in. A user interface
/// in another language has its own sentence for each.
inline constexpr std::array kPatterns = std::to_array<std::string_view>({
    // rules of the text
    FREMIS_WORDING("Routing", "larger than 1 MiB"),
    FREMIS_WORDING("Routing", "not UTF-8 text"),
    FREMIS_WORDING("Routing", "a carriage return without line feed"),
    FREMIS_WORDING("Routing", "a control character"),
    FREMIS_WORDING("Routing", "a line longer than 128 KiB"),
    FREMIS_WORDING("Routing", "directives are not allowed"),
    FREMIS_WORDING("Routing", "a tab; use spaces"),
    FREMIS_WORDING("Routing", "nested deeper than 8 levels"),
    FREMIS_WORDING("Routing", "more than 24000 keys and values"),
    FREMIS_WORDING("Routing", "write the value on one line"),
    FREMIS_WORDING("Routing", "a second document; one file holds one map"),
    FREMIS_WORDING("Routing", "text after the end of the document"),
    FREMIS_WORDING("Routing", "aliases are not allowed"),
    FREMIS_WORDING("Routing", "anchors are not allowed"),
    FREMIS_WORDING("Routing", "tags are not allowed"),
    FREMIS_WORDING("Routing", "a key must be a word"),
    FREMIS_WORDING("Routing", "not readable as YAML: %1"),
    FREMIS_WORDING("Routing", "not readable as YAML; put an IPv6 address in quotes: \"[v6]:port\""),
    // keys and values
    FREMIS_WORDING("Routing", "nothing"),
    FREMIS_WORDING("Routing", "a list"),
    FREMIS_WORDING("Routing", "a mapping"),
    FREMIS_WORDING("Routing", "the file is empty; it needs version and nodes"),
    FREMIS_WORDING("Routing", "a list where a mapping with version and nodes is expected"),
    FREMIS_WORDING("Routing", "a text where a mapping with version and nodes is expected"),
    FREMIS_WORDING("Routing", "key %1 appears twice; first in line %2"),
    FREMIS_WORDING("Routing", "unknown key %1"),
    FREMIS_WORDING("Routing", "unknown key %1; did you mean %2?"),
    FREMIS_WORDING("Routing", "unknown key %1; secrets do not belong in this file"),
    FREMIS_WORDING("Routing", "rename to %1"),
    FREMIS_WORDING("Routing", "version is missing; write version: \"v1\""),
    FREMIS_WORDING("Routing", "version must be \"v1\", not %1"),
    FREMIS_WORDING("Routing", "set version: \"v1\""),
    FREMIS_WORDING("Routing", "nodes is missing; it lists who owns which partitions"),
    FREMIS_WORDING("Routing", "nodes is empty; it lists who owns which partitions"),
    FREMIS_WORDING("Routing", "nodes must be a list, not %1"),
    FREMIS_WORDING("Routing", "more than %1 entries in nodes"),
    FREMIS_WORDING("Routing", "more than 256 addresses in nodes (%1)"),
    FREMIS_WORDING("Routing", "a node must be a mapping with address, partition_start and partition_end, not %1"),
    FREMIS_WORDING("Routing", "address is missing; write host:port"),
    FREMIS_WORDING("Routing", "address must be host:port, not %1"),
    FREMIS_WORDING("Routing", "address \"%1\": %2"),
    FREMIS_WORDING("Routing", "address \"%1\" is the coordinator itself; name a worker"),
    FREMIS_WORDING("Routing", "write host:port, without a scheme"),
    FREMIS_WORDING("Routing", "the bracket of the IPv6 address is not closed"),
    FREMIS_WORDING("Routing", "no port; write [v6]:port"),
    FREMIS_WORDING("Routing", "no port; write host:port"),
    FREMIS_WORDING("Routing", "an IPv6 address needs brackets; write \"[v6]:port\""),
    FREMIS_WORDING("Routing", "more than one colon; write host:port"),
    FREMIS_WORDING("Routing", "empty; write host:port"),
    FREMIS_WORDING("Routing", "a blank in it"),
    FREMIS_WORDING("Routing", "the port must be a plain number 1..65535"),
    FREMIS_WORDING("Routing", "not an IPv6 address between the brackets"),
    FREMIS_WORDING("Routing", "not a host name"),
    FREMIS_WORDING("Routing", "partition_start %1 is after partition_end %2"),
    FREMIS_WORDING("Routing", "swap"),
    FREMIS_WORDING("Routing", "%1 is missing"),
    FREMIS_WORDING("Routing", "%1 must be a plain decimal number 0..255, not %2"),
    FREMIS_WORDING("Routing", "set %1"),
    FREMIS_WORDING("Routing", "name must be a text of 1 to 64 bytes, not %1"),
    FREMIS_WORDING("Routing", "name has a control character"),
    FREMIS_WORDING("Routing", "weight must be a plain number 0.01..100 with at most two decimals, not %1"),
    FREMIS_WORDING("Routing", "replication must be a plain decimal number 1..%1 (the number of addresses), not %2"),
    FREMIS_WORDING("Routing", "allow_partial_search must be true or false, not %1"),
    // the map as a whole
    FREMIS_WORDING("Routing", "partition %1"),
    FREMIS_WORDING("Routing", "partitions %1"),
    FREMIS_WORDING("Routing", "%1 owner"),
    FREMIS_WORDING("Routing", "%1 owners"),
    FREMIS_WORDING("Routing", "name \"%1\" is also that of %2 in line %3"),
    FREMIS_WORDING("Routing", "%1 is named \"%2\" in line %3 and \"%4\" here"),
    FREMIS_WORDING("Routing", "%1 has weight %2 in line %3 and %4 here"),
    FREMIS_WORDING("Routing", "%1 has %2 twice; also in line %3"),
    FREMIS_WORDING("Routing", "merge"),
    FREMIS_WORDING("Routing", "%1 has %2 ranges: %3"),
    FREMIS_WORDING("Routing", "merge %1 and %2"),
    FREMIS_WORDING("Routing", "%1 belongs to nobody"),
    FREMIS_WORDING("Routing", "%1 belong to nobody"),
    FREMIS_WORDING("Routing", "give %1 to %2 (line %3)"),
    FREMIS_WORDING("Routing", "%1 has %2"),
    FREMIS_WORDING("Routing", "%1 have %2"),
    FREMIS_WORDING("Routing", "%1; replication is %2"),
    FREMIS_WORDING("Routing", "%1, expected are %2"),
    FREMIS_WORDING("Routing", "set replication: %1"),
    FREMIS_WORDING("Routing", "range %1 overlaps %2 of %3 (line %4) without being equal; replicated are %5"),
    FREMIS_WORDING("Routing", "end %1 at %2"),
    FREMIS_WORDING("Routing", "start %1 at %2"),
    FREMIS_WORDING("Routing", "address %1 means the coordinator's own machine, yet the cluster has others"),
    FREMIS_WORDING("Routing", "%1: %2 and %3 are on one host and fail together"),
    // the map beside the live cluster
    FREMIS_WORDING("Routing", "%1 does not answer"),
    FREMIS_WORDING("Routing", "%1 reports partitions %2, the config says %3"),
    FREMIS_WORDING("Routing", "give it the ranges that it reports"),
    FREMIS_WORDING("Routing", "vectors are spread unevenly: %1 holds %2 times its share"),
    FREMIS_WORDING("Routing", "partitions %1 go from %2 to %3, which holds none of their vectors"),
    FREMIS_WORDING("Routing", "the file changed since it was read"),
    FREMIS_WORDING("Routing", "the draft equals the running config"),
    // reasons of moves
    FREMIS_WORDING("Routing", "pinned to %1"),
    FREMIS_WORDING("Routing", "replication %1 wants one more copy"),
    FREMIS_WORDING("Routing", "replication %1 wants no more copies"),
    FREMIS_WORDING("Routing", "%1 leaves"),
    FREMIS_WORDING("Routing", "%1 is drained"),
    FREMIS_WORDING("Routing", "%1 over target by %2"),
    FREMIS_WORDING("Routing", "the range of %1 shifts"),
    FREMIS_WORDING("Routing", "vectors are spread more evenly"),
    FREMIS_WORDING("Routing", "replicas are kept apart"),
    // advice
    FREMIS_WORDING("Routing", "%1 %2"),
    FREMIS_WORDING("Routing", "Several ranges per node would move %1."),
    FREMIS_WORDING("Routing", "Several ranges per node would move nothing: it has no plan."),
    FREMIS_WORDING("Routing", "One range per node is not possible with these pins."),
    FREMIS_WORDING("Routing", "One range per node would move %1."),
    FREMIS_WORDING("Routing", "more than 32 nodes: with 256 partitions the shares grow uneven"),
    FREMIS_WORDING("Routing", "the share of %1 is below one partition; it leaves the map"),
    FREMIS_WORDING("Routing", "partitions %1 have replicas at %2 and %3, both on host %4"),
    FREMIS_WORDING("Routing", "partitions %1 have replicas at %2 and %3, both in zone %4"),
    FREMIS_WORDING("Routing", "Inserting %1 before %2 moves %3 instead of %4 at the end."),
    FREMIS_WORDING("Routing", "Inserting %1 between %2 and %3 moves %4 instead of %5 at the end."),
});
#undef FREMIS_WORDING

[[nodiscard]] constexpr bool isPattern(std::string_view text) {
    for (const std::string_view pattern : kPatterns)
        if (pattern == text)
            return true;
    return false;
}

/// One of kPatterns; another text does not compile.
struct Pattern {
    std::string_view text;
    template<std::size_t N> consteval Pattern(const char (&literal)[N]) : text(literal, N - 1) {
        if (!isPattern(text))
            throw "not in kPatterns";
    }
};

/// A text in its parts, so that it can be said in another language: a pattern with its values, or, without a pattern, a
/// value as it is (a name, a number, what an operator wrote).
class Wording {
public:
    Wording() = default;
    Wording(std::string value) : m_value(std::move(value)) {}
    Wording(Pattern pattern, std::vector<Wording> values = {}) : m_pattern(pattern.text), m_values(std::move(values)) {}
    /// A pattern when the text is one, else a value.
    [[nodiscard]] static Wording of(const std::string& text);

    [[nodiscard]] std::string_view pattern() const { return m_pattern; } ///< empty: value()
    [[nodiscard]] const std::string& value() const { return m_value; }
    [[nodiscard]] const std::vector<Wording>& values() const { return m_values; }
    [[nodiscard]] bool empty() const { return m_pattern.empty() && m_value.empty(); }
    [[nodiscard]] std::string text() const; ///< in English
    /// Control characters in values become '?', so that the text is one line.
    void makeOneLine();
    /// Says the same.
    bool operator==(const Wording& other) const { return text() == other.text(); }

private:
    std::string_view m_pattern; // of kPatterns
    std::string m_value;
    std::vector<Wording> m_values;
};

} // namespace fremis::routing

#include "tests/support/history.h"

#include <algorithm>
#include <set>

namespace fremis::test {

History::Write History::beginEnrolment(std::string face, int door, Time now) {
    m_entries.push_back({std::move(face), true, door, now, now, Outcome::Unknown});
    return m_entries.size() - 1;
}

History::Write History::beginRemoval(std::string face, int door, Time now) {
    m_entries.push_back({std::move(face), false, door, now, now, Outcome::Unknown});
    return m_entries.size() - 1;
}

void History::end(Write write, Outcome outcome, Time now) {
    m_entries[write].outcome = outcome;
    m_entries[write].end = now;
}

void History::addRead(int door, Time begin, Time end, std::vector<std::string> seen) {
    m_reads.push_back({door, begin, end, std::move(seen)});
}

void History::addLook(std::string face, int door, Time begin, Time end, bool seen) {
    m_looks.emplace(std::move(face), Look{door, begin, end, seen});
}

void History::addQuietRead(std::vector<std::string> seen) {
    std::sort(seen.begin(), seen.end());
    m_quiet.push_back(std::move(seen));
}

bool History::Entry::mayFollow(const Entry& other, const Rules& rules) const {
    switch (outcome) {
    case Outcome::Done:
        return end + (door == other.door ? Time(0) : rules.staleness) > other.begin;
    case Outcome::NotDone:
        return false;
    case Outcome::Unknown:
        return begin + rules.openFor > other.begin;
    }
    return true;
}

bool History::Entry::precedes(Time moment, int at, const Rules& rules) const {
    return outcome == Outcome::Done && end + (door == at ? Time(0) : rules.staleness) < moment;
}

std::vector<History::Look> History::looksFor(const std::string& face) const {
    std::vector<Look> looks;
    for (const auto& read : m_reads)
        looks.push_back(
            {read.door, read.begin, read.end, std::find(read.seen.begin(), read.seen.end(), face) != read.seen.end()});
    const auto [first, last] = m_looks.equal_range(face);
    for (auto look = first; look != last; ++look)
        looks.push_back(look->second);
    return looks;
}

void History::checkFace(const std::string& face, const std::vector<const Entry*>& entries, const Rules& rules,
                        std::vector<Violation>& violations) const {
    const auto any = [&](auto&& holds) {
        return std::any_of(entries.begin(), entries.end(), [&](const auto* entry) { return holds(*entry); });
    };
    const auto blame = [&](std::string rule, const Look& look) {
        violations.push_back({std::move(rule), face + " at " + std::to_string(look.begin.count() / 1000) +
                                                   " ms by door " + std::to_string(look.door) + "\n" + storyOf(face)});
    };
    for (const auto& look : looksFor(face)) {
        if (look.seen &&
            !any([&](const Entry& one) { return one.enrols && one.mayHaveHappened() && one.begin < look.end; }))
            blame("phantom", look);
        for (const auto* entry : entries) {
            if (!entry->precedes(look.begin, look.door, rules) || entry->enrols == look.seen)
                continue;
            // The opposite, if one may have come after it and before the answer, explains what was seen.
            const bool explained = any([&](const Entry& one) {
                return one.enrols != entry->enrols && one.begin < look.end && one.mayFollow(*entry, rules);
            });
            if (!explained) {
                blame(entry->enrols ? "lost" : "undead", look);
                break;
            }
        }
    }
}

std::vector<History::Violation> History::check(const Rules& rules) const {
    std::map<std::string, std::vector<const Entry*>> byFace;
    for (const auto& entry : m_entries)
        byFace[entry.face].push_back(&entry);
    for (const auto& read : m_reads)
        for (const auto& face : read.seen)
            byFace[face]; // a phantom has no entries
    for (const auto& [face, look] : m_looks)
        byFace[face];
    std::vector<Violation> violations;
    for (const auto& [face, entries] : byFace)
        checkFace(face, entries, rules, violations);
    for (const auto& read : m_reads)
        if (std::set<std::string>(read.seen.begin(), read.seen.end()).size() != read.seen.size())
            violations.push_back({"double", "a face twice in one answer"});
    for (const auto& quiet : m_quiet)
        if (quiet != m_quiet.front())
            violations.push_back({"split", std::to_string(quiet.size()) + " and " +
                                               std::to_string(m_quiet.front().size()) + " faces in two quiet reads"});
    return violations;
}

History::Counts History::counts() const {
    Counts counts;
    for (const auto& entry : m_entries) {
        counts.enrolled += entry.enrols && entry.outcome == Outcome::Done;
        counts.removed += !entry.enrols && entry.outcome == Outcome::Done;
        counts.unknown += entry.outcome == Outcome::Unknown;
    }
    counts.reads = m_reads.size() + m_quiet.size();
    return counts;
}

std::string History::storyOf(const std::string& face) const {
    const auto when = [](Time begin, Time end, int door) {
        return "until " + std::to_string(end.count() / 1000) + " (" + std::to_string((end - begin).count() / 1000) +
               " ms) door " + std::to_string(door) + ": ";
    };
    auto lines = m_notes;
    for (const auto& entry : m_entries)
        if (entry.face == face)
            lines.emplace(entry.begin, when(entry.begin, entry.end, entry.door) + (entry.enrols ? "enrol" : "remove") +
                                           (entry.outcome == Outcome::Done      ? " done"
                                            : entry.outcome == Outcome::NotDone ? " refused"
                                                                                : " unknown"));
    for (const auto& look : looksFor(face))
        lines.emplace(look.begin, when(look.begin, look.end, look.door) + (look.seen ? "seen" : "not seen"));
    std::string story;
    for (const auto& [begin, line] : lines)
        story += "  " + std::to_string(begin.count() / 1000) + ": " + line + "\n";
    return story;
}

} // namespace fremis::test

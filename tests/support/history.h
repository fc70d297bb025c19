#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fremis::test {

/// What clients did with a cluster and what they were told, and the rules by which that is judged. Each photo shows one
/// face, so the history splits by face. Times are of one clock, from before a request was sent to after its answer was
/// there. Thread: one.
class History {
public:
    using Time = std::chrono::microseconds;
    enum class Outcome {
        Done,    ///< 200
        NotDone, ///< 4xx, and 5xx that say so: it surely was not done, and never will be
        Unknown, ///< anything else: it may be done, whole or not at all, now or later
    };
    /// A write under way: its place in the history.
    using Write = std::size_t;

    /// `door`: through which coordinator.
    Write beginEnrolment(std::string face, int door, Time now);
    Write beginRemoval(std::string face, int door, Time now);
    /// A write that is never ended stays Unknown.
    void end(Write write, Outcome outcome, Time now);
    /// A complete search that would have shown every face. `seen`: in the order of the answer.
    void addRead(int door, Time begin, Time end, std::vector<std::string> seen);
    /// "This face is not there" (the answer of a removal that found nothing, or of a question for one face), or is.
    void addLook(std::string face, int door, Time begin, Time end, bool seen);
    /// A read when nothing was under way and nothing was waiting: all of them have to be the same.
    void addQuietRead(std::vector<std::string> seen);

    /// What else happened, for people who read a story.
    void note(Time now, std::string what) { m_notes.emplace(now, std::move(what)); }

    struct Rules {
        /// How old an answer may be that comes through another door than the write did.
        Time staleness{std::chrono::seconds(1)};
        /// How long after its start a write of unknown outcome may still happen.
        Time openFor{std::chrono::seconds(30)};
    };
    struct Violation {
        std::string rule; ///< lost, phantom, undead, double, split
        std::string what; ///< for people
    };
    [[nodiscard]] std::vector<Violation> check(const Rules& rules) const;

    struct Counts {
        std::size_t enrolled = 0; ///< Done
        std::size_t removed = 0;  ///< Done
        std::size_t unknown = 0;
        std::size_t reads = 0;
    };
    [[nodiscard]] Counts counts() const;
    /// What happened to a face, a line each, for people.
    [[nodiscard]] std::string storyOf(const std::string& face) const;

private:
    struct Entry {
        std::string face;
        bool enrols = false;
        int door = 0;
        Time begin{0};
        Time end{0};
        Outcome outcome = Outcome::Unknown;
        [[nodiscard]] bool mayHaveHappened() const { return outcome != Outcome::NotDone; }
        /// Could it take effect after `other` has begun to? One that ended at another door just before may be unknown
        /// where `other` is decided.
        [[nodiscard]] bool mayFollow(const Entry& other, const Rules& rules) const;
        /// Was it done, and known at this door, when something began there at `moment`?
        [[nodiscard]] bool precedes(Time moment, int at, const Rules& rules) const;
    };
    struct Look {
        int door = 0;
        Time begin{0};
        Time end{0};
        bool seen = false;
    };
    struct Read {
        int door = 0;
        Time begin{0};
        Time end{0};
        std::vector<std::string> seen;
    };
    void checkFace(const std::string& face, const std::vector<const Entry*>& entries, const Rules& rules,
                   std::vector<Violation>& violations) const;
    [[nodiscard]] std::vector<Look> looksFor(const std::string& face) const;

    std::vector<Entry> m_entries;
    std::vector<Read> m_reads;
    std::multimap<std::string, Look> m_looks;
    std::vector<std::vector<std::string>> m_quiet;
    std::multimap<Time, std::string> m_notes;
};

} // namespace fremis::test

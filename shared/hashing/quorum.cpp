#include "shared/hashing/quorum.h"

namespace fremis::hashing {

base::Result<Quorum> Quorum::create(int copies, int reads, int writes) {
    if (reads < 1 || writes < 1 || reads > copies || writes > copies)
        return base::fail(base::Reason::InvalidParams, "reads and writes are each between 1 and the number of copies");
    return Quorum{copies, reads, writes};
}

std::string explain(const Quorum& q) {
    const auto number = [](int n) { return std::to_string(n); };
    const std::string sum =
        "R + W = " + number(q.reads) + " + " + number(q.writes) + " = " + number(q.reads + q.writes);
    std::string text =
        overlaps(q)
            ? sum + " > N = " + number(q.copies) + ": every read meets a copy that has the last acknowledged write.\n"
            : sum + " <= N = " + number(q.copies) +
                  ": a read may miss the last acknowledged write, unless only copies that have it answer.\n";
    const std::string twice = "2 W = " + number(2 * q.writes);
    text += writesOverlap(q)
                ? twice + " > N: two writes of a key meet on at least one copy.\n"
                : twice + " <= N: two writes of a key may meet on no copy; versions must decide between them later.\n";
    text += "With " + number(toleratedByReads(q)) + " of " + number(q.copies) + " copies away reads succeed, with " +
            number(toleratedByWrites(q)) + " away writes do, with " + number(tolerated(q)) + " away both.\n";
    return text;
}

} // namespace fremis::hashing

#pragma once

#include "server/app/ring_options.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fremis::app::ring {

/// Keys that change their node when nodes are added to "hash mod n", and the same change on a ring.
struct ModnLesson {
    std::uint64_t integerKeys = 1'000'000;
    std::uint64_t integerMoved3To4 = 0;
    std::uint64_t integerMoved10To11 = 0;
    std::uint64_t md5Keys = 10'000;
    std::uint64_t md5Moved3To4 = 0; ///< MD5 of k0..k9999 read as 128-bit numbers
    std::uint64_t md5Moved10To11 = 0;
    std::uint64_t ringMoved = 0; ///< nodes A, B, C + D, MD5, 100 points
    std::uint64_t ringMovedBetweenOldNodes = 0;
    std::vector<std::uint64_t> ringBefore; ///< loads of A, B, C
    std::vector<std::uint64_t> ringAfter;  ///< loads of A, B, C, D
};
[[nodiscard]] ModnLesson modnLesson(const hashing::Progress& progress = {});

/// A ring small enough for paper: positions 0..999, three nodes, a key is its own position.
struct WorkedLesson {
    struct Placed {
        int key;
        std::string node;
    };
    std::vector<Placed> examples;
    std::vector<std::uint64_t> before; ///< keys on N1, N2, N3
    std::vector<std::uint64_t> after;  ///< keys on N1, N2, N3, N4
    int firstMoved = 0;
    int lastMoved = 0;
    std::uint64_t moved = 0;
    std::string from;
    std::string to;
    std::uint64_t moduloMoved = 0; ///< the same keys mod 3, then mod 4
};
[[nodiscard]] WorkedLesson workedLesson();

/// How virtual nodes even a ring out: MD5, k0..k9999.
struct VnodesLesson {
    struct Row {
        std::uint32_t points;
        double deviation; ///< sd/mean of the loads
        double most;      ///< max/mean
        double theory;    ///< 1/sqrt(points)
    };
    std::vector<Row> ten;   ///< nodes A..J, points 1, 2, 5, 10, .. 500
    std::vector<Row> three; ///< nodes A..C, points 1 and 200
};
[[nodiscard]] VnodesLesson vnodesLesson(const hashing::Progress& progress = {});

/// Who takes over when one of 100 nodes (node1..node100) dies.
struct FailureLesson {
    struct Row {
        std::uint32_t points;
        std::uint64_t least;
        std::uint64_t most;
        double mean;
        std::uint64_t ofNode1;
        double largestPart; ///< mean over the nodes of the largest part one receiver takes
    };
    std::vector<Row> rows;                ///< points 1, 10, 100, 160
    std::vector<std::uint64_t> receivers; ///< at 100 points, by node
};
[[nodiscard]] FailureLesson failureLesson(const hashing::Progress& progress = {});

/// `ring demo NAME`. Fails for a name that is no demo.
[[nodiscard]] Outcome<Report> demoReport(const Streams& streams, const Options& options);

} // namespace fremis::app::ring

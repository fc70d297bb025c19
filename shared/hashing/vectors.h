#pragma once

#include <functional>
#include <string>
#include <vector>

namespace fremis::hashing {

/// One published fact about the schemes here and what this build makes of it.
struct VectorCheck {
    std::string group; ///< "partition", "ring points", "golden digest", ..
    std::string name;
    std::string expected;
    std::string actual;
    [[nodiscard]] bool passes() const { return expected == actual; }
};

/// Computes every fixed vector: partitions, ring points, owner lists, jump buckets, the Maglev table, and SHA-256 over
/// the owners of 100,000 keys for each scheme. Takes some 100 ms. A program that must agree with others can check
/// itself at start.
[[nodiscard]] std::vector<VectorCheck> checkVectors(const std::function<void(double)>& progress = {});

} // namespace fremis::hashing

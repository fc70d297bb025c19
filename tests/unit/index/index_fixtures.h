#pragma once

#include "shared/index/vector_index.h"

#include <QtGlobal>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <tuple>

namespace fremis::index::testing {

using Vector = std::vector<float>;

inline Vector unit(Vector vector) {
    double squares = 0;
    for (const float value : vector)
        squares += double{value} * value;
    const double norm = std::sqrt(squares);
    for (float& value : vector)
        value = static_cast<float>(value / norm);
    return vector;
}

inline Vector randomUnit(std::mt19937& random, int dimension) {
    std::normal_distribution<float> normal;
    Vector vector(static_cast<std::size_t>(dimension));
    for (float& value : vector)
        value = normal(random);
    return unit(std::move(vector));
}

/// The definition of a score in the plainest words: eight lanes, then a fixed tree.
inline float scoreByDefinition(std::span<const float> query, std::span<const float> row) {
    float lanes[8] = {};
    for (std::size_t i = 0; i < query.size(); ++i) {
        const float product = query[i] * row[i];
        lanes[i % 8] += product;
    }
    const float a = (lanes[0] + lanes[4]) + (lanes[2] + lanes[6]);
    const float b = (lanes[1] + lanes[5]) + (lanes[3] + lanes[7]);
    return a + b;
}

inline double scoreInDouble(std::span<const float> query, std::span<const float> row) {
    double sum = 0;
    for (std::size_t i = 0; i < query.size(); ++i)
        sum += double{query[i]} * row[i];
    return sum;
}

/// An index as one would write it without thinking of speed.
class PlainIndex {
public:
    struct Key {
        std::string keyspace;
        base::Partition partition;
        std::string face;
        std::uint64_t variation;
        auto operator<=>(const Key&) const = default;
    };
    std::map<Key, Vector> rows;

    std::size_t erase(auto&& predicate) {
        return std::erase_if(rows, [&](const auto& row) { return predicate(row.first); });
    }

    [[nodiscard]] std::vector<Hit> search(const std::string& keyspace, const Vector& query, int k,
                                          const hashing::PartitionSet& partitions) const {
        std::map<std::string, Hit> best;
        for (const auto& [key, row] : rows) {
            if (key.keyspace != keyspace || !partitions.contains(key.partition))
                continue;
            const Hit hit{key.face, base::Variation(key.variation), scoreByDefinition(query, row)};
            const auto [at, isNew] = best.try_emplace(key.face, hit);
            if (!isNew && precedes(hit, at->second))
                at->second = hit;
        }
        std::vector<Hit> hits;
        for (auto& [face, hit] : best)
            hits.push_back(std::move(hit));
        std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return precedes(a, b); });
        if (hits.size() > static_cast<std::size_t>(k))
            hits.erase(hits.begin() + k, hits.end());
        return hits;
    }
};

inline std::unique_ptr<VectorIndex> makeIndex(const Options& options) {
    auto index = VectorIndex::create(options);
    if (!index)
        qFatal("%s %s", index.error().message.c_str(), index.error().detail.c_str());
    return std::move(*index);
}

inline Options optionsFor(Engine engine, int dimension, FloatRows floatRows = FloatRows::Memory,
                          int helperThreads = 0) {
    Options options;
    options.engine = engine;
    options.dimension = dimension;
    options.floatRows = floatRows;
    options.dataDir = std::filesystem::temp_directory_path();
    options.helperThreads = helperThreads;
    return options;
}

} // namespace fremis::index::testing

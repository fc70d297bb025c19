#pragma once

#include "shared/base/error.h"
#include "shared/storage/operation.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace fremis::bench {

/// Faces with random unit embeddings, as the operations that replicas give each other: what an enrolment is once the
/// model has run. Thread: one.
class PreparedFaces {
public:
    /// Of the keyspace "default" as the worker at that client port knows it.
    [[nodiscard]] static base::Result<PreparedFaces> of(int workerPort);

    [[nodiscard]] storage::AddVariation next();
    [[nodiscard]] std::vector<float> embedding();
    /// Stores all of them on a worker through its internal plane, 512 at a time. False: it refused some; those of
    /// partitions that it does not own count as stored.
    [[nodiscard]] static bool store(int workerPort, const std::vector<std::string>& records);

private:
    PreparedFaces(std::string incarnation, std::string space)
        : m_incarnation(std::move(incarnation)), m_space(std::move(space)) {}

    std::string m_incarnation;
    std::string m_space;
    std::mt19937 m_random{20261130};
    std::uint64_t m_last = 0;
};

} // namespace fremis::bench

#pragma once

#include "shared/wire/requests.h"

/// The JSON text of requests of the client plane, for a program that asks another. parseX(toJson(x)) gives x again.
/// Thread: any.
namespace fremis::wire {

[[nodiscard]] std::string toJson(const Recognition& request);
/// The same request for some partitions only. `request`: toJson() of one that names none.
[[nodiscard]] std::string withPartitions(std::string_view request, std::span<const PartitionRange> partitions);
[[nodiscard]] std::string toJson(const Enrollment& request);
[[nodiscard]] std::string toJson(const DeleteEnrollment& request);
[[nodiscard]] std::string toJson(const DeleteVariation& request);
[[nodiscard]] std::string toJson(const CreateKeyspace& request);
[[nodiscard]] std::string toJson(const DeleteKeyspace& request);

/// "/v1/face/enrollment?keyspace=…&face_id=…" with the values percent-encoded.
[[nodiscard]] std::string targetOf(std::string_view path, std::span<const std::pair<std::string, std::string>> query);

} // namespace fremis::wire

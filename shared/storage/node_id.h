#pragma once

#include "shared/base/error.h"

#include <array>
#include <cstdint>
#include <filesystem>

namespace fremis::storage {

using NodeId = std::array<std::uint8_t, 16>;

/// The node id kept in `directory`/node-id, made at random (and durable before this returns) when missing. The SQLite
/// store keeps its own; this one is for workers whose rows live in PostgreSQL. BadStore when the file is not 32
/// hexadecimal digits.
[[nodiscard]] base::Result<NodeId> loadOrCreateNodeId(const std::filesystem::path& directory);
[[nodiscard]] base::Result<NodeId> randomNodeId();
[[nodiscard]] std::string hexOf(const NodeId& id);
/// The writer part of versions made by a node: its id's first 8 bytes, big-endian.
[[nodiscard]] std::uint64_t writerOf(const NodeId& id);

} // namespace fremis::storage

#pragma once

#include "shared/storage/operation.h"

namespace fremis::storage {

/// One operation as bytes, for queues and the wire: a version byte, a kind byte, the fields little-endian in the order
/// of the struct (texts and the float32 embedding after their length as u32), and XXH3-64 of all that. 2.2 kB for an
/// embedding of 512. The flags are not kept: they say how one store shall take it.
/// Equal operations have equal bytes on every platform.
inline constexpr std::size_t kMaxOperationBytes = 64 * 1024;
[[nodiscard]] std::string encode(const Operation& operation);

/// Trusts nothing: CorruptData for bytes that are not whole (length, checksum); InvalidParams for a whole record of
/// another version or kind, or whose fields break a rule that needs no store (ids, names, numbers not finite). Whether
/// face and partition, embedding and space fit is the store's to say.
[[nodiscard]] base::Result<Operation> decode(std::string_view bytes);

/// The partition of a face operation; nothing of a keyspace operation.
[[nodiscard]] std::optional<base::Partition> partitionOf(const Operation& operation);

} // namespace fremis::storage

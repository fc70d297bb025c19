#pragma once

#include "console/client/snapshot.h"

namespace fremis::console {

/// The map: 256 rows of partition, class, owners, healthy, expected, vectors, queued; unknown is empty.
[[nodiscard]] QByteArray partitionsCsv(const Snapshot& snapshot);

} // namespace fremis::console

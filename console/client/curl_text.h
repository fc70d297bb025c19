#pragma once

#include "console/client/cluster_client.h"

#include <QString>

namespace fremis::console {

/// A shell text that makes the same request. A picture in the body becomes the file $IMAGE; a signed request computes
/// its signature from $FREMIS_SECRET_KEY, which is never written out and never an argument of a program.
[[nodiscard]] QString curlText(const QUrl& base, const ClusterClient::RawCall& call, const QString& accessKey = {});

} // namespace fremis::console

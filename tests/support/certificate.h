#pragma once

#include "shared/http/server.h"

#include <string>

namespace fremis::test {

/// A self-signed certificate for "localhost", valid for an hour, and its key, as PEM files in `folder`.
[[nodiscard]] http::TlsFiles makeCertificate(const std::string& folder);

} // namespace fremis::test

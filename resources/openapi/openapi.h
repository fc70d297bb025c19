#pragma once

#include <string_view>

namespace fremis::openapi {

/// The OpenAPI 3.1 document of the client API, JSON in UTF-8, as in resources/openapi/openapi.json. Thread: any.
[[nodiscard]] std::string_view openapiJson();

} // namespace fremis::openapi

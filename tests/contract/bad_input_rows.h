#pragma once

#include <string>
#include <vector>

namespace fremis::test {

/// A POST that is wrong or strange, and what it has to be answered with.
struct BadInput {
    std::string name;
    std::string path;
    std::string body;
    int status = 0;
    std::string token; ///< of a status from 400
};

/// Needs the fetched photos; a face "jesper" is enrolled in "default" when they are sent.
[[nodiscard]] std::vector<BadInput> badInputs();

} // namespace fremis::test

#pragma once

#include "shared/index/kernels/kernels.h"
#include "shared/index/vector_index.h"

namespace fremis::index {

/// How the rows of one index lie in memory.
struct RowLayout {
    std::size_t dimension = 0;
    std::size_t floatStride = 0; ///< floats from row to row, zeros behind the dimension
    std::size_t codeStride = 0;  ///< bytes from row to row of codes; used for scratch too
    bool keepsCodes = false;
    bool floatsInFile = false;

    [[nodiscard]] static RowLayout of(const Options& options) {
        const auto padded = [](std::size_t bytes) { return (bytes + kRowAlign - 1) / kRowAlign * kRowAlign; };
        RowLayout layout;
        layout.dimension = static_cast<std::size_t>(options.dimension);
        layout.floatStride = padded(layout.dimension * sizeof(float)) / sizeof(float);
        layout.codeStride = padded(layout.dimension);
        layout.keepsCodes = options.engine == Engine::Sq8;
        layout.floatsInFile = options.floatRows == FloatRows::File;
        return layout;
    }
    [[nodiscard]] std::size_t floatBytes() const { return floatStride * sizeof(float); }
};

} // namespace fremis::index

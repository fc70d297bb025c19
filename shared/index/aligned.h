#pragma once

#include "shared/index/kernels/kernels.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace fremis::index {

struct FreeDeleter {
    void operator()(void* memory) const { std::free(memory); }
};

/// `count` zeroed elements at an address fit for rows. Throws std::bad_alloc.
template<class T> using AlignedArray = std::unique_ptr<T[], FreeDeleter>;

template<class T> [[nodiscard]] AlignedArray<T> alignedArray(std::size_t count) {
    const std::size_t bytes = (count * sizeof(T) + kRowAlign - 1) / kRowAlign * kRowAlign;
    void* const memory = std::aligned_alloc(kRowAlign, bytes);
    if (memory == nullptr)
        throw std::bad_alloc();
    std::memset(memory, 0, bytes);
    return AlignedArray<T>(static_cast<T*>(memory));
}

} // namespace fremis::index

#pragma once

#include "shared/index/block.h"

namespace fremis::index {

/// The hash of a face's text that tables and blocks keep.
[[nodiscard]] std::uint32_t faceHash(std::string_view text);

/// The faces of one partition by text: open addressing with linear probing. Hashes lie beside the pointers, so that
/// growing touches no face. Thread: the writer's.
class FaceTable {
public:
    [[nodiscard]] Face* find(std::string_view text, std::uint32_t hash) const;
    /// Makes room for one more; throws std::bad_alloc, changing nothing.
    void reserveOne();
    void insert(Face* face); ///< is not there; after reserveOne()
    void erase(const Face* face);
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] std::size_t bytes() const { return m_places * (sizeof(Face*) + sizeof(std::uint32_t)); }

    template<class Visit> void forEach(Visit&& visit) const {
        for (std::size_t i = 0; i < m_places; ++i)
            if (m_faces[i] != nullptr)
                visit(m_faces[i]);
    }

private:
    [[nodiscard]] std::size_t next(std::size_t place) const { return (place + 1) & (m_places - 1); }
    [[nodiscard]] std::size_t placeOf(std::uint32_t hash) const { return hash & (m_places - 1); }
    void put(Face* face, std::uint32_t hash);

    std::size_t m_size = 0;
    std::size_t m_places = 0; ///< a power of two, or none
    std::unique_ptr<Face*[]> m_faces;
    std::unique_ptr<std::uint32_t[]> m_hashes;
};

} // namespace fremis::index

#include "shared/index/face_table.h"

namespace fremis::index {

namespace {

constexpr std::size_t kFewestPlaces = 4;

} // namespace

std::uint32_t faceHash(std::string_view text) {
    const auto hash = std::hash<std::string_view>{}(text);
    return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

Face* FaceTable::find(std::string_view text, std::uint32_t hash) const {
    if (m_places == 0)
        return nullptr;
    for (std::size_t place = placeOf(hash); m_faces[place] != nullptr; place = next(place))
        if (m_hashes[place] == hash && m_faces[place]->text() == text)
            return m_faces[place];
    return nullptr;
}

void FaceTable::put(Face* face, std::uint32_t hash) {
    std::size_t place = placeOf(hash);
    while (m_faces[place] != nullptr)
        place = next(place);
    m_faces[place] = face;
    m_hashes[place] = hash;
}

void FaceTable::reserveOne() {
    if ((m_size + 1) * 4 <= m_places * 3)
        return;
    const std::size_t places = std::max(kFewestPlaces, m_places * 2);
    auto faces = std::make_unique<Face*[]>(places);
    auto hashes = std::make_unique<std::uint32_t[]>(places);
    std::swap(faces, m_faces);
    std::swap(hashes, m_hashes);
    const std::size_t oldPlaces = std::exchange(m_places, places);
    for (std::size_t i = 0; i < oldPlaces; ++i)
        if (faces[i] != nullptr)
            put(faces[i], hashes[i]);
}

void FaceTable::insert(Face* face) {
    put(face, face->hash);
    ++m_size;
}

void FaceTable::erase(const Face* face) {
    std::size_t hole = placeOf(face->hash);
    while (m_faces[hole] != face)
        hole = next(hole);
    // Whoever stands behind the hole and would be found no more moves into it (Knuth, The Art of Computer Programming
    // 3, 6.4, algorithm R).
    for (std::size_t place = next(hole); m_faces[place] != nullptr; place = next(place)) {
        const std::size_t distanceFromHome = (place - placeOf(m_hashes[place])) & (m_places - 1);
        if (distanceFromHome < ((place - hole) & (m_places - 1)))
            continue;
        m_faces[hole] = m_faces[place];
        m_hashes[hole] = m_hashes[place];
        hole = place;
    }
    m_faces[hole] = nullptr;
    --m_size;
}

} // namespace fremis::index

#pragma once

#include <QByteArray>

namespace fremis::console::ui {

/// Faces drawn by the program, of nobody: there is no photo to ship and none to leak. A model may find no face in them.
inline constexpr int kSampleFaces = 6;
/// PNG, 320 x 400; the same bytes each time. `number`: 0 to kSampleFaces - 1.
[[nodiscard]] QByteArray sampleFace(int number);

} // namespace fremis::console::ui

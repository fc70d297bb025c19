#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace fremis::console::ui {

/// One of resources/icons, drawn in the palette's text colour at whatever size and scale, so it follows the theme.
[[nodiscard]] QIcon icon(const QString& name);
/// The same in one colour.
[[nodiscard]] QPixmap iconPixmap(const QString& name, const QColor& color, int size, qreal devicePixelRatio);

} // namespace fremis::console::ui

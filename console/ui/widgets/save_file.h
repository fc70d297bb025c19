#pragma once

#include <QByteArray>
#include <QString>

class QImage;
class QWidget;

namespace fremis::console::ui {

struct PageContext;

/// Asks for a name, writes the file whole or not at all, and says so.
void saveBytes(const PageContext& context, QWidget* parent, const QString& title, const QString& name,
               const QByteArray& bytes);
void savePicture(const PageContext& context, QWidget* parent, const QString& title, const QString& name,
                 const QImage& picture);

} // namespace fremis::console::ui

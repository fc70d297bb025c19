#include "console/ui/widgets/save_file.h"

#include "console/ui/pages/page.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QImage>
#include <QSaveFile>

namespace fremis::console::ui {
namespace {

struct SaveFile {
    Q_DECLARE_TR_FUNCTIONS(fremis::console::ui::SaveFile)
};

} // namespace

void saveBytes(const PageContext& context, QWidget* parent, const QString& title, const QString& name,
               const QByteArray& bytes) {
    const QString suffix = QFileInfo(name).suffix();
    context.dialogs.saveFile(
        parent, title, name, QStringLiteral("*.%1").arg(suffix), [context, bytes](const QString& path) {
            if (path.isEmpty())
                return;
            QSaveFile file(path);
            if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
                context.notify(Severity::Ok, SaveFile::tr("Saved %1.").arg(QFileInfo(path).fileName()), path);
            else
                context.notify(Severity::Critical,
                               SaveFile::tr("%1 could not be written: %2").arg(path, file.errorString()), {});
        });
}

void savePicture(const PageContext& context, QWidget* parent, const QString& title, const QString& name,
                 const QImage& picture) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    picture.save(&buffer, "PNG");
    saveBytes(context, parent, title, name, bytes);
}

} // namespace fremis::console::ui

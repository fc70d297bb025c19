#include "console/ui/shell/dialogs.h"

#include "console/ui/shell/confirm_dialog.h"

#include <QFileDialog>
#include <QInputDialog>

namespace fremis::console::ui {
namespace {

void openFileDialog(QFileDialog* dialog, std::function<void(QString)> done) {
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QDialog::finished, dialog, [dialog, done = std::move(done)](int result) {
        done(result == QDialog::Accepted && !dialog->selectedFiles().isEmpty() ? dialog->selectedFiles().constFirst()
                                                                               : QString());
    });
    dialog->open();
}

} // namespace

void WindowDialogs::confirm(QWidget* parent, const Confirmation& question, std::function<void(bool)> done) {
    auto* dialog = new ConfirmDialog(m_theme, question, parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QDialog::finished, dialog,
                     [done = std::move(done)](int result) { done(result == QDialog::Accepted); });
    dialog->open();
}

void WindowDialogs::openFile(QWidget* parent, const QString& title, const QString& filter,
                             std::function<void(QString)> done) {
    auto* dialog = new QFileDialog(parent, title, {}, filter);
    dialog->setFileMode(QFileDialog::ExistingFile);
    openFileDialog(dialog, std::move(done));
}

void WindowDialogs::saveFile(QWidget* parent, const QString& title, const QString& proposed, const QString& filter,
                             std::function<void(QString)> done) {
    auto* dialog = new QFileDialog(parent, title, {}, filter);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(proposed);
    openFileDialog(dialog, std::move(done));
}

void WindowDialogs::askText(QWidget* parent, const QString& title, const QString& label, const QString& proposed,
                            std::function<void(QString)> done) {
    auto* dialog = new QInputDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->setLabelText(label);
    dialog->setTextValue(proposed);
    QObject::connect(dialog, &QDialog::finished, dialog, [dialog, done = std::move(done)](int result) {
        done(result == QDialog::Accepted ? QString(QLatin1String("") + dialog->textValue()) : QString());
    });
    dialog->open();
}

} // namespace fremis::console::ui

#include "console/ui/pages/map/finder.h"
#include "console/ui/pages/map/map_page.h"
#include "console/ui/panel/bottom_panel.h"
#include "console/ui/shell/command_palette.h"
#include "console/ui/shell/keys_dialog.h"
#include "console/ui/shell/main_window.h"
#include "console/ui/shell/version_text.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

QDialog* windowWith(QWidget* content, const QString& title, QWidget* parent) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(20, space::kLarge, 20, space::kLarge);
    layout->addWidget(content);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    layout->addWidget(buttons);
    return dialog;
}

} // namespace

void MainWindow::openPalette() {
    const auto openMap = [this](const PartitionSet& partitions) {
        m_session.selection().selectPartitions(partitions);
        openPage(QStringLiteral("map"));
    };
    CommandPalette::Targets targets;
    targets.partitions = openMap;
    targets.node = [this](const QString& address) {
        m_session.selection().selectNodes({address});
        openPage(QStringLiteral("nodes"));
    };
    targets.keyspace = [this](const QString& keyspace) {
        m_session.selection().selectKeyspace(keyspace);
        openPage(QStringLiteral("keyspaces"));
    };
    targets.face = [this](const QString& keyspace, const QString& face) {
        openPage(QStringLiteral("map"));
        if (auto* map = qobject_cast<MapPage*>(page(QStringLiteral("map")))) {
            map->finder().show();
            map->finder().ask(keyspace, face);
        }
    };
    auto* palette = new CommandPalette(m_theme, m_actions, m_session.snapshot(), targets, this);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    palette->move(mapToGlobal(QPoint((width() - palette->width()) / 2, 70)));
    palette->show();
}

void MainWindow::showAbout() {
    auto* text = new QLabel(versionText());
    text->setTextFormat(Qt::PlainText);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QDialog* dialog = windowWith(text, tr("About FREMIS Console"), this);
    dialog->setObjectName(QStringLiteral("about"));
    dialog->open();
}

void MainWindow::showShortcuts() {
    auto* dialog = new KeysDialog(m_theme, m_actions, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace fremis::console::ui

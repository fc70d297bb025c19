#include "console/ui/pages/map/finder.h"
#include "console/ui/pages/map/map_page.h"
#include "console/ui/panel/bottom_panel.h"
#include "console/ui/shell/command_palette.h"
#include "console/ui/shell/main_window.h"
#include "console/ui/shell/version_text.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
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
    auto* table = new QTableWidget(0, 2);
    table->setObjectName(QStringLiteral("shortcuts.table"));
    table->setAccessibleName(tr("Keys"));
    table->setHorizontalHeaderLabels({tr("Keys"), tr("Action")});
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setStretchLastSection(true);
    for (const ActionRegistry::Entry& entry : m_actions.entries()) {
        QStringList keys;
        for (const QKeySequence& key : entry.action->shortcuts())
            if (!key.isEmpty())
                keys.append(key.toString(QKeySequence::NativeText));
        if (keys.isEmpty())
            continue;
        const int row = table->rowCount();
        table->insertRow(row);
        table->setItem(row, 0, new QTableWidgetItem(keys.join(QStringLiteral(", "))));
        table->setItem(row, 1, new QTableWidgetItem(entry.action->text().remove(QLatin1Char('&'))));
    }
    const std::array<std::pair<QString, QString>, 4> onMap = {
        {{QStringLiteral("1 - 4"), tr("Map: owner, load, health, queue")},
         {QStringLiteral("N, Shift+N"), tr("Map: next and previous problem")},
         {QStringLiteral("+, -, 0"), tr("Map: larger, smaller, fit")},
         {QStringLiteral("Enter"), tr("Map: inspector")}}};
    for (const auto& [keys, text] : onMap) {
        const int row = table->rowCount();
        table->insertRow(row);
        table->setItem(row, 0, new QTableWidgetItem(keys));
        table->setItem(row, 1, new QTableWidgetItem(text));
    }
    table->resizeColumnToContents(0);
    QDialog* dialog = windowWith(table, tr("Keys"), this);
    dialog->setObjectName(QStringLiteral("shortcuts"));
    dialog->resize(520, 560);
    dialog->open();
}

} // namespace fremis::console::ui

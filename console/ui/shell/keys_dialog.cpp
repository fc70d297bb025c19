#include "console/ui/shell/keys_dialog.h"

#include "console/ui/shell/theme.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTableWidget>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

const QString kGroup = QStringLiteral("keys");

QString wordsOf(const QAction& action) {
    return action.text().remove(QLatin1Char('&'));
}

QString keysOf(const QAction& action) {
    QStringList keys;
    for (const QKeySequence& key : action.shortcuts())
        if (!key.isEmpty())
            keys.append(key.toString(QKeySequence::NativeText));
    return keys.join(QStringLiteral(", "));
}

/// A letter alone would be taken out of every text that is typed.
bool isTyped(const QKeySequence& key) {
    const QKeyCombination first = key[0];
    const bool held = first.keyboardModifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
    return !held && first.key() < Qt::Key_Escape;
}

} // namespace

KeysDialog::KeysDialog(const Theme& theme, ActionRegistry& actions, QWidget* parent)
    : QDialog(parent), m_actions(actions), m_filter(new QLineEdit(this)), m_table(new QTableWidget(0, 2, this)),
      m_edit(new QKeySequenceEdit(this)), m_assign(new QPushButton(this)), m_remove(new QPushButton(this)),
      m_reset(new QPushButton(this)), m_resetAll(new QPushButton(this)), m_problem(new QLabel(this)) {
    setObjectName(QStringLiteral("shortcuts"));
    setWindowTitle(tr("Keys"));
    m_filter->setObjectName(QStringLiteral("shortcuts.filter"));
    m_filter->setPlaceholderText(tr("Filter actions"));
    m_filter->setAccessibleName(tr("Filter actions"));
    m_filter->setClearButtonEnabled(true);
    m_table->setObjectName(QStringLiteral("shortcuts.table"));
    m_table->setAccessibleName(tr("Keys"));
    m_table->setHorizontalHeaderLabels({tr("Keys"), tr("Action")});
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_edit->setObjectName(QStringLiteral("shortcuts.edit"));
    m_edit->setAccessibleName(tr("Press the new keys"));
    if (auto* line = m_edit->findChild<QLineEdit*>())
        line->setAccessibleName(tr("Press the new keys"));
    m_problem->setObjectName(QStringLiteral("shortcuts.problem"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    setInk(*m_problem, theme.colors().critical);
    m_assign->setText(tr("A&ssign"));
    m_remove->setText(tr("&No key"));
    m_reset->setText(tr("&Default"));
    m_resetAll->setText(tr("&All as delivered"));
    m_assign->setObjectName(QStringLiteral("shortcuts.assign"));
    m_remove->setObjectName(QStringLiteral("shortcuts.remove"));
    m_reset->setObjectName(QStringLiteral("shortcuts.reset"));
    m_resetAll->setObjectName(QStringLiteral("shortcuts.reset-all"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, space::kLarge, 20, space::kLarge);
    layout->addWidget(m_filter);
    layout->addWidget(m_table, 1);
    auto* line = new QHBoxLayout;
    line->addWidget(m_edit, 1);
    for (QPushButton* button : {m_assign, m_remove, m_reset}) {
        button->setAutoDefault(false);
        line->addWidget(button);
    }
    layout->addLayout(line);
    layout->addWidget(m_problem);
    auto* hint =
        new QLabel(tr("On the map: 1 to 4 choose what it shows, N and Shift+N go to problems, + - 0 change the "
                      "size, Enter opens the inspector."),
                   this);
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(hint);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_resetAll->setAutoDefault(false);
    buttons->addButton(m_resetAll, QDialogButtonBox::ResetRole);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_filter, &QLineEdit::textChanged, this, &KeysDialog::filter);
    connect(m_table, &QTableWidget::currentCellChanged, this, &KeysDialog::showCurrent);
    connect(m_assign, &QPushButton::clicked, this, [this] { assign(m_edit->keySequence()); });
    connect(m_remove, &QPushButton::clicked, this, [this] { assign({}); });
    connect(m_reset, &QPushButton::clicked, this, [this] {
        const QString holder = m_actions.resetKeys(currentId());
        m_problem->setText(holder.isEmpty() ? QString() : tr("Taken by \"%1\".").arg(wordsOf(*m_actions.find(holder))));
    });
    connect(m_resetAll, &QPushButton::clicked, &m_actions, &ActionRegistry::resetAllKeys);
    connect(&m_actions, &ActionRegistry::keysChanged, this, &KeysDialog::fill);
    fill();
    resize(withText(font(), 620), withText(font(), 560));
    m_table->selectRow(0);
}

void KeysDialog::fill() {
    const QString kept = currentId();
    m_table->setRowCount(int(m_actions.entries().size()));
    int row = 0;
    for (const ActionRegistry::Entry& entry : m_actions.entries()) {
        const bool isChosen = m_actions.chosenKeys().contains(entry.spec.id);
        auto* keys = new QTableWidgetItem(keysOf(*entry.action) + (isChosen ? QStringLiteral(" *") : QString()));
        keys->setData(Qt::UserRole, entry.spec.id);
        keys->setToolTip(isChosen ? tr("Chosen by you") : QString());
        m_table->setItem(row, 0, keys);
        m_table->setItem(row++, 1, new QTableWidgetItem(wordsOf(*entry.action)));
    }
    m_table->resizeColumnToContents(0);
    filter(m_filter->text());
    choose(kept);
}

void KeysDialog::filter(const QString& text) {
    for (int row = 0; row < m_table->rowCount(); ++row)
        m_table->setRowHidden(row, !m_table->item(row, 1)->text().contains(text, Qt::CaseInsensitive) &&
                                       !m_table->item(row, 0)->text().contains(text, Qt::CaseInsensitive));
}

QString KeysDialog::currentId() const {
    const QTableWidgetItem* item = m_table->currentRow() < 0 ? nullptr : m_table->item(m_table->currentRow(), 0);
    return item ? item->data(Qt::UserRole).toString() : QString();
}

void KeysDialog::choose(const QString& actionId) {
    for (int row = 0; row < m_table->rowCount(); ++row)
        if (m_table->item(row, 0)->data(Qt::UserRole).toString() == actionId)
            m_table->setCurrentCell(row, 0);
}

void KeysDialog::showCurrent() {
    const QAction* action = m_actions.find(currentId());
    m_edit->setKeySequence(action ? action->shortcut() : QKeySequence());
    m_problem->clear();
}

QString KeysDialog::assign(const QKeySequence& key) {
    QString problem;
    if (!key.isEmpty() && isTyped(key)) {
        problem = tr("A letter alone would be missing in every text. Hold Ctrl or Alt with it.");
    } else {
        const auto keys = key.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{key};
        if (const QString holder = m_actions.rebind(currentId(), keys); !holder.isEmpty())
            problem = tr("%1 is taken by \"%2\".")
                          .arg(key.toString(QKeySequence::NativeText), wordsOf(*m_actions.find(holder)));
    }
    m_problem->setText(problem);
    return problem;
}

void saveChosenKeys(const ActionRegistry& actions) {
    QSettings settings;
    settings.beginGroup(kGroup);
    settings.remove(QString());
    for (auto it = actions.chosenKeys().begin(); it != actions.chosenKeys().end(); ++it)
        settings.setValue(it.key(), QKeySequence::listToString(it.value(), QKeySequence::PortableText));
}

void loadChosenKeys(ActionRegistry& actions) {
    QSettings settings;
    settings.beginGroup(kGroup);
    QHash<QString, QList<QKeySequence>> keys;
    for (const QString& id : settings.allKeys())
        keys.insert(id, QKeySequence::listFromString(settings.value(id).toString(), QKeySequence::PortableText));
    if (!keys.isEmpty())
        actions.setChosenKeys(keys);
}

} // namespace fremis::console::ui

#include "console/ui/shell/command_palette.h"

#include "console/ui/shell/icons.h"
#include "console/ui/shell/theme.h"
#include "console/ui/shell/verdict.h"
#include "shared/routing/range.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QSettings>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

constexpr int kMostShown = 40;
constexpr int kRecent = 5;

const QString kRecentKey = QStringLiteral("palette/recent");

bool matches(const QString& text, const QStringList& words) {
    return std::all_of(words.begin(), words.end(),
                       [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace

CommandPalette::CommandPalette(const Theme&, ActionRegistry& actions, SnapshotPtr snapshot, Targets targets,
                               QWidget* parent)
    : QDialog(parent, Qt::Popup), m_actions(actions), m_snapshot(std::move(snapshot)), m_targets(std::move(targets)),
      m_line(new QLineEdit(this)), m_list(new QListWidget(this)) {
    setObjectName(QStringLiteral("palette"));
    setAccessibleName(tr("Command palette"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kSmall, space::kSmall, space::kSmall, space::kSmall);
    m_line->setObjectName(QStringLiteral("palette.line"));
    m_line->setPlaceholderText(tr("Action or page; p 182, n worker-7, k visitors, f visitors alice-01"));
    m_line->setAccessibleName(tr("Search or run"));
    m_line->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_line->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("palette.list"));
    m_list->setAccessibleName(tr("Found"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    layout->addWidget(m_line);
    layout->addWidget(m_list);
    resize(560, 380);
    connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::refresh);
    connect(m_list, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { run(m_list->row(item)); });
    refresh();
    m_line->setFocus();
}

QStringList CommandPalette::shown() const {
    QStringList texts;
    for (const Command& command : m_commands)
        texts.append(command.text);
    return texts;
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int row = m_list->currentRow();
    if (key == Qt::Key_Down || key == Qt::Key_Up) {
        const int count = m_list->count();
        if (count > 0)
            m_list->setCurrentRow((row + (key == Qt::Key_Down ? 1 : count - 1)) % count);
        return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        run(row);
        return true;
    }
    return QDialog::eventFilter(watched, event);
}

void CommandPalette::refresh() {
    const QString query = m_line->text().trimmed();
    m_commands = objectsFor(query);
    const auto more = commandsFor(query);
    m_commands.insert(m_commands.end(), more.begin(), more.end());
    if (m_commands.size() > kMostShown)
        m_commands.resize(kMostShown);
    m_list->clear();
    for (const Command& command : m_commands) {
        auto* item = new QListWidgetItem(
            command.detail.isEmpty() ? command.text : QStringLiteral("%1      %2").arg(command.text, command.detail),
            m_list);
        if (!command.enabled)
            item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
        item->setSizeHint({0, fontMetrics().height() + 12});
    }
    m_list->setCurrentRow(m_commands.empty() ? -1 : 0);
}

std::vector<CommandPalette::Command> CommandPalette::commandsFor(const QString& query) const {
    const QStringList words = query.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const QStringList recent = QSettings().value(kRecentKey).toStringList();
    std::vector<Command> found;
    for (const ActionRegistry::Entry& entry : m_actions.entries()) {
        const QString text = entry.action->text().remove(QLatin1Char('&'));
        if (entry.spec.id == QLatin1String("view.palette") || !matches(text, words))
            continue;
        Command command{text, entry.action->shortcut().toString(QKeySequence::NativeText), entry.action->isEnabled(),
                        [action = entry.action] { action->trigger(); }, entry.spec.id};
        if (!command.enabled)
            command.detail = m_actions.whyDisabled(entry.spec.id);
        found.push_back(std::move(command));
    }
    const auto age = [&recent](const Command& command) {
        const auto at = recent.indexOf(command.id);
        return at < 0 ? kRecent : int(at);
    };
    std::stable_sort(found.begin(), found.end(), [&](const Command& a, const Command& b) { return age(a) < age(b); });
    return found;
}

std::vector<CommandPalette::Command> CommandPalette::objectsFor(const QString& query) const {
    std::vector<Command> found;
    const QString rest = query.mid(2).trimmed();
    if (query.size() < 3 || query[1] != QLatin1Char(' ') || rest.isEmpty())
        return found;
    switch (query[0].toLower().toLatin1()) {
    case 'p':
        if (const auto parsed = routing::parsePartitionList(rest.toStdString())) {
            const PartitionSet partitions(*parsed);
            found.push_back({tr("Partitions %1").arg(rangesText(partitions)),
                             {},
                             true,
                             [this, partitions] { m_targets.partitions(partitions); },
                             {}});
        }
        break;
    case 'n':
        if (m_snapshot)
            for (const NodeView& node : m_snapshot->nodes)
                if (node.label().contains(rest, Qt::CaseInsensitive) || node.address.contains(rest))
                    found.push_back({tr("Node %1").arg(node.label()),
                                     node.address,
                                     true,
                                     [this, address = node.address] { m_targets.node(address); },
                                     {}});
        break;
    case 'k':
        found.push_back({tr("Keyspace %1").arg(rest), {}, true, [this, rest] { m_targets.keyspace(rest); }, {}});
        break;
    case 'f':
        if (const QStringList parts = rest.split(QLatin1Char(' '), Qt::SkipEmptyParts); parts.size() == 2)
            found.push_back({tr("Partition of face %2 in %1").arg(parts[0], parts[1]),
                             {},
                             true,
                             [this, parts] { m_targets.face(parts[0], parts[1]); },
                             {}});
        break;
    default:
        break;
    }
    return found;
}

void CommandPalette::run(int row) {
    if (row < 0 || row >= int(m_commands.size()) || !m_commands[std::size_t(row)].enabled)
        return;
    const Command command = m_commands[std::size_t(row)];
    if (!command.id.isEmpty()) {
        QStringList recent = QSettings().value(kRecentKey).toStringList();
        recent.removeAll(command.id);
        recent.prepend(command.id);
        QSettings().setValue(kRecentKey, QStringList(recent.mid(0, kRecent)));
    }
    close();
    command.run();
}

} // namespace fremis::console::ui

#include "console/ui/pages/keyspaces/keyspaces_page.h"

#include "console/ui/pages/keyspaces/face_browser.h"
#include "console/ui/views/sparkline.h"
#include "console/ui/widgets/data_table.h"
#include "console/ui/widgets/filter_line.h"
#include "console/ui/widgets/format.h"
#include "console/ui/widgets/property_list.h"
#include "console/ui/widgets/save_file.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSettings>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

const QString kCreate = QStringLiteral("keyspaces.create");
const QString kDelete = QStringLiteral("keyspaces.delete");

QToolButton* buttonOf(QAction* action) {
    auto* button = new QToolButton;
    button->setObjectName(action->objectName() + QStringLiteral(".button"));
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    return button;
}

QString usage(qint64 current, const std::optional<qint64>& most) {
    return most ? KeyspacesPage::tr("%1 of %2").arg(numberText(current), numberText(*most)) : numberText(current);
}

} // namespace

KeyspacesPage::KeyspacesPage(const PageContext& context, QWidget* parent)
    : Page(context, QStringLiteral("keyspaces"), parent),
      m_table(new DataTable(context.theme, m_model, QStringLiteral("keyspaces.table"))), m_filter(new FilterLine),
      m_limits(new PropertyList(context.theme)), m_spreadTitle(new QLabel), m_spread(new Sparkline(context.theme)),
      m_faces(new FaceBrowser(context)) {
    addActions();
    m_filter->setObjectName(QStringLiteral("keyspaces.filter"));
    m_filter->setMaximumWidth(220);
    m_filter->setTarget(m_table);
    tools().addStretch();
    tools().addWidget(m_filter);
    tools().addWidget(buttonOf(context.actions.find(kCreate)));
    tools().addWidget(buttonOf(context.actions.find(kDelete)));
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::kSmall);
    auto* limits = new QHBoxLayout;
    limits->setContentsMargins(space::kLarge, space::kTiny, space::kMedium, 0);
    limits->setSpacing(space::kLarge);
    limits->addWidget(m_limits);
    auto* spread = new QVBoxLayout;
    spread->setSpacing(space::kTiny);
    m_spread->setObjectName(QStringLiteral("keyspaces.spread"));
    m_spreadTitle->setForegroundRole(QPalette::PlaceholderText);
    spread->addWidget(m_spreadTitle);
    spread->addWidget(m_spread);
    spread->addStretch();
    limits->addLayout(spread, 1);
    layout->addLayout(limits);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(m_table);
    splitter->addWidget(m_faces);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    layout->addWidget(splitter, 1);
    setContent(content);
    connect(m_filter, &QLineEdit::textChanged, m_table, &DataTable::setFilter);
    connect(m_table, &DataTable::selectedKeysChanged, this, [this](const QStringList& keys) {
        if (!keys.isEmpty() && keys.front() != this->context().selection.current().keyspace)
            this->context().selection.selectKeyspace(keys.front());
    });
    m_table->restoreLayout(QSettings().value(QStringLiteral("keyspaces/table")).toByteArray());
    m_filter->setText(QSettings().value(QStringLiteral("keyspaces/filter")).toString());
}

void KeyspacesPage::addActions() {
    ActionRegistry& actions = context().actions;
    actions.add({kCreate,
                 QT_TRANSLATE_NOOP("Actions", "&New keyspace..."),
                 nullptr,
                 QStringLiteral("add"),
                 {},
                 Menu::Tools,
                 Effect::Mutates},
                [this] { create(); });
    actions.add({kDelete,
                 QT_TRANSLATE_NOOP("Actions", "&Delete keyspace..."),
                 nullptr,
                 QStringLiteral("trash"),
                 {},
                 Menu::Tools,
                 Effect::Mutates},
                [this] { remove(); });
}

std::optional<Page::Placeholder> KeyspacesPage::placeholder(const Snapshot& snapshot) const {
    if (snapshot.notOffered.contains(QStringLiteral("/v1/face/keyspace")))
        return Placeholder{StateStack::State::NotOffered,
                           tr("This coordinator does not list its keyspaces (/v1/face/keyspace)."),
                           {},
                           {}};
    if (!snapshot.keyspaces)
        return Placeholder{StateStack::State::Loading, tr("Waiting for the keyspaces..."), {}, {}};
    if (snapshot.keyspaces->list.isEmpty())
        return Placeholder{StateStack::State::Empty, tr("No keyspaces yet. Create one."), tr("New keyspace..."), {}};
    return std::nullopt;
}

void KeyspacesPage::showSnapshot(const Snapshot& snapshot) {
    m_model.setSnapshot(this->snapshot());
    m_faces->setBase(snapshot.coordinatorUrl());
    m_spread->set(m_spreadTitle->text(), spreadOf(snapshot));
    showFaceCount();
    std::vector<Property> lines;
    if (snapshot.limits) {
        lines.push_back({tr("Enrolled photos"), usage(snapshot.limits->enrollments, snapshot.limits->enrollmentsMost)});
        lines.push_back({tr("Keyspaces"), usage(snapshot.limits->keyspaces, snapshot.limits->keyspacesMost)});
    }
    if (snapshot.keyspaces && !snapshot.keyspaces->complete)
        lines.push_back({{}, tr("Some workers have not told their faces: the counts are too low."), Severity::Warning});
    m_limits->set(lines);
}

void KeyspacesPage::showSelection(const Selection& selection) {
    context().actions.setAvailable(kDelete, !selection.keyspace.isEmpty(), tr("Choose a keyspace first."));
    if (!selection.keyspace.isEmpty())
        m_table->selectKey(selection.keyspace);
    m_faces->setKeyspace(selection.keyspace);
    showFaceCount();
}

void KeyspacesPage::showFaceCount() {
    std::optional<quint64> faces;
    if (snapshot() && snapshot()->keyspaces)
        for (const Keyspace& keyspace : snapshot()->keyspaces->list)
            if (keyspace.name == context().selection.current().keyspace)
                faces = keyspace.faces;
    m_faces->setFaceCount(faces);
}

void KeyspacesPage::create() {
    context().dialogs.askText(this, tr("New keyspace"), tr("Name"), {}, [this](const QString& name) {
        if (!name.trimmed().isEmpty())
            createNamed(name.trimmed());
    });
}

void KeyspacesPage::createNamed(const QString& name) {
    if (const auto parsed = base::KeyspaceName::parse(name.toStdString()); !parsed) {
        context().notify(Severity::Critical, tr("%1 cannot be a keyspace's name.").arg(name),
                         QString::fromStdString(parsed.error().message));
        return;
    }
    if (!snapshot())
        return;
    context().client.createKeyspace(
        snapshot()->coordinatorUrl(), name, std::nullopt, this, [this, name](CallResult<QByteArray> result) {
            if (result) {
                context().refresh();
                context().notify(Severity::Ok, tr("Keyspace %1 is there.").arg(name), {});
            } else
                context().notify(Severity::Critical,
                                 tr("Keyspace %1 was not created: %2").arg(name, textOf(result.error())),
                                 result.error().token);
        });
}

QString KeyspacesPage::deleteConsequences(const QString& name) const {
    QStringList lines;
    for (const Keyspace& keyspace : snapshot()->keyspaces->list)
        if (keyspace.name == name)
            lines.append(tr("%1 faces become unfindable at once and cannot be brought back.")
                             .arg(numberText(qint64(keyspace.faces))));
    for (const NodeView& node : snapshot()->nodes)
        if (node.state == NodeState::Down)
            lines.append(tr("%1 is down: the deletion will be queued for it.").arg(node.label()));
    lines.append(name == QLatin1String("default") ? tr("The keyspace default itself stays, emptied.")
                                                  : tr("A new keyspace of that name starts empty."));
    return lines.join(QLatin1Char('\n'));
}

void KeyspacesPage::remove() {
    const QString name = context().selection.current().keyspace;
    if (name.isEmpty() || !snapshot() || !snapshot()->keyspaces)
        return;
    Confirmation question;
    question.title = tr("Delete keyspace");
    question.text = tr("Delete keyspace %1 and all its faces?").arg(name);
    question.details = deleteConsequences(name);
    question.yes = tr("Delete");
    question.severity = Severity::Critical;
    question.environment =
        QStringLiteral("%1 - %2").arg(wordOf(context().profile().environment), context().profile().name);
    question.typed = name;
    context().dialogs.confirm(this, question, [this, name](bool yes) {
        if (!yes || !snapshot())
            return;
        context().client.deleteKeyspace(
            snapshot()->coordinatorUrl(), name, this, [this, name](CallResult<QByteArray> result) {
                if (result) {
                    context().refresh();
                    context().notify(Severity::Ok, tr("Keyspace %1 is deleted.").arg(name), {});
                } else
                    context().notify(Severity::Critical,
                                     tr("Keyspace %1 was not deleted: %2").arg(name, textOf(result.error())),
                                     result.error().token);
            });
    });
}

void KeyspacesPage::showStale(bool stale) {
    m_table->setDimmed(stale);
}

void KeyspacesPage::focusFilter() {
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void KeyspacesPage::exportCsv() {
    saveBytes(context(), this, tr("Export keyspaces"), QStringLiteral("keyspaces.csv"),
              m_table->csv(tr("Keyspaces of %1; faces and photos are counts").arg(context().profile().name)));
}

void KeyspacesPage::saveLayout(QSettings& settings) const {
    settings.setValue(QStringLiteral("keyspaces/table"), m_table->layoutJson());
    settings.setValue(QStringLiteral("keyspaces/filter"), m_filter->text());
}

void KeyspacesPage::retranslate() {
    setTitle(tr("Keyspaces"));
    m_filter->setPlaceholderText(tr("Filter keyspaces"));
    m_filter->setAccessibleName(tr("Filter keyspaces"));
    m_table->setAccessibleName(tr("Keyspaces"));
    m_spreadTitle->setText(tr("Vectors over the 256 partitions, all keyspaces"));
    m_model.retranslate();
}

} // namespace fremis::console::ui

#include "console/ui/pages/config/merge_sheet.h"

#include "console/ui/widgets/scroll_pane.h"
#include "console/ui/widgets/segmented.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>

namespace fremis::console::ui {
namespace {

constexpr int kMostLines = 8; ///< of a side that are seen without scrolling

QPlainTextEdit* sideView(const QByteArray& text, const QString& name, QWidget* parent) {
    auto* view = new QPlainTextEdit(parent);
    view->setReadOnly(true);
    view->setTabChangesFocus(true);
    view->setLineWrapMode(QPlainTextEdit::NoWrap);
    view->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    view->setPlainText(QString::fromUtf8(text));
    view->setAccessibleName(name);
    const int lines = std::clamp(int(text.count('\n')) + 1, 2, kMostLines);
    view->setFixedHeight(lines * view->fontMetrics().lineSpacing() + 2 * space::kMedium);
    return view;
}

} // namespace

MergeSheet::MergeSheet(const Theme& theme, DraftDesk& desk, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_desk(desk), m_text(new QLabel(this)), m_list(new QWidget),
      m_lines(new QVBoxLayout(m_list)), m_merge(new QPushButton(this)), m_cancel(new QPushButton(this)) {
    setObjectName(QStringLiteral("config.merge"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kLarge, space::kTiny, space::kMedium, space::kMedium);
    layout->setSpacing(space::kSmall);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    layout->addWidget(m_text);
    m_lines->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(new ScrollPane(m_list, this), 1);
    m_merge->setObjectName(QStringLiteral("config.merge.ok"));
    m_cancel->setObjectName(QStringLiteral("config.merge.cancel"));
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_merge);
    layout->addLayout(buttons);
    connect(m_merge, &QPushButton::clicked, this, &MergeSheet::merge);
    connect(m_cancel, &QPushButton::clicked, this, &MergeSheet::closed);
}

void MergeSheet::begin() {
    m_conflicts.clear();
    while (QLayoutItem* item = m_lines->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const MergePart& part : m_desk.mergeParts())
        if (part.isConflict)
            addConflict(part);
    m_lines->addStretch();
    retranslate();
}

void MergeSheet::addConflict(const MergePart& part) {
    auto* box = new QWidget(m_list);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, space::kSmall);
    Conflict conflict{part, new QLabel(box), new Segmented(m_theme, box)};
    conflict.choice->setObjectName(QStringLiteral("config.merge.choice.%1").arg(m_conflicts.size()));
    for (const auto* id : {"mine", "theirs"})
        conflict.choice->addChoice(QLatin1String(id));
    auto* head = new QHBoxLayout;
    head->addWidget(conflict.place);
    head->addStretch();
    head->addWidget(conflict.choice);
    layout->addLayout(head);
    auto* sides = new QHBoxLayout;
    sides->addWidget(sideView(part.mine, tr("Lines of the draft"), box));
    sides->addWidget(sideView(part.theirs, tr("Lines of the new config"), box));
    layout->addLayout(sides);
    m_lines->addWidget(box);
    m_conflicts.push_back(conflict);
}

void MergeSheet::choose(int conflict, bool mine) {
    m_conflicts[std::size_t(conflict)].choice->setCurrent(mine ? 0 : 1);
}

void MergeSheet::merge() {
    std::vector<bool> keepsMine;
    for (const Conflict& conflict : m_conflicts)
        keepsMine.push_back(conflict.choice->current() == 0);
    const auto merged = m_desk.mergeWith(keepsMine);
    if (!merged)
        Q_EMIT failed(tr("That was not done: %1").arg(QString::fromStdString(merged.error().message)));
    Q_EMIT closed();
}

void MergeSheet::retranslate() {
    m_text->setText(
        tr("The config was changed by somebody else, in %n place(s) where the draft changes it too. Left is the "
           "draft, right the new config. Everything else of both is kept; nothing is written yet.",
           "", conflicts()));
    for (std::size_t i = 0; i < m_conflicts.size(); ++i) {
        const Conflict& conflict = m_conflicts[i];
        conflict.place->setText(tr("Line %1").arg(conflict.part.line));
        conflict.choice->setAccessibleName(tr("What stays at line %1").arg(conflict.part.line));
        conflict.choice->setText(0, tr("Keep mine"), tr("The draft's lines stay"));
        conflict.choice->setText(1, tr("Take theirs"), tr("The new config's lines stay"));
    }
    m_merge->setText(tr("Merge"));
    m_cancel->setText(tr("Cancel"));
}

} // namespace fremis::console::ui

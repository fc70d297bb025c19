#include "console/ui/shell/confirm_dialog.h"

#include "console/ui/shell/icons.h"
#include "console/ui/widgets/badge.h"
#include "console/ui/widgets/severity_text.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

QLabel* plainLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setMinimumWidth(380);
    return label;
}

} // namespace

ConfirmDialog::ConfirmDialog(const Theme& theme, const Confirmation& question, QWidget* parent)
    : QDialog(parent), m_typed(question.typed) {
    setObjectName(QStringLiteral("confirm"));
    setWindowTitle(question.title);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, space::kLarge, 20, space::kLarge);
    layout->setSpacing(space::kMedium);
    if (!question.environment.isEmpty()) {
        auto* badge = new Badge(theme, this);
        badge->set(question.environment, question.severity, Badge::Look::Solid);
        layout->addWidget(badge, 0, Qt::AlignLeft);
    }
    auto* head = new QHBoxLayout;
    head->setSpacing(space::kMedium);
    auto* picture = new QLabel(this);
    picture->setPixmap(
        iconPixmap(iconOf(question.severity), theme.severity(question.severity), 28, devicePixelRatioF()));
    head->addWidget(picture, 0, Qt::AlignTop);
    auto* text = plainLabel(question.text, this);
    QFont bold = text->font();
    bold.setWeight(QFont::DemiBold);
    text->setFont(bold);
    head->addWidget(text, 1);
    layout->addLayout(head);
    if (!question.details.isEmpty())
        layout->addWidget(plainLabel(question.details, this));
    if (!m_typed.isEmpty()) {
        auto* label = plainLabel(tr("Type %1 to confirm:").arg(m_typed), this);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_line = new QLineEdit(this);
        m_line->setObjectName(QStringLiteral("confirm.typed"));
        label->setBuddy(m_line);
        m_line->setAccessibleName(label->text());
        layout->addWidget(label);
        layout->addWidget(m_line);
        connect(m_line, &QLineEdit::textChanged, this, &ConfirmDialog::checkTyped);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_yes = buttons->addButton(question.yes, QDialogButtonBox::AcceptRole);
    m_yes->setObjectName(QStringLiteral("confirm.yes"));
    m_yes->setAutoDefault(false);
    auto* cancel = buttons->button(QDialogButtonBox::Cancel);
    cancel->setObjectName(QStringLiteral("confirm.cancel"));
    cancel->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    checkTyped();
    (m_line ? static_cast<QWidget*>(m_line) : cancel)->setFocus();
}

void ConfirmDialog::checkTyped() {
    const bool matches = !m_line || m_line->text().trimmed().compare(m_typed, Qt::CaseInsensitive) == 0;
    m_yes->setEnabled(matches);
}

} // namespace fremis::console::ui

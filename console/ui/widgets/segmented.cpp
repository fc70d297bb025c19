#include "console/ui/widgets/segmented.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

namespace fremis::console::ui {

Segmented::Segmented(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_group(new QButtonGroup(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(2, 1, 2, 1);
    layout->setSpacing(1);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(m_group, &QButtonGroup::idClicked, this, &Segmented::chosen);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void Segmented::addChoice(const QString& id) {
    auto* button = new QToolButton(this);
    button->setObjectName(objectName() + QLatin1Char('.') + id);
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    const int number = int(m_group->buttons().size());
    m_group->addButton(button, number);
    layout()->addWidget(button);
    if (number == 0)
        button->setChecked(true);
}

void Segmented::setText(int choice, const QString& text, const QString& hint) {
    QAbstractButton* button = m_group->button(choice);
    button->setText(text);
    button->setAccessibleName(text);
    button->setToolTip(hint);
}

void Segmented::setCurrent(int choice) {
    m_group->button(choice)->setChecked(true);
}

int Segmented::current() const {
    return m_group->checkedId();
}

void Segmented::paintEvent(QPaintEvent*) {
    const ThemeColors& c = m_theme.colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(c.raised);
    painter.setPen(QPen(c.line, 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), space::kRadius + 1, space::kRadius + 1);
}

} // namespace fremis::console::ui

#include "console/ui/pages/map/finder.h"

#include "shared/base/ids.h"
#include "shared/hashing/partition.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

namespace fremis::console::ui {

Finder::Finder(const Theme&, QWidget* parent)
    : QWidget(parent), m_keyspace(new QLineEdit(this)), m_face(new QLineEdit(this)), m_answer(new QLabel(this)),
      m_keyspaceLabel(new QLabel(this)), m_faceLabel(new QLabel(this)) {
    setObjectName(QStringLiteral("map.finder"));
    m_keyspace->setObjectName(QStringLiteral("map.finder.keyspace"));
    m_face->setObjectName(QStringLiteral("map.finder.face"));
    m_answer->setObjectName(QStringLiteral("map.finder.answer"));
    m_keyspaceLabel->setBuddy(m_keyspace);
    m_faceLabel->setBuddy(m_face);
    m_keyspace->setText(QStringLiteral("default"));
    m_keyspace->setMaximumWidth(160);
    m_face->setMaximumWidth(260);
    m_answer->setTextFormat(Qt::PlainText);
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(space::kLarge, 0, space::kMedium, space::kSmall);
    layout->addWidget(m_keyspaceLabel);
    layout->addWidget(m_keyspace, 1);
    layout->addWidget(m_faceLabel);
    layout->addWidget(m_face, 2);
    layout->addWidget(m_answer, 2);
    connect(m_keyspace, &QLineEdit::textChanged, this, &Finder::refresh);
    connect(m_face, &QLineEdit::textChanged, this, &Finder::refresh);
    retranslate();
}

void Finder::ask(const QString& keyspace, const QString& faceId) {
    m_keyspace->setText(keyspace);
    m_face->setText(faceId);
}

QString Finder::explanation() const {
    return m_answer->text();
}

void Finder::begin() {
    show();
    m_face->setFocus(Qt::ShortcutFocusReason);
    m_face->selectAll();
}

void Finder::refresh() {
    m_partition.reset();
    if (m_face->text().isEmpty()) {
        m_answer->setText(tr("A face's partition follows from its keyspace and id alone."));
        return;
    }
    const auto keyspace = base::KeyspaceName::parse(m_keyspace->text().toStdString());
    const auto face = base::FaceId::parse(m_face->text().toStdString());
    if (!keyspace || !face) {
        m_answer->setText(QString::fromStdString(keyspace ? face.error().message : keyspace.error().message));
        return;
    }
    m_partition = hashing::partitionOf(keyspace->text(), face->text());
    m_answer->setText(tr("\"%1-%2\" has byte %3: partition %4")
                          .arg(m_keyspace->text(), m_face->text())
                          .arg(QString::number(*m_partition, 16).toUpper().rightJustified(2, QLatin1Char('0')))
                          .arg(*m_partition));
    Q_EMIT found(*m_partition);
}

void Finder::retranslate() {
    m_keyspaceLabel->setText(tr("&Keyspace"));
    m_faceLabel->setText(tr("Face &id"));
    m_keyspace->setAccessibleName(tr("Keyspace"));
    m_face->setAccessibleName(tr("Face id"));
    refresh();
}

void Finder::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void Finder::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        hide();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace fremis::console::ui

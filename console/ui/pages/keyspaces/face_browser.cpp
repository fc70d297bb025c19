#include "console/ui/pages/keyspaces/face_browser.h"

#include "console/ui/shell/icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QListWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace fremis::console::ui {

FaceBrowser::FaceBrowser(const PageContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_title(new QLabel(this)), m_load(new QToolButton(this)),
      m_more(new QToolButton(this)), m_list(new QListWidget(this)), m_note(new QLabel(this)) {
    setObjectName(QStringLiteral("keyspaces.faces"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(space::kLarge, space::kTiny, space::kMedium, space::kTiny);
    QFont bold = m_title->font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    m_title->setTextFormat(Qt::PlainText);
    m_load->setObjectName(QStringLiteral("keyspaces.faces.load"));
    m_more->setObjectName(QStringLiteral("keyspaces.faces.more"));
    m_list->setObjectName(QStringLiteral("keyspaces.faces.list"));
    for (QToolButton* button : {m_load, m_more}) {
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }
    m_load->setIcon(icon(QStringLiteral("search")));
    m_more->setIcon(icon(QStringLiteral("chevron-down")));
    head->addWidget(m_title);
    head->addStretch();
    head->addWidget(m_note);
    head->addWidget(m_load);
    head->addWidget(m_more);
    layout->addLayout(head);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    layout->addWidget(m_list, 1);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setTextFormat(Qt::PlainText);
    connect(m_load, &QToolButton::clicked, this, [this] {
        m_list->clear();
        ask({});
    });
    connect(m_more, &QToolButton::clicked, this, [this] { ask(m_next); });
    retranslate();
}

void FaceBrowser::setKeyspace(const QString& keyspace) {
    if (keyspace == m_keyspace)
        return;
    m_keyspace = keyspace;
    m_next.clear();
    m_list->clear();
    m_note->clear();
    retranslate();
}

QStringList FaceBrowser::shown() const {
    QStringList ids;
    for (int row = 0; row < m_list->count(); ++row)
        ids.append(m_list->item(row)->data(Qt::UserRole).toString());
    return ids;
}

void FaceBrowser::ask(const QString& cursor) {
    if (m_keyspace.isEmpty() || m_base.isEmpty())
        return;
    m_load->setEnabled(false);
    m_more->setEnabled(false);
    ClusterClient::RawCall call;
    call.path = QStringLiteral("/v1/face/enrollments");
    call.query = {{QStringLiteral("keyspace"), m_keyspace}, {QStringLiteral("limit"), QString::number(kPageSize)}};
    if (!cursor.isEmpty())
        call.query.append({QStringLiteral("cursor"), cursor});
    m_context.client.call(m_base, call, this,
                          [this, keyspace = m_keyspace](CallResult<ClusterClient::RawAnswer> answer) {
                              m_load->setEnabled(true);
                              if (keyspace != m_keyspace)
                                  return;
                              if (answer)
                                  take(answer->body);
                              else
                                  m_note->setText(textOf(answer.error()));
                          });
}

void FaceBrowser::take(const QByteArray& body) {
    const QJsonObject reply = QJsonDocument::fromJson(body).object();
    for (const QJsonValue& entry : reply[QStringLiteral("enrollments")].toArray()) {
        const QString id = entry[QStringLiteral("face_id")].toString();
        auto* item =
            new QListWidgetItem(tr("%1    partition %2, %n photo(s)", "", entry[QStringLiteral("variations")].toInt())
                                    .arg(id)
                                    .arg(entry[QStringLiteral("partition")].toInt()),
                                m_list);
        item->setData(Qt::UserRole, id);
    }
    m_next = reply[QStringLiteral("next_cursor")].toString();
    m_more->setEnabled(!m_next.isEmpty());
    m_note->setText(m_list->count() == 0 ? tr("No faces.") : tr("%n face(s) listed", "", m_list->count()));
}

void FaceBrowser::retranslate() {
    m_title->setText(m_keyspace.isEmpty() ? tr("Faces") : tr("Faces of %1").arg(m_keyspace));
    m_load->setText(tr("List faces"));
    m_load->setAccessibleName(m_load->text());
    m_more->setText(tr("More"));
    m_more->setAccessibleName(tr("List more faces"));
    m_list->setAccessibleName(tr("Faces"));
    m_load->setEnabled(!m_keyspace.isEmpty());
    m_more->setEnabled(!m_next.isEmpty());
}

void FaceBrowser::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace fremis::console::ui

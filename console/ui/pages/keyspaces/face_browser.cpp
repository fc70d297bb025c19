#include "console/ui/pages/keyspaces/face_browser.h"

#include "console/client/csv.h"
#include "console/ui/shell/icons.h"
#include "console/ui/views/sparkline.h"
#include "console/ui/widgets/filter_line.h"
#include "console/ui/widgets/format.h"
#include "console/ui/widgets/save_file.h"

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
namespace {

constexpr int kPartitionRole = Qt::UserRole + 1;
constexpr int kPhotosRole = Qt::UserRole + 2;

} // namespace

FaceBrowser::FaceBrowser(const PageContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_calls(context.client), m_walk(m_calls), m_title(new QLabel(this)),
      m_load(new QToolButton(this)), m_more(new QToolButton(this)), m_export(new QToolButton(this)),
      m_measure(new QToolButton(this)), m_prefix(new FilterLine(this)), m_spreadNote(new QLabel(this)),
      m_spread(new Sparkline(context.theme, this)), m_list(new QListWidget(this)), m_note(new QLabel(this)) {
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
    m_export->setObjectName(QStringLiteral("keyspaces.faces.export"));
    m_measure->setObjectName(QStringLiteral("keyspaces.faces.measure"));
    m_prefix->setObjectName(QStringLiteral("keyspaces.faces.prefix"));
    m_spread->setObjectName(QStringLiteral("keyspaces.faces.spread"));
    m_prefix->setMaximumWidth(160);
    for (QToolButton* button : {m_load, m_more, m_export, m_measure}) {
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }
    m_load->setIcon(icon(QStringLiteral("search")));
    m_more->setIcon(icon(QStringLiteral("chevron-down")));
    head->addWidget(m_title);
    head->addStretch();
    m_export->setIcon(icon(QStringLiteral("export")));
    m_measure->setIcon(icon(QStringLiteral("metrics")));
    head->addWidget(m_note);
    head->addWidget(m_prefix);
    for (QToolButton* button : {m_load, m_more, m_export, m_measure})
        head->addWidget(button);
    layout->addLayout(head);
    auto* spread = new QHBoxLayout;
    spread->setContentsMargins(space::kLarge, 0, space::kMedium, space::kTiny);
    spread->setSpacing(space::kMedium);
    spread->addWidget(m_spread, 2);
    spread->addWidget(m_spreadNote, 1);
    layout->addLayout(spread);
    m_spreadNote->setTextFormat(Qt::PlainText);
    m_spreadNote->setWordWrap(true);
    m_spread->hide();
    m_spreadNote->hide();
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
    connect(m_prefix, &QLineEdit::textChanged, this, &FaceBrowser::applyPrefix);
    connect(m_export, &QToolButton::clicked, this,
            [this] { saveBytes(m_context, this, tr("Export faces"), QStringLiteral("faces.csv"), csv()); });
    connect(m_measure, &QToolButton::clicked, this, &FaceBrowser::measureSpread);
    connect(&m_walk, &SpreadWalk::progressed, this, [this] { showSpread({}); });
    connect(&m_walk, &SpreadWalk::finished, this, &FaceBrowser::showSpread);
    retranslate();
}

void FaceBrowser::setKeyspace(const QString& keyspace) {
    if (keyspace == m_keyspace)
        return;
    m_keyspace = keyspace;
    m_next.clear();
    m_list->clear();
    m_note->clear();
    m_walk.cancel();
    m_spread->hide();
    m_spreadNote->hide();
    retranslate();
}

QStringList FaceBrowser::shown() const {
    QStringList ids;
    for (int row = 0; row < m_list->count(); ++row)
        if (!m_list->item(row)->isHidden())
            ids.append(m_list->item(row)->data(Qt::UserRole).toString());
    return ids;
}

QByteArray FaceBrowser::csv() const {
    QList<QVariantList> rows;
    for (int row = 0; row < m_list->count(); ++row)
        if (const QListWidgetItem* item = m_list->item(row); !item->isHidden())
            rows.append({item->data(Qt::UserRole).toString(), item->data(kPartitionRole).toString(),
                         item->data(kPhotosRole).toString()});
    return csvText({tr("Faces of keyspace %1").arg(m_keyspace)},
                   {QStringLiteral("face_id"), QStringLiteral("partition"), QStringLiteral("photos")}, rows);
}

void FaceBrowser::applyPrefix() {
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem* item = m_list->item(row);
        item->setHidden(!item->data(Qt::UserRole).toString().startsWith(m_prefix->text()));
    }
}

void FaceBrowser::setFaceCount(std::optional<quint64> faces) {
    m_faces = faces;
    refreshButtons();
}

void FaceBrowser::measureSpread() {
    if (m_keyspace.isEmpty() || m_base.isEmpty())
        return;
    m_walk.start(m_base, m_keyspace);
    showSpread({});
}

void FaceBrowser::showSpread(const QString& problem) {
    m_spread->set(tr("Faces of %1 over the 256 partitions").arg(m_keyspace), m_walk.spread());
    m_spread->show();
    m_spreadNote->show();
    if (m_walk.isRunning())
        m_spreadNote->setText(tr("%1 faces counted so far...").arg(numberText(qint64(m_walk.spread().total))));
    else if (problem.isEmpty())
        m_spreadNote->setText(m_spread->description());
    else
        m_spreadNote->setText(tr("Not all faces were counted: %1").arg(problem));
    refreshButtons();
}

void FaceBrowser::refreshButtons() {
    const bool tooMany = m_faces.value_or(0) > SpreadWalk::kMost;
    m_measure->setEnabled(!m_keyspace.isEmpty() && !tooMany && !m_walk.isRunning());
    m_measure->setToolTip(tooMany ? tr("Offered up to %1 faces: they are counted by listing all of them.")
                                        .arg(numberText(qint64(SpreadWalk::kMost)))
                                  : tr("Counts the faces of each partition by listing all of them"));
    m_export->setEnabled(m_list->count() > 0);
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
        item->setData(kPartitionRole, entry[QStringLiteral("partition")].toInt());
        item->setData(kPhotosRole, entry[QStringLiteral("variations")].toInt());
    }
    applyPrefix();
    refreshButtons();
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
    m_export->setText(tr("Export"));
    m_export->setAccessibleName(tr("Export the listed faces"));
    m_measure->setText(tr("Spread"));
    m_measure->setAccessibleName(tr("Measure the spread of the keyspace"));
    m_prefix->setPlaceholderText(tr("Id begins with"));
    m_prefix->setAccessibleName(tr("Id begins with"));
    refreshButtons();
    m_load->setEnabled(!m_keyspace.isEmpty());
    m_more->setEnabled(!m_next.isEmpty());
}

void FaceBrowser::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace fremis::console::ui

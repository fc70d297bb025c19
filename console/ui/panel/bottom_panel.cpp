#include "console/ui/panel/bottom_panel.h"

#include "console/client/redaction.h"
#include "console/ui/shell/icons.h"
#include "console/ui/shell/status_strip.h"
#include "console/ui/widgets/data_table.h"
#include "console/ui/widgets/filter_line.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QScrollBar>
#include <QSettings>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

const QString kErrorsKey = QStringLiteral("panel/errors");
constexpr int kKeptErrors = 50;

fremis::console::Severity eventSeverity(Severity severity) {
    switch (severity) {
    case Severity::Ok:
        return fremis::console::Severity::Success;
    case Severity::Critical:
        return fremis::console::Severity::Critical;
    case Severity::Warning:
    case Severity::Unknown:
        return fremis::console::Severity::Warning;
    case Severity::Info:
        break;
    }
    return fremis::console::Severity::Info;
}

QToolButton* smallButton(const QString& name, const QString& iconName, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    if (!iconName.isEmpty())
        button->setIcon(icon(iconName));
    button->setAutoRaise(true);
    return button;
}

} // namespace

BottomPanel::BottomPanel(Session& session, const Theme& theme, StatusStrip& tabs, QWidget* parent)
    : QWidget(parent), m_session(session), m_theme(theme), m_tabs(tabs), m_activityModel(m_activity),
      m_events(session.events()), m_filter(new FilterLine(this)),
      m_utc(smallButton(QStringLiteral("panel.utc"), {}, this)),
      m_export(smallButton(QStringLiteral("panel.export"), QStringLiteral("export"), this)),
      m_follow(smallButton(QStringLiteral("panel.follow"), QStringLiteral("chevron-down"), this)),
      m_clear(smallButton(QStringLiteral("panel.clear"), QStringLiteral("trash"), this)),
      m_close(smallButton(QStringLiteral("panel.close"), QStringLiteral("close"), this)),
      m_stack(new QStackedWidget(this)) {
    setObjectName(QStringLiteral("panel"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    for (const auto* id : {"activity", "problems", "events", "log"})
        m_tabs.addTab(QLatin1String(id));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(space::kMedium, space::kTiny, space::kSmall, space::kTiny);
    m_filter->setObjectName(QStringLiteral("panel.filter"));
    m_filter->setMaximumWidth(320);
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    head->addWidget(m_filter, 1);
    head->addStretch(1);
    m_utc->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_utc->setCheckable(true);
    head->addWidget(m_utc);
    head->addWidget(m_export);
    head->addWidget(m_follow);
    head->addWidget(m_clear);
    head->addWidget(m_close);
    layout->addLayout(head);
    layout->addWidget(m_stack, 1);
    addTable(m_activityModel, QStringLiteral("panel.activity"));
    addTable(m_findings, QStringLiteral("panel.problems"));
    addTable(m_events, QStringLiteral("panel.events"));
    addTable(m_calls, QStringLiteral("panel.log"));
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) { currentTable().setFilter(text); });
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_clear, &QToolButton::clicked, this, [this] {
        m_tab == Log ? m_calls.clear() : m_activity.clear();
        if (m_tab == Activity) {
            m_errors = 0;
            keepErrors();
        }
        refreshTabs();
    });
    connect(m_export, &QToolButton::clicked, this, &BottomPanel::exportTable);
    connect(m_utc, &QToolButton::toggled, this, [this](bool utc) {
        m_activityModel.setUtc(utc);
        m_events.setUtc(utc);
        QSettings().setValue(QStringLiteral("panel/utc"), utc);
    });
    m_utc->setChecked(QSettings().value(QStringLiteral("panel/utc"), false).toBool());
    connect(m_tables[Problems], &DataTable::keyActivated, this, [this](const QString& key) {
        if (const Finding* finding = m_findings.find(key))
            Q_EMIT findingActivated(*finding);
    });
    for (const CallRecord& call : session.calls())
        m_calls.add(call);
    connect(&session, &Session::called, this, [this](const CallRecord& call) { m_calls.add(call); });
    connect(&tabs, &StatusStrip::tabClicked, this, [this](int tab) {
        if (isVisible() && tab == m_tab)
            hide();
        else
            openTab(Tab(tab));
        m_tabs.setCurrentTab(isVisible() ? int(m_tab) : -1);
    });
    restoreErrors();
    retranslate();
}

void BottomPanel::keepErrors() const {
    QJsonArray errors;
    for (const Event& event : m_activity.events())
        if (event.severity == fremis::console::Severity::Critical)
            errors.append(QJsonObject{{QStringLiteral("time"), double(event.time.count())},
                                      {QStringLiteral("subject"), event.subject},
                                      {QStringLiteral("text"), redacted(event.text)}});
    while (errors.size() > kKeptErrors)
        errors.removeFirst();
    QSettings().setValue(kErrorsKey, QJsonDocument(errors).toJson(QJsonDocument::Compact));
}

void BottomPanel::restoreErrors() {
    for (const QJsonValue& kept : QJsonDocument::fromJson(QSettings().value(kErrorsKey).toByteArray()).array()) {
        Event event;
        event.time = Instant(qint64(kept[QStringLiteral("time")].toDouble()));
        event.severity = fremis::console::Severity::Critical;
        event.subject = kept[QStringLiteral("subject")].toString();
        event.text = kept[QStringLiteral("text")].toString();
        m_activity.add(event);
        ++m_errors;
    }
}

void BottomPanel::exportTable() {
    const QStringList names = {QStringLiteral("activity.csv"), QStringLiteral("problems.csv"),
                               QStringLiteral("events.csv"), QStringLiteral("requests.csv")};
    Q_EMIT exportAsked(names[m_tab], currentTable().csv(currentTable().accessibleName()));
}

DataTable* BottomPanel::addTable(QAbstractItemModel& model, const QString& name) {
    auto* table = new DataTable(m_theme, model, name, this);
    m_stack->addWidget(table);
    m_tables.push_back(table);
    connect(&model, &QAbstractItemModel::rowsInserted, table, [this, table] {
        if (m_follow->isChecked() && table->isVisible() && table != m_tables[Problems])
            QMetaObject::invokeMethod(table, &DataTable::scrollToBottom, Qt::QueuedConnection);
    });
    return table;
}

DataTable& BottomPanel::currentTable() const {
    return *m_tables[std::size_t(m_tab)];
}

void BottomPanel::setSnapshot(const SnapshotPtr& snapshot) {
    m_tables[Problems]->setEmptyText(m_session.isOpen() ? tr("Nothing is wrong.") : tr("Connect to see this."));
    m_findings.setFindings(snapshot ? findingsOf(*snapshot) : std::vector<Finding>());
    refreshTabs();
}

void BottomPanel::addActivity(Severity severity, const QString& text, const QString& details) {
    const Event event = made(severity, details.isEmpty() ? text : text + QStringLiteral(" - ") + details);
    m_session.events().add(event);
    take(event);
}

void BottomPanel::addKnownActivity(Severity severity, const QString& text) {
    take(made(severity, text));
}

Event BottomPanel::made(Severity severity, const QString& text) const {
    Event event;
    event.time = m_session.now();
    event.severity = eventSeverity(severity);
    event.subject = tr("console");
    event.text = text;
    return event;
}

void BottomPanel::take(const Event& event) {
    m_activity.add(event);
    if (event.severity == fremis::console::Severity::Critical) {
        ++m_errors;
        keepErrors();
    }
    refreshTabs();
}

void BottomPanel::openTab(Tab tab) {
    m_tab = tab;
    m_stack->setCurrentIndex(tab);
    m_filter->setTarget(&currentTable());
    currentTable().setFilter(m_filter->text());
    m_follow->setVisible(tab != Problems);
    m_utc->setVisible(tab == Activity || tab == Events);
    m_clear->setVisible(tab == Log || tab == Activity);
    show();
    m_tabs.setCurrentTab(tab);
}

void BottomPanel::refreshTabs() {
    const auto& findings = m_findings.findings();
    const Severity worst = findings.empty() ? Severity::Info : findings.front().severity;
    m_tabs.setTab(Activity, tr("Activity"), m_errors, m_errors ? Severity::Critical : Severity::Info);
    m_tabs.setTab(Problems, tr("Problems"), qint64(findings.size()), worst);
    m_tabs.setTab(Events, tr("Events"), 0, Severity::Info);
    m_tabs.setTab(Log, tr("Log"), 0, Severity::Info);
}

void BottomPanel::retranslate() {
    m_filter->setPlaceholderText(tr("Filter, or /regular expression/"));
    m_filter->setAccessibleName(tr("Filter the list"));
    const auto name = [](QToolButton* button, const QString& text) {
        button->setToolTip(text);
        button->setAccessibleName(text);
    };
    m_utc->setText(QStringLiteral("UTC"));
    name(m_utc, tr("Times in UTC instead of local time"));
    name(m_export, tr("Export the list as CSV"));
    name(m_follow, tr("Follow the newest entry"));
    name(m_clear, tr("Clear the list"));
    name(m_close, tr("Close the panel"));
    const QStringList names = {tr("Activity"), tr("Problems"), tr("Events"), tr("Log of requests")};
    for (std::size_t i = 0; i < m_tables.size(); ++i)
        m_tables[i]->setAccessibleName(names[int(i)]);
    m_tables[Activity]->setEmptyText(tr("Nothing has been done yet."));
    m_tables[Problems]->setEmptyText(m_session.isOpen() ? tr("Nothing is wrong.") : tr("Connect to see this."));
    m_tables[Events]->setEmptyText(tr("Nothing has happened since the console was opened."));
    m_tables[Log]->setEmptyText(tr("No request yet."));
    m_activityModel.retranslate();
    m_events.retranslate();
    m_findings.retranslate();
    m_calls.retranslate();
    refreshTabs();
}

void BottomPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void BottomPanel::showEvent(QShowEvent*) {
    m_tabs.setCurrentTab(m_tab);
    Q_EMIT openChanged(true);
}

void BottomPanel::hideEvent(QHideEvent*) {
    m_tabs.setCurrentTab(-1);
    Q_EMIT openChanged(false);
}

} // namespace fremis::console::ui

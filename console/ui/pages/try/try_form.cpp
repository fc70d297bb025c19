#include "console/ui/pages/try/photo_view.h"
#include "console/ui/pages/try/timing_pane.h"
#include "console/ui/pages/try/try_page.h"
#include "console/ui/widgets/data_table.h"
#include "console/ui/widgets/info_banner.h"
#include "console/ui/widgets/property_list.h"
#include "console/ui/widgets/segmented.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

constexpr double kVerifyThreshold = 0.5; ///< where calibrated similarity means "the same person"

QPlainTextEdit* textPane(const QString& name) {
    auto* pane = new QPlainTextEdit;
    pane->setObjectName(name);
    pane->setReadOnly(true);
    pane->setFrameShape(QFrame::NoFrame);
    pane->setTabChangesFocus(true);
    pane->setLineWrapMode(QPlainTextEdit::NoWrap);
    QFont mono(QStringLiteral("monospace"));
    mono.setStyleHint(QFont::Monospace);
    pane->setFont(mono);
    return pane;
}

} // namespace

TryPage::TryPage(const PageContext& context, QWidget* parent)
    : Page(context, QStringLiteral("try"), parent), m_modes(new Segmented(context.theme)),
      m_memory{{}, QSettings().value(QStringLiteral("try/keepPhotos"), false).toBool()},
      m_photo(new PhotoView(context.theme)), m_other(new PhotoView(context.theme)),
      m_photoButton(new PhotoButton(context, *m_photo, m_memory, QStringLiteral("try.photo.menu"))),
      m_otherButton(new PhotoButton(context, *m_other, m_memory, QStringLiteral("try.other.menu"))),
      m_keyspace(new QComboBox), m_target(new QComboBox), m_faceId(new QLineEdit), m_threshold(new QDoubleSpinBox),
      m_partial(new QCheckBox), m_keyspaceLabel(new QLabel), m_targetLabel(new QLabel), m_faceLabel(new QLabel),
      m_thresholdLabel(new QLabel), m_forecast(new QLabel), m_send(new QPushButton), m_delete(new QPushButton),
      m_title(new QLabel), m_warning(new InfoBanner(context.theme)),
      m_table(new DataTable(context.theme, m_candidates, QStringLiteral("try.candidates"))),
      m_facts(new PropertyList(context.theme)), m_tabs(new QTabWidget),
      m_requestText(textPane(QStringLiteral("try.request"))), m_responseText(textPane(QStringLiteral("try.response"))),
      m_timing(new TimingPane(context, [this] { return probe(); })), m_curl(new QPushButton) {
    m_modes->setObjectName(QStringLiteral("try.mode"));
    for (const auto* id : {"recognise", "match", "enrol", "lookup"})
        m_modes->addChoice(QLatin1String(id));
    tools().addSpacing(space::kMedium);
    tools().addWidget(m_modes);
    tools().addStretch();
    context.actions.add({QStringLiteral("try.enrol"),
                         QT_TRANSLATE_NOOP("Actions", "&Enrol the photo"),
                         nullptr,
                         {},
                         {},
                         Menu::None,
                         Effect::Mutates},
                        [this] { send(); });
    context.actions.add({QStringLiteral("try.delete-face"),
                         QT_TRANSLATE_NOOP("Actions", "De&lete the face..."),
                         nullptr,
                         {},
                         {},
                         Menu::None,
                         Effect::Mutates},
                        [this] { removeFace(); });
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(buildInputs());
    splitter->addWidget(buildResults());
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    splitter->setChildrenCollapsible(false);
    setContent(splitter);
    connectParts();
    refreshForm();
}

QWidget* TryPage::buildInputs() {
    auto* holder = new QWidget;
    auto* grid = new QGridLayout(holder);
    grid->setContentsMargins(space::kLarge, space::kTiny, space::kMedium, space::kMedium);
    grid->setSpacing(space::kSmall);
    m_photo->setObjectName(QStringLiteral("try.photo"));
    m_other->setObjectName(QStringLiteral("try.other"));
    auto* photos = new QVBoxLayout;
    photos->setSpacing(space::kSmall);
    photos->addWidget(m_photo, 1);
    photos->addWidget(m_photoButton, 0, Qt::AlignLeft);
    photos->addWidget(m_other, 1);
    photos->addWidget(m_otherButton, 0, Qt::AlignLeft);
    grid->addLayout(photos, 0, 0, 1, 2);
    for (PhotoView* view : {m_photo, m_other})
        view->setMaximumHeight(300);
    m_keyspace->setObjectName(QStringLiteral("try.keyspace"));
    m_keyspace->setEditable(true);
    m_keyspace->setCurrentText(QStringLiteral("default"));
    m_target->setObjectName(QStringLiteral("try.target"));
    m_target->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_faceId->setObjectName(QStringLiteral("try.face"));
    m_faceId->setMaxLength(255);
    m_threshold->setObjectName(QStringLiteral("try.threshold"));
    m_threshold->setRange(0, 1);
    m_threshold->setSingleStep(0.05);
    m_threshold->setValue(kVerifyThreshold);
    int row = 2;
    for (const auto& [label, field] : {std::pair<QLabel*, QWidget*>{m_targetLabel, m_target},
                                       {m_keyspaceLabel, m_keyspace},
                                       {m_faceLabel, m_faceId},
                                       {m_thresholdLabel, m_threshold}}) {
        label->setBuddy(field);
        grid->addWidget(label, row, 0);
        grid->addWidget(field, row++, 1);
    }
    m_partial->setObjectName(QStringLiteral("try.partial"));
    grid->addWidget(m_partial, row++, 0, 1, 2);
    grid->setColumnStretch(1, 1);
    m_forecast->setTextFormat(Qt::PlainText);
    m_forecast->setWordWrap(true);
    m_forecast->setObjectName(QStringLiteral("try.forecast"));
    grid->addWidget(m_forecast, row++, 0, 1, 2);
    auto* buttons = new QHBoxLayout;
    m_send->setObjectName(QStringLiteral("try.send"));
    m_send->setDefault(true);
    m_delete->setObjectName(QStringLiteral("try.delete"));
    buttons->addWidget(m_send);
    buttons->addWidget(m_delete);
    buttons->addStretch();
    grid->addLayout(buttons, row, 0, 1, 2);
    grid->setRowStretch(row + 1, 1);
    return holder;
}

QWidget* TryPage::buildResults() {
    auto* holder = new QWidget;
    auto* layout = new QVBoxLayout(holder);
    layout->setContentsMargins(0, space::kTiny, 0, 0);
    layout->setSpacing(space::kSmall);
    m_title->setObjectName(QStringLiteral("try.title"));
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    m_title->setContentsMargins(space::kLarge, 0, space::kMedium, 0);
    QFont font = m_title->font();
    font.setPointSizeF(font.pointSizeF() * 1.2);
    font.setWeight(QFont::Medium);
    m_title->setFont(font);
    m_warning->setObjectName(QStringLiteral("try.warning"));
    layout->addWidget(m_title);
    layout->addWidget(m_warning);
    layout->addWidget(m_table, 2);
    auto* facts = new QHBoxLayout;
    facts->setContentsMargins(space::kLarge, 0, space::kMedium, 0);
    facts->addWidget(m_facts);
    layout->addLayout(facts);
    m_tabs->setObjectName(QStringLiteral("try.tabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_responseText, QString());
    m_tabs->addTab(m_requestText, QString());
    m_tabs->addTab(m_timing, QString());
    m_curl->setObjectName(QStringLiteral("try.curl"));
    m_curl->setFlat(true);
    m_tabs->setCornerWidget(m_curl);
    layout->addWidget(m_tabs, 3);
    return holder;
}

void TryPage::connectParts() {
    connect(m_modes, &Segmented::chosen, this, [this](int mode) { setMode(Mode(mode)); });
    const auto refuse = [this](const QString& why) { m_warning->show(Severity::Warning, why); };
    for (const auto& [view, button] : {std::pair{m_photo, m_photoButton}, {m_other, m_otherButton}}) {
        connect(view, &PhotoView::changed, this, &TryPage::refreshForm);
        connect(view, &PhotoView::openAsked, button, &PhotoButton::open);
        connect(view, &PhotoView::refused, this, refuse);
        connect(button, &PhotoButton::refused, this, refuse);
    }
    connect(m_partial, &QCheckBox::toggled, this, &TryPage::refreshForm);
    connect(m_faceId, &QLineEdit::textChanged, this, &TryPage::refreshForm);
    connect(m_keyspace, &QComboBox::currentTextChanged, this, &TryPage::refreshForm);
    connect(m_target, &QComboBox::currentIndexChanged, this, &TryPage::refreshForm);
    connect(m_threshold, &QDoubleSpinBox::valueChanged, this, &TryPage::showReply);
    connect(m_send, &QPushButton::clicked, this, &TryPage::send);
    connect(m_delete, &QPushButton::clicked, context().actions.find(QStringLiteral("try.delete-face")),
            &QAction::trigger);
    connect(m_curl, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(curl()); });
    connect(&context().actions, &ActionRegistry::lockChanged, this, &TryPage::refreshForm);
}

void TryPage::refreshForm() {
    m_photo->setVisible(m_mode != Mode::Lookup);
    m_photoButton->setVisible(m_mode != Mode::Lookup);
    m_other->setVisible(m_mode == Mode::Match);
    m_otherButton->setVisible(m_mode == Mode::Match);
    m_partial->setVisible(m_mode == Mode::Recognise);
    m_tabs->setTabVisible(m_tabs->indexOf(m_timing), m_mode == Mode::Recognise);
    const bool usesId = m_mode != Mode::Recognise;
    m_faceId->setVisible(usesId);
    m_faceLabel->setVisible(usesId);
    const bool usesThreshold = m_mode == Mode::Recognise || m_mode == Mode::Match;
    m_threshold->setVisible(usesThreshold);
    m_thresholdLabel->setVisible(usesThreshold);
    m_delete->setVisible(m_mode == Mode::Lookup);
    const QString why = whyNotSendable();
    m_send->setEnabled(why.isEmpty());
    m_send->setToolTip(why);
    const QAction* remove = context().actions.find(QStringLiteral("try.delete-face"));
    m_delete->setEnabled(remove->isEnabled() && !m_faceId->text().isEmpty());
    m_delete->setToolTip(remove->isEnabled() ? QString() : remove->toolTip());
    const QStringList verbs = {tr("Recognise"), tr("Compare"), tr("Enrol"), tr("Look up")};
    m_send->setText(verbs[int(m_mode)]);
    m_requestText->setPlainText(snapshot() ? shownRequest() : QString());
    m_timing->refresh();
    refreshForecast();
}

void TryPage::showSnapshot(const Snapshot& snapshot) {
    QList<std::pair<QString, QUrl>> targets{{tr("Coordinator"), QUrl()}};
    for (const NodeView& node : snapshot.nodes)
        targets.append({node.label(), node.url});
    if (m_target->count() != targets.size()) {
        m_target->clear();
        for (const auto& [name, url] : targets)
            m_target->addItem(name, url);
    }
    if (snapshot.keyspaces)
        for (const Keyspace& keyspace : snapshot.keyspaces->list)
            if (m_keyspace->findText(keyspace.name) < 0)
                m_keyspace->addItem(keyspace.name);
    refreshForecast();
    m_send->setEnabled(whyNotSendable().isEmpty());
    m_timing->setSnapshot(this->snapshot());
    m_timing->refresh();
}

void TryPage::showSelection(const Selection& selection) {
    if (!selection.keyspace.isEmpty())
        m_keyspace->setCurrentText(selection.keyspace);
}

void TryPage::hideEvent(QHideEvent* event) {
    // Photos are biometric data: they do not outlive the look at them, unless the operator wants it.
    if (!m_memory.keep) {
        m_photo->clear();
        m_other->clear();
        m_memory.forget();
    }
    m_timing->clear();
    Page::hideEvent(event);
}

QString TryPage::title() const {
    return m_title->text();
}

void TryPage::retranslate() {
    setTitle(tr("Try it"));
    m_modes->setText(0, tr("Recognise 1:N"));
    m_modes->setText(1, tr("Match 1:1"));
    m_modes->setText(2, tr("Enrol"));
    m_modes->setText(3, tr("Get or delete by id"));
    m_targetLabel->setText(tr("&Send to"));
    m_keyspaceLabel->setText(tr("&Keyspace"));
    m_faceLabel->setText(tr("&Face id"));
    m_thresholdLabel->setText(tr("&Threshold"));
    m_target->setAccessibleName(tr("Send to"));
    m_keyspace->setAccessibleName(tr("Keyspace"));
    m_keyspace->lineEdit()->setAccessibleName(tr("Keyspace"));
    m_faceId->setAccessibleName(tr("Face id"));
    m_threshold->setAccessibleName(tr("Threshold"));
    m_delete->setText(tr("Delete..."));
    m_tabs->setTabText(0, tr("Response"));
    m_tabs->setTabText(1, tr("Request"));
    m_tabs->setTabText(2, tr("Times"));
    m_timing->setAccessibleName(tr("Times"));
    m_partial->setText(tr("&Answer even if nodes are missing"));
    m_partial->setAccessibleName(tr("Answer even if nodes are missing"));
    m_photoButton->retranslate(tr("Photo"));
    m_otherButton->retranslate(tr("Second photo"));
    m_timing->retranslate();
    m_tabs->setAccessibleName(tr("Response, request and times"));
    m_tabs->tabBar()->setAccessibleName(m_tabs->accessibleName());
    m_responseText->setAccessibleName(tr("Response"));
    m_requestText->setAccessibleName(tr("Request"));
    m_curl->setText(tr("Copy as curl"));
    m_table->setAccessibleName(tr("Candidates"));
    m_table->setEmptyText(tr("Candidates appear here, best first."));
    m_candidates.retranslate();
    m_photo->retranslate();
    m_other->retranslate();
    refreshForm();
    showReply();
}

} // namespace fremis::console::ui

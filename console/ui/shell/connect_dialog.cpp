#include "console/ui/shell/connect_dialog.h"

#include "console/ui/shell/theme.h"
#include "console/ui/widgets/property_list.h"
#include "console/ui/widgets/scroll_pane.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

constexpr int kDefaultPort = 4005;
constexpr int kColours = 8;

QIcon colourIcon(int index) {
    QPixmap pixmap(16, 16);
    pixmap.fill(Theme::profileColor(index));
    return QIcon(pixmap);
}

QString nameOfStep(const CheckStep& step) {
    switch (step.kind) {
    case CheckStep::Kind::Name:
        return ConnectDialog::tr("Name %1").arg(step.subject);
    case CheckStep::Kind::Tcp:
        return ConnectDialog::tr("Connection");
    case CheckStep::Kind::Tls:
        return ConnectDialog::tr("Encryption");
    case CheckStep::Kind::Health:
        return ConnectDialog::tr("Health");
    case CheckStep::Kind::Auth:
        return ConnectDialog::tr("Access");
    case CheckStep::Kind::Worker:
        break;
    }
    return ConnectDialog::tr("Worker %1").arg(step.subject);
}

std::pair<QString, std::optional<Severity>> wordOfState(CheckStep::State state) {
    switch (state) {
    case CheckStep::State::Waiting:
        return {ConnectDialog::tr("waiting", "a step of a test"), std::nullopt};
    case CheckStep::State::Running:
        return {ConnectDialog::tr("trying...", "a step of a test"), Severity::Info};
    case CheckStep::State::Ok:
        return {QStringLiteral("✓ ") + ConnectDialog::tr("ok", "a step of a test"), Severity::Ok};
    case CheckStep::State::Warning:
        return {QStringLiteral("! ") + ConnectDialog::tr("look", "a step of a test that has a remark"),
                Severity::Warning};
    case CheckStep::State::Failed:
        return {QStringLiteral("✗ ") + ConnectDialog::tr("failed", "a step of a test"), Severity::Critical};
    case CheckStep::State::Skipped:
        break;
    }
    return {ConnectDialog::tr("skipped", "a step of a test"), Severity::Unknown};
}

} // namespace

std::optional<QList<QUrl>> parseCoordinators(const QString& text) {
    QList<QUrl> urls;
    for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QString trimmed = part.trimmed();
        QUrl url(trimmed.contains(QLatin1String("://")) ? trimmed : QStringLiteral("http://") + trimmed,
                 QUrl::StrictMode);
        const bool scheme = url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https");
        if (!url.isValid() || url.host().isEmpty() || !scheme || !url.userInfo().isEmpty() || url.path().size() > 1 ||
            url.hasQuery())
            return std::nullopt;
        if (url.port() < 0)
            url.setPort(kDefaultPort);
        url.setPath({});
        urls.append(url);
    }
    return urls.isEmpty() ? std::nullopt : std::optional(urls);
}

ConnectDialog::ConnectDialog(const Theme& theme, const Profile& proposed, bool keepsSecrets, QWidget* parent)
    : QDialog(parent), m_theme(theme), m_proposed(proposed), m_url(new QLineEdit(this)), m_name(new QLineEdit(this)),
      m_environment(new QComboBox(this)), m_colour(new QComboBox(this)), m_access(new QLineEdit(this)),
      m_secret(new QLineEdit(this)), m_problem(new QLabel(this)), m_test(new QPushButton(this)),
      m_trust(new QPushButton(this)), m_steps(new PropertyList(theme)), m_stepArea(new ScrollPane(m_steps, this)) {
    setObjectName(QStringLiteral("connect"));
    setWindowTitle(tr("Connect to a coordinator"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, space::kLarge, 20, space::kLarge);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(space::kMedium);
    form->setVerticalSpacing(space::kSmall);
    m_url->setObjectName(QStringLiteral("connect.url"));
    m_name->setObjectName(QStringLiteral("connect.name"));
    m_environment->setObjectName(QStringLiteral("connect.environment"));
    m_colour->setObjectName(QStringLiteral("connect.colour"));
    m_access->setObjectName(QStringLiteral("connect.access"));
    m_secret->setObjectName(QStringLiteral("connect.secret"));
    m_url->setPlaceholderText(QStringLiteral("http://127.0.0.1:4005"));
    m_url->setMinimumWidth(340);
    m_secret->setEchoMode(QLineEdit::Password);
    for (const auto environment : {Environment::Dev, Environment::Lab, Environment::Staging, Environment::Production})
        m_environment->addItem(wordOf(environment), int(environment));
    for (int colour = 0; colour < kColours; ++colour)
        m_colour->addItem(colourIcon(colour), tr("Colour %1").arg(colour + 1), colour);
    form->addRow(tr("&Coordinator"), m_url);
    form->addRow(tr("&Name"), m_name);
    form->addRow(tr("&Environment"), m_environment);
    form->addRow(tr("C&olour"), m_colour);
    form->addRow(tr("&Access key"), m_access);
    form->addRow(tr("&Secret key"), m_secret);
    layout->addLayout(form);
    auto* hint = new QLabel(keepsSecrets ? tr("Keys are only needed to change the cluster. They go to the keychain.")
                                         : tr("Keys are only needed to change the cluster. There is no keychain: they "
                                              "are kept for this session only."),
                            this);
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(hint);
    m_problem->setObjectName(QStringLiteral("connect.problem"));
    m_problem->setTextFormat(Qt::PlainText);
    setInk(*m_problem, theme.colors().critical);
    layout->addWidget(m_problem);
    m_steps->setObjectName(QStringLiteral("connect.steps"));
    m_stepArea->setMinimumHeight(withText(font(), 150));
    m_stepArea->hide();
    layout->addWidget(m_stepArea, 1);
    m_trust->setObjectName(QStringLiteral("connect.trust"));
    m_trust->setText(tr("Trust this certificate"));
    m_trust->hide();
    layout->addWidget(m_trust, 0, Qt::AlignLeft);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_test->setObjectName(QStringLiteral("connect.test"));
    m_test->setText(tr("&Test connection"));
    m_test->setAutoDefault(false);
    buttons->addButton(m_test, QDialogButtonBox::ActionRole);
    m_connect = buttons->addButton(tr("Connect"), QDialogButtonBox::AcceptRole);
    m_connect->setObjectName(QStringLiteral("connect.ok"));
    m_connect->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    QStringList urls;
    for (const QUrl& url : proposed.coordinators)
        urls.append(url.toString());
    m_url->setText(urls.join(QStringLiteral(", ")));
    m_name->setText(proposed.name);
    m_environment->setCurrentIndex(int(proposed.environment));
    m_colour->setCurrentIndex(proposed.colour);
    connect(m_test, &QPushButton::clicked, this, [this] { Q_EMIT testAsked(profile(), keys()); });
    connect(m_trust, &QPushButton::clicked, this, &ConnectDialog::trustCertificate);
    for (QLineEdit* line : {m_url, m_name, m_access, m_secret})
        connect(line, &QLineEdit::textChanged, this, &ConnectDialog::check);
    check();
}

QString ConnectDialog::problem() const {
    if (!m_url->text().trimmed().isEmpty() && !parseCoordinators(m_url->text()))
        return tr("An address looks like http://10.0.0.5:4005, without a path.");
    if (m_access->text().isEmpty() != m_secret->text().isEmpty())
        return tr("Both keys are needed, or none.");
    return {};
}

void ConnectDialog::check() {
    m_problem->setText(problem());
    const bool usable = problem().isEmpty() && !m_url->text().trimmed().isEmpty();
    m_connect->setEnabled(usable);
    m_test->setEnabled(usable && m_check);
}

void ConnectDialog::watch(ConnectionCheck& checked) {
    m_check = &checked;
    connect(m_check, &ConnectionCheck::changed, this, &ConnectDialog::showSteps);
    connect(this, &QDialog::finished, m_check, &ConnectionCheck::cancel);
    check();
}

void ConnectDialog::showSteps() {
    std::vector<Property> lines;
    bool isRefused = false;
    for (const CheckStep& step : m_check->steps()) {
        const auto [word, severity] = wordOfState(step.state);
        const QString text = step.text.isEmpty() ? word : word + QStringLiteral(": ") + step.text;
        lines.push_back({nameOfStep(step), text, severity});
        if (!step.fingerprint.isEmpty()) {
            isRefused = true;
            lines.push_back({tr("SHA-256"), QString::fromLatin1(step.fingerprint.toHex(':')), Severity::Warning});
        }
    }
    m_steps->set(lines);
    m_stepArea->show();
    m_trust->setVisible(isRefused);
    m_stepArea->verticalScrollBar()->setValue(m_stepArea->verticalScrollBar()->maximum());
}

/// The next test and the connection accept the one certificate that was refused, and no other.
void ConnectDialog::trustCertificate() {
    for (const CheckStep& step : m_check->steps())
        if (!step.fingerprint.isEmpty())
            m_proposed.fingerprint = step.fingerprint;
    m_trust->hide();
    Q_EMIT testAsked(profile(), keys());
}

Profile ConnectDialog::profile() const {
    Profile profile = m_proposed;
    profile.coordinators = parseCoordinators(m_url->text()).value_or(QList<QUrl>());
    profile.name = m_name->text().trimmed();
    if (profile.name.isEmpty() && !profile.coordinators.isEmpty())
        profile.name = profile.coordinators.front().authority();
    profile.environment = Environment(m_environment->currentData().toInt());
    profile.colour = m_colour->currentData().toInt();
    return profile;
}

KeyPair ConnectDialog::keys() const {
    return {m_access->text().trimmed(), m_secret->text().toUtf8()};
}

} // namespace fremis::console::ui

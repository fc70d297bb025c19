#include "console/ui/shell/connect_dialog.h"

#include "console/ui/shell/theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
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
    : QDialog(parent), m_proposed(proposed), m_url(new QLineEdit(this)), m_name(new QLineEdit(this)),
      m_environment(new QComboBox(this)), m_colour(new QComboBox(this)), m_access(new QLineEdit(this)),
      m_secret(new QLineEdit(this)), m_problem(new QLabel(this)) {
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
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
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
    m_connect->setEnabled(problem().isEmpty() && !m_url->text().trimmed().isEmpty());
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

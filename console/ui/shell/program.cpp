#include "console/ui/shell/program.h"

#include "console/client/connection_check.h"
#include "console/client/demo_transport.h"
#include "console/client/local_cluster.h"
#include "console/client/network_transport.h"
#include "console/ui/shell/chosen_secrets.h"
#include "console/ui/shell/chosen_transport.h"
#include "console/ui/shell/connect_dialog.h"
#include "console/ui/shell/icons.h"
#include "console/ui/shell/language.h"
#include "console/ui/shell/main_window.h"
#include "console/ui/shell/no_transport.h"
#include "console/ui/shell/options.h"
#include "console/ui/shell/screenshots.h"
#include "console/ui/shell/system_theme.h"
#include "console/ui/shell/version_text.h"

#include <QApplication>
#include <QFile>
#include <QSettings>
#include <QStandardPaths>

#include <cstdio>

namespace fremis::console::ui {
namespace {

constexpr int kUsage = 2;
constexpr qint64 kMaxFileBytes = 4 * 1024 * 1024; ///< of profiles and scenarios

void say(FILE* to, const QString& text) {
    std::fprintf(to, "%s\n", qPrintable(text));
}

/// Everything of a running program, in order of construction.
class Program final : public QObject {
public:
    explicit Program(const Options& options)
        : m_options(options), m_transport(m_network), m_session({m_transport, m_clock, m_secrets, m_profiles}),
          m_dialogs(m_theme) {}

    int start();

private:
    bool openAtStart();
    void openUrl(const QString& url);
    void openProfile(const Profile& profile, const std::optional<KeyPair>& keys);
    void openDemo();
    void startRealDemo();
    bool openSnapshot(const QString& path, QString* problem);
    void closeSnapshot();
    bool readScenarioFile();
    void askConnection();
    int importProfiles();
    int tour();

    const Options m_options;
    base::SystemClock m_clock;
    Theme m_theme;
    Language m_language;
    DemoScenario m_scenario = standardScenario();
    NetworkTransport m_network;
    NoTransport m_nobody;
    NetworkTransport m_probe; ///< of connection tests
    std::unique_ptr<DemoTransport> m_demo;
    std::unique_ptr<LocalCluster> m_local;
    ChosenTransport m_transport;
    KeychainStore m_keychain;
    SessionStore m_sessionSecrets;
    ChosenSecrets m_secrets{m_keychain, m_sessionSecrets};
    ProfileStore m_profiles{QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) +
                            QStringLiteral("/profiles.json")};
    Session m_session;
    WindowDialogs m_dialogs;
    ClusterClient m_probeClient{m_probe, m_clock};
    ConnectionCheck m_check{m_probeClient};
    std::function<void()> m_reopen; ///< what was open before a snapshot
    std::unique_ptr<MainWindow> m_window;
};

int Program::start() {
    if (const auto loaded = m_profiles.load(); !loaded)
        say(stderr, QString::fromStdString(loaded.error().message));
    if (!m_options.importProfiles.isEmpty())
        return importProfiles();
    if (!readScenarioFile())
        return 1;
    m_language.set(Language::choose(m_options.language));
    const QString theme = m_options.theme;
    m_theme.setMode(theme == QLatin1String("dark")    ? Theme::Mode::Dark
                    : theme == QLatin1String("light") ? Theme::Mode::Light
                    : theme == QLatin1String("system")
                        ? Theme::Mode::System
                        : Theme::Mode(QSettings().value(QStringLiteral("theme"), 0).toInt()));
    m_theme.install();
    SystemTheme systemTheme(m_theme);
    m_window = std::make_unique<MainWindow>(m_session, m_theme, m_dialogs);
    connect(m_window.get(), &MainWindow::languageChosen, this, [this](const QString& language) {
        QSettings().setValue(QStringLiteral("language"), language);
        m_language.set(language);
    });
    connect(m_window.get(), &MainWindow::keychainAsked, this, [this] {
        m_secrets.check(this, [this](const base::Status& works) {
            m_window->showSecretsKept(works.has_value(),
                                      works ? QString() : QString::fromStdString(works.error().message));
        });
    });
    connect(m_window.get(), &MainWindow::connectAsked, this, &Program::askConnection);
    connect(m_window.get(), &MainWindow::demoChosen, this, &Program::openDemo);
    connect(m_window.get(), &MainWindow::realDemoChosen, this, &Program::startRealDemo);
    connect(m_window.get(), &MainWindow::snapshotChosen, this, [this](const QString& file) {
        if (QString problem; !openSnapshot(file, &problem))
            m_window->notify(Severity::Critical, problem, {});
    });
    connect(m_window.get(), &MainWindow::snapshotClosed, this, &Program::closeSnapshot);
    connect(m_window.get(), &MainWindow::profileChosen, this, [this](const QString& id) {
        if (const auto profile = m_profiles.find(id))
            openProfile(*profile, std::nullopt);
    });
    const bool touring = m_options.selftest || !m_options.screenshotDir.isEmpty();
    if (!touring)
        m_window->restoreLayout();
    if (!m_options.page.isEmpty())
        m_window->openPage(m_options.page);
    m_window->show();
    if (touring)
        return tour();
    // The keychain is asked first: a profile's keys may rest there.
    m_secrets.check(this, [this](const base::Status& works) {
        m_window->showSecretsKept(works.has_value(), works ? QString() : QString::fromStdString(works.error().message));
        openAtStart();
    });
    return QApplication::exec();
}

/// False: what the command line names is not there.
bool Program::openAtStart() {
    if (!m_options.snapshot.isEmpty()) {
        QString problem;
        if (openSnapshot(m_options.snapshot, &problem))
            return true;
        say(stderr, problem);
        m_window->notify(Severity::Critical, problem, {});
        return false;
    }
    if (m_options.realDemo) {
        startRealDemo();
    } else if (m_options.demo) {
        openDemo();
    } else if (!m_options.url.isEmpty()) {
        openUrl(m_options.url);
    } else if (const auto named =
                   m_profiles.find(m_options.profile.isEmpty() ? m_profiles.lastUsed() : m_options.profile)) {
        openProfile(*named, std::nullopt);
    } else if (!m_options.profile.isEmpty()) {
        const QString problem = QStringLiteral("there is no profile \"%1\"").arg(m_options.profile);
        say(stderr, problem);
        m_window->notify(Severity::Critical, problem, {});
        return false;
    }
    return true;
}

bool Program::openSnapshot(const QString& path, QString* problem) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        *problem = QStringLiteral("%1: %2").arg(path, file.errorString());
        return false;
    }
    const auto recorded = readSnapshotFile(file.read(kMostSnapshotBytes + 1));
    if (!recorded) {
        *problem = QStringLiteral("%1: %2").arg(path, QString::fromStdString(recorded.error().message));
        return false;
    }
    const auto reopen = m_session.isOpen() ? m_reopen : std::function<void()>();
    m_session.close();
    m_transport.choose(m_nobody);
    m_session.openRecorded(*recorded);
    m_reopen = reopen;
    return true;
}

void Program::closeSnapshot() {
    const auto reopen = m_reopen;
    m_session.close();
    m_transport.choose(m_network);
    if (reopen)
        reopen();
}

void Program::openUrl(const QString& url) {
    const auto urls = parseCoordinators(url);
    if (!urls) {
        say(stderr, QStringLiteral("not an address: %1").arg(url));
        return;
    }
    Profile profile;
    profile.name = urls->front().authority();
    profile.coordinators = *urls;
    openProfile(profile, KeyPair());
}

void Program::openProfile(const Profile& profile, const std::optional<KeyPair>& keys) {
    m_session.close();
    m_transport.choose(m_network);
    QString problem;
    if (!m_network.setTrust({profile.caFile, profile.fingerprint}, &problem))
        say(stderr, problem);
    m_session.open(profile, keys);
    m_reopen = [this, profile, keys] { openProfile(profile, keys); };
    if (m_local && m_local->profile().id != profile.id)
        m_local.reset(); // another cluster is looked at now
    if (!profile.id.isEmpty() && m_profiles.find(profile.id))
        if (const auto noted = m_profiles.setLastUsed(profile.id); !noted)
            say(stderr, QString::fromStdString(noted.error().message));
}

void Program::openDemo() {
    m_session.close();
    m_local.reset();
    m_demo = std::make_unique<DemoTransport>(m_scenario, m_clock);
    m_transport.choose(*m_demo);
    m_session.open(m_demo->profile(), KeyPair());
    m_reopen = [this] { openDemo(); };
}

void Program::startRealDemo() {
    m_session.close();
    m_local.reset();
    const QString server = LocalCluster::findServer();
    const auto fail = [this](const QString& why) {
        say(stderr, why);
        m_window->notify(Severity::Critical, MainWindow::tr("The demo cluster does not run."), why);
    };
    if (server.isEmpty())
        return fail(MainWindow::tr("fremis_n_app is neither beside the console nor in PATH."));
    m_window->notify(Severity::Info, MainWindow::tr("Starting four servers on this computer..."), {});
    m_local = std::make_unique<LocalCluster>(server);
    connect(m_local.get(), &LocalCluster::ready, this,
            [this](const Profile& profile) { openProfile(profile, KeyPair()); });
    connect(m_local.get(), &LocalCluster::failed, this, fail);
    m_local->start();
}

bool Program::readScenarioFile() {
    if (m_options.scenario.isEmpty())
        return true;
    QFile file(m_options.scenario);
    if (!file.open(QIODevice::ReadOnly)) {
        say(stderr, QStringLiteral("%1: %2").arg(m_options.scenario, file.errorString()));
        return false;
    }
    auto scenario = readScenario(file.read(kMaxFileBytes));
    if (!scenario) {
        say(stderr, QString::fromStdString(scenario.error().message));
        return false;
    }
    m_scenario = std::move(*scenario);
    return true;
}

void Program::askConnection() {
    auto* dialog = new ConnectDialog(m_theme, Profile(), m_secrets.isPersistent(), m_window.get());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->watch(m_check);
    connect(dialog, &ConnectDialog::testAsked, this, [this](const Profile& profile, const KeyPair& keys) {
        QString problem;
        if (!m_probe.setTrust({profile.caFile, profile.fingerprint}, &problem))
            m_window->notify(Severity::Critical, problem, {});
        m_probeClient.setKeyPair(keys);
        m_check.start(profile);
    });
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        Profile profile = dialog->profile();
        const KeyPair keys = dialog->keys();
        const auto saved = m_profiles.save(profile);
        if (saved)
            profile.id = *saved;
        if (!keys.isEmpty())
            m_secrets.write(profile.id, keys, this, [](base::Status) {});
        openProfile(profile, keys);
    });
    dialog->open();
}

int Program::importProfiles() {
    QFile file(m_options.importProfiles);
    if (!file.open(QIODevice::ReadOnly)) {
        say(stderr, QStringLiteral("%1: %2").arg(m_options.importProfiles, file.errorString()));
        return 1;
    }
    const auto added = m_profiles.importJson(file.read(kMaxFileBytes));
    if (!added) {
        say(stderr, QString::fromStdString(added.error().message));
        return 1;
    }
    say(stdout, QStringLiteral("%1 profile(s) added").arg(added->size()));
    return 0;
}

int Program::tour() {
    const QString suffix = QStringLiteral("%1-%2").arg(
        m_language.current(), m_theme.isDark() ? QStringLiteral("dark") : QStringLiteral("light"));
    PageTour tour(*m_window, m_session, m_options.screenshotDir, suffix);
    bool complete = false;
    connect(&tour, &PageTour::finished, this, [&complete](bool all) {
        complete = all;
        QCoreApplication::exit(all ? 0 : 1);
    });
    if (m_options.url.isEmpty() && m_options.profile.isEmpty() && m_options.snapshot.isEmpty() && !m_options.realDemo)
        openDemo();
    else if (!openAtStart())
        return 1;
    const int code = QApplication::exec();
    say(complete ? stdout : stderr,
        complete ? QStringLiteral("selftest: all pages opened")
                 : QStringLiteral("selftest: the cluster did not answer, or a file could not be written"));
    return code;
}

} // namespace

int runConsole(int argc, char** argv) {
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments.append(QString::fromLocal8Bit(argv[i]));
    const Options options = parseOptions(arguments);
    if (!options.problem.isEmpty()) {
        say(stderr, options.problem);
        return kUsage;
    }
    if (options.help) {
        say(stdout, helpText());
        return 0;
    }
    if (options.version) {
        say(stdout, versionText());
        return 0;
    }
    int none = 1;
    QApplication::setHighDpiScaleFactorRoundingPolicy(Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
    QApplication application(none, argv);
    QApplication::setApplicationName(QStringLiteral("fremis-n-console"));
    QApplication::setOrganizationName(QStringLiteral("fremis-n"));
    QGuiApplication::setDesktopFileName(QStringLiteral("fremis-n-console"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/fremis-n-console.svg")));
    Program program(options);
    return program.start();
}

} // namespace fremis::console::ui

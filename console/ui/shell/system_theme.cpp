#include "console/ui/shell/system_theme.h"

#include "console/ui/shell/theme.h"

#ifdef Q_OS_WIN
#include <QSettings>
#else
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#endif

namespace fremis::console::ui {

#ifdef Q_OS_WIN

SystemTheme::SystemTheme(Theme& theme, QObject* parent) : QObject(parent), m_theme(theme) {
    ask();
}

void SystemTheme::ask() {
    const QSettings personalise(
        QStringLiteral("HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize"),
        QSettings::NativeFormat);
    m_theme.setSystemDark(personalise.value(QStringLiteral("AppsUseLightTheme"), 1).toInt() == 0);
}

void SystemTheme::onSettingChanged(const QString&, const QString&, const QDBusVariant&) {}
void SystemTheme::take(const QVariant&) {}

#else

namespace {

const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kNamespace = QStringLiteral("org.freedesktop.appearance");
const QString kKey = QStringLiteral("color-scheme");
constexpr uint kPrefersDark = 1;

} // namespace

SystemTheme::SystemTheme(Theme& theme, QObject* parent) : QObject(parent), m_theme(theme) {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                SLOT(onSettingChanged(QString, QString, QDBusVariant)));
    ask();
}

void SystemTheme::ask() {
    QDBusMessage call = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    call << kNamespace << kKey;
    auto* watcher = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        watcher->deleteLater();
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (reply.isValid())
            take(reply.value().variant());
    });
}

void SystemTheme::onSettingChanged(const QString& nameSpace, const QString& key, const QDBusVariant& value) {
    if (nameSpace == kNamespace && key == kKey)
        take(value.variant());
}

void SystemTheme::take(const QVariant& scheme) {
    const QVariant inner = scheme.canConvert<QDBusVariant>() ? scheme.value<QDBusVariant>().variant() : scheme;
    m_theme.setSystemDark(inner.toUInt() == kPrefersDark);
}

#endif

} // namespace fremis::console::ui

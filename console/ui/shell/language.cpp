#include "console/ui/shell/language.h"

#include <QApplication>
#include <QLocale>
#include <QSettings>

namespace fremis::console::ui {

Language::~Language() {
    QCoreApplication::removeTranslator(&m_qt);
    QCoreApplication::removeTranslator(&m_console);
}

void Language::set(const QString& language) {
    if (language == m_current)
        return;
    m_current = language;
    const bool indonesian = language == QLatin1String("id");
    QLocale::setDefault(indonesian ? QLocale(QLocale::Indonesian, QLocale::Indonesia)
                                   : QLocale(QLocale::English, QLocale::UnitedKingdom));
    QCoreApplication::removeTranslator(&m_qt);
    QCoreApplication::removeTranslator(&m_console);
    if (indonesian && m_qt.load(QStringLiteral(":/i18n/qtbase_id.qm")))
        QCoreApplication::installTranslator(&m_qt);
    if (m_console.load(QStringLiteral(":/i18n/console_%1.qm").arg(language)))
        QCoreApplication::installTranslator(&m_console);
}

QString Language::choose(const QString& wanted) {
    if (!wanted.isEmpty())
        return wanted;
    const QString saved = QSettings().value(QStringLiteral("language")).toString();
    if (saved == QLatin1String("en") || saved == QLatin1String("id"))
        return saved;
    return QLocale::system().language() == QLocale::Indonesian ? QStringLiteral("id") : QStringLiteral("en");
}

} // namespace fremis::console::ui

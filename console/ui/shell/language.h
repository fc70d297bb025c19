#pragma once

#include <QObject>
#include <QString>
#include <QTranslator>

namespace fremis::console::ui {

/// The language of all texts; a change reaches open windows as LanguageChange. Thread: GUI.
class Language final : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;
    ~Language() override;
    /// "en" or "id"; sets the default locale too.
    void set(const QString& language);
    [[nodiscard]] const QString& current() const { return m_current; }
    /// `wanted`, else the one set before, else the system's, if it is Indonesian.
    [[nodiscard]] static QString choose(const QString& wanted);

private:
    QString m_current;
    QTranslator m_console;
    QTranslator m_qt;
};

} // namespace fremis::console::ui

#pragma once

#include "console/ui/shell/theme.h"

#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

namespace fremis::console::ui {

/// A question about something that will be changed.
struct Confirmation {
    QString title;
    QString text;    ///< what happens, to what
    QString details; ///< consequences, plain text
    QString yes;     ///< the verb on the button
    Severity severity = Severity::Warning;
    QString environment; ///< "Production - Jakarta": heads every dialog that writes
    /// Not empty: the operator types or pastes it (case does not matter) before the button works.
    QString typed;
};

/// All modal questions of the console; none blocks. A test answers from a queue. Thread: GUI.
class Dialogs {
public:
    virtual ~Dialogs() = default;
    /// `done` once, true for yes; never from inside the call.
    virtual void confirm(QWidget* parent, const Confirmation& question, std::function<void(bool)> done) = 0;
    /// Empty when cancelled.
    virtual void openFile(QWidget* parent, const QString& title, const QString& filter,
                          std::function<void(QString)> done) = 0;
    virtual void saveFile(QWidget* parent, const QString& title, const QString& proposed, const QString& filter,
                          std::function<void(QString)> done) = 0;
    /// One line of text; nothing (a null string) when cancelled.
    virtual void askText(QWidget* parent, const QString& title, const QString& label, const QString& proposed,
                         std::function<void(QString)> done) = 0;
};

/// Windows over the main window.
class WindowDialogs final : public Dialogs {
public:
    explicit WindowDialogs(const Theme& theme) : m_theme(theme) {}
    void confirm(QWidget* parent, const Confirmation& question, std::function<void(bool)> done) override;
    void openFile(QWidget* parent, const QString& title, const QString& filter,
                  std::function<void(QString)> done) override;
    void saveFile(QWidget* parent, const QString& title, const QString& proposed, const QString& filter,
                  std::function<void(QString)> done) override;
    void askText(QWidget* parent, const QString& title, const QString& label, const QString& proposed,
                 std::function<void(QString)> done) override;

private:
    const Theme& m_theme;
};

} // namespace fremis::console::ui

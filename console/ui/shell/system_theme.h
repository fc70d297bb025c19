#pragma once

#include <QObject>

class QDBusVariant;

namespace fremis::console::ui {

class Theme;

/// Tells the theme what the desktop prefers: the portal's org.freedesktop.appearance color-scheme on Linux, the
/// registry's AppsUseLightTheme on Windows. Without either it stays light. Thread: GUI.
class SystemTheme final : public QObject {
    Q_OBJECT

public:
    explicit SystemTheme(Theme& theme, QObject* parent = nullptr);

private Q_SLOTS:
    void onSettingChanged(const QString& nameSpace, const QString& key, const QDBusVariant& value);

private:
    void ask();
    void take(const QVariant& scheme);

    Theme& m_theme;
};

} // namespace fremis::console::ui

#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace fremis::console::ui {

/// The command line.
struct Options {
    QString url;
    QString profile;
    bool demo = false;
    bool realDemo = false; ///< of real programs on this computer
    QString scenario;      ///< file; the demo cluster's story
    QString page;
    QString snapshot; ///< file; opened instead of a cluster
    QString language; ///< "en", "id"; empty: the one set before, else the system's
    QString theme;    ///< "light", "dark", "system"
    QString importProfiles;
    QString screenshotDir;
    bool selftest = false;
    bool version = false;
    bool help = false;
    QString problem; ///< not empty: cannot be run like that
};
[[nodiscard]] Options parseOptions(const QStringList& arguments);
[[nodiscard]] QString helpText();

} // namespace fremis::console::ui

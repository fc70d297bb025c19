#include "console/ui/shell/version_text.h"

#include <QtGlobal>

namespace fremis::console::ui {

QString versionText() {
    return QStringLiteral("FREMIS Console %1\nQt %2 (built with %3)\n%4\nGPL-3.0-only")
        .arg(QStringLiteral(FREMIS_VERSION), QLatin1String(qVersion()), QStringLiteral(QT_VERSION_STR),
             QStringLiteral(FREMIS_BUILD_TYPE));
}

} // namespace fremis::console::ui

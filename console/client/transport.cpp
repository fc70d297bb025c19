#include "console/client/transport.h"

namespace fremis::console {

QByteArray HttpReply::header(QByteArrayView name) const {
    for (const auto& [key, value] : headers)
        if (key.compare(name, Qt::CaseInsensitive) == 0)
            return value;
    return {};
}

} // namespace fremis::console

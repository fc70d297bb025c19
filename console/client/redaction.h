#pragma once

#include <QByteArray>
#include <QString>

namespace fremis::console {

/// The text without what nobody may read later: values of Authorization headers, keys and passwords, credentials in
/// addresses, and base64 of pictures ("<base64 84 kB>"). For logs, Details, exports and snapshots.
[[nodiscard]] QString redacted(const QString& text);

/// A JSON body, indented, with pictures and embeddings as "<base64 84 kB>" and "<512 numbers>", secrets as "<hidden>".
/// A body that is not JSON goes through redacted().
[[nodiscard]] QString redactedBody(const QByteArray& body);

} // namespace fremis::console

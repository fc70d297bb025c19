#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>
#include <QVariant>

namespace fremis::console {

/// A CSV text by RFC 4180 with LF line ends, in UTF-8: comment lines with "# ", a header, rows. Numbers in C locale,
/// unknown values empty. Text that a spreadsheet would take for a formula (it begins with = + - @, tab or CR) gets a
/// leading '.
[[nodiscard]] QByteArray csvText(const QStringList& comments, const QStringList& header,
                                 const QList<QVariantList>& rows);

} // namespace fremis::console

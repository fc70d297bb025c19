#include "console/ui/widgets/csv.h"

namespace fremis::console::ui {
namespace {

QString quoted(QString cell) {
    bool isNumber = false;
    cell.toDouble(&isNumber);
    if (!isNumber && !cell.isEmpty() && QStringLiteral("=+-@\t\r").contains(cell.front()))
        cell.prepend(QLatin1Char('\''));
    if (cell.contains(QLatin1Char(',')) || cell.contains(QLatin1Char('"')) || cell.contains(QLatin1Char('\n')) ||
        cell.contains(QLatin1Char('\r')))
        return QLatin1Char('"') + cell.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
    return cell;
}

} // namespace

CsvWriter::CsvWriter(const QString& comment) {
    QString line = comment;
    line.replace(QLatin1Char('\n'), QLatin1Char(' ')).replace(QLatin1Char('\r'), QLatin1Char(' '));
    m_bytes = "# " + line.toUtf8() + "\r\n";
}

void CsvWriter::row(const QStringList& cells) {
    QStringList line;
    for (const QString& cell : cells)
        line.append(quoted(cell));
    m_bytes += line.join(QLatin1Char(',')).toUtf8() + "\r\n";
}

} // namespace fremis::console::ui

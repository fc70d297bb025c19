#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace fremis::console::ui {

/// RFC 4180 with a first comment line. A cell that starts with = + - or @ and is not a number gets a leading ', so that
/// no spreadsheet takes it for a formula.
class CsvWriter {
public:
    explicit CsvWriter(const QString& comment);
    void row(const QStringList& cells);
    [[nodiscard]] const QByteArray& bytes() const { return m_bytes; }

private:
    QByteArray m_bytes;
};

} // namespace fremis::console::ui

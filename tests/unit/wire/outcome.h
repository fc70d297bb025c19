#pragma once

#include "shared/base/error.h"

#include <QByteArray>
#include <QtTest>

namespace fremis::test {

/// The token of a failure, or "ok": what the tables of these tests compare.
template<class T> QByteArray outcome(const base::Result<T>& result) {
    if (result)
        return "ok";
    const auto token = result.error().token();
    return {token.data(), static_cast<qsizetype>(token.size())};
}

inline std::string_view view(const QByteArray& bytes) {
    return {bytes.data(), static_cast<std::size_t>(bytes.size())};
}

/// Columns and rows of a table from a JSON value to an outcome().
inline void addRows() {
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("expected");
}
inline void row(const char* name, const QByteArray& value, const char* expected) {
    QTest::newRow(name) << value << QByteArray(expected);
}

} // namespace fremis::test

#include "console/client/csv.h"

#include <QLocale>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

QString quoted(const QString& text) {
    QString safe = text;
    if (!safe.isEmpty() && u"=+-@\t\r"_s.contains(safe.front()))
        safe.prepend(u'\'');
    const bool needsQuotes = safe.contains(u',') || safe.contains(u'"') || safe.contains(u'\n') ||
                             safe.contains(u'\r') || safe.startsWith(u'#');
    return needsQuotes ? u'"' + safe.replace(u'"', u"\"\""_s) + u'"' : safe;
}

QString fieldOf(const QVariant& value) {
    switch (value.typeId()) {
    case QMetaType::UnknownType:
        return {};
    case QMetaType::Double:
    case QMetaType::Float:
        return QLocale::c().toString(value.toDouble(), 'g', QLocale::FloatingPointShortest);
    case QMetaType::Bool:
        return value.toBool() ? u"true"_s : u"false"_s;
    case QMetaType::Int:
    case QMetaType::UInt:
    case QMetaType::LongLong:
    case QMetaType::ULongLong:
        return value.toString();
    default:
        return quoted(value.toString());
    }
}

} // namespace

QByteArray csvText(const QStringList& comments, const QStringList& header, const QList<QVariantList>& rows) {
    QString text;
    for (const auto& comment : comments)
        text += u"# "_s + QString(comment).replace(u'\n', u' ').replace(u'\r', u' ') + u'\n';
    QStringList fields;
    for (const auto& name : header)
        fields.append(quoted(name));
    text += fields.join(u',') + u'\n';
    for (const auto& row : rows) {
        fields.clear();
        for (const auto& value : row)
            fields.append(fieldOf(value));
        text += fields.join(u',') + u'\n';
    }
    return text.toUtf8();
}

} // namespace fremis::console

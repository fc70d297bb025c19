#include "console/client/json_reader.h"

#include <QDateTime>

#include <cmath>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

constexpr double kMostExact = 9'007'199'254'740'992.0; // 2^53

} // namespace

void JsonReader::fail(QLatin1StringView key, const QString& what) const {
    if (!*m_problem)
        *m_problem = u"the member "_s + key + u" "_s + what;
}

std::optional<QJsonValue> JsonReader::find(QLatin1StringView key) const {
    const auto found = m_object.constFind(key);
    if (found == m_object.constEnd() || found->isNull())
        return std::nullopt;
    return *found;
}

bool JsonReader::has(QLatin1StringView key) const {
    return find(key).has_value();
}

QString JsonReader::text(QLatin1StringView key) const {
    const auto value = find(key);
    if (value && !value->isString())
        fail(key, u"is not a text"_s);
    return value ? value->toString() : QString();
}

std::optional<double> JsonReader::number(QLatin1StringView key) const {
    const auto value = find(key);
    if (!value)
        return std::nullopt;
    if (!value->isDouble()) {
        fail(key, u"is not a number"_s);
        return std::nullopt;
    }
    return value->toDouble();
}

std::optional<qint64> JsonReader::integer(QLatin1StringView key) const {
    const auto value = number(key);
    if (!value)
        return std::nullopt;
    if (*value != std::floor(*value) || std::abs(*value) > kMostExact) {
        fail(key, u"is not a whole number"_s);
        return std::nullopt;
    }
    return static_cast<qint64>(*value);
}

std::optional<quint64> JsonReader::count(QLatin1StringView key) const {
    const auto value = integer(key);
    if (!value)
        return std::nullopt;
    if (*value < 0) {
        fail(key, u"is negative"_s);
        return std::nullopt;
    }
    return static_cast<quint64>(*value);
}

std::optional<bool> JsonReader::truth(QLatin1StringView key) const {
    const auto value = find(key);
    if (!value)
        return std::nullopt;
    if (!value->isBool())
        fail(key, u"is neither true nor false"_s);
    return value->toBool();
}

std::optional<Instant> JsonReader::time(QLatin1StringView key) const {
    const auto written = text(key);
    if (written.isEmpty())
        return std::nullopt;
    const auto time = QDateTime::fromString(written, Qt::ISODateWithMs);
    if (!time.isValid()) {
        fail(key, u"is not a time"_s);
        return std::nullopt;
    }
    return Instant(time.toMSecsSinceEpoch());
}

QJsonArray JsonReader::array(QLatin1StringView key) const {
    const auto value = find(key);
    if (value && !value->isArray())
        fail(key, u"is not a list"_s);
    return value ? value->toArray() : QJsonArray();
}

QStringList JsonReader::texts(QLatin1StringView key) const {
    QStringList list;
    for (const auto& value : array(key)) {
        if (!value.isString())
            fail(key, u"holds something that is not a text"_s);
        list.append(value.toString());
    }
    return list;
}

JsonReader JsonReader::object(QLatin1StringView key) const {
    const auto value = find(key);
    if (value && !value->isObject())
        fail(key, u"is not an object"_s);
    return JsonReader(value ? value->toObject() : QJsonObject(), m_problem);
}

QList<JsonReader> JsonReader::objects(QLatin1StringView key) const {
    QList<JsonReader> list;
    for (const auto& value : array(key)) {
        if (!value.isObject())
            fail(key, u"holds something that is not an object"_s);
        list.append(JsonReader(value.toObject(), m_problem));
    }
    return list;
}

std::optional<hashing::PartitionSet> JsonReader::ranges(QLatin1StringView key) const {
    if (!has(key))
        return std::nullopt;
    hashing::PartitionSet set;
    for (const auto& range : objects(key)) {
        const auto first = range.integer("start"_L1).value_or(-1);
        const auto last = range.integer("end"_L1).value_or(-1);
        if (first < 0 || last < first || last >= base::kPartitionCount) {
            fail(key, u"holds a range outside 0..255"_s);
            continue;
        }
        set.insert({static_cast<base::Partition>(first), static_cast<base::Partition>(last)});
    }
    return set;
}

} // namespace fremis::console

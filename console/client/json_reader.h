#pragma once

#include "console/client/known.h"
#include "shared/base/error.h"
#include "shared/hashing/partition_set.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <optional>

/// How the replies of cluster and file formats are read: a member that is absent or null is nothing; one of the wrong
/// type is the first error, and whoever asked gets nothing. Not for ids, which QJson keeps as text only where they are
/// text.
namespace fremis::console {

class JsonReader {
public:
    explicit JsonReader(QJsonObject object, std::optional<QString>* problem)
        : m_object(std::move(object)), m_problem(problem) {}

    [[nodiscard]] bool has(QLatin1StringView key) const;
    [[nodiscard]] QString text(QLatin1StringView key) const; ///< empty when absent
    [[nodiscard]] std::optional<double> number(QLatin1StringView key) const;
    [[nodiscard]] std::optional<quint64> count(QLatin1StringView key) const; ///< a whole number from 0 to 2^53
    [[nodiscard]] std::optional<qint64> integer(QLatin1StringView key) const;
    [[nodiscard]] std::optional<bool> truth(QLatin1StringView key) const;
    [[nodiscard]] std::optional<Instant> time(QLatin1StringView key) const; ///< RFC 3339
    [[nodiscard]] QStringList texts(QLatin1StringView key) const;
    [[nodiscard]] JsonReader object(QLatin1StringView key) const; ///< empty when absent
    [[nodiscard]] QList<JsonReader> objects(QLatin1StringView key) const;
    /// [{"start":0,"end":84},…]
    [[nodiscard]] std::optional<hashing::PartitionSet> ranges(QLatin1StringView key) const;
    [[nodiscard]] const QJsonObject& json() const { return m_object; }

    void fail(QLatin1StringView key, const QString& what) const;

private:
    [[nodiscard]] std::optional<QJsonValue> find(QLatin1StringView key) const;
    [[nodiscard]] QJsonArray array(QLatin1StringView key) const;
    QJsonObject m_object;
    std::optional<QString>* m_problem;
};

/// Lets `read(const JsonReader&)` make a value of the object in `body`. Fails with `reason`.
template<class Read>
[[nodiscard]] auto readJson(const QByteArray& body, Read read, base::Reason reason = base::Reason::CorruptData)
    -> base::Result<std::invoke_result_t<Read, const JsonReader&>> {
    QJsonParseError error;
    const auto document = QJsonDocument::fromJson(body, &error);
    if (!document.isObject())
        return base::fail(reason, error.error == QJsonParseError::NoError
                                      ? "not a JSON object"
                                      : "not JSON: " + error.errorString().toStdString());
    std::optional<QString> problem;
    auto value = read(JsonReader(document.object(), &problem));
    if (problem)
        return base::fail(reason, problem->toStdString());
    return value;
}

} // namespace fremis::console

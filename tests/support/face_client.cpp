#include "tests/support/face_client.h"

#include "tests/support/photos.h"

#include <QJsonDocument>
#include <QUrl>

namespace fremis::test {

namespace {

QString encoded(const QString& text) {
    return QString::fromLatin1(QUrl::toPercentEncoding(text));
}

QJsonArray jsonArray(const QStringList& texts) {
    return QJsonArray::fromStringList(texts);
}

} // namespace

QString photoBase64(const char* name) {
    const auto file = photo(name);
    if (!file)
        return {};
    const auto bytes = readBytes(*file);
    const auto size = static_cast<qsizetype>(bytes.size());
    return QString::fromLatin1(QByteArray(reinterpret_cast<const char*>(bytes.data()), size).toBase64());
}

QJsonArray Answer::candidates() const {
    const auto result = body.value(QStringLiteral("result")).toObject();
    return result.value(QStringLiteral("face_recognition")).toObject().value(QStringLiteral("candidates")).toArray();
}

QByteArray Answer::shown() const {
    return QByteArray::number(status) + ' ' + QJsonDocument(body).toJson(QJsonDocument::Compact).left(2000);
}

Answer FaceClient::checked(const char* path, const base::Result<HttpResponse>& response,
                           std::chrono::steady_clock::time_point start) {
    Answer answer;
    answer.took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
    if (!response) {
        answer.sent = response.error().reason != base::Reason::NotReady;
        const auto text = QString::fromStdString(response.error().message + " " + response.error().detail);
        answer.body.insert(QStringLiteral("transport"), text);
        if (!m_expectsOutages)
            m_violations << QString::fromUtf8(path) + QStringLiteral(": ") + text;
        return answer;
    }
    answer.status = response->status;
    answer.body = response->json();
    checkRules(QString::fromUtf8(path), *response, answer.body);
    return answer;
}

void FaceClient::checkRules(const QString& path, const HttpResponse& response, const QJsonObject& body) {
    const auto complain = [&](const QString& what) {
        m_violations << QStringLiteral("%1, status %2: %3").arg(path).arg(response.status).arg(what);
    };
    if (body.isEmpty())
        complain(QStringLiteral("the body is not a JSON object: ") +
                 QString::fromStdString(response.body.substr(0, 200)));
    if (response.header("x-request-id").empty())
        complain(QStringLiteral("no X-Request-Id"));
    if (response.status == 200) {
        if (body.contains(QStringLiteral("description")))
            complain(QStringLiteral("a success has a description"));
        return;
    }
    for (const char* member : {"code", "message", "description", "error", "request_id"})
        if (body.value(QString::fromUtf8(member)).toString().isEmpty())
            complain(QString::fromUtf8(member) + QStringLiteral(" is not a non-empty string"));
    if (body.value(QStringLiteral("code")).toString() != QString::number(response.status))
        complain(QStringLiteral("code differs from the status"));
    if (response.status == 503 && response.header("retry-after").empty())
        complain(QStringLiteral("no Retry-After"));
}

Answer FaceClient::post(const char* path, const QJsonObject& body) {
    const auto start = std::chrono::steady_clock::now();
    return checked(path, m_http.post(path, body), start);
}

Answer FaceClient::postText(const char* path, std::string_view body, const HttpHeaders& headers) {
    const auto start = std::chrono::steady_clock::now();
    return checked(path, m_http.send("POST", path, body, headers), start);
}

Answer FaceClient::get(const QString& target, const HttpHeaders& headers) {
    const auto start = std::chrono::steady_clock::now();
    const auto bytes = target.toUtf8();
    return checked(bytes.constData(), m_http.send("GET", bytes.constData(), {}, headers), start);
}

Answer FaceClient::enrol(const QString& image, const QString& keyspace, const QString& faceId) {
    QJsonObject body{{QStringLiteral("image"), image}, {QStringLiteral("keyspace"), keyspace}};
    if (!faceId.isNull())
        body.insert(QStringLiteral("additional_params"), QJsonObject{{QStringLiteral("face_id"), faceId}});
    return post("/v1/face/enrollment", body);
}

Answer FaceClient::recognise(const QString& image, const QString& keyspace, const QJsonObject& additionalParams) {
    QJsonObject body{{QStringLiteral("image"), image}, {QStringLiteral("keyspace"), keyspace}};
    if (!additionalParams.isEmpty())
        body.insert(QStringLiteral("additional_params"), additionalParams);
    return post("/v1/face/recognition", body);
}

Answer FaceClient::match(const QString& imageA, const QString& imageB) {
    const auto content = [](const QString& image) { return QJsonObject{{QStringLiteral("content"), image}}; };
    return post("/v1/face/match",
                {{QStringLiteral("image_a"), content(imageA)}, {QStringLiteral("image_b"), content(imageB)}});
}

Answer FaceClient::removeFaces(const QStringList& faceIds, const QString& keyspace) {
    return post("/v1/face/delete-enrollment",
                {{QStringLiteral("keyspace"), keyspace}, {QStringLiteral("face_ids"), jsonArray(faceIds)}});
}

Answer FaceClient::removeVariations(const QString& faceId, const QStringList& variations, const QString& keyspace) {
    return post("/v1/face/delete-enrollment-variation", {{QStringLiteral("keyspace"), keyspace},
                                                         {QStringLiteral("face_id"), faceId},
                                                         {QStringLiteral("variations"), jsonArray(variations)}});
}

Answer FaceClient::face(const QString& faceId, const QString& keyspace) {
    return get(QStringLiteral("/v1/face/enrollment?keyspace=%1&face_id=%2").arg(encoded(keyspace), encoded(faceId)));
}

Answer FaceClient::createKeyspace(const QString& keyspace) {
    return post("/v1/face/keyspace", {{QStringLiteral("keyspace"), keyspace}});
}

} // namespace fremis::test

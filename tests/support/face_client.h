#pragma once

#include "tests/support/http_client.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <chrono>

namespace fremis::test {

/// The base64 text of a fetched photo, as clients send it; empty when the photo is not there.
[[nodiscard]] QString photoBase64(const char* name);

/// What a client sees of one call.
struct Answer {
    int status = 0; ///< 0: no answer; then `body` holds what failed
    bool sent = true;
    QJsonObject body;
    std::chrono::milliseconds took{0};

    [[nodiscard]] QString text(const char* member) const { return body.value(QString::fromUtf8(member)).toString(); }
    [[nodiscard]] QJsonArray array(const char* member) const { return body.value(QString::fromUtf8(member)).toArray(); }
    [[nodiscard]] QString error() const { return text("error"); }
    /// The candidates of a recognition.
    [[nodiscard]] QJsonArray candidates() const;
    /// For failure messages: status and body.
    [[nodiscard]] QByteArray shown() const;
};

/// A client of the face API. It checks each answer against what every client relies on: a JSON object; no member
/// "description" when the status is 200; else the five texts of an error with the status as "code", and Retry-After
/// with a 503; a request id. Thread: one.
class FaceClient {
public:
    explicit FaceClient(int port) : m_http("127.0.0.1", port) {}

    Answer post(const char* path, const QJsonObject& body);
    Answer postText(const char* path, std::string_view body, const HttpHeaders& headers = {});
    Answer get(const QString& target, const HttpHeaders& headers = {});

    Answer enrol(const QString& image, const QString& keyspace, const QString& faceId = {});
    Answer recognise(const QString& image, const QString& keyspace, const QJsonObject& additionalParams = {});
    Answer match(const QString& imageA, const QString& imageB);
    Answer removeFaces(const QStringList& faceIds, const QString& keyspace);
    Answer removeVariations(const QString& faceId, const QStringList& variations, const QString& keyspace);
    Answer face(const QString& faceId, const QString& keyspace);
    Answer createKeyspace(const QString& keyspace);

    /// What answers so far broke of the common rules; empty when all kept them.
    [[nodiscard]] QStringList violations() const { return m_violations; }
    /// The server may be killed under it: no answer breaks no rule, and no request is repeated.
    void expectOutages() {
        m_expectsOutages = true;
        m_http.setNeverRepeats();
    }
    [[nodiscard]] HttpClient& http() { return m_http; }

private:
    Answer checked(const char* path, const base::Result<HttpResponse>& response,
                   std::chrono::steady_clock::time_point start);
    void checkRules(const QString& path, const HttpResponse& response, const QJsonObject& body);

    HttpClient m_http;
    bool m_expectsOutages = false;
    QStringList m_violations;
};

} // namespace fremis::test

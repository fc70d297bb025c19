#pragma once

#include "shared/base/error.h"

#include <QJsonObject>

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fremis::test {

struct HttpResponse {
    int status = 0;
    std::vector<std::pair<std::string, std::string>> headers; ///< names in lower case, in order of arrival
    std::string body;

    /// The first value of `name` (lower case), empty when there is none.
    [[nodiscard]] std::string header(std::string_view name) const;
    /// The body as a JSON object; empty when it is not one.
    [[nodiscard]] QJsonObject json() const;
};

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

/// A blocking HTTP/1.1 client with one kept connection, as simple as the clients in the field. A request that finds the
/// kept connection closed before any byte of an answer goes once more over a new one. Thread: any; calls wait for each
/// other.
class HttpClient {
public:
    HttpClient(std::string host, int port);
    ~HttpClient();
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;

    /// Fails with Reason::RequestTimeout after the deadline, Reason::NotReady when nobody listens, so that nothing was
    /// sent, else Reason::Internal.
    [[nodiscard]] base::Result<HttpResponse> send(std::string_view method, std::string_view target,
                                                  std::string_view body = {}, const HttpHeaders& headers = {});
    [[nodiscard]] base::Result<HttpResponse> get(std::string_view target);
    /// Sends `body` as application/json.
    [[nodiscard]] base::Result<HttpResponse> post(std::string_view target, const QJsonObject& body);

    void setDeadline(std::chrono::milliseconds perRequest) { m_deadline = perRequest; }
    /// From now on each request goes once: one that found the kept connection closed has failed, as nobody knows how
    /// far it came.
    void setNeverRepeats() { m_repeats = false; }
    void close();
    /// How many connections the requests so far needed.
    [[nodiscard]] int connectionsOpened() const;

private:
    class Exchange;
    [[nodiscard]] base::Status connect();

    const std::string m_host;
    const int m_port;
    std::chrono::milliseconds m_deadline{30000};
    bool m_repeats = true;
    mutable std::mutex m_mutex;
    int m_socket = -1;
    int m_opened = 0;
};

} // namespace fremis::test

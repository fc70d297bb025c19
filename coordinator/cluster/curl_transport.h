#pragma once

#include "coordinator/cluster/environment.h"
#include "coordinator/cluster/transport.h"

#include <QObject>
#include <QTimer>

#include <curl/curl.h>

#include <map>
#include <memory>
#include <unordered_map>

class QSocketNotifier;

namespace fremis::coordinator {

/// The pair that signs calls; both empty: calls go unsigned.
struct KeyPair {
    std::string accessKey;
    std::string secretKey;
};

/// HTTP/1.1 by libcurl on the Qt event loop of the thread that constructs it: keep-alive connections, no proxies, no
/// redirects, answers up to kMaxAnswer bytes.
class CurlTransport final : public QObject, public Transport {
public:
    static constexpr std::size_t kMaxAnswer = 64 * 1024 * 1024;

    CurlTransport(const base::Clock& clock, KeyPair keys);
    ~CurlTransport() override;

    CallId send(Call call, std::function<void(CallResult)> done) override;
    void cancel(CallId call) override;

private:
    struct Transfer;
    struct EndMulti {
        void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
    };

    static int onSocket(CURL* easy, curl_socket_t socket, int what, void* self, void* notifiers);
    static int onTimer(CURLM* multi, long milliseconds, void* self);
    void watch(curl_socket_t socket, int what);
    void act(curl_socket_t socket, int events);
    void finishEnded();
    void setUp(Transfer& transfer);
    [[nodiscard]] std::string authorization(const Call& call) const;

    const base::Clock& m_clock;
    const KeyPair m_keys;
    std::unique_ptr<CURLM, EndMulti> m_multi;
    QTimer m_timer;
    struct Watch {
        std::unique_ptr<QSocketNotifier> read;
        std::unique_ptr<QSocketNotifier> write;
    };
    std::map<curl_socket_t, Watch> m_watches;
    std::unordered_map<CallId, std::unique_ptr<Transfer>> m_transfers;
    CallId m_last = 0;
};

} // namespace fremis::coordinator

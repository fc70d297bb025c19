#pragma once

#include "coordinator/cluster/environment.h"
#include "coordinator/cluster/transport.h"

#include <QObject>
#include <QTimer>

#include <curl/curl.h>

#include <memory>
#include <unordered_map>
#include <vector>

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
    struct EndEasy {
        void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
    };
    using Easy = std::unique_ptr<CURL, EndEasy>;

    static int onSocket(CURL* easy, curl_socket_t socket, int what, void* self, void* watched);
    static int onTimer(CURLM* multi, long milliseconds, void* self);
    void onReady();
    void onTime();
    void finishEnded();
    void keepHandle(Easy easy);
    void setUp(Transfer& transfer);
    [[nodiscard]] std::string authorization(const Call& call) const;

    const base::Clock& m_clock;
    const KeyPair m_keys;
    const int m_poll; ///< an epoll descriptor with all sockets that libcurl waits for
    std::unique_ptr<QSocketNotifier> m_notifier;
    std::unique_ptr<CURLM, EndMulti> m_multi;
    QTimer m_timer;              ///< as libcurl sets it
    QTimer m_ended;              ///< of 0 ms: a call ended while it was sent
    std::vector<Easy> m_handles; ///< for the next calls
    std::unordered_map<CallId, std::unique_ptr<Transfer>> m_transfers;
    CallId m_last = 0;
};

} // namespace fremis::coordinator

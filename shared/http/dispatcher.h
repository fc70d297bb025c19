#pragma once

#include "shared/http/reply.h"
#include "shared/http/route_table.h"

#include <QtHttpServer/QHttpServer>
#include <QtNetwork/QTcpSocket>

#include <memory>

namespace fremis::http {

class DispatchChannel;

/// Qt HttpServer as the dispatcher of one event loop. It never sees the network: its only connection is a channel that
/// lives as long as the dispatcher, through which each validated request passes as the same bodiless one. Thread: its
/// event loop.
class Dispatcher {
public:
    Dispatcher();
    ~Dispatcher();
    Dispatcher(const Dispatcher&) = delete;
    Dispatcher& operator=(const Dispatcher&) = delete;

    /// Calls the route's handler before it returns. Not from inside a handler.
    void dispatch(const Route& route, Request&& request, Reply reply);

private:
    QHttpServer m_server;
    DispatchChannel* m_channel; ///< owned by its QTcpServer, a child of m_server
};

} // namespace fremis::http

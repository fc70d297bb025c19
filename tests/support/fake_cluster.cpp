#include "tests/support/fake_cluster.h"

#include <QPointer>
#include <QTimer>

#include <algorithm>

namespace fremis::test {

using namespace Qt::StringLiterals;
using console::DemoFault;
using console::Header;
using console::HttpReply;
using console::HttpRequest;

namespace {

constexpr qsizetype kHugeBytes = 5 * 1024 * 1024;
constexpr int kDripMs = 50;

/// A whole request from the front of `buffer`, or nothing yet.
std::optional<HttpRequest> takeRequest(QByteArray& buffer) {
    const auto headEnd = buffer.indexOf("\r\n\r\n");
    if (headEnd < 0)
        return std::nullopt;
    const auto lines = buffer.left(headEnd).split('\n');
    HttpRequest request;
    const auto first = lines.first().trimmed().split(' ');
    request.method = first.value(0);
    request.url = QUrl::fromEncoded("http://fake" + first.value(1));
    qsizetype length = 0;
    for (const auto& line : lines.mid(1)) {
        const auto colon = line.indexOf(':');
        request.headers.append(Header(line.left(colon).trimmed(), line.mid(colon + 1).trimmed()));
        if (request.headers.last().first.compare("content-length", Qt::CaseInsensitive) == 0)
            length = request.headers.last().second.toLongLong();
    }
    const auto bodyStart = headEnd + 4;
    if (buffer.size() < bodyStart + length)
        return std::nullopt;
    request.body = buffer.mid(bodyStart, length);
    buffer.remove(0, bodyStart + length);
    return request;
}

QByteArray headOf(const HttpReply& reply, qsizetype length, const QByteArray& type) {
    QByteArray head = "HTTP/1.1 " + QByteArray::number(reply.status) + " Whatever\r\nContent-Type: " + type +
                      "\r\nContent-Length: " + QByteArray::number(length) + "\r\n";
    for (const auto& [name, value] : reply.headers)
        if (name != "Content-Type")
            head += name + ": " + value + "\r\n";
    return head + "\r\n";
}

} // namespace

FakeCluster::FakeCluster(console::DemoScenario scenario, const base::Clock& clock, QObject* parent) : QObject(parent) {
    m_programs.resize(static_cast<std::size_t>(scenario.nodes) + 1);
    for (std::size_t number = 0; number < m_programs.size(); ++number) {
        auto& program = m_programs[number];
        program.server = std::make_unique<QTcpServer>();
        program.server->listen(QHostAddress::LocalHost);
        program.port = program.server->serverPort();
        connect(program.server.get(), &QTcpServer::newConnection, this, [this, number] { accept(number); });
        if (number > 0)
            scenario.addresses.append(u"127.0.0.1:%1"_s.arg(program.port));
    }
    m_world = std::make_unique<console::DemoWorld>(std::move(scenario), clock);
}

FakeCluster::~FakeCluster() {
    for (auto* socket : m_buffers.keys())
        socket->disconnect(this);
}

QUrl FakeCluster::coordinatorUrl() const {
    return QUrl(u"http://127.0.0.1:%1"_s.arg(m_programs.front().port));
}

console::Profile FakeCluster::profile() const {
    console::Profile profile;
    profile.id = u"fake"_s;
    profile.name = u"Fake cluster"_s;
    profile.coordinators = {coordinatorUrl()};
    return profile;
}

QString FakeCluster::address(int worker) const {
    return u"127.0.0.1:%1"_s.arg(m_programs[static_cast<std::size_t>(worker + 1)].port);
}

void FakeCluster::setMischief(int worker, Mischief mischief) {
    m_programs[static_cast<std::size_t>(worker + 1)].mischief = mischief;
}

void FakeCluster::setFault(int worker, DemoFault fault, console::Milliseconds delay) {
    m_world->setFault(worker < 0 ? QString() : address(worker), fault, delay);
    followFaults();
}

/// Dead programs do not listen.
void FakeCluster::followFaults() {
    for (std::size_t number = 0; number < m_programs.size(); ++number) {
        auto& program = m_programs[number];
        const auto address = number == 0 ? QString() : this->address(static_cast<int>(number) - 1);
        const bool isDead = m_world->answer(address, {}).fault == DemoFault::Dead;
        if (isDead && program.server->isListening()) {
            program.server->close();
            for (auto* socket : m_buffers.keys())
                if (socket->property("program").toULongLong() == number)
                    socket->abort();
        } else if (!isDead && !program.server->isListening()) {
            program.server->listen(QHostAddress::LocalHost, program.port);
        }
    }
}

void FakeCluster::accept(std::size_t program) {
    while (auto* socket = m_programs[program].server->nextPendingConnection()) {
        socket->setParent(this);
        socket->setProperty("program", quint64{program});
        m_buffers.insert(socket, {});
        connect(socket, &QTcpSocket::readyRead, this, [this, program, socket] { read(program, socket); });
        connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
            m_buffers.remove(socket);
            socket->deleteLater();
        });
    }
}

void FakeCluster::read(std::size_t program, QTcpSocket* socket) {
    auto& buffer = m_buffers[socket];
    buffer += socket->readAll();
    while (const auto request = takeRequest(buffer)) {
        m_requests.append(QString::fromLatin1(request->method + ' ' +
                                              request->url.toEncoded(QUrl::RemoveScheme | QUrl::RemoveAuthority)));
        m_received.append(*request);
        handle(program, socket, *request);
    }
}

void FakeCluster::handle(std::size_t program, QTcpSocket* socket, const HttpRequest& request) {
    followFaults();
    auto& inHand = m_programs[program].inHand;
    m_mostAtOnce = std::max(m_mostAtOnce, ++inHand);
    const auto address = program == 0 ? QString() : this->address(static_cast<int>(program) - 1);
    const auto answer = m_world->answer(address, request);
    const QPointer<QTcpSocket> guarded(socket);
    if (answer.fault == DemoFault::Hangs || answer.fault == DemoFault::Dead)
        return;
    QTimer::singleShot(answer.delay, this, [this, program, guarded, reply = answer.reply] {
        --m_programs[program].inHand;
        if (guarded)
            write(program, guarded, reply);
    });
}

void FakeCluster::write(std::size_t program, QTcpSocket* socket, const HttpReply& reply) {
    switch (m_programs[program].mischief) {
    case Mischief::None:
        socket->write(headOf(reply, reply.body.size(), "application/json") + reply.body);
        return;
    case Mischief::NotHttp:
        socket->write("\x16\x03\x01 this is not HTTP\n\n\n");
        socket->disconnectFromHost();
        return;
    case Mischief::HalfReply:
        socket->write(headOf(reply, reply.body.size(), "application/json") + reply.body.left(reply.body.size() / 2));
        socket->disconnectFromHost();
        return;
    case Mischief::Drip: {
        socket->write(headOf(reply, 100'000, "application/json"));
        auto* timer = new QTimer(socket);
        connect(timer, &QTimer::timeout, socket, [socket] { socket->write(" "); });
        timer->start(kDripMs);
        return;
    }
    case Mischief::Huge: {
        const auto body = "{\"padding\":\"" + QByteArray(kHugeBytes, 'x') + "\"," + reply.body.mid(1);
        socket->write(headOf(reply, body.size(), "application/json") + body);
        return;
    }
    case Mischief::WrongType: {
        const QByteArray page = "<html><body>It works!</body></html>";
        HttpReply found = reply;
        found.status = 200;
        socket->write(headOf(found, page.size(), "text/html") + page);
        return;
    }
    }
}

} // namespace fremis::test

#include "console/client/demo_transport.h"

#include <QPointer>
#include <QTimer>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

constexpr auto kCoordinator = "coordinator.demo";
constexpr Milliseconds kUsualDelay{4};

HttpReply silence(TransportError error, const QString& text) {
    HttpReply reply;
    reply.error = error;
    reply.errorText = text;
    return reply;
}

} // namespace

struct DemoTransport::Pending {
    QPointer<QObject> context;
    Done done;
    bool willAnswer = true;
};

DemoTransport::DemoTransport(DemoScenario scenario, const base::Clock& clock, QObject* parent)
    : Transport(parent), m_world(std::move(scenario), clock) {}

void DemoTransport::send(HttpRequest request, QObject* context, Done done) {
    const auto host = request.url.host();
    const auto address = host == QLatin1StringView(kCoordinator) ? QString() : request.url.authority();
    auto answer = m_world.answer(address, request);
    auto delay = kUsualDelay + answer.delay;
    if (answer.fault == DemoFault::Dead)
        answer.reply = silence(TransportError::Refused, u"Connection refused"_s);
    const bool willAnswer = answer.fault != DemoFault::Hangs && delay <= request.timeout;
    if (!willAnswer) {
        answer.reply = silence(TransportError::TimedOut, u"Operation timed out"_s);
        delay = request.timeout;
    }
    answer.reply.took = delay;
    const auto pending = std::make_shared<Pending>(Pending{context, std::move(done), willAnswer});
    m_pending.insert(pending);
    m_underWay += willAnswer;
    QTimer::singleShot(delay, this, [this, pending, reply = std::move(answer.reply)] { finish(pending, reply); });
}

void DemoTransport::finish(const std::shared_ptr<Pending>& pending, HttpReply reply) {
    if (!m_pending.remove(pending))
        return;
    m_underWay -= pending->willAnswer;
    if (pending->context)
        pending->done(std::move(reply));
}

void DemoTransport::abortAll() {
    const auto pending = std::exchange(m_pending, {});
    m_underWay = 0;
    for (const auto& one : pending)
        if (one->context)
            one->done(silence(TransportError::Cancelled, u"Cancelled"_s));
}

Profile DemoTransport::profile() const {
    Profile profile;
    profile.id = u"demo"_s;
    profile.name = tr("Demonstration");
    profile.environment = Environment::Lab;
    profile.coordinators = {QUrl(u"http://"_s + QLatin1StringView(kCoordinator) + u":4005"_s)};
    return profile;
}

} // namespace fremis::console

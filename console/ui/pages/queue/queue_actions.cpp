#include "console/ui/pages/queue/queue_page.h"
#include "console/ui/widgets/format.h"

namespace fremis::console::ui {
namespace {

const QStringList kActions = {QStringLiteral("queue.retry"), QStringLiteral("queue.pause"),
                              QStringLiteral("queue.resume"), QStringLiteral("queue.discard")};

} // namespace

void QueuePage::addActions() {
    ActionRegistry& a = context().actions;
    a.add({kActions[0],
           QT_TRANSLATE_NOOP("Actions", "Queue: &try again now"),
           QT_TRANSLATE_NOOP("Actions", "Parked writes go back into the queue, and the node is tried at once"),
           QStringLiteral("refresh"),
           {},
           Menu::Cluster,
           Effect::Mutates},
          [this] { act(QStringLiteral("retry")); });
    a.add({kActions[1],
           QT_TRANSLATE_NOOP("Actions", "Queue: &pause"),
           QT_TRANSLATE_NOOP("Actions", "Writes for the node are kept, not sent"),
           QStringLiteral("pause"),
           {},
           Menu::Cluster,
           Effect::Mutates},
          [this] { act(QStringLiteral("pause")); });
    a.add({kActions[2],
           QT_TRANSLATE_NOOP("Actions", "Queue: &resume"),
           nullptr,
           QStringLiteral("play"),
           {},
           Menu::Cluster,
           Effect::Mutates},
          [this] { act(QStringLiteral("resume")); });
    a.add({kActions[3],
           QT_TRANSLATE_NOOP("Actions", "Queue: &discard..."),
           QT_TRANSLATE_NOOP("Actions", "Forgets the writes; the node is filled from its replicas"),
           QStringLiteral("trash"),
           {},
           Menu::Cluster,
           Effect::Mutates},
          [this] { discard(); });
}

void QueuePage::refreshActions() {
    const NodeView* node = snapshot() ? snapshot()->find(m_node) : nullptr;
    for (const QString& id : kActions)
        context().actions.setAvailable(id, node != nullptr, tr("Choose a node first."));
}

void QueuePage::act(const QString& what) {
    const NodeView* node = snapshot() ? snapshot()->find(m_node) : nullptr;
    if (!node)
        return;
    QueueAction action;
    action.node = node->address;
    action.action = what;
    context().client.actOnQueue(
        snapshot()->coordinatorUrl(), action, this,
        [this, label = node->label()](const CallResult<QueueActionReply>& reply) {
            if (reply) {
                context().refresh();
                context().notify(Severity::Ok,
                                 tr("The queue of %1: %n write(s) concerned.", "", int(reply->changed)).arg(label), {});
            } else
                context().notify(Severity::Critical,
                                 tr("The queue of %1 was not changed: %2").arg(label, textOf(reply.error())),
                                 reply.error().token);
        });
}

void QueuePage::discard() {
    const NodeView* node = snapshot() ? snapshot()->find(m_node) : nullptr;
    if (!node)
        return;
    Confirmation question;
    question.title = tr("Discard a queue");
    question.text = tr("Forget all writes that wait for %1?").arg(node->label());
    question.details = node->queue ? tr("%1 writes diverge until the node has been filled from its replicas.")
                                         .arg(numberText(qint64(node->queue->ops)))
                                   : tr("How many writes that are is not known.");
    question.yes = tr("Discard");
    question.severity = Severity::Critical;
    question.environment =
        QStringLiteral("%1 - %2").arg(wordOf(context().profile().environment), context().profile().name);
    question.typed = node->label();
    context().dialogs.confirm(this, question, [this](bool yes) {
        if (yes)
            act(QStringLiteral("discard"));
    });
}

} // namespace fremis::console::ui

#include "console/client/plan_adapter.h"

#include "console/client/csv.h"

#include <algorithm>

namespace fremis::console {

using namespace Qt::StringLiterals;

PlanAdapter::PlanAdapter(QObject* parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
}

PlanAdapter::~PlanAdapter() {
    m_pool.clear();
    m_pool.waitForDone();
}

void PlanAdapter::compute(const routing::PlanRequest& request) {
    m_pool.clear(); // whoever waits is outdated
    const auto number = ++m_wanted;
    m_pool.start([this, number, request] {
        PlanOutcome outcome;
        if (auto plan = routing::makePlan(request))
            outcome.plan = std::move(*plan);
        else
            outcome.problem = QString::fromStdString(plan.error().message);
        QMetaObject::invokeMethod(this, [this, number, outcome = std::move(outcome)] { take(number, outcome); });
    });
}

void PlanAdapter::take(quint64 number, PlanOutcome outcome) {
    if (number != m_wanted)
        return;
    m_answered = number;
    m_outcome = std::move(outcome);
    Q_EMIT ready(m_outcome);
}

std::optional<routing::PartitionVectors> vectorsOf(const Snapshot& snapshot) {
    routing::PartitionVectors vectors{};
    for (std::size_t partition = 0; partition < vectors.size(); ++partition) {
        if (!snapshot.partitions[partition].vectors)
            return std::nullopt;
        vectors[partition] = *snapshot.partitions[partition].vectors;
    }
    return vectors;
}

std::optional<routing::PlanRequest> planRequestOf(const Snapshot& snapshot) {
    if (!snapshot.config)
        return std::nullopt;
    routing::PlanRequest request;
    request.current = (**snapshot.config).map;
    request.vectors = vectorsOf(snapshot);
    return request;
}

int waveCount(const routing::Plan& plan) {
    int waves = 0;
    for (const auto& move : plan.moves)
        waves = std::max(waves, move.wave);
    return waves;
}

routing::PartitionMap mapAfterWave(const routing::Plan& plan, int wave) {
    if (wave >= waveCount(plan))
        return routing::PartitionMap(plan.after);
    std::map<routing::Address, routing::PartitionSet> owned;
    for (const auto& entry : plan.before.entries)
        owned[entry.address] |= routing::setOf(entry.range);
    for (const auto& move : plan.moves) {
        if (move.wave > wave)
            continue;
        const auto partition = static_cast<std::size_t>(move.partition);
        if (move.kind != routing::PlanMove::Kind::Copy)
            owned[move.from].reset(partition);
        if (move.to)
            owned[*move.to].set(partition);
    }
    routing::ClusterConfig config;
    config.replication = plan.before.replication;
    config.allowPartialSearch = plan.before.allowPartialSearch;
    for (const auto& node : plan.nodes)
        for (const auto& range : routing::rangesOf(owned[node.address]))
            config.entries.push_back({node.address, range, node.name, node.weight});
    return routing::PartitionMap(config);
}

QByteArray planCsv(const routing::Plan& plan) {
    QList<QVariantList> rows;
    for (const auto& move : plan.moves) {
        const bool known = plan.vectors.has_value();
        rows.append({move.wave, QString::fromStdString(std::string(routing::wordOf(move.kind))), move.partition,
                     QString::fromStdString(move.from.text()),
                     move.to ? QString::fromStdString(move.to->text()) : QString(),
                     known ? QVariant(quint64{move.vectors}) : QVariant(),
                     known ? QVariant(quint64{move.bytes}) : QVariant(), QString::fromStdString(move.reason.text())});
    }
    return csvText({u"plan %1 to %2; vectors: count, bytes: bytes"_s.arg(QString::fromStdString(plan.epochBefore),
                                                                         QString::fromStdString(plan.epochAfter))},
                   {u"wave"_s, u"kind"_s, u"partition"_s, u"from"_s, u"to"_s, u"vectors"_s, u"bytes"_s, u"reason"_s},
                   rows);
}

} // namespace fremis::console

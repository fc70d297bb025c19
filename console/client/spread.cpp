#include "console/client/spread.h"

#include <cmath>

namespace fremis::console {

namespace {

constexpr double kDegrees = base::kPartitionCount - 1;
constexpr double kDeviations = 3;
constexpr double kLeastExpected = 5;

} // namespace

std::optional<double> Spread::chiSquare() const {
    if (total == 0)
        return std::nullopt;
    const double expected = static_cast<double>(total) / base::kPartitionCount;
    double sum = 0;
    for (const auto count : counts) {
        const double difference = static_cast<double>(count) - expected;
        sum += difference * difference / expected;
    }
    return sum;
}

std::optional<bool> Spread::isEven() const {
    const auto statistic = chiSquare();
    if (!statistic || static_cast<double>(total) < kLeastExpected * base::kPartitionCount)
        return std::nullopt;
    return *statistic < kDegrees + kDeviations * std::sqrt(2 * kDegrees);
}

std::optional<Spread> spreadOf(const Snapshot& snapshot) {
    Spread spread;
    for (std::size_t partition = 0; partition < snapshot.partitions.size(); ++partition) {
        const auto vectors = snapshot.partitions[partition].vectors;
        if (!vectors)
            return std::nullopt;
        spread.counts[partition] = *vectors;
        spread.total += *vectors;
    }
    return spread;
}

void SpreadWalk::start(const QUrl& base, const QString& keyspace) {
    ++m_walk;
    m_base = base;
    m_keyspace = keyspace;
    m_spread = {};
    m_running = true;
    ask({});
}

void SpreadWalk::cancel() {
    ++m_walk;
    m_running = false;
}

void SpreadWalk::ask(const QString& cursor) {
    m_calls.list(m_base, m_keyspace, cursor, kPage, this,
                 [this, walk = m_walk](const FaceOutcome<wire::ListEnrollmentsReply>& page) {
                     if (walk != m_walk)
                         return;
                     if (!page.result)
                         return end(textOf(page.result.error()));
                     for (const auto& face : page.result->faces)
                         ++m_spread.counts[face.partition];
                     m_spread.total += page.result->faces.size();
                     const auto next = page.result->nextCursor.value_or(std::string());
                     if (next.empty())
                         return end({});
                     Q_EMIT progressed();
                     if (walk == m_walk)
                         ask(QString::fromStdString(next));
                 });
}

void SpreadWalk::end(const QString& problem) {
    m_running = false;
    Q_EMIT finished(problem);
}

} // namespace fremis::console

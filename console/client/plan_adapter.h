#pragma once

#include "console/client/snapshot.h"
#include "shared/routing/plan_output.h"
#include "shared/routing/planner.h"

#include <QObject>
#include <QThreadPool>

namespace fremis::console {

/// What the planner made of a request.
struct PlanOutcome {
    std::optional<routing::Plan> plan;
    QString problem; ///< one line when there is no plan
};

/// The planner behind the GUI: plans are made on a thread of their own, and only the latest request is answered.
/// Thread: GUI.
class PlanAdapter : public QObject {
    Q_OBJECT
public:
    explicit PlanAdapter(QObject* parent = nullptr);
    ~PlanAdapter() override;

    void compute(const routing::PlanRequest& request);
    [[nodiscard]] bool isComputing() const { return m_wanted != m_answered; }
    [[nodiscard]] const PlanOutcome& outcome() const { return m_outcome; }

Q_SIGNALS:
    void ready(const fremis::console::PlanOutcome& outcome);

private:
    void take(quint64 number, PlanOutcome outcome);

    QThreadPool m_pool;
    PlanOutcome m_outcome;
    quint64 m_wanted = 0;
    quint64 m_answered = 0;
};

/// The live cluster as the start of a plan: its config, the vectors it has told and its copies' sizes.
[[nodiscard]] std::optional<routing::PlanRequest> planRequestOf(const Snapshot& snapshot);
/// Vectors of each partition, of the fullest copy; nothing unless every partition's are known.
[[nodiscard]] std::optional<routing::PartitionVectors> vectorsOf(const Snapshot& snapshot);

/// Who owns what once the waves up to `wave` are done; 0: before the first.
[[nodiscard]] routing::PartitionMap mapAfterWave(const routing::Plan& plan, int wave);
[[nodiscard]] int waveCount(const routing::Plan& plan);
/// A line for each move: wave, kind, partition, from, to, vectors, bytes, reason; in C locale, units in the first
/// comment.
[[nodiscard]] QByteArray planCsv(const routing::Plan& plan);

} // namespace fremis::console

#pragma once

#include "console/client/snapshot.h"

#include <QByteArray>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace fremis::console::ui {

struct DetectedFace {
    QRectF box;
    double score = 0;
    bool used = false;
    std::optional<double> norm; ///< of the embedding: how much of a face the model saw; only of the used one
    QStringList warnings;
};

struct Candidate {
    QString faceId; ///< text, never a number
    QString variation;
    double similarity = 0;       ///< calibrated, 0..1
    std::optional<double> score; ///< raw cosine
    bool operator==(const Candidate&) const = default;
};

struct FailedNode {
    QString address;
    QString partitions;
    QString reason;
};

struct Coverage {
    int total = base::kPartitionCount;
    int searched = 0;
    bool complete = false;
    std::optional<quint64> vectors;
    std::vector<FailedNode> failed;
};

/// What recognition, match and enrolment say, as far as it is there. Members of the wrong type are as if they were not
/// there.
struct TryReply {
    bool readable = false;
    std::vector<Candidate> candidates;
    std::optional<Coverage> coverage; ///< a worker alone sends none
    std::vector<DetectedFace> faces;
    std::optional<bool> match;
    std::optional<double> similarity;
    QString faceId; ///< of an enrolment
    QString variation;
    std::optional<int> acked;
    std::optional<int> queued;
};
[[nodiscard]] TryReply readTryReply(const QByteArray& body);

/// The headline over the candidates: never "no match" unless all partitions were searched.
[[nodiscard]] QString recognitionTitle(const TryReply& reply, double threshold);
/// Which nodes and partitions were not searched; empty when all were.
[[nodiscard]] QString coverageWarning(const TryReply& reply);

} // namespace fremis::console::ui

#include "console/ui/pages/try/candidate_model.h"

#include "console/ui/widgets/format.h"
#include "shared/hashing/partition.h"

namespace fremis::console::ui {

QList<Column> CandidateModel::makeColumns() {
    return {{"rank", tr("Rank"), true},       {"face", tr("Face id"), false},   {"similarity", tr("Similarity"), true},
            {"score", tr("Raw score"), true}, {"gap", tr("To the next"), true}, {"partition", tr("Partition"), true},
            {"node", tr("Node"), false}};
}

void CandidateModel::set(const TryReply& reply, double threshold, const QString& keyspace,
                         const SnapshotPtr& snapshot) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < reply.candidates.size(); ++i) {
        const Candidate& candidate = reply.candidates[i];
        const int partition = hashing::partitionOf(keyspace.toStdString(), candidate.faceId.toStdString());
        Cell gap = unknownCell();
        if (i + 1 < reply.candidates.size()) {
            const double difference = candidate.similarity - reply.candidates[i + 1].similarity;
            gap = {decimalText(difference, 3), difference, Tone::Plain, {}};
        }
        QString node = unknownText();
        if (snapshot && !snapshot->partitions[std::size_t(partition)].owners.empty())
            node = snapshot->nodes[std::size_t(snapshot->partitions[std::size_t(partition)].owners.front())].label();
        const Tone tone = candidate.similarity >= threshold ? Tone::Ok : Tone::Plain;
        rows.push_back({candidate.faceId,
                        {{QString::number(i + 1), int(i + 1), Tone::Plain, {}},
                         {candidate.faceId, candidate.faceId, Tone::Plain, tr("Photo %1").arg(candidate.variation)},
                         {decimalText(candidate.similarity, 4), candidate.similarity, tone,
                          tone == Tone::Ok ? tr("Above the threshold") : tr("Below the threshold")},
                         candidate.score ? Cell{decimalText(*candidate.score, 4), *candidate.score, Tone::Plain, {}}
                                         : unknownCell(),
                         gap,
                         {QString::number(partition), partition, Tone::Plain, {}},
                         {node, node, Tone::Plain, {}}},
                        false});
    }
    setRows(std::move(rows));
}

} // namespace fremis::console::ui

#include "console/ui/pages/try/try_reply.h"

#include "console/ui/widgets/format.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace fremis::console::ui {
namespace {

struct Reply {
    Q_DECLARE_TR_FUNCTIONS(fremis::console::ui::TryReply)
};

QString key(const char* name) {
    return QLatin1String(name);
}

std::optional<double> number(const QJsonValue& value) {
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

/// A list of {"start", "end"}, as programs write ranges.
QString partitionsText(const QJsonValue& value) {
    QStringList parts;
    for (const QJsonValue& part : value.toArray()) {
        const int first = part[key("start")].toInt(-1);
        const int last = part[key("end")].toInt(-1);
        if (first >= 0 && last >= first)
            parts.append(first == last ? QString::number(first) : QStringLiteral("%1-%2").arg(first).arg(last));
    }
    return parts.isEmpty() ? unknownText() : parts.join(QStringLiteral(", "));
}

Coverage readCoverage(const QJsonObject& object) {
    Coverage coverage;
    coverage.total = object[key("partitions_total")].toInt(base::kPartitionCount);
    coverage.searched = object[key("partitions_searched")].toInt();
    coverage.complete = object[key("complete")].toBool();
    if (const auto vectors = number(object[key("vectors_searched")]))
        coverage.vectors = quint64(*vectors);
    for (const QJsonValue& node : object[key("failed_nodes")].toArray())
        coverage.failed.push_back(
            {node[key("address")].toString(), partitionsText(node[key("partitions")]), node[key("reason")].toString()});
    return coverage;
}

void readFaces(TryReply& reply, const QJsonArray& faces) {
    for (const QJsonValue& face : faces) {
        QStringList warnings;
        for (const QJsonValue& warning : face[key("warnings")].toArray())
            warnings.append(warning.toString());
        reply.faces.push_back({QRectF(face[key("left")].toDouble(), face[key("top")].toDouble(),
                                      face[key("width")].toDouble(), face[key("height")].toDouble()),
                               face[key("score")].toDouble(), face[key("used")].toBool(), number(face[key("norm")]),
                               warnings});
    }
}

} // namespace

TryReply readTryReply(const QByteArray& body) {
    TryReply reply;
    const QJsonDocument document = QJsonDocument::fromJson(body);
    if (!document.isObject())
        return reply;
    reply.readable = true;
    const QJsonObject root = document.object();
    const QJsonObject recognition = root[key("result")].toObject()[key("face_recognition")].toObject();
    for (const QJsonValue& candidate : recognition[key("candidates")].toArray())
        reply.candidates.push_back({candidate[key("face_id")].toString(), candidate[key("variation")].toString(),
                                    candidate[key("similarity")].toDouble(), number(candidate[key("score")])});
    for (const QJsonValue& holder : {root.value(key("coverage")), recognition.value(key("coverage")),
                                     root[key("result")].toObject().value(key("coverage"))})
        if (holder.isObject())
            reply.coverage = readCoverage(holder.toObject());
    readFaces(reply, root[key("face_detected")].toArray());
    const QJsonObject match = root[key("face_match")].toObject();
    if (match[key("match")].isBool())
        reply.match = match[key("match")].toBool();
    reply.similarity = number(match[key("similarity")]);
    reply.faceId = root[key("face_id")].toString();
    reply.variation = root[key("variation")].toString();
    const QJsonObject replication = root[key("replication")].toObject();
    if (replication[key("acked")].isDouble())
        reply.acked = replication[key("acked")].toInt();
    if (replication[key("queued")].isDouble())
        reply.queued = replication[key("queued")].toInt();
    return reply;
}

QString recognitionTitle(const TryReply& reply, double threshold) {
    const bool partial = reply.coverage && !reply.coverage->complete;
    const QString scope =
        partial ? Reply::tr("Best of %1 of %2 partitions").arg(reply.coverage->searched).arg(reply.coverage->total)
                : QString();
    if (reply.candidates.empty())
        return partial ? scope + QStringLiteral(": ") + Reply::tr("nothing there")
                       : Reply::tr("No match: the keyspace holds no similar face");
    const Candidate& best = reply.candidates.front();
    const QString similarity = decimalText(best.similarity, 3);
    if (best.similarity >= threshold)
        return partial ? Reply::tr("%1: %2 with %3").arg(scope, best.faceId, similarity)
                       : Reply::tr("%1 with %2").arg(best.faceId, similarity);
    return partial ? Reply::tr("%1: nobody above %2").arg(scope, decimalText(threshold, 2))
                   : Reply::tr("No match: nobody above %1").arg(decimalText(threshold, 2));
}

QString coverageWarning(const TryReply& reply) {
    if (!reply.coverage || reply.coverage->complete)
        return {};
    QStringList nodes;
    for (const FailedNode& node : reply.coverage->failed)
        nodes.append(Reply::tr("%1 (partitions %2): %3").arg(node.address, node.partitions, node.reason));
    return Reply::tr("Only %1 of %2 partitions were searched. Missing: %3")
        .arg(reply.coverage->searched)
        .arg(reply.coverage->total)
        .arg(nodes.isEmpty() ? unknownText() : nodes.join(QStringLiteral("; ")));
}

} // namespace fremis::console::ui

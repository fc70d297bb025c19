#include "console/models/words.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

/// Whose texts they are, for translators.
struct Words {
    Q_DECLARE_TR_FUNCTIONS(fremis::console::Words)
};

} // namespace

QString bytesText(quint64 bytes) {
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), bytes < 1024 ? 0 : 1, QLocale::DataSizeIecFormat);
}

QString durationText(qint64 seconds) {
    const QLocale locale;
    if (seconds < 60)
        return Words::tr("%1 s").arg(locale.toString(seconds));
    if (seconds < 3600)
        return Words::tr("%1 min").arg(locale.toString(seconds / 60));
    if (seconds < 86400)
        return Words::tr("%1 h %2 min").arg(locale.toString(seconds / 3600), locale.toString(seconds % 3600 / 60));
    return Words::tr("%1 d").arg(locale.toString(seconds / 86400));
}

QString daysText(double days) {
    const QLocale locale;
    if (days < 1)
        return Words::tr("about %1 h").arg(locale.toString(std::max(1, qRound(days * 24))));
    return Words::tr("about %1 d").arg(locale.toString(qRound(days)));
}

QString percentText(double percent) {
    return Words::tr("%1 %").arg(QLocale().toString(percent, 'f', percent < 10 ? 1 : 0));
}

Cell percentCell(std::optional<double> percent, double warning, double critical) {
    if (!percent)
        return unknownCell();
    const auto tone = *percent >= critical ? Tone::Critical : *percent >= warning ? Tone::Warning : Tone::Plain;
    return {percentText(*percent), *percent, tone, {}};
}

Cell timeCell(std::optional<Instant> time) {
    if (!time)
        return unknownCell();
    const auto local = QDateTime::fromMSecsSinceEpoch(time->count());
    return {local.toString(u"yyyy-MM-dd HH:mm:ss"_s), qint64{time->count()}, Tone::Plain, {}};
}

Cell textCell(const QString& text, Tone tone, const QString& hint) {
    return {text, text, tone, hint};
}

Tone toneOf(NodeState state) {
    switch (state) {
    case NodeState::Ok:
        return Tone::Ok;
    case NodeState::Loading:
    case NodeState::CatchingUp:
    case NodeState::Draining:
        return Tone::Info;
    case NodeState::Degraded:
        return Tone::Warning;
    case NodeState::Down:
        return Tone::Critical;
    case NodeState::Unknown:
        break;
    }
    return Tone::Unknown;
}

Tone toneOf(PartitionClass partition) {
    switch (partition) {
    case PartitionClass::Ok:
        return Tone::Ok;
    case PartitionClass::Thin:
    case PartitionClass::Over:
        return Tone::Warning;
    case PartitionClass::AtRisk:
    case PartitionClass::Gap:
        return Tone::Critical;
    case PartitionClass::Unknown:
        break;
    }
    return Tone::Unknown;
}

Tone toneOf(QueueState state) {
    switch (state) {
    case QueueState::Idle:
        return Tone::Ok;
    case QueueState::Replaying:
        return Tone::Info;
    case QueueState::Accumulating:
        return Tone::Warning;
    case QueueState::Blocked:
    case QueueState::Lost:
        return Tone::Critical;
    case QueueState::Unknown:
        break;
    }
    return Tone::Unknown;
}

Tone toneOf(Severity severity) {
    switch (severity) {
    case Severity::Info:
        return Tone::Info;
    case Severity::Success:
        return Tone::Ok;
    case Severity::Warning:
        return Tone::Warning;
    case Severity::Critical:
        break;
    }
    return Tone::Critical;
}

} // namespace fremis::console

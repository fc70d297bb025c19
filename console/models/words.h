#pragma once

#include "console/client/event_log.h"
#include "console/client/snapshot.h"
#include "console/models/row_model.h"

#include <QString>

/// Numbers and times as people read them, in the locale of the program.
namespace fremis::console {

[[nodiscard]] QString bytesText(quint64 bytes);     ///< "1.4 GiB"
[[nodiscard]] QString durationText(qint64 seconds); ///< "42 s", "3 min", "2 h 5 min", "4 d"
[[nodiscard]] QString daysText(double days);        ///< "about 9 d", "about 5 h"
[[nodiscard]] QString percentText(double percent);  ///< "71 %", "0.4 %"
[[nodiscard]] Cell percentCell(std::optional<double> percent, double warning, double critical);
[[nodiscard]] Cell timeCell(std::optional<Instant> time);
[[nodiscard]] Cell textCell(const QString& text, Tone tone = Tone::Plain, const QString& hint = {});

[[nodiscard]] Tone toneOf(NodeState state);
[[nodiscard]] Tone toneOf(PartitionClass partition);
[[nodiscard]] Tone toneOf(QueueState state);
[[nodiscard]] Tone toneOf(Severity severity);

} // namespace fremis::console

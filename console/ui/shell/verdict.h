#pragma once

#include "console/client/snapshot.h"
#include "console/ui/shell/theme.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace fremis::console::ui {

/// One thing that is wrong, in one sentence.
struct Finding {
    Severity severity = Severity::Warning;
    QString subject; ///< "partitions", a node's label, a coordinator
    QString text;
    PartitionSet partitions; ///< may be empty
    QStringList nodes;       ///< addresses, may be empty
};

/// Everything that is wrong now, worst first: what cannot be found, what is blind, what will break next.
[[nodiscard]] std::vector<Finding> findingsOf(const Snapshot& snapshot);

/// The one sentence that an operator reads first.
[[nodiscard]] Finding verdictOf(const Snapshot& snapshot, Instant now);

[[nodiscard]] QString rangesText(const PartitionSet& partitions);
[[nodiscard]] Severity severityOf(NodeState state);
[[nodiscard]] Severity severityOf(PartitionClass partition);

} // namespace fremis::console::ui

#pragma once

#include "shared/base/log.h"
#include "shared/storage/enrollment_store.h"

namespace fremis::storage {

/// Counts a bulk read and passes its rows on.
class ScanTally {
public:
    ScanTally(const EnrollmentStore::RowVisitor& visitor, ScanProgress* progress)
        : m_visitor(visitor), m_progress(progress) {}

    /// A row, or none when it cannot be used. False: the reader stops.
    [[nodiscard]] bool take(const std::optional<EnrollmentView>& row) {
        if (!row) {
            ++m_report.degraded;
            return true;
        }
        ++m_report.rows;
        if (m_progress)
            m_progress->rows.store(m_report.rows, std::memory_order_relaxed);
        return m_visitor(*row) && !(m_progress && m_progress->cancel.load(std::memory_order_relaxed));
    }

    /// The report; damage is logged, without ids.
    [[nodiscard]] ScanReport finish() const {
        if (m_report.degraded > 0)
            base::log(base::LogLevel::Error, "store_rows_unusable",
                      {{"rows", m_report.degraded}, {"usable", m_report.rows}});
        return m_report;
    }

private:
    const EnrollmentStore::RowVisitor& m_visitor;
    ScanProgress* m_progress;
    ScanReport m_report;
};

} // namespace fremis::storage

#pragma once

#include "console/client/event_log.h"
#include "console/models/row_model.h"

#include <QAbstractTableModel>

#include <deque>

namespace fremis::console {

/// An event log as a table, newest last; rows come and go with the log's. Columns by key: time, severity, subject,
/// text.
class EventModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum ColumnNumber { TimeColumn, SeverityColumn, SubjectColumn, TextColumn, ColumnCount };
    enum Role { SeverityRole = FirstModelRole }; ///< Severity as int
    /// `log` outlives it.
    explicit EventModel(EventLog& log, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    void setUtc(bool utc); ///< times in UTC instead of local time
    /// For little room: no date on events of today, and the severity is an icon, its word the tool tip.
    void setCompact(bool compact) { m_compact = compact; }
    void retranslate();

private:
    void take(const Event& event);
    void drop(int count);
    [[nodiscard]] QString timeText(Instant time) const;

    EventLog& m_log;
    std::deque<Event> m_events;
    bool m_utc = false;
    bool m_compact = false;
};

} // namespace fremis::console

#include "console/models/event_model.h"

#include "console/models/words.h"

#include <QDateTime>
#include <QTimeZone>

namespace fremis::console {

using namespace Qt::StringLiterals;

EventModel::EventModel(EventLog& log, QObject* parent)
    : QAbstractTableModel(parent), m_log(log), m_events(log.events()) {
    connect(&m_log, &EventLog::added, this, &EventModel::take);
    connect(&m_log, &EventLog::droppedOldest, this, [this] { drop(1); });
    connect(&m_log, &EventLog::cleared, this, [this] { drop(rowCount()); });
}

int EventModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_events.size());
}

int EventModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

void EventModel::take(const Event& event) {
    beginInsertRows({}, rowCount(), rowCount());
    m_events.push_back(event);
    endInsertRows();
}

void EventModel::drop(int count) {
    if (count == 0)
        return;
    beginRemoveRows({}, 0, count - 1);
    m_events.erase(m_events.begin(), m_events.begin() + count);
    endRemoveRows();
}

QString EventModel::timeText(Instant time) const {
    const auto at = QDateTime::fromMSecsSinceEpoch(time.count(), m_utc ? Qt::UTC : Qt::LocalTime);
    const bool isToday = at.date() == (m_utc ? QDateTime::currentDateTimeUtc() : QDateTime::currentDateTime()).date();
    return at.toString(m_compact && isToday ? u"HH:mm:ss"_s : u"yyyy-MM-dd HH:mm:ss"_s);
}

QVariant EventModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto& event = m_events[static_cast<std::size_t>(index.row())];
    if (role == KeyRole)
        return QString::number(event.id);
    if (role == SeverityRole)
        return static_cast<int>(event.severity);
    if (role == ToneRole)
        return static_cast<int>(index.column() == SeverityColumn ? toneOf(event.severity) : Tone::Plain);
    const bool isIcon = m_compact && index.column() == SeverityColumn;
    if ((role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) && isIcon)
        return wordOf(event.severity);
    if (role == Qt::DisplayRole && isIcon)
        return QString();
    if (role != Qt::DisplayRole && role != ValueRole)
        return {};
    switch (index.column()) {
    case TimeColumn:
        return role == ValueRole ? QVariant(qint64{event.time.count()}) : QVariant(timeText(event.time));
    case SeverityColumn:
        return role == ValueRole ? QVariant(static_cast<int>(event.severity)) : QVariant(wordOf(event.severity));
    case SubjectColumn:
        return event.subject;
    default:
        return event.text;
    }
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array kKeys{"time", "severity", "subject", "text"};
    if (role == ValueRole)
        return QByteArray(kKeys[static_cast<std::size_t>(section)]);
    if (role != Qt::DisplayRole)
        return {};
    if (m_compact && section == SeverityColumn)
        return QString();
    const QStringList titles{m_utc ? tr("Time (UTC)") : tr("Time"), tr("Severity"), tr("Subject"), tr("Event")};
    return titles[section];
}

void EventModel::setUtc(bool utc) {
    m_utc = utc;
    retranslate();
}

void EventModel::retranslate() {
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (!m_events.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::DisplayRole});
}

} // namespace fremis::console

#include "console/ui/panel/call_model.h"

#include "console/ui/widgets/format.h"

namespace fremis::console::ui {
namespace {

enum Column { Time, Method, Url, Status, Took, Bytes, Error, ColumnCount };
constexpr std::array<const char*, ColumnCount> kKeys = {"time", "method", "url", "status", "took", "bytes", "error"};

QString text(const CallRecord& call, int column) {
    switch (column) {
    case Time:
        return clockText(call.startedAt);
    case Method:
        return call.method;
    case Url:
        return call.url;
    case Status:
        return call.status ? QString::number(call.status) : unknownText();
    case Took:
        return latencyText(double(call.took.count()));
    case Bytes:
        return bytesText(call.receivedBytes);
    default:
        return call.error;
    }
}

QVariant value(const CallRecord& call, int column) {
    switch (column) {
    case Time:
        return qlonglong(call.startedAt.count());
    case Status:
        return call.status ? QVariant(call.status) : QVariant();
    case Took:
        return qlonglong(call.took.count());
    case Bytes:
        return call.receivedBytes;
    default:
        return text(call, column);
    }
}

Tone tone(const CallRecord& call, int column) {
    if (column != Status)
        return Tone::Plain;
    if (call.status == 0)
        return Tone::Critical;
    return call.status >= 500 ? Tone::Critical : call.status >= 400 ? Tone::Warning : Tone::Plain;
}

} // namespace

void CallModel::set(const std::vector<CallRecord>& records) {
    const auto isSame = [](const CallRecord& a, const CallRecord& b) {
        return a.startedAt == b.startedAt && a.url == b.url;
    };
    // What is common stays: rows of a table that is looked at do not jump.
    std::size_t gone = 0;
    while (gone < m_calls.size() && (records.empty() || !isSame(m_calls[gone], records.front())))
        ++gone;
    if (gone > 0) {
        beginRemoveRows({}, 0, int(gone) - 1);
        m_calls.erase(m_calls.begin(), m_calls.begin() + std::ptrdiff_t(gone));
        endRemoveRows();
    }
    for (std::size_t number = m_calls.size(); number < records.size(); ++number)
        add(records[number]);
}

void CallModel::add(const CallRecord& record) {
    if (m_calls.size() == kMost) {
        beginRemoveRows({}, 0, 0);
        m_calls.pop_front();
        endRemoveRows();
    }
    beginInsertRows({}, int(m_calls.size()), int(m_calls.size()));
    m_calls.push_back(record);
    endInsertRows();
}

void CallModel::clear() {
    if (m_calls.empty())
        return;
    beginRemoveRows({}, 0, int(m_calls.size()) - 1);
    m_calls.clear();
    endRemoveRows();
}

void CallModel::retranslate() {
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

int CallModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_calls.size());
}

int CallModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant CallModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const CallRecord& call = m_calls[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(call, index.column());
    case ValueRole:
        return value(call, index.column());
    case ToneRole:
        return int(tone(call, index.column()));
    case Qt::TextAlignmentRole:
        return int((index.column() >= Status && index.column() <= Bytes ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant CallModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == ValueRole)
        return QByteArray(kKeys[std::size_t(section)]);
    if (role != Qt::DisplayRole)
        return {};
    const QStringList titles = {tr("Time"), tr("Method"),   tr("Address"), tr("Status"),
                                tr("Took"), tr("Received"), tr("Error")};
    return titles.at(section);
}

} // namespace fremis::console::ui

#include "console/models/config_model.h"

#include "console/models/routing_words.h"
#include "console/models/words.h"

#include <array>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

const std::array<QByteArray, 5> kKeys{"address", "partition_start", "partition_end", "name", "weight"};

bool isOfFile(const QByteArray& key) {
    return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

QString valueOf(const routing::ConfigDocument& document, std::size_t entry, const QByteArray& key) {
    return QString::fromStdString(document.value(entry, key.toStdString()).value_or(std::string()));
}

std::optional<PartitionSet> partitionsOf(const routing::ConfigDocument& document, std::size_t entry) {
    const auto number = [&](const char* key) {
        const auto text = document.value(entry, key);
        const auto value = text ? routing::parsePlainDecimal(*text) : std::nullopt;
        return value && *value < base::kPartitionCount ? value : std::nullopt;
    };
    const auto first = number("partition_start");
    const auto last = number("partition_end");
    if (!first || !last || *first > *last)
        return std::nullopt;
    return PartitionSet(routing::setOf({*first, *last}));
}

std::optional<quint64> vectorsOf(const SnapshotPtr& preview, const PartitionSet& partitions) {
    if (!preview)
        return std::nullopt;
    quint64 sum = 0;
    for (int number = 0; number < base::kPartitionCount; ++number) {
        const auto partition = static_cast<Partition>(number);
        if (!partitions.contains(partition))
            continue;
        const auto vectors = preview->partitions[partition].vectors;
        if (!vectors)
            return std::nullopt;
        sum += *vectors;
    }
    return sum;
}

/// Numbers sort as numbers; what is none stays text.
Cell fileCell(const QString& text, bool isNumber) {
    Cell cell = textCell(text);
    bool isPlain = false;
    const double number = text.toDouble(&isPlain);
    if (isNumber && isPlain)
        cell.value = number;
    return cell;
}

Tone toneOfSeverity(routing::Severity severity) {
    return severity == routing::Severity::Error     ? Tone::Critical
           : severity == routing::Severity::Warning ? Tone::Warning
                                                    : Tone::Info;
}

} // namespace

ConfigModel::ConfigModel(QObject* parent) : RowModel(makeColumns(), parent) {}

QList<Column> ConfigModel::makeColumns() {
    return {{"address", tr("Address"), false},  {"partition_start", tr("Start"), true},
            {"partition_end", tr("End"), true}, {"name", tr("Name"), false},
            {"weight", tr("Weight"), true},     {"partitions", tr("Partitions"), true},
            {"vectors", tr("Vectors"), true},   {"line", tr("Line"), true},
            {"problems", tr("Problems"), false}};
}

QVariant ConfigModel::data(const QModelIndex& index, int role) const {
    if (role == Qt::EditRole)
        return RowModel::data(index, Qt::DisplayRole);
    if (role < FirstModelRole || !index.isValid() || index.row() >= static_cast<int>(m_entries.size()))
        return RowModel::data(index, role);
    const Entry& entry = m_entries[static_cast<std::size_t>(index.row())];
    if (role == NodeIndexRole)
        return entry.nodeIndex;
    return role == PartitionsRole && entry.partitions ? QVariant(QString::fromStdString(entry.partitions->text()))
                                                      : QVariant();
}

Qt::ItemFlags ConfigModel::flags(const QModelIndex& index) const {
    const auto flags = RowModel::flags(index);
    return index.isValid() && isOfFile(columns()[index.column()].key) ? flags | Qt::ItemIsEditable : flags;
}

bool ConfigModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const QString text = value.toString().trimmed();
    if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable) || text == index.data(Qt::EditRole).toString())
        return false;
    Q_EMIT edited(keyAt(index.row()).toInt(), columns()[index.column()].key, text);
    return true;
}

Cell ConfigModel::problemCell(std::size_t number, const std::vector<routing::Problem>& problems) const {
    const int from = m_entries[number].line;
    const int to = number + 1 < m_entries.size() ? m_entries[number + 1].line : std::numeric_limits<int>::max();
    QStringList ids;
    QStringList messages;
    auto worst = routing::Severity::Info;
    for (const auto& problem : problems) {
        if (problem.line < from || problem.line >= to)
            continue;
        const auto id = QString::fromStdString(std::string(routing::idOf(problem.rule)));
        if (!ids.contains(id))
            ids.append(id);
        messages.append(id + u": "_s + sentenceOf(problem.wording));
        worst = std::min(worst, problem.severity); // errors come first
    }
    if (ids.isEmpty())
        return {};
    return textCell(ids.join(u", "_s), toneOfSeverity(worst), messages.join(u'\n'));
}

Row ConfigModel::rowOfEntry(const routing::ConfigDocument& document, std::size_t number,
                            const std::vector<routing::Problem>& problems, const SnapshotPtr& preview) const {
    const Entry& entry = m_entries[number];
    const auto vectors = entry.partitions ? vectorsOf(preview, *entry.partitions) : std::nullopt;
    Row row{QString::number(number), {}, false};
    for (std::size_t key = 0; key < kKeys.size(); ++key)
        row.cells.push_back(fileCell(valueOf(document, number, kKeys[key]), columns()[static_cast<int>(key)].isNumber));
    row.cells.push_back(entry.partitions ? countCell(entry.partitions->count())
                                         : unknownCell(tr("The range cannot be read.")));
    row.cells.push_back(vectors ? countCell(static_cast<qint64>(*vectors))
                                : unknownCell(tr("Not every owner has told its vectors.")));
    row.cells.push_back(countCell(entry.line));
    row.cells.push_back(problemCell(number, problems));
    return row;
}

void ConfigModel::setDraft(const routing::ConfigDocument& document, const std::vector<routing::Problem>& problems,
                           const SnapshotPtr& preview) {
    m_entries.clear();
    for (std::size_t number = 0; number < document.entryCount(); ++number) {
        Entry entry{document.lineOf(number), valueOf(document, number, "address"), partitionsOf(document, number), -1};
        if (preview)
            entry.nodeIndex = preview->nodeAt(entry.address).value_or(-1);
        m_entries.push_back(std::move(entry));
    }
    std::vector<Row> rows;
    for (std::size_t number = 0; number < m_entries.size(); ++number)
        rows.push_back(rowOfEntry(document, number, problems, preview));
    setRows(std::move(rows));
}

int ConfigModel::entryAtLine(int line) const {
    int found = -1;
    for (std::size_t number = 0; number < m_entries.size(); ++number)
        if (m_entries[number].line <= line)
            found = static_cast<int>(number);
    return found;
}

void ConfigModel::retranslate() {
    setTitles(makeColumns());
}

} // namespace fremis::console

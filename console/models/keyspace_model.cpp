#include "console/models/keyspace_model.h"

#include "console/models/words.h"

#include <QLocale>

namespace fremis::console {

KeyspaceModel::KeyspaceModel(QObject* parent) : RowModel(makeColumns(), parent) {}

QList<Column> KeyspaceModel::makeColumns() {
    return {{"name", tr("Name"), false},
            {"faces", tr("Faces"), true},
            {"variations", tr("Variations"), true},
            {"share", tr("Share"), true},
            {"threshold", tr("Match threshold"), true},
            {"created", tr("Created"), false}};
}

void KeyspaceModel::setSnapshot(const SnapshotPtr& snapshot) {
    m_snapshot = snapshot;
    std::vector<Row> rows;
    quint64 total = 0;
    const auto keyspaces = snapshot ? snapshot->keyspaces.valueOr({}) : Keyspaces();
    for (const auto& keyspace : keyspaces.list)
        total += keyspace.faces;
    for (const auto& keyspace : keyspaces.list) {
        const double share = total == 0 ? 0 : 100.0 * static_cast<double>(keyspace.faces) / static_cast<double>(total);
        Row row{keyspace.name, {}, false};
        row.cells = {
            textCell(keyspace.name),
            countCell(static_cast<qint64>(keyspace.faces)),
            countCell(static_cast<qint64>(keyspace.variations)),
            {percentText(share), share, Tone::Plain, {}},
            keyspace.matchThreshold
                ? Cell{QLocale().toString(*keyspace.matchThreshold, 'f', 3), *keyspace.matchThreshold, Tone::Plain, {}}
                : textCell(tr("of the model")),
            timeCell(keyspace.createdAt)};
        rows.push_back(std::move(row));
    }
    setRows(std::move(rows));
}

void KeyspaceModel::retranslate() {
    setTitles(makeColumns());
    setSnapshot(m_snapshot);
}

} // namespace fremis::console

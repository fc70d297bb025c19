#pragma once

#include "console/client/snapshot.h"
#include "console/models/row_model.h"
#include "shared/routing/config_document.h"
#include "shared/routing/problem.h"

namespace fremis::console {

/// The entries of a config.yml in the order of the file; KeyRole is the entry's number from 0. Columns by key: line,
/// address, partition_start, partition_end, name, weight, partitions, vectors, problems. Cells that the file holds can
/// be edited: the model changes nothing itself, it tells.
class ConfigModel : public RowModel {
    Q_OBJECT
public:
    enum Role {
        NodeIndexRole = FirstModelRole, ///< int: position in Snapshot::nodes; -1 unknown
        PartitionsRole,                 ///< QString like "12-20"; empty when the range cannot be read
    };
    explicit ConfigModel(QObject* parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Emits edited() when the text differs; true then.
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

    /// `preview`: the cluster with the draft's map (previewOf()), for vectors and colours; may be null.
    void setDraft(const routing::ConfigDocument& document, const std::vector<routing::Problem>& problems,
                  const SnapshotPtr& preview);
    void retranslate();
    /// Entry of a line from 1; -1: none.
    [[nodiscard]] int entryAtLine(int line) const;

Q_SIGNALS:
    /// `key` as the file writes it: "address", "partition_start", ...; an empty value takes name or weight out.
    void edited(int entry, const QByteArray& key, const QString& value);

private:
    struct Entry {
        int line = 0;
        QString address;
        std::optional<PartitionSet> partitions;
        int nodeIndex = -1;
    };
    [[nodiscard]] static QList<Column> makeColumns();
    [[nodiscard]] Row rowOfEntry(const routing::ConfigDocument& document, std::size_t number,
                                 const std::vector<routing::Problem>& problems, const SnapshotPtr& preview) const;
    [[nodiscard]] Cell problemCell(std::size_t number, const std::vector<routing::Problem>& problems) const;

    std::vector<Entry> m_entries;
};

} // namespace fremis::console

#pragma once

#include "console/client/snapshot.h"

#include <QAbstractTableModel>

#include <array>

namespace fremis::console {

/// The 256 partitions as 16 rows of 16. A new snapshot is compared cell by cell and gives one dataChanged for the
/// smallest block that holds all changes; the model is never reset. Thread: GUI.
class PartitionMapModel : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int kSide = 16;
    enum Role {
        PartitionRole = Qt::UserRole + 1, ///< int 0..255
        FillOwnerRole,                    ///< QString: address of the first owner; empty for a gap
        FillOwnerIndexRole,               ///< int: its position in Snapshot::nodes; -1 for a gap
        OwnersRole,                       ///< QStringList: addresses in config order
        OwnerIndexesRole,                 ///< QList<int>
        ClassRole,                        ///< int of PartitionClass
        ClassWordRole,                    ///< QString, translated
        HealthyRole,                      ///< int
        ExpectedRole,                     ///< int: R
        VectorsRole,                      ///< qulonglong of the fullest owner; invalid = unknown
        DisagreementRole,                 ///< qulonglong: fullest minus emptiest owner; invalid = unknown
        QueuedRole,                       ///< qulonglong: writes that wait for its owners; invalid = unknown
        StaleRole,                        ///< bool: an owner has not been heard of for three intervals
        PlannedOwnersRole,                ///< QStringList: addresses after the plan; empty without one
        IsPlannedRole,                    ///< bool: the plan changes its owners
    };

    explicit PartitionMapModel(QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    /// DisplayRole: the number. ToolTipRole and AccessibleTextRole: the whole state in one sentence.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    /// Rows: the first partition; columns: "+0".."+15".
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    void setSnapshot(const SnapshotPtr& snapshot);
    [[nodiscard]] const SnapshotPtr& snapshot() const { return m_snapshot; }
    /// Owners after a plan or draft, for plan mode; nothing ends it.
    void setPlanned(const std::optional<routing::PartitionMap>& after);
    /// Headers in hexadecimal.
    void setHexadecimal(bool hexadecimal);
    /// After a change of language.
    void retranslate();

    [[nodiscard]] QModelIndex indexOf(Partition partition) const;
    [[nodiscard]] static std::optional<Partition> partitionAt(const QModelIndex& index);
    /// One sentence: "Partition 182, owner worker-7 down, 0 of 1 healthy, 1,204 vectors, 1,000 queued".
    [[nodiscard]] QString sentenceFor(Partition partition) const;
    /// Next problem after `from` (at risk, gap, thin), going round; nothing when there is none.
    [[nodiscard]] std::optional<Partition> nextProblem(Partition from, bool forward = true) const;

private:
    struct CellState { ///< what is shown of a partition
        QStringList owners;
        QList<int> ownerIndexes;
        std::vector<NodeState> ownerStates;
        QStringList ownerLabels;
        PartitionView view;
        bool isStale = false;
        QStringList planned;
        bool isPlanned = false;
        bool operator==(const CellState&) const = default;
    };
    [[nodiscard]] CellState cellOf(Partition partition) const;
    void refresh();

    SnapshotPtr m_snapshot;
    std::optional<routing::PartitionMap> m_planned;
    std::array<CellState, base::kPartitionCount> m_cells;
    bool m_hexadecimal = false;
};

} // namespace fremis::console

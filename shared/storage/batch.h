#pragma once

#include "shared/storage/enrollment_store.h"
#include "shared/storage/keyspace_registry.h"

namespace fremis::storage {

/// A face inside one store.
struct FaceKey {
    std::int64_t keyspace = 0; ///< Incarnation::id
    base::Partition partition = 0;
    std::string face;
    auto operator<=>(const FaceKey&) const = default;
};

/// What is stored of a face, in normal form: each row is above the tombstones, each variation's tombstone above the
/// face's. Equal sets of operations lead to equal states, which is what replicas compare.
struct FaceState {
    struct Row {
        base::Version version;
        const Enrollment* fresh = nullptr; ///< set when the row is to be written
        bool damaged = false;              ///< as stored it cannot be used; looked at for mends only
    };
    std::optional<base::Version> tombstone;
    std::map<std::uint64_t, base::Version> variationTombstones;
    std::map<std::uint64_t, Row> rows;
};

/// What a store read before a batch: everything its operations can depend on.
struct BatchInput {
    KeyspaceRegistry keyspaces;
    std::array<base::Version, base::kPartitionCount> horizons{};
    std::optional<EnrollmentStore::Space> space;
    std::map<FaceKey, FaceState> faces; ///< of faceKeysOf(); a face of which nothing is stored may be left out
    /// Of those of opIdsOf() that are remembered; one without a version found nothing to remove.
    std::map<OpId, Outcome> answers;
};

/// Applies operations to state in memory. The rules of the data live here and in KeyspaceRegistry, once for both
/// databases, which only read BatchInput before and write the differences after. Operations must outlive the batch.
class Batch {
public:
    explicit Batch(BatchInput input)
        : m_before(std::move(input)), m_keyspaces(m_before.keyspaces), m_faces(m_before.faces) {}

    /// In order; the answers to all of `operations`.
    [[nodiscard]] std::vector<Outcome> apply(std::span<const Operation> operations);

    struct VariationKey {
        const FaceKey* face;
        std::uint64_t variation;
    };
    /// What is to be written. Pointers lead into this batch and its operations.
    struct Changes {
        std::vector<std::pair<const FaceKey*, const Enrollment*>> rows;
        bool replaces = false; ///< one of `rows` takes the place of another embedding
        std::vector<VariationKey> removedRows;
        std::vector<std::pair<const FaceKey*, base::Version>> faceTombstones;
        std::vector<std::pair<VariationKey, base::Version>> variationTombstones;
        std::vector<VariationKey> removedVariationTombstones;
        /// Embeddings that were stored before are gone now.
        [[nodiscard]] bool erases() const { return replaces || !removedRows.empty(); }
    };
    [[nodiscard]] Changes changes() const;
    [[nodiscard]] const KeyspaceRegistry& keyspaces() const { return m_keyspaces; }
    /// Indices of operations whose outcome is new and must be remembered under its op id.
    [[nodiscard]] const std::vector<std::size_t>& newAnswers() const { return m_newAnswers; }
    /// The greatest version that was applied; {0, 0} when none was.
    [[nodiscard]] base::Version greatest() const { return m_greatest; }
    /// For each keyspace that died, the operation that did it.
    [[nodiscard]] const std::vector<std::pair<std::int64_t, std::size_t>>& deaths() const { return m_deaths; }

private:
    [[nodiscard]] Outcome applyOne(const AddVariation& operation);
    [[nodiscard]] Outcome applyOne(const DeleteFace& operation);
    [[nodiscard]] Outcome applyOne(const DeleteVariation& operation);
    template<class KeyspaceOperation> [[nodiscard]] Outcome applyOne(const KeyspaceOperation& operation) {
        return m_keyspaces.apply(operation);
    }
    /// Null and `refusal` filled when operations of the incarnation cannot apply.
    [[nodiscard]] const Incarnation* keyspaceFor(const std::string& incarnation, const base::FaceId& face,
                                                 base::Partition partition, base::Version version, bool isMend,
                                                 Outcome& refusal) const;
    [[nodiscard]] std::optional<std::string> whyInvalid(const Enrollment& row) const;

    const BatchInput m_before;
    KeyspaceRegistry m_keyspaces;
    std::map<FaceKey, FaceState> m_faces;
    std::map<OpId, Outcome> m_newByOpId;
    std::vector<std::size_t> m_newAnswers;
    std::vector<std::pair<std::int64_t, std::size_t>> m_deaths;
    base::Version m_greatest;
};

[[nodiscard]] const OpId& opIdOf(const Operation& operation);
[[nodiscard]] base::Version versionOf(const Operation& operation);
[[nodiscard]] bool isRemembered(const OpId& id);
/// The op ids that can be remembered.
[[nodiscard]] std::vector<OpId> opIdsOf(std::span<const Operation> operations);
/// The faces whose state the operations need. Those of unknown keyspaces are left out.
[[nodiscard]] std::set<FaceKey> faceKeysOf(std::span<const Operation> operations, const KeyspaceRegistry& keyspaces);
/// The rows that mends would replace if they are damaged: a store has to look at them and set Row::damaged.
struct Suspect {
    const FaceKey* key;
    std::uint64_t variation;
    FaceState::Row* row;
};
[[nodiscard]] std::vector<Suspect> suspectsOf(std::span<const Operation> operations, BatchInput& input);
/// True when an operation changes keyspaces.
[[nodiscard]] bool touchesKeyspaces(std::span<const Operation> operations);

} // namespace fremis::storage

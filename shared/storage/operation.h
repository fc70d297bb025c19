#pragma once

#include "shared/storage/records.h"

#include <variant>

namespace fremis::storage {

/// Names one write for ever: a store that has seen it gives its first answer again, also that there was nothing to
/// remove. All zero: not remembered.
using OpId = std::array<std::uint8_t, 16>;

// The writes. Applying them is a pure function of their versions: any order and any repetition give the same state, so
// replicas that got the same operations hold the same rows. (mustBeNewFace and onlyIfPresent look at the state first;
// only the store that is asked first may get an operation with such a flag, the others get it without. isMend is
// another matter.)

struct AddVariation {
    Enrollment row;
    OpId opId{};
    bool mustBeNewFace = false; ///< for generated face ids: refuse (Effect::FaceExists) when the face has a variation
    /// Read from the present rows of a replica, not kept in a queue: the delete horizon, which is for what comes late,
    /// does not apply, and a stored row that is damaged gives way.
    bool isMend = false;
};

/// Removes every variation of the face that is older than `version` and leaves a tombstone.
struct DeleteFace {
    std::string incarnation;
    base::FaceId face;
    base::Partition partition = 0;
    base::Version version;
    OpId opId{};
    bool onlyIfPresent = false; ///< nothing there: Effect::FaceAbsent and no tombstone
};

struct DeleteVariation {
    std::string incarnation;
    base::FaceId face;
    base::Variation variation;
    base::Partition partition = 0;
    base::Version version;
    OpId opId{};
    bool onlyIfPresent = false;
};

/// An existing keyspace is no error (Effect::Already); a threshold given then changes its threshold.
struct CreateKeyspace {
    base::KeyspaceName name;
    std::string incarnation; ///< empty: the store derives it (see deriveIncarnation) and the outcome tells it
    std::optional<double> matchThreshold;
    base::Version version;
    std::chrono::milliseconds createdAt{0};
    OpId opId{};
};

/// Ends an incarnation and all older ones of the name, with all their rows. "default" goes on, empty, as a new
/// incarnation.
struct DropKeyspace {
    base::KeyspaceName name;
    std::string incarnation;    ///< empty: the present one; the outcome tells it
    std::string newIncarnation; ///< of "default"; empty: the store derives it. Others: ignored
    base::Version version;
    OpId opId{};
};

struct SetThreshold {
    std::string incarnation;
    std::optional<double> matchThreshold; ///< none: back to the model pack's
    base::Version version;
    OpId opId{};
};

using Operation = std::variant<AddVariation, DeleteFace, DeleteVariation, CreateKeyspace, DropKeyspace, SetThreshold>;

enum class Effect {
    Applied,         ///< done and on disk
    Already,         ///< done before: the outcome is the first answer
    Stale,           ///< something newer is stored; nothing changed
    FaceExists,      ///< mustBeNewFace
    FaceAbsent,      ///< onlyIfPresent
    KeyspaceUnknown, ///< no such name or incarnation here (yet)
    KeyspaceDropped, ///< the incarnation has ended: drop the operation
    BehindHorizon,   ///< older than the tombstones that were cleared: drop the operation
    Invalid,         ///< breaks the contract of its type; `why` says how. A defect of the caller or a hostile peer
};

struct Outcome {
    Effect effect = Effect::Applied;
    std::string why;             ///< of Invalid; names no id
    std::string incarnation;     ///< that the operation was about, or that CreateKeyspace made or found
    std::string newIncarnation;  ///< DropKeyspace of "default"
    std::string face;            ///< AddVariation: of the first answer
    std::uint64_t variation = 0; ///< AddVariation: of the first answer
    base::Version version;       ///< of the first answer
    bool created = false;        ///< AddVariation: the face is new; CreateKeyspace: the keyspace is new
    std::uint64_t rowsRemoved = 0;
    std::uint64_t facesRemoved = 0;

    [[nodiscard]] bool done() const { return effect == Effect::Applied || effect == Effect::Already; }
};

/// The incarnation that a keyspace gets when it is created after `lastDrop` ({0, 0}: never dropped): 26 characters of
/// base 32 from SHA-256 over name and version. Derived, not drawn, so that two replicas asked at once, or the "default"
/// that every new store begins with, agree without talking.
[[nodiscard]] std::string deriveIncarnation(const base::KeyspaceName& name, base::Version lastDrop);

/// Exists in every store and cannot be removed, only emptied.
inline constexpr std::string_view kDefaultKeyspace = "default";

} // namespace fremis::storage

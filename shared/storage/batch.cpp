#include "shared/storage/batch.h"

#include "shared/hashing/partition.h"
#include "shared/storage/row_codec.h"

#include <cmath>

namespace fremis::storage {
namespace {

/// A shorter vector has no direction.
constexpr double kSmallestNorm = 1e-6;

Outcome outcomeOf(Effect effect, const std::string& incarnation, const base::FaceId& face, base::Version version) {
    Outcome outcome;
    outcome.effect = effect;
    outcome.incarnation = incarnation;
    outcome.face = face.text();
    outcome.version = version;
    return outcome;
}

/// A removal that found nothing is remembered without a version: were it forgotten, a late copy of it would remove what
/// was enrolled meanwhile.
bool foundNothing(const Outcome& remembered) {
    return remembered.version == base::Version();
}

bool onlyIfPresent(const Operation& operation) {
    return std::visit(
        [](const auto& one) {
            if constexpr (requires { one.onlyIfPresent; })
                return one.onlyIfPresent;
            else
                return false;
        },
        operation);
}

/// What another replica has removed under the same id is removed here too, whatever was found before.
bool holdsFor(const Outcome& remembered, const Operation& operation) {
    return !foundNothing(remembered) || onlyIfPresent(operation);
}

/// Removes rows and variation tombstones that a tombstone of the whole face at `version` covers; returns how many rows.
std::uint64_t bury(FaceState& state, base::Version version) {
    std::erase_if(state.variationTombstones, [&](const auto& entry) { return entry.second <= version; });
    return std::erase_if(state.rows, [&](const auto& entry) { return entry.second.version <= version; });
}

} // namespace

std::vector<Outcome> Batch::apply(std::span<const Operation> operations) {
    std::vector<Outcome> outcomes;
    outcomes.reserve(operations.size());
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const auto& id = opIdOf(operations[i]);
        const auto* answers = m_newByOpId.contains(id) ? &m_newByOpId : &m_before.answers;
        if (const auto known = answers->find(id);
            isRemembered(id) && known != answers->end() && holdsFor(known->second, operations[i])) {
            outcomes.push_back(known->second);
            outcomes.back().effect = foundNothing(known->second) ? Effect::FaceAbsent : Effect::Already;
            continue;
        }
        const auto deathsBefore = m_keyspaces.changes().died.size();
        outcomes.push_back(std::visit([this](const auto& operation) { return applyOne(operation); }, operations[i]));
        const auto& died = m_keyspaces.changes().died;
        for (auto death = deathsBefore; death < died.size(); ++death)
            m_deaths.emplace_back(died[death], i);
        const bool applied = outcomes.back().effect == Effect::Applied;
        if (applied)
            m_greatest = std::max(m_greatest, versionOf(operations[i]));
        if (isRemembered(id) && (applied || outcomes.back().effect == Effect::FaceAbsent)) {
            if (!m_newByOpId.insert_or_assign(id, outcomes.back()).second)
                std::erase_if(m_newAnswers, [&](auto earlier) { return opIdOf(operations[earlier]) == id; });
            m_newAnswers.push_back(i);
        }
    }
    return outcomes;
}

Outcome Batch::applyOne(const AddVariation& operation) {
    const auto& row = operation.row;
    auto outcome = outcomeOf(Effect::Applied, row.incarnation, row.face, row.version);
    outcome.variation = row.variation.value();
    const auto* keyspace =
        keyspaceFor(row.incarnation, row.face, row.partition, row.version, operation.isMend, outcome);
    if (!keyspace)
        return outcome;
    if (auto why = whyInvalid(row)) {
        outcome.effect = Effect::Invalid;
        outcome.why = std::move(*why);
        return outcome;
    }
    auto& state = m_faces[{keyspace->id, row.partition, row.face.text()}];
    const auto known = state.rows.find(row.variation.value());
    if (known != state.rows.end() && !known->second.damaged && known->second.version >= row.version) {
        outcome.effect = known->second.version == row.version ? Effect::Already : Effect::Stale;
        return outcome;
    }
    if (operation.mustBeNewFace && !state.rows.empty()) {
        outcome.effect = Effect::FaceExists;
        return outcome;
    }
    const auto buried = state.variationTombstones.find(row.variation.value());
    if ((state.tombstone && row.version <= *state.tombstone) ||
        (buried != state.variationTombstones.end() && row.version <= buried->second)) {
        outcome.effect = Effect::Stale;
        return outcome;
    }
    outcome.created = state.rows.empty();
    state.rows[row.variation.value()] = {row.version, &row};
    return outcome;
}

Outcome Batch::applyOne(const DeleteFace& operation) {
    auto outcome = outcomeOf(Effect::Applied, operation.incarnation, operation.face, operation.version);
    const auto* keyspace =
        keyspaceFor(operation.incarnation, operation.face, operation.partition, operation.version, false, outcome);
    if (!keyspace)
        return outcome;
    auto& state = m_faces[{keyspace->id, operation.partition, operation.face.text()}];
    if (state.tombstone && operation.version <= *state.tombstone) {
        outcome.effect = operation.version == *state.tombstone ? Effect::Already : Effect::Stale;
        return outcome;
    }
    if (operation.onlyIfPresent && state.rows.empty()) {
        outcome.effect = Effect::FaceAbsent;
        outcome.version = {};
        return outcome;
    }
    state.tombstone = operation.version;
    outcome.rowsRemoved = bury(state, operation.version);
    outcome.facesRemoved = outcome.rowsRemoved > 0 && state.rows.empty() ? 1 : 0;
    return outcome;
}

Outcome Batch::applyOne(const DeleteVariation& operation) {
    auto outcome = outcomeOf(Effect::Applied, operation.incarnation, operation.face, operation.version);
    outcome.variation = operation.variation.value();
    const auto* keyspace =
        keyspaceFor(operation.incarnation, operation.face, operation.partition, operation.version, false, outcome);
    if (!keyspace)
        return outcome;
    auto& state = m_faces[{keyspace->id, operation.partition, operation.face.text()}];
    const auto known = state.variationTombstones.find(operation.variation.value());
    const auto newest =
        known != state.variationTombstones.end() ? known->second : state.tombstone.value_or(base::Version());
    if (operation.version <= newest) {
        outcome.effect = operation.version == newest ? Effect::Already : Effect::Stale;
        return outcome;
    }
    const auto row = state.rows.find(operation.variation.value());
    if (operation.onlyIfPresent && row == state.rows.end()) {
        outcome.effect = Effect::FaceAbsent;
        outcome.version = {};
        return outcome;
    }
    state.variationTombstones[operation.variation.value()] = operation.version;
    if (row != state.rows.end() && row->second.version <= operation.version) {
        state.rows.erase(row);
        outcome.rowsRemoved = 1;
        outcome.facesRemoved = state.rows.empty() ? 1 : 0;
    }
    return outcome;
}

const Incarnation* Batch::keyspaceFor(const std::string& incarnation, const base::FaceId& face,
                                      base::Partition partition, base::Version version, bool isMend,
                                      Outcome& refusal) const {
    const auto* keyspace = m_keyspaces.find(incarnation);
    if (!keyspace)
        refusal.effect = Effect::KeyspaceUnknown;
    else if (keyspace->dead)
        refusal.effect = Effect::KeyspaceDropped;
    else if (!isMend && version < m_before.horizons[partition])
        refusal.effect = Effect::BehindHorizon;
    else if (!base::FaceId::parse(face.text()) || hashing::partitionOf(keyspace->name, face.text()) != partition) {
        refusal.effect = Effect::Invalid;
        refusal.why = "the face is not of this partition";
    } else {
        return keyspace;
    }
    return nullptr;
}

std::optional<std::string> Batch::whyInvalid(const Enrollment& row) const {
    if (!m_before.space)
        return "the store has no embedding space yet";
    if (row.space != m_before.space->name)
        return "the embedding is of another space than the store";
    if (row.embedding.size() != static_cast<std::size_t>(m_before.space->dimension))
        return "the embedding has a wrong length";
    if (!isFinite(row.embedding) || !std::isfinite(row.norm))
        return "the embedding is not finite";
    double square = 0;
    for (const float value : row.embedding)
        square += static_cast<double>(value) * static_cast<double>(value);
    if (!(std::sqrt(square) > kSmallestNorm))
        return "the embedding is zero";
    return std::nullopt;
}

Batch::Changes Batch::changes() const {
    static const FaceState kNothing;
    Changes changes;
    for (const auto& [key, now] : m_faces) {
        const auto found = m_before.faces.find(key);
        const auto& before = found == m_before.faces.end() ? kNothing : found->second;
        for (const auto& [variation, row] : now.rows) {
            if (!row.fresh)
                continue;
            changes.rows.emplace_back(&key, row.fresh);
            const auto old = before.rows.find(variation);
            changes.replaces = changes.replaces || old != before.rows.end();
            if (old != before.rows.end() && old->second.damaged)
                changes.removedRows.push_back({&key, variation}); // whatever version it claims
        }
        for (const auto& [variation, row] : before.rows)
            if (!now.rows.contains(variation))
                changes.removedRows.push_back({&key, variation});
        if (now.tombstone != before.tombstone)
            changes.faceTombstones.emplace_back(&key, *now.tombstone);
        for (const auto& [variation, version] : now.variationTombstones) {
            const auto old = before.variationTombstones.find(variation);
            if (old == before.variationTombstones.end() || old->second != version)
                changes.variationTombstones.push_back({{&key, variation}, version});
        }
        for (const auto& [variation, version] : before.variationTombstones)
            if (!now.variationTombstones.contains(variation))
                changes.removedVariationTombstones.push_back({&key, variation});
    }
    return changes;
}

std::vector<Suspect> suspectsOf(std::span<const Operation> operations, BatchInput& input) {
    std::vector<Suspect> suspects;
    for (const auto& operation : operations) {
        const auto* add = std::get_if<AddVariation>(&operation);
        if (!add || !add->isMend)
            continue;
        const auto face =
            input.faces.find({input.keyspaces.idOf(add->row.incarnation), add->row.partition, add->row.face.text()});
        if (face == input.faces.end())
            continue;
        const auto row = face->second.rows.find(add->row.variation.value());
        if (row != face->second.rows.end() && row->second.version >= add->row.version)
            suspects.push_back({&face->first, row->first, &row->second});
    }
    return suspects;
}

const OpId& opIdOf(const Operation& operation) {
    return std::visit([](const auto& one) -> const OpId& { return one.opId; }, operation);
}

base::Version versionOf(const Operation& operation) {
    return std::visit(
        [](const auto& one) {
            if constexpr (std::is_same_v<std::decay_t<decltype(one)>, AddVariation>)
                return one.row.version;
            else
                return one.version;
        },
        operation);
}

bool isRemembered(const OpId& id) {
    return id != OpId{};
}

std::vector<OpId> opIdsOf(std::span<const Operation> operations) {
    std::vector<OpId> ids;
    for (const auto& operation : operations)
        if (isRemembered(opIdOf(operation)))
            ids.push_back(opIdOf(operation));
    return ids;
}

std::set<FaceKey> faceKeysOf(std::span<const Operation> operations, const KeyspaceRegistry& keyspaces) {
    std::set<FaceKey> keys;
    const auto add = [&](const std::string& incarnation, base::Partition partition, const base::FaceId& face) {
        if (const auto* keyspace = keyspaces.find(incarnation); keyspace && !keyspace->dead)
            keys.insert({keyspace->id, partition, face.text()});
    };
    for (const auto& operation : operations) {
        if (const auto* row = std::get_if<AddVariation>(&operation))
            add(row->row.incarnation, row->row.partition, row->row.face);
        else if (const auto* face = std::get_if<DeleteFace>(&operation))
            add(face->incarnation, face->partition, face->face);
        else if (const auto* variation = std::get_if<DeleteVariation>(&operation))
            add(variation->incarnation, variation->partition, variation->face);
    }
    return keys;
}

bool touchesKeyspaces(std::span<const Operation> operations) {
    return std::ranges::any_of(operations, [](const Operation& operation) {
        return std::holds_alternative<CreateKeyspace>(operation) || std::holds_alternative<DropKeyspace>(operation) ||
               std::holds_alternative<SetThreshold>(operation);
    });
}

} // namespace fremis::storage

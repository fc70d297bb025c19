#pragma once

#include "shared/storage/operation.h"

#include <functional>
#include <map>
#include <set>

namespace fremis::storage {

/// One life of a keyspace, dead ones included: an operation of a dead one must be told from one of an unknown one.
struct Incarnation {
    std::int64_t id = 0; ///< local to a store; rows refer to it
    std::string name;
    std::string text;
    base::Version created; ///< the smallest version of a CreateKeyspace that named it
    std::chrono::milliseconds createdAt{0};
    std::optional<double> threshold;
    base::Version thresholdVersion;
    bool dead = false;
};

/// All keyspaces of a store and the rules of their operations, without any database.
///
/// State: for each incarnation its smallest creation version, its newest threshold and whether a drop named it; for
/// each name the floor, which is the version of its newest drop. An incarnation is dead when a drop named it or when it
/// was created below the floor. Creation versions only fall, floors only rise, dead stays dead: so the order of
/// operations does not matter. A name shows its newest incarnation that lives. Thread: as any value.
class KeyspaceRegistry {
public:
    KeyspaceRegistry() = default;
    KeyspaceRegistry(std::vector<Incarnation> incarnations, std::map<std::string, base::Version> floors);

    [[nodiscard]] const Incarnation* find(std::string_view incarnation) const;
    [[nodiscard]] const Incarnation* find(std::int64_t id) const;
    [[nodiscard]] std::int64_t idOf(std::string_view incarnation) const; ///< 0: unknown
    [[nodiscard]] std::string textOf(std::int64_t id) const;             ///< empty: unknown
    /// What the name shows now, or null.
    [[nodiscard]] const Incarnation* current(std::string_view name) const;
    [[nodiscard]] std::vector<KeyspaceRecord> records() const; ///< current ones, sorted by name
    [[nodiscard]] std::vector<std::int64_t> deadIds() const;
    /// Operations that bring any registry to know all that this one knows, dead lives included; the same for two
    /// registries that know the same, but for createdAt, which no version decides.
    [[nodiscard]] std::vector<Operation> history() const;
    [[nodiscard]] base::Version floorOf(const std::string& name) const;

    [[nodiscard]] Outcome apply(const CreateKeyspace& operation);
    [[nodiscard]] Outcome apply(const DropKeyspace& operation);
    [[nodiscard]] Outcome apply(const SetThreshold& operation);
    /// Makes a "default" when none lives.
    void ensureDefault(std::chrono::milliseconds now);

    /// What apply() has changed, for the store to write.
    struct Changes {
        std::set<std::string> incarnations;
        std::set<std::string> floors;   ///< names
        std::vector<std::int64_t> died; ///< ids, in order of death
        [[nodiscard]] bool empty() const { return incarnations.empty() && floors.empty(); }
    };
    [[nodiscard]] const Changes& changes() const { return m_changes; }
    void forgetChanges() { m_changes = {}; }

private:
    Incarnation* findForChange(std::string_view incarnation);
    Incarnation& insert(Incarnation incarnation);
    void beginAgain(const std::string& name, const std::string& incarnation, base::Version version);
    [[nodiscard]] std::optional<std::string> whyNot(const std::string& incarnation, const std::string& name) const;
    bool lowerCreation(Incarnation& incarnation, base::Version version, std::chrono::milliseconds createdAt);
    bool setThreshold(Incarnation& incarnation, std::optional<double> threshold, base::Version version);
    void kill(Incarnation& incarnation);
    void buryBelowFloor(const std::string& name);

    std::map<std::string, Incarnation, std::less<>> m_incarnations; ///< by text
    std::map<std::string, base::Version> m_floors;                  ///< by name
    std::int64_t m_nextId = 1;
    Changes m_changes;
};

} // namespace fremis::storage

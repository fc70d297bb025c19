#include "shared/storage/keyspace_registry.h"

#include <cmath>

namespace fremis::storage {
namespace {

Outcome refused(Effect effect, const std::string& incarnation, std::string why = {}) {
    Outcome outcome;
    outcome.effect = effect;
    outcome.incarnation = incarnation;
    outcome.why = std::move(why);
    return outcome;
}

/// An incarnation may come from a peer: short and printable, as the derived ones are.
bool isIncarnation(std::string_view text) {
    return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) { return c > ' ' && c < 127; });
}

bool isThreshold(const std::optional<double>& threshold) {
    return !threshold || std::isfinite(*threshold);
}

} // namespace

KeyspaceRegistry::KeyspaceRegistry(std::vector<Incarnation> incarnations, std::map<std::string, base::Version> floors)
    : m_floors(std::move(floors)) {
    for (auto& incarnation : incarnations) {
        m_nextId = std::max(m_nextId, incarnation.id + 1);
        m_incarnations.emplace(incarnation.text, std::move(incarnation));
    }
}

const Incarnation* KeyspaceRegistry::find(std::string_view incarnation) const {
    const auto found = m_incarnations.find(incarnation);
    return found == m_incarnations.end() ? nullptr : &found->second;
}

const Incarnation* KeyspaceRegistry::find(std::int64_t id) const {
    for (const auto& [text, incarnation] : m_incarnations)
        if (incarnation.id == id)
            return &incarnation;
    return nullptr;
}

std::int64_t KeyspaceRegistry::idOf(std::string_view incarnation) const {
    const auto* found = find(incarnation);
    return found ? found->id : 0;
}

std::string KeyspaceRegistry::textOf(std::int64_t id) const {
    const auto* found = find(id);
    return found ? found->text : std::string();
}

const Incarnation* KeyspaceRegistry::current(std::string_view name) const {
    const Incarnation* newest = nullptr;
    for (const auto& [text, incarnation] : m_incarnations) {
        if (incarnation.dead || incarnation.name != name)
            continue;
        if (!newest || std::tie(newest->created, newest->text) < std::tie(incarnation.created, incarnation.text))
            newest = &incarnation;
    }
    return newest;
}

std::vector<KeyspaceRecord> KeyspaceRegistry::records() const {
    std::map<std::string, const Incarnation*> newest;
    for (const auto& [text, incarnation] : m_incarnations) {
        if (incarnation.dead)
            continue;
        auto& shown = newest[incarnation.name];
        if (!shown || shown->created < incarnation.created || shown->created == incarnation.created)
            shown =
                &incarnation; // equal versions: the walk is by rising text, so the greater text wins as in current()
    }
    std::vector<KeyspaceRecord> records;
    for (const auto& [name, shown] : newest)
        records.push_back(
            {base::KeyspaceName::trusted(name), shown->text, shown->threshold, shown->created, shown->createdAt});
    return records;
}

std::vector<std::int64_t> KeyspaceRegistry::deadIds() const {
    std::vector<std::int64_t> ids;
    for (const auto& [text, incarnation] : m_incarnations)
        if (incarnation.dead)
            ids.push_back(incarnation.id);
    return ids;
}

std::vector<Operation> KeyspaceRegistry::history() const {
    std::vector<Operation> operations;
    for (const auto& [text, incarnation] : m_incarnations) {
        const auto name = base::KeyspaceName::trusted(incarnation.name);
        operations.emplace_back(CreateKeyspace{name, text, {}, incarnation.created, incarnation.createdAt, {}});
        if (incarnation.dead) // each under the newest drop: it was dead then, and the floor is the same
            operations.emplace_back(DropKeyspace{name, text, {}, floorOf(incarnation.name), {}});
        else if (incarnation.thresholdVersion != base::Version())
            operations.emplace_back(SetThreshold{text, incarnation.threshold, incarnation.thresholdVersion, {}});
    }
    return operations;
}

base::Version KeyspaceRegistry::floorOf(const std::string& name) const {
    const auto found = m_floors.find(name);
    return found == m_floors.end() ? base::Version() : found->second;
}

Outcome KeyspaceRegistry::apply(const CreateKeyspace& operation) {
    if (!isThreshold(operation.matchThreshold))
        return refused(Effect::Invalid, operation.incarnation, "the match threshold is not a number");
    const auto& name = operation.name.text();
    std::string text = operation.incarnation;
    if (text.empty()) {
        const auto* shown = current(name);
        text = shown ? shown->text : deriveIncarnation(operation.name, floorOf(name));
    }
    if (auto why = whyNot(text, name))
        return refused(Effect::Invalid, text, *why);
    Outcome outcome = refused(Effect::Already, text);
    outcome.version = operation.version;
    auto* incarnation = findForChange(text);
    if (!incarnation) {
        incarnation = &insert({0, name, text, operation.version, operation.createdAt, {}, {}, false});
        outcome.created = true;
    }
    const bool lowered = lowerCreation(*incarnation, operation.version, operation.createdAt);
    const bool changed =
        operation.matchThreshold && setThreshold(*incarnation, operation.matchThreshold, operation.version);
    buryBelowFloor(name);
    if (incarnation->dead)
        return refused(Effect::KeyspaceDropped, text);
    if (outcome.created || lowered || changed)
        outcome.effect = Effect::Applied;
    return outcome;
}

Outcome KeyspaceRegistry::apply(const DropKeyspace& operation) {
    const auto& name = operation.name.text();
    std::string text = operation.incarnation;
    if (text.empty()) {
        const auto* shown = current(name);
        if (!shown)
            return refused(Effect::KeyspaceUnknown, {});
        text = shown->text;
    }
    if (auto why = whyNot(text, name))
        return refused(Effect::Invalid, text, *why);
    std::string next;
    if (name == kDefaultKeyspace) {
        next = operation.newIncarnation.empty() ? deriveIncarnation(operation.name, operation.version)
                                                : operation.newIncarnation;
        if (auto why = whyNot(next, name))
            return refused(Effect::Invalid, next, *why);
    }
    auto* dropped = findForChange(text);
    Outcome outcome = refused(Effect::Already, text);
    outcome.version = operation.version;
    if (!dropped)
        dropped = &insert({0, name, text, operation.version, operation.version.time(), {}, {}, false});
    if (!dropped->dead || floorOf(name) < operation.version)
        outcome.effect = Effect::Applied;
    kill(*dropped);
    if (floorOf(name) < operation.version) {
        m_floors[name] = operation.version;
        m_changes.floors.insert(name);
    }
    if (!next.empty())
        beginAgain(name, next, operation.version);
    buryBelowFloor(name);
    ensureDefault(operation.version.time());
    outcome.newIncarnation = std::move(next);
    return outcome;
}

Outcome KeyspaceRegistry::apply(const SetThreshold& operation) {
    if (!isThreshold(operation.matchThreshold))
        return refused(Effect::Invalid, operation.incarnation, "the match threshold is not a number");
    auto* incarnation = findForChange(operation.incarnation);
    if (!incarnation)
        return refused(Effect::KeyspaceUnknown, operation.incarnation);
    if (incarnation->dead)
        return refused(Effect::KeyspaceDropped, operation.incarnation);
    Outcome outcome = refused(Effect::Stale, operation.incarnation);
    outcome.version = operation.version;
    if (operation.version == incarnation->thresholdVersion)
        outcome.effect = Effect::Already;
    else if (setThreshold(*incarnation, operation.matchThreshold, operation.version))
        outcome.effect = Effect::Applied;
    return outcome;
}

void KeyspaceRegistry::ensureDefault(std::chrono::milliseconds now) {
    if (current(kDefaultKeyspace))
        return;
    const auto name = base::KeyspaceName::trusted(std::string(kDefaultKeyspace));
    const auto floor = floorOf(name.text());
    // The derived one may have been dropped itself, by an operation that no honest replica sends.
    auto source = floor;
    auto text = deriveIncarnation(name, source);
    while (find(text)) {
        ++source.writer;
        text = deriveIncarnation(name, source);
    }
    insert({0, name.text(), std::move(text), floor, now, {}, {}, false});
}

void KeyspaceRegistry::beginAgain(const std::string& name, const std::string& incarnation, base::Version version) {
    if (auto* known = findForChange(incarnation))
        lowerCreation(*known, version, version.time());
    else
        insert({0, name, incarnation, version, version.time(), {}, {}, false});
}

std::optional<std::string> KeyspaceRegistry::whyNot(const std::string& incarnation, const std::string& name) const {
    if (!isIncarnation(incarnation))
        return "not an incarnation";
    const auto* known = find(incarnation);
    if (known && known->name != name)
        return "the incarnation belongs to another keyspace";
    return std::nullopt;
}

Incarnation* KeyspaceRegistry::findForChange(std::string_view incarnation) {
    const auto found = m_incarnations.find(incarnation);
    return found == m_incarnations.end() ? nullptr : &found->second;
}

Incarnation& KeyspaceRegistry::insert(Incarnation incarnation) {
    incarnation.id = m_nextId++;
    m_changes.incarnations.insert(incarnation.text);
    const auto text = incarnation.text;
    return m_incarnations.emplace(text, std::move(incarnation)).first->second;
}

bool KeyspaceRegistry::lowerCreation(Incarnation& incarnation, base::Version version,
                                     std::chrono::milliseconds createdAt) {
    if (incarnation.created <= version)
        return false;
    incarnation.created = version;
    incarnation.createdAt = createdAt;
    m_changes.incarnations.insert(incarnation.text);
    return true;
}

bool KeyspaceRegistry::setThreshold(Incarnation& incarnation, std::optional<double> threshold, base::Version version) {
    if (version <= incarnation.thresholdVersion)
        return false;
    incarnation.threshold = threshold;
    incarnation.thresholdVersion = version;
    m_changes.incarnations.insert(incarnation.text);
    return true;
}

void KeyspaceRegistry::kill(Incarnation& incarnation) {
    if (incarnation.dead)
        return;
    incarnation.dead = true;
    m_changes.incarnations.insert(incarnation.text);
    m_changes.died.push_back(incarnation.id);
}

void KeyspaceRegistry::buryBelowFloor(const std::string& name) {
    const auto floor = floorOf(name);
    for (auto& [text, incarnation] : m_incarnations)
        if (incarnation.name == name && incarnation.created < floor)
            kill(incarnation);
}

} // namespace fremis::storage

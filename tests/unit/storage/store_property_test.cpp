#include "shared/hashing/partition.h"
#include "tests/support/memory_store.h"
#include "tests/unit/storage/store_fixture.h"

#include <rapidcheck.h>

#include <random>

using namespace fremis;
using namespace fremis::storage;
using namespace fremis::storage::test;

namespace {

/// What happens to one keyspace, in terms small enough to collide often. Versions are unique: the index is part of
/// them.
struct Event {
    enum Kind { Add, RemoveFace, RemoveVariation, Create, Drop } kind = Add;
    int life = 0;      ///< which incarnation of the keyspace
    int face = 0;      ///< 0..2
    int variation = 0; ///< 0..3
    int time = 0;      ///< coarse; ties are broken by the index
    int index = 0;
    bool operator==(const Event&) const = default;
};

void showValue(const Event& event, std::ostream& out) {
    constexpr const char* kKinds[] = {"add", "remove face", "remove variation", "create", "drop"};
    out << kKinds[event.kind] << " life " << event.life << " face " << event.face << " variation " << event.variation
        << " at " << event.time << '.' << event.index;
}

base::Version versionOf(const Event& event) {
    return {static_cast<std::uint64_t>(event.time + 1) << 16, static_cast<std::uint64_t>(event.index + 1)};
}

std::uint64_t variationNumber(int variation) {
    constexpr std::uint64_t kNumbers[] = {1, 9223372036854775807U, 9223372036854775808U, 18446744073709551615U};
    return kNumbers[variation];
}

std::string faceName(int face) {
    return std::string(1, static_cast<char>('a' + face));
}

/// One keyspace in one store, under names of its own.
struct Subject {
    std::string keyspace;
    [[nodiscard]] std::string incarnation(int life) const { return keyspace + "-life-" + std::to_string(life); }
    [[nodiscard]] base::Partition partition(int face) const { return hashing::partitionOf(keyspace, faceName(face)); }

    [[nodiscard]] Operation operation(const Event& event) const {
        const Ops ops{incarnation(event.life), keyspace};
        const auto version = versionOf(event);
        switch (event.kind) {
        case Event::Add: {
            auto add = ops.add(faceName(event.face), variationNumber(event.variation), 0);
            add.row.version = version;
            return add;
        }
        case Event::RemoveFace: {
            auto remove = ops.remove(faceName(event.face), 0);
            remove.version = version;
            return remove;
        }
        case Event::RemoveVariation: {
            auto remove = ops.remove(faceName(event.face), variationNumber(event.variation), 0, 0);
            remove.version = version;
            return remove;
        }
        case Event::Create:
            return CreateKeyspace{
                base::KeyspaceName::trusted(keyspace), incarnation(event.life), {}, version, version.time(), {}};
        case Event::Drop:
            break;
        }
        return DropKeyspace{base::KeyspaceName::trusted(keyspace), incarnation(event.life), {}, version, {}};
    }
};

/// What must be in the store after all of `events`, by definition and not by a sequence of steps.
std::vector<std::string> expectedState(const Subject& subject, const std::vector<Event>& events) {
    std::map<int, base::Version> created; // smallest, by life
    std::set<int> dropped;
    base::Version floor;
    for (const auto& event : events) {
        if (event.kind == Event::Create && (!created.contains(event.life) || versionOf(event) < created[event.life]))
            created[event.life] = versionOf(event);
        if (event.kind == Event::Drop) {
            dropped.insert(event.life);
            floor = std::max(floor, versionOf(event));
        }
    }
    std::optional<int> shown;
    for (const auto& [life, version] : created)
        if (!dropped.contains(life) && version >= floor && (!shown || created[*shown] < version))
            shown = life;
    std::vector<std::string> state;
    if (!shown)
        return state;
    const auto line = [&](const std::string& what, int face, const std::string& variation, base::Version version) {
        state.push_back(what + ' ' + subject.incarnation(*shown) + ' ' + faceName(face) + ' ' + variation + ' ' +
                        std::to_string(version.stamp) + ' ' + std::to_string(version.writer));
    };
    for (int face = 0; face < 3; ++face) {
        const auto newest = [&](Event::Kind kind, std::optional<int> variation) {
            base::Version found;
            for (const auto& event : events)
                if (event.kind == kind && event.life == *shown && event.face == face &&
                    (!variation || event.variation == *variation))
                    found = std::max(found, versionOf(event));
            return found;
        };
        const auto buried = newest(Event::RemoveFace, {});
        if (buried > base::Version())
            line("tombstone", face, "all", buried);
        for (int variation = 0; variation < 4; ++variation) {
            const auto number = std::to_string(variationNumber(variation));
            const auto removed = newest(Event::RemoveVariation, variation);
            if (removed > buried)
                line("tombstone", face, number, removed);
            if (const auto added = newest(Event::Add, variation); added > buried && added > removed)
                line("row", face, number, added);
        }
    }
    std::ranges::sort(state);
    return state;
}

std::vector<std::string> stateOfSubject(EnrollmentStore& store, const Subject& subject) {
    auto state = stateOf(store);
    std::erase_if(state, [&](const std::string& line) {
        return line.find(' ' + subject.keyspace + "-life-") == std::string::npos;
    });
    return state;
}

/// Applies the events in batches of random sizes. Operations of incarnations that are not known yet wait, as they do in
/// a queue.
void applyAll(EnrollmentStore& store, const Subject& subject, std::vector<Event> events, std::mt19937& random) {
    while (!events.empty()) {
        std::vector<Event> waiting;
        for (std::size_t next = 0; next < events.size();) {
            const auto size = std::min<std::size_t>(1 + random() % 12, events.size() - next);
            std::vector<Operation> batch;
            for (std::size_t i = 0; i < size; ++i)
                batch.push_back(subject.operation(events[next + i]));
            const auto outcomes = store.commit(batch);
            RC_ASSERT(outcomes.has_value());
            for (std::size_t i = 0; i < size; ++i) {
                RC_ASSERT((*outcomes)[i].effect != Effect::Invalid);
                if ((*outcomes)[i].effect == Effect::KeyspaceUnknown)
                    waiting.push_back(events[next + i]);
            }
            next += size;
        }
        if (waiting.size() == events.size())
            return; // their keyspace never comes
        events = std::move(waiting);
    }
}

std::vector<Event> drawEvents() {
    auto events = *rc::gen::container<std::vector<Event>>(rc::gen::build<Event>(
        rc::gen::set(&Event::kind, rc::gen::weightedElement<Event::Kind>({{12, Event::Add},
                                                                          {4, Event::RemoveFace},
                                                                          {4, Event::RemoveVariation},
                                                                          {2, Event::Create},
                                                                          {1, Event::Drop}})),
        rc::gen::set(&Event::life, rc::gen::weightedElement<int>({{6, 0}, {2, 1}, {1, 2}})),
        rc::gen::set(&Event::face, rc::gen::inRange(0, 3)), rc::gen::set(&Event::variation, rc::gen::inRange(0, 4)),
        rc::gen::set(&Event::time, rc::gen::inRange(0, 12))));
    // Most runs have their first life from the start, so that they are about faces.
    events.push_back({Event::Create, 0, 0, 0, 0, 0});
    for (std::size_t i = 0; i < events.size(); ++i)
        events[i].index = static_cast<int>(i);
    return events;
}

} // namespace

class StorePropertyTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anyOrderAndAnyRepetitionGiveTheSameState_data() { addDialects(); }
    void anyOrderAndAnyRepetitionGiveTheSameState() {
        QFETCH(Dialect, dialect);
        StoreFixture fixture(dialect);
        QVERIFY(fixture.open());
        check(fixture.store());
    }

    // What simulations say of workers is worth as much as their store is like the real ones.
    void theStoreOfSimulationsDoesTheSame() {
        const fremis::test::FakeClock clock;
        const auto store = fremis::test::openMemoryStore(std::make_shared<fremis::test::MemoryDisk>(), clock);
        QVERIFY(store->claimSpace({kSpace, StoreFixture::kDimension}));
        check(*store);
    }

private:
    static void check(EnrollmentStore& store) {
        int cases = 0;
        QVERIFY(rc::check("any order and any repetition of operations give the state that their versions define", [&] {
            const auto events = drawEvents();
            std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
            const Subject subject{"k" + std::to_string(++cases)};
            auto sequence = events;
            for (const auto& event : events)
                if (random() % 3 == 0)
                    sequence.push_back(event);
            std::ranges::shuffle(sequence, random);
            applyAll(store, subject, sequence, random);
            RC_ASSERT(stateOfSubject(store, subject) == expectedState(subject, events));
        }));
    }
};

QTEST_GUILESS_MAIN(StorePropertyTest)
#include "store_property_test.moc"

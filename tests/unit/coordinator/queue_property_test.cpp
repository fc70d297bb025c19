// The queue against a model that keeps everything in lists.

#include "tests/unit/coordinator/queue_fixture.h"

#include <rapidcheck.h>

#include <map>

using namespace fremis;
using namespace fremis::coordinator;
using namespace fremis::coordinator::test;

namespace {

struct Event {
    enum Kind { Append, Confirm, Park, Retry, DropParked, Move, Mark, BeginResync, EndResync, Forget, Tidy, Reopen };
    int kind = Append;
    int target = 1;
    int face = 0;   ///< 0: a keyspace operation
    int number = 0; ///< of the record that is meant, counted from the oldest
    bool operator==(const Event&) const = default;
};

void showValue(const Event& event, std::ostream& out) {
    constexpr const char* kNames[] = {"append", "confirm",      "park",       "retry",  "drop parked", "move",
                                      "mark",   "begin resync", "end resync", "forget", "tidy",        "reopen"};
    out << kNames[event.kind] << " target " << event.target << " face " << event.face << " number " << event.number;
}

struct ModelRecord {
    Sequence sequence;
    int face;
    std::string bytes;
    bool parked = false;
};

struct ModelTarget {
    std::vector<ModelRecord> records;
    ResyncMark mark = ResyncMark::None;

    [[nodiscard]] std::string pending() const {
        std::string text;
        for (const auto& record : records) {
            const bool waits = std::any_of(records.begin(), records.end(), [&](const ModelRecord& before) {
                return before.parked && before.sequence <= record.sequence &&
                       (before.face == 0 || before.face == record.face);
            });
            if (!waits)
                text += (text.empty() ? "" : " ") + record.bytes;
        }
        return text;
    }
};

std::string faceName(int face) {
    return face == 0 ? "" : std::string(1, static_cast<char>('a' + face));
}

class Model {
public:
    explicit Model(QueueFixture& fixture) : m_fixture(fixture) {}

    void apply(const Event& event) {
        auto& store = m_fixture.store();
        const auto id = node(static_cast<std::uint8_t>(event.target));
        auto& target = m_targets[event.target];
        auto* chosen = target.records.empty()
                           ? nullptr
                           : &target.records[static_cast<std::size_t>(event.number) % target.records.size()];
        switch (event.kind) {
        case Event::Append:
            return append(event);
        case Event::Confirm:
            if (chosen) {
                RC_ASSERT(store.confirm(id, std::vector{chosen->sequence}).has_value());
                remove(target, chosen->sequence);
            }
            return;
        case Event::Park:
            if (chosen) {
                RC_ASSERT(store.park(id, chosen->sequence, "refused").has_value());
                chosen->parked = true;
            }
            return;
        case Event::Retry:
            if (chosen) {
                RC_ASSERT(*store.retryParked(id, std::span(&chosen->sequence, 1)) == std::size_t{chosen->parked});
                chosen->parked = false;
            }
            return;
        case Event::DropParked:
            if (chosen) {
                RC_ASSERT(store.dropParked(id, std::span(&chosen->sequence, 1))->size() == std::size_t{chosen->parked});
                if (chosen->parked)
                    remove(target, chosen->sequence);
            }
            return;
        case Event::Move:
            return move(event);
        case Event::Mark:
            RC_ASSERT(store.markForResync(id).has_value());
            target.records.clear();
            target.mark = ResyncMark::Marked;
            return;
        case Event::BeginResync:
            RC_ASSERT(store.beginResync(id).has_value());
            if (target.mark == ResyncMark::Marked)
                target.mark = ResyncMark::Running;
            return;
        case Event::EndResync:
            RC_ASSERT(store.endResync(id).value() == (target.mark != ResyncMark::Marked));
            if (target.mark == ResyncMark::Running)
                target.mark = ResyncMark::None;
            return;
        case Event::Forget:
            if (target.mark != ResyncMark::None)
                return; // whether a mark outlives it depends on when it is tidied
            RC_ASSERT(store.forget(id).has_value());
            target = {};
            return;
        case Event::Tidy:
            RC_ASSERT(store.tidy().has_value());
            return;
        default:
            RC_ASSERT(m_fixture.open().has_value());
            RC_ASSERT(!m_fixture.store().opening().queueLost);
            RC_ASSERT(m_fixture.store().damage().empty());
        }
    }

    void check() {
        const auto stats = m_fixture.store().stats();
        RC_ASSERT(stats.has_value());
        for (const auto& [number, target] : m_targets) {
            RC_ASSERT(m_fixture.pending(static_cast<std::uint8_t>(number)) == target.pending());
            const auto found = stats->targets.find(node(static_cast<std::uint8_t>(number)));
            const auto one = found == stats->targets.end() ? TargetStats() : found->second;
            std::uint64_t bytes = 0;
            std::uint64_t parked = 0;
            for (const auto& record : target.records) {
                bytes += record.bytes.size();
                parked += record.parked;
            }
            RC_ASSERT(one.ops == target.records.size());
            RC_ASSERT(one.enrollments + one.keyspaceOps == one.ops);
            RC_ASSERT(one.bytes == bytes);
            RC_ASSERT(one.parked == parked);
            RC_ASSERT(one.resync == target.mark);
        }
    }

private:
    static void remove(ModelTarget& target, Sequence sequence) {
        std::erase_if(target.records, [&](const ModelRecord& record) { return record.sequence == sequence; });
    }

    /// The same record for two targets, as a write that two replicas miss.
    void append(const Event& event) {
        std::vector<QueueRecord> records;
        for (const int number : {event.target, event.target % 3 + 1})
            records.push_back(record(static_cast<std::uint8_t>(number), faceName(event.face), std::to_string(++m_made),
                                     event.face == 0 ? QueuedKind::Keyspace : QueuedKind::Enrollment));
        const auto placed = m_fixture.store().append(records, std::chrono::milliseconds(m_made));
        RC_ASSERT(placed.has_value());
        for (std::size_t i = 0; i < records.size(); ++i) {
            auto& target = m_targets[records[i].target[0]];
            const bool queued = target.mark != ResyncMark::Marked;
            RC_ASSERT(placed->at(i) == (queued ? Placed::Queued : Placed::MarkedForResync));
            if (queued)
                target.records.push_back({++m_last, event.face, records[i].bytes});
        }
    }

    void move(const Event& event) {
        const int to = event.target % 3 + 1;
        hashing::PartitionSet partitions;
        partitions.insert(static_cast<base::Partition>(faceName(std::max(event.face, 1)).back()));
        std::optional<Sequence> after = 0;
        while (after) {
            const auto goOn = m_fixture.store().move(node(static_cast<std::uint8_t>(event.target)), partitions,
                                                     std::vector{node(static_cast<std::uint8_t>(to))}, *after, 2);
            RC_ASSERT(goOn.has_value());
            after = *goOn;
        }
        const auto moved = [&](const ModelRecord& one) { return one.face == std::max(event.face, 1); };
        for (const auto& one : m_targets[event.target].records)
            if (moved(one) && m_targets[to].mark != ResyncMark::Marked)
                m_targets[to].records.push_back({++m_last, one.face, one.bytes});
        std::erase_if(m_targets[event.target].records, moved);
    }

    QueueFixture& m_fixture;
    std::map<int, ModelTarget> m_targets;
    Sequence m_last = 0;
    int m_made = 0;
};

rc::Gen<Event> anyEvent() {
    using namespace rc;
    return gen::build<Event>(gen::set(&Event::kind, gen::weightedElement<int>({{12, Event::Append},
                                                                               {6, Event::Confirm},
                                                                               {4, Event::Park},
                                                                               {2, Event::Retry},
                                                                               {2, Event::DropParked},
                                                                               {2, Event::Move},
                                                                               {1, Event::Mark},
                                                                               {2, Event::BeginResync},
                                                                               {2, Event::EndResync},
                                                                               {1, Event::Forget},
                                                                               {3, Event::Tidy},
                                                                               {2, Event::Reopen}})),
                             gen::set(&Event::target, gen::inRange(1, 4)), gen::set(&Event::face, gen::inRange(0, 4)),
                             gen::set(&Event::number, gen::inRange(0, 20)));
}

} // namespace

class QueuePropertyTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theQueueIsItsModel() {
        QVERIFY(rc::check("any calls and restarts give what the model says", [] {
            const auto events = *rc::gen::container<std::vector<Event>>(anyEvent());
            QueueFixture fixture;
            RC_ASSERT(fixture.open().has_value());
            Model model(fixture);
            for (const auto& event : events) {
                model.apply(event);
                model.check();
            }
        }));
    }
};

QTEST_GUILESS_MAIN(QueuePropertyTest)
#include "queue_property_test.moc"

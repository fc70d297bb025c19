#include "tests/sim/replay.h"
#include "tests/sim/sim_world.h"

#include <QtTest>

#include <map>

using namespace fremis;
using namespace fremis::sim;
using namespace std::chrono_literals;
using coordinator::Peer;
using coordinator::PeerState;

namespace {

constexpr std::uint64_t kSeeds = 500;

/// Steps between states: the table of replica states; a restart is seen as a step back to Loading or CatchingUp.
bool mayFollow(PeerState from, PeerState to) {
    using enum PeerState;
    static const std::map<PeerState, std::set<PeerState>> kSteps = {
        {Unknown, {Loading, Down}},
        {Loading, {CatchingUp, Resync, Down}},
        {Resync, {CatchingUp, Loading, Down}},
        {CatchingUp, {Active, Loading, Resync, Down}},
        {Active, {Suspect, CatchingUp, Loading, Down}},
        {Suspect, {Active, CatchingUp, Loading, Down}},
        {Down, {Loading, CatchingUp}},
    };
    return kSteps.at(from).contains(to);
}

/// A world in which every step of every peer is looked at.
struct Watched {
    explicit Watched(std::uint64_t seed) : world(seed, SimWorld::Topology::AllEverywhere, 3) {
        world.watchdog.onState = [this](const std::shared_ptr<Peer>& peer) {
            auto& last = states[peer.get()];
            if (!mayFollow(last, peer->state))
                wrongStep = std::string(nameOf(last)) + " to " + std::string(nameOf(peer->state));
            last = peer->state;
        };
    }
    [[nodiscard]] PeerState state(std::size_t node) const { return world.cluster.view()->peers[node]->state; }

    SimWorld world;
    std::map<const Peer*, PeerState> states;
    std::string wrongStep;
};

} // namespace

class WatchdogSimTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { keepQuiet(); }

    void deadWorkersLeaveAndComeBackInTime_data() {
        QTest::addColumn<int>("fault");
        QTest::addColumn<int>("milliseconds");
        QTest::newRow("hung") << int(Fault::Hung) << 3'000;
        QTest::newRow("refused") << int(Fault::Refused) << 1'000;
    }
    void deadWorkersLeaveAndComeBackInTime() {
        QFETCH(int, fault);
        QFETCH(int, milliseconds);
        overSeeds(kSeeds, [&](std::uint64_t seed) -> std::string {
            Watched watched(seed);
            auto& world = watched.world;
            world.environment.runFor(std::chrono::milliseconds(world.chance.between(1'000, 3'000)));
            if (watched.state(0) != PeerState::Active)
                return "not active after a second";
            world.transport.workers[0].fault = static_cast<Fault>(fault);
            world.environment.runFor(std::chrono::milliseconds(milliseconds));
            if (watched.state(0) != PeerState::Down)
                return "still in rotation: " + std::string(nameOf(watched.state(0)));
            world.environment.runFor(std::chrono::milliseconds(world.chance.between(0, 20'000)));
            world.transport.workers[0].fault = Fault::None;
            world.environment.runFor(2s);
            if (watched.state(0) != PeerState::Active)
                return "not back in time: " + std::string(nameOf(watched.state(0)));
            if (watched.state(1) != PeerState::Active || watched.state(2) != PeerState::Active)
                return "another worker left with it";
            return watched.wrongStep;
        });
    }

    void statesFollowTheTableAndFlappingIsHeldDown() {
        overSeeds(kSeeds, [](std::uint64_t seed) -> std::string {
            Watched watched(seed);
            auto& world = watched.world;
            for (int i = 0; i < 30; ++i) {
                world.strike(40, {Fault::Hung, Fault::Refused, Fault::Slow, Fault::Loading});
                if (world.chance.percent(20))
                    world.watchdog.noteMissedWrite(world.cluster.view()->peers[world.chance.below(3)], false);
                world.environment.runFor(std::chrono::milliseconds(world.chance.between(0, 4'000)));
                for (const auto& peer : world.cluster.view()->peers)
                    world.watchdog.noteDrained(peer, peer->missedWrites);
            }
            world.strike(0, {Fault::None});
            world.environment.runFor(33s);
            for (std::size_t node = 0; node < 3; ++node)
                if (watched.state(node) != PeerState::Active)
                    return "not active 33 s after the last fault";
            return watched.wrongStep;
        });
    }

    // A write may still be under way to a worker that a reload has taken off the map.
    void aMissedWriteOfAWorkerOffTheMapIsNoted() {
        SimWorld world(1, SimWorld::Topology::AllEverywhere, 3);
        world.environment.runFor(2s);
        const auto before = world.cluster.view();
        world.cluster.useMap({});
        world.watchdog.followMap();
        world.watchdog.noteMissedWrite(before->peers[0], false);
        QVERIFY(before->peers[0]->state == PeerState::CatchingUp);
    }
};

QTEST_GUILESS_MAIN(WatchdogSimTest)
#include "watchdog_sim_test.moc"

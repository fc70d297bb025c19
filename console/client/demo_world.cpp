#include "console/client/demo_world.h"

#include "shared/routing/plan_output.h"

#include <algorithm>
#include <cmath>

namespace fremis::console {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr Milliseconds kLoadingTime{6000};
constexpr double kReplayedPerSecond = 600;
constexpr double kFilledPerSecond = 20'000;
constexpr routing::Range kSingleCopies{182, 207};

routing::NodeEntry entryOf(const routing::Address& address, const std::string& name, const routing::Range& range) {
    routing::NodeEntry entry;
    entry.address = address;
    entry.range = range;
    entry.name = name;
    return entry;
}

/// Even shares of the nodes; where the scenario says so, a stretch of partitions belongs to the last node alone.
std::string configOf(const DemoScenario& scenario, const std::vector<routing::NodeWish>& wishes) {
    const bool single = scenario.singleCopies && wishes.size() > 1;
    auto sharing = wishes;
    if (single)
        sharing.pop_back();
    auto even = routing::evenConfig(sharing, scenario.replication).value_or(routing::ClusterConfig());
    if (!single)
        return routing::configText(even);
    routing::ClusterConfig config;
    const auto taken = routing::setOf(kSingleCopies);
    for (const auto& entry : even.entries)
        for (const auto& range : routing::rangesOf(routing::setOf(entry.range) & ~taken))
            config.entries.push_back(entryOf(entry.address, entry.name.value_or(""), range));
    const auto& last = wishes.back();
    config.entries.push_back(entryOf(last.address, last.name.value_or(""), kSingleCopies));
    return routing::configText(config);
}

} // namespace

DemoWorld::DemoWorld(DemoScenario scenario, const base::Clock& clock)
    : m_scenario(std::move(scenario)), m_clock(clock), m_startedAt(clock.sinceEpoch()), m_now(m_startedAt),
      m_loadedAt(m_startedAt) {
    std::vector<routing::NodeWish> wishes;
    for (int number = 1; number <= m_scenario.nodes; ++number) {
        Node node;
        node.name = u"worker-%1"_s.arg(number);
        node.address = m_scenario.addresses.value(number - 1, node.name + u".demo:4003"_s);
        node.since = m_startedAt;
        node.startedAt = m_startedAt - 26h * number;
        if (auto address = routing::Address::parse(node.address.toStdString()))
            wishes.push_back({std::move(*address), node.name.toStdString(), {}, {}});
        m_nodes.push_back(node);
    }
    m_config = routing::loadConfigText(configOf(m_scenario, wishes), "config.yml").value_or(routing::ConfigFile());
    std::normal_distribution<double> spread(1.0, 0.05);
    const double mean = static_cast<double>(m_scenario.vectors) / base::kPartitionCount;
    for (std::size_t partition = 0; partition < base::kPartitionCount; ++partition) {
        const auto vectors = static_cast<quint64>(std::max(0.0, mean * spread(m_random)));
        for (auto& node : m_nodes)
            if (assignedTo(node).contains(static_cast<base::Partition>(partition)))
                node.vectors[partition] = vectors;
    }
    m_keyspaces[u"default"_s];
    m_keyspaces[u"employees"_s];
    m_keyspaces[u"visitors"_s];
    for (const auto& [name, faces] : m_keyspaces)
        m_keyspaceCreatedAt[name] = m_startedAt - 720h;
}

QStringList DemoWorld::addresses() const {
    QStringList list;
    for (const auto& node : m_nodes)
        list.append(node.address);
    return list;
}

DemoWorld::Node* DemoWorld::find(const QString& nameOrAddress) {
    if (nameOrAddress.isEmpty() || nameOrAddress == "coordinator"_L1)
        return &m_coordinator;
    for (auto& node : m_nodes)
        if (node.name == nameOrAddress || node.address == nameOrAddress)
            return &node;
    return nullptr;
}

hashing::PartitionSet DemoWorld::assignedTo(const Node& node) const {
    const auto number = m_config.map.findNode(node.address.toStdString());
    return number ? hashing::PartitionSet(m_config.map.nodes()[*number].partitions) : hashing::PartitionSet();
}

hashing::PartitionSet DemoWorld::searchable() const {
    hashing::PartitionSet set;
    for (const auto& node : m_nodes)
        if (stateOf(node) == "ACTIVE"_L1)
            set = set | assignedTo(node);
    return set;
}

QString DemoWorld::stateOf(const Node& node) const {
    switch (node.fault) {
    case DemoFault::Dead:
    case DemoFault::Hangs:
    case DemoFault::Malformed:
    case DemoFault::Fails:
    case DemoFault::Locked:
        return u"DOWN"_s;
    case DemoFault::Slow:
        return u"SUSPECT"_s;
    case DemoFault::None:
        break;
    }
    if (node.loadingSince)
        return u"LOADING"_s;
    if (node.needsResync)
        return u"RESYNC"_s;
    return node.queued > 0 ? u"CATCHING_UP"_s : u"ACTIVE"_s;
}

double DemoWorld::loadedPercent(const Node& node) const {
    if (!node.loadingSince)
        return 100;
    return std::min(100.0, 100.0 * static_cast<double>((m_now - *node.loadingSince).count()) /
                               static_cast<double>(kLoadingTime.count()));
}

void DemoWorld::setFault(const QString& nameOrAddress, DemoFault fault, Milliseconds delay) {
    auto* node = find(nameOrAddress);
    if (!node || (node->fault == fault && node->delay == delay))
        return;
    if (node->fault == DemoFault::Dead && fault != DemoFault::Dead) {
        node->loadingSince = m_now; // it was started anew
        node->startedAt = m_now;
    }
    node->fault = fault;
    node->delay = delay;
    node->since = m_now;
}

void DemoWorld::run(const DemoStep& step) {
    setFault(step.node, step.fault, step.delay);
}

void DemoWorld::catchUp() {
    const auto until = m_clock.sinceEpoch();
    while (m_now < until) {
        // Short strides: what happens in between keeps its order, however rarely somebody asks.
        const auto stride = std::min(until - m_now, Milliseconds(100));
        m_now += stride;
        const auto& steps = m_scenario.steps;
        const auto roundStart = m_startedAt + m_round * m_scenario.repeatAfter;
        while (m_nextStep < static_cast<std::size_t>(steps.size()) &&
               roundStart + steps[static_cast<qsizetype>(m_nextStep)].at <= m_now)
            run(steps[static_cast<qsizetype>(m_nextStep++)]);
        if (m_scenario.repeatAfter > 0ms && m_now >= roundStart + m_scenario.repeatAfter) {
            ++m_round;
            m_nextStep = 0;
        }
        m_toEnroll += m_scenario.enrollmentsPerSecond * static_cast<double>(stride.count()) / 1000.0;
        enroll(static_cast<quint64>(m_toEnroll));
        m_toEnroll -= std::floor(m_toEnroll);
        for (auto& node : m_nodes) {
            drain(node, stride);
            fill(node, stride);
        }
    }
}

void DemoWorld::enroll(quint64 count) {
    std::uniform_int_distribution<int> anyPartition(0, base::kPartitionCount - 1);
    for (; count > 0; --count) {
        const auto partition = static_cast<base::Partition>(anyPartition(m_random));
        const auto owners = m_config.map.owners(partition);
        const auto reachable = [this](std::uint16_t number) {
            const auto& address = m_config.map.nodes()[number].address.text();
            const auto* node = find(QString::fromStdString(address));
            return node && node->fault != DemoFault::Dead && !node->loadingSince;
        };
        if (std::none_of(owners.begin(), owners.end(), reachable))
            continue; // partition_unavailable: nothing is stored or queued
        for (const auto number : owners) {
            auto* node = find(QString::fromStdString(m_config.map.nodes()[number].address.text()));
            if (!node)
                continue;
            if (reachable(number)) {
                ++node->vectors[partition];
                continue;
            }
            ++node->queued;
            ++node->queuedInTotal;
            node->oldestQueued = node->oldestQueued.value_or(m_now);
        }
    }
}

void DemoWorld::drain(Node& node, Milliseconds time) {
    if (node.loadingSince && m_now - *node.loadingSince >= kLoadingTime) {
        node.loadingSince.reset();
        node.since = m_now;
    }
    if (node.fault == DemoFault::Dead || node.loadingSince || node.queued == 0 || node.isPaused)
        return;
    const auto most = static_cast<quint64>(kReplayedPerSecond * static_cast<double>(time.count()) / 1000.0);
    const auto done = std::min(node.queued, std::max<quint64>(1, most));
    node.queued -= done;
    node.queuedOutTotal += done;
    const auto assigned = assignedTo(node);
    for (quint64 write = 0; write < done && !assigned.empty(); ++write) {
        const auto ranges = assigned.ranges();
        const auto& range = ranges[write % ranges.size()];
        ++node.vectors[static_cast<std::size_t>(range.first +
                                                static_cast<int>(write) % (range.last - range.first + 1))];
    }
    if (node.queued == 0)
        node.oldestQueued.reset();
}

void DemoWorld::fill(Node& node, Milliseconds time) {
    if (node.fault != DemoFault::None || node.loadingSince || node.queued > 0)
        return;
    auto budget = static_cast<quint64>(kFilledPerSecond * static_cast<double>(time.count()) / 1000.0);
    const auto assigned = assignedTo(node);
    for (std::size_t partition = 0; partition < base::kPartitionCount && budget > 0; ++partition) {
        if (!assigned.contains(static_cast<base::Partition>(partition)))
            continue;
        quint64 most = 0;
        for (const auto& other : m_nodes)
            if (other.fault == DemoFault::None)
                most = std::max(most, other.vectors[partition]);
        const auto missing = std::min(budget, most - std::min(most, node.vectors[partition]));
        node.vectors[partition] += missing;
        budget -= missing;
    }
    if (budget > 0)
        node.needsResync = false; // nothing was missing any more
}

void DemoWorld::takeNewNodes() {
    for (const auto& mapped : m_config.map.nodes()) {
        const auto address = QString::fromStdString(mapped.address.text());
        if (find(address))
            continue;
        Node node;
        node.address = address;
        node.name = mapped.name ? QString::fromStdString(*mapped.name) : address;
        node.since = node.startedAt = m_now;
        node.loadingSince = m_now;
        m_nodes.push_back(node);
    }
}

quint64 DemoWorld::totalVectors() const {
    quint64 total = 0;
    for (std::size_t partition = 0; partition < base::kPartitionCount; ++partition) {
        quint64 most = 0;
        for (const auto& node : m_nodes)
            most = std::max(most, node.vectors[partition]);
        total += most;
    }
    return total;
}

} // namespace fremis::console

#include "console/client/config_draft.h"

#include "console/client/bytes.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace fremis::console {

using namespace Qt::StringLiterals;
using routing::Problem;
using routing::Rule;

namespace {

std::optional<routing::PartitionMap> mapOf(const routing::ConfigReading& reading) {
    return reading.config ? std::optional(routing::PartitionMap(*reading.config)) : std::nullopt;
}

/// The single patch that turns one text into another.
routing::Change changeBetween(std::string_view before, std::string_view after) {
    const auto shorter = std::min(before.size(), after.size());
    std::size_t head = 0;
    while (head < shorter && before[head] == after[head])
        ++head;
    std::size_t tail = 0;
    while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
        ++tail;
    routing::Change change;
    if (before != after)
        change.patches.push_back({head, std::string(before.substr(head, before.size() - head - tail)),
                                  std::string(after.substr(head, after.size() - head - tail))});
    return change;
}

} // namespace

ConfigDraft::ConfigDraft(QObject* parent) : QObject(parent), m_document(std::string()) {}

void ConfigDraft::open(const QByteArray& text, const QByteArray& etag, const QString& path) {
    m_baseText = text;
    m_etag = etag;
    m_path = path;
    m_presentText.reset();
    m_document = routing::ConfigDocument(text.toStdString(), m_rules);
    m_baseMap = mapOf(m_document.reading());
    m_isOpen = true;
    afterEdit();
}

QByteArray ConfigDraft::text() const {
    return QByteArray::fromStdString(m_document.text());
}

std::optional<routing::PartitionMap> ConfigDraft::map() const {
    return m_map;
}

QString ConfigDraft::epoch() const {
    return m_map ? QString::fromStdString(m_map->epoch()) : QString();
}

QString ConfigDraft::baseEpoch() const {
    return m_baseMap ? QString::fromStdString(m_baseMap->epoch()) : QString();
}

base::Result<routing::Change> ConfigDraft::apply(const std::vector<routing::Edit>& edits) {
    auto change = m_document.apply(edits);
    if (change)
        afterEdit();
    return change;
}

base::Result<routing::Change> ConfigDraft::replaceText(const QByteArray& text) {
    auto change = changeBetween(m_document.text(), viewOf(text));
    if (const auto patched = patch(change); !patched)
        return tl::unexpected(patched.error());
    return change;
}

base::Result<routing::Change> ConfigDraft::assign(const routing::ClusterConfig& wanted) {
    const auto edits = m_document.editsTo(wanted);
    if (!edits)
        return tl::unexpected(edits.error());
    return apply(*edits);
}

base::Status ConfigDraft::patch(const routing::Change& change) {
    auto patched = m_document.patch(change);
    if (patched)
        afterEdit();
    return patched;
}

base::Result<routing::Change> ConfigDraft::fix(std::size_t problem, std::size_t fix) {
    if (problem >= m_problems.size() || fix >= m_problems[problem].fixes.size())
        return base::fail(base::Reason::InvalidConfig, "there is no such quick fix");
    const auto edits = m_problems[problem].fixes[fix].edits; // the call replaces the problems
    return apply(edits);
}

void ConfigDraft::setSnapshot(const SnapshotPtr& snapshot) {
    m_snapshot = snapshot;
    check();
}

void ConfigDraft::setPresentText(const std::optional<QByteArray>& text) {
    m_presentText = text;
    check();
}

void ConfigDraft::setRules(const routing::ConfigRules& rules) {
    m_rules = rules;
    m_document = routing::ConfigDocument(m_document.text(), m_rules);
    check();
}

void ConfigDraft::afterEdit() {
    const auto before = epoch();
    m_map = mapOf(m_document.reading());
    if (epoch() != before)
        m_acknowledged = {}; // it was for another map
    check();
    Q_EMIT changed();
}

routing::LiveFacts liveFactsOf(const Snapshot& snapshot) {
    routing::LiveFacts facts;
    for (const auto& node : snapshot.nodes) {
        auto address = routing::Address::parse(node.address.toStdString());
        if (!address)
            continue;
        routing::NodeFacts& known = facts.nodes[*address];
        known.answers = node.state != NodeState::Down;
        if (node.reported)
            known.reportedPartitions = node.reported->bits();
        if (!node.load)
            continue;
        auto& vectors = known.vectors.emplace();
        for (std::size_t partition = 0; partition < vectors.size(); ++partition)
            vectors[partition] = (**node.load).partitions[partition].value_or(0);
    }
    if (snapshot.config)
        facts.running = (**snapshot.config).map;
    return facts;
}

routing::LiveFacts ConfigDraft::liveFacts() const {
    auto facts = m_snapshot ? liveFactsOf(*m_snapshot) : routing::LiveFacts();
    if (!facts.running)
        facts.running = m_baseMap;
    if (m_presentText) {
        facts.textWhenRead = m_baseText.toStdString();
        facts.textNow = m_presentText->toStdString();
    }
    return facts;
}

/// Adopt the worker's ranges: the other way round (restart the worker) is no edit.
void ConfigDraft::addLiveFixes(Problem& problem) const {
    if (problem.rule != Rule::Drift || !m_map || !m_snapshot)
        return;
    for (const auto& node : m_snapshot->nodes) {
        const auto number = m_map->findNode(node.address.toStdString());
        if (!number || !node.reported)
            continue;
        const auto& mapped = m_map->nodes()[*number];
        const auto reported = node.reported->bits();
        if ((reported ^ mapped.partitions) != problem.partitions || !problem.message.starts_with(mapped.label()))
            continue;
        auto wanted = *m_document.reading().config;
        std::erase_if(wanted.entries, [&mapped](const auto& entry) { return entry.address == mapped.address; });
        for (const auto& range : routing::rangesOf(reported))
            wanted.entries.push_back({mapped.address, range, mapped.name, {}});
        if (auto edits = m_document.editsTo(wanted); edits && !edits->empty())
            problem.fixes.push_back({routing::Pattern("give it the ranges that it reports"), std::move(*edits)});
        return;
    }
}

void ConfigDraft::check() {
    m_problems = m_document.reading().problems;
    if (m_map) {
        auto live = routing::checkLive(*m_map, liveFacts());
        for (auto& problem : live) {
            addLiveFixes(problem);
            const bool isAnswered = (problem.partitions & ~m_acknowledged.bits()).none();
            if (problem.rule == Rule::OrphanedData && isAnswered)
                problem.severity = routing::Severity::Warning;
        }
        m_problems.insert(m_problems.end(), std::make_move_iterator(live.begin()), std::make_move_iterator(live.end()));
    }
    std::stable_sort(m_problems.begin(), m_problems.end(),
                     [](const Problem& a, const Problem& b) { return a.severity < b.severity; });
    Q_EMIT problemsChanged();
}

PartitionSet ConfigDraft::orphaned() const {
    PartitionSet set;
    for (const auto& problem : m_problems)
        if (problem.rule == Rule::OrphanedData)
            set = set | PartitionSet(problem.partitions);
    return set;
}

void ConfigDraft::acknowledge(const PartitionSet& partitions) {
    m_acknowledged = partitions;
    check();
}

bool ConfigDraft::canApply() const {
    return m_isOpen && m_map && isChanged() && !routing::hasErrors(m_problems);
}

bool ConfigDraft::needsForce() const {
    return !orphaned().empty();
}

QStringList ConfigDraft::changesInWords() const {
    return m_baseMap && m_map ? describeChanges(*m_baseMap, *m_map) : QStringList();
}

QStringList ConfigDraft::untoldNodes() const {
    QStringList names;
    if (!m_baseMap || !m_map || !m_snapshot)
        return names;
    for (const auto& change : routing::changesBetween(*m_baseMap, *m_map))
        for (const auto& leaving : change.leaves) {
            const auto address = QString::fromStdString(leaving.text());
            const auto* node = m_snapshot->find(address);
            const auto name = node ? node->label() : address;
            if ((!node || !node->load) && !names.contains(name))
                names.append(name);
        }
    return names;
}

QStringList describeChanges(const routing::PartitionMap& before, const routing::PartitionMap& after) {
    const auto labelOf = [&](const routing::Address& address) {
        if (const auto number = after.nodeAt(address))
            return QString::fromStdString(after.nodes()[*number].label());
        const auto number = before.nodeAt(address);
        return QString::fromStdString(number ? before.nodes()[*number].label() : address.text());
    };
    std::map<std::pair<QString, QString>, routing::PartitionSet> moved; // an empty name: nobody
    for (const auto& change : routing::changesBetween(before, after)) {
        const auto pairs = std::max(change.leaves.size(), change.joins.size());
        for (std::size_t at = 0; at < pairs; ++at) {
            const auto from = at < change.leaves.size() ? labelOf(change.leaves[at]) : QString();
            const auto to = at < change.joins.size() ? labelOf(change.joins[at]) : QString();
            moved[{from, to}].set(change.partition);
        }
    }
    QStringList sentences;
    for (const auto& [pair, partitions] : moved) {
        const auto& [from, to] = pair;
        const int count = static_cast<int>(partitions.count());
        const auto ranges = QString::fromStdString(routing::rangesText(partitions));
        if (from.isEmpty())
            sentences.append(
                QCoreApplication::translate("ConfigDraft", "%1 gets a copy of %n partition(s): %2.", nullptr, count)
                    .arg(to, ranges));
        else if (to.isEmpty())
            sentences.append(
                QCoreApplication::translate("ConfigDraft", "%1 gives up %n partition(s): %2.", nullptr, count)
                    .arg(from, ranges));
        else
            sentences.append(
                QCoreApplication::translate("ConfigDraft", "%1 gives %n partition(s) to %2: %3.", nullptr, count)
                    .arg(from, to, ranges));
    }
    return sentences;
}

routing::ClusterConfig assignedTo(const routing::PartitionMap& map, const PartitionSet& partitions,
                                  const routing::Address& node) {
    const auto taker = map.nodeAt(node);
    routing::ClusterConfig config;
    for (std::size_t number = 0; number < map.nodes().size(); ++number) {
        const auto& mapped = map.nodes()[number];
        routing::PartitionSet own = mapped.partitions;
        for (std::size_t p = 0; taker && p < own.size(); ++p) {
            const auto owners = map.owners(Partition(p));
            const bool hasIt = std::find(owners.begin(), owners.end(), std::uint16_t(*taker)) != owners.end();
            if (!partitions.contains(Partition(p)) || hasIt)
                continue;
            if (number == *taker)
                own.set(p);
            else if (!owners.empty() && owners.front() == number)
                own.reset(p);
        }
        const auto weight = mapped.weight == routing::Weight() ? std::nullopt : std::optional(mapped.weight);
        for (const routing::Range& range : routing::rangesOf(own))
            config.entries.push_back({mapped.address, range, mapped.name, weight});
    }
    config.replication = map.replication();
    config.allowPartialSearch = map.allowPartialSearch();
    return config;
}

} // namespace fremis::console

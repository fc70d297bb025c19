#include "shared/routing/config_document.h"
#include "shared/routing/partition_map.h"

#include <QtTest>

#include <random>

using namespace fremis::routing;

namespace {

Address at(const std::string& text) { return *Address::parse(text); }

NodeEntry node(const std::string& address, int first, int last) { return {at(address), {first, last}, {}, {}}; }

const std::string kBlock = "# cluster of site A\n"
                           "version: \"v1\"   # frozen\n"
                           "\n"
                           "nodes:\n"
                           "  # rack 1\n"
                           "  - address: \"w1:4003\" # old\n"
                           "    partition_start: 0\n"
                           "    partition_end: 127   # half\n"
                           "    # weight: 2\n"
                           "\n"
                           "  # rack 2\n"
                           "  - partition_end: 255\n"
                           "    address: 'w2:4003'\n"
                           "    partition_start: 128\n"
                           "# the end\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto where = text.find(from);
    return where == std::string::npos ? "NOT FOUND " + from : text.replace(where, from.size(), to);
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::string line;
    for (const char c : text) {
        line += c;
        if (c == '\n')
            lines.push_back(std::exchange(line, {}));
    }
    if (!line.empty())
        lines.push_back(line);
    return lines;
}

// ---- a random config file that people could have written, and the config it means

struct Random {
    std::mt19937 engine;
    int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }
    bool maybe(int oneIn = 2) { return below(oneIn) == 0; }
    template<class T>
    const T& of(const std::vector<T>& values) {
        return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
    }
};

struct Style {
    std::string indent, gap, quote, lineBreak;
};

std::string quotedText(const std::string& text, const std::string& quote) { return quote + text + quote; }

std::string comment(Random& random) {
    return random.of<std::string>({"# note", "#\ttabbed", "#", "# partition_start: 7", "# - address: x", "# \xC3\xA9 'quoted\" [{"});
}

void writeEntry(std::string& text, const NodeEntry& entry, const Style& style, Random& random) {
    std::vector<std::pair<std::string, std::string>> pairs{{"address", quotedText(entry.address.text(), style.quote)},
                                                           {"partition_start", std::to_string(entry.range.first)},
                                                           {"partition_end", std::to_string(entry.range.last)}};
    if (entry.name)
        pairs.emplace_back("name", quotedText(*entry.name, random.maybe() ? "\"" : "'"));
    if (entry.weight)
        pairs.emplace_back("weight", entry.weight->text());
    std::shuffle(pairs.begin(), pairs.end(), random.engine);
    if (random.maybe(4)) {
        std::string inner;
        for (const auto& [key, value] : pairs)
            inner += (inner.empty() ? "" : ", ") + key + ": " + value;
        text += style.indent + "-" + style.gap + "{" + inner + "}" + (random.maybe(3) ? " " + comment(random) : "") + style.lineBreak;
        return;
    }
    const bool dashAlone = random.maybe(6);
    if (dashAlone)
        text += style.indent + "- " + comment(random) + style.lineBreak;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        text += style.indent + (i == 0 && !dashAlone ? "-" : " ") + style.gap + pairs[i].first + ": " + pairs[i].second +
                (random.maybe(5) ? "  " + comment(random) : "") + style.lineBreak;
        if (i + 1 < pairs.size() && random.maybe(8))
            text += (random.maybe() ? style.indent + " " + style.gap + comment(random) : std::string{}) + style.lineBreak;
    }
}

std::string randomFile(const ClusterConfig& config, Random& random) {
    const Style style{random.of<std::string>({"", "  ", "    "}), random.of<std::string>({" ", "   "}),
                      random.of<std::string>({"", "\"", "'"}), random.maybe(3) ? "\r\n" : "\n"};
    std::string text = random.maybe(4) ? "\xEF\xBB\xBF" : "";
    if (random.maybe())
        text += comment(random) + style.lineBreak;
    text += "version: " + random.of<std::string>({"v1", "\"v1\"", "'v1'"}) + (random.maybe() ? " " + comment(random) : "") +
            style.lineBreak;
    text += "nodes:" + std::string(random.maybe(3) ? "  " + comment(random) : "") + style.lineBreak;
    const bool spaced = random.maybe(3);
    for (const NodeEntry& entry : config.entries) {
        if (spaced && &entry != &config.entries.front())
            text += style.lineBreak;
        if (random.maybe(3))
            text += style.indent + comment(random) + style.lineBreak;
        writeEntry(text, entry, style, random);
        if (random.maybe(6))
            text += style.indent + "    " + comment(random) + style.lineBreak;
    }
    if (random.maybe(3))
        text.resize(text.size() - style.lineBreak.size());
    return text;
}

ClusterConfig randomConfig(Random& random) {
    ClusterConfig config;
    for (int first = 0; first < 256;) {
        const int last = std::min(255, first + random.below(120));
        config.entries.push_back(node("w" + std::to_string(config.entries.size()) + ".site:4003", first, last));
        if (random.maybe(3))
            config.entries.back().name = "node " + std::to_string(first);
        if (random.maybe(3))
            config.entries.back().weight = Weight::hundredths(1 + random.below(1000));
        first = last + 1;
    }
    return config;
}

// ---- a random edit and what it should do to the config

struct Step {
    std::vector<Edit> edits;
    std::vector<std::pair<std::size_t, std::string>> keys; // entry and key whose lines may change; "" = the whole entry
};

class Stepper {
public:
    Stepper(ClusterConfig& config, Random& random) : m_config(config), m_random(random) {}

    Step next() {
        const auto i = static_cast<std::size_t>(m_random.below(static_cast<int>(m_config.entries.size())));
        switch (m_random.below(8)) {
        case 0: return boundary(i);
        case 1: return named(i);
        case 2: return weighed(i);
        case 3: return split(i);
        case 4: return removed(i);
        case 5: return addressed(i);
        case 6:
            m_config.replication = m_random.maybe() ? std::optional(1) : std::nullopt;
            return {{setReplication(m_config.replication)}, {{kTop, "replication"}}};
        default:
            m_config.allowPartialSearch = m_random.maybe(3) ? std::nullopt : std::optional(m_random.maybe());
            return {{setAllowPartialSearch(m_config.allowPartialSearch)}, {{kTop, "allow_partial_search"}}};
        }
    }

    static constexpr std::size_t kTop = 99999;

private:
    // Entries need not lie in partition order after some steps.
    std::size_t after(std::size_t i) const {
        for (std::size_t j = 0; j < m_config.entries.size(); ++j)
            if (m_config.entries[j].range.first == m_config.entries[i].range.last + 1)
                return j;
        return i;
    }

    Step boundary(std::size_t i) {
        const std::size_t j = after(i);
        if (i == j)
            return {};
        const int first = m_config.entries[i].range.first;
        const int cut = first + m_random.below(m_config.entries[j].range.last - first);
        m_config.entries[i].range.last = cut;
        m_config.entries[j].range.first = cut + 1;
        return {{setEnd(i, cut), setStart(j, cut + 1)}, {{i, "partition_end"}, {j, "partition_start"}}};
    }

    Step named(std::size_t i) {
        auto& name = m_config.entries[i].name;
        name = m_random.maybe(3) ? std::nullopt : std::optional("it's \"n\" \\ " + std::to_string(m_random.engine()));
        return {{setName(i, name)}, {{i, "name"}}};
    }

    Step weighed(std::size_t i) {
        auto& weight = m_config.entries[i].weight;
        weight = m_random.maybe(3) ? std::nullopt : std::optional(Weight::hundredths(1 + m_random.below(10000)));
        return {{setWeight(i, weight)}, {{i, "weight"}}};
    }

    Step addressed(std::size_t i) {
        const std::string address = "[2001:db8::" + std::to_string(m_random.below(9999)) + "]:" + std::to_string(m_counter++);
        m_config.entries[i].address = at(address);
        return {{setAddress(i, address)}, {{i, "address"}}};
    }

    Step split(std::size_t i) {
        const Range whole = m_config.entries[i].range;
        if (whole.size() < 2)
            return {};
        const int cut = whole.first + m_random.below(whole.size() - 1);
        NodeEntry fresh = node("new" + std::to_string(m_counter++) + ":4003", cut + 1, whole.last);
        if (m_random.maybe())
            fresh.name = "fresh " + std::to_string(m_counter);
        if (m_random.maybe())
            fresh.weight = Weight::hundredths(50);
        const auto where = static_cast<std::size_t>(m_random.below(static_cast<int>(m_config.entries.size()) + 1));
        m_config.entries[i].range.last = cut;
        m_config.entries.insert(m_config.entries.begin() + static_cast<std::ptrdiff_t>(where), fresh);
        return {{setEnd(i, cut), InsertEntry{where, fresh}}, {{i, "partition_end"}}};
    }

    Step removed(std::size_t i) {
        const std::size_t j = after(i);
        if (i == j)
            return {};
        m_config.entries[j].range.first = m_config.entries[i].range.first;
        const Step step{{RemoveEntry{i}, setStart(j, m_config.entries[j].range.first)}, {{i, ""}, {j, "partition_start"}}};
        m_config.entries.erase(m_config.entries.begin() + static_cast<std::ptrdiff_t>(i));
        return step;
    }

    ClusterConfig& m_config;
    Random& m_random;
    static inline int m_counter = 1;
};

// Lines of `text` that a step may touch, found without the library: by dashes and key words.
std::vector<bool> touchable(const std::vector<std::string>& lines, const Step& step) {
    std::vector<bool> may(lines.size(), false);
    std::ptrdiff_t entry = -1;
    bool joinsNext = false; // a key that goes from beside the dash lets the next one move up
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::string bare = lines[i].substr(std::min(lines[i].size(), lines[i].find_first_not_of(" \xEF\xBB\xBF")));
        const bool isComment = bare.empty() || bare[0] == '#' || bare[0] == '\n' || bare[0] == '\r';
        const bool hasDash = bare.starts_with("-");
        if (i > 0 && joinsNext && !isComment)
            may[i] = true, joinsNext = false;
        if (hasDash) {
            ++entry;
            bare.erase(0, std::min(bare.size(), bare.find_first_not_of("- ")));
        }
        for (const auto& [where, key] : step.keys) {
            joinsNext = joinsNext || (hasDash && static_cast<std::ptrdiff_t>(where) == entry && bare.starts_with(key + ":") &&
                                      std::holds_alternative<RemoveKey>(step.edits.front()));
            const auto e = static_cast<std::ptrdiff_t>(where);
            if (key.empty())
                may[i] = may[i] || e == entry || (isComment && e == entry + 1); // its own comments above
            else if (e == entry || where == Stepper::kTop)
                may[i] = may[i] || bare.starts_with(key + ":") || bare.starts_with("{");
        }
    }
    // Without line break at the end, a new last line gives the old one a break.
    if (!lines.empty() && !lines.back().ends_with('\n'))
        may.back() = true;
    return may;
}

} // namespace

class ConfigDocumentTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void changesOnlyTheEditedBytes_data() {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<int>("edit");
        m_edits.clear();
        const auto row = [this](const char* name, const std::string& before, const std::vector<Edit>& edits, const std::string& after) {
            QTest::addRow("%s", name) << QByteArray::fromStdString(before) << QByteArray::fromStdString(after) << int(m_edits.size());
            m_edits.push_back(edits);
        };
        row("a range", kBlock, {setEnd(0, 99), setStart(1, 100)},
            replaced(replaced(kBlock, "127   #", "99   #"), "start: 128", "start: 100"));
        row("an address in double quotes", kBlock, {setAddress(0, "w9:1")}, replaced(kBlock, "\"w1:4003\"", "\"w9:1\""));
        row("an address in single quotes", kBlock, {setAddress(1, "w9:1")}, replaced(kBlock, "'w2:4003'", "'w9:1'"));
        row("a new name", kBlock, {setName(0, "first")},
            replaced(kBlock, "# half\n", "# half\n    name: \"first\"\n"));
        row("a name and a weight at once", kBlock, {setName(1, "b"), setWeight(1, Weight::hundredths(50))},
            replaced(kBlock, "start: 128\n", "start: 128\n    name: \"b\"\n    weight: 0.5\n"));
        row("replication goes below version", kBlock, {setReplication(1)}, replaced(kBlock, "# frozen\n", "# frozen\nreplication: 1\n"));
        row("an entry in the middle", kBlock, {InsertEntry{1, node("w3:4003", 100, 127)}},
            replaced(kBlock, "# weight: 2\n", "# weight: 2\n\n  - address: \"w3:4003\"\n    partition_start: 100\n    partition_end: 127\n"));
        row("an entry first", kBlock, {InsertEntry{0, node("w3:4003", 0, 9)}},
            replaced(kBlock, "  # rack 1\n", "  - address: \"w3:4003\"\n    partition_start: 0\n    partition_end: 9\n\n  # rack 1\n"));
        row("an entry last, in the manner of the one before", kBlock, {InsertEntry{2, node("w3:4003", 200, 255)}},
            replaced(kBlock, "start: 128\n", "start: 128\n\n  - partition_end: 255\n    address: 'w3:4003'\n    partition_start: 200\n"));
        row("an entry goes with its comments", kBlock, {RemoveEntry{0}},
            "# cluster of site A\nversion: \"v1\"   # frozen\n\nnodes:\n\n  # rack 2\n  - partition_end: 255\n    address: 'w2:4003'\n"
            "    partition_start: 128\n# the end\n");
        row("both entries give way to one", kBlock, {RemoveEntry{0}, RemoveEntry{1}, InsertEntry{0, node("x:1", 0, 255)}},
            "# cluster of site A\nversion: \"v1\"   # frozen\n\nnodes:\n  - address: \"x:1\"\n    partition_start: 0\n"
            "    partition_end: 255\n\n\n# the end\n");
        row("a key beside the dash goes", kBlock, {RemoveKey{1, "partition_end"}}, replaced(kBlock, "partition_end: 255\n    ", ""));
        row("a missing key goes nowhere", kBlock, {RemoveKey{1, "name"}}, kBlock);
        row("a renamed key", kBlock, {RenameKey{0, "partition_end", "partition_last"}}, replaced(kBlock, "partition_end: 127", "partition_last: 127"));

        const std::string flow = "{version: v1, nodes: [{address: w1:1, partition_start: 0, partition_end: 9}, {address: w2:1, partition_start: 10, partition_end: 255}]}";
        row("brackets: a range", flow, {setEnd(0, 19), setStart(1, 20)}, replaced(replaced(flow, "end: 9}", "end: 19}"), "start: 10", "start: 20"));
        row("brackets: a name", flow, {setName(0, "a b")}, replaced(flow, "end: 9}", "end: 9, name: \"a b\"}"));
        row("brackets: an entry last", flow, {InsertEntry{2, node("w3:1", 1, 2)}},
            replaced(flow, "255}]", "255}, {address: w3:1, partition_start: 1, partition_end: 2}]"));
        row("brackets: an entry first", flow, {InsertEntry{0, node("w3:1", 1, 2)}},
            replaced(flow, "[{", "[{address: w3:1, partition_start: 1, partition_end: 2}, {"));
        row("brackets: the first goes", flow, {RemoveEntry{0}}, replaced(flow, "{address: w1:1, partition_start: 0, partition_end: 9}, ", ""));
        row("brackets: the last goes", flow, {RemoveEntry{1}},
            replaced(flow, ", {address: w2:1, partition_start: 10, partition_end: 255}", ""));
        row("brackets: the first key goes", flow, {RemoveKey{0, "address"}}, replaced(flow, "address: w1:1, ", ""));
        row("brackets: the last key goes", flow, {RemoveKey{0, "partition_end"}}, replaced(flow, ", partition_end: 9", ""));

        const std::string bare = "version: v1\r\nnodes:\r\n- address: w1:1\r\n  partition_start: 0\r\n  partition_end: 255";
        row("no line break at the end: a key", bare, {setWeight(0, Weight::hundredths(200))}, bare + "\r\n  weight: 2");
        row("no line break at the end: an entry", bare, {InsertEntry{1, node("w2:1", 1, 2)}},
            bare + "\r\n- address: w2:1\r\n  partition_start: 1\r\n  partition_end: 2");
        row("no line break at the end: both", bare, {InsertEntry{1, node("w2:1", 1, 2)}, setName(0, "n")},
            bare + "\r\n  name: n\r\n- address: w2:1\r\n  partition_start: 1\r\n  partition_end: 2");
        row("a value where none was", "version: v1\nnodes:\n- {address: }\n- address:\n", {setAddress(0, "a:1"), setAddress(1, "b:1")},
            "version: v1\nnodes:\n- {address: a:1 }\n- address: b:1\n");
        row("version where none was", "# x\nnodes: []\n", {SetValue{std::nullopt, "version", "v1", true}}, "# x\nversion: v1\nnodes: []\n");
    }
    void changesOnlyTheEditedBytes() {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        QFETCH(int, edit);
        ConfigDocument document(before.toStdString());
        const auto change = document.apply(m_edits[static_cast<std::size_t>(edit)]);
        QVERIFY2(change, change ? "" : change.error().message.c_str());
        QCOMPARE(QByteArray::fromStdString(document.text()), after);
        QVERIFY(document.patch(change->inverse()));
        QCOMPARE(QByteArray::fromStdString(document.text()), before);
    }

    void refusesEditsThatDoNotFit_data() {
        QTest::addColumn<int>("edit");
        m_edits.clear();
        const auto row = [this](const char* name, const std::vector<Edit>& edits) {
            QTest::addRow("%s", name) << int(m_edits.size());
            m_edits.push_back(edits);
        };
        row("no such entry", {setEnd(2, 1)});
        row("nowhere to insert", {InsertEntry{3, node("a:1", 0, 1)}});
        row("removing all", {RemoveEntry{0}, RemoveEntry{1}});
        row("removing one twice", {RemoveEntry{0}, RemoveEntry{0}, InsertEntry{0, node("a:1", 0, 1)}});
        row("changing what goes", {RemoveEntry{0}, setEnd(0, 1)});
        row("one value twice", {setEnd(0, 1), setEnd(0, 2)});
        row("a line break in a value", {setName(0, "a\nversion: v2")});
        row("what YAML cannot read", {SetValue{0, "weight", "[", false}});
        row("renaming nothing", {RenameKey{0, "colour", "color"}});
        row("setting a collection", {SetValue{std::nullopt, "nodes", "1", false}});
    }
    void refusesEditsThatDoNotFit() {
        QFETCH(int, edit);
        ConfigDocument document(kBlock);
        QVERIFY(!document.apply(m_edits[static_cast<std::size_t>(edit)]));
        QCOMPARE(document.text(), kBlock);
        QVERIFY(document.reading().ok());
    }

    void keepsEveryOtherLineThroughAThousandRandomEdits() {
        int edits = 0;
        for (unsigned seed = 1; edits < 1000; ++seed) {
            Random random{std::mt19937(seed)};
            ClusterConfig config = randomConfig(random);
            ConfigDocument document(randomFile(config, random));
            QVERIFY2(document.reading().ok(), (document.reading().firstError("seed " + std::to_string(seed)) + "\n" + document.text()).c_str());
            QVERIFY(*document.reading().config == config);
            std::vector<std::pair<std::string, Change>> history;
            for (int i = 0; i < 20; ++i) {
                const ClusterConfig old = config;
                const Step step = Stepper(config, random).next();
                if (step.edits.empty())
                    continue;
                const std::string before = document.text();
                const auto change = document.apply(step.edits);
                const std::string where = "seed " + std::to_string(seed) + " step " + std::to_string(i) + "\n" + before +
                                          "\n=======\n" + document.text();
                QVERIFY2(change, (where + (change ? "" : change.error().message)).c_str());
                history.emplace_back(before, *change);
                ++edits;
                QVERIFY2(document.reading().ok(), (document.reading().firstError("f") + where).c_str());
                QVERIFY2(*document.reading().config == config, where.c_str());
                for (std::size_t e = 0; e < config.entries.size(); ++e)
                    QCOMPARE(document.reading().config->entries[e].address.text(), config.entries[e].address.text());
                verifyUntouchedLines(before, document.text(), step, where);
                if (QTest::currentTestFailed())
                    return;
            }
            for (auto it = history.rbegin(); it != history.rend(); ++it) {
                QVERIFY(document.patch(it->second.inverse()));
                QCOMPARE(document.text(), it->first);
            }
        }
        QVERIFY(edits >= 1000);
    }

    void reachesAnyWantedMapWithEdits() {
        for (unsigned seed = 1; seed <= 200; ++seed) {
            Random random{std::mt19937(seed)};
            ConfigDocument document(randomFile(randomConfig(random), random));
            ClusterConfig wanted = randomConfig(random);
            if (random.maybe())
                std::shuffle(wanted.entries.begin(), wanted.entries.end(), random.engine);
            if (random.maybe())
                wanted.replication = 1;
            const auto edits = document.editsTo(wanted);
            QVERIFY(edits);
            const std::string before = document.text();
            const auto change = document.apply(*edits);
            const std::string where = "seed " + std::to_string(seed) + "\n" + before + "\n=======\n" + document.text();
            QVERIFY2(change, ((change ? "" : change.error().message) + where).c_str());
            QVERIFY2(document.reading().ok(), (document.reading().firstError("f") + where).c_str());
            QVERIFY2(canonicalText(*document.reading().config) == canonicalText(wanted), where.c_str());
        }
    }

    void needsNoEditForTheMapItHas() {
        for (unsigned seed = 1; seed <= 50; ++seed) {
            Random random{std::mt19937(seed)};
            const ClusterConfig config = randomConfig(random);
            const ConfigDocument document(randomFile(config, random));
            QVERIFY(document.editsTo(config)->empty());
        }
    }

    void quickFixesMendWhatTheyWereOfferedFor_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("rule");
        const auto row = [](const char* name, const std::string& text, const char* rule) {
            QTest::addRow("%s", name) << QByteArray::fromStdString(text) << QByteArray(rule);
        };
        row("version missing", replaced(kBlock, "version: \"v1\"   # frozen\n", ""), "V02");
        row("version wrong", replaced(kBlock, "\"v1\"", "v2"), "V02");
        row("number too large", replaced(kBlock, "255", "256"), "V05");
        row("number below 0", replaced(kBlock, "start: 0", "start: -3"), "V05");
        row("number in quotes", replaced(kBlock, "255", "\"255\""), "V05");
        row("replication too large", "replication: 9\n" + kBlock, "V05");
        row("start after end", replaced(replaced(kBlock, "start: 0", "start: 127"), "end: 127", "end: 0"), "V06");
        row("gap", replaced(kBlock, "end: 127", "end: 100"), "V07");
        row("ragged overlap", replaced(kBlock, "end: 127", "end: 140"), "V08");
        row("replication not met", "replication: 1\nversion: v1\nnodes:\n- {address: a:1, partition_start: 0, partition_end: 255}\n"
                                   "- {address: b:1, partition_start: 0, partition_end: 255}\n", "V08");
        row("adjacent ranges", replaced(kBlock, "w2:4003", "w1:4003"), "V10");
        row("one address twice", replaced(replaced(kBlock, "w2:4003", "w1:4003"), "start: 128", "start: 100"), "V10");
        row("unknown key", replaced(kBlock, "partition_end", "partition_ends"), "V12");
    }
    void quickFixesMendWhatTheyWereOfferedFor() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, rule);
        const ConfigDocument document(text.toStdString());
        int offered = 0;
        for (const Problem& problem : document.reading().problems) {
            if (idOf(problem.rule) != rule.toStdString())
                continue;
            for (const QuickFix& fix : problem.fixes) {
                ++offered;
                ConfigDocument mended = document;
                QVERIFY2(mended.apply(fix.edits), fix.label.text().c_str());
                for (const Problem& left : mended.reading().problems)
                    QVERIFY2(left.rule != problem.rule, (fix.label.text() + " left " + problemLine("f", left)).c_str());
            }
        }
        QVERIFY(offered > 0);
    }

    void offersBothNeighboursForAGap() {
        const ConfigDocument document(replaced(kBlock, "end: 127", "end: 100"));
        const auto& fixes = document.reading().problems.front().fixes;
        QCOMPARE(fixes.size(), std::size_t{2});
        QCOMPARE(fixes[0].label.text(), std::string("give 101-127 to w1:4003 (line 6)"));
        QCOMPARE(fixes[1].label.text(), std::string("give 101-127 to w2:4003 (line 12)"));
    }

    void refusesToUndoOnAnotherText() {
        ConfigDocument document(kBlock);
        const auto change = document.apply(setEnd(0, 99));
        QVERIFY(change);
        ConfigDocument other("version: v1\n");
        QVERIFY(!other.patch(change->inverse()));
        QCOMPARE(other.text(), std::string("version: v1\n"));
    }

private:
    static void verifyUntouchedLines(const std::string& before, const std::string& after, const Step& step, const std::string& where) {
        const auto old = linesOf(before);
        const auto may = touchable(old, step);
        const auto now = linesOf(after);
        std::size_t next = 0;
        for (std::size_t i = 0; i < old.size(); ++i) {
            if (may[i])
                continue;
            while (next < now.size() && now[next] != old[i])
                ++next;
            QVERIFY2(next < now.size(), ("lost: " + old[i] + "\n" + where).c_str());
            ++next;
        }
    }

    std::vector<std::vector<Edit>> m_edits;
};

QTEST_GUILESS_MAIN(ConfigDocumentTest)
#include "config_document_test.moc"

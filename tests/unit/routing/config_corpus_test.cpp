#include "shared/routing/config_reader.h"
#include "shared/routing/config_text.h"

#include <QElapsedTimer>
#include <QtTest>

using namespace fremis::routing;

namespace {

std::string entry(const std::string& address, const std::string& first, const std::string& last) {
    return "  - address: " + address + "\n    partition_start: " + first + "\n    partition_end: " + last + "\n";
}

std::string config(const std::string& entries) {
    return "version: \"v1\"\nnodes:\n" + entries;
}

const std::string kWhole = entry("w1:4003", "0", "255");

std::string ofRule(const ConfigReading& reading, std::string_view rule, Severity severity) {
    for (const Problem& problem : reading.problems)
        if (idOf(problem.rule) == rule && problem.severity == severity)
            return problemLine("f", problem);
    return {};
}

} // namespace

class ConfigCorpusTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refusesWithFileLineAndReason_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("error");
        const auto row = [](const char* name, const std::string& text, const char* error) {
            QTest::addRow("%s", name) << QByteArray::fromStdString(text) << QByteArray(error);
        };
        row("empty", "", "f:1:1: the file is empty; it needs version and nodes");
        row("byte order mark only", "\xEF\xBB\xBF", "f:1:1: the file is empty; it needs version and nodes");
        row("comments only", "# a\n\n  # b\n", "f:1:1: the file is empty; it needs version and nodes");
        row("a list", "[]", "f:1:1: a list where a mapping with version and nodes is expected");
        row("a string", "hello", "f:1:1: a text where a mapping with version and nodes is expected");
        row("two documents", config(kWhole) + "---\n" + config(kWhole),
            "f:6:1: a second document; one file holds one map");
        row("text after the end", config(kWhole) + "...\nfoo\n", "f:7:1: text after the end of the document");
        row("a directive", "%YAML 1.1\n---\n" + config(kWhole), "f:1:1: directives are not allowed");

        row("version missing", "nodes:\n" + kWhole, "f:1:1: version is missing; write version: \"v1\"");
        row("version v2", "version: v2\nnodes:\n" + kWhole, "f:1:10: version must be \"v1\", not v2");
        row("version 1", "version: 1\nnodes:\n" + kWhole, "f:1:10: version must be \"v1\", not 1");

        row("nodes missing", "version: v1\n", "f:1:1: nodes is missing; it lists who owns which partitions");
        row("nodes without items", "version: v1\nnodes:\n",
            "f:2:1: nodes is empty; it lists who owns which partitions");
        row("nodes an empty list", "version: v1\nnodes: []\n",
            "f:2:1: nodes is empty; it lists who owns which partitions");
        row("nodes a text", "version: v1\nnodes: all\n", "f:2:1: nodes must be a list, not all");
        row("nodes a mapping", "version: v1\nnodes: {a: b}\n", "f:2:1: nodes must be a list, not a mapping");
        row("a node that is text", config("  - w1:4003\n"),
            "f:3:5: a node must be a mapping with address, partition_start and partition_end, not w1:4003");

        row("one gap", config(entry("w1:4003", "0", "100") + entry("w2:4003", "150", "255")),
            "f:4:22: partitions 101-149 belong to nobody");
        row("three gaps", config(entry("w1:4003", "1", "100") + entry("w2:4003", "102", "250")),
            "f:2:1: partitions 0, 101, 251-255 belong to nobody");
        row("one partition missing", config(entry("w1:4003", "0", "127") + entry("w2:4003", "129", "255")),
            "f:4:22: partition 128 belongs to nobody");

        row("overlap though replication is 1",
            "replication: 1\n" + config(entry("w1:4003", "0", "127") + entry("w2:4003", "100", "255")),
            "f:1:1: partitions 100-127 have 2 owners; replication is 1");
        row("single owners though replication is 2",
            "replication: 2\n" + config(entry("w1:4003", "0", "127") + entry("w2:4003", "100", "255")),
            "f:1:1: partitions 0-99, 128-255 have 1 owner; replication is 2");
        row("replication 0", "replication: 0\n" + config(kWhole),
            "f:1:14: replication must be a plain decimal number 1..1 (the number of addresses), not 0");
        row("replication above the addresses", "replication: 2\n" + config(kWhole),
            "f:1:14: replication must be a plain decimal number 1..1 (the number of addresses), not 2");
        row("replication in quotes", "replication: \"1\"\n" + config(kWhole),
            "f:1:14: replication must be a plain decimal number 1..1 (the number of addresses), not \"1\"");

        row("start after end", config(entry("w1:4003", "200", "100")),
            "f:4:22: partition_start 200 is after partition_end 100");
        for (const char* bad :
             {"-1", "256", "127.5", "\"12\"", "0x10", "010", "1_000", "yes", "+5", "1e2", ".inf", "0o17", "12a"})
            row(bad, config(entry("w1:4003", bad, "255")),
                (std::string("f:4:22: partition_start must be a plain decimal number 0..255, not ") + bad).c_str());
        row("end of nothing", config("  - address: w1:4003\n    partition_start: 0\n    partition_end:\n"),
            "f:5:19: partition_end must be a plain decimal number 0..255, not nothing");
        row("end of 256", config(entry("w1:4003", "0", "256")),
            "f:5:20: partition_end must be a plain decimal number 0..255, not 256");
        row("end missing", config("  - address: w1:4003\n    partition_start: 0\n"), "f:3:5: partition_end is missing");
        row("number in a list", config(entry("w1:4003", "[0]", "255")),
            "f:4:22: partition_start must be a plain decimal number 0..255, not a list");

        row("one address, overlapping ranges", config(entry("w1:4003", "0", "127") + entry("w1:4003", "100", "255")),
            "f:7:22: w1:4003 has partitions 100-127 twice; also in line 4");
        row("one address in two spellings", config(entry("w1:4003", "0", "255") + entry("W1:4003", "7", "7")),
            "f:7:22: W1:4003 has partition 7 twice; also in line 4");

        row("no port", config(entry("w1", "0", "255")), "f:3:14: address \"w1\": no port; write host:port");
        row("port 0", config(entry("w1:0", "0", "255")),
            "f:3:14: address \"w1:0\": the port must be a plain number 1..65535");
        row("port 70000", config(entry("w1:70000", "0", "255")),
            "f:3:14: address \"w1:70000\": the port must be a plain number 1..65535");
        row("two ports", config(entry("w1:4003:x", "0", "255")),
            "f:3:14: address \"w1:4003:x\": more than one colon; write host:port");
        row("trailing space", config(entry("\"w1:4003 \"", "0", "255")), "f:3:14: address \"w1:4003 \": a blank in it");
        row("IPv6 without brackets", config(entry("\"::1:4003\"", "0", "255")),
            "f:3:14: address \"::1:4003\": an IPv6 address needs brackets; write \"[v6]:port\"");
        row("IPv6 without quotes", config(entry("[::1]:4003", "0", "255")),
            "f:3:19: not readable as YAML; put an IPv6 address in quotes: \"[v6]:port\"");
        row("a scheme", config(entry("http://w1:4003", "0", "255")),
            "f:3:14: address \"http://w1:4003\": write host:port, without a scheme");
        row("four numbers too large", config(entry("300.1.1.1:4003", "0", "255")),
            "f:3:14: address \"300.1.1.1:4003\": not a host name");
        row("address missing", config("  - partition_start: 0\n    partition_end: 255\n"),
            "f:3:5: address is missing; write host:port");
        row("a line break in an address", config(entry("\"w1\\n:4003\"", "0", "255")),
            "f:3:14: address \"w1?:4003\": not a host name");
        row("one name for two addresses",
            config(entry("w1:4003", "0", "127") + "    name: a\n" + entry("w2:4003", "128", "255") + "    name: a\n"),
            "f:10:11: name \"a\" is also that of w1:4003 in line 6");
        row("two names for one address",
            config(entry("w1:4003", "0", "127") + "    name: a\n" + entry("w1:4003", "128", "255") + "    name: b\n"),
            "f:10:11: w1:4003 is named \"a\" in line 6 and \"b\" here");
        row("an empty name", config(kWhole + "    name: \"\"\n"),
            "f:6:11: name must be a text of 1 to 64 bytes, not \"\"");
        for (const char* bad : {"0", "-1", "100.01", "0.001", "1.", ".5", "\"2\"", "1e1", "heavy"})
            row((std::string("weight ") + bad).c_str(), config(kWhole + "    weight: " + bad + "\n"),
                (std::string("f:6:13: weight must be a plain number 0.01..100 with at most two decimals, not ") + bad)
                    .c_str());
        row("two weights for one address",
            config(entry("w1:4003", "0", "127") + "    weight: 1\n" + entry("w1:4003", "128", "255") +
                   "    weight: 2\n"),
            "f:7:5: w1:4003 has weight 1 in line 3 and 2 here");
        row("partial search yes", "allow_partial_search: yes\n" + config(kWhole),
            "f:1:23: allow_partial_search must be true or false, not yes");

        row("a misspelt key", config("  - address: w1:4003\n    partition_start: 0\n    partition_ends: 255\n"),
            "f:5:5: unknown key partition_ends; did you mean partition_end?");
        row("a key left out", config("  - address: w1:4003\n    partition_start: 0\n"),
            "f:3:5: partition_end is missing");
        row("a misspelt key beside the right one", config(kWhole + "    partition_ends: 255\n"),
            "f:6:5: unknown key partition_ends; did you mean partition_end?");
        row("exchanged letters", "verison: v1\n" + config(kWhole), "f:1:1: unknown key verison; did you mean version?");
        row("an unknown key", "colour: red\n" + config(kWhole), "f:1:1: unknown key colour");
        row("a secret", "secret_key: abc\n" + config(kWhole),
            "f:1:1: unknown key secret_key; secrets do not belong in this file");
        row("a key twice", "version: v1\n" + config(kWhole), "f:2:1: key version appears twice; first in line 1");
        row("a partition twice in one node", config(kWhole + "    partition_end: 254\n"),
            "f:6:5: key partition_end appears twice; first in line 5");

        std::string bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n";
        for (char c = 'b'; c <= 'i'; ++c) {
            const std::string last = std::string("*") + static_cast<char>(c - 1);
            bomb += std::string(1, c) + ": &" + c + " [" + last;
            for (int i = 0; i < 8; ++i)
                bomb += "," + last;
            bomb += "]\n";
        }
        row("an alias bomb", bomb + config(kWhole), "f:1:4: anchors are not allowed");
        row("an alias of itself", "a: &x [*x]\n", "f:1:4: anchors are not allowed");
        row("an alias of nothing", "a: *x\n", "f:1:4: aliases are not allowed");
        std::string chain = "a0: &a0 1\n";
        for (int i = 1; i < 5000; ++i)
            chain += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " *a" + std::to_string(i - 1) + "\n";
        row("a long alias chain", chain, "f:1:5: anchors are not allowed");
        row("a merge key", "<<: 1\n" + config(kWhole), "f:1:1: unknown key <<");
        row("a tag", "version: !!str v1\nnodes:\n" + kWhole, "f:1:10: tags are not allowed");
        row("a bare tag", "version: ! v1\nnodes:\n" + kWhole, "f:1:10: tags are not allowed");
        row("a local tag", "version: !x v1\nnodes:\n" + kWhole, "f:1:10: tags are not allowed");
        row("a key that is a list", "? [a]\n: b\n", "f:1:3: a key must be a word");
        row("block text", "version: |\n  v1\nnodes:\n" + kWhole, "f:1:10: write the value on one line");
        row("plain text over two lines", "version: v1\n  x\nnodes:\n" + kWhole, "f:1:10: write the value on one line");
        row("quoted text over two lines", "version: \"v1\n  x\"\nnodes:\n" + kWhole,
            "f:1:10: write the value on one line");
        row("nine levels", "a: [[[[[[[[1]]]]]]]]\n", "f:1:11: nested deeper than 8 levels");
        row("nine levels of blocks", "- - - - - - - - - 1\n", "f:1:17: nested deeper than 8 levels");
        row("a million brackets", std::string(1'000'000, '['), "f:1:1: a line longer than 128 KiB");
        row("100,000 brackets", std::string(100'000, '['), "f:1:9: nested deeper than 8 levels");
        row("a bracket left open", "version: [v1\n", "f:2:1: not readable as YAML: end of sequence flow not found");

        row("a tab as indentation", "version: v1\nnodes:\n\t- a\n", "f:3:1: a tab; use spaces");
        row("a tab in a value", "version: \"v1\t\"\n", "f:1:13: a tab; use spaces");
        row("not UTF-8", "version: v1 # \xFF\n", "f:1:15: not UTF-8 text");
        row("UTF-16", std::string("\xFF\xFEv\0", 4), "f:1:1: not UTF-8 text");
        row("a NUL byte", std::string("version: v1\0\n", 13), "f:1:12: a control character");
        row("a lone carriage return", "version: v1\rnodes: []\n", "f:1:12: a carriage return without line feed");
        row("ten megabytes", std::string(10'000'000, '#'), "f: larger than 1 MiB");
        row("a byte over 1 MiB", config(kWhole) + std::string(1024 * 1024, '\n'), "f: larger than 1 MiB");
        std::string many;
        for (int i = 0; i < 257; ++i)
            many += entry("w" + std::to_string(i) + ":4003", std::to_string(i % 256), std::to_string(i % 256));
        row("257 addresses", config(many), "f:2:1: more than 256 addresses in nodes (257)");
        std::string entries;
        for (int i = 0; i < 2049; ++i)
            entries += "- {address: w:1}\n";
        row("2049 entries", config(entries), "f:2:1: more than 2048 entries in nodes");
        std::string keys;
        for (int i = 0; i < 100'000; ++i)
            keys += "a: b\n";
        row("100,000 keys", keys, "f: more than 24000 keys and values");
    }
    void leavesOutWhatMeansNothing() {
        const std::string text = "\xEF\xBB\xBF# v\na: \"x # y\" # z\r\n\n  # w\nb: c#d  \ne: 'f'' # g'   # h";
        const CondensedText condensed(text);
        QCOMPARE(condensed.text(), std::string("a: \"x # y\"\nb: c#d\ne: 'f'' # g'"));
        for (const char* part : {"a:", "\"x", "b:", "c#d", "e:", "'f'"})
            QCOMPARE(condensed.originalOffset(condensed.text().find(part)), text.find(part));
        QCOMPARE(condensed.originalOffset(condensed.text().size()), text.size());
        const auto reading = readConfig("# \"\nversion: \"v1\" # it's \"v1\"\nnodes: # [\n  # {\n"
                                        "  - {address: a:1, partition_start: 0, partition_end: 255} # }\n");
        QVERIFY2(reading.ok(), reading.firstError("f").c_str());
    }
    void refusesWithFileLineAndReason() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, error);
        const ConfigReading reading = readConfig(text.toStdString());
        QVERIFY(!reading.ok());
        QCOMPARE(QByteArray::fromStdString(reading.firstError("f")), error);
    }

    void accepts_data() {
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char* name, const std::string& text) {
            QTest::addRow("%s", name) << QByteArray::fromStdString(text);
        };
        row("one node", config(kWhole));
        row("a byte order mark", "\xEF\xBB\xBF" + config(kWhole));
        row("CRLF", QByteArray::fromStdString(config(kWhole)).replace("\n", "\r\n").toStdString());
        row("a tab in a comment", config(kWhole) + "#\tx\n");
        row("a document start and end", "---\n" + config(kWhole) + "...\n");
        row("brackets", "{version: v1, nodes: [{address: 'w1:4003', partition_start: 0, partition_end: 255}]}");
        row("two nodes with one range", config(kWhole + entry("w2:4003", "0", "255")));
        row("one address, disjoint ranges", config(entry("w1:4003", "0", "127") + entry("w1:4003", "128", "255")));
        row("IPv6", config(entry("\"[::1]:4003\"", "0", "255")));
        row("IPv6 with zone", config(entry("\"[fe80::1%eth0]:4003\"", "0", "255")));
        row("an upper-case host", config(entry("Worker-1.Example.ORG:4003", "0", "255")));
        row("an address for any interface",
            config(entry("0.0.0.0:4003", "0", "127") + entry("0.0.0.0:4004", "128", "255")));
        row("all keys",
            "replication: 1\nallow_partial_search: true\n" + config(kWhole + "    name: w\n    weight: 0.5\n"));
        std::string many;
        for (int i = 0; i < 256; ++i)
            many += entry("w" + std::to_string(i) + ":4003", std::to_string(i), std::to_string(i));
        row("256 addresses", config(many));
    }
    void accepts() {
        QFETCH(QByteArray, text);
        const ConfigReading reading = readConfig(text.toStdString());
        QCOMPARE(reading.firstError("f"), std::string{});
        QVERIFY(reading.ok());
    }

    void warnsAndRemarks_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("rule");
        QTest::addColumn<QByteArray>("severity");
        QTest::addColumn<QByteArray>("line");
        const auto row = [](const char* name, const std::string& text, const char* rule, const char* severity,
                            const char* line) {
            QTest::addRow("%s", name) << QByteArray::fromStdString(text) << QByteArray(rule) << QByteArray(severity)
                                      << QByteArray(line);
        };
        row("ragged overlap", config(entry("w1:4003", "0", "127") + entry("w2:4003", "100", "255")), "V08", "warning",
            "f:7:22: range 100-255 overlaps 0-127 of w1:4003 (line 4) without being equal; replicated are 100-127");
        row("ragged overlap as replication wants it",
            "replication: 2\n" + config(entry("w1:4003", "0", "170") + entry("w2:4003", "171", "255") +
                                        entry("w2:4003", "0", "85") + entry("w3:4003", "86", "255")),
            "V08", "info",
            "f:11:22: range 0-85 overlaps 0-170 of w1:4003 (line 5) without being equal; replicated are 0-85");
        row("equal ranges", config(kWhole + entry("w2:4003", "0", "255")), "V08", "info",
            "f:2:1: partitions 0-255 have 2 owners");
        row("two ranges", config(entry("w1:4003", "0", "99") + entry("w1:4003", "100", "255")), "V10", "info",
            "f:6:5: w1:4003 has 2 ranges: 0-255");
        row("a local target among others", config(entry("0.0.0.0:4003", "0", "99") + entry("w2:4003", "100", "255")),
            "V11", "warning",
            "f:3:14: address 0.0.0.0:4003 means the coordinator's own machine, yet the cluster has others");
        row("replicas on one host", config(kWhole + entry("w1:4004", "0", "255")), "V14", "warning",
            "f:6:14: partitions 0-255: w1:4003 and w1:4004 are on one host and fail together");
    }
    void warnsAndRemarks() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, rule);
        QFETCH(QByteArray, severity);
        QFETCH(QByteArray, line);
        const ConfigReading reading = readConfig(text.toStdString());
        QVERIFY2(reading.ok(), reading.firstError("f").c_str());
        const Severity wanted = severity == "warning" ? Severity::Warning : Severity::Info;
        QCOMPARE(QByteArray::fromStdString(ofRule(reading, rule.toStdString(), wanted)), line);
    }

    void reportsEveryProblemInOrder() {
        const ConfigReading reading =
            readConfig("version: v2\nnodes:\n" + entry("w1", "0", "300") + "    colour: red\n");
        std::vector<std::string> lines;
        for (const Problem& problem : reading.problems)
            lines.push_back(std::string(idOf(problem.rule)) + " " + std::to_string(problem.line));
        QCOMPARE(lines, (std::vector<std::string>{"V02 1", "V04 3", "V05 5", "V12 6"}));
    }

    void takesTheProfilesReplicationAsAWarning() {
        ConfigRules rules;
        rules.expectedReplication = 2;
        const ConfigReading thin = readConfig(config(kWhole), rules);
        QVERIFY(thin.ok());
        QCOMPARE(ofRule(thin, "V09", Severity::Warning),
                 std::string("f:2:1: partitions 0-255 have 1 owner, expected are 2"));
        rules.expectedReplication = 1;
        const ConfigReading over = readConfig(config(kWhole + entry("w2:4003", "0", "255")), rules);
        QCOMPARE(ofRule(over, "V08", Severity::Warning),
                 std::string("f:2:1: partitions 0-255 have 2 owners, expected are 1"));
    }

    void refusesTheCoordinatorsOwnAddress_data() {
        QTest::addColumn<QByteArray>("listens");
        QTest::addColumn<QByteArray>("address");
        QTest::addColumn<bool>("same");
        QTest::addRow("same text") << QByteArray("c1:4005") << QByteArray("c1:4005") << true;
        QTest::addRow("any interface, local name")
            << QByteArray("0.0.0.0:4005") << QByteArray("localhost:4005") << true;
        QTest::addRow("any interface, loopback") << QByteArray("0.0.0.0:4005") << QByteArray("127.0.0.1:4005") << true;
        QTest::addRow("another port") << QByteArray("0.0.0.0:4005") << QByteArray("0.0.0.0:4003") << false;
        QTest::addRow("another host") << QByteArray("0.0.0.0:4005") << QByteArray("w1:4005") << false;
    }
    void refusesTheCoordinatorsOwnAddress() {
        QFETCH(QByteArray, listens);
        QFETCH(QByteArray, address);
        QFETCH(bool, same);
        ConfigRules rules;
        rules.ownAddresses.push_back(*Address::parse(listens.toStdString()));
        const ConfigReading reading = readConfig(config(entry(address.toStdString(), "0", "255")), rules);
        QCOMPARE(reading.ok(), !same);
        if (same)
            QCOMPARE(reading.firstError("f"),
                     "f:3:14: address \"" + address.toStdString() + "\" is the coordinator itself; name a worker");
    }

    void countsColumnsInCharacters() {
        const ConfigReading reading =
            readConfig("nodes: [{name: \"\xC3\xA9\xF0\x9F\x98\x80\", wheight: 1}]\nversion: v1\n");
        QVERIFY(std::any_of(reading.problems.begin(), reading.problems.end(), [](const Problem& p) {
            return p.rule == Rule::UnknownKey && p.line == 1 && p.column == 22;
        }));
    }

    void endsEveryHostileTextQuickly_data() {
        QTest::addColumn<QByteArray>("unit");
        for (const char* unit : {"[",     "{",  "- ",   "? ",   "{a: ",    "{a,", "[a:",   "- a: ",  "a\n",   "a: b\n",
                                 "---\n", "\n", "#",    "'",    "\"",      "!",   "&a ",   "*a ",    ": ",    ",",
                                 "a",     "a,", "%A\n", "|\n ", "\"a\": ", "[]",  "[],\n", "- {}\n", "a: |\n"})
            QTest::addRow("%s", QByteArray(unit).toPercentEncoding().constData()) << QByteArray(unit);
    }
    void endsEveryHostileTextQuickly() {
        QFETCH(QByteArray, unit);
        for (const char* before : {"", "a: ", "[", "\"", "nodes:\n"}) {
            std::string text = before;
            while (text.size() + static_cast<std::size_t>(unit.size()) <= kMaxConfigBytes)
                text += unit.toStdString();
            QElapsedTimer timer;
            timer.start();
            QVERIFY(!readConfig(text).ok());
            QVERIFY2(timer.elapsed() < 5000, "work grows faster than the text"); // a hang, not a benchmark
        }
    }
};

QTEST_GUILESS_MAIN(ConfigCorpusTest)
#include "config_corpus_test.moc"

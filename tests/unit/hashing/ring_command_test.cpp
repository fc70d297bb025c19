#include "server/app/ring_command.h"
#include "server/app/ring_demos.h"
#include "server/app/ring_svg.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <sstream>

using namespace fremis::app;
using namespace fremis::app::ring;

namespace {

struct Ran {
    int exit;
    QByteArray out;
    QByteArray err;
};

Ran ran(const QStringList& words, bool terminal = false) {
    std::vector<std::string> args;
    for (const QString& word : words)
        args.push_back(word.toStdString());
    std::ostringstream out;
    std::ostringstream err;
    const int exit = runOn({out, err, terminal}, args);
    return {exit, QByteArray::fromStdString(out.str()), QByteArray::fromStdString(err.str())};
}

QJsonObject json(const QStringList& words) {
    const Ran result = ran(words + QStringList{QStringLiteral("--format"), QStringLiteral("json")});
    QJsonParseError error;
    const auto document = QJsonDocument::fromJson(result.out, &error);
    if (result.exit > 1 || error.error != QJsonParseError::NoError)
        qWarning("%s%s: %s", result.out.data(), result.err.data(), qPrintable(error.errorString()));
    return document.object();
}

QStringList words(const char* line) {
    return QString::fromUtf8(line).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

QStringList column(const QJsonObject& report, const char* table, const char* key) {
    QStringList values;
    for (const auto& row : report[QLatin1String(table)].toArray())
        values << row.toObject()[QLatin1String(key)].toVariant().toString();
    return values;
}

} // namespace

class RingCommandTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Lessons: exact numbers.
    void moduloMovesMostKeysAndTheRingFew() {
        const ModnLesson lesson = modnLesson();
        QCOMPARE(lesson.integerMoved3To4, 749'998u);
        QCOMPARE(lesson.integerMoved10To11, 909'090u);
        QCOMPARE(lesson.md5Moved3To4, 7510u);
        QCOMPARE(lesson.md5Moved10To11, 9123u);
        QCOMPARE(lesson.ringMoved, 2379u);
        QCOMPARE(lesson.ringMovedBetweenOldNodes, 0u);
        QCOMPARE(lesson.ringBefore, (std::vector<std::uint64_t>{3155, 3416, 3429}));
        QCOMPARE(lesson.ringAfter, (std::vector<std::uint64_t>{2531, 2527, 2563, 2379}));
    }
    void theWorkedRingComesOutAsOnPaper() {
        const WorkedLesson lesson = workedLesson();
        const std::vector<std::pair<int, std::string>> expected{{100, "N1"}, {149, "N1"}, {150, "N1"},
                                                                {151, "N2"}, {519, "N2"}, {900, "N1"}};
        QCOMPARE(lesson.examples.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QCOMPARE(lesson.examples[i].key, expected[i].first);
            QCOMPARE(lesson.examples[i].node, expected[i].second);
        }
        QCOMPARE(lesson.before, (std::vector<std::uint64_t>{270, 370, 360}));
        QCOMPARE(lesson.after, (std::vector<std::uint64_t>{270, 220, 360, 150}));
        QCOMPARE(lesson.firstMoved, 151);
        QCOMPARE(lesson.lastMoved, 300);
        QCOMPARE(lesson.moved, 150u);
        QCOMPARE(lesson.from, std::string("N2"));
        QCOMPARE(lesson.to, std::string("N4"));
        QCOMPARE(lesson.moduloMoved, 748u);
    }
    void virtualNodesEvenTheRingOut() {
        const VnodesLesson lesson = vnodesLesson();
        const auto rowOf = [](const std::vector<VnodesLesson::Row>& rows, std::uint32_t points) {
            return *std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.points == points; });
        };
        const auto rounded = [](double value, int decimals) { return decimalText(value, decimals); };
        QCOMPARE(rounded(rowOf(lesson.ten, 1).deviation, 3), std::string("0.862"));
        QCOMPARE(rounded(rowOf(lesson.ten, 1).most, 2), std::string("2.87"));
        QCOMPARE(rounded(rowOf(lesson.ten, 200).deviation, 3), std::string("0.085"));
        QCOMPARE(rounded(rowOf(lesson.ten, 200).most, 2), std::string("1.10"));
        QCOMPARE(rounded(rowOf(lesson.three, 1).deviation, 3), std::string("0.677"));
        QCOMPARE(rounded(rowOf(lesson.three, 200).deviation, 3), std::string("0.039"));
        QCOMPARE(rounded(rowOf(lesson.ten, 100).theory, 3), std::string("0.100"));
    }
    void manyTakeOverFromADeadNode() {
        const FailureLesson lesson = failureLesson();
        const auto& one = lesson.rows[0];
        QCOMPARE(one.points, 1u);
        QCOMPARE(one.least, 1u);
        QCOMPARE(one.most, 1u);
        const auto& hundred = lesson.rows[2];
        QCOMPARE(hundred.points, 100u);
        QCOMPARE(hundred.least, 54u);
        QCOMPARE(hundred.most, 70u);
        QCOMPARE(std::lround(hundred.mean), 62L);
        QCOMPARE(hundred.ofNode1, 63u);
        QCOMPARE(lesson.receivers.size(), std::size_t{100});
    }
    void eachDemoPrintsInEachFormat_data() {
        QTest::addColumn<QString>("demo");
        for (const char* demo : {"modn", "worked", "vnodes", "failure"})
            QTest::newRow(demo) << QString::fromLatin1(demo);
    }
    void eachDemoPrintsInEachFormat() {
        QFETCH(QString, demo);
        const QStringList command{QStringLiteral("demo"), demo};
        QCOMPARE(json(command)[QLatin1String("format")].toString(), QStringLiteral("fremis-ring-demo-%1/1").arg(demo));
        QVERIFY(ran(command).out.size() > 200);
        const auto csv = ran(command + words("--format csv")).out.split('\n');
        QVERIFY(csv.size() > 2);
        QCOMPARE(csv[1].count(','), csv[0].count(','));
    }

    void partitionShowsTheRule() {
        const auto report = json(words("partition default alice"));
        QCOMPARE(report[QLatin1String("format")].toString(), QStringLiteral("fremis-ring-partition/1"));
        QCOMPARE(report[QLatin1String("text")].toString(), QStringLiteral("default-alice"));
        QVERIFY(report[QLatin1String("digest")].toString().startsWith(QStringLiteral("325b8926")));
        QCOMPARE(report[QLatin1String("byte")].toString(), QStringLiteral("26"));
        QCOMPARE(report[QLatin1String("partition")].toInt(), 38);
        QCOMPARE(
            json({QStringLiteral("partition"), QStringLiteral("k"), QString()})[QLatin1String("partition")].toInt(),
            235);
    }
    void partitionNamesTheOwnersOfAConfig() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("config.yml"));
        write(file, "version: v1\nnodes:\n  - address: 10.0.0.1:4003\n    partition_start: 0\n    partition_end: 127\n"
                    "  - address: 10.0.0.2:4003\n    partition_start: 128\n    partition_end: 255\n");
        const QStringList config{QStringLiteral("--config"), file};
        QCOMPARE(json(words("partition default alice") + config)[QLatin1String("owners")].toString(),
                 QStringLiteral("10.0.0.1:4003"));
        QCOMPARE(json(words("partition default 1") + config)[QLatin1String("owners")].toString(),
                 QStringLiteral("10.0.0.2:4003"));
        write(file, "nodes: [");
        const Ran broken = ran(words("partition default alice") + config);
        QCOMPARE(broken.exit, 78);
        QVERIFY(broken.err.contains("config.yml"));
    }
    void locateListsOwnersInOrder_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("owners");
        QTest::newRow("ring")
            << "locate --scheme ring --points 2 --nodes node1,node2,node3 --key default-1234567891 --replicas 3"
            << "node1 node3 node2";
        QTest::newRow("ring wraps") << "locate --points=2 --nodes=node1,node2,node3 --key=k10 --replicas=3"
                                    << "node2 node1 node3";
        QTest::newRow("hrw") << "locate --scheme hrw --nodes node3,node1,node2 --key employee-7 --replicas 3"
                             << "node2 node1 node3";
        QTest::newRow("zones apart")
            << "locate --scheme hrw --nodes node1:1:a,node2:1:a,node3:1:b --key employee-7 --replicas 2 --spread zone"
            << "node2 node3";
    }
    void locateListsOwnersInOrder() {
        QFETCH(QString, command);
        QFETCH(QString, owners);
        const auto report = json(command.split(QLatin1Char(' ')));
        QCOMPARE(column(report, "owners", "node").join(QLatin1Char(' ')), owners);
    }
    void locateExplainsThePlaceForEachScheme() {
        QCOMPARE(
            json(words("locate --scheme ring --points 2 --nodes node1,node2,node3 --key a-b-c"))[QLatin1String("place")]
                .toString(),
            QStringLiteral("point e503b09e10857297 is the first at or after it"));
        for (const auto& info : fremis::hashing::schemeTable()) {
            const auto report = json(words("locate --key k1 --scheme") << QString::fromLatin1(info.token.data()));
            QVERIFY2(!report[QLatin1String("place")].toString().isEmpty(), info.token.data());
        }
        QVERIFY(ran(words("locate --key k --nodes a,b --replicas 3")).out.contains("Fewer nodes than copies"));
        QCOMPARE(ran(words("locate --key k --nodes 3 --replicas 3")).out,
                 ran(words("locate --key k --nodes node1,node2,node3 --replicas 3")).out);
    }

    void tablesLeaveOutColumnsWithoutAValue() {
        const QByteArray plain = ran(words("locate --key k --nodes a,b --replicas 2")).out;
        QVERIFY2(plain.contains("rank  node\n----  ----\n"), plain.data());
        const QByteArray zones = ran(words("locate --key k --nodes a:1:east,b --replicas 2")).out;
        QVERIFY2(zones.contains("rank  node  zone\n"), zones.data());
        QVERIFY(ran(words("locate --key k --nodes a,b --format csv")).out.startsWith("rank,node,zone,rack,host\n"));
    }
    void reportGivesTheGoldenShares() {
        const auto report = json(words("report --scheme ring --keys 100000 --replicas 3"));
        QCOMPARE(column(report, "nodes", "load").first(), QStringLiteral("11187"));
        QCOMPARE(report[QLatin1String("failures_tried")].toInt(), 10);
        QVERIFY(report[QLatin1String("bytes")].toInt() > 0);
        QCOMPARE(column(report, "nodes", "partners").first(), QStringLiteral("9"));
        QCOMPARE(report[QLatin1String("between_survivors")].toDouble(), 0.0);
    }
    void reportNamesTheHottestKeysOfAFile() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("keys.txt"));
        write(file, "cold\t1\nhot\t900\r\nwarm\t70\n\n");
        const auto report = json(words("report --nodes a,b --keys") << file);
        QCOMPARE(column(report, "hottest", "key"), words("hot warm cold"));
        QCOMPARE(column(report, "hottest", "count"), words("900 70 1"));
        write(file, "hot\tmany\n");
        QCOMPARE(ran(words("report --nodes a,b --keys") << file).exit, 78);
    }
    void reportBoundsLoads() {
        const auto report = json(words("report --nodes a,b,c,d --keys 2000 --epsilon 0.05"));
        QVERIFY(report[QLatin1String("bounded_most")].toDouble() <= 1.05);
        QVERIFY(report[QLatin1String("bounded_skips")].toInt() > 0);
    }
    void diffGivesPairs() {
        const auto report = json(words("diff --scheme ring --from a,b,c --to a,b,c,d"));
        QCOMPARE(report[QLatin1String("between_survivors")].toDouble(), 0.0);
        QCOMPARE(report[QLatin1String("ideal")].toDouble(), 0.25);
        QCOMPARE(column(report, "pairs", "to"), words("d d d"));
        for (const auto& info : fremis::hashing::schemeTable()) { // a history is walked, not built anew
            const auto other = json(words("diff --from node1,node2,node3 --to node1,node2,node3,node4 --scheme")
                                    << QString::fromLatin1(info.token.data()));
            QVERIFY2(other[QLatin1String("moved")].toDouble() > 0.15, info.token.data());
            QCOMPARE(other[QLatin1String("between_survivors")].toDouble() < 0.02,
                     info.scheme != fremis::hashing::Scheme::Modulo);
        }
    }
    void simulateMeasuresEachStep() {
        const auto report =
            json(words("simulate --scheme weighted-hrw --nodes a,b,c --join d:2:z1 --weight a:0.5 --leave b"));
        QCOMPARE(column(report, "steps", "change").first(), QStringLiteral("join d (weight 2)"));
        QCOMPARE(column(report, "steps", "step"), words("1 2 3"));
        for (const QString& moved : column(report, "steps", "between_survivors"))
            QCOMPARE(moved.toDouble(), 0.0);
        const Ran jump = ran(words("simulate --scheme jump --nodes a,b,c --leave a"));
        QCOMPARE(jump.exit, 2);
        QVERIFY(jump.err.contains("memento"));
    }
    void compareShowsAllSchemes() {
        const auto report = json(words("compare --nodes a,b,c,d,e"));
        QCOMPARE(report[QLatin1String("schemes")].toArray().size(), 10);
        const auto weighted = json(words("compare --nodes a:2,b,c"));
        QCOMPARE(column(weighted, "schemes", "scheme"), words("slots ring placed weighted-hrw maglev"));
        QCOMPARE(weighted[QLatin1String("notes")].toArray().size(), 6);
    }
    void vectorsAreChecked() {
        const Ran result = ran(words("vectors"));
        QCOMPARE(result.exit, 0);
        QVERIFY(result.out.contains("failed           0"));
        QVERIFY(result.out.contains("25f80fa2058458a8"));
    }

    void nodeFilesAreRead() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("nodes.txt"));
        write(file, "# our cluster\n10.0.0.2:4003 2 jakarta r1 host-b\n10.0.0.1:4003\n");
        const auto report = json(words("locate --replicas 2 --scheme weighted-hrw --key k --nodes") << file);
        QStringList nodes = column(report, "owners", "node");
        nodes.sort();
        QCOMPARE(nodes, words("10.0.0.1:4003 10.0.0.2:4003"));
        write(file, "a 0\n");
        const Ran badWeight = ran(words("locate --key k --nodes") << file);
        QCOMPARE(badWeight.exit, 78);
        QVERIFY(badWeight.err.contains(":1: not 'id weight zone rack host'"));
        write(file, "a 1\na 1\n");
        QCOMPARE(ran(words("locate --key k --nodes") << file).exit, 78);
        write(file, "\n");
        QCOMPARE(ran(words("locate --key k --nodes") << file).exit, 78);
    }
    void wrongUsageIsTwo_data() {
        QTest::addColumn<QString>("command");
        for (const char* command : {"",
                                    "nonsense",
                                    "locate",
                                    "locate --key",
                                    "locate --key k --scheme nonsense",
                                    "locate --key k --nodes a:0",
                                    "locate --key k --nodes a,a",
                                    "locate --key k --nodes a:1:z:r:h:x",
                                    "locate --key k --replicas 0",
                                    "locate --key k --hash crc",
                                    "locate --key k --format xml",
                                    "locate --key k --spread planet",
                                    "locate --key k --nonsense",
                                    "partition default",
                                    "partition a b c",
                                    "diff --from a",
                                    "simulate",
                                    "simulate --leave node99",
                                    "demo",
                                    "demo nonsense",
                                    "report --keys 0",
                                    "report --keys /nowhere/keys",
                                    "report --epsilon 2",
                                    "report --scheme maglev --table-size 10",
                                    "report --scheme jump --nodes a:2,b",
                                    "report --points 0"})
            QTest::newRow(command) << QString::fromLatin1(command);
    }
    void wrongUsageIsTwo() {
        QFETCH(QString, command);
        const Ran result = ran(command.split(QLatin1Char(' '), Qt::SkipEmptyParts));
        QCOMPARE(result.exit, 2);
        QVERIFY(command.isEmpty() || (result.err.startsWith("fremis_n_app ring: ") && result.out.isEmpty()));
    }
    void helpTeaches() {
        const Ran overview = ran(words("--help"));
        QCOMPARE(overview.exit, 0);
        for (const auto& info : fremis::hashing::schemeTable())
            QVERIFY2(overview.out.contains("  " + QByteArray(info.token.data()) + " "), info.token.data());
        for (const char* command :
             {"partition", "locate", "report", "diff", "simulate", "compare", "vectors", "demo"}) {
            QVERIFY(overview.out.contains("  " + QByteArray(command)));
            const Ran page = ran({QString::fromLatin1(command), QStringLiteral("--help")});
            QCOMPARE(page.exit, 0);
            QVERIFY(page.out.startsWith("fremis_n_app ring " + QByteArray(command)));
            QVERIFY(page.err.isEmpty());
        }
    }
    void progressGoesToATerminalOnly() {
        QVERIFY(ran(words("demo modn")).err.isEmpty());
        QVERIFY(ran(words("demo modn"), true).err.contains("100%"));
        QVERIFY(ran(words("demo modn --progress")).err.contains("counting ["));
    }
    void outputCannotBeForged() {
        // A key with an escape sequence, quotes and bytes that are no UTF-8.
        const std::vector<std::string> args{"locate", "--key", "a\x1b[31m\",\xFF", "--format", "json"};
        std::ostringstream out;
        std::ostringstream err;
        QCOMPARE(runOn({out, err}, args), 0);
        const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(out.str()));
        QCOMPARE(document.object()[QLatin1String("key")].toString(), QStringLiteral("a\x1b[31m\",\uFFFD"));
        std::ostringstream table;
        QCOMPARE(runOn({table, err}, std::span(args).first(3)), 0);
        QVERIFY(table.str().find('\x1b') == std::string::npos);
        QVERIFY(table.str().find("\\x1b") != std::string::npos);
        const auto csv =
            ran({QStringLiteral("locate"), QStringLiteral("--key"), QStringLiteral("k"), QStringLiteral("--nodes"),
                 QStringLiteral("say \"hi\""), QStringLiteral("--format"), QStringLiteral("csv")});
        QVERIFY(csv.out.contains("\"say \"\"hi\"\"\""));
    }

    void chartsAreWellFormedSvg_data() {
        QTest::addColumn<QString>("command");
        for (const char* command : {"demo modn", "demo worked", "demo vnodes", "demo failure",
                                    "report --nodes a<b&c:2,d", "compare --nodes a,b,c"})
            QTest::newRow(command) << QString::fromLatin1(command);
    }
    void chartsAreWellFormedSvg() {
        QFETCH(QString, command);
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("chart.svg"));
        QCOMPARE(ran(command.split(QLatin1Char(' ')) + QStringList{QStringLiteral("--svg"), file}).exit, 0);
        QFile svg(file);
        QVERIFY(svg.open(QIODevice::ReadOnly));
        QXmlStreamReader reader(&svg);
        QStringList elements;
        while (!reader.atEnd())
            if (reader.readNext() == QXmlStreamReader::StartElement)
                elements << reader.name().toString();
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(elements.first(), QStringLiteral("svg"));
        QVERIFY(elements.contains(QStringLiteral("title")) && elements.contains(QStringLiteral("desc")));
        QVERIFY(!elements.contains(QStringLiteral("script")));
    }
    void anUnwritableChartFails() { QCOMPARE(ran(words("demo worked --svg /nowhere/chart.svg")).exit, 1); }

private:
    static void write(const QString& name, const QByteArray& text) {
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
    }
};

QTEST_GUILESS_MAIN(RingCommandTest)
#include "ring_command_test.moc"

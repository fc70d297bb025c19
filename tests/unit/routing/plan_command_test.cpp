#include "server/app/plan_command.h"
#include "server/app/text_table.h"
#include "shared/routing/config_reader.h"
#include "shared/routing/partition_map.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace fremis::app;
using namespace fremis::routing;

namespace {

std::string contentOf(const std::filesystem::path& file) {
    std::ostringstream out;
    out << std::ifstream(file, std::ios::binary).rdbuf();
    return out.str();
}

const std::string kThree = "version: \"v1\"\n"
                           "nodes:\n"
                           "  - address: \"worker1:4003\" # first\n"
                           "    partition_start: 0\n"
                           "    partition_end: 84\n"
                           "  - address: \"worker2:4003\"\n"
                           "    name: second\n"
                           "    partition_start: 85\n"
                           "    partition_end: 169\n"
                           "  - address: \"worker3:4003\"\n"
                           "    partition_start: 170\n"
                           "    partition_end: 255\n";

} // namespace

class PlanCommandTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_dir = std::make_unique<QTemporaryDir>();
        m_config = file("config.yml");
        write(m_config, kThree);
    }

    void splitsEvenly() {
        const auto outcome = run({"even", "3"});
        QCOMPARE(outcome.status, 0);
        const auto config = readConfig(outcome.out);
        QVERIFY2(config.ok(), config.firstError("out").c_str());
        QCOMPARE(run({"even", "--nodes", "worker1:4003,worker2:4003,worker3:4003"}).out, outcome.out);
        write(file("nodes.txt"), "# three\nworker1:4003\n\n worker2:4003 # b\nworker3:4003\n");
        QCOMPARE(run({"even", "--nodes", file("nodes.txt")}).out, outcome.out);
        QCOMPARE(run({"even", "--nodes", "worker1:4003::east,worker2:4003,worker3:4003"}).out, outcome.out);
        QCOMPARE(run({"even", "--nodes", "a:1:"}).status, 2);
        const auto weighted = run({"even", "--nodes", "a:1,b:1:2:east,[::1]:4003", "--format", "csv"});
        QCOMPARE(weighted.out, std::string("address,name,weight,partition_start,partition_end\na:1,,1,0,63\nb:1,,2,64,"
                                           "191\n[::1]:4003,,1,192,255\n"));
    }

    void checksEveryRule() {
        QCOMPARE(run({"check", m_config}).out,
                 m_config + ": ok, 3 nodes, epoch " + epochOf(*readConfig(kThree).config) + "\n");
        write(m_config, "version: v2\nnodes:\n  - {address: a, partition_start: 0, partition_end: 256}\n");
        const auto outcome = run({"check", m_config});
        QCOMPARE(outcome.status, 78);
        QCOMPARE(outcome.out, m_config + ":1:10: version must be \"v1\", not v2\n" + m_config +
                                  ":3:15: address \"a\": no port; write host:port\n" + m_config +
                                  ":3:53: partition_end must be a plain decimal number 0..255, not 256\n");
        const auto json =
            QJsonDocument::fromJson(QByteArray::fromStdString(run({"check", m_config, "--format=json"}).out)).object();
        QCOMPARE(json[QLatin1String("format")].toString(), QStringLiteral("fremis-plan-check/1"));
        QCOMPARE(json[QLatin1String("ok")].toBool(true), false);
        QCOMPARE(json[QLatin1String("problems")].toArray().size(), 3);
        QCOMPARE(
            json[QLatin1String("problems")].toArray()[2].toObject()[QLatin1String("fixes")].toArray()[0].toString(),
            QStringLiteral("set 255"));
        QVERIFY(run({"check", m_config, "--format=csv"}).out.starts_with("file,line,column,rule,severity,reason\n"));
    }

    void warningsFailOnlyStrictChecks() {
        write(m_config, kThree + "  - {address: 'worker4:4003', partition_start: 200, partition_end: 210}\n");
        const auto outcome = run({"check", m_config});
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.out.find(":13:48: warning: range 200-210 overlaps 170-255 of worker3:4003 (line 11)") !=
                std::string::npos);
        QCOMPARE(run({"check", m_config, "--strict"}).status, 1);
        QCOMPARE(run({"check", m_config, "--listen", "worker1:4003"}).status, 78);
    }

    void showsTheMap() {
        const auto outcome = run({"show", m_config});
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.out.find("B  second        worker2:4003") != std::string::npos);
        QVERIFY(outcome.out.find(" 80 | A A A A A B B B B B B B B B B B\n") != std::string::npos);
        const auto csv = run({"show", m_config, "--format", "csv"}).out;
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), 257);
        const auto json =
            QJsonDocument::fromJson(QByteArray::fromStdString(run({"show", m_config, "--format", "json"}).out))
                .object();
        QCOMPARE(
            json[QLatin1String("partitions")].toArray()[85].toObject()[QLatin1String("owners")].toArray()[0].toString(),
            QStringLiteral("worker2:4003"));
    }

    void plansAnAdditionAndWritesItsResults() {
        const auto outcome =
            run({"add", "worker4:4003", "--config", m_config, "--config-out", file("new.yml"), "--plan-out",
                 file("plan.json"), "--runbook-out", file("runbook.md"), "--lang", "id"});
        QCOMPARE(outcome.err, std::string{});
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.out.find("Moves    64 of at least 64\n") != std::string::npos);
        QVERIFY(outcome.out.find(
                    "Inserting worker4:4003 between second and worker3:4003 moves 85 instead of 127 at the end.") !=
                std::string::npos);
        QVERIFY(contentOf(file("new.yml")).find("\"worker1:4003\" # first") != std::string::npos);
        QCOMPARE(run({"check", file("new.yml")}).status, 0);
        QVERIFY(contentOf(file("runbook.md")).starts_with("# Rencana penyeimbangan ulang: add worker4:4003"));
        QCOMPARE(contentOf(m_config), kThree); // the input is never touched

        const auto back =
            run({"diff", "--reverse", file("plan.json"), "--config", file("new.yml"), "--config-out", file("old.yml")});
        QCOMPARE(back.status, 0);
        QCOMPARE(contentOf(file("old.yml")), kThree);
    }

    void plansRemovalsAndWeights() {
        const auto gone = run({"remove", "second", "--config", m_config, "--format", "json"});
        QCOMPARE(gone.status, 0);
        const auto plan = QJsonDocument::fromJson(QByteArray::fromStdString(gone.out)).object();
        QCOMPARE(plan[QLatin1String("format")].toString(), QStringLiteral("fremis-plan/1"));
        QCOMPARE(plan[QLatin1String("figures")].toObject()[QLatin1String("moved")].toInt(), 85);
        QCOMPARE(plan[QLatin1String("config_before")].toObject()[QLatin1String("nodes")].toArray().size(), 3);
        const auto weight = run({"weight", "worker1:4003=2", "--config", m_config, "--format", "csv"});
        QCOMPARE(weight.status, 0);
        QVERIFY(weight.out.starts_with("wave,partition,kind,from,to,vectors,bytes,reason\n1,"));
        QCOMPARE(std::count(weight.out.begin(), weight.out.end(), '\n'), 1 + 43); // 85 of 128
        QCOMPARE(run({"even", "--config", m_config, "--mode", "contiguous"}).status, 0);
    }

    void guardsDataAgainstABlindSwitch() {
        std::string moved = kThree;
        moved.replace(moved.find("worker3"), 7, "worker9");
        write(file("new.yml"), moved);
        std::string vectors = "{\"partitions\":[";
        for (int p = 0; p < 256; ++p)
            vectors += (p == 0 ? "" : ",") + ("{\"partition\":" + std::to_string(p)) +
                       ",\"vectors\":" + std::to_string(p % 2) + "}";
        write(file("v.json"), vectors + "]}");
        QCOMPARE(run({"diff", m_config, file("new.yml")}).status, 0); // nothing is known about data
        const auto refused = run({"diff", m_config, file("new.yml"), "--vectors", file("v.json")});
        QCOMPARE(refused.status, 1);
        QVERIFY(refused.err.starts_with("plan: partitions 171, 173, "));
        QCOMPARE(run({"diff", m_config, file("new.yml"), "--vectors", file("v.json"), "--copied", "170-255"}).status,
                 0);
        QCOMPARE(run({"diff", m_config, m_config, "--vectors", file("v.json")}).status, 0);
    }

    void tellsUsageFromBadConfig_data() {
        QTest::addColumn<QStringList>("args");
        QTest::addColumn<int>("status");
        const auto row = [](const char* name, std::initializer_list<const char*> args, int status) {
            QStringList list;
            for (const char* arg : args)
                list.append(QLatin1String(arg));
            QTest::addRow("%s", name) << list << status;
        };
        row("nothing", {}, 2);
        row("no such command", {"grow"}, 2);
        row("unknown flag", {"show", "CONFIG", "--colour"}, 2);
        row("flag twice", {"show", "CONFIG", "--format", "csv", "--format", "csv"}, 2);
        row("value missing", {"show", "CONFIG", "--format"}, 2);
        row("bad value", {"show", "CONFIG", "--format", "xml"}, 2);
        row("value for a mark", {"check", "CONFIG", "--strict=yes"}, 2);
        row("two files", {"show", "CONFIG", "CONFIG"}, 2);
        row("no node", {"add", "--config", "CONFIG"}, 2);
        row("no config", {"add", "w:1"}, 2);
        row("bad node", {"add", "w", "--config", "CONFIG"}, 2);
        row("bad weight", {"add", "w:1:0", "--config", "CONFIG"}, 2);
        row("a node that is there", {"add", "worker1:4003", "--config", "CONFIG"}, 2);
        row("a node that is not there", {"remove", "w:1", "--config", "CONFIG"}, 2);
        row("a weight without number", {"weight", "second", "--config", "CONFIG"}, 2);
        row("a bad pin", {"even", "--config", "CONFIG", "--pin", "300=second"}, 2);
        row("nowhere to write", {"add", "w:1", "--config", "CONFIG", "--plan-out", "/nonexistent/plan.json"}, 2);
        row("a missing file", {"show", "/nonexistent.yml"}, 78);
        row("a missing file to check", {"check", "/nonexistent.yml"}, 78);
        row("no plan", {"diff", "--reverse", "CONFIG"}, 78);
        row("vectors that are none", {"show", "CONFIG", "--vectors", "CONFIG"}, 78);
        row("help", {"--help"}, 0);
        row("help of a command", {"add", "--help"}, 0);
    }
    void tellsUsageFromBadConfig() {
        QFETCH(QStringList, args);
        QFETCH(int, status);
        std::vector<std::string> words;
        for (const QString& arg : args)
            words.push_back(arg == QLatin1String("CONFIG") ? m_config : arg.toStdString());
        const auto outcome = planCommand(words);
        QCOMPARE(outcome.status, status);
        if (status == 0)
            return;
        QCOMPARE(outcome.out, std::string{});
        QCOMPARE(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
    }

    void exampleFilesAreAcceptable() {
        const std::filesystem::path folder = std::filesystem::path(FREMIS_SOURCE_DIR) / "resources/config";
        int examples = 0;
        for (const auto& item : std::filesystem::directory_iterator(folder)) {
            if (!item.path().string().ends_with(".example.yml"))
                continue;
            ++examples;
            const auto outcome = run({"check", item.path().string(), "--strict"});
            // Two workers on one machine are for trying out: nothing else deserves a warning.
            QVERIFY2(outcome.status == 0, outcome.out.c_str());
        }
        QCOMPARE(examples, 4);
        write(file("new.yml"), "");
        QCOMPARE(run({"add", "worker4.example.org:4003", "--config", (folder / "cluster.example.yml").string(),
                      "--config-out", file("new.yml")})
                     .status,
                 0);
        const auto nodes = [](const std::string& text) { return text.substr(text.find("nodes:")); };
        QCOMPARE(nodes(contentOf(file("new.yml"))), nodes(contentOf(folder / "cluster-ranges.example.yml")));
    }

    void helpTeaches() {
        const std::string help = run({"--help"}).out;
        for (const char* part :
             {"plan even 3", "--mode multi|contiguous", "moves 127 of 256 partitions", "Exit status"})
            QVERIFY2(help.find(part) != std::string::npos, part);
        for (const char* command : {"even", "check", "show", "add", "remove", "weight", "diff"})
            QVERIFY(run({command, "--help"}).out.starts_with(std::string("fremis_n_app plan ") + command));
    }

    void tablesAlignAndCsvEscapes() {
        TextTable table({{"NAME"}, {"COUNT", TextTable::Align::Right}});
        table.add({"\xC3\xA9", "7"});
        table.add({"=1+1,\"x\"", "-12"});
        QCOMPARE(table.text(), std::string("NAME      COUNT\n\xC3\xA9             7\n=1+1,\"x\"    -12\n"));
        QCOMPARE(table.csv(), std::string("NAME,COUNT\n\xC3\xA9,7\n\"'=1+1,\"\"x\"\"\",-12\n"));
        QCOMPARE(decimalText(1234567.891, 2), std::string("1234567.89"));
    }

private:
    CommandOutcome run(const std::vector<std::string>& args) { return planCommand(args); }
    std::string file(const char* name) const { return m_dir->filePath(QLatin1String(name)).toStdString(); }
    static void write(const std::string& file, const std::string& text) {
        std::ofstream(file, std::ios::binary) << text;
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::string m_config;
};

QTEST_GUILESS_MAIN(PlanCommandTest)
#include "plan_command_test.moc"

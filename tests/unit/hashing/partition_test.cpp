#include "shared/hashing/partition.h"

#include <QtTest>

using fremis::hashing::partitionOf;

class PartitionTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void followsTheFrozenRule_data() {
        QTest::addColumn<QByteArray>("keyspace");
        QTest::addColumn<QByteArray>("faceId");
        QTest::addColumn<int>("partition");
        const auto row = [](const char* keyspace, const char* faceId, int partition) {
            QTest::addRow("%s %s", keyspace, faceId) << QByteArray(keyspace) << QByteArray(faceId) << partition;
        };
        row("default", "1234567891", 5);
        row("default", "1234567892", 136);
        row("default", "1234567893", 136);
        row("default", "273006345433645057", 199);
        row("default", "18446744073709551615", 149);
        row("default", "1", 240);
        row("default", "7", 69);
        row("default", "007", 41);
        row("default", "alice", 38);
        row("employee", "7", 43);
        row("Korlantas", "7", 249);
        row("korlantas", "7", 205);
        row("a-b", "c", 227);
        row("a", "b-c", 227);
        row("k", "", 235);
        row("default", "\xC3\xA9", 185);
        row("default", "e\xCC\x81", 106);
        row("default", "\xF0\x9F\x98\x80", 80);
        row("ks", "wajah-\xC3\xA9", 222);
        row("ks", "wajah-e\xCC\x81", 254);
        row("ks", "\xF0\x9F\x98\x80", 133);
    }
    void followsTheFrozenRule() {
        QFETCH(QByteArray, keyspace);
        QFETCH(QByteArray, faceId);
        QFETCH(int, partition);
        QCOMPARE(int(partitionOf(keyspace.toStdString(), faceId.toStdString())), partition);
    }
    void spreadsAMillionIdsEvenly() {
        std::array<int, fremis::base::kPartitionCount> counts{};
        for (int i = 0; i < 1'000'000; ++i)
            ++counts[partitionOf("default", std::to_string(i))];
        const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
        QCOMPARE(*least, 3735);
        QCOMPARE(*most, 4092);
    }
};

QTEST_GUILESS_MAIN(PartitionTest)
#include "partition_test.moc"

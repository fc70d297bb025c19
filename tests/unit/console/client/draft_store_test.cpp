#include "console/client/draft_store.h"

#include <QDir>
#include <QFile>
#include <QtTest>

using namespace fremis::console;

class DraftStoreTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsEveryByte();
    void oneDraftForEachCluster();
    void brokenFilesAreNoDrafts();
    void aFolderThatCannotBeMadeIsAnError();
};

void DraftStoreTest::keepsEveryByte() {
    QTemporaryDir folder;
    const DraftStore store(folder.filePath(QStringLiteral("deep/er")));
    const SavedDraft draft{"\xEF\xBB\xBF"
                           "a\r\n",
                           "b\xFF\n", "\"9f2c\"", QStringLiteral("/etc/config.yml"), Instant(1234567890123)};
    QVERIFY(store.save(QStringLiteral("x"), draft));
    QCOMPARE(store.load(QStringLiteral("x")), std::optional(draft));
    store.remove(QStringLiteral("x"));
    QVERIFY(!store.load(QStringLiteral("x")));
}

void DraftStoreTest::oneDraftForEachCluster() {
    QTemporaryDir folder;
    const DraftStore store(folder.path());
    QVERIFY(store.save(QStringLiteral("http://a:1/../x"), {"1", "2", {}, {}, {}}));
    QVERIFY(store.save(QStringLiteral("b"), {"3", "4", {}, {}, {}}));
    QCOMPARE(store.load(QStringLiteral("http://a:1/../x"))->text, QByteArray("2"));
    QCOMPARE(store.load(QStringLiteral("b"))->text, QByteArray("4"));
    QVERIFY(!store.load(QStringLiteral("c")));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 2); // none of them outside
}

void DraftStoreTest::brokenFilesAreNoDrafts() {
    QTemporaryDir folder;
    const DraftStore store(folder.path());
    QVERIFY(store.save(QStringLiteral("x"), {"1", "2", {}, {}, {}}));
    const QString name = QDir(folder.path()).entryList(QDir::Files).value(0);
    for (const QByteArray& content :
         {QByteArray("{\"format\": \"fremis-"), QByteArray("[]"), QByteArray("{\"format\":\"other/1\"}")}) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        QVERIFY(!store.load(QStringLiteral("x")));
    }
}

void DraftStoreTest::aFolderThatCannotBeMadeIsAnError() {
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("taken")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(!DraftStore(folder.filePath(QStringLiteral("taken/x"))).save(QStringLiteral("x"), {}));
}

QTEST_GUILESS_MAIN(DraftStoreTest)
#include "draft_store_test.moc"

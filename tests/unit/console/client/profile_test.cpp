#include "console/client/profile_store.h"
#include "console/client/secret_store.h"
#include "console/client/selection.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace fremis::console;

namespace {

Profile someProfile() {
    Profile profile;
    profile.name = u"Produksi Jakarta"_s;
    profile.folder = u"ID"_s;
    profile.colour = 5;
    profile.environment = Environment::Production;
    profile.coordinators = {QUrl(u"https://10.0.0.5:4005"_s), QUrl(u"https://[fd00::5]:4005"_s)};
    profile.fingerprint = QByteArray(32, '\x7f');
    profile.rewrites.insert(u"0.0.0.0:4003"_s, u"10.0.0.6:4003"_s);
    profile.aliases.insert(u"10.0.0.6:4003"_s, u"rak 4"_s);
    profile.maintenance = {u"10.0.0.7:4003"_s};
    profile.replication = 2;
    profile.interval = 5s;
    profile.thresholds.queueOps = 77;
    return profile;
}

} // namespace

class ProfileTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void profilesSurviveAFile();
    void credentialsInAddressesAreNotSaved();
    void badFilesAreRefusedAndLeftAlone_data();
    void badFilesAreRefusedAndLeftAlone();
    void importedProfilesGetTheirOwnIds();
    void orderIsKept();
    void aFailedWriteChangesNothing();
    void sessionSecretsComeBack();
    void answersForSomebodyGoneAreDropped();
    void selectionWalksBackAndForth();
};

void ProfileTest::profilesSurviveAFile() {
    const QTemporaryDir folder;
    const auto path = folder.filePath(u"sub/profiles.json"_s);
    ProfileStore store(path);
    QVERIFY(store.load());
    const auto id = store.save(someProfile());
    QVERIFY(id && !id->isEmpty());
    QVERIFY(store.setLastUsed(*id));

    ProfileStore again(path);
    QVERIFY(again.load());
    auto expected = someProfile();
    expected.id = *id;
    QCOMPARE(again.profiles().size(), 1);
    QCOMPARE(again.profiles().first(), expected);
    QCOMPARE(again.lastUsed(), *id);
    QVERIFY(again.find(u"Produksi Jakarta"_s));
}

void ProfileTest::credentialsInAddressesAreNotSaved() {
    auto profile = someProfile();
    profile.coordinators = {QUrl(u"https://user:geheim@10.0.0.5:4005"_s)};
    QVERIFY(!profilesToJson({profile}).contains("geheim"));
}

void ProfileTest::badFilesAreRefusedAndLeftAlone_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("not JSON") << QByteArray("{");
    QTest::newRow("another format") << QByteArray(R"({"format":"x","profiles":[]})");
    QTest::newRow("an unknown environment")
        << QByteArray(R"({"format":"fremis-profiles/1","profiles":[{"name":"a","environment":"moon"}]})");
    QTest::newRow("no name") << QByteArray(R"({"format":"fremis-profiles/1","profiles":[{"id":"1"}]})");
    QTest::newRow("a file as coordinator")
        << QByteArray(R"({"format":"fremis-profiles/1","profiles":[{"name":"a","coordinators":["file:///etc"]}]})");
    QTest::newRow("colour 9") << QByteArray(R"({"format":"fremis-profiles/1","profiles":[{"name":"a","colour":9}]})");
}

void ProfileTest::badFilesAreRefusedAndLeftAlone() {
    QFETCH(QByteArray, content);
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"profiles.json"_s));
    QVERIFY(file.open(QIODevice::ReadWrite));
    file.write(content);
    file.flush();
    ProfileStore store(file.fileName());
    QVERIFY(!store.load());
    QVERIFY(!store.save(someProfile()));
    QVERIFY(store.profiles().isEmpty());
    file.seek(0);
    QCOMPARE(file.readAll(), content);
}

void ProfileTest::importedProfilesGetTheirOwnIds() {
    const QTemporaryDir folder;
    ProfileStore store(folder.filePath(u"profiles.json"_s));
    QVERIFY(store.load());
    const auto id = store.save(someProfile());
    QVERIFY(id);
    QSignalSpy changes(&store, &ProfileStore::changed);
    const auto imported = store.importJson(profilesToJson(store.profiles()));
    QVERIFY(imported);
    QCOMPARE(store.profiles().size(), 2);
    QVERIFY(imported->first() != *id);
    QCOMPARE(changes.size(), 1);
    QVERIFY(!store.importJson("[]"));
    QCOMPARE(store.profiles().size(), 2);
}

void ProfileTest::orderIsKept() {
    const QTemporaryDir folder;
    ProfileStore store(folder.filePath(u"profiles.json"_s));
    QStringList ids;
    for (const auto& name : {u"a"_s, u"b"_s, u"c"_s}) {
        Profile profile;
        profile.name = name;
        const auto id = store.save(profile);
        QVERIFY(id);
        ids.append(*id);
    }
    QVERIFY(store.move(ids[2], 0));
    QCOMPARE(store.profiles()[0].name, u"c"_s);
    QVERIFY(store.remove(ids[0]));
    QCOMPARE(store.profiles().size(), 2);
    QCOMPARE(store.profiles()[1].name, u"b"_s);
}

void ProfileTest::aFailedWriteChangesNothing() {
    const QTemporaryDir folder;
    QFile blocked(folder.filePath(u"file"_s));
    QVERIFY(blocked.open(QIODevice::WriteOnly));
    ProfileStore store(blocked.fileName() + u"/profiles.json"_s);
    QVERIFY(!store.save(someProfile()));
    QVERIFY(store.profiles().isEmpty());
}

void ProfileTest::sessionSecretsComeBack() {
    SessionStore store;
    QObject context;
    const KeyPair keys{u"AK"_s, "geheim"};
    std::optional<KeyPair> found;
    bool written = false;
    store.write(u"p1"_s, keys, &context,
                [&written](const fremis::base::Status& status) { written = status.has_value(); });
    store.read(u"p1"_s, &context,
               [&found](const fremis::base::Result<std::optional<KeyPair>>& read) { found = *read; });
    QVERIFY(!written && !found); // not from inside the call
    QTRY_VERIFY(written && found);
    QCOMPARE(*found, keys);
    bool gone = false;
    store.remove(u"p1"_s, &context, [](const fremis::base::Status&) {});
    store.read(u"p1"_s, &context, [&gone](const fremis::base::Result<std::optional<KeyPair>>& read) {
        gone = read.has_value() && !read->has_value();
    });
    QTRY_VERIFY(gone);
    QVERIFY(!store.isPersistent());
}

void ProfileTest::answersForSomebodyGoneAreDropped() {
    SessionStore store;
    auto context = std::make_unique<QObject>();
    bool called = false;
    store.check(context.get(), [&called](const fremis::base::Status&) { called = true; });
    context.reset();
    QObject other;
    bool otherCalled = false;
    store.check(&other, [&otherCalled](const fremis::base::Status&) { otherCalled = true; });
    QTRY_VERIFY(otherCalled);
    QVERIFY(!called);
}

void ProfileTest::selectionWalksBackAndForth() {
    SelectionKeeper keeper;
    QSignalSpy changes(&keeper, &SelectionKeeper::changed);
    keeper.selectNodes({u"a:1"_s});
    keeper.selectNodes({u"a:1"_s}); // nothing new
    keeper.selectKeyspace(u"visitors"_s);
    QCOMPARE(changes.size(), 2);
    keeper.goBack();
    QCOMPARE(keeper.current().keyspace, QString());
    QCOMPARE(keeper.current().nodes, QStringList{u"a:1"_s});
    QVERIFY(keeper.canGoForward());
    keeper.goForward();
    QCOMPARE(keeper.current().keyspace, u"visitors"_s);
    keeper.goBack();
    keeper.selectPartitions(fremis::hashing::PartitionSet::all());
    QVERIFY(!keeper.canGoForward());
    keeper.goBack();
    keeper.goBack();
    QCOMPARE(keeper.current(), Selection());
    QVERIFY(!keeper.canGoBack());
    for (int step = 0; step < 500; ++step)
        keeper.selectKeyspace(QString::number(step));
    int steps = 0;
    for (; keeper.canGoBack(); ++steps)
        keeper.goBack();
    QCOMPARE(steps, 100);
}

QTEST_GUILESS_MAIN(ProfileTest)
#include "profile_test.moc"

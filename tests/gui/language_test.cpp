#include "console/models/routing_words.h"
#include "console/ui/pages/page.h"
#include "shared/routing/config_reader.h"
#include "tests/gui/console_fixture.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QRegularExpression>
#include <QTranslator>

using namespace fremis::console;
using namespace fremis::console::ui;
using fremis::tests::Console;

class LanguageTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noTextIsUnfinished_data();
    void noTextIsUnfinished();
    void placeholdersAreKept();
    void aSwitchReachesOpenPages();
    void qtsOwnButtonsAreIndonesianToo();
    void countsHaveAPluralInEnglish();
    void everySentenceOfTheRulesIsIndonesianToo();
    void problemsAndReasonsFollowTheLanguage();
};

namespace {

QString textOfTs(const QString& name) {
    QFile file(QStringLiteral(FREMIS_I18N_DIR "/") + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

void LanguageTest::noTextIsUnfinished_data() {
    QTest::addColumn<int>("least");
    QTest::newRow("console_id.ts") << 600;
    QTest::newRow("console_en.ts") << 15;
    QTest::newRow("qtbase_id.ts") << 60;
}

void LanguageTest::noTextIsUnfinished() {
    QFETCH(int, least);
    const QString text = textOfTs(QLatin1String(QTest::currentDataTag()));
    QVERIFY(text.count(QStringLiteral("<source>")) >= least);
    QCOMPARE(text.count(QStringLiteral("unfinished")), 0);
    QCOMPARE(text.count(QStringLiteral("<translation></translation>")), 0);
}

void LanguageTest::placeholdersAreKept() {
    static const QRegularExpression message(QStringLiteral("<source>(.*?)</source>.*?<translation>(.*?)</translation>"),
                                            QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression placeholder(QStringLiteral("%[1-9n]"));
    int seen = 0;
    for (auto it = message.globalMatch(textOfTs(QStringLiteral("console_id.ts"))); it.hasNext();) {
        const auto match = it.next();
        QSet<QString> wanted;
        for (auto p = placeholder.globalMatch(match.captured(1)); p.hasNext();)
            wanted.insert(p.next().captured());
        for (const QString& one : wanted) {
            QVERIFY2(match.captured(2).contains(one),
                     qPrintable(match.captured(1) + QStringLiteral(" -> ") + match.captured(2)));
            ++seen;
        }
    }
    QVERIFY(seen > 100);
}

void LanguageTest::aSwitchReachesOpenPages() {
    Console console;
    QVERIFY(console.connectAndWait());
    console.window->openPage(QStringLiteral("map"));
    QCOMPARE(console.window->page(QStringLiteral("map"))->accessibleName(), QStringLiteral("Partition map"));
    console.language.set(QStringLiteral("id"));
    QTRY_COMPARE(console.window->page(QStringLiteral("map"))->accessibleName(), QStringLiteral("Peta partisi"));
    QCOMPARE(console.window->actions().find(QStringLiteral("page.nodes"))->text(), QStringLiteral("Node"));
    QCOMPARE(QLocale().toString(1234567.5, 'f', 1), QStringLiteral("1.234.567,5"));
    QVERIFY(console.find<QWidget>("rail.queue")->accessibleName().startsWith(QStringLiteral("Antrean tulis")));
    console.language.set(QStringLiteral("en"));
    QTRY_COMPARE(console.window->page(QStringLiteral("map"))->accessibleName(), QStringLiteral("Partition map"));
}

void LanguageTest::qtsOwnButtonsAreIndonesianToo() {
    Language language;
    language.set(QStringLiteral("id"));
    QDialogButtonBox box(QDialogButtonBox::Save | QDialogButtonBox::Discard | QDialogButtonBox::Cancel |
                         QDialogButtonBox::Apply);
    const auto text = [&box](QDialogButtonBox::StandardButton button) {
        return box.button(button)->text().remove(QLatin1Char('&'));
    };
    QCOMPARE(text(QDialogButtonBox::Save), QStringLiteral("Simpan"));
    QCOMPARE(text(QDialogButtonBox::Discard), QStringLiteral("Buang"));
    QCOMPARE(text(QDialogButtonBox::Cancel), QStringLiteral("Batal"));
    QCOMPARE(text(QDialogButtonBox::Apply), QStringLiteral("Terapkan"));
}

void LanguageTest::countsHaveAPluralInEnglish() {
    Console console;
    QVERIFY(console.connectAndWait());
    console.fail(QStringLiteral("worker-3"), DemoFault::Dead);
    Page* page = console.window->page(QStringLiteral("overview"));
    QTRY_COMPARE_WITH_TIMEOUT(page->strip(), QStringLiteral("6 of 7 nodes answered."), 20'000);
}

void LanguageTest::everySentenceOfTheRulesIsIndonesianToo() {
    QTranslator indonesian;
    QVERIFY(indonesian.load(QStringLiteral(":/i18n/console_id.qm")));
    for (const std::string_view pattern : fremis::routing::kPatterns) {
        const std::string source(pattern);
        const QString text = indonesian.translate("Routing", source.c_str());
        QVERIFY2(!text.isEmpty(), source.c_str());
        for (char place = '1'; place <= '9'; ++place) {
            const QString mark = QStringLiteral("%") + QLatin1Char(place);
            QCOMPARE(text.count(mark), QString::fromStdString(source).count(mark));
        }
    }
}

void LanguageTest::problemsAndReasonsFollowTheLanguage() {
    using namespace fremis::routing;
    Language language;
    language.set(QStringLiteral("id"));
    const auto gap = readConfig("version: \"v1\"\nnodes:\n  - address: a:1\n    partition_start: 0\n"
                                "    partition_end: 100\n");
    QCOMPARE(gap.problems.size(), 1U);
    QCOMPARE(gap.problems.front().message, std::string("partitions 101-255 belong to nobody"));
    QCOMPARE(sentenceOf(gap.problems.front().wording), QStringLiteral("partisi 101-255 tidak dimiliki siapa pun"));
    QCOMPARE(sentenceOf(gap.problems.front().fixes.front().label),
             QStringLiteral("berikan 101-255 kepada a:1 (baris 3)"));
    const auto written = readConfig("version: nothing %1\nnodes: []\n"); // what an operator wrote stays as it is
    QCOMPARE(sentenceOf(written.problems.front().wording), QStringLiteral("version harus \"v1\", bukan nothing %1"));
    const auto tab = readConfig("version: \"v1\"\nnodes:\n\t- address: a:1\n");
    QCOMPARE(sentenceOf(tab.problems.front().wording), QStringLiteral("sebuah tab; pakai spasi"));
    const Wording reason(Pattern("%1 over target by %2"), {std::string("worker-2"), std::string("22")});
    QCOMPARE(sentenceOf(reason), QStringLiteral("worker-2 melebihi target sebanyak 22"));
    language.set(QStringLiteral("en"));
    QCOMPARE(sentenceOf(reason), QStringLiteral("worker-2 over target by 22"));
}

FREMIS_GUI_MAIN(LanguageTest)
#include "language_test.moc"

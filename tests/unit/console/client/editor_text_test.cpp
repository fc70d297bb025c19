#include "console/client/editor_text.h"

#include <QtTest>

#include <random>

using namespace fremis::console;

class EditorTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsLinesWithoutMarkAndCarriageReturns();
    void tellsWhatCannotBeTurnedBack();
    void editsLeaveEveryOtherByte_data();
    void editsLeaveEveryOtherByte();
    void randomEditsAreLossless();
    void mergesWhatDoesNotMeet();
    void doesNotMergeWhatMeets();
};

void EditorTextTest::showsLinesWithoutMarkAndCarriageReturns() {
    const auto shown = editorText("\xEF\xBB\xBF"
                                  "a: 1\r\nb: 2\r\n");
    QCOMPARE(shown.text, QStringLiteral("a: 1\nb: 2\n"));
    QVERIFY(shown.isExact);
}

void EditorTextTest::tellsWhatCannotBeTurnedBack() {
    QVERIFY(!editorText("name: \xFF\xFE").isExact);
    QVERIFY(!editorText("a\rb").isExact);
    QVERIFY(!editorText("a\xE2\x80\xA9z").isExact);
    QVERIFY(editorText("name: \xC3\xA9\xF0\x9F\x98\x80").isExact);
}

void EditorTextTest::editsLeaveEveryOtherByte_data() {
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QString>("edited");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("a digit") << QByteArray("a: 1\nb: 2\n") << "a: 1\nb: 3\n" << QByteArray("a: 1\nb: 3\n");
    QTest::newRow("mark and CRLF stay") << QByteArray("\xEF\xBB\xBF"
                                                      "a: 1\r\nb: 2")
                                        << "a: 9\nb: 2"
                                        << QByteArray("\xEF\xBB\xBF"
                                                      "a: 9\r\nb: 2");
    QTest::newRow("a new line ends like the others") << QByteArray("a: 1\r\nb: 2\r\n") << "a: 1\nx: 0\nb: 2\n"
                                                     << QByteArray("a: 1\r\nx: 0\r\nb: 2\r\n");
    QTest::newRow("mixed line ends stay mixed") << QByteArray("a: 1\nb: 2\r\nc: 3\n") << "a: 1\nb: 2\nc: 4\n"
                                                << QByteArray("a: 1\nb: 2\r\nc: 4\n");
    QTest::newRow("letters of several bytes")
        << QByteArray("n: \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80!\n") << QStringLiteral("n: é€😀?\n")
        << QByteArray("n: \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80?\n");
    // U+1F600 and U+1F601 share their first half: no half may be left behind.
    QTest::newRow("a pair of surrogates changes as one")
        << QByteArray("\xF0\x9F\x98\x80") << QStringLiteral("😁") << QByteArray("\xF0\x9F\x98\x81");
    QTest::newRow("all is deleted") << QByteArray("a: 1\r\n") << "" << QByteArray();
}

void EditorTextTest::editsLeaveEveryOtherByte() {
    QFETCH(QByteArray, source);
    QFETCH(QString, edited);
    QFETCH(QByteArray, expected);
    QCOMPARE(sourceAfterEdit(source, editorText(source).text, edited), expected);
}

void EditorTextTest::randomEditsAreLossless() {
    std::mt19937 random(4711);
    const QStringList pieces{QStringLiteral("\n"), QStringLiteral("a"), QStringLiteral(" # é"), QStringLiteral("😀"),
                             QStringLiteral("\t")};
    QByteArray source("\xEF\xBB\xBF"
                      "version: \"v1\"\r\nnodes: # list\n  - address: \"h\xC3\xB6st:1\"\r\n");
    for (int round = 0; round < 1000; ++round) {
        const QString shown = editorText(source).text;
        const auto limit = shown.size() + 1;
        qsizetype at = qsizetype(random() % std::size_t(limit));
        if (at < shown.size() && shown[at].isLowSurrogate())
            --at;
        qsizetype length = qsizetype(random() % 4);
        if (at + length < shown.size() && shown[at + length].isLowSurrogate())
            ++length;
        QString edited = shown;
        edited.replace(at, std::min(length, shown.size() - at),
                       random() % 3 == 0 ? QString() : pieces[qsizetype(random() % 5)]);
        const QByteArray made = sourceAfterEdit(source, shown, edited);
        QCOMPARE(editorText(made).text, edited);
        source = made.size() > 400 ? source : made;
    }
}

void EditorTextTest::mergesWhatDoesNotMeet() {
    const QByteArray base("a\nb\nc\nd\ne\n");
    QCOMPARE(mergedText(base, "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\nf\n"), QByteArray("A\nb\nc\nd\nE\nf\n"));
    QCOMPARE(mergedText(base, base, "a\nc\n"), QByteArray("a\nc\n"));
    QCOMPARE(mergedText(base, "a\nc\n", base), QByteArray("a\nc\n"));
    QCOMPARE(mergedText(base, "a\nB\nc\nd\ne\n", "a\nB\nc\nd\ne\n"),
             QByteArray("a\nB\nc\nd\ne\n")); // both did the same
}

void EditorTextTest::doesNotMergeWhatMeets() {
    const QByteArray base("a\nb\nc\n");
    QVERIFY(mergedText(base, "a\nB\nc\n", "a\nX\nc\n").isNull());
    QVERIFY(mergedText(base, "a\nc\n", "a\nX\nc\n").isNull());
}

QTEST_GUILESS_MAIN(EditorTextTest)
#include "editor_text_test.moc"

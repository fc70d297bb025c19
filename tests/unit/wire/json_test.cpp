#include "shared/wire/json.h"
#include "shared/wire/json_writer.h"
#include "tests/unit/wire/outcome.h"

#include <QtTest>

#include <rapidcheck.h>

#include <thread>

using namespace fremis::wire;
using fremis::base::Reason;
using fremis::test::outcome;
using fremis::test::view;

namespace {

QByteArray repeated(const char* text, int times) {
    return QByteArray(text).repeated(times);
}

// {"a":[[…1…]]} with `depth` levels, the object included.
QByteArray nested(int depth) {
    return "{\"a\":" + repeated("[", depth - 1) + "1" + repeated("]", depth - 1) + "}";
}

QByteArray withKeys(int count) {
    QByteArray body = "{";
    for (int i = 0; i < count; ++i)
        body += (i == 0 ? "\"" : ",\"") + QByteArray::number(i) + "\":1";
    return body + "}";
}

QByteArray withElements(int count) {
    return "{\"a\":[0" + repeated(",0", count - 1) + "]}";
}

QByteArray utf16(const char* text, bool bigEndian) {
    QByteArray bytes;
    for (; *text != '\0'; ++text)
        bytes += bigEndian ? QByteArray(1, '\0') + *text : QByteArray(1, *text) + '\0';
    return bytes;
}

JsonValue member(const JsonDocument& document, std::string_view key) {
    return document.root().find(key)->value();
}

// A tree to write and read back.
struct Tree {
    int kind = 0; // 0 null, 1 bool, 2 number, 3 string, 4 array, 5 object
    std::string text;
    std::vector<Tree> children;
};

rc::Gen<std::string> anyText() {
    return rc::gen::map(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 0x2FFF)),
                        [](const std::vector<int>& runes) {
                            QString text;
                            for (const int rune : runes)
                                text += rune < 0x2000 ? QChar(rune) : QChar(u'\u20AC');
                            return text.toStdString();
                        });
}

rc::Gen<Tree> anyTree(int depth) {
    return rc::gen::mapcat(rc::gen::inRange(0, depth > 0 ? 6 : 4), [depth](int kind) {
        if (kind < 4)
            return rc::gen::map(anyText(), [kind](std::string text) { return Tree{kind, std::move(text), {}}; });
        return rc::gen::map(rc::gen::resize(4, rc::gen::container<std::vector<Tree>>(anyTree(depth - 1))),
                            [kind](std::vector<Tree> children) {
                                return Tree{kind, {}, std::move(children)};
                            });
    });
}

void write(JsonWriter& json, const Tree& tree) {
    switch (tree.kind) {
    case 0:
        json.null();
        break;
    case 1:
        json.value(tree.text.size() % 2 == 0);
        break;
    case 2:
        json.value(static_cast<double>(tree.text.size()) / 7);
        break;
    case 3:
        json.value(tree.text);
        break;
    case 4:
        json.beginArray();
        for (const auto& child : tree.children)
            write(json, child);
        json.endArray();
        break;
    default:
        json.beginObject();
        for (std::size_t i = 0; i < tree.children.size(); ++i) {
            json.key("k" + std::to_string(i));
            write(json, tree.children[i]);
        }
        json.endObject();
    }
}

void requireEqual(JsonValue value, const Tree& tree) {
    RC_ASSERT(static_cast<int>(value.kind()) == tree.kind);
    if (tree.kind == 1)
        RC_ASSERT(value.asBool() == (tree.text.size() % 2 == 0));
    if (tree.kind == 2)
        RC_ASSERT(QByteArray(value.text().data(), static_cast<qsizetype>(value.text().size())).toDouble() ==
                  static_cast<double>(tree.text.size()) / 7);
    if (tree.kind == 3)
        RC_ASSERT(value.text() == tree.text);
    if (tree.kind < 4)
        return;
    RC_ASSERT(value.size() == tree.children.size());
    std::size_t i = 0;
    if (tree.kind == 4)
        for (const JsonValue element : value)
            requireEqual(element, tree.children[i++]);
    else
        for (const auto& child : tree.children) {
            const auto found = value.object().find("k" + std::to_string(i++));
            RC_ASSERT(found.has_value());
            RC_ASSERT(found->has_value() == (child.kind != 0));
            if (*found)
                requireEqual(**found, child);
        }
}

} // namespace

class JsonTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bodies_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const QByteArray& body, const char* expected) {
            QTest::newRow(name) << body << QByteArray(expected);
        };
        row("object", R"({"a":1})", "ok");
        row("empty object", "{}", "ok");
        row("blanks around", " \t\r\n{ \"a\" : [ ] } \n", "ok");
        row("byte order mark", "\xEF\xBB\xBF{}", "ok");
        row("kinds of numbers", R"({"a":[0,-0,1.5,1e5,1E+5,-2.5e-3,1e999,123456789012345678901234567890]})", "ok");
        row("text of all planes", "{\"a\":\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"}", "ok");
        row("escapes", "{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\"}", "ok");

        row("nothing", "", "invalid_json");
        row("blanks only", "  \r\n", "invalid_json");
        row("byte order mark only", "\xEF\xBB\xBF", "invalid_json");
        row("null", "null", "not_an_object");
        row("array", "[]", "not_an_object");
        row("array of objects", "[{}]", "not_an_object");
        row("string", "\"x\"", "not_an_object");
        row("number", "1", "not_an_object");
        row("word", "x", "invalid_json");

        row("cut after the key", "{\"a\"", "invalid_json");
        row("cut after the colon", "{\"a\":", "invalid_json");
        row("cut in a string", "{\"a\":\"x", "invalid_json");
        row("cut in an array", "{\"a\":[1", "invalid_json");
        row("cut before the end", "{\"a\":1", "invalid_json");
        row("trailing comma in an object", "{\"a\":1,}", "invalid_json");
        row("trailing comma in an array", "{\"a\":[1,]}", "invalid_json");
        row("leading comma", "{,\"a\":1}", "invalid_json");
        row("two commas", "{\"a\":[1,,2]}", "invalid_json");
        row("no comma", "{\"a\":[1 2]}", "invalid_json");
        row("no comma between members", "{\"a\":1 \"b\":2}", "invalid_json");
        row("no colon", "{\"a\" 1}", "invalid_json");
        row("two colons", "{\"a\"::1}", "invalid_json");
        row("no value", "{\"a\":}", "invalid_json");
        row("wrong bracket", "{\"a\":[1}]", "invalid_json");
        row("closed twice", "{\"a\":1}}", "invalid_json");
        row("comment", "{/*x*/\"a\":1}", "invalid_json");
        row("line comment", "{\"a\":1}//x", "invalid_json");
        row("single quotes", "{'a':1}", "invalid_json");
        row("bare key", "{a:1}", "invalid_json");
        row("number as key", "{1:1}", "invalid_json");
        row("two objects", "{}{}", "invalid_json");
        row("text after the object", "{} x", "invalid_json");
        row("NUL after the object", QByteArray("{\"a\":1}\0", 8), "invalid_json");
        row("string beside a string", R"({"a":"x""y"})", "invalid_json");
        row("word beside a string", R"({"a":"x"y})", "invalid_json");
        row("NaN", "{\"a\":NaN}", "invalid_json");
        row("Infinity", "{\"a\":-Infinity}", "invalid_json");
        row("leading zero", "{\"a\":01}", "invalid_json");
        row("minus alone", "{\"a\":-}", "invalid_json");
        row("plus", "{\"a\":+1}", "invalid_json");
        row("hexadecimal", "{\"a\":0x10}", "invalid_json");
        row("no digit after the point", "{\"a\":1.}", "invalid_json");
        row("no digit before the point", "{\"a\":.5}", "invalid_json");
        row("no digit in the exponent", "{\"a\":1e}", "invalid_json");
        row("letter after a number", "{\"a\":1x}", "invalid_json");
        row("wrong word", "{\"a\":True}", "invalid_json");
        row("cut word", "{\"a\":tru}", "invalid_json");
        row("long word", "{\"a\":nulls}", "invalid_json");
        row("line feed in a string", "{\"a\":\"x\ny\"}", "invalid_json");
        row("NUL in a string", QByteArray("{\"aaa\":\"x\0y\"}", 13), "invalid_json");
        row("unknown escape", R"({"a":"\q"})", "invalid_json");
        row("cut escape", R"({"a":"\u12"})", "invalid_json");
        row("escape without digits", R"({"a":"\uXYZW"})", "invalid_json");
        row("unknown escape in a key", R"({"\q":1})", "invalid_json");

        row("UTF-16 with mark", "\xFF\xFE" + utf16("{\"a\":1}", false), "invalid_json");
        row("UTF-16 big-endian with mark", "\xFE\xFF" + utf16("{\"a\":1}", true), "invalid_json");
        row("UTF-16 without mark", utf16("{\"a\":1}", false), "invalid_json");
        row("UTF-16 big-endian without mark", utf16("{\"a\":1}", true), "invalid_json");
        row("UTF-32", QByteArray("{\0\0\0}\0\0\0", 8), "invalid_json");
        row("bad continuation", "{\"a\":\"\xC3\x28\"}", "invalid_utf8");
        row("overlong", "{\"a\":\"\xC0\xAF\"}", "invalid_utf8");
        row("encoded surrogate", "{\"a\":\"\xED\xA0\x80\"}", "invalid_utf8");
        row("cut sequence", "{\"a\":\"\xE2\x82\"}", "invalid_utf8");
        row("above the last plane", "{\"a\":\"\xF4\x90\x80\x80\"}", "invalid_utf8");
        row("bad UTF-8 in a key", "{\"\xFF\":1}", "invalid_utf8");
        row("high surrogate alone", R"({"a":"\ud800"})", "invalid_utf8");
        row("low surrogate alone", R"({"a":"\udc00"})", "invalid_utf8");
        row("surrogates the wrong way round", R"({"a":"\udc00\ud800"})", "invalid_utf8");
        row("two high surrogates", R"({"a":"\ud800\ud800"})", "invalid_utf8");
        row("high surrogate before text", R"({"a":"\ud800x"})", "invalid_utf8");
        row("high surrogate before another escape", R"({"a":"\ud800\u0041"})", "invalid_utf8");
        row("surrogate in a key", R"({"\ud800":1})", "invalid_utf8");
    }
    void bodies() {
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, expected);
        QCOMPARE(outcome(JsonDocument::parse(view(body))), expected);
    }

    void limits_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("32 levels") << nested(32) << QByteArray("ok");
        QTest::newRow("33 levels") << nested(33) << QByteArray("json_too_deep");
        QTest::newRow("100,000 open arrays") << repeated("[", 100'000) << QByteArray("json_too_deep");
        QTest::newRow("512,000 open arrays") << repeated("[", 512'000) << QByteArray("json_too_deep");
        QTest::newRow("100,000 open objects") << repeated("{\"a\":", 100'000) << QByteArray("json_too_deep");
        QTest::newRow("512,000 whole arrays")
            << repeated("[", 512'000) + repeated("]", 512'000) << QByteArray("json_too_deep");
        QTest::newRow("10,000 keys") << withKeys(10'000) << QByteArray("ok");
        QTest::newRow("10,001 keys") << withKeys(10'001) << QByteArray("json_too_many_keys");
        QTest::newRow("key of 1,024 bytes") << "{\"" + repeated("k", 1'024) + "\":1}" << QByteArray("ok");
        QTest::newRow("key of 1,025 bytes") << "{\"" + repeated("k", 1'025) + "\":1}" << QByteArray("key_too_long");
        QTest::newRow("key of 1,024 escaped bytes") << "{\"" + repeated("\\u006b", 1'024) + "\":1}" << QByteArray("ok");
        QTest::newRow("key of 1 MB") << "{\"" + repeated("k", 1'000'000) + "\":1}" << QByteArray("key_too_long");
        // The object and the array are values too.
        QTest::newRow("1.2 million values") << withElements(1'199'998) << QByteArray("ok");
        QTest::newRow("one value more") << withElements(1'199'999) << QByteArray("json_too_large");
        QTest::newRow("number of 400 digits") << "{\"a\":" + repeated("9", 400) + "}" << QByteArray("ok");
        QTest::newRow("string of 30 MB") << "{\"a\":\"" + repeated("x", 30'000'000) + "\"}" << QByteArray("ok");
    }
    void limits() {
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, expected);
        QCOMPARE(outcome(JsonDocument::parse(view(body))), expected);
    }

    void limitsCanBeSet() {
        const JsonLimits limits{.depth = 2, .keys = 2, .keyBytes = 3, .values = 3};
        QCOMPARE(outcome(JsonDocument::parse(R"({"a":[1]})", limits)), QByteArray("ok"));
        QCOMPARE(outcome(JsonDocument::parse(R"({"a":[[]]})", limits)), QByteArray("json_too_deep"));
        QCOMPARE(outcome(JsonDocument::parse(R"({"a":1,"b":1,"c":1})", limits)), QByteArray("json_too_many_keys"));
        QCOMPARE(outcome(JsonDocument::parse(R"({"abcd":1})", limits)), QByteArray("key_too_long"));
        QCOMPARE(outcome(JsonDocument::parse(R"({"a":[1,2]})", limits)), QByteArray("json_too_large"));
    }

    void valuesAreReadAsWritten() {
        const auto document =
            JsonDocument::parse(R"({"n":1e999,"s":"a\u00e9\n","t":true,"f":false,"l":[1,"x",[2],{"k":null}],"o":{}})");
        QVERIFY(document.has_value());
        QVERIFY(member(*document, "n").is(JsonKind::Number));
        QCOMPARE(member(*document, "n").text(), std::string_view("1e999"));
        QCOMPARE(member(*document, "s").text(), std::string_view("a\xC3\xA9\n"));
        QVERIFY(member(*document, "t").asBool());
        QVERIFY(member(*document, "f").is(JsonKind::Bool) && !member(*document, "f").asBool());
        const auto list = member(*document, "l");
        QCOMPARE(list.size(), 4u);
        std::vector<JsonKind> kinds;
        for (const auto element : list)
            kinds.push_back(element.kind());
        QVERIFY((kinds == std::vector{JsonKind::Number, JsonKind::String, JsonKind::Array, JsonKind::Object}));
        QVERIFY(member(*document, "o").is(JsonKind::Object));
        QCOMPARE(member(*document, "o").size(), 0u);
    }

    void nullAndAbsentAreTheSame() {
        const auto document = JsonDocument::parse(R"({"a":null})");
        QVERIFY(!document->root().find("a")->has_value());
        QVERIFY(!document->root().find("b")->has_value());
    }

    void onlyKeysThatAreAskedForMayNotBeDoubled() {
        const auto document = JsonDocument::parse(R"({"a":1,"a":2,"b":{"a":1},"c":1,"\u0063":2,"d":null,"d":null})");
        QVERIFY(document.has_value());
        QCOMPARE(outcome(document->root().find("b")), QByteArray("ok"));
        QCOMPARE(outcome(document->root().find("a")), QByteArray("duplicate_key"));
        QCOMPARE(outcome(document->root().find("c")), QByteArray("duplicate_key"));
        QCOMPARE(outcome(document->root().find("d")), QByteArray("duplicate_key"));
        QVERIFY(member(*document, "b").object().find("a")->has_value());
    }

    void aDocumentOutlivesItsBodyAndOtherDocuments() {
        auto body = std::make_unique<std::string>(R"({"a":"first","e":"\u00e9"})");
        auto first = JsonDocument::parse(*body);
        body.reset();
        const auto second = JsonDocument::parse(R"({"a":"second"})");
        QCOMPARE(outcome(JsonDocument::parse("[1")), QByteArray("invalid_json"));
        const JsonDocument moved = std::move(*first);
        QCOMPARE(member(moved, "a").text(), std::string_view("first"));
        QCOMPARE(member(moved, "e").text(), std::string_view("\xC3\xA9"));
        QCOMPARE(member(*second, "a").text(), std::string_view("second"));
    }

    void buffersSurviveAMoveToAnotherThread() {
        auto document = JsonDocument::parse(R"({"a":"x"})");
        std::string seen;
        std::thread reader([&seen, mine = std::move(*document)] { seen = std::string(member(mine, "a").text()); });
        reader.join();
        QCOMPARE(seen, std::string("x"));
    }

    void bodiesOfAllSizesUseTheSameBuffers() {
        for (const int size : {10, 100'000, 10, 6'000'000, 10, 70'000}) {
            const auto body = "{\"a\":\"" + repeated("x", size) + "\",\"b\":\"\\u00e9\"}";
            const auto document = JsonDocument::parse(view(body));
            QCOMPARE(member(*document, "a").size(), static_cast<std::size_t>(size));
            QCOMPARE(member(*document, "b").text(), std::string_view("\xC3\xA9"));
        }
    }

    void writtenTreesReadBackEqual() {
        QVERIFY(rc::check("what JsonWriter writes, JsonDocument reads", [] {
            const auto tree = *anyTree(4);
            JsonWriter json;
            json.beginObject().key("tree");
            write(json, tree);
            json.endObject();
            const auto document = JsonDocument::parse(json.text());
            RC_ASSERT(document.has_value());
            const auto value = document->root().find("tree");
            RC_ASSERT(value.has_value());
            RC_ASSERT(value->has_value() == (tree.kind != 0));
            if (*value)
                requireEqual(**value, tree);
        }));
    }

    void anyCutOfADocumentIsRefused() {
        const QByteArray whole = R"({"a":[1,{"b":"x\u00e9"},null,true],"c":-1.5e3})";
        for (qsizetype size = 0; size < whole.size(); ++size)
            QVERIFY2(!JsonDocument::parse(view(whole.left(size))), whole.left(size));
        QVERIFY(JsonDocument::parse(view(whole)).has_value());
    }
};

QTEST_GUILESS_MAIN(JsonTest)
#include "json_test.moc"

#include "shared/wire/cursor.h"
#include "tests/unit/wire/outcome.h"

#include <QtTest>

#include <rapidcheck.h>

using namespace fremis::wire;
using fremis::test::outcome;

namespace {

const ListCursor kCursor{"01JH0Z5M8Q3V7T", 136, "1234567892"};

} // namespace

class CursorTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anyCursorComesBack() {
        QVERIFY(rc::check("decode(encode(x)) = x", [] {
            const auto letters = [](int most) {
                return rc::gen::mapcat(rc::gen::inRange(1, most), [](int size) {
                    return rc::gen::container<std::string>(static_cast<std::size_t>(size), rc::gen::inRange('!', '~'));
                });
            };
            const ListCursor cursor{*letters(255), *rc::gen::arbitrary<std::uint8_t>(), *letters(256)};
            const auto text = encodeCursor(cursor);
            RC_ASSERT(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
                      std::string::npos);
            RC_ASSERT(decodeCursor(text, cursor.incarnation).value() == cursor);
        }));
    }

    void anotherIncarnationIsInvalid() {
        QCOMPARE(outcome(decodeCursor(encodeCursor(kCursor), "01JH0Z5M8Q3V7A")), QByteArray("invalid_cursor"));
        QCOMPARE(outcome(decodeCursor(encodeCursor(kCursor), "")), QByteArray("invalid_cursor"));
    }

    void garbageIsInvalid() {
        for (const char* text : {"", "x", "AYgB", "!!!!", "AAAAAAAAAAAAAAAA", "01JH0Z5M8Q3V7T", "%00", "\xC3\xA9"})
            QCOMPARE(outcome(decodeCursor(text, kCursor.incarnation)), QByteArray("invalid_cursor"));
        QCOMPARE(outcome(decodeCursor(std::string(1'000'000, 'A'), kCursor.incarnation)), QByteArray("invalid_cursor"));
    }

    void anyChangedCharacterIsInvalid() {
        const auto text = encodeCursor(kCursor);
        for (std::size_t at = 0; at < text.size(); ++at) {
            auto changed = text;
            changed[at] = changed[at] == 'A' ? 'B' : 'A';
            QCOMPARE(outcome(decodeCursor(changed, kCursor.incarnation)), QByteArray("invalid_cursor"));
            QCOMPARE(outcome(decodeCursor(text.substr(0, at), kCursor.incarnation)), QByteArray("invalid_cursor"));
        }
    }
};

QTEST_GUILESS_MAIN(CursorTest)
#include "cursor_test.moc"

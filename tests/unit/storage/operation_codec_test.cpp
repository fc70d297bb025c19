#include "shared/hashing/codec.h"
#include "shared/storage/operation_codec.h"
#include "tests/unit/wire/outcome.h"

#define XXH_INLINE_ALL
#include <rapidcheck.h>
#include <xxhash.h>

#include <limits>

using namespace fremis;
using namespace fremis::storage;
using fremis::test::outcome;

namespace {

base::FaceId faceId() {
    const auto length = *rc::gen::inRange(1, 40);
    return base::FaceId::trusted(*rc::gen::container<std::string>(length, rc::gen::inRange('!', '~')));
}

base::Version version() {
    return {*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::arbitrary<std::uint64_t>()};
}

OpId opId() {
    OpId id{};
    for (auto& byte : id)
        byte = *rc::gen::arbitrary<std::uint8_t>();
    return id;
}

std::string incarnation() {
    return *rc::gen::container<std::string>(26, rc::gen::inRange('A', 'Z'));
}

std::optional<double> threshold() {
    if (*rc::gen::arbitrary<bool>())
        return std::nullopt;
    return *rc::gen::inRange(-1000, 1000) / 1000.0;
}

AddVariation addition() {
    std::vector<float> embedding;
    for (int left = *rc::gen::inRange(0, 600); left > 0; --left)
        embedding.push_back(static_cast<float>(*rc::gen::arbitrary<std::int32_t>()) / 7.0F);
    return {{incarnation(), faceId(), base::Variation(*rc::gen::arbitrary<std::uint64_t>()),
             *rc::gen::arbitrary<base::Partition>(), version(), "space-1", std::move(embedding),
             *rc::gen::arbitrary<std::int32_t>() / 3.0, std::chrono::milliseconds(*rc::gen::arbitrary<std::int64_t>())},
            opId()};
}

Operation anyOperation() {
    const auto name = base::KeyspaceName::trusted("employee");
    switch (*rc::gen::inRange(0, 6)) {
    case 0:
        return addition();
    case 1:
        return DeleteFace{incarnation(), faceId(), *rc::gen::arbitrary<base::Partition>(), version(), opId()};
    case 2:
        return DeleteVariation{incarnation(),
                               faceId(),
                               base::Variation(*rc::gen::arbitrary<std::uint64_t>()),
                               *rc::gen::arbitrary<base::Partition>(),
                               version(),
                               opId()};
    case 3:
        return CreateKeyspace{name,
                              incarnation(),
                              threshold(),
                              version(),
                              std::chrono::milliseconds(*rc::gen::arbitrary<std::int64_t>()),
                              opId()};
    case 4:
        return DropKeyspace{name, incarnation(), *rc::gen::arbitrary<bool>() ? incarnation() : std::string(), version(),
                            opId()};
    default:
        return SetThreshold{incarnation(), threshold(), version(), opId()};
    }
}

AddVariation sample() {
    return {{"01JH0Z5M8Q3V7T",
             base::FaceId::trusted("1234567891"),
             base::Variation(18446744073709551615U),
             5,
             {1, 2},
             "space-1",
             {0.5F, -0.25F},
             4.5,
             std::chrono::milliseconds(1'767'225'600'000)},
            {}};
}

/// `content` with the checksum that belongs to it.
std::string sealed(std::string content) {
    hashing::ByteWriter checksum;
    checksum.u64(XXH3_64bits(content.data(), content.size()));
    return content + checksum.bytes();
}

std::string contentOf(const std::string& record) {
    return record.substr(0, record.size() - 8);
}

} // namespace

class OperationCodecTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsEncodedIsDecoded() {
        QVERIFY(rc::check("a record gives the operation back", [] {
            const auto operation = anyOperation();
            const auto record = encode(operation);
            const auto decoded = decode(record);
            RC_ASSERT(decoded.has_value());
            RC_ASSERT(decoded->index() == operation.index());
            RC_ASSERT(encode(*decoded) == record);
            RC_ASSERT(partitionOf(*decoded) == partitionOf(operation));
            if (const auto* add = std::get_if<AddVariation>(&operation)) {
                const auto& again = std::get<AddVariation>(*decoded).row;
                RC_ASSERT(again.embedding == add->row.embedding);
                RC_ASSERT(again.version == add->row.version);
                RC_ASSERT(again.face == add->row.face);
            }
        }));
    }

    void theBytesNeverChange() {
        // Frozen: queues on disk and older programs hold such records.
        const auto record = encode(sample());
        QCOMPARE(QByteArray::fromStdString(contentOf(record)).toHex(),
                 QByteArray("01010e00000030314a48305a354d3851335637540a00000031323334353637383931ffffffff"
                            "ffffffff05010000000000000002000000000000000700000073706163652d31020000000000"
                            "003f000080be000000000000124000a8da769b01000000000000000000000000000000000000"));
        QCOMPARE(sealed(contentOf(record)), record);
    }

    void everyFlippedBitIsFound() {
        const auto record = encode(sample());
        for (std::size_t at = 0; at < record.size() * 8; ++at) {
            auto damaged = record;
            damaged[at / 8] = static_cast<char>(damaged[at / 8] ^ (1 << at % 8));
            QCOMPARE(outcome(decode(damaged)), QByteArray("corrupt_data"));
        }
    }

    void everyOtherLengthIsFound() {
        const auto record = encode(sample());
        for (std::size_t size = 0; size < record.size(); ++size)
            QCOMPARE(outcome(decode(std::string_view(record).substr(0, size))), QByteArray("corrupt_data"));
        QCOMPARE(outcome(decode(record + '\0')), QByteArray("corrupt_data"));
        QCOMPARE(outcome(decode(std::string(kMaxOperationBytes + 1, 'x'))), QByteArray("corrupt_data"));
    }

    void aWholeRecordWithoutSenseIsRefused_data() {
        QTest::addColumn<QByteArray>("content");
        const auto content = contentOf(encode(sample()));
        const auto add = [](const char* name, std::string bytes) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes);
        };
        const auto changed = [&](std::size_t at, char byte) {
            auto bytes = content;
            bytes[at] = byte;
            return bytes;
        };
        add("a format of the future", changed(0, 2));
        add("an unknown kind", changed(1, 99));
        add("kind zero", changed(1, 0));
        add("more than the record", content + "x");
        add("less than the record", content.substr(0, content.size() - 1));
        add("a length beyond the end", changed(2, '\x7f'));
        add("a control byte in the face id", changed(24, '\n'));
        add("a blank in the incarnation", changed(6, ' '));
        auto nan = sample();
        nan.row.norm = std::numeric_limits<double>::quiet_NaN();
        add("a norm that is no number", contentOf(encode(nan)));
        auto noFace = sample();
        noFace.row.face = base::FaceId::trusted("");
        add("no face id", contentOf(encode(noFace)));
    }
    void aWholeRecordWithoutSenseIsRefused() {
        QFETCH(QByteArray, content);
        QCOMPARE(outcome(decode(sealed(content.toStdString()))), QByteArray("invalid_params"));
    }
};

QTEST_GUILESS_MAIN(OperationCodecTest)
#include "operation_codec_test.moc"

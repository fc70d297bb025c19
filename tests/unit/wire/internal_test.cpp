#include "shared/wire/internal.h"
#include "tests/unit/wire/outcome.h"

#include <rapidcheck.h>

using namespace fremis;
using namespace fremis::wire::internal;
using fremis::test::outcome;

namespace {

template<class T> T any() {
    return *rc::gen::arbitrary<T>();
}

std::uint64_t count() {
    return any<std::uint64_t>();
}

template<std::size_t N> std::array<std::uint8_t, N> bytes() {
    std::array<std::uint8_t, N> drawn{};
    for (auto& byte : drawn)
        byte = any<std::uint8_t>();
    return drawn;
}

Id id() {
    return bytes<16>();
}

base::Version version() {
    return {any<std::uint64_t>(), any<std::uint64_t>()};
}

std::string word() {
    const auto length = *rc::gen::inRange(1, 20);
    return *rc::gen::container<std::string>(length, rc::gen::inRange('a', 'z'));
}

/// Text with what JSON has to escape, and more than one byte a character.
std::string text() {
    return *rc::gen::element<std::string>("7", "a\"b\\c", "\xC3\xA9", "x/y", "\xF0\x9F\x98\x80", "'; --");
}

base::FaceId face() {
    return base::FaceId::trusted(text());
}

base::Variation variation() {
    return base::Variation(any<std::uint64_t>());
}

base::KeyspaceName keyspace() {
    return base::KeyspaceName::trusted(word());
}

template<class Draw> auto some(int least, int most, Draw draw) {
    std::vector<decltype(draw())> drawn;
    for (int left = *rc::gen::inRange(least, most + 1); left > 0; --left)
        drawn.push_back(draw());
    return drawn;
}

Record record() {
    return any<std::string>();
}

std::vector<wire::PartitionRange> ranges(int least) {
    return some(least, 3, [] {
        const auto a = any<base::Partition>();
        const auto b = any<base::Partition>();
        return wire::PartitionRange{std::min(a, b), std::max(a, b)};
    });
}

WriteHead head() {
    return {id(), word(), version()};
}

wire::StoredFace storedFace() {
    return {keyspace(), face()};
}

FaceEmbeddingsReply faceEmbeddings() {
    return {word(), some(0, 3, [] { return std::vector<float>{1.0F, float(*rc::gen::inRange(-99, 99)) / 7}; })};
}

template<class T> std::optional<T> maybe(T value) {
    return any<bool>() ? std::optional(std::move(value)) : std::nullopt;
}

ProbeRequest probeRequest() {
    ProbeRequest probe{id(),
                       word(),
                       *rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000),
                       maybe(version()),
                       version(),
                       {},
                       {},
                       1,
                       "rule",
                       maybe(word()),
                       maybe(512)};
    probe.pending = some(0, 3, id);
    probe.forget = some(0, 2, id);
    return probe;
}

ProbeReply probeReply() {
    ProbeReply reply{id(),      count(), "0.1.0",   "ACTIVE",  99.5,
                     count(),   word(),  512,       "rule",    1,
                     ranges(0), 5,       version(), version(), maybe(word()).value_or(""),
                     {}};
    reply.heard = some(0, 3, [] {
        return Heard{id(), some(0, 3, id), maybe(version()), *rc::gen::inRange<std::int64_t>(0, 100'000),
                     *rc::gen::inRange<std::int64_t>(0, 100'000)};
    });
    return reply;
}

wire::DetectedFace detectedFace() {
    return {1, -2, 30, 40, 0.5, true, 4.25, {"blurred"}, wire::FaceAttributes{0.5, {}, 33.0}};
}

PartitionDigest partitionDigest() {
    constexpr IndexState kStates[] = {IndexState::Equal, IndexState::Busy, IndexState::Loading, IndexState::Different};
    return {any<base::Partition>(), bytes<32>(), count(), count(), count(), count(), kStates[*rc::gen::inRange(0, 4)]};
}

ApplyOutcome applyOutcome() {
    return {static_cast<ApplyEffect>(*rc::gen::inRange(0, 13)), maybe(text()).value_or(""), count(), count()};
}

/// The message comes back from its JSON, and its JSON is the same again.
template<class Draw, class Read> void checkRoundTrip(const char* name, Draw draw, Read read) {
    QVERIFY(rc::check(name, [&] {
        const auto json = toJson(draw());
        const auto again = read(json);
        if (!again)
            RC_FAIL(again.error().message + ": " + again.error().detail + " in " + json);
        RC_ASSERT(toJson(*again) == json);
    }));
}

const std::string kProbe = R"({"coordinator":"000102030405060708090a0b0c0d0e0f","epoch":"9f2c","clock_ms":5,)"
                           R"("low_water":null,"pending":[],"protocol":1,"partition_rule":"r","space":null)";

} // namespace

class InternalTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void requestsComeBackFromTheirJson() {
        checkRoundTrip("probe", probeRequest, parseProbe);
        checkRoundTrip(
            "enrolment",
            [] {
                return EnrollmentRequest{
                    head(),
                    {{"AAAA"}, keyspace(), face(), {any<bool>(), any<bool>(), any<bool>(), any<bool>()}},
                    any<bool>()};
            },
            parseEnrollment);
        checkRoundTrip(
            "delete faces",
            [] {
                return DeleteEnrollmentRequest{head(), {keyspace(), {face()}}};
            },
            parseDeleteEnrollment);
        checkRoundTrip(
            "delete variations",
            [] {
                return DeleteVariationRequest{head(), {keyspace(), face(), {variation()}}};
            },
            parseDeleteVariation);
        checkRoundTrip(
            "create keyspace",
            [] {
                return CreateKeyspaceRequest{head(), {keyspace(), maybe(0.45)}};
            },
            parseCreateKeyspace);
        checkRoundTrip(
            "delete keyspace",
            [] {
                return DeleteKeyspaceRequest{head(), {keyspace()}};
            },
            parseDeleteKeyspace);
        checkRoundTrip(
            "apply",
            [] {
                return ApplyRequest{word(), some(1, 5, record), any<bool>()};
            },
            parseApply);
        checkRoundTrip(
            "digests", [] { return DigestsRequest{ranges(1)}; }, parseDigests);
        checkRoundTrip(
            "leaves",
            [] {
                return LeavesRequest{any<base::Partition>(),
                                     some(1, 9, [] { return static_cast<std::uint16_t>(*rc::gen::inRange(1, 512)); })};
            },
            parseLeaves);
        checkRoundTrip(
            "rows",
            [] {
                return RowsRequest{any<base::Partition>(), some(1, 9, any<std::uint8_t>), maybe(word()).value_or(""),
                                   *rc::gen::inRange(1, 513)};
            },
            parseRows);
        checkRoundTrip(
            "collect",
            [] {
                return CollectRequest{word(), ranges(1), version()};
            },
            parseCollect);
        checkRoundTrip(
            "embeddings of a face", [] { return FaceEmbeddingsRequest{storedFace()}; }, parseFaceEmbeddings);
        checkRoundTrip(
            "match",
            [] {
                return MatchRequest{storedFace(), faceEmbeddings()};
            },
            parseMatch);
    }

    void repliesComeBackFromTheirJson() {
        checkRoundTrip("probe", probeReply, readProbe);
        checkRoundTrip(
            "enrolled",
            [] {
                return EnrollmentWritten{{face(), variation(), {detectedFace()}, {}}, some(0, 1, record)};
            },
            readEnrollmentWritten);
        checkRoundTrip(
            "faces deleted",
            [] {
                return FacesDeleted{{some(0, 3, face), {}}, some(0, 2, face), some(0, 3, record)};
            },
            readFacesDeleted);
        checkRoundTrip(
            "variations deleted",
            [] {
                return VariationsDeleted{{face(), some(0, 3, variation), any<bool>(), {}}, some(0, 3, record)};
            },
            readVariationsDeleted);
        checkRoundTrip(
            "keyspace created",
            [] {
                return KeyspaceCreated{{keyspace(), any<bool>(), word(), maybe(0.5), {}}, some(0, 2, record)};
            },
            readKeyspaceCreated);
        checkRoundTrip(
            "keyspace deleted",
            [] {
                return KeyspaceDeleted{{keyspace(), count(), {}}, some(0, 1, record)};
            },
            readKeyspaceDeleted);
        checkRoundTrip(
            "applied", [] { return ApplyReply{some(0, 4, applyOutcome)}; }, readApply);
        checkRoundTrip(
            "digests",
            [] {
                return DigestsReply{some(0, 4, partitionDigest), bytes<32>()};
            },
            readDigests);
        checkRoundTrip(
            "leaves", [] { return LeavesReply{some(1, 4, bytes<32>)}; }, readLeaves);
        checkRoundTrip(
            "rows",
            [] {
                return RowsReply{some(0, 4, record), maybe(word())};
            },
            readRows);
        checkRoundTrip(
            "keyspace records",
            [] {
                return KeyspaceRecordsReply{some(0, 4, record), bytes<32>()};
            },
            readKeyspaceRecords);
        checkRoundTrip("embeddings of a face", faceEmbeddings, readFaceEmbeddings);
    }

    void versionsSortAsTheirTexts() {
        QVERIFY(rc::check("texts of versions sort as they do", [] {
            const auto a = version();
            const auto b = version();
            RC_ASSERT((a < b) == (textOf(a) < textOf(b)));
            RC_ASSERT(*parseVersion(textOf(a)) == a);
        }));
        QCOMPARE(textOf(base::Version{1, 255}), std::string("000000000000000100000000000000ff"));
    }

    void partsOfAListHaveOpIdsOfTheirOwn() {
        const Id call{1};
        const auto seven = base::FaceId::trusted("7");
        QVERIFY(faceOpId(call, seven) == faceOpId(call, seven));
        QVERIFY(faceOpId(call, seven) != faceOpId(Id{2}, seven));
        QVERIFY(faceOpId(call, seven) != faceOpId(call, base::FaceId::trusted("8")));
        QVERIFY(faceOpId(call, seven) != variationOpId(call, base::Variation(7)));
    }

    void wrongRequestsAreRefused_data() {
        test::addRows();
        test::row("as it should be", QByteArray::fromStdString(kProbe + "}"), "ok");
        test::row("no object", "[]", "not_an_object");
        test::row("empty", "{}", "invalid_params");
        const auto with = [](const char* from, const char* to) {
            auto changed = QByteArray::fromStdString(kProbe + "}");
            changed.replace(from, to);
            return changed;
        };
        test::row("id too short", with("0e0f\"", "0e\""), "invalid_params");
        test::row("id in capitals", with("0a0b", "0A0B"), "invalid_params");
        test::row("id a number", with("\"000102030405060708090a0b0c0d0e0f\"", "7"), "invalid_params");
        test::row("epoch empty", with("9f2c", ""), "invalid_params");
        test::row("epoch with a blank", with("9f2c", "9f 2c"), "invalid_params");
        test::row("clock a fraction", with("\"clock_ms\":5", "\"clock_ms\":5.5"), "invalid_params");
        test::row("clock negative", with("\"clock_ms\":5", "\"clock_ms\":-5"), "invalid_params");
        test::row("pending no list", with("\"pending\":[]", "\"pending\":{}"), "invalid_params");
        test::row("pending of numbers", with("\"pending\":[]", "\"pending\":[7]"), "invalid_params");
        test::row("low water no version", with("\"low_water\":null", "\"low_water\":\"7\""), "invalid_params");
        test::row("a key twice", with("\"protocol\":1", "\"protocol\":1,\"protocol\":1"), "duplicate_key");
        test::row("protocol zero", with("\"protocol\":1", "\"protocol\":0"), "invalid_params");
    }
    void wrongRequestsAreRefused() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, expected);
        QCOMPARE(outcome(parseProbe(test::view(value))), expected);
    }

    void anEnrolmentNeedsItsHead_data() {
        test::addRows();
        const QByteArray body = R"("image":"AAAA","keyspace":"default","additional_params":{"face_id":"7"})";
        const QByteArray id = R"("op_id":"000102030405060708090a0b0c0d0e0f")";
        test::row("whole", "{" + body + "," + id + R"(,"epoch":"e","new_face":true})", "ok");
        test::row("no op id", "{" + body + R"(,"epoch":"e","new_face":true})", "invalid_params");
        test::row("no epoch", "{" + body + "," + id + R"(,"new_face":true})", "invalid_params");
        test::row("no word on the face", "{" + body + "," + id + R"(,"epoch":"e"})", "invalid_params");
        test::row("no face id", R"({"image":"AAAA","keyspace":"default",)" + id + R"(,"epoch":"e","new_face":true})",
                  "invalid_face_id");
        test::row("no image",
                  R"({"keyspace":"default","additional_params":{"face_id":"7"},)" + id +
                      R"(,"epoch":"e","new_face":true})",
                  "image_missing");
    }
    void anEnrolmentNeedsItsHead() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, expected);
        QCOMPARE(outcome(parseEnrollment(test::view(value))), expected);
    }

    void listsHaveBounds() {
        const auto apply = [](std::size_t size) {
            return outcome(parseApply(toJson(ApplyRequest{"e", std::vector<Record>(size, "x"), false})));
        };
        QCOMPARE(apply(kMaxRecords), QByteArray("ok"));
        QCOMPARE(apply(kMaxRecords + 1), QByteArray("invalid_params"));
        QCOMPARE(apply(0), QByteArray("invalid_params"));
        QCOMPARE(outcome(parseLeaves(R"({"partition":5,"nodes":[0]})")), QByteArray("invalid_params"));
        QCOMPARE(outcome(parseLeaves(R"({"partition":5,"nodes":[512]})")), QByteArray("invalid_params"));
        QCOMPARE(outcome(parseLeaves(R"({"partition":256,"nodes":[1]})")), QByteArray("invalid_params"));
        QCOMPARE(outcome(parseRows(R"({"partition":5,"leaves":[256]})")), QByteArray("invalid_params"));
        QCOMPARE(outcome(parseRows(R"({"partition":5,"leaves":[1],"limit":513})")), QByteArray("invalid_params"));
        QCOMPARE(outcome(parseApply(R"({"epoch":"e","operations":["!!"]})")), QByteArray("invalid_params"));
    }

    void embeddingsAreChecked() {
        const auto read = [](std::vector<float> values) {
            const wire::StoredFace face{base::KeyspaceName::trusted("k"), base::FaceId::trusted("7")};
            return outcome(parseMatch(toJson(MatchRequest{face, {"s", {{1, 0}, std::move(values)}}})));
        };
        QCOMPARE(read({0, 1}), QByteArray("ok"));
        QCOMPARE(read({}), QByteArray("embedding_invalid"));
        QCOMPARE(read({0, 0}), QByteArray("embedding_invalid"));
        QCOMPARE(read({0, std::numeric_limits<float>::quiet_NaN()}), QByteArray("embedding_invalid"));
        QCOMPARE(read(std::vector<float>(wire::kMaxEmbeddingLength + 1, 1)), QByteArray("embedding_invalid"));
        const QByteArray head = R"({"keyspace":"k","face_id":"7","space":"s","embeddings":)";
        QCOMPARE(outcome(parseMatch(test::view(head + R"(["AAAAAAA="]})"))), QByteArray("embedding_invalid"));
        QCOMPARE(outcome(parseMatch(test::view(head + R"(["!!"]})"))), QByteArray("invalid_params"));
        QCOMPARE(outcome(parseMatch(test::view(head + R"([[0.5]]})"))), QByteArray("invalid_params"));
        QCOMPARE(outcome(parseMatch(R"({"keyspace":"k","space":"s","embeddings":[]})")), QByteArray("invalid_face_id"));
    }

    void aReplyThatMakesNoSenseIsThePeersFault_data() {
        test::addRows();
        const auto good = QByteArray::fromStdString(toJson(DigestsReply{{{5, {}, 1, 2, 3, 4, IndexState::Equal}}, {}}));
        const auto with = [&](const char* from, const char* to) {
            auto changed = good;
            changed.replace(from, to);
            return changed;
        };
        test::row("as it should be", good, "ok");
        test::row("cut", good.left(good.size() - 1), "corrupt_data");
        test::row("another type", with("\"rows\":1", "\"rows\":\"1\""), "corrupt_data");
        test::row("negative", with("\"rows\":1", "\"rows\":-1"), "corrupt_data");
        test::row("a partition that is none", with("\"partition\":5", "\"partition\":256"), "corrupt_data");
        test::row("a digest too short", with("\"root\":\"00", "\"root\":\""), "corrupt_data");
        test::row("an unknown word", with("equal", "fine"), "corrupt_data");
        test::row("without the keyspaces", with("\"keyspaces\"", "\"other\""), "corrupt_data");
        test::row("nothing", "", "corrupt_data");
    }
    void aReplyThatMakesNoSenseIsThePeersFault() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, expected);
        QCOMPARE(outcome(readDigests(test::view(value))), expected);
    }
};

QTEST_GUILESS_MAIN(InternalTest)
#include "internal_test.moc"
